"""Name and address of whole heads."""

from __future__ import annotations

import pytest

from tests.printed import read
from tests.unit.stages.merchant.merchant_contexts import merchant_of

TAIL = """

03/14/2024            6:42 PM
2 Clam Chowder          17.00
1 House Salad            8.50
TOTAL                   25.50
"""


@pytest.mark.parametrize(
    ("region", "head", "name", "address"),
    [
        (
            "us",
            "  Welcome to Copper Kettle\n      12 Harbor Street\n     Portland, OR 97201",
            "Copper Kettle",
            "12 Harbor Street, Portland, OR 97201",
        ),
        (
            "us",
            "       COPPER KETTLE\n        Store #1234\n      12 Harbor Street\n     Portland, OR 97201",
            "COPPER KETTLE",
            "12 Harbor Street, Portland, OR 97201",
        ),
        (
            "my",
            " KEDAI TEMBAGA\n TRADING SDN BHD\n NO. 7, JALAN MERPATI 3,\n 86000 KLUANG, JOHOR",
            "KEDAI TEMBAGA TRADING SDN BHD",
            "NO. 7, JALAN MERPATI 3, 86000 KLUANG, JOHOR",
        ),
        (
            "de",
            "   Kupferkessel\n   Hafenstraße 12\n   22767 Hamburg",
            "Kupferkessel",
            "Hafenstraße 12, 22767 Hamburg",
        ),
        (
            "my",
            " KEDAI TEMBAGA TAX INVOICE (COPY)\n NO. 7, JALAN MERPATI 3,\n 86000 KLUANG, JOHOR",
            "KEDAI TEMBAGA",
            "NO. 7, JALAN MERPATI 3, 86000 KLUANG, JOHOR",
        ),
    ],
)
def test_heads(region: str, head: str, name: str, address: str) -> None:
    merchant = merchant_of(head + TAIL, region)
    assert merchant.name is not None and merchant.name.value == name
    assert merchant.address is not None and merchant.address.value == address


def test_a_unit_above_the_name_and_a_document_below_it_are_no_name() -> None:
    head = "     02-14 88@GT\n     COPPER KETTLE\n    NO:20817\n  12 Harbor Street\n  Portland, OR 97201"
    merchant = merchant_of(head + TAIL)
    assert merchant.name is not None and merchant.name.value == "COPPER KETTLE"


def test_the_shop_below_the_seat_of_its_company_is_the_address() -> None:
    head = (
        "Kociolek Sp. z o.o.\nul. Hutnicza 47, Gdynia\nNr BDO 000021883\nul. Lipowa 12\n81-310 Gdynia\n"
        "NIP 5862014477"
    )
    tail = "\n\nMleko      3,20\nSUMA PLN   3,20\n"
    merchant = merchant_of(head + tail, "pl")
    assert merchant.address is not None and merchant.address.value == "ul. Lipowa 12, 81-310 Gdynia"


def test_an_address_parted_by_a_number_stays_whole() -> None:
    head = "Copper Kettle Pty Ltd\n12 Harbor Street\nABN 51 824 753 556\nSydney NSW 2000"
    merchant = merchant_of(head + TAIL, "au")
    assert merchant.address is not None and merchant.address.value == "12 Harbor Street, Sydney NSW 2000"


def test_an_address_at_the_very_top_is_no_sure_name() -> None:
    merchant = merchant_of("      12 Harbor Street\n     Portland, OR 97201" + TAIL)
    assert merchant.address is not None and merchant.address.value == "12 Harbor Street, Portland, OR 97201"
    assert merchant.name is None or merchant.name.confidence < 0.5


def test_nothing_to_read() -> None:
    merchant = merchant_of("  17.00\n  18.00")
    assert merchant.name is None and merchant.address is None


@pytest.mark.parametrize(
    ("head", "name"),
    [
        ("       COPPER KETTLE\n    FAMILY RESTAURANT\n", "COPPER KETTLE FAMILY RESTAURANT"),
        ("   You always pay less here\n      Copper Kettle\n", "Copper Kettle"),
        ("      Demo Till System\n  Welcome to Copper Kettle\n", "Copper Kettle"),
        ("    Our Sorrel\n  Mexican Restaurant & Cantina\n", "Our Sorrel"),
        ("       MARLOW & SONS\n  PLUMBING SUPPLY CO.\n  Since 1961\n", "MARLOW & SONS PLUMBING SUPPLY CO."),
        ("    UNITED STATES\n   FERRY SERVICE.\n  -------------\n", "UNITED STATES FERRY SERVICE"),
        ("Kettle#41822-0   Phone 541-555-0134\n", "Kettle#41822-0"),
        ("      Store 4417\n   KETTLE SQUARE 13\n", "KETTLE SQUARE 13"),
        ("Kettle.com Goods LLC\n", "Kettle.com Goods LLC"),
    ],
)
def test_rows_above_and_below_a_name(head: str, name: str) -> None:
    merchant = merchant_of(head + "      12 Harbor Street\n     Portland, OR 97201" + TAIL)
    assert merchant.name is not None and merchant.name.value == name


@pytest.mark.parametrize(
    ("region", "head", "address"),
    [
        (
            "za",
            "Blue Basil Pizzeria\n12 Jan Smuts Avenue\nBloemfontein\n9301\nTel 011 844 8469",
            "12 Jan Smuts Avenue, Bloemfontein, 9301",
        ),
        (
            "us",
            "COPPER KETTLE\nPortland Larch Int'l Airport\nTerminal 3 - Gate K9\nPortland, OR 97201",
            "Portland Larch Int'l Airport, Terminal 3 - Gate K9, Portland, OR 97201",
        ),
        (
            "us",
            "COPPER KETTLE\n12 HARBOR ST\nPORTLAND, OR 97201\nReg 14      Trans 88120   07/23/23 07:05PM",
            "12 HARBOR ST, PORTLAND, OR 97201",
        ),
        (
            "gb",
            "Kettle's\nPantry\nFine tea for all of us\n14 Lanternwell London EC1N 4ZX",
            "14 Lanternwell London EC1N 4ZX",
        ),
        (
            "gb",
            "KETTLE LTD\nUnit B Larchfield Retail Park\nCopper Common\nLeeds LS9 2YZ",
            "Unit B Larchfield Retail Park, Copper Common, Leeds LS9 2YZ",
        ),
        (
            "nz",
            "Kettle Timber & Hardware Ltd\n418 State Highway 12\nRD2, Whangarei 0172",
            "418 State Highway 12, RD2, Whangarei 0172",
        ),
        (
            "gb",
            "KETTLE CABS\n2 Station Approach, Leeds LS1 4UT\nRECEIPT",
            "2 Station Approach, Leeds LS1 4UT",
        ),
        (
            "us",
            "COPPER KETTLE\nFresh bread. Honest building.\n12 HARBOR STREET  PORTLAND OR 97201",
            "12 HARBOR STREET PORTLAND OR 97201",
        ),
        ("us", "COPPER KETTLE\n12 HWY 31 S\nDUNMERE, AL\n35611", "12 HWY 31 S, DUNMERE, AL, 35611"),
        ("se", "KOPPARKITTELN\nEkgatan 47\nTel.:\n753 10 Uppsala", "Ekgatan 47, 753 10 Uppsala"),
        (
            "sg",
            "COPPER KETTLE\n12 Harbour Rd, #02-45/46\nHarbour Square, Singapore 307683",
            "12 Harbour Rd, #02-45/46, Harbour Square, Singapore 307683",
        ),
        (
            "de",
            "Gasthaus zum Reiher\nInh. Josef Lechner\nDorfplatz 3\n83471 Berchtesgaden\nTelefon: 08652/4455\n"
            "St.-Nr. 105/234/56789\nRechnung Nr. 2301\nTisch 7    Bedienung: Resi",
            "Dorfplatz 3, 83471 Berchtesgaden",
        ),
        ("ie", "ELM PHARMACY\n23 CASTLE ROAD\nLIMERICK\nV94 T701", "23 CASTLE ROAD, LIMERICK, V94 T701"),
        (
            "ca",
            "ELM PHARMACY\n23 CASTLE ROAD\nEDMONTON, AB\nT6K-4C8",
            "23 CASTLE ROAD, EDMONTON, AB, T6K-4C8",
        ),
        (
            "it",
            "Ferramenta Corti\nVia Mazzini 87\n40121 Bologna (BO)\nSpett.le: Bruno A.\n"
            "Via della Stazione, 38\n70116 Bari BA",
            "Via Mazzini 87, 40121 Bologna (BO)",
        ),
        (
            "gb",
            "The Fernhill Hotel\n17 Elm Grove, Edinburgh, EH9 8TG\nTAX INVOICE\n"
            "192 Victoria Avenue, Edinburgh EH6 7TG",
            "17 Elm Grove, Edinburgh, EH9 8TG",
        ),
        (
            "sg",
            "Fernhill Denim\nBlk 314 Jurong West St 61, S(579214)\nPhone 6019 4417\nREFUND\nREF : 348120",
            "Blk 314 Jurong West St 61, S(579214)",
        ),
        (
            "gr",
            "ΦΡΕΣΚΑ ΤΡΟΦΙΜΑ\nΕΔΡΑ: ΛΕΩΦ. ΚΗΦΙΣΙΑΣ 125, ΜΑΡΟΥΣΙ 15124\nΑΧΑΡΝΩΝ 312, ΑΘΗΝΑ 11145",
            "ΑΧΑΡΝΩΝ 312, ΑΘΗΝΑ 11145",
        ),
        (
            "hr",
            "KOTAO\nBAKRENI KOTAO d.0.o.\nVukovarska cesta 12, 21000 Split\nKOTAO SUPERMARKET LUKA\n"
            "Obala kneza Domagoja 4, 21000 Split",
            "Obala kneza Domagoja 4, 21000 Split",
        ),
        (
            "bg",
            "МЕДЕН КОТЕЛ ЕООД\nгр. Русе 7000\nбул. Липник 121\nКОТЕЛ 48\nгр. Варна, бул. Сливница 14",
            "гр. Варна, бул. Сливница 14",
        ),
        (
            "hu",
            "RÉZÜST KFT.\n2040 Budaörs, Malom utca 7.\nRÉZÜST Piac\n1137 Budapest, Pozsonyi út 41.",
            "1137 Budapest, Pozsonyi út 41.",
        ),
        ("hu", "RÉZÜST\n1116 Budapest\nMalom út 9\nADÓSZÁM: 12345676-2-43", "1116 Budapest, Malom út 9"),
        (
            "pl",
            "MIEDZIANY CZAJNIK S.A.\nDługa 14/16 00-238 Warszawa\nSalon Zachód\nRynek 8 Katowice",
            "Rynek 8 Katowice",
        ),
        (
            "pl",
            "MIEDZIANY 204\n44-100 Gliwice ul. Zwycięstwa\nMIEDZIANY S.A.\n62-025 Kostrzyn ul.Polna 5",
            "44-100 Gliwice ul. Zwycięstwa",
        ),
        (
            "lv",
            "VARA KATLS\nRaiņa iela 31, Talsi\nSIA VARA\nJur.adr. Egļu iela 4, Talsi",
            "Raiņa iela 31, Talsi",
        ),
        (
            "us",
            "COPPER KETTLE\nELMFORD, OR\n118 Highway 9\nSpringfield, OR 97477",
            "118 Highway 9, Springfield, OR 97477",
        ),
        (
            "my",
            "KETTLE SDN BHD\nLOT 118, JALAN RINDU,\n41200 KLANG\n(CHERAS LARCH MALL)",
            "LOT 118, JALAN RINDU, 41200 KLANG",
        ),
        (
            "us",
            "COPPER KETTLE\n18200 Larch Road       12/29/2018\nSpringfield, OR        10:42 AM\n97477",
            "18200 Larch Road, Springfield, OR, 97477",
        ),
        (
            "cz",
            "KOTLÍK\nMěděný Kotlík a.s.\nLidická 210/4, 602 00 Brno\nHypermarket Ostrava Jih",
            "Lidická 210/4, 602 00 Brno",
        ),
    ],
)
def test_the_shops_own_address_with_its_postcode(region: str, head: str, address: str) -> None:
    found = merchant_of(head, region).address
    assert found is not None and found.value == address


def test_the_number_of_a_taxi_is_no_address() -> None:
    head = "     YELLOW KETTLE CAB\n     MEDALLION 4F22\n     DRIVER 508812\nFARE     23.50\nTOTAL    23.50"
    assert merchant_of(head).address is None


@pytest.mark.parametrize(
    ("region", "head", "address"),
    [
        (
            "pl",
            'Sklep "Kociołek"\nBarbara Lipska\nul. Lipowa 3/1, 62-800 Kalisz',
            "ul. Lipowa 3/1, 62-800 Kalisz",
        ),
        ("hk", "銅鍋茶室\nLucky Kettle\n香港灣仔軒尼詩道302號地下B舖", "香港灣仔軒尼詩道302號地下B舖"),
        (
            "tw",
            "銅鍋商店\n忠孝門市 分店代號 0188\n台北市大安區忠孝東路四段181號",
            "台北市大安區忠孝東路四段181號",
        ),
        (
            "ke",
            "COPPER KETTLE\nMama Ngina Street, Nairobi\nPay via M-PESA Till No. 551882",
            "Mama Ngina Street, Nairobi",
        ),
        (
            "sa",
            "COPPER KETTLE\nغلاية النحاس\nKing Fahd Road, Al Olaya, Riyadh 12211",
            "King Fahd Road, Al Olaya, Riyadh 12211",
        ),
        (
            "ca",
            "COPPER GROCERY\n2233445 ONTARIO LTD\n88 QUEEN ST W\nTORONTO ON M5H 2M9",
            "88 QUEEN ST W, TORONTO ON M5H 2M9",
        ),
        (
            "mx",
            "EL CALDERO\nSucursal Morelos\nBlvd. Morelos 1500 Col. Centro\nHermosillo, Sonora",
            "Blvd. Morelos 1500 Col. Centro, Hermosillo, Sonora",
        ),
        ("eg", "COPPER KETTLE\nBranch: Nasr City 2\n14 Talaat Harb St., Cairo", "14 Talaat Harb St., Cairo"),
        (
            "tr",
            "BAKIR ECZANESİ\nECZ. AYŞE YILMAZ\nCUMHURİYET MAH. İNÖNÜ CAD. NO:12",
            "CUMHURİYET MAH. İNÖNÜ CAD. NO:12",
        ),
        ("eg", "COPPER KETTLE\n26 Talaat Harb St., Cairo\nHotline: 19055", "26 Talaat Harb St., Cairo"),
    ],
)
def test_rows_of_other_kinds_beside_the_address(region: str, head: str, address: str) -> None:
    found = merchant_of(head + TAIL, region).address
    assert found is not None and found.value == address


def test_goods_far_below_the_head_are_no_part_of_the_address() -> None:
    head = "KAFFI KETILL\nHafnarbraut 12\n780 Höfn\nSími: 478 0188\nKt. 550188-1234\nKvittun 1882 12.05.2024"
    found = merchant_of(head + "\n2 Kaffi      1.300\n1 Kleina       450\nSamtals ISK  1.750\n", "is").address
    assert found is not None and found.value == "Hafnarbraut 12, 780 Höfn"


def test_the_town_of_a_branch_is_no_name() -> None:
    head = "COPPER & TOOL DEPOT\nELKO NV STORE 0882\n991 COUNTY ROAD 12\nELKO, NV 89801\n(775) 555-0190"
    merchant = merchant_of(head + TAIL)
    assert merchant.name is not None and merchant.name.value == "COPPER & TOOL DEPOT"


STALL = """
免用統一發票收據
買受人: 星河國小
品名          數量   單價     總價
竹筍飯           8    60     480
合計新台幣 肆佰捌拾元整    $480
春美竹筍飯
負責人 林春美
嘉義市東區民權路35號
"""


def test_the_issuer_stands_at_the_foot_above_its_owner() -> None:
    result = read(STALL, "tw")
    assert result.establishment == "春美竹筍飯"
    assert result.address == "嘉義市東區民權路35號"


def test_a_shop_with_its_branch_stands_below_its_company() -> None:
    head = "ALIMENTOS DEL LAGO, S.A.\nRESTAURANTE CASA MAYA ZONA 4\n6 AVENIDA 3-11 ZONA 4\n\n"
    result = read(head + "1 CALDO     Q 45.00\nTOTAL     Q 45.00\n", None)
    assert result.establishment == "RESTAURANTE CASA MAYA ZONA 4"
