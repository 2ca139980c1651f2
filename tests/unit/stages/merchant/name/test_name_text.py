"""What of a printed row is the name."""

from __future__ import annotations

import pytest

from receipt_engine.stages.merchant.name.text import (
    clean_name,
    is_greeted,
    is_greeting_only,
    is_owner,
)


@pytest.mark.parametrize(
    ("printed", "name"),
    [
        ("*** Welcome to Corner Deli #0042 ***", "Corner Deli"),
        ("Nelcome to Corner Deli", "Corner Deli"),
        ("* CORNER DELI * Northgate", "CORNER DELI"),
        ("**CORNER DELI** Est 4", "CORNER DELI"),
        ("* * CORNER DELI", "CORNER DELI"),
        ("GREEN_GROCER_HALL", "GREEN GROCER HALL"),
        ("000017 GREEN GROCER", "GREEN GROCER"),
        ("GREEN GROCER LTD FKA RED GROCER LTD", "GREEN GROCER LTD"),
        ("GREEN GROCER SDN BHD 8O4412-K", "GREEN GROCER SDN BHD"),
        ("GREEN GROCER S/B804412-K)", "GREEN GROCER S/B"),
        ("GREEN GROCER S/B (S04412-K)", "GREEN GROCER S/B (S04412-K)"),
        ("GREEN GROCER PLT (LLP0012345-LGN)", "GREEN GROCER PLT"),
        ("GREEN GROCER S/B ) ID", "GREEN GROCER S/B"),
        ("GREEN GROCER SBN BHD", "GREEN GROCER SDN BHD"),
        ("GREEN GROCER SDN. BHI", "GREEN GROCER SDN. BHD"),
        ("GREEN GROCER 5/8", "GREEN GROCER S/B"),
        ("Unit 5/8", "Unit 5/8"),
        ("GREEN GROCER SON", "GREEN GROCER SON"),
        ("Store #1234", ""),
        ("Shop No. 17", ""),
        ("Gri11 House", "Grill House"),
        ("Gr111 House", "Grill House"),
        ("0ld Mi11", "Old Mill"),
        ("01d Mill Hote1", "Old Mill Hotel"),
        ("Ch1cken Corner", "Chicken Corner"),
        ("Wi11iams & Gir1s", "Williams & Girls"),
        ("Level11 Deli", "Level11 Deli"),
        ("Lot11", "Lot11"),
        ("PEL1CAN P0INT", "PELICAN POINT"),
        ("LARCH F00DS", "LARCH FOODS"),
        ("0AK HILL FARM", "OAK HILL FARM"),
        ("K9 CLUB", "K9 CLUB"),
        ("Your order from Kettle Goods is confirmed.", "Kettle Goods"),
        ("Thank you for shopping at Corner Deli!", "Corner Deli"),
        ("Thanks for coming to Corner Deli!", "Corner Deli"),
        ("From: Kettle Tea Co < >", "Kettle Tea Co"),
        ("Kupferladen, Hofgut 3, 35085 Weimar", "Kupferladen"),
        ("Hote1 Kettle", "Hotel Kettle"),
        ("Kettle Box1", "Kettle Box1"),
        ("MOLLY 0'MALLEY", "MOLLY O'MALLEY"),
        ("Pump House Ltd.", "Pump House Ltd."),
        ("24 Hours Deli", "24 Hours Deli"),
        ("Kettle & Co. (M) Ltd", "Kettle & Co. (M) Ltd"),
        ("operated by Harbor Foods Inc", "Harbor Foods Inc"),
        ("Copper Kettle We Deliver", "Copper Kettle"),
        ("Copper Kettle2000 We Deliver", "Copper Kettle2000"),
        ("Kupferkessel seit 1967", "Kupferkessel"),
        ("Thank you for choosing Copper Kettle", "Copper Kettle"),
    ],
)
def test_clean_name(printed: str, name: str) -> None:
    assert clean_name(printed) == name


def test_a_greeting_alone_announces_the_next_row() -> None:
    assert is_greeting_only("Welcome to")
    assert is_greeted("Welcome to Corner Deli") and not is_greeting_only("Welcome to Corner Deli")
    assert not is_greeted("Welcome Break Services")


def test_owners() -> None:
    assert is_owner("Trading as Corner Deli")
    assert not is_owner("Proper Coffee")


def test_trading_as_is_no_part_of_the_name() -> None:
    assert clean_name("t/as Copper Kettle") == clean_name("T/A Copper Kettle") == "Copper Kettle"


@pytest.mark.parametrize("printed", ["Kafe, açık 24h", "Kafe, AÇIK 24h", "KAFE, AÇIK 24H"])
def test_opening_hours_behind_a_turkish_name_go_in_any_case(printed: str) -> None:
    """Of İ, I, i and ı a capital does not tell which small letter is meant."""
    assert clean_name(printed).lower() == "kafe"
