"""What speaks for a name: how it is printed, and what stands with it."""

from __future__ import annotations

from receipt_engine.stages.merchant.name.features import name_features
from tests.unit.stages.merchant.merchant_contexts import context_of

TAIL = """
       12 Harbor Street
      Portland, OR 97201

03/14/2024            6:42 PM
2 Clam Chowder          17.00
TOTAL                   17.00
"""


def features(head: str, name: str) -> dict[str, float]:
    context = context_of(head + TAIL.lstrip("\n"))
    found = name_features(context, [candidate.text for candidate in context.candidates].index(name))
    return {feature: value for feature, value in found.items() if value}


def test_the_number_of_a_store_shows_a_name() -> None:
    assert features("      COPPER KETTLE #42\n", "COPPER KETTLE")["numbered"] == 1.0
    assert "numbered" not in features("      COPPER KETTLE\n", "COPPER KETTLE")


def test_a_part_of_a_spread_row_is_not_all() -> None:
    head = "    COPPER         KETTLE\n"
    assert features(head, "COPPER")["row_goes_on"] == 1.0
    whole = features(head, "COPPER KETTLE")
    assert "row_goes_on" not in whole and whole["join:row"] == 1.0


def test_print_of_one_breadth_is_not_broad() -> None:
    assert "broad>1.4" not in features("      COPPER KETTLE\n", "COPPER KETTLE")


def test_several_words_without_a_capital_are_hardly_a_name() -> None:
    assert features("      copper kettle\n", "copper kettle")["lower_many"] == 1.0
    assert "lower_many" not in features("      kettle\n", "kettle")
    assert "lower_many" not in features("      Copper Kettle\n", "Copper Kettle")


def test_a_place_in_a_later_row_speaks_against_joining() -> None:
    assert features("  COPPER KETTLE\n  CHICAGO HALL\n", "COPPER KETTLE CHICAGO HALL")["join:place"] == 1.0
    assert "join:place" not in features("  COPPER\n  KETTLE\n", "COPPER KETTLE")
