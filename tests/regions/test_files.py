"""Every region and language file: it loads, is complete, and says nothing twice or against itself."""

from __future__ import annotations

import importlib
import re
from collections import defaultdict
from decimal import Decimal
from pathlib import Path
from typing import get_args

import phonenumbers
import pytest

from receipt_engine import assets
from receipt_engine.errors import RegionDataError
from receipt_engine.region import (
    Language,
    Region,
    Role,
    Words,
    load_language,
    load_region,
    normalize_code,
    read_table,
    region_codes,
    role_phrases,
)
from receipt_engine.vocabulary.normalise import squeeze

#: The codes that the interface names, in its order.
CONTRACT = [
    "ar",
    "au",
    "be",
    "br",
    "ca",
    "cl",
    "co",
    "fr",
    "de",
    "gr",
    "hk",
    "in",
    "id",
    "ie",
    "it",
    "ja",
    "ke",
    "my",
    "mx",
    "nz",
    "pa",
    "pe",
    "ph",
    "sg",
    "za",
    "es",
    "se",
    "ch",
    "to",
    "ae",
    "gb",
    "uy",
    "us",
    "vn",
]
LANGUAGES = sorted(path.stem for path in (assets.folder("regions") / "languages").glob("*.toml"))
ADDRESS_PARTS = {"building", "number", "street", "suburb", "city", "state", "postcode", "country"}
SUMMARY_ROLES: tuple[Role, ...] = (
    "total",
    "subtotal",
    "net",
    "tax",
    "total_tax",
    "tip",
    "service",
    "discount",
    "savings",
    "rounding",
    "cash",
    "card",
    "change",
    "item_count",
    "loyalty",
    "balance",
)
#: These tell what a word inside a line is, not what the line is: "total" is also a column heading.
PART_OF_LINE: frozenset[Role] = frozenset(["column", "quantity", "weight", "address"])
#: (language, squeezed phrase) that may stand under two roles of a line.
TWO_ROLES = {("en", "billto"), ("en", "paymentdue"), ("ko", "부가세포함")}


def _words(own: dict[Role, tuple[str | Words, ...]]) -> list[tuple[Role, Words]]:
    return [
        (role, w if isinstance(w, Words) else Words(text=w)) for role, listed in own.items() for w in listed
    ]


def _all_words() -> list[tuple[str, Role, Words]]:
    named: list[tuple[str, Language | Region]] = [(code, load_language(code)) for code in LANGUAGES]
    named += [(f"region {code}", load_region(code)) for code in region_codes()]
    return [(name, role, word) for name, source in named for role, word in _words(source.words)]


def test_every_code_of_the_interface_has_a_file() -> None:
    assert len(set(CONTRACT)) == 34
    assert set(CONTRACT) <= set(region_codes())


@pytest.mark.parametrize("code", region_codes())
def test_region_loads_and_names_itself(code: str) -> None:
    region = load_region(code)
    assert region.code == code
    assert region.sources, "a region names the law, authority or standard that its rules come from"
    assert re.fullmatch("[A-Z]{3}", region.currency.code)
    assert region.currency.symbols
    assert 0 <= region.currency.decimals <= 3
    assert region.numbers.habits
    assert region.example
    assert region.not_example


@pytest.mark.parametrize("code", LANGUAGES)
def test_language_loads_and_names_itself(code: str) -> None:
    language = load_language(code)
    assert language.code == code
    assert len(language.months) == 12
    assert all(language.months)
    assert language.am
    assert language.pm


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_role_has_words(code: str) -> None:
    assert set(load_language(code).words) == set(get_args(Role))


@pytest.mark.parametrize("code", region_codes())
@pytest.mark.parametrize("role", SUMMARY_ROLES)
def test_summary_roles_have_a_sure_word(code: str, role: Role) -> None:
    assert max(phrase.weight for phrase in role_phrases(load_region(code), role)) >= 0.5


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_language_is_used_by_a_region(code: str) -> None:
    assert any(code in load_region(region).languages for region in region_codes())


@pytest.mark.parametrize("alias, code", [("uk", "gb"), (" UK ", "gb"), ("jp", "ja"), ("MY", "my")])
def test_aliases_lead_to_a_region(alias: str, code: str) -> None:
    assert normalize_code(alias) == code
    assert load_region(alias).code == code


def test_unknown_key_names_the_nearest_known_one(tmp_path: Path) -> None:
    wrong = tmp_path / "xx.toml"
    wrong.write_text('code = "xx"\nname = "Nowhere"\n[wordz]\ntotal = ["sum"]\n', encoding="utf-8")
    with pytest.raises(RegionDataError, match=r"xx\.toml.*wordz.*Did you mean 'words'"):
        read_table(wrong, Language)


def test_unknown_role_names_the_nearest_known_one(tmp_path: Path) -> None:
    wrong = tmp_path / "xx.toml"
    wrong.write_text('code = "xx"\nname = "Nowhere"\n[words]\nsubtotl = ["sum"]\n', encoding="utf-8")
    with pytest.raises(RegionDataError, match=r"Did you mean 'subtotal'"):
        read_table(wrong, Language)


def test_unknown_region_lists_the_known_ones() -> None:
    with pytest.raises(RegionDataError, match=r"zz.*Known: ae, ar, at"):
        load_region("zz")


@pytest.mark.parametrize("code", region_codes())
def test_postcode_and_identifiers_are_regular_expressions(code: str) -> None:
    region = load_region(code)
    assert (region.address.postcode == "") == (region.address.postcode_place == "none")
    re.compile(region.address.postcode)
    for identifier in region.identifiers:
        assert re.compile(identifier.pattern).groups == 0, "only (?:...) groups: the whole match is used"
        assert identifier.words


@pytest.mark.parametrize("code", region_codes())
def test_check_digit_modules_exist(code: str) -> None:
    for identifier in load_region(code).identifiers:
        if identifier.stdnum:
            assert callable(importlib.import_module(f"stdnum.{identifier.stdnum}").is_valid)


@pytest.mark.parametrize("code", region_codes())
def test_rates_and_rounding_are_numbers_with_ordered_dates(code: str) -> None:
    region = load_region(code)
    for rate in region.tax.rates:
        assert 0 <= Decimal(rate.rate) < 100
        assert rate.since is None or rate.until is None or rate.since <= rate.until
    for rounding in region.rounding:
        assert Decimal(rounding.step) > 0
        assert rounding.law
        assert rounding.since is None or rounding.until is None or rounding.since <= rounding.until


@pytest.mark.parametrize("code", region_codes())
def test_number_habits_are_unambiguous(code: str) -> None:
    habits = load_region(code).numbers.habits
    assert len({(habit.decimal, habit.groups, habit.indian) for habit in habits}) == len(habits)
    for habit in habits:
        assert habit.decimal in {".", ",", "٫"}
        assert habit.decimal not in habit.groups


@pytest.mark.parametrize("code", region_codes())
def test_address_is_described(code: str) -> None:
    address = load_region(code).address
    assert len(set(address.order)) == len(address.order)
    assert ADDRESS_PARTS >= set(address.order) >= {"street", "number"}
    assert "city" in address.order or address.districts
    assert address.order.index("number") < address.order.index("street") or address.street_number == "after"
    assert len(address.cities) + len(address.districts) >= 25
    assert address.names


@pytest.mark.parametrize("code", region_codes())
def test_phone_region_has_the_calling_code(code: str) -> None:
    phone = load_region(code).phone
    assert str(phonenumbers.country_code_for_region(phone.region)) == phone.calling_code


def test_weights_are_shares() -> None:
    assert [entry for entry in _all_words() if not 0 < entry[2].weight <= 1] == []


def test_phrases_are_written_without_digits() -> None:
    """Matching reads letters only: "vat 20" would be compared as "vat" and might hide another role."""
    outside = re.compile(r"(?<![^\W\d_])\d|\d(?![^\W_])")
    assert [entry for entry in _all_words() if outside.search(entry[2].text)] == []


def test_terms_are_written_without_digits_and_signs_of_money() -> None:
    """Only letters are compared: "$/kg" would be found wherever "kg" stands, "h24" in every h."""
    outside = re.compile(r"\d|[%$€£¥₹]")
    phrases = [
        (code, term, phrase)
        for code in LANGUAGES
        for term, found in load_language(code).terms.items()
        for phrase in found
    ]
    assert [entry for entry in phrases if outside.search(entry[2])] == []


def test_no_phrase_is_listed_twice_under_one_role() -> None:
    seen: set[tuple[str, Role, str]] = set()
    twice = []
    for name, role, word in _all_words():
        key = (name, role, squeeze(word.text))
        assert key[2], f"{name}: {role} phrase {word.text!r} has no letter"
        if key in seen:
            twice.append((name, role, word.text))
        seen.add(key)
    assert twice == []


def test_no_phrase_shows_two_roles_of_a_line() -> None:
    roles: dict[tuple[str, str], set[Role]] = defaultdict(set)
    for name, role, word in _all_words():
        if role not in PART_OF_LINE:
            roles[name, squeeze(word.text)].add(role)
    assert {key: found for key, found in roles.items() if len(found) > 1 and key not in TWO_ROLES} == {}
