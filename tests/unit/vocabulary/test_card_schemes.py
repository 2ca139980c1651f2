from __future__ import annotations

import pytest

from receipt_engine.region import load_region
from receipt_engine.vocabulary.card_schemes import find_schemes, is_scheme, short_scheme
from receipt_engine.vocabulary.phrases import best_role


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("VISA ****4402", ["VISA"]),
        ("V1SA DEBIT", ["VISA"]),
        ("DEBITMASTERCARD", ["Mastercard"]),
        ("MASTER CARD / AMEX", ["Mastercard", "American Express"]),
        ("支付寶", ["ALIPAY"]),
        ("Televisa 9.90", []),
        ("", []),
    ],
)
def test_schemes_are_named_as_the_interface_spells_them(text: str, names: list[str]) -> None:
    found = find_schemes(text)
    assert [match.name for match in found] == names
    assert all(0 <= match.start < match.end <= len(text) for match in found)


def test_short_forms_stand_alone() -> None:
    assert short_scheme("MC ****4402") == "Mastercard"
    assert short_scheme("MCM 12.00") is None
    assert short_scheme("mc ****4402") is None


def test_names_by_their_letters() -> None:
    assert is_scheme("dinersclub")
    assert not is_scheme("linden")


@pytest.mark.parametrize("code", ["hu", "tr", "fi"])
@pytest.mark.parametrize("row", ["VISA 4.200", "Mastercard ****4471 36,60"])
def test_schemes_pay_in_every_language(code: str, row: str) -> None:
    assert best_role(row, load_region(code)) == ("card", 1.0)
