from __future__ import annotations

import pytest

from receipt_engine.document import Found, Merchant, ParsedLine
from receipt_engine.region import load_region
from receipt_engine.stages.expense import find_expense_type
from receipt_engine.stages.group import group
from receipt_engine.stages.parse import AmountHints, parse
from tests.printed import spans


def rows(*lines: str) -> tuple[ParsedLine, ...]:
    return parse(group(spans("\n".join(lines))), load_region("gb"), AmountHints(), None)


@pytest.mark.parametrize(
    ("name", "lines", "label"),
    [
        ("LA FONDA", ["MESA: 14", "FOLIO: A-55120"], "Meals/Restaurant"),
        ("KLOOF MOTORS", ["PUMP 2  ULP 95", "LITRES  31.42"], "Travel/Fuel"),
        ("CITY CAR PARKS", ["Booking fee  0.95"], "Travel/Parking"),
        ("SAINSBURY'S", ["2 @ 1.10  2.20"], "Groceries/Supermarket"),
        ("Caffe Nero", ["FLAT WHITE  3.40"], "Meals/Cafe"),
    ],
)
def test_the_expense_label(name: str, lines: list[str], label: str) -> None:
    found = find_expense_type(rows(*lines), Merchant(name=Found(name, 0.9, (0,), "")), load_region("gb"))
    assert found is not None
    assert found.value == label


def test_a_word_whose_number_is_another_one_tells_no_trade() -> None:
    assert find_expense_type(rows("RON BLANCO 700ML", "SP CAMISA"), Merchant(), load_region("gb")) is None
