"""Letters that stand for digits, and outlines that look alike."""

from __future__ import annotations

import pytest

from receipt_engine.vocabulary.confusions import (
    MAYBE_CONFUSED,
    digits_cost,
    is_title_case,
    outline,
    with_confusions_repaired,
    with_digits,
)


def test_letters_become_the_digits_they_look_like() -> None:
    assert with_digits("I2,SO", [0, 3, 4]) == "12,50"


def test_a_usual_confusion_costs_less_than_a_rare_one() -> None:
    assert digits_cost("12.50") == 0.0
    assert 0.0 < digits_cost("1O") < digits_cost("1S") < digits_cost("1g")


@pytest.mark.parametrize(
    ("text", "confused"), [("4O.00", True), ("B.50", True), ("4.00", False), ("Oslo", False)]
)
def test_a_letter_is_doubted_beside_a_digit(text: str, confused: bool) -> None:
    assert (MAYBE_CONFUSED.search(text) is not None) is confused


def test_words_of_one_outline() -> None:
    assert outline("0ctober") == outline("october")
    assert outline("rnaj") == outline("maj")
    assert outline("april") != outline("august")


@pytest.mark.parametrize(
    ("text", "capitals"),
    [
        ("High Street", True),
        ("High street", True),
        ("church Lane", True),
        ("church lane", False),
        ("cosy sofa", False),
        ("Tea at six", False),
        ("HIGH STREET", False),
    ],
)
def test_a_small_letter_may_be_its_capital(text: str, capitals: bool) -> None:
    assert is_title_case(text) is capitals


@pytest.mark.parametrize(
    ("text", "mended"),
    [
        ("46O1", "4601"),
        ("OO7", "OO7"),
        ("F1SH BAR, EC1A 1BB", "FISH BAR, EC1A 1BB"),
        ("COPPER KETTLE C0.", "COPPER KETTLE CO."),
        ("C0-OP 12 C0.50", "CO-OP 12 C0.50"),
        ("Boise, 1D 83702", "Boise, ID 83702"),
        ("A1O0", "A1O0"),
        ("NO 2O1", "NO 201"),
        ("Penang1O200", "Penang10200"),
        ("4O120SHAH ALAM", "40120SHAH ALAM"),
        ("HP1O2", "HP1O2"),
        ("35-OO1 Halm", "35-001 Halm"),
        ("4S118 Halm", "45118 Halm"),
        ("K1S 5B6", "K1S 5B6"),
        ("12B", "12B"),
        ("Mill Rd I8", "Mill Rd 18"),
        ("4l-2", "41-2"),
        ("5eaview Rd", "Seaview Rd"),
        ("5th Ave", "5th Ave"),
        ("Elmford,lA 52806", "Elmford,IA 52806"),
        ("Elmford 0R 97201", "Elmford OR 97201"),
        ("Elmford,0N L4M3C1", "Elmford,ON L4M3C1"),
        ("Suite 0A 118", "Suite 0A 118"),
        ("FAST F00D", "FAST FOOD"),
        ("lnn", "Inn"),
        ("CASA 0 REI", "CASA O REI"),
        ("10 0 Items", "10 0 Items"),
        ("ШИН0К", "ШИН\u041eК"),
        ("Шин0к", "Шин\u043eк"),
        ("ΣΤΑΥΡ0Σ", "ΣΤΑΥΡ\u039fΣ"),
    ],
)
def test_confusions_in_a_text(text: str, mended: str) -> None:
    assert with_confusions_repaired(text) == mended
