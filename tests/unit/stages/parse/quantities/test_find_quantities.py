"""Counts, weights and volumes with the unit prices beside them; percentages."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from itertools import pairwise

import pytest

from receipt_engine.document import QuantityReading, QuantityRule
from receipt_engine.region import Region
from receipt_engine.stages.parse import ACCEPTED, find_percents, find_quantities

Land = Callable[[str], Region]


def summary(quantity: QuantityReading) -> tuple[str, str, str | None, str | None, str]:
    price = None if quantity.unit_price is None else str(quantity.unit_price)
    return (str(quantity.value), quantity.kind, quantity.unit, price, str(quantity.per))


@pytest.mark.parametrize(
    ("land_name", "text", "expected"),
    [
        ("euro", "3 x 1,49 4,47", ("3", "count", None, "1.49", "1")),
        ("euro", "3 X 1,49", ("3", "count", None, "1.49", "1")),
        ("euro", "3*1,49", ("3", "count", None, "1.49", "1")),
        ("dollar", "4 @ 3.00 12.00", ("4", "count", None, "3.00", "1")),
        ("dollar", "2 pc x 45", ("2", "count", "pc", "45", "1")),
        ("dollar", "2 pcsx 4.50 9.00", ("2", "count", "pcs", "4.50", "1")),
        ("euro", "0,312 kgx2,99", ("0.312", "weight", "kg", "2.99", "1")),
        ("dollar", "2 x 45", ("2", "count", None, "45", "1")),
        ("dollar", "4 @ $3.00", ("4", "count", None, "3.00", "1")),
        ("euro", "0,312 kg x 2,99 EUR/kg", ("0.312", "weight", "kg", "2.99", "1")),
        ("euro", "0,312kg*2,99", ("0.312", "weight", "kg", "2.99", "1")),
        ("euro", "2,99 EUR/kg x 0,312 kg", ("0.312", "weight", "kg", "2.99", "1")),
        ("euro", "1,20 X 4,000 4,80", ("4.000", "count", None, "1.20", "1")),
        ("dollar", "145.50 * 0.350 50.93", ("0.350", "count", None, "145.50", "1")),
        ("dollar", "31.20 x 0.659 20.56", ("31.20", "count", None, "0.659", "1")),
        ("dollar", "2.31 lb @ 1 lb /0.58 1.34", ("2.31", "weight", "lb", "0.58", "1")),
        ("dollar", "3 for 5.00", ("3", "count", None, "5.00", "3")),
        ("dollar", "3 FOR 5", ("3", "count", None, "5", "3")),
        ("dollar", "3/$5.00", ("3", "count", None, "5.00", "3")),
        ("dollar", "3 @ 2/5.00 7.50", ("3", "count", None, "5.00", "2")),
        ("sol", "2 PZAS X 148.50 $297.00", ("2", "count", "PZAS", "148.50", "1")),
        ("cafetero", "12 cajas x 234,00", ("12", "count", "cajas", "234.00", "1")),
        ("peso", "20,5 LT X $1.274 $26.117", ("20.5", "volume", "LT", "1274", "1")),
        ("ringgit", "1- @ 13.40 -13.40", ("-1", "count", None, "13.40", "1")),
        ("yen", "2個 X 単158", ("2", "count", "個", "158", "1")),
        ("yen", "(3 X @148)", ("3", "count", None, "148", "1")),
        ("yen", "@148 x 3", ("3", "count", None, "148", "1")),
        ("dong", "18.000 x 4 = 72.000", ("4", "count", None, "18000", "1")),
        ("dollar", "2.50 x 4", ("4", "count", None, "2.50", "1")),
        ("paanga", "Lole x6 @ 0.30 1.80", ("6", "count", None, "0.30", "1")),
        ("real", "1,000 UN X 12,50", ("1.000", "count", "UN", "12.50", "1")),
        ("dollar", "TEA 3 2.50 7.50", ("3", "count", None, "2.50", "1")),
        ("dollar", "TEA 2.50 3 7.50", ("3", "count", None, "2.50", "1")),
        ("sol", "DIESEL 18.447 17.35 320.06", ("18.447", "weight", None, "17.35", "1")),
        ("dollar", "3 pcs", ("3", "count", "pcs", None, "1")),
        ("yen", "3点", ("3", "count", "点", None, "1")),
        ("dollar", "3x TEA", ("3", "count", None, None, "1")),
        ("dollar", "TEA x3", ("3", "count", None, None, "1")),
        ("dollar", "Qty: 3", ("3", "count", None, None, "1")),
        ("dollar", "NET 0.312kg", ("0.312", "weight", "kg", None, "1")),
        ("dollar", "12 FL OZ", ("12", "volume", "FL OZ", None, "1")),
        ("euro", "1.000 g", ("1000", "weight", "g", None, "1")),
        ("euro", "2 gr. MOST 3,10", ("2", "count", None, None, "1")),
        ("dollar", "TEA 500ML 3.99", ("500", "volume", "ML", None, "1")),
    ],
)
def test_quantity(land: Land, land_name: str, text: str, expected: tuple[str, ...]) -> None:
    found = [q for q in find_quantities(text, land(land_name)) if q.cost <= ACCEPTED]
    assert [summary(q) for q in found] == [expected]
    assert found[0].raw == text[found[0].start : found[0].end]


def test_the_price_is_where_it_says(land: Land) -> None:
    text = "AA 0,312 kg x 2,99 EUR/kg 0,93"
    (quantity,) = find_quantities(text, land("euro"))
    assert text[quantity.price_start : quantity.price_end] == "2,99 EUR"
    assert quantity.raw == "0,312 kg x 2,99 EUR"


@pytest.mark.parametrize(
    ("land_name", "text"),
    [
        ("dollar", "12.50"),
        ("dollar", "10% off"),
        ("dollar", "05/03/2024 18:42"),
        ("euro", "GAZE 10X10 3,40"),
        ("dollar", "PROMO 4X3 -$7.30"),
        ("dollar", "Box 16.62 349.00"),
        ("dollar", "#3 12.50"),
        ("dollar", "555-0199"),
        ("dollar", ""),
        ("dollar", "none"),
        ("paanga", "TABLE 12"),
    ],
)
def test_no_quantity(land: Land, land_name: str, text: str) -> None:
    assert find_quantities(text, land(land_name)) == ()


def test_a_leading_number_is_a_guess(land: Land) -> None:
    (guess,) = find_quantities("2 COFFEE 5.00", land("dollar"))
    (sure,) = find_quantities("2 x 2.50", land("dollar"))
    assert (guess.value, guess.rule) == (2, QuantityRule.LEADING)
    assert guess.cost > sure.cost


def test_quantities_do_not_overlap(land: Land) -> None:
    found = find_quantities("2 x 500ML TEA @ 1.50 3 pcs 4.50", land("dollar"))
    assert all(a.end <= b.start for a, b in pairwise(found))


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("19,00 %", ["19.00"]),
        ("VAT 20%", ["20"]),
        ("VAT20%", ["20"]),
        ("A 7,0% B 19,0%", ["7.0", "19.0"]),
        ("8.25 % TAX", ["8.25"]),
        ("Rabatt -10%", ["10"]),
        ("5 o/o", ["5"]),
        ("10％", ["10"]),
        ("(10%対象", ["10"]),
        ("12.50", []),
        ("%", []),
        ("1234%", []),
    ],
)
def test_percentages(land: Land, text: str, values: list[str]) -> None:
    found = find_percents(text)
    assert [p.value for p in found] == [Decimal(v) for v in values]
    assert all(p.raw == text[p.start : p.end] for p in found)


def test_a_price_per_unit_right_behind_the_weight(land: Land) -> None:
    (found,) = find_quantities("0,754 kg 1,89 €/kg", land("euro"))
    assert (found.value, found.kind, found.unit_price) == (Decimal("0.754"), "weight", Decimal("1.89"))


def test_of_two_factors_the_one_with_a_unit_of_volume_is_the_quantity(land: Land) -> None:
    found = next(q for q in find_quantities("SUPER 1,822 49,01 L 89,30", land("euro")) if q.unit_price)
    assert (found.value, found.unit_price) == (Decimal("49.01"), Decimal("1.822"))


def test_the_end_of_a_word_is_no_label_of_a_count(land: Land) -> None:
    assert all(q.rule is not QuantityRule.LABEL for q in find_quantities("Green Tea 80s", land("dollar")))
    assert [q.rule for q in find_quantities("Qty 80", land("dollar"))] == [QuantityRule.LABEL]


@pytest.mark.parametrize(
    ("text", "value", "price"),
    [
        ("1.OOO PCS X 4.50", "1.000", "4.50"),
        ("O.75 lb @ 6.00 /lb", "0.75", "6.00"),
        ("S pcs x 0.80", "5", "0.80"),
        ("l x 4.50", "1", "4.50"),
        ("2 x 45.\u04170", "2", "45.30"),
    ],
)
def test_letters_in_a_quantity_are_digits(land: Land, text: str, value: str, price: str) -> None:
    (found,) = find_quantities(text, land("dollar"))
    assert (found.value, found.unit_price) == (Decimal(value), Decimal(price))


def test_a_count_behind_its_price_with_a_word_for_pieces(land: Land) -> None:
    found = next(q for q in find_quantities("SOAP 14.50 2.00 pcs 29.00", land("dollar")) if q.unit_price)
    assert (found.value, found.unit_price) == (Decimal("2.00"), Decimal("14.50"))
