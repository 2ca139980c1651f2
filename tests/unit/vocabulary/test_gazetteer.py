"""Postcodes, and the space beside them that is often not read."""

from __future__ import annotations

import pytest

from receipt_engine.region import load_region
from receipt_engine.vocabulary.gazetteer import find_places, part_postcode


@pytest.mark.parametrize(
    ("region", "text", "parted"),
    [
        ("de", "Lange Gasse 5, 86720Nördlingen", "Lange Gasse 5, 86720 Nördlingen"),
        ("fr", "8 av du Four, 92390VILLENEUVE", "8 av du Four, 92390 VILLENEUVE"),
        ("gb", "14 Mill Lane, OtleyLS21 1AB", "14 Mill Lane, Otley LS21 1AB"),
        ("nl", "Markt 5, 1012ABAmsterdam", "Markt 5, 1012AB Amsterdam"),
        ("pl", "ul. Cicha 4, 00-238Warszawa", "ul. Cicha 4, 00-238 Warszawa"),
    ],
)
def test_a_postcode_and_its_town_are_parted(region: str, text: str, parted: str) -> None:
    rules = load_region(region)
    assert part_postcode(text, rules) == parted
    assert "postcode" in {place.kind for place in find_places(text, rules)}


@pytest.mark.parametrize(
    ("region", "text"),
    [
        ("de", "Lange Gasse 5, 86720 Nördlingen"),
        ("de", "Artikel 123456Becher"),  # six digits
        ("de", "Artikel 12345kg"),  # no name
        ("gb", "14 Mill Lane, Otley LS21 1AB"),
        ("ja", "〒100-0001 東京都千代田区"),
    ],
)
def test_other_texts_are_left_as_they_are(region: str, text: str) -> None:
    assert part_postcode(text, load_region(region)) == text


def test_a_state_of_three_letters_needs_no_capitals_behind_a_town() -> None:
    assert [place.kind for place in find_places("Larch Hill Vic", load_region("au"))][-1:] == ["state"]
