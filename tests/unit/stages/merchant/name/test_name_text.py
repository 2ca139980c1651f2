"""What of a printed row is the name."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from receipt_engine.stages.merchant.name import joins
from receipt_engine.stages.merchant.name import text as name_text
from receipt_engine.stages.merchant.name.text import (
    clean_name,
    has_store_number,
    is_greeted,
    is_greeting_only,
    is_owner,
)


@pytest.mark.parametrize(
    ("printed", "name"),
    [
        ("*** Welcome to Corner Deli #0042 ***", "Corner Deli"),
        ("Nelcome to Corner Deli", "Corner Deli"),
        ("GREEN_GROCER_HALL", "GREEN GROCER HALL"),
        ("000017 GREEN GROCER", "GREEN GROCER"),
        ("GREEN GROCER LTD FKA RED GROCER LTD", "GREEN GROCER LTD"),
        ("GREEN GROCER SDN BHD 8O4412-K", "GREEN GROCER SDN BHD"),
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


def test_store_numbers() -> None:
    assert has_store_number("Corner Deli #42") and has_store_number("CORNER DELI STORE 5451")
    assert not has_store_number("Store #42") and not has_store_number("Portland OR 97201")


#: Texts of the words and marks that the patterns look for.
_PRINTED = st.lists(
    st.sampled_from(
        [
            "store",
            "STORE",
            "Shop",
            "#",
            "№",
            "no",
            "nr.",
            "(",
            ")",
            "-",
            ",",
            "&",
            "+",
            "and",
            "OF",
            "the",
            "y",
            "Del",
            "la",
            "und",
            "deli",
            "E",
            "12",
            "0042",
            "٣٤",
        ]
    ),
    max_size=6,
).flatmap(lambda words: st.sampled_from(("", " ")).map(lambda blank: blank.join(words)))


@given(_PRINTED)
@example("Corner Deli #42)\n")
def test_the_look_at_the_last_character_passes_over_no_store_number(text: str) -> None:
    assert name_text._STORE_NUMBER.search(text) is None or name_text._ends_in_number(text)


@given(_PRINTED)
@example("Bread and\t")
def test_the_look_at_the_last_character_passes_over_no_open_end(text: str) -> None:
    assert joins.is_open_end(text) == (joins._OPEN_END.search(text) is not None)
