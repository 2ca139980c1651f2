"""A name that was read badly takes the spelling of another place."""

from __future__ import annotations

from receipt_engine.stages.merchant.name.repair import repaired
from tests.unit.stages.merchant.merchant_contexts import context_of

BODY = """
       12 Harbor Street
      Portland, OR 97201

03/14/2024            6:42 PM
2 Clam Chowder          17.00
TOTAL                   17.00
"""


def name(head: str, foot: str, doubtful: str) -> tuple[str, str]:
    context = context_of(head + "\n" + BODY.strip("\n") + "\n\n" + foot, doubtful=doubtful)
    return repaired(context, next(c for c in context.candidates if c.text == doubtful))


def test_by_another_row() -> None:
    found = name("       COPPER KETTIE", "Thank you for visiting COPPER KETTLE", "COPPER KETTIE")
    assert found == ("COPPER KETTLE", "repaired by another row")


def test_by_a_web_address_in_the_form_of_the_print() -> None:
    assert name("       Coper's Kettie", "www.coperskettle.com", "Coper's Kettie")[0] == "Coper's Kettle"


def test_by_a_web_address_that_leaves_out_the_last_word() -> None:
    assert name("       COPPERKETTLE PDX", "www.copperkettle.com", "COPPERKETTLE PDX")[0] == "COPPERKETTLE"


def test_a_clear_name_stays() -> None:
    context = context_of("       COPPER KETTIE\n" + BODY.strip("\n") + "\n\nwww.copperkettle.com")
    assert repaired(context, context.candidates[0]) == ("COPPER KETTIE", "scored candidates")


def test_a_name_that_is_printed_alike_elsewhere_stays() -> None:
    found = name("       COPPER KETTLE", "Visit COPPER KETTLE or COPPER KETTLES", "COPPER KETTLE")
    assert found == ("COPPER KETTLE", "scored candidates")


def test_a_label_is_no_spelling_of_a_name() -> None:
    assert name("       CASHMERE", "CASHIER  Lena", "CASHMERE") == ("CASHMERE", "scored candidates")
    assert name("       INVOICELY", "INVOICE 40182", "INVOICELY")[0] == "INVOICELY"


def test_by_a_chain_that_is_called_so_but_for_a_letter() -> None:
    assert name("       Panera Breab", "", "Panera Breab") == ("Panera Bread", "repaired by a chain's name")
    assert name("   Panera Breab LLC", "", "Panera Breab LLC")[1] == "scored candidates"
    assert name("      Dunkin Donuls", "", "Dunkin Donuls")[1] == "scored candidates"
