"""Two taxes on one row, each behind its rate."""

from __future__ import annotations

from decimal import Decimal

import pytest

from receipt_engine.region import load_region
from receipt_engine.stages.reconcile import reconcile
from tests.printed import read
from tests.unit.stages.printed_sheets import sheet

_PAGE = """
Pastelaria Larício
Rua Nova 14, 4700-329 Braga
21-11-2026 09:14
2 Meia de leite          2,80
1 Torrada                2,20
1 Pastel de nata         0,85
Total                    5,85
{taxes}
"""


@pytest.mark.parametrize(
    ("taxes", "amounts"),
    [
        ("IVA incluído 13%: 0,67 23%: 0,04", ["0.67", "0.04"]),
        ("IVA incluído 13%: 0,67", ["0.67"]),
    ],
)
def test_each_rate_has_its_tax(taxes: str, amounts: list[str]) -> None:
    ledger = reconcile(sheet(_PAGE.format(taxes=taxes), "pt"), load_region("pt"))
    assert [tax.value for tax in ledger.taxes] == [Decimal(amount) for amount in amounts]
    assert ledger.tax == sum(map(Decimal, amounts))


@pytest.mark.parametrize(
    "taxed", ["Enthaltene USt 10 % aus 165,00: 15,00", "davon 10 % USt aus 165,00  15,00"]
)
def test_what_a_tax_is_taken_from_is_no_total(taxed: str) -> None:
    text = f"""
Gasthof Lerche
Zimmer 3 Nächte        150,00
Ortstaxe                 9,60
Frühstück               15,00
Gesamtbetrag EUR       174,60
{taxed}
"""
    ledger = reconcile(sheet(text, "at"), load_region("at"))
    assert ledger.total is not None and ledger.total.value == Decimal("174.60")


@pytest.mark.parametrize(("added", "taxes"), [("10,75", ["9,64", "1,11"]), ("10,85", ["9,64"])])
def test_what_a_row_adds_up_with_the_taxes_is_a_tax_though_its_name_is_misread(
    added: str, taxes: list[str]
) -> None:
    text = f"""
ОсОО "Ала-Арча"
г. Бишкек, ул. Токтогула 5
1. Чай зеленый            90,00
ИТОГО:                    90,00
НДС 12%                    9,64
Hq I%                      1,11
Всего                     {added}
Наличными:                90,00
"""
    ledger = reconcile(sheet(text, "kg"), load_region("kg"))
    assert [tax.value for tax in ledger.taxes] == [Decimal(value.replace(",", ".")) for value in taxes]


_OWN = """
ТОО "Жемчужина"
г. Алматы, ул. Весенняя 9
11.08.2026 12:40
1. Кефир 1л
   2 шт x 430,00 =        860,00
   в т.ч. НДС 16%         118,62
2. Хлеб ржаной
   1 шт x 240,00 =        240,00
   в т.ч. НДС 16%          33,10
ИТОГО:                  1 100,00
{tax}
Наличными:              1 100,00
"""


@pytest.mark.parametrize("tax", ["в т.ч. НДС 16%:           151,72", ""])
def test_taxes_below_each_product_are_counted_once(tax: str) -> None:
    assert reconcile(sheet(_OWN.format(tax=tax), "kz"), load_region("kz")).tax == Decimal("151.72")


@pytest.mark.parametrize("rounded", ["", "ROUNDING         -0.03\nTOTAL            11.15\n"])
def test_what_is_added_at_a_rate_to_some_of_the_products_is_a_tax_though_called_taxable(rounded: str) -> None:
    text = (
        "HILL GROCERY\nSODA              6.40\nRICE              4.30\nSUBTOTAL         10.70\n"
        f"B: TAXABLE @7.5%  0.48\nA: TAXABLE @0%    0.00\nAMOUNT DUE       11.18\n{rounded}"
    )
    ledger = reconcile(sheet(text, "us"), load_region("us"))
    assert [tax.value for tax in ledger.taxes] == [Decimal("0.48")]


@pytest.mark.parametrize(
    ("tax", "total_tax", "taxes"),
    [
        ("8.00", "8.51", ["8.00", "0.50", "0.01"]),
        ("8.00", "6.51", ["8.00", "0.50", "0.01"]),  # the sum is misread
        ("3.00", "8.51", ["8.51"]),  # one of the taxes is
    ],
)
def test_taxes_with_their_bases_go_before_a_sum_that_differs(
    tax: str, total_tax: str, taxes: list[str]
) -> None:
    result = read(
        f"""
MILL SHOP
Paint           A      48.00
Bread           B      10.50
Bag             C       0.21
Taxable A              48.00
Taxable B              10.50
Taxable C               0.21
VAT A 20%               {tax}
VAT B 5%                0.50
VAT C 5%                0.01
TOTAL VAT               {total_tax}
TOTAL                  58.71
""",
        "gb",
    )
    assert [str(value) for value in result.taxes] == taxes
