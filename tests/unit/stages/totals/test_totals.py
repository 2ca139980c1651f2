"""What amounts outside the products may be."""

from __future__ import annotations

from decimal import Decimal

import pytest

from receipt_engine.document import Sheet
from receipt_engine.pipeline import sort_rows
from receipt_engine.region import load_region
from receipt_engine.trace import Trace
from tests.printed import read
from tests.unit.stages.printed_sheets import sheet


def test_no_rows_are_an_empty_sheet() -> None:
    assert sort_rows((), load_region("us"), Trace()) == Sheet((), (), (), (), ())


def test_the_only_amount_of_a_ticket_may_be_its_total() -> None:
    found = sheet("  Seebahn\n  Bergdorf - Seestadt\n  CHF 5.20\n  inkl. 8.1% MWST\n  Billett 4004", "ch")
    assert [(e.role, e.amount.value) for e in found.entries] == [("total", Decimal("5.20"))]


def test_a_count_of_articles_before_the_total_leaves_it_the_total() -> None:
    found = sheet("  EPICERIE\nPates    4,00\nRiz      2,00\n2 ARTICLES   TOTAL   6,00 EUR", "fr")
    assert [e.role for e in found.entries if e.amount.value == 6] == ["total"]


def test_a_total_behind_a_count_is_one_of_money() -> None:
    found = sheet("  HILL STORES\nPears    4.00\nBread    2.00\nTotal Items 2  Qty 2  Total   6.00", "in")
    assert "total" in [e.role for e in found.entries if e.amount.value == 6]


def test_a_tax_within_a_service_charge_does_not_make_it_a_tax() -> None:
    found = sheet("  HILL STORES\nPears    40.00\nService charge (incl. VAT 5%)    4.00\nTotal   44.00", "gb")
    assert [e.role for e in found.entries if e.amount.value == 4] == ["service"]


WRITTEN = """
        領 収 書
     ¥ 6,600-
但 修理代として
2024年5月18日
税抜金額           6,000
消費税額(10%)        600
"""


def test_an_amount_alone_heads_a_written_receipt() -> None:
    result = read(WRITTEN, "ja")
    assert (result.total, result.sub_total, result.tax) == (Decimal(6600), Decimal(6000), Decimal(600))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("ОБЩА СУМА EUR        13,65", "ОБЩА СУМА ЛВ         26,70"),
        ("ОБЩА СУМА ЛВ         26,70", "ОБЩА СУМА EUR        13,65"),
    ],
    ids=["after the change", "before the change"],
)
def test_the_second_of_two_totals_in_the_new_and_the_former_currency_is_a_conversion(
    first: str, second: str
) -> None:
    found = sheet(f"      МАГАЗИН ЛИПА\n{first}\n{second}\nДЕБИТНА КАРТА\n", "bg")
    assert [entry.role for entry in found.entries] == ["total", "suggested"]
