"""Rows of an address that name a town which no region file knows, and rows that only look so."""

from __future__ import annotations

import pytest

from tests.unit.stages.merchant.merchant_contexts import segments_of

BODY = "\nTel 555-0142\nTea    3.20\nTOTAL    3.20\n"


def placed(text: str, region: str, row: str) -> bool:
    segments, _ = segments_of(text + BODY, region)
    rows = [segment for segment in segments if segment.rest == row]
    assert rows
    return any("city" in segment.places for segment in rows)


@pytest.mark.parametrize(
    ("region", "head", "row"),
    [
        ("us", "Kettle Diner\n212 E Main St\nDecorah", "Decorah"),
        ("us", "Kettle Diner\n212 E Main St\nFishkill NY", "Fishkill NY"),
        ("us", "Kettle Diner\n212 E Main St\nFishkill, NY 12524", "Fishkill, NY 12524"),
        ("us", "Kettle Diner\n212 E Main St, Decorah", "212 E Main St, Decorah"),
        ("de", "Kessel Moden\nLange Gasse 5\n86720 Nördlingen", "86720 Nördlingen"),
        ("it", "Bar Pentola\nVia Roma 4\nCECINA (LI)", "CECINA (LI)"),
        ("ru", "Чайник\nКинешма\nул. Мира 3", "Кинешма"),
        ("br", "Padaria Chaleira\nRua das Flores 90\nPorto União/SC", "Porto União/SC"),
    ],
)
def test_a_town_where_an_address_has_it(region: str, head: str, row: str) -> None:
    assert placed(head, region, row)


@pytest.mark.parametrize(
    ("region", "head", "row"),
    [
        ("us", "Decorah\n212 E Main St\nMason City, IA 50401", "Decorah"),  # the shop's name
        ("us", "Kettle Diner\nDecorah\nThank you", "Decorah"),  # no street beside it
        (
            "us",
            "Kettle Diner\n31607 Milton Road\nDecorah",
            "31607 Milton Road",
        ),  # a house number, no postcode
        ("us", "Decorah Books\n212 E Main St\nDecorah", "Decorah Books"),  # words beside it
        ("us", "Decorah\n212 E Main St\nDecorah", "Decorah"),  # the shop's name, printed again
        ("fr", "Le Chaudron\n8 rue du Four\nJardin", "Jardin"),  # an ordinary word
    ],
)
def test_a_name_that_is_no_place_there(region: str, head: str, row: str) -> None:
    assert not placed(head, region, row)
