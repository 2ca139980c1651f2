"""Which runs of rows may be the name."""

from __future__ import annotations

from tests.unit.stages.merchant.merchant_contexts import context_of

TAIL = """
       12 Harbor Street
      Portland, OR 97201

03/14/2024            6:42 PM
2 Clam Chowder          17.00
TOTAL                   17.00
"""


def names(head: str, region: str = "us") -> list[str]:
    return [candidate.text for candidate in context_of(head + TAIL.lstrip("\n"), region).candidates]


def test_rows_alone_and_together() -> None:
    found = names("       COPPER KETTLE\n        SEAFOOD GRILL\n")
    assert {"COPPER KETTLE", "SEAFOOD GRILL", "COPPER KETTLE SEAFOOD GRILL"} <= set(found)


def test_an_open_bracket_holds_rows_together() -> None:
    found = names("       COPPER KETTLE (PORT\n          LAND) TRADERS\n")
    assert "COPPER KETTLE (PORT LAND) TRADERS" in found
    assert not [name for name in found if name.startswith("COPPER KETTLE (PORT)") or name.startswith("LAND")]


def test_an_ampersand_holds_rows_together() -> None:
    found = names("       COPPER KETTLE\n        & SPOON HALL\n")
    assert "COPPER KETTLE & SPOON HALL" in found
    assert "COPPER KETTLE" not in found and "SPOON HALL" not in found


def test_a_legal_form_belongs_to_the_name_above() -> None:
    found = names("       COPPER KETTLE\n       TRADING CO. LTD\n")
    assert "COPPER KETTLE TRADING CO. LTD" in found
    assert "COPPER KETTLE" not in found and "TRADING CO. LTD" not in found


def test_a_company_below_a_trading_name_stays_its_own() -> None:
    found = names("       COPPER KETTLE\n      HARBOR FOODS LTD\n")
    assert {"COPPER KETTLE", "HARBOR FOODS LTD"} <= set(found)


def test_a_name_that_the_company_says_again_stands_alone() -> None:
    found = names("       COPPER KETTLE\n      COPPER KETTLE TRADING LTD\n")
    assert {"COPPER KETTLE", "COPPER KETTLE TRADING LTD"} <= set(found)
    assert not [name for name in found if name.count("KETTLE") > 1]


def test_a_trading_name_above_a_common_company_name_may_stand_alone() -> None:
    found = names("       COPPER KETTLE\n   FOOD & BEVERAGES SDN BHD\n", "my")
    assert {"COPPER KETTLE", "COPPER KETTLE FOOD & BEVERAGES SDN BHD"} <= set(found)


def test_a_form_before_an_open_bracket_belongs_to_the_row_above() -> None:
    found = names("     COPPER KETTLE TOOLS\n      TRADING (GREEN\n      PORT) SDN BHD\n", "my")
    assert "COPPER KETTLE TOOLS TRADING (GREEN PORT) SDN BHD" in found
    assert not [name for name in found if name.startswith("TRADING")]


def test_a_name_spread_over_its_row() -> None:
    found = names("    COPPER         KETTLE\n", "us")
    assert "COPPER KETTLE" in found


def test_two_columns_of_the_head_are_no_name() -> None:
    assert "COPPER KETTLE STORE 12" not in names("COPPER KETTLE         STORE 12\n")


def test_companies_and_greetings_below_the_head() -> None:
    items = "".join(f"1 Dish number {n}          {n}.00\n" for n in range(10, 20))
    text = f"       12 Harbor Street\n{items}TOTAL     145.00\n\nThank you for visiting Copper Kettle\n"
    found = [candidate.text for candidate in context_of(text).candidates]
    assert "Copper Kettle" in found


def test_the_name_of_a_loyalty_programme_below_the_head() -> None:
    items = "".join(f"1 Dish number {n}          {n}.00\n" for n in range(10, 20))
    text = f"       12 Harbor Street\n{items}TOTAL     145.00\n\nCopper Kettle Loyalty Program\n"
    assert "Copper Kettle" in [candidate.text for candidate in context_of(text).candidates]


def test_a_word_for_the_trade_only_announces_the_name_below() -> None:
    found = names("        RISTORANTE\n      COPPER KETTLE\n")
    assert {"RISTORANTE COPPER KETTLE", "COPPER KETTLE"} <= set(found)
    assert "RISTORANTE" not in found


def test_a_word_for_the_trade_above_the_address_may_be_all_there_is() -> None:
    assert "RISTORANTE" in names("        RISTORANTE\n")


def test_a_title_of_the_document_is_no_name() -> None:
    found = names("      SIMPLIFIED TAX INVOICE\n          COPPER KETTLE\n", "my")
    assert "COPPER KETTLE" in found
    assert not [name for name in found if "INVOICE" in name]
