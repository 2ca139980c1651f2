from __future__ import annotations

import time

import pytest

from tests.unit.stages.printed_receipts import printed, value

_SALE = "CORNER DELI\n\nSoup        12.00\nTOTAL       12.00\n{line}\n"


@pytest.mark.parametrize(
    "line",
    [
        "VISA XXXX XXXX XXXX 4402   12.00",
        "VISA ************4402",
        "VISA ACCT # ************4402",
        "VISA ****.****.****.4402",
        "MASTERCARD ....4402",
        "VISA x4402",
        "Visa *4402   12.00",
        "AMEX XXXX4402   12.00",
        "AMEX ****4402   12.00",
        "Mastercard   12.00\ncard ending 4402",
        "Karte xxxxxx 4402",
        "Karte endet auf 4402",
        "VISA\nKortet slutar på 4402",
        "VISA\nTarjeta terminada en 4402",
    ],
)
def test_the_last_digits_of_the_card(line: str) -> None:
    assert value(printed("gb", _SALE.format(line=line)).payment.card_digits) == "4402"


@pytest.mark.parametrize(
    "line",
    ["CASH 12.00\nMember No. 7000****1180", "CASH 12.00\nGift card ****4471 balance 75.00", "VISA 12.00"],
)
def test_numbers_of_other_cards(line: str) -> None:
    assert value(printed("gb", _SALE.format(line=line)).payment.card_digits) is None


def test_a_row_of_stars_costs_no_time() -> None:
    receipt = printed("gb", _SALE.format(line="*" * 4000))
    start = time.process_time()
    assert value(receipt.payment.card_digits) is None
    assert time.process_time() - start < 5
