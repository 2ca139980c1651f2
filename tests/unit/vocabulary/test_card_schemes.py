from __future__ import annotations

import pytest

from receipt_engine.vocabulary.card_schemes import find_schemes, is_scheme, short_scheme


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
