"""Kinds of business in names."""

from __future__ import annotations

import pytest

from receipt_engine.vocabulary.trades import (
    count_distinctive,
    is_description,
    is_only_trade,
    joins_trade,
    trade_share,
    trades,
)


@pytest.mark.parametrize(
    "name",
    [
        "Restaurant",
        "RESTAURANTE",
        "Hardware",
        "Supermarket",
        "Apotheke",
        "Chicharronería",
        "BAHARATÇI",
        "Cà phê",
    ],
)
def test_trade_words_are_no_name(name: str) -> None:
    assert trade_share(name) > 0.9
    assert count_distinctive(name) < 3


@pytest.mark.parametrize(
    ("text", "only"),
    [("Almacén de artesanías", True), ("TRATTORIA DA", True), ("Casa de Pan", False), ("Seilbahn", True)],
)
def test_a_link_between_words_for_a_trade_is_no_name(text: str, only: bool) -> None:
    assert is_only_trade(text) is only


def test_a_share_of_the_letters() -> None:
    assert trade_share("Kettle Restaurant") == pytest.approx(10 / 16)
    assert count_distinctive("Kettle Restaurant Ltd") == len("Kettle")


def test_nothing_to_share() -> None:
    assert trade_share("1234") == 0.0
    assert count_distinctive("") == 0


def test_every_kind_has_words_and_a_label() -> None:
    assert len({trade.label for trade in trades()}) == len(trades())
    assert all(trade.words and trade.label.count("/") == 1 for trade in trades())


@pytest.mark.parametrize(
    "text",
    [
        "Family Restaurant",
        "Bar - Brasserie - Tabac",
        "HARDWARE & FEED",
        "BAR & GRILL",
        "Mexican Food",
        "Supermarket",
        "EXPRESS CAR WASH",
        "WINE&LIQUOR",
        "Home Center",
        "Papelería y Velas",
    ],
)
def test_rows_that_only_tell_the_trade(text: str) -> None:
    assert is_description(text)


@pytest.mark.parametrize(
    "text", ["Kettle Restaurant", "KTL FUELS & SERVICES", "Family Kettle", "Larch & Elm", "1234"]
)
def test_rows_with_a_name_of_their_own(text: str) -> None:
    assert not is_description(text)


def test_a_trade_goes_on_in_the_next_row() -> None:
    assert joins_trade("KETTLE GENERAL", "STORE")
    assert joins_trade("Kettle's Italian", "Deli & Market")
    assert not joins_trade("Italian Kettle", "Deli & Market")
    assert not joins_trade("Kettle's Italian", "12 Mill St")


def test_letters_of_the_next_word_complete_no_phrase() -> None:
    assert trade_share("Tax invoice") == 0.0
    assert trade_share("Super markets") > 0.9
