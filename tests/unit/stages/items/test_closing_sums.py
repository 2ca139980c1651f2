"""Totals blocks that sums alone tell, on pages whose words cannot be read."""

from __future__ import annotations

from decimal import Decimal

from receipt_engine.options import ExtractOptions
from receipt_engine.pipeline import interpret
from receipt_engine.result import Result
from receipt_engine.trace import Trace
from tests.printed import reading
from tests.unit.stages.printed_sheets import sheet

#: Net, tax and total printed twice, without a word.
TAXED = """
  2024-03-08 12:40
    2,500    2     5,000
    1,700    1     1,700
    8,800    1     8,800
                  14,091
                   1,409
                  15,500
                  15,500
"""

#: What is free of tax stands before the net amount.
EXEMPT = """
  2024-03-08 12:40
    6,200    1     6,200
    7,700    2    15,400
                   6,200
                  14,000
                   1,400
                  21,600
                  21,600
"""

#: A sum, a charge and a discount, and what is paid.
CHARGED = """
                   9,300
                   4,100
                  13,400
                   2,500
                  -1,900
                  14,000
                  14,000
"""

#: Products that are net, tax and sum of one another by chance.
BY_CHANCE = """
  2024-03-08 12:40
Schleem            7.40
Plumbus           10.00
Fleeb              1.00
Dinglebop         11.00
Grumbo             3.15
"""


def read(text: str, region: str = "kr") -> Result:
    return interpret(reading(text), ExtractOptions(region=region), None, Trace(keep=False))


def test_net_tax_and_their_sum_printed_twice_are_the_totals() -> None:
    result = read(TAXED)
    assert (result.sub_total, result.tax, result.total) == (Decimal(14091), Decimal(1409), Decimal(15500))
    assert [item.line_total for item in result.line_items] == [Decimal(5000), Decimal(1700), Decimal(8800)]


def test_what_is_free_of_tax_belongs_to_the_sum() -> None:
    result = read(EXEMPT)
    assert (result.tax, result.total) == (Decimal(1400), Decimal(21600))
    assert len(result.line_items) == 2


def test_charges_and_discounts_lead_from_a_sum_to_what_is_paid() -> None:
    result = read(CHARGED)
    assert (result.sub_total, result.total) == (Decimal(13400), Decimal(14000))


def test_products_that_fit_by_chance_stay_products() -> None:
    assert len(sheet(BY_CHANCE, "au").items) == 5


def test_words_for_totals_leave_nothing_to_sums() -> None:
    assert read(TAXED + "TOTAL             15,500\n").total == Decimal(15500)
