"""Towns that no region file names, and the lists that they come from."""

from __future__ import annotations

import pytest

from receipt_engine import assets
from receipt_engine.stages.localize.countries import countries
from receipt_engine.vocabulary.normalise import squeeze
from receipt_engine.vocabulary.towns import find_towns

LISTS = sorted((assets.shipped("regions") / "world").glob("*.txt"))


def named(text: str, country: str) -> list[str]:
    return [text[town.start : town.end] for town in find_towns(text, country)]


@pytest.mark.parametrize(
    ("country", "text", "towns"),
    [
        ("DE", "Lange Gasse 5, NÖRDLINGEN", ["NÖRDLINGEN"]),
        ("DE", "91413 Neustadt an der Aisch", ["Neustadt an der Aisch"]),
        ("DE", "Weilheim", ["Weilheim"]),
        ("FR", "ST JEAN DE LUZ", ["ST JEAN DE LUZ"]),
        ("GR", "ΟΡΕΣΤΙΑΔΑ", ["ΟΡΕΣΤΙΑΔΑ"]),
        ("RU", "г. Кинешма", ["Кинешма"]),
        ("JP", "諏訪市2-4-1", ["諏訪市"]),
        ("KR", "중앙로 55 영주시", ["영주시"]),
        ("TH", "ศรีราชา", ["ศรีราชา"]),
        ("IL", "נתיבות", ["נתיבות"]),
        ("GT", "Quetzaltenango", ["Quetzaltenango"]),
    ],
)
def test_towns_as_tills_print_them(country: str, text: str, towns: list[str]) -> None:
    assert named(text, country) == towns


@pytest.mark.parametrize(
    ("country", "text"), [("FR", "Bar"), ("US", "Center"), ("DE", "Essen"), ("GB", "Ely")]
)
def test_words_and_short_names_are_doubtful(country: str, text: str) -> None:
    assert all(town.doubtful for town in find_towns(text, country))


def test_a_part_of_a_larger_city_says_so() -> None:
    (town,) = find_towns("Kippenheim", "DE")
    assert not town.part
    assert all(town.part for town in find_towns("Gaztambide", "ES"))


def test_a_country_without_a_list_has_no_towns() -> None:
    assert find_towns("Weilheim", "XX") == ()


def test_the_lists_are_of_known_countries_and_hold_keys() -> None:
    known = {country.iso.lower() for country in countries()}
    assert LISTS and {path.stem for path in LISTS} <= known
    for path in LISTS:
        parts = [part.split() for part in path.read_text(encoding="utf-8").split("-")]
        assert len(parts) == 3, path
        assert all(part == sorted(set(part)) for part in parts), path
        wrong = [key for part in parts for key in part if squeeze(key) != key]
        assert wrong == [], f"{path}: python -m scripts.generate_cities"
