"""Units behind numbers: of every language everywhere, and a region's own."""

from __future__ import annotations

import pytest

from receipt_engine.region import load_region
from receipt_engine.vocabulary.units import units_of


@pytest.mark.parametrize(
    ("region", "text", "unit", "kind"),
    [
        ("de", "0,750 kg", "kg", "weight"),
        ("us", "3.2gal", "gal", "volume"),
        ("us", "12 fl. oz", "fl. oz", "volume"),
        ("pl", "2 szt", "szt", "count"),
        ("us", "2 szt", "szt", "count"),
        ("gr", "8 λίτρα", "λίτρα", "volume"),
        ("ja", "3個", "個", "count"),
        ("de", "40 Pkt", "Pkt", "other"),
        ("se", "2 burk", "burk", "count"),
    ],
)
def test_a_unit_right_behind_a_number(region: str, text: str, unit: str, kind: str) -> None:
    digits = next(i for i, c in enumerate(text) if not (c.isdigit() or c in ".,"))
    found = units_of(load_region(region)).after(text, digits)
    assert found is not None
    assert (found.text, found.kind, found.end) == (unit, kind, len(text))


@pytest.mark.parametrize(
    ("region", "text"),
    [
        ("us", "2 burk"),  # of another country's language
        ("us", "2 Menu"),
        ("ja", "2コーヒー"),  # a word that begins with a unit
        ("us", "2 qty"),  # announces a count
        ("us", "3 for"),  # stands before the price of several
    ],
)
def test_other_words_are_no_units(region: str, text: str) -> None:
    assert units_of(load_region(region)).after(text, 1) is None


def test_nobody_sells_a_fraction_of_a_small_unit() -> None:
    units = units_of(load_region("de"))
    assert units.is_small("G") and units.is_small("ml")
    assert not units.is_small("kg")
