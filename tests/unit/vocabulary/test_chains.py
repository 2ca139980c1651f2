from __future__ import annotations

import pytest

from receipt_engine.vocabulary.brands import (
    brand_misread,
    brand_named,
    brand_of_site,
    chains_file,
)
from receipt_engine.vocabulary.normalise import alphanumerics


def rows() -> list[list[str]]:
    return [line.split("\t") for line in chains_file().read_text(encoding="utf-8").splitlines()]


def test_rows_are_sorted_by_folded_names() -> None:
    keys = [row[0] for row in rows()]
    assert keys == sorted(keys)
    assert all(alphanumerics(key.removesuffix(".")) == key.removesuffix(".") for key in keys)


@pytest.mark.parametrize(
    ("text", "country", "name"),
    [("MC DONALDS", "se", "McDonald's"), ("7 ELEVEN", "dk", "7-ELEVEN"), ("Pick'n Pay", "za", "Pick n Pay")],
)
def test_however_it_is_printed(text: str, country: str, name: str) -> None:
    brand = brand_named(text, country)
    assert brand is not None
    assert brand.name == name


def test_a_chain_of_other_countries_is_none_here() -> None:
    assert brand_named("Pick n Pay", "za") is not None
    assert brand_named("Pick n Pay", "se") is None


def test_every_long_name_is_found_with_a_letter_misread() -> None:
    """A name of which no other is a near double: few are."""
    keys = {key for key, name, _, where in rows() if where == "nz" and alphanumerics(name) == key}
    keys = {key for key in keys if len(key) >= 10 and key.isascii()}
    found = [key for key in keys if brand_misread(f"{key[:4]}x{key[5:]}", "nz") is not None]
    assert len(found) >= 0.9 * len(keys) > 20


@pytest.mark.parametrize("text", ["Chick-fil-A", "Corner Deli", "Gap", "LDL"])
def test_what_is_no_misread_chain(text: str) -> None:
    assert brand_misread(text, "us") is None


def test_by_its_web_address() -> None:
    assert brand_of_site("picknpay") == "Pick n Pay"
    assert brand_of_site("copper-kettle-tea") is None
