"""A product's name that begins with the word for a tip."""

from __future__ import annotations

from decimal import Decimal

from receipt_engine import Engine, ExtractOptions
from receipt_engine.testing import fake_models, reading

BILL = """
      Kaufhalle Ohm
TIP PAPRIKA      1,19 B
Senfgurken       2,40 B
SUMME            3,59
Bar              3,59
"""


def _read(text: str, region: str = "de") -> tuple[Decimal | None, list[str | None]]:
    result = Engine(models=fake_models("x")).interpret(reading(text), ExtractOptions(region=region))
    return result.tip, [item.desc_clean for item in result.line_items]


def test_a_taxed_product_is_no_tip() -> None:
    assert _read(BILL) == (None, ["TIP PAPRIKA", "Senfgurken"])


def test_a_tip_of_no_other_name_is_one() -> None:
    bill = BILL.replace("SUMME            3,59\nBar              3,59", "TIP 0,41 B\nSUMME  4,00\nBar 4,00")
    assert _read(bill) == (Decimal("0.41"), ["TIP PAPRIKA", "Senfgurken"])


def test_a_measured_tip_is_a_product() -> None:
    bill = """
Flour 1kg           3.20
Butter              5.30
Tip Top Muffins 500g 6.00
CLUB DEAL          -1.00
TOTAL 3 articles   $13.50
EFTPOS            $13.50
"""
    assert _read(bill, "nz") == (None, ["Flour 1kg", "Butter", "Tip Top Muffins 500g", "CLUB DEAL"])
