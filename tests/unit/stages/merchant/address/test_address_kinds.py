"""Rows of another kind at the edges of an address, and an address that its label shows."""

from __future__ import annotations

import pytest

from receipt_engine.stages.merchant.address.kinds import labelled_address, of_places, without_other_kinds
from receipt_engine.stages.merchant.address.other_rows import is_not_address, registered_office_rows
from tests.unit.stages.merchant.merchant_contexts import merchant_of, segments_of

_SALE = "\n\n21/11/2026 14:03\n1 Soup    17.00\nTOTAL    17.00\n"


@pytest.mark.parametrize(
    ("region", "head", "address"),
    [
        ("eg", "Larch Terrace\n14 Nile St., Maadi, Cairo", "14 Nile St., Maadi, Cairo"),
        (
            "in",
            "TAX INVOICE\nSilk Route Tiffin\nNo 14, 3rd Cross, Indiranagar, Bengaluru 560038",
            "No 14, 3rd",
        ),
        (
            "us",
            "Larch Drive-In\n#44 Salem - Slide Rd\n6802 Slide Road\nSalem, OR 97301",
            "6802 Slide Road, Salem, OR 97301",
        ),
        ("sa", "Larch Corner\nLarch Trading Est.\nKing Fahd Rd, Al Khobar", "King Fahd Rd, Al Khobar"),
        (
            "mx",
            "LA CALDERA\nAv. Juárez 14, Centro, Querétaro\nRosa Ríos Pérez RFC RIPR700101AB3",
            "Av. Juárez 14, Centro, Querétaro",
        ),
        (
            "bg",
            "АПТЕКА МЕДЕН\nгр. Варна, бул. Сливница 14\nЕИК 205550122\n0003 Каса 2",
            "гр. Варна, бул. Сливница 14",
        ),
        ("pa", "MINI SUPER CALDERA\nRUC 8-442-1190 DV 14\nVía España, Río Abajo, Panamá", "Vía España, Río"),
    ],
)
def test_the_address_ends_at_rows_of_another_kind(region: str, head: str, address: str) -> None:
    found = merchant_of(head + _SALE, region).address
    assert found is not None and found.value.startswith(address)
    assert len(found.value) < len(address) + 50


def test_a_name_above_a_city_alone_stays() -> None:
    segments, _ = segments_of("Larch Terrace\nMaadi, Cairo", "eg")
    assert without_other_kinds(segments, (0, 1), range(1)) == (0, 1)


def test_a_label_shows_an_address_at_the_end() -> None:
    text = f"铜壶小馆{_SALE}谢谢光临\n地址:成都市锦江区人民路14号"
    found = merchant_of(text, "cn").address
    assert found is not None and found.value == "成都市锦江区人民路14号"


@pytest.mark.parametrize(
    ("row", "shown"),
    [
        ("Address: 14 Harbor Street", True),
        ("Address 14 Harbor Street", False),
        ("Address: on request", False),
    ],
)
def test_a_label_needs_its_colon_and_a_place(row: str, shown: bool) -> None:
    segments, _ = segments_of(f"COPPER KETTLE\n{row}")
    assert (labelled_address(segments[1]) > 0) is shown


def test_the_value_of_a_label_is_no_address() -> None:
    for row, value in (("TAXI NO          : SKL 2204 P", True), ("MALL          : 12 Mill St, Leeds", False)):
        segments, _ = segments_of(f"HARBOUR CABS\n{row}", "gb")
        assert is_not_address(segments, 2) is value


@pytest.mark.parametrize("mark", [" -", " :", "|", " |", ""])
def test_a_mark_behind_a_house_number_is_the_papers_edge(mark: str) -> None:
    found = merchant_of(f"Kupferkessel\nAm Markt 3{mark}\n17489 Greifswald{_SALE}", "de").address
    assert found is not None and found.value == "Am Markt 3, 17489 Greifswald"


@pytest.mark.parametrize(
    ("region", "row"),
    [("gb", "2 messages"), ("us", "Deliciosamente"), ("ae", "Recept Number")],
)
def test_a_row_alone_without_anything_of_an_address_is_none(region: str, row: str) -> None:
    assert of_places(segments_of(f"COPPER KETTLE\n{row}", region)[0], (1,)) == ()


@pytest.mark.parametrize("row", ["41 Larch", "Larch Road", "Kettle Mall", "Portland", "Address: Larch"])
def test_a_row_alone_with_a_part_of_an_address_stays(row: str) -> None:
    assert of_places(segments_of(f"COPPER KETTLE\n{row}", "us")[0], (1,)) == (1,)


def test_a_mall_and_a_unit_are_an_address() -> None:
    assert of_places(segments_of("COPPER KETTLE\nLarch Point #B1-17", "sg")[0], (1,)) == (1,)


def test_a_labelled_address_wins_against_a_row_without_a_place() -> None:
    head = "Merchant\nBlue Kettle\nDar El-Lotus-1410\nCheck No :10"
    text = f"{head}{_SALE}Tax Card : 200-144-588\nAddress : 7 Larch El-Nil, Maady\n"
    found = merchant_of(text, "eg").address
    assert found is not None and found.value == "7 Larch El-Nil, Maady"


def test_a_label_alone_shows_the_address_below_it() -> None:
    head = "ЧАЙНИК\nКассовый чек\nЛагуна 40 Липовая роща Центр"
    found = merchant_of(f"{head}{_SALE}Адрес расчетов\n720001, г. Липовка, Липовая д. 8а\n", "kg").address
    assert found is not None and found.value == "720001, г. Липовка, Липовая д. 8а"


@pytest.mark.parametrize("again", ["halm", "halmr"])
def test_a_street_below_the_repeated_name_belongs_to_the_city_above(again: str) -> None:
    text = f"halm,- Warenhaus GmbH\n17489 Greifswald\n{again}\nLindenstr.14\nTel: 03834 555018{_SALE}"
    found = merchant_of(text, "de").address
    assert found is not None and found.value == "17489 Greifswald, Lindenstr.14"


def test_a_registered_office_is_told_from_a_shop_whose_town_follows_its_street() -> None:
    rows = segments_of("VARA\nRaiņa iela 31, Jelgava\nSIA VARA\nJurid.adrese: Egļu 4,Jelgava\n", "lv")[0]
    assert {rows[at].run.text for at in registered_office_rows(rows)} == {"Jurid.adrese: Egļu 4,Jelgava"}


def test_a_registered_office_of_two_rows_below_the_shops_whole_address() -> None:
    head = "BAZAAR\nVashi, Navi Mumbai 400705\nRegd Off: 3rd Flr Court House\nL T Marg Mumbai-400002\n"
    rows = segments_of(head, "in")[0]
    assert len(registered_office_rows(rows)) == 2


@pytest.mark.parametrize(
    "place",
    ["Место расчетов: АЗС 118", "Место расчётов   Касса самообслуживания 4", "Место расчетов: Магазин 33"],
)
def test_the_place_of_payment_is_no_address_where_it_is_only_a_till_or_a_shop(place: str) -> None:
    head = f"ООО МЕДНЫЙ КОТЁЛ\n{place}"
    assert merchant_of(head + _SALE, "ru").address is None
    found = merchant_of(f"{head}\nАдрес расчетов: г. Тверь, ул. Речная, 4{_SALE}", "ru").address
    assert found is not None and found.value == "г. Тверь, ул. Речная, 4"
