"""The rules of the Result's fields, one test a rule, on receipts as text."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest

from receipt_engine.options import ExtractOptions
from receipt_engine.pipeline import interpret
from receipt_engine.result import VALIDATED, LineItem, Result
from receipt_engine.trace import Trace
from tests.printed import reading


def read(text: str, region: str | None = "us", **options: Any) -> Result:
    return interpret(reading(text), ExtractOptions(region=region, **options), None, Trace(keep=False))


def types(result: Result) -> list[tuple[str | None, Decimal | None]]:
    return [(line.line_type, line.line_total) for line in result.summary_items]


def the_item(result: Result, name: str) -> LineItem:
    (line,) = (i for i in result.line_items if i.desc_clean == name)
    return line


DINER = """
      MAPLE DINER
Soup                     6.00
Pie                      4.00
SUB-TOTAL               10.00
TAX 8%                   0.80
TOTAL                   10.80
TIP                      2.00
TOTAL PAID              12.80
VISA                    12.80
YOU SAVED               99.00
POINTS BALANCE            450
"""

SHOP = """
      KAUFHALLE NORD
Hemd                    29,95 A
Brot                     2,00 B
SUMME                   31,95
BAR                     40,00
RÜCKGELD                 8,05
MWST%    Netto   MwSt  Brutto
A 19,0%  25,17   4,78   29,95
B  7,0%   1,87   0,13    2,00
MwSt Summe 27,04  4,91  31,95
"""

CAFE = """
      KEDAI BUNGA RAYA
NASI LEMAK               8.90
TEH TARIK                5.00
Sub Total               13.90
Service Chg 10%          1.39
SST 6%                   0.83
Total                   16.12
Rounding Adjmt          -0.02
NETT TOTAL              16.10
CASH                    20.00
CHANGE                   3.90
"""

EMPTY = "WELCOME\nplease come again"


@pytest.mark.parametrize("text", [DINER, SHOP, CAFE, EMPTY])
def test_every_field_is_there_in_the_order_of_the_table(text: str) -> None:
    fields = list(json.loads(read(text).to_json()))
    assert fields == list(json.loads(Result().to_json()))
    assert "evidence" not in fields


def test_nothing_found_is_null_empty_or_false() -> None:
    found = json.loads(read(EMPTY, None).to_json())
    del found["establishment"], found["establishmentConfidence"], found["documentType"]
    assert {str(value) for value in found.values()} <= {"None", "[]", "{}", "False"}


@pytest.mark.parametrize("text", [DINER, SHOP, CAFE, EMPTY])
def test_a_confidence_is_null_exactly_when_its_field_is(text: str) -> None:
    found = json.loads(read(text).to_json())
    for name in ("total", "subTotal", "tip", "rounding", "cash", "change", "date", "establishment"):
        assert (found[name] is None) == (found[f"{name}Confidence"] is None)
    for name, confidences in (
        ("taxes", "taxesConfidence"),
        ("serviceCharges", "serviceChargeConfidences"),
        ("discounts", "discountConfidences"),
    ):
        assert len(found[name]) == len(found[confidences])
        assert all(0 <= c <= 1 for c in found[confidences])


@pytest.mark.parametrize("text", [DINER, SHOP, CAFE])
def test_validated_is_a_confidence_of_099(text: str) -> None:
    result = read(text)
    assert result.validated_total == ((result.total_confidence or 0) >= VALIDATED)
    assert result.validated_sub_total == ((result.sub_total_confidence or 0) >= VALIDATED)


def test_amounts_are_plain_numbers_without_noise() -> None:
    text = read(DINER).to_json()
    assert '"total":12.80' in text or '"total":12.8' in text
    assert "12.79" not in text and '"tax":"' not in text


def test_the_total_is_what_was_paid_with_the_tip() -> None:
    result = read(DINER)
    assert (result.total, result.tip, result.sub_total, result.tax) == (
        Decimal("12.80"),
        Decimal("2.00"),
        Decimal("10.00"),
        Decimal("0.80"),
    )


def test_the_total_is_the_rounded_amount_and_never_cash_or_change() -> None:
    result = read(CAFE, "my")
    assert (result.total, result.rounding) == (Decimal("16.10"), Decimal("-0.02"))
    assert (result.cash, result.change) == (Decimal("20.00"), Decimal("3.90"))
    assert result.service_charges == (Decimal("1.39"),)


def test_a_tax_table_gives_each_tax_in_printed_order_and_no_subtotal() -> None:
    result = read(SHOP, "de")
    assert result.taxes == (Decimal("4.78"), Decimal("0.13"))
    assert result.tax == Decimal("4.91")
    assert result.sub_total is None and result.sub_total_confidence is None


def test_a_rate_of_nothing_is_no_entry_of_taxes() -> None:
    text = SHOP.replace("B  7,0%   1,87   0,13    2,00", "B  0,0%   2,00   0,00    2,00")
    text = text.replace("MwSt Summe 27,04  4,91  31,95", "")
    assert read(text, "de").taxes == (Decimal("4.78"),)


def test_a_printed_total_of_the_taxes_is_the_tax() -> None:
    text = DINER.replace(
        "TAX 8%                   0.80",
        "STATE TAX                0.50\nCITY TAX                 0.30\nTOTAL TAX                0.80",
    )
    result = read(text)
    assert result.tax == Decimal("0.80")
    assert result.taxes == (Decimal("0.50"), Decimal("0.30"))
    assert ("TotalTax", Decimal("0.80")) in types(result)


def test_a_refund_is_negative_throughout() -> None:
    result = read("""
      CORNER SHOP
RETURN Kettle          -20.00
SUBTOTAL               -20.00
TAX 8%                  -1.60
TOTAL                  -21.60
""")
    assert (result.total, result.sub_total, result.tax) == (
        Decimal("-21.60"),
        Decimal("-20.00"),
        Decimal("-1.60"),
    )
    assert [i.line_total for i in result.line_items] == [Decimal("-20.00")]


SALE = """
      GREEN GROCER
Apples                   4.00
Pears                    3.50
SUBTOTAL                 7.50
MEMBER DISCOUNT         -0.50
COUPON DISCOUNT         -1.00
TOTAL                    6.00
CASH                     6.00
"""


def test_discounts_are_positive_as_fields_and_negative_as_lines() -> None:
    result = read(SALE)
    assert (result.discounts, result.discount) == ((Decimal("0.50"), Decimal("1.00")), Decimal("1.50"))
    assert [total for kind, total in types(result) if kind is None] == [Decimal("-0.50"), Decimal("-1.00")]
    assert len(result.line_items) == 2


def test_a_discount_among_the_products_is_a_product_line_and_a_discount() -> None:
    result = read("""
      GREEN GROCER
Apples                   4.00
MEMBER DISCOUNT         -0.50
Pears                    2.25
TOTAL                    5.75
""")
    assert result.discounts == (Decimal("0.50"),)
    assert [i.line_total for i in result.line_items] == [Decimal("4.00"), Decimal("-0.50"), Decimal("2.25")]
    assert sum(i.line_total or 0 for i in result.line_items) == result.total


def test_the_lines_of_the_totals_block_have_the_types_of_the_contract() -> None:
    assert types(read(CAFE, "my")) == [
        ("SubTotal", Decimal("13.90")),
        ("ServiceCharge", Decimal("1.39")),
        ("Tax", Decimal("0.83")),
        ("Total", Decimal("16.12")),
        (None, Decimal("-0.02")),
        ("Total", Decimal("16.10")),
        ("Cash", Decimal("20.00")),
        ("Change", Decimal("3.90")),
    ]
    assert types(read(DINER))[-3:] == [
        ("Tip", Decimal("2.00")),
        ("Total", Decimal("12.80")),
        (None, Decimal("12.80")),
    ]


def test_a_quantity_of_one_is_printed_or_zero() -> None:
    result = read("""
      MAPLE DINER
1 Bagel                  2.00
2 Tea                    6.00
Extra butter             0.50
TOTAL                    8.50
""")
    assert [i.desc_clean for i in result.line_items] == ["Bagel", "Tea", "Extra butter"]
    assert [int(i.qty or 0) for i in result.line_items] == [1, 2, 0]
    assert {i.line_type for i in result.line_items} == {"Product"}
    assert all(i.price is None and i.unit is None for i in result.line_items)


def test_a_weight_is_the_unit_and_its_price_the_price() -> None:
    result = read(
        """
      MARKTPLATZ
4006381333931 Stift      1,50 A
   0,456 kg x 1,99
Bananen                  0,91 B
SUMME                    2,41
""",
        "de",
    )
    pen, fruit = the_item(result, "Stift"), the_item(result, "Bananen")
    assert (pen.product_code, pen.symbols) == ("4006381333931", ("A",))
    assert (fruit.unit, fruit.price, fruit.line_total) == (
        Decimal("0.456"),
        Decimal("1.99"),
        Decimal("0.91"),
    )


@pytest.mark.parametrize(
    ("options", "total"),
    [
        ({}, "245"),
        ({"decimal_places": 3}, "245"),
        ({"decimal_places": 3, "cents": True}, "0.245"),
        ({"decimal_places": 2, "cents": True}, "245"),
    ],
)
def test_cents_count_minor_units_only_together_with_three_places(options: dict[str, Any], total: str) -> None:
    assert read("KIOSK\nTea  245\nTOTAL  245", None, **options).total == Decimal(total)


def test_a_printed_point_stays_where_it_is_with_cents() -> None:
    result = read("KIOSK\nTea  1.574\nTOTAL  1.574", None, decimal_places=3, cents=True)
    assert result.total == Decimal("1.574")


@pytest.mark.parametrize(
    ("text", "region", "currency"),
    [
        ("SHOP\nTea  4.00\nTOTAL €4.00", "us", "EUR"),
        ("SHOP\nTea  4.00\nTOTAL 4.00", "gb", "GBP"),
        ("SHOP\nTea  4.00\nTOTAL 4.00", None, None),
        ("SHOP\nTea  4.00\nTOTAL CNY 4.00", None, "RMB"),
        ("SHOP\nTea  4.00\nTOTAL EC$ 4.00", None, "XCD"),
        ("SHOP\nTea  4.00\nTOTAL USD 4.00\nKHR 16,400\nCHANGE KHR 4,100\nRATE KHR 4,100", None, "USD"),
    ],
)
def test_the_currency_is_what_is_printed_then_that_of_the_region_given(
    text: str, region: str | None, currency: str | None
) -> None:
    assert read(text, region).currency == currency


@pytest.mark.parametrize(
    ("printed", "region", "options", "sure"),
    [
        ("03/04/2026", None, {}, False),
        ("03/04/2026", "gb", {}, True),
        ("03/04/2026", "ca", {}, False),
        ("26/01/15", "ca", {}, False),
        ("26/01/15", "gb", {}, True),
        ("03/04/2026", None, {"default_date_parsing": "d/m"}, True),
        ("23/04/2026", None, {}, True),
        ("03.04.2026", None, {}, True),
    ],
)
def test_an_undecided_order_of_day_and_month_is_doubtful(
    printed: str, region: str | None, options: dict[str, Any], sure: bool
) -> None:
    """Below 0.7 in the result itself, whatever a calibration makes of guesses that are often right."""
    result = read(
        f"CORNER CAFE\n{printed} 19:20\n\nTea    4.50\nCake   9.50\nTOTAL  14.00", region, **options
    )
    assert result.date is not None and result.date_confidence is not None
    assert (result.date_confidence >= 0.7) is sure


def test_a_product_spelt_almost_like_change_is_no_cash() -> None:
    result = read(
        """THAI CORNER
12 High Street

Chang                    4.50
Chang Beer 0.5l          5.50
Pad Thai                 9.50

Total                   19.50
"""
    )
    assert (result.payment_method, result.change, len(result.line_items)) == (None, None, 3)


@pytest.mark.parametrize(("asked", "given"), [("receipt", "Receipt"), ("invoice", "Invoice")])
def test_the_document_type_is_the_one_asked_for(asked: str, given: str) -> None:
    assert read(DINER, document_type=asked).document_type == given


def test_evidence_comes_only_when_asked_for_and_tells_where_values_are() -> None:
    found = json.loads(read(SHOP, "de", evidence=True).to_json())["evidence"]
    assert found["fields"]["total"]["text"].startswith("SUMME")
    assert [tax["rule"] == "computed" for tax in found["fields"]["taxes"]] == [False, False]
    assert all(tax["boxes"] for tax in found["fields"]["taxes"])
    assert {"name", "terms", "residual", "verdict"} == set(found["equations"][0])
    assert found["repairs"] == []
    total = found["confidence"]["total"]
    assert set(total) == {"probability", "features", "contributions"}
    assert {c["feature"] for c in total["contributions"]} <= set(total["features"])
    assert len(found["confidence"]["taxes"]) == len(found["fields"]["taxes"])


def test_a_repair_is_recorded_with_before_and_after() -> None:
    text = CAFE.replace("NETT TOTAL              16.10", "NETT TOTAL              16.40")
    text = text.replace("Rounding Adjmt          -0.02\n", "").replace("16.12", "16.42")
    text = text.replace("CHANGE                   3.90", "CHANGE                   3.88")
    found = json.loads(
        read(text.replace("NETT TOTAL              16.40\n", ""), "my", evidence=True).to_json()
    )
    assert found["total"] == 16.12
    assert found["evidence"]["repairs"] == [{"field": "total", "before": 16.42, "after": 16.12}]
    assert found["evidence"]["fields"]["total"]["rule"] == "total: misread, repaired"
