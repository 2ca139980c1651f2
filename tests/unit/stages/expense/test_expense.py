from __future__ import annotations

import pytest

from receipt_engine.document import Found, Merchant
from receipt_engine.pipeline import sort_rows
from receipt_engine.region import load_region
from receipt_engine.stages.expense import find_expense_type
from receipt_engine.stages.group import group
from receipt_engine.stages.parse import AmountHints, parse
from receipt_engine.trace import Trace
from tests.printed import spans


def label(name: str, lines: list[str], country: str = "gb", address: tuple[int, ...] = ()) -> str | None:
    """The label of a receipt whose first line is its name, where it has one."""
    region = load_region(country)
    rows = parse(group(spans("\n".join([name, *lines] if name else lines))), region, AmountHints(), None)
    merchant = Merchant(
        name=Found(name, 0.9, (0,), "") if name else None,
        address=Found("", 0.9, address, "") if address else None,
    )
    found = find_expense_type(rows, sort_rows(rows, region, Trace()).zones, merchant, region)
    return found.value if found else None


@pytest.mark.parametrize(
    ("name", "lines", "expected"),
    [
        ("LA FONDA", ["MESA: 14", "FOLIO: A-55120"], "Meals/Restaurant"),
        ("KLOOF MOTORS", ["PUMP 2  ULP 95", "LITRES  31.42"], "Travel/Fuel"),
        ("CITY CAR PARKS", ["Booking fee  0.95"], "Travel/Parking"),
        ("SAINSBURY'S", ["2 @ 1.10  2.20"], "Groceries/Supermarket"),
        ("Caffe Nero", ["FLAT WHITE  3.40"], "Meals/Cafe"),
        ("Linden", ["Family Restaurant", "12 Mill Street"], "Meals/Restaurant"),
        ("Linden", ["Supermarket Linden 204", "12 Mill Street"], "Groceries/Supermarket"),
        ("LINDEN", ["Petrol Station no. 12 in Ilford", "12 Mill Street"], "Travel/Fuel"),
        ("TESCO ILFORD", ["12 Mill Street"], "Groceries/Supermarket"),
        ("LINDEN BILLIARDS", ["Table 5"], "Entertainment/Leisure"),
    ],
)
def test_the_expense_label(name: str, lines: list[str], expected: str) -> None:
    assert label(name, lines) == expected


@pytest.mark.parametrize(
    "lines",
    [
        ["RON BLANCO 700ML", "SP CAMISA"],  # the number behind the word is another one
        ["Linden", "Caps Ldn 12:04"],
        ["Linden", "Garlic Bread  4.65"],
        ["Linden", "Store 12"],
        ["Linden", "TAXINVOICE"],
    ],
)
def test_one_weak_word_tells_no_trade(lines: list[str]) -> None:
    assert label("", lines) is None


def test_two_weak_words_tell_a_trade() -> None:
    assert label("", ["Flat white  3.40", "Croissant  2.80", "Total  6.20"]) == "Meals/Cafe"


def test_below_the_totals_a_weak_word_counts_for_nothing() -> None:
    below = ["Bonus stamps  4", "Loyalty stamps  4", "Stamps collected  8"]
    assert label("Linden", ["Tea pot  6.20", "Total  6.20", "Cash  10.00", "Change  3.80", *below]) is None


@pytest.mark.parametrize(
    ("name", "lines", "expected"),
    [
        ("DRUGSTORE LINDEN", ["Table 12", "3 couverts"], "Meals/Restaurant"),
        ("DRUGSTORE LINDEN", ["Table 12"], "Health/Pharmacy"),
        ("CAFE LINDEN", ["Table 12", "Guests: 2", "Server: Ann"], "Meals/Cafe"),
        ("LINDEN", ["Table 12", "Cocktail  9.50"], "Meals/Restaurant"),
        ("LINDEN", ["Table lamp  19.50", "Total  19.50"], None),
    ],
)
def test_words_for_serving_guests_show_a_meal(name: str, lines: list[str], expected: str | None) -> None:
    assert label(name, lines) == expected


def test_a_chain_whose_name_is_a_word_for_a_trade_is_not_of_that_trade() -> None:
    assert (
        label("stadium", ["Stadium Linden", "Stadium Member", "Bag  199,00", "Total  199,00"], "se") is None
    )
    assert label("METRO", ["Mineralwasser  0,99"], "de") == "Groceries/Supermarket"


def test_words_of_the_name_and_the_address_are_no_products() -> None:
    assert label("Noches de Linden", ["Mesa 4"]) == "Meals/Restaurant"
    assert label("Linden", ["12 Mill Street", "Costa Mesa, CA 92627"], "us", address=(1, 2)) is None


def test_a_legal_form_is_no_word_for_a_trade() -> None:
    assert label("Linden Sp. z o.o.", ["Chleb  4,20"], "pl") is None
