"""Rows beside an address that are no part of it, and rows that are although they show little."""

from __future__ import annotations

import pytest

from receipt_engine.stages.merchant.address.block import best_block
from receipt_engine.stages.merchant.address.customer import of_customer
from receipt_engine.stages.merchant.address.edges import (
    with_place_below,
    without_branch,
    without_stray_number,
    without_title,
)
from receipt_engine.stages.merchant.address.heading import without_heading, without_owner
from receipt_engine.stages.merchant.address.other_rows import is_not_address
from receipt_engine.stages.merchant.address.places import shows_place
from receipt_engine.stages.merchant.address.search import city_below_street
from receipt_engine.stages.merchant.address.two_addresses import of_branch, shop_of_two
from tests.unit.stages.merchant.merchant_contexts import segments_of
from tests.unit.stages.printed_receipts import printed

_HEAD = "COPPER KETTLE\n12 Harbor Street\nPortland, OR 97201\n{row}\n{next}\n1 Soup    17.00\nTOTAL   17.00"


@pytest.mark.parametrize(
    ("row", "below", "beside"),
    [
        ("1204 Maria T", "Chk 5501", True),
        ("204 Maria", "Tbl 12/1", True),
        ("Table 7 Guests 2", "Chk 5501", True),
        ("Tel:", "Chk 5501", True),
        ("Mon-Thu 11AM-10PM Fri-Sat 11AM-12AM", "Clam Chowder", True),
        ("204 Maria", "Clam Chowder", False),
        ("204 Maple St", "Chk 5501", False),
        ("204 Maple Street", "Chk 5501", False),
        ("1060 Bruxelles", "Chk 5501", False),
    ],
)
def test_who_served_is_no_street(row: str, below: str, beside: bool) -> None:
    segments, _ = segments_of(_HEAD.format(row=row, next=below))
    at = next(i for i, own in enumerate(segments) if own.run.text.startswith(row[:4]))
    assert is_not_address(segments, at) is beside


@pytest.mark.parametrize("owner", ["MARIA ALVAREZ", "Cafe 0418", "Since 1967"])
def test_an_owner_above_a_street_is_left_out(owner: str) -> None:
    segments, _ = segments_of(f"COPPER KETTLE\n{owner}\n12 Harbor Street\nPortland, OR 97201")
    assert without_owner(segments, (1, 2, 3), (-4.0, 0.1, 3.0, 4.0)) == (2, 3)


@pytest.mark.parametrize("first", ["Unit 4", "Harbor Street Mall", "40 Pier Road"])
def test_a_first_row_that_shows_a_place_stays(first: str) -> None:
    segments, _ = segments_of(f"COPPER KETTLE\n{first}\n12 Harbor Street\nPortland, OR 97201")
    assert without_owner(segments, (1, 2, 3), (-4.0, 0.1, 3.0, 4.0)) == (1, 2, 3)


def test_a_row_that_only_describes_the_trade_is_left_out_above_a_place() -> None:
    segments, _ = segments_of("DE DRIE KETELS\nGrand Café - Brasserie\nGrote Markt 44 Groningen", "nl")
    assert without_owner(segments, (1, 2), (-8.0, 1.0, 3.0)) == (2,)


def test_the_shops_address_and_not_its_companys() -> None:
    rows = "20-301 Lublin ul. Lipowa 3\nSupermarket Miedziany 118\n38-204 Tarnowiec, Tarnowiec 75"
    segments, _ = segments_of("MIEDZIANY CZAJNIK\n" + rows, "pl")
    assert shop_of_two(segments, (1, 2, 3)) == (3,)
    rows = "38-204 Tarnowiec, Tarnowiec 75\nMIEDZIANY Polska Sp. z o.o.\n20-301 Lublin ul. Lipowa 3"
    segments, _ = segments_of("MIEDZIANY CZAJNIK\n" + rows, "pl")
    assert shop_of_two(segments, (1, 2, 3)) == (1,)


@pytest.mark.parametrize(("beside", "shop"), [("Date: 3/2/25", True), ("Client ID:   88", True), ("", False)])
def test_numbers_of_the_sale_stand_beside_the_customers_address(beside: str, shop: bool) -> None:
    text = f"""
PRAIRIE GOLD PLUMBING
118 Grand Ave
Salina, KS 67401

Ruth Danner                     {beside}
40 Oak Knoll Dr
Salina, KS 67401
Service call                89.00
TOTAL                       89.00
"""
    address = printed("us", text).merchant.address
    assert address is not None
    assert address.value == ("118 Grand Ave" if shop else "40 Oak Knoll Dr") + ", Salina, KS 67401"


@pytest.mark.parametrize(
    ("row", "kept"), [("Hypermarket Ostrava Jih", False), ("Hypermarket 2. patro", True)]
)
def test_a_branch_below_the_postcode_is_no_place(row: str, kept: bool) -> None:
    segments, _ = segments_of(f"KOTLÍK\nLidická 210/4, 602 00 Brno\n{row}", "cz")
    assert without_branch(segments, (1, 2)) == ((1, 2) if kept else (1,))


def test_a_heading_with_the_city_of_the_address() -> None:
    segments, _ = segments_of("Kopparkitteln\nKittel Grand Malmö\nEkgatan 47\n211 20 MALMÖ", "se")
    assert without_heading(segments, (1, 2, 3)) == (2, 3)
    segments, _ = segments_of("Kopparkitteln\nMalmö Galleria,\nEkgatan 47\n211 20 MALMÖ", "se")
    assert without_heading(segments, (1, 2, 3)) == (1, 2, 3)
    segments, _ = segments_of("KETTLE\nROSE'S TORONTO\n77 3RD AVE N, TORONTO, ON", "ca")
    assert without_heading(segments, (1, 2)) == (2,)
    segments, _ = segments_of("KETTLE\nROSE'S TORONTO\n77 3RD AVE N, OTTAWA, ON", "ca")
    assert without_heading(segments, (1, 2)) == (1, 2)


def test_a_city_that_is_not_known_and_its_state_go_with_the_street() -> None:
    segments, _ = segments_of("COPPER KETTLE\n12 N Harbor Street\nDunmere      AL\nREGISTER 2")
    assert with_place_below(segments, (1,)) == (1, 2, 3)


def test_a_city_gains_below_a_street_alone() -> None:
    segments, _ = segments_of("COPPER KETTLE\n12 Harbor Street\nPortland, OR\nHilltop\nPortland, OR")
    gains = [city_below_street(segments, at) for at in range(5)]
    assert gains[2] > 0
    assert gains[:2] == [0.0, 0.0] and gains[3:] == [0.0, 0.0]


def test_a_store_number_is_no_street() -> None:
    segments, _ = segments_of("COPPER KETTLE\nStore # 322\nPortland, OR")
    assert city_below_street(segments, 2) == 0.0


def test_shows_place() -> None:
    segments, _ = segments_of("COPPER KETTLE\n12 Harbor Street\nMARIA ALVAREZ")
    assert [shows_place(own) for own in segments] == [False, True, False]


def test_the_best_run_takes_a_weak_first_row_once_the_name_is_known() -> None:
    scores = (-8.0, -1.4, 0.6, 2.0)
    assert best_block(scores) == (2, 3)
    assert best_block((-8.0, -0.9, 0.6, 2.0), named=True) == (1, 2, 3)
    assert best_block((-1.3,)) == ()
    assert best_block((-1.3,), alone=(0.5,)) == (0,)
    assert best_block((1.0, -1.5), behind=(0.0, 1.0)) == (0, 1)


def test_a_company_above_a_street_is_left_out_however_likely_it_looks() -> None:
    segments, _ = segments_of("Copper Plaza\nCopper Plaza S.A.\n12 Harbor Street\nPortland, OR 97201")
    assert without_owner(segments, (1, 2, 3), (-4.0, 2.0, 3.0, 4.0)) == (2, 3)


def test_the_address_of_a_customer_is_not_the_merchants() -> None:
    segments, _ = segments_of(
        "COPPER KETTLE\n12 Harbor Street\nPortland, OR 97201\nCustomer: Ann\n9 Elm Road\nSalem, OR 97301"
    )
    assert of_customer(segments, (-4.0, 3.0, 4.0, -2.0, 3.0, 4.0)) == {3, 4, 5}
    assert of_customer(segments, (-4.0, -3.0, -4.0, -2.0, 3.0, 4.0)) == frozenset()


def test_the_address_below_a_phrase_with_the_customers_name_is_never_the_merchants() -> None:
    segments, _ = segments_of("COPPER KETTLE\nSold to: Ann\n9 Elm Road\nSalem, OR 97301")
    assert of_customer(segments, (-4.0, -2.0, 3.0, 4.0)) == {1, 2, 3}


def test_a_code_apart_from_the_address_is_none_of_it() -> None:
    segments, _ = segments_of("COPPER KETTLE\n12 Harbor Street\nPortland, OR\nEIN 12-3456789\n97201")
    assert without_stray_number(segments, (1, 2, 3)) == (1, 2)
    assert without_stray_number(segments, (1, 2)) == (1, 2)


def test_a_state_below_a_comma_belongs_to_the_address() -> None:
    segments, _ = segments_of("COPPER KETTLE\n12 Harbor Street, Portland,\nOregon\nFries 4.00")
    assert with_place_below(segments, (1,)) == (1, 2)


def test_a_second_city_below_an_address_is_left_out() -> None:
    segments, _ = segments_of("COPPER KETTLE\n12 Harbor Street, Portland\nPortland")
    assert with_place_below(segments, (1,)) == (1,)


@pytest.mark.parametrize("label", ["BILL TO: Ann Lee", "SOLD TO Ann Lee", "CUSTOMER: Ann Lee"])
def test_the_address_under_a_word_for_the_customer_is_not_the_merchants(label: str) -> None:
    text = (
        f"CASTLE LODGE\nCastle Road, Geelong VIC 3220\nTAX INVOICE\n{label}\n24 Harbour Street\n"
        "Hobart TAS 7000\nItem    Amount\nRoom    90.00\nTOTAL   90.00"
    )
    found = printed("au", text).address_parts
    assert found is not None
    assert (found.street, found.city, found.postcode) == ("Castle Road", "Geelong", "3220")


def test_the_customers_copy_has_the_merchants_address() -> None:
    text = "CUSTOMER COPY\nCASTLE LODGE\n24 Harbour Street\nHobart TAS 7000\nRoom    90.00\nTOTAL   90.00"
    found = printed("au", text).address_parts
    assert found is not None
    assert (found.number, found.city) == ("24", "Hobart")


@pytest.mark.parametrize(
    ("code", "rows", "address"),
    [
        ("ru", "Г. ОМСК, НАБ. ИРТЫША,\nД. 27\nЧай    50,00\nИТОГО    50,00", "Г. ОМСК, НАБ. ИРТЫША, Д. 27"),
        ("kg", "Г. ОШ, САДОВЫЙ ПЕР.,\n14\nЧай    50,00\nИТОГО    50,00", "Г. ОШ, САДОВЫЙ ПЕР., 14"),
        (
            "kr",
            "서울 종로구 매화로 31 (03151)\n녹차    1,500\n합계    1,500",
            "서울 종로구 매화로 31 (03151)",
        ),
        (
            "kr",
            "수원시 팔달구 매화로 31\n(16501)\n녹차    1,500\n합계    1,500",
            "수원시 팔달구 매화로 31, (16501)",
        ),
        (
            "kr",
            "수원시 팔달구 매화로 31\n반품영수증\n녹차    1,500\n합계    1,500",
            "수원시 팔달구 매화로 31",
        ),
    ],
)
def test_house_and_postcode_below_or_in_brackets(code: str, rows: str, address: str) -> None:
    found = printed(code, f"KETTLE\n{rows}\n")
    assert found.merchant.address is not None
    assert found.merchant.address.value == address


@pytest.mark.parametrize(
    ("code", "rows", "address"),
    [
        (
            "us",
            "3 shops to serve you!\n12 Harbor Street\nPortland, OR 97201",
            "12 Harbor Street, Portland, OR 97201",
        ),
        (
            "ke",
            "KETTLE NAKURU\nP.O BOX 118-20100 NAKURU",
            "P.O BOX 118-20100 NAKURU",
        ),
        (
            "mx",
            "JUAREZ 118 CENTRO\nMONTERREY NL CP 64000\nSUCURSAL PUEBLA\nHIDALGO 22 ESQ REFORMA\nPUEBLA PUE",
            "HIDALGO 22 ESQ REFORMA, PUEBLA PUE",
        ),
        (
            "ec",
            "CASA MATRIZ: AV. COBRE 901\nQUITO - ECUADOR\nSUCURSAL: PASEO SUR\nAV. EL KENDI 274, GUAYAQUIL",
            "AV. EL KENDI 274, GUAYAQUIL",
        ),
        (
            "ar",
            "SARMIENTO 905 - C.A.B.A.\nIVA RESPONSABLE INSCRIPTO\nSUC. 31 - AV. BELGRANO 1470 - CABA",
            "AV. BELGRANO 1470 - CABA",
        ),
        (
            "ph",
            "G/F HARBOR MALL OF CEBU\nN. REYES AVE, CEBU CITY",
            "G/F HARBOR MALL OF CEBU, N. REYES AVE, CEBU CITY",
        ),
        ("de", "Konz.-Nr. 218\n72070 Tübingen", "72070 Tübingen"),
        (
            "de",
            "HEUTE\nGUT\nESSEN\nBILD MIT QR\nSCAN MICH\nKettle Markt\nLindenstr. 3\n99084 Erfurt",
            "Lindenstr. 3, 99084 Erfurt",
        ),
        (
            "de",
            "Lederergasse 18\n94032 Passau\nInfolkettle-passau.de",
            "Lederergasse 18, 94032 Passau",
        ),
        (
            "us",
            "12 Harbor Street\nPortland, OR 97201\n(503) 555-0134\nSeattle City\nLicense 1188",
            "12 Harbor Street, Portland, OR 97201",
        ),
        (
            "my",
            "NO. 11 & 13\nJALAN MERANTI 8/2\n43000 KAJANG",
            "NO. 11 & 13, JALAN MERANTI 8/2, 43000 KAJANG",
        ),
        ("us", "600 E HARBOR                    PORTLAND OR", "600 E HARBOR PORTLAND OR"),
    ],
)
def test_the_address_of_the_shop_alone(code: str, rows: str, address: str) -> None:
    found = printed(code, f"KETTLE LIMITED\n{rows}\nTea    57.20\nTOTAL    57.20\n")
    assert found.merchant.address is not None
    assert found.merchant.address.value == address


def test_a_house_number_behind_its_label_may_stand_above_the_street() -> None:
    text = """KEDAI FERN
NO.24 & 26
JALAN BUNGA 7/4
BANDAR MAHKOTA
43999 KAJANG, SELANGOR
TEA             3.00
TOTAL           3.00"""
    address = printed("my", text).merchant.address
    assert address is not None
    assert address.value.startswith("NO.24 & 26, JALAN BUNGA 7/4")


def test_an_address_below_notices_and_the_name() -> None:
    notices = """tomasHalm
NEUES
FUR DICH
UND MICH
FRISCH KAUFEN /GUT LEBEN
SORGLOS
ZUFRIEDEN?
URL ins Smartphone
tippen oder den QR-Code
lesen und Feedback geben.
www.halm.meinung.example    Meinung
"""
    shop = "Kaufland Halm\nTorgasse 4\n20097 Hamburg\nTel. 040 / 180420\nwww.halm.example\n"
    goods = "".join(f"SORTE {letter}                3,00 B\n" for letter in "ABCDEFGHIJ")
    totals = (
        "Posten: 10\nSUMME       EUR     30,00\nMastercard  EUR     30,00\n20.04.20  09:50\nVielen Dank\n"
    )
    found = printed("de", notices + shop + goods + totals).merchant.address
    assert found is not None
    assert found.value == "Torgasse 4, 20097 Hamburg"


@pytest.mark.parametrize(
    ("rows", "address"),
    [
        ("Mill Lane\nHarrowby\nLewes\nBN8 4QA", None),
        ("church Lane\nHarrowby\nLewes\nBN8 4QA", None),
        ("Unit 4 Hobbs Yard\nStation Road\nMarlbury\nLewes\nBN8 4QA", None),
        ("12 Mill Lane\nHarrowby\nLewes\nEast Sussex\nBN8 4QA", None),
        ("Mill Lane\nHarrowby\nOldwick\nLewes\nEast Sussex\nBN8 4QA", None),
        ("Mill Lane\n2 teas 7.50\nLewes\nBN8 4QA", "Lewes, BN8 4QA"),
    ],
    ids=["village", "small letter", "unit", "county", "five rows", "row of another kind"],
)
def test_rows_from_a_street_to_a_postcode_alone(rows: str, address: str | None) -> None:
    found = printed("gb", f"THE COPPER KETTLE\n{rows}\nTea    7.50\nTOTAL  £7.50\n")
    assert found.merchant.address is not None
    assert found.merchant.address.value == (address or rows.replace("\n", ", "))


def test_the_number_of_the_receipt_below_a_town_is_no_postcode() -> None:
    segments, _ = segments_of(
        "BAZAR LUNA\nRincón 44 esq. Zabala\n11000 Montevideo\ne-Ticket A 44718 CONTADO", "uy"
    )
    assert without_title(segments, (1, 2, 3)) == (1, 2)


def test_a_shop_named_with_a_code_parts_its_address_from_its_companys() -> None:
    seat, shop = "EDISON 12 NTE COL TALLERES MTY NL 64480", "AV MADERO 44 COL CENTRO MONTERREY NL 64000"
    segments, _ = segments_of(f"TIENDAS LUNA\n{seat}\nLUNA MADERO MTY 50ZX1\n{shop}", "mx")
    assert shop_of_two(segments, (1, 2, 3)) == (3,)


def test_a_city_alone_below_the_branchs_street_is_of_its_address() -> None:
    text = "LUNA MARKET\nMERKEZ: SANAYI CAD. NO:11\nESKISEHIR\nSUBE: BAGDAT CAD. NO:44/B KADIKOY\nISTANBUL"
    segments, _ = segments_of(text, "tr")
    assert of_branch(segments, (1, 2, 3), (0.0, 1.0, 2.0, -1.0, -3.5)) == (3, 4)
