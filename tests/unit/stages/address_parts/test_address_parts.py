from __future__ import annotations

import pytest

from receipt_engine.region import load_region
from receipt_engine.result import AddressNorm
from receipt_engine.stages.address_parts import split_into_parts


def _norm(code: str, text: str) -> dict[str, str]:
    found = split_into_parts(text, load_region(code))
    if found is None:
        return {}
    return {name: getattr(found, name) for name in AddressNorm.__struct_fields__ if getattr(found, name)}


@pytest.mark.parametrize(
    ("code", "text", "parts"),
    [
        (  # "CP" is a post box in Romania
            "mx",
            "BLVD. COBRE 405, COL. CENTRO, CP 37000 LEON, GTO.",
            {
                "number": "405",
                "street": "BLVD. COBRE",
                "suburb": "CENTRO",
                "city": "LEON",
                "state": "GTO",
                "postcode": "37000",
            },
        ),
        (  # a street named after a day
            "pl",
            "ul. 3 Maja 12, 35-030 Rzeszów",
            {"number": "12", "street": "ul. 3 Maja", "city": "Rzeszów", "postcode": "35-030"},
        ),
        ("it", "Via 4 Novembre, 7, Siena", {"number": "7", "street": "Via 4 Novembre", "city": "Siena"}),
        (
            "ru",
            "магазин 4 г.Тверь, ул. Мира, 46",
            {"building": "магазин 4", "number": "46", "street": "ул. Мира", "city": "Тверь"},
        ),
        ("ru", "г. Тверь, ул. 8 Марта, д. 46", {"number": "46", "street": "ул. 8 Марта", "city": "Тверь"}),
        (  # a corner behind the house number
            "at",
            "Kupfergasse 14/Ecke Ahorngasse, 1010 Wien",
            {"number": "14", "street": "Kupfergasse", "city": "Wien", "postcode": "1010"},
        ),
        (
            "it",
            "L.go Rame, 3, 20122 MILANO",
            {"number": "3", "street": "L.go Rame", "city": "MILANO", "postcode": "20122"},
        ),
        (  # a star in place of a comma
            "de",
            "Kupferplatz 1 * 99817 Eisenach",
            {"number": "1", "street": "Kupferplatz", "city": "Eisenach", "postcode": "99817"},
        ),
        (
            "th",
            "12/5 หมู่ 3 ถ.เทพารักษ์ ต.บางพลี อ.บางพลี จ.สมุทรปราการ 10540",
            {
                "number": "12/5",
                "street": "หมู่ 3 ถ.เทพารักษ์",
                "suburb": "ต.บางพลี",
                "city": "อ.บางพลี",
                "state": "จ.สมุทรปราการ",
                "postcode": "10540",
            },
        ),
        (
            "th",
            "175 ถนนสาทรใต้ แขวงทุ่งมหาเมฆ เขตสาทร กรุงเทพมหานคร 10120",
            {
                "number": "175",
                "street": "ถนนสาทรใต้",
                "suburb": "แขวงทุ่งมหาเมฆ เขตสาทร",
                "city": "กรุงเทพมหานคร",
                "postcode": "10120",
            },
        ),
        (
            "us",
            "PORTLAND, OR #31, 77 HARBOR AVE, PORTLAND, OR 97201",
            {
                "building": "# 31",
                "number": "77",
                "street": "HARBOR AVE",
                "city": "PORTLAND",
                "state": "OR",
                "postcode": "97201",
            },
        ),
        (
            "us",
            "77 HARBOR AVE, WALLA WALLA, WA 99362",
            {
                "number": "77",
                "street": "HARBOR AVE",
                "city": "WALLA WALLA",
                "state": "WA",
                "postcode": "99362",
            },
        ),
        ("il", "רחוב הרצל 25, חיפה", {"number": "25", "street": "רחוב הרצל", "city": "חיפה"}),
        (
            "il",
            "12 Dizengoff St, Tel Aviv",
            {"number": "12", "street": "Dizengoff St", "city": "Tel Aviv"},
        ),
        (
            "sg",
            "10 Anson Road #02-05 Keppel House, Singapore 079903",
            {
                "building": "#02-05 Keppel House",
                "number": "10",
                "street": "Anson Road",
                "city": "Singapore",
                "postcode": "079903",
            },
        ),
        (
            "nz",
            "Unit 3/21 Moorhouse Ave, Christchurch",
            {"building": "Unit 3", "number": "21", "street": "Moorhouse Ave", "city": "Christchurch"},
        ),
        (
            "ph",
            "123 P. Burgos St., Makati City",
            {"number": "123", "street": "P. Burgos St", "city": "Makati City"},
        ),
        (
            "mx",
            "CALLE 60 NO. 491 X 59 Y 61, C.P. 97000 MERIDA, YUC.",
            {"number": "491", "street": "CALLE 60", "city": "MERIDA", "state": "YUC", "postcode": "97000"},
        ),
        (
            "sg",
            "12 Clementi Ave 2, Lotus Point #01-84, Singapore 564129",
            {
                "building": "Lotus Point #01-84",
                "number": "12",
                "street": "Clementi Ave 2",
                "city": "Singapore",
                "postcode": "564129",
            },
        ),
        (
            "gb",
            "23-27 Headrow, Leeds LS2 7QN",
            {"number": "23-27", "street": "Headrow", "city": "Leeds", "postcode": "LS2 7QN"},
        ),
        (
            "de",
            "Am Lindenufer 8, 22767 Hamburg",
            {"number": "8", "street": "Am Lindenufer", "city": "Hamburg", "postcode": "22767"},
        ),
        (
            "ch",
            "Lindenstrasse 17 | CH-6003 Luzern",
            {"number": "17", "street": "Lindenstrasse", "city": "Luzern", "postcode": "6003"},
        ),
        (
            "it",
            "Via Roma 27, 00184 Roma (RM)",
            {"number": "27", "street": "Via Roma", "city": "Roma", "state": "RM", "postcode": "00184"},
        ),
        (
            "my",
            "LOT 219, Lorong Kelapa 4, 58102 Kuala Lumpur",
            {"number": "219", "street": "Lorong Kelapa 4", "city": "Kuala Lumpur", "postcode": "58102"},
        ),
        (
            "uy",
            "Av. 18 de Julio 1234, Montevideo",
            {"number": "1234", "street": "Av. 18 de Julio", "city": "Montevideo"},
        ),
        (
            "mx",
            "AV. LIBERTAD 1845, COL. Roma Norte, ZAPOPAN, JALISCO C.P. 45050",
            {
                "number": "1845",
                "street": "AV. LIBERTAD",
                "suburb": "Roma Norte",
                "city": "ZAPOPAN",
                "state": "JALISCO",
                "postcode": "45050",
            },
        ),
        (
            "ke",
            "Kimathi Street, P.0. Box 71526-80100 Mombasa",
            {"street": "Kimathi Street", "city": "Mombasa", "postcode": "80100"},
        ),
        (
            "us",
            "1840 W MAGNOLIA AVE, FRESNO CA 93728",
            {
                "number": "1840",
                "street": "W MAGNOLIA AVE",
                "city": "FRESNO",
                "state": "CA",
                "postcode": "93728",
            },
        ),
        (
            "ja",
            "静岡県浜松市若林町字東原47",
            {"number": "47", "suburb": "若林町", "city": "浜松市", "state": "静岡県"},
        ),
        (
            "hk",
            "旺角彌敦道718號海晴商業中心",
            {"building": "海晴商業中心", "number": "718", "street": "彌敦道", "suburb": "旺角"},
        ),
        (
            "cn",
            "人民路 63, 杭州 310007",
            {"number": "63", "street": "人民路", "city": "杭州", "postcode": "310007"},
        ),
    ],
)
def test_parts(code: str, text: str, parts: dict[str, str]) -> None:
    assert _norm(code, text) == parts


def test_a_unit_in_a_building_named_after_a_road_is_no_street() -> None:
    parts = _norm("ke", "Quay Road Plaza Shop 9, Nyali, Mombasa")
    assert parts == {"building": "Quay Road Plaza Shop 9", "suburb": "Nyali", "city": "Mombasa"}


def test_a_number_beside_a_word_is_no_address() -> None:
    assert split_into_parts("Llicència 3962 AMB", load_region("es")) is None


@pytest.mark.parametrize(
    ("code", "text", "parts"),
    [
        (
            "ar",
            "Calle 9 de Julio 64, Mar del Plata, Buenos Aires",
            {"number": "64", "street": "Calle 9 de Julio", "city": "Mar del Plata", "state": "Buenos Aires"},
        ),
        (
            "ar",
            "Av. Cabildo 2040, Belgrano, Buenos Aires",
            {"number": "2040", "street": "Av. Cabildo", "suburb": "Belgrano", "city": "Buenos Aires"},
        ),
        (
            "ph",
            "12 Mabini St., Makati City, Metro Manila",
            {"number": "12", "street": "Mabini St", "city": "Makati City", "state": "Metro Manila"},
        ),
        (
            "mx",
            "Av. Hidalgo #48, Querétaro, Qro.",
            {"number": "48", "street": "Av. Hidalgo", "city": "Querétaro", "state": "Qro"},
        ),
        (
            "mx",
            "Av. Hidalgo 48, Monterrey, N.L. C.P. 64848",
            {
                "number": "48",
                "street": "Av. Hidalgo",
                "city": "Monterrey",
                "state": "N.L",
                "postcode": "64848",
            },
        ),
        (
            "br",
            "Rua das Flores 31 Quadra 12 Lote 4, Setor Sul, Goiania - GO",
            {
                "building": "Quadra 12 Lote 4",
                "number": "31",
                "street": "Rua das Flores",
                "suburb": "Setor Sul",
                "city": "Goiania",
                "state": "GO",
            },
        ),
        (
            "mx",
            "AV. COBA MZA 5 LT 2, COL CENTRO, 77500 CANCUN",
            {
                "building": "MZA 5 LT 2",
                "street": "AV. COBA",
                "suburb": "CENTRO",
                "city": "CANCUN",
                "postcode": "77500",
            },
        ),
        (
            "br",
            "Rua Verde, 259, Centro - Curitiba/PR, CEP 80000-232",
            {
                "number": "259",
                "street": "Rua Verde",
                "suburb": "Centro",
                "city": "Curitiba",
                "state": "PR",
                "postcode": "80000-232",
            },
        ),
        (
            "my",
            "NO. 26-A, JALAN KENANGA 5, 50999 KUALA LUMPUR",
            {"number": "26-A", "street": "JALAN KENANGA 5", "city": "KUALA LUMPUR", "postcode": "50999"},
        ),
        (
            "my",
            "No. 12, 14 & 16, Jalan Kenanga, 50999 Kuala Lumpur",
            {"number": "12, 14 & 16", "street": "Jalan Kenanga", "city": "Kuala Lumpur", "postcode": "50999"},
        ),
        (
            "my",
            "NO: 8-1&2 GROUND FLOOR, JALAN KENANGA 5, 50999 KUALA LUMPUR",
            {
                "building": "GROUND FLOOR",
                "number": "8-1&2",
                "street": "JALAN KENANGA 5",
                "city": "KUALA LUMPUR",
                "postcode": "50999",
            },
        ),
        (
            "my",
            "No. 6, Plaza Kenanga, Jalan Bunga, 50999 Kuala Lumpur",
            {
                "building": "Plaza Kenanga",
                "number": "6",
                "street": "Jalan Bunga",
                "city": "Kuala Lumpur",
                "postcode": "50999",
            },
        ),
        (
            "us",
            "12 Harbor Ave, Salem,Oregon97477",
            {
                "number": "12",
                "street": "Harbor Ave",
                "city": "Salem",
                "state": "Oregon",
                "postcode": "97477",
            },
        ),
        ("co", "Calle 100 No 22 - 33, Cali", {"number": "22-33", "street": "Calle 100", "city": "Cali"}),
        (
            "hk",
            "109 Nathan Road, Tsuen Wan, Hong Kong",
            {"number": "109", "street": "Nathan Road", "suburb": "Tsuen Wan", "city": "Hong Kong"},
        ),
        (
            "hk",
            "香港荃灣皇后大道中214號地下",
            {"building": "地下", "number": "214", "street": "皇后大道中", "suburb": "荃灣", "city": "香港"},
        ),
        (
            "ja",
            "〒460-0001, 愛知県名古屋市栄町2丁目14-3, Japan",
            {
                "number": "14-3",
                "suburb": "栄町2丁目",
                "city": "名古屋市",
                "state": "愛知県",
                "postcode": "460-0001",
                "country": "Japan",
            },
        ),
        (
            "sg",
            "Blk 249 Orchard Road, S(188807)",
            {"number": "249", "street": "Orchard Road", "postcode": "188807"},
        ),
        ("in", "176, 100 Feet Road, Jaipur", {"number": "176", "street": "100 Feet Road", "city": "Jaipur"}),
        (
            "pa",
            "Avenida Balboa, Plaza Verde Local 6, Chitré",
            {"building": "Plaza Verde Local 6", "street": "Avenida Balboa", "city": "Chitré"},
        ),
        (
            "uy",
            "Av. 18 de Julio 57 esq. Rondeau, Rivera",
            {"number": "57", "street": "Av. 18 de Julio", "city": "Rivera"},
        ),
        (
            "sk",
            "Ku 8, 040 01 Košice - Staré Mesto",
            {"number": "8", "street": "Ku", "suburb": "Staré Mesto", "city": "Košice", "postcode": "040 01"},
        ),
        (
            "pl",
            "ul. Polna 12,14, 05-500 Piaseczno",
            {"number": "12,14", "street": "ul. Polna", "city": "Piaseczno", "postcode": "05-500"},
        ),
        (
            "pl",
            "ul. Polna 5, 19-400 Olecko 2284",
            {"number": "5", "street": "ul. Polna", "city": "Olecko", "postcode": "19-400"},
        ),
        (
            "rs",
            "Цара Лазара 8, Београд-Стари Град",
            {"number": "8", "street": "Цара Лазара", "suburb": "Стари Град", "city": "Београд"},
        ),
        (
            "tr",
            "İnönü Cad. No:6/B BORNOVA/İZMİR",
            {"number": "6/B", "street": "İnönü Cad", "suburb": "BORNOVA", "city": "İZMİR"},
        ),
        (
            "ro",
            "Str. Morii nr. 8, Sibiu, jud. Sibiu",
            {"number": "8", "street": "Str. Morii", "city": "Sibiu", "state": "jud. Sibiu"},
        ),
        (
            "ro",
            "Bd. Morii 8, Sector 3, București",
            {"number": "8", "street": "Bd. Morii", "suburb": "Sector 3", "city": "București"},
        ),
        (
            "hu",
            "1051 Budapest, Malom rkp. 8.",
            {"number": "8", "street": "Malom rkp", "city": "Budapest", "postcode": "1051"},
        ),
    ],
)
def test_cities_are_told_from_their_districts_and_states(code: str, text: str, parts: dict[str, str]) -> None:
    assert _norm(code, text) == parts


@pytest.mark.parametrize(
    ("code", "text", "parts"),
    [
        ("it", "Via Larga 3, 40121 Bologna (B0)", {"city": "Bologna", "state": "BO"}),
        ("ie", "17 Quay Lane, Dublin 8", {"city": "Dublin 8"}),
        ("gb", "9 Mill Row, York Y041 6FG", {"city": "York", "postcode": "YO41 6FG"}),
        ("gr", "ΕΡΜΟΥ 12, 118 54 Α0ΗΝΑ", {"city": "ΑΘΗΝΑ", "postcode": "118 54"}),
        ("gr", "ΕΡΜΟΥ 12, 384 53 ΒΟΝΟΣ", {"city": "ΒΟΛΟΣ"}),
        ("gr", "Ερμου 12, 719 04 Ηρκλειο", {"city": "Ηράκλειο"}),
        ("gr", "Ερμου 12, 640 08 Καριανη", {"city": "Καριανη"}),
    ],
)
def test_slips_in_cities_and_codes_are_put_right(code: str, text: str, parts: dict[str, str]) -> None:
    assert _norm(code, text).items() >= parts.items()


@pytest.mark.parametrize(
    ("code", "text", "parts"),
    [
        ("at", "Lindenweg41, 8010 Graz", {"street": "Lindenweg", "number": "41"}),
        ("de", "Lindenstr.41a, 70173 Stuttgart", {"street": "Lindenstr", "number": "41a"}),
        ("no", "Kvernveien 5, 2462Hamar", {"postcode": "2462", "city": "Hamar"}),
        (
            "us",
            "12HARBOR ST, PORTLAND, OR97201",
            {"number": "12", "street": "HARBOR ST", "city": "PORTLAND", "state": "OR", "postcode": "97201"},
        ),
        ("us", "12 42nd St, Portland, OR 97201", {"number": "12", "street": "42nd St"}),
        ("lk", "5 Lake Road, KANDY20000", {"postcode": "20000", "city": "KANDY"}),
        (
            "my",
            "12 Jalan SS6/4, 75000Melaka",
            {"street": "Jalan SS6/4", "postcode": "75000", "city": "Melaka"},
        ),
    ],
)
def test_a_blank_lost_between_a_word_and_a_number_is_set(code: str, text: str, parts: dict[str, str]) -> None:
    assert _norm(code, text).items() >= parts.items()


@pytest.mark.parametrize(
    ("code", "text", "parts"),
    [
        ("fr", "7 rue des Potiers 31000 TOULOUSE", {"number": "7", "city": "TOULOUSE", "postcode": "31000"}),
        ("se", "Kvarngatan 5 931 31 Skellefteå", {"street": "Kvarngatan", "postcode": "931 31"}),
        ("pl", "ul. Lipowa 12 31-147 Kraków", {"number": "12", "city": "Kraków", "postcode": "31-147"}),
        ("gb", "Tanner Street LEEDS LS1 4AB", {"street": "Tanner Street", "city": "LEEDS"}),
        ("gb", "9 Mill Lane Otley LS21 1AB", {"number": "9", "street": "Mill Lane", "city": "Otley"}),
        (
            "gr",
            "Λεωφ. Μεσογείων 125 Μαρούσι 15124",
            {"number": "125", "city": "Μαρούσι", "postcode": "15124"},
        ),
        ("gr", "Ερμού 5, Τ.Κ. 71202 Ηράκλειο", {"city": "Ηράκλειο", "postcode": "71202"}),
        ("de", "Filiale: Gartenweg 2, _22767 Hamburg", {"street": "Gartenweg", "postcode": "22767"}),
        ("it", "Via Roma, 8", {"number": "8", "street": "Via Roma"}),
        ("it", "V. Dante 12/A - 00153 - ROMA", {"number": "12/A", "street": "V. Dante", "city": "ROMA"}),
    ],
)
def test_an_address_on_one_row_is_taken_apart(code: str, text: str, parts: dict[str, str]) -> None:
    found = _norm(code, text)
    assert found.items() >= parts.items() and "suburb" not in found


@pytest.mark.parametrize(
    ("code", "text", "parts"),
    [
        (
            "ar",
            "Lavalle 44 - San Miguel de, Tucumán, Argentina",
            {"number": "44", "street": "Lavalle", "city": "San Miguel de Tucumán", "country": "Argentina"},
        ),
        (
            "ar",
            "Plaza Norte 8 - Ciudad de Buenos, Aires",
            {"number": "8", "street": "Plaza Norte", "city": "Ciudad de Buenos Aires"},
        ),
        (
            "ar",
            "Avenida de la, Victoria 12, M5500 Mendoza",
            {"number": "12", "street": "Avenida de la Victoria", "postcode": "M5500", "city": "Mendoza"},
        ),
        (
            "uy",
            "Av. 18 de Julio 166 -, Montevideo",
            {"number": "166", "street": "Av. 18 de Julio", "city": "Montevideo"},
        ),
        (
            "mx",
            "Calle Roble #15, Querétaro, Qro. C.P. 76083",
            {
                "number": "15",
                "street": "Calle Roble",
                "city": "Querétaro",
                "state": "Qro",
                "postcode": "76083",
            },
        ),
    ],
)
def test_names_that_break_at_the_end_of_a_row(code: str, text: str, parts: dict[str, str]) -> None:
    assert _norm(code, text) == parts


def test_a_name_may_begin_with_an_apostrophe() -> None:
    assert _norm("to", "Hala Tau, 'Ohonua") == {"street": "Hala Tau", "city": "'Ohonua"}


@pytest.mark.parametrize(
    ("code", "text", "parts"),
    [
        (
            "ru",
            "Тверская обл., г. Ржев, наб. Волги, д. 14, корп. 2",
            {
                "building": "корп. 2",
                "number": "14",
                "street": "наб. Волги",
                "city": "Ржев",
                "state": "Тверская обл",
            },
        ),
        (
            "ru",
            "Россия, Г.ОМСК УЛ.ЛЕСНАЯ Д.8",
            {"number": "8", "street": "УЛ.ЛЕСНАЯ", "city": "ОМСК", "country": "Россия"},
        ),
        (
            "ua",
            "м. Суми, пр. Садовий, буд. 31",
            {"number": "31", "street": "пр. Садовий", "city": "Суми"},
        ),
        (
            "ru",
            "125009, Ржев г, Приморский р-н, Лесная ул, дом № 7А, помещ. 3",
            {
                "building": "помещ. 3",
                "number": "7А",
                "street": "Лесная ул",
                "suburb": "Приморский р-н",
                "city": "Ржев",
                "postcode": "125009",
            },
        ),
        (
            "ru",
            "Москва, м. Полянка, Лесная ул., д. 9",
            {"building": "м. Полянка", "number": "9", "street": "Лесная ул", "city": "Москва"},
        ),
        ("bg", "гр. Видин, ул. Дунав №6", {"number": "6", "street": "ул. Дунав", "city": "Видин"}),
        (
            "kz",
            "110000, г. Костанай, Южное шоссе 12",
            {"number": "12", "street": "Южное шоссе", "city": "Костанай", "postcode": "110000"},
        ),
        (
            "kr",
            "(16500) 경기도 수원시 팔달구 매화로12번길 7, 2층",
            {
                "building": "2층",
                "number": "7",
                "street": "매화로12번길",
                "suburb": "팔달구",
                "city": "수원시",
                "state": "경기도",
                "postcode": "16500",
            },
        ),
        ("kr", "서울 종로구 솔향동 41-2", {"number": "41-2", "suburb": "종로구 솔향동", "city": "서울"}),
        (
            "tw",
            "106台北市大安區梅花路二段18巷5號",
            {
                "number": "5",
                "street": "梅花路二段18巷",
                "suburb": "大安區",
                "city": "台北市",
                "postcode": "106",
            },
        ),
        (
            "cn",
            "浙江省杭州市西湖区桂花路27号",
            {"number": "27", "street": "桂花路", "suburb": "西湖区", "city": "杭州市", "state": "浙江省"},
        ),
        (
            "th",
            "75 ถนนดอกไม้ เชียงใหม่ 50200",
            {"number": "75", "street": "ถนนดอกไม้", "city": "เชียงใหม่", "postcode": "50200"},
        ),
        ("to", "Hala Tu'i, Neiafu", {"street": "Hala Tu'i", "city": "Neiafu"}),
        ("co", "AV 31 # 12-80, MEDELLIN", {"number": "12-80", "street": "AV 31", "city": "MEDELLIN"}),
        (
            "lv",
            "Liepu iela 3, Rīga, LV-1005",
            {"number": "3", "street": "Liepu iela", "city": "Rīga", "postcode": "LV-1005"},
        ),
        (
            "gh",
            "Palm Road, Accra, GA-041-7720",
            {"street": "Palm Road", "city": "Accra", "postcode": "GA-041-7720"},
        ),
    ],
)
def test_parts_that_their_own_words_announce(code: str, text: str, parts: dict[str, str]) -> None:
    assert _norm(code, text) == parts


@pytest.mark.parametrize(
    ("code", "text", "parts"),
    [
        (
            "pl",
            "26-600 Radom Lipowa 12",
            {"number": "12", "street": "Lipowa", "city": "Radom", "postcode": "26-600"},
        ),
        (
            "pl",
            "82-440 Dzierzgonek ul.Jasna 3/7",
            {"number": "3/7", "street": "ul.Jasna", "city": "Dzierzgonek", "postcode": "82-440"},
        ),
        (
            "pl",
            "38-999 Kotlinka, Kotlinka 41",
            {"number": "41", "street": "Kotlinka", "city": "Kotlinka", "postcode": "38-999"},
        ),
        (
            "fr",
            "12 rue des Tilleuls, 77999 Mervault la Vallee",
            {"number": "12", "street": "rue des Tilleuls", "city": "Mervault la Vallee", "postcode": "77999"},
        ),
        (
            "my",
            "8 Jalan Kelapa 2, 42999 Kota Larang, Selangor D.E.",
            {
                "number": "8",
                "street": "Jalan Kelapa 2",
                "city": "Kota Larang",
                "state": "Selangor D.E",
                "postcode": "42999",
            },
        ),
        (
            "my",
            "LOT 310&311 JALAN KELAPA UTARA, 80310 JOHOR BAHRU",
            {
                "number": "310&311",
                "street": "JALAN KELAPA UTARA",
                "city": "JOHOR BAHRU",
                "postcode": "80310",
            },
        ),
        (
            "gb",
            "41 Cornhill London EC3V 3ND",
            {"number": "41", "street": "Cornhill", "city": "London", "postcode": "EC3V 3ND"},
        ),
        (
            "cz",
            "ul. Jana Lipy la, 602 00 BRNO",
            {"street": "ul. Jana Lipy la", "city": "BRNO", "postcode": "602 00"},
        ),
    ],
)
def test_city_beside_its_postcode(code: str, text: str, parts: dict[str, str]) -> None:
    assert _norm(code, text) == parts


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Ventspils. Liepu iela 3", {"number": "3", "street": "Liepu iela", "city": "Ventspils"}),
        (
            "LIEPU IELA 3. VENTSPILS. LATVIJA",
            {"number": "3", "street": "LIEPU IELA", "city": "VENTSPILS", "country": "LATVIJA"},
        ),
        ("J. Liepas iela 3, Ventspils", {"number": "3", "street": "J. Liepas iela", "city": "Ventspils"}),
    ],
)
def test_points_beside_a_known_city_are_commas(text: str, parts: dict[str, str]) -> None:
    assert _norm("lv", text) == parts


@pytest.mark.parametrize(
    ("text", "number", "street", "building"),
    [
        ("1420 9TH AVE W, VANCOUVER, BC", "1420", "9TH AVE W", None),
        ("10342 - 87 Street, Edmonton AB", "10342", "87 Street", None),
        ("4015, 118 Street, Edmonton, AB", "4015", "118 Street", None),
        ("4015-118 St NW, Edmonton, AB", "4015", "118 St NW", None),
        ("118 Street, Edmonton, AB", None, "118 Street", None),
        ("Suite 2140 7715-160 Street, Edmonton, AB", "7715", "160 Street", "Suite 2140"),
        ("Unit 6 305 - 21st Avenue, Calgary, AB", "305", "21st Avenue", "Unit 6"),
        ("14 Avenue Road, Toronto, ON", "14", "Avenue Road", None),
    ],
)
def test_number_before_a_numbered_street(
    text: str, number: str | None, street: str, building: str | None
) -> None:
    found = _norm("ca", text)
    assert (found.get("number"), found["street"], found.get("building")) == (number, street, building)


def test_the_end_of_a_name_is_no_street_word() -> None:
    found = _norm("gb", "41-45 Swinegate, Leeds LS1 4AG")
    assert (found["number"], found["street"]) == ("41-45", "Swinegate")


def test_label_before_an_east_asian_address() -> None:
    expected = {
        "number": "8",
        "street": "매화로",
        "suburb": "덕진구",
        "city": "전주시",
        "state": "전라북도",
    }
    assert _norm("kr", "주 소: 전라북도 전주시 덕진구 매화로 8") == expected


@pytest.mark.parametrize(
    ("code", "text", "parts"),
    [
        (
            "id",
            "Jalan Melati No. 9, Pekanbaru - Riau - Indonesia + 28131",
            {
                "number": "9",
                "street": "Jalan Melati",
                "city": "Pekanbaru",
                "state": "Riau",
                "postcode": "28131",
                "country": "Indonesia",
            },
        ),
        (
            "sg",
            "10 Hill Street, Singapore 079903",
            {"number": "10", "street": "Hill Street", "city": "Singapore", "postcode": "079903"},
        ),
        (
            "us",
            "14 CEDAR AVE, FRESNO. CA 93728",
            {"number": "14", "street": "CEDAR AVE", "city": "FRESNO", "state": "CA", "postcode": "93728"},
        ),
        (
            "es",
            "Ctra. de Cádiz, km 12, Local 7",
            {"building": "Local 7", "street": "Ctra. de Cádiz", "suburb": "km 12"},
        ),
        (
            "ma",
            "AUTOROUTE FES OUJDA, 35000 TAZA",
            {"street": "AUTOROUTE FES OUJDA", "city": "TAZA", "postcode": "35000"},
        ),
    ],
)
def test_what_stands_beside_a_citys_name_says_what_it_is(code: str, text: str, parts: dict[str, str]) -> None:
    assert _norm(code, text) == parts


@pytest.mark.parametrize(
    ("code", "text", "parts"),
    [
        (
            "my",
            "109, SS7/1A, DAMANSARA UTAMA",
            {"number": "109", "street": "SS7/1A", "suburb": "DAMANSARA UTAMA"},
        ),
        (
            "in",
            "G-19, Larch Point, Sector 4, Gurgaon",
            {"number": "G-19", "street": "Larch Point", "suburb": "Sector 4", "city": "Gurgaon"},
        ),
        (
            "my",
            "LG K07, Lower End, The Larches, Middle Valley, 57300 Kuala Lumpur",
            {
                "building": "LG K07",
                "street": "Lower End",
                "suburb": "The Larches, Middle Valley",
                "city": "Kuala Lumpur",
                "postcode": "57300",
            },
        ),
    ],
)
def test_no_part_is_lost_without_a_word_for_a_street(code: str, text: str, parts: dict[str, str]) -> None:
    assert _norm(code, text) == parts


def test_a_branch_below_the_address_is_no_suburb() -> None:
    parts = _norm("my", "LOT 118, JALAN RINDU, TAMAN LARCH, 41200 KLANG, 0418-TAMAN BIRCH")
    assert parts["suburb"] == "TAMAN LARCH"


@pytest.mark.parametrize(
    ("code", "text", "parts"),
    [
        ("es", "C/ Tetera Vieja, 14 Bajo", {"street": "C/ Tetera Vieja", "number": "14", "building": "Bajo"}),
        ("es", "Av. Caldera, 22 Local 3", {"street": "Av. Caldera", "number": "22", "building": "Local 3"}),
        ("pt", "Rua Tacho, 22 1º Esq", {"street": "Rua Tacho", "number": "22", "building": "1º Esq"}),
        ("pt", "Largo da Chaleira, 3 R/C", {"street": "Largo da Chaleira", "number": "3", "building": "R/C"}),
        (
            "pt",
            "Avenida da Chaleira, 4210 Vila das Xícaras Azuis",
            {"street": "Avenida da Chaleira", "number": "4210", "suburb": "Vila das Xícaras Azuis"},
        ),
    ],
)
def test_a_house_number_with_a_floor_or_district(code: str, text: str, parts: dict[str, str]) -> None:
    found = _norm(code, text + (", 28013 Madrid" if code == "es" else ", 1150-012 Lisboa"))
    assert {key: found.get(key) for key in parts} == parts


@pytest.mark.parametrize(
    ("code", "text", "city", "state"),
    [
        ("es", "C/ Tetera 4, 28999 Caldereta (Madrid)", "Caldereta", "Madrid"),
        ("de", "Kesselweg 4, 35999 Kupferau (Hessen)", "Kupferau", "Hessen"),
        ("de", "Kesselweg 4, 06108 Halle (Saale)", "Halle (Saale)", None),
        ("ar", "Av. Tetera 999, (1876) Bernal - Bs. As.", "Bernal", "Bs. As"),
    ],
)
def test_the_region_in_brackets_behind_a_city(code: str, text: str, city: str, state: str | None) -> None:
    found = _norm(code, text)
    assert (found["city"], found.get("state")) == (city, state)
    assert "suburb" not in found


def test_a_word_for_a_town_is_no_suburb() -> None:
    found = _norm("vn", "99 Đường Ấm Đồng, P. Tân Lập, TP. Nha Trang")
    assert (found["suburb"], found["city"]) == ("P. Tân Lập", "Nha Trang")


@pytest.mark.parametrize(
    ("code", "text", "city", "country"),
    [
        ("fr", "4 quai du Cuivre, 29000 - QUIMPER (France)", "QUIMPER", "France"),
        ("de", "EISENACH, AHORNALLEE 4", "EISENACH", None),
    ],
)
def test_the_city_stands_above_the_street_or_before_a_country_in_brackets(
    code: str, text: str, city: str, country: str | None
) -> None:
    found = _norm(code, text)
    assert (found.get("city"), found.get("country"), found.get("building")) == (city, country, None)


def test_a_region_s_code_before_the_town_is_no_house_number() -> None:
    found = _norm("ru", "109999, 77, Москва г., Медный проезд, д.4, стр. 2")
    assert (found["city"], found["street"], found["number"]) == ("Москва", "Медный проезд", "4")


@pytest.mark.parametrize(
    ("text", "number", "street"),
    [
        ("14 91 ST NW Calgary. AB", "14", "91 ST NW"),
        ("16 Birch Avenue SW Calgary AB", "16", "Birch Avenue SW"),
        ("Unit 40 8812-70 Street.CalGary AB. T2E 1K1", "8812", "70 Street"),
        ("9 Birch Road.Toronto ON", "9", "Birch Road"),
    ],
)
def test_a_city_behind_a_street_in_its_row(text: str, number: str, street: str) -> None:
    found = _norm("ca", text)
    assert (found["number"], found["street"]) == (number, street)
    assert found["city"].lower() in ("calgary", "toronto")


@pytest.mark.parametrize(
    ("text", "suburb", "city", "state"),
    [
        ("AV. COBRE 142, LIMA - LIMA - BARRANCO", "BARRANCO", "LIMA", "LIMA"),
        ("JR. COBRE 142, PUNO - LAMPA - LAMPA", "LAMPA", "LAMPA", "PUNO"),
        ("AV. COBRE NRO. 30 URB. EL KENDI LIMA - LIMA - ATE", "EL KENDI, ATE", "LIMA", "LIMA"),
        ("Jr. Cobre #70, SAN ISIDRO - LIMA - LIMA", "SAN ISIDRO", "LIMA", "LIMA"),  # the usual order
    ],
)
def test_places_from_the_largest_to_the_smallest(text: str, suburb: str, city: str, state: str) -> None:
    found = _norm("pe", text)
    assert (found["suburb"], found["city"], found["state"]) == (suburb, city, state)


@pytest.mark.parametrize(
    ("code", "text", "parts"),
    [
        (  # a word for a town that ends in one for a street
            "vn",
            "31 Trà Xanh, Phường 4, Thành phố Vũng Tàu",
            {"number": "31", "street": "Trà Xanh", "suburb": "Phường 4", "city": "Vũng Tàu"},
        ),
        (  # a suburb's word right behind the house number
            "mx",
            "COBRE # 78 COL LAS TETERAS, CIUDAD DE MEXICO 02770",
            {"number": "78", "street": "COBRE", "suburb": "LAS TETERAS", "city": "CIUDAD DE MEXICO"},
        ),
        (  # a postcode before the city, which the country prints behind it as well
            "ph",
            "15 Kettle Street, Bicutan, 1630 Taguig City, Metro Manila",
            {"suburb": "Bicutan", "city": "Taguig City", "postcode": "1630", "state": "Metro Manila"},
        ),
        (
            "ph",
            "15 Kettle Street Phase 5 Bicutan 1630 Taguig City, NCR, Philippines",
            {"number": "15", "city": "Taguig City", "postcode": "1630", "state": "NCR"},
        ),
        (
            "ph",
            "50 Kettle St., Poblacion 1200, City of Makati, NCR",
            {"suburb": "Poblacion", "city": "Makati", "postcode": "1200"},
        ),
        (
            "ja",
            "〒690-0017, 島根県松江市西津田1208番地9",
            {"number": "1208番地9", "suburb": "西津田", "city": "松江市"},
        ),
        (  # a town behind the house number
            "co",
            "Calle 14 # 9-32 Valledupar",
            {"street": "Calle 14", "number": "9-32", "city": "Valledupar"},
        ),
        (
            "co",
            "DG 41 SUR # 17B-24, BOGOTA",
            {"street": "DG 41 SUR", "number": "17B-24", "city": "BOGOTA"},
        ),
        (
            "gb",
            "Kettle House, 24 Tin Viaduct London, EC1A 9ZZ",
            {"building": "Kettle House", "number": "24", "street": "Tin Viaduct", "city": "London"},
        ),
    ],
)
def test_places_beside_their_words(code: str, text: str, parts: dict[str, str]) -> None:
    found = _norm(code, text)
    assert {key: found.get(key) for key in parts} == parts


@pytest.mark.parametrize(
    ("text", "city", "state"),
    [
        ("STR. TEIULUI NR. 4, COM. ARAMA MARE JUD. OLT", "ARAMA MARE", "JUD. OLT"),
        ("Str. Teiului 4, Arama de Sus, JUDETUL TELEORMAN", "Arama de Sus", "JUDETUL TELEORMAN"),
        ("ORAS ARAMA, BD. TEIULUI NR. 4, JUD. ILFOV", "ARAMA", "JUD. ILFOV"),
    ],
)
def test_a_romanian_town_and_county_behind_their_words(text: str, city: str, state: str) -> None:
    found = _norm("ro", text)
    assert (found["city"], found["state"], found["number"]) == (city, state, "4")
    assert "building" not in found or found["building"] is None


@pytest.mark.parametrize(
    ("code", "text", "parts"),
    [
        (
            "br",
            "RODOVIA SP 410 KM 22, 210 CHÁCARA DO IPÊ, JAGUARIÚNA-SP 13820-000",
            {
                "number": "210",
                "street": "RODOVIA SP 410 KM 22",
                "suburb": "CHÁCARA DO IPÊ",
                "city": "JAGUARIÚNA",
                "state": "SP",
                "postcode": "13820-000",
            },
        ),
        (
            "br",
            "RODOVIA BR 277 KM 5, S/N, PARQUE INDUSTRIAL, CURITIBA - PR",
            {
                "number": "S/N",
                "street": "RODOVIA BR 277 KM 5",
                "suburb": "PARQUE INDUSTRIAL",
                "city": "CURITIBA",
                "state": "PR",
            },
        ),
    ],
)
def test_number_of_a_road_is_a_part_of_its_name(code: str, text: str, parts: dict[str, str]) -> None:
    assert _norm(code, text) == parts


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "RUA DO CEDRO, 88 Não Informado, BAIRRO BOA VISTA, ITU - SP",
            {"number": "88", "street": "RUA DO CEDRO", "suburb": "BOA VISTA", "city": "ITU", "state": "SP"},
        ),
        (
            "Avenida Leste S/n Setor Sul 4, Campinas - SP",
            {
                "number": "S/n",
                "street": "Avenida Leste",
                "suburb": "Setor Sul 4",
                "city": "Campinas",
                "state": "SP",
            },
        ),
    ],
)
def test_words_for_a_part_that_is_not_given(text: str, parts: dict[str, str]) -> None:
    assert _norm("br", text) == parts


@pytest.mark.parametrize(
    ("text", "suburb", "postcode"),
    [
        (
            "RUA A, N° 5 - LOTE 3, Bairro: JARDIM NOVO - CEP: 13188-000 - SUMARÉ - SP",
            "JARDIM NOVO",
            "13188-000",
        ),
        ("RUA DO PINHO, 340, CEP:88160-200 RIO FUNDO - BIGUAÇU/SC", "RIO FUNDO", "88160-200"),
    ],
)
def test_labels_of_a_suburb_and_a_postcode_inside_the_address(text: str, suburb: str, postcode: str) -> None:
    found = _norm("br", text)
    assert found["suburb"].split(", ")[-1] == suburb
    assert found["postcode"] == postcode


@pytest.mark.parametrize(
    ("code", "text", "building", "number", "street"),
    [
        ("ca", "310 HOLLIS RD. S.W. UNIT #4, CALGARY, ALBERTA T2J 3V1", "UNIT #4", "310", "HOLLIS RD. S.W"),
        ("ca", "4410 Garnet Ave Suite 210, Burnaby BC V5H 2A9", "Suite 210", "4410", "Garnet Ave"),
        ("ca", "#210, 4410 Garnet Ave, Burnaby BC V5H 2A9", "#210", "4410", "Garnet Ave"),
        ("au", "8 Finch St Unit C, Preston VIC 3072", "Unit C", "8", "Finch St"),
        ("za", "Shop 9 Anchor Road, Hermanus 7200", "Shop 9", None, "Anchor Road"),
        (
            "au",
            "Shop 4 Crown Plaza, 20 Smith St, Parramatta NSW 2150",
            "Shop 4 Crown Plaza",
            "20",
            "Smith St",
        ),
    ],
)
def test_unit_before_or_behind_the_street(
    code: str, text: str, building: str, number: str | None, street: str
) -> None:
    found = _norm(code, text)
    assert (found.get("building"), found.get("number"), found["street"]) == (building, number, street)


def test_corner_of_two_streets_is_the_street() -> None:
    found = _norm("au", "Cnr Banksia & Wattle Sts, Mount Lawley WA 6050")
    assert (found["street"], found["city"], found.get("suburb")) == (
        "Cnr Banksia & Wattle Sts",
        "Mount Lawley",
        None,
    )


@pytest.mark.parametrize(
    ("text", "street", "country"),
    [
        ("12 Harbor St, (bet. 3rd & 4th Ave.), Portland, OR 97201", "Harbor St", None),
        ("12 Harbor St., Bet. Larch & 6th Ave, Portland, OR 97201", "Harbor St", None),
        ("12 HARBOR STREET (CORNER OF LARCH), PORTLAND, OR 97201", "HARBOR STREET", None),
        ("Rte 31 & Harbor Rd, Portland, OR 97201", "Rte 31 & Harbor Rd", None),
        (
            "12 Harbor Road NE, Portland, OR 97201, United States of America",
            "Harbor Road NE",
            "United States of America",
        ),
    ],
)
def test_cross_streets_and_the_country_are_no_part_of_the_street(
    text: str, street: str, country: str | None
) -> None:
    found = _norm("us", text)
    assert (found["street"], found.get("country")) == (street, country)
    assert (found["city"].title(), found["state"], found["postcode"]) == ("Portland", "OR", "97201")


def test_city_that_is_also_a_state_behind_the_postcode() -> None:
    found = _norm("ke", "P.O. Box 1204-00100 Nairobi, Acacia Road, Karen")
    assert (found["city"], found["postcode"], found["suburb"]) == ("Nairobi", "00100", "Karen")


def test_city_state_has_no_other_city() -> None:
    found = _norm("sg", "18 Quarry Park Ave 2, Kestrel Hub EAST 468017")
    assert (found.get("city"), found["suburb"], found["postcode"]) == (None, "Kestrel Hub EAST", "468017")
    assert _norm("sg", "40 BEACH ROAD, #02-02 S'PORE 189766")["city"] == "S'PORE"


def test_initials_are_no_word_for_a_missing_number() -> None:
    assert _norm("in", "12 S N Mehta Road, Kolkata 700013")["street"].endswith("N Mehta Road")


@pytest.mark.parametrize(
    ("code", "text", "street", "number"),
    [
        ("ch", "Landstrasse 99, 5430 Wettingen", "Landstrasse", "99"),
        ("hr", "Obala bb, 21000 Split", "Obala", "bb"),
        ("rs", "Трг липа бб, 21000 Нови Сад", "Трг липа", "бб"),
        ("es", "Avda. del Olmo, s/n, 14700 Palma", "Avda. del Olmo", "s/n"),
        ("it", "Via del Rame snc, 53100 Siena (SI)", "Via del Rame", "snc"),
        ("pt", "Lg. do Cobre, 7-9, 8600-661 Lagos", "Lg. do Cobre", "7-9"),
        ("ru", "г. Тихвин, 3-й микрорайон, д. 33", "3-й микрорайон", "33"),
        ("ua", "м. Львів, пл. Мідна, 12", "пл. Мідна", "12"),
        ("nl", "Kopergracht 226-hs, 1012 RR Amsterdam", "Kopergracht", "226-hs"),
        ("cy", "Λεωφόρος Χαλκού 12, 1065 Λευκωσία", "Λεωφόρος Χαλκού", "12"),
    ],
)
def test_a_house_number_or_the_word_in_its_place(code: str, text: str, street: str, number: str) -> None:
    found = _norm(code, text)
    assert (found["street"], found["number"]) == (street, number)
    assert "city" in found


@pytest.mark.parametrize(
    ("code", "text", "parts"),
    [
        ("ch", "Via del Rame 33, CH - 6648 Minusio", {"city": "Minusio", "postcode": "6648"}),
        ("ro", "Str. Aramei nr. 5, Bucuresti Sector 3", {"city": "Bucuresti", "suburb": "Sector 3"}),
        ("cz", "Lipová 8/14, 186 00 Praha 8 - Karlín", {"city": "Praha 8", "suburb": "Karlín"}),
        ("bg", "гр. София 1000, ул. Медна № 12", {"city": "София", "postcode": "1000"}),
        ("it", "Loc. Colle di Sopra 4, 53100 Siena (SI)", {"city": "Siena", "state": "SI"}),
    ],
)
def test_a_city_beside_its_postcode_or_district(code: str, text: str, parts: dict[str, str]) -> None:
    found = _norm(code, text)
    assert {key: found.get(key) for key in parts} == parts
    assert "suburb" in parts or "suburb" not in found


@pytest.mark.parametrize(
    ("code", "text", "city", "state"),
    [
        ("it", "Via del Rame, 14, 40126 Bologna BO", "Bologna", "BO"),  # "Bo." is also a barrio
        ("eg", "12 Nile St, 6th of October 12573", "6th of October", None),
        ("au", "1 The Esplanade, Mooloolaba Qld 4557", "Mooloolaba", "Qld"),
        ("ca", "118 MAIN ST. N., MOOSE JAW, SASK., S6H 3J9", "MOOSE JAW", "SASK"),
        ("pa", "Calle 9, Bo. San Roque, Colón", "Colón", None),
    ],
)
def test_city_beside_its_state_or_with_a_number(code: str, text: str, city: str, state: str | None) -> None:
    found = _norm(code, text)
    assert (found["city"], found.get("state")) == (city, state)


@pytest.mark.parametrize(
    ("code", "text", "parts"),
    [
        (
            "it",
            "Fraz. Rame, 44/B, 06034 FOLIGNO (PG)",
            {"number": "44/B", "street": "Fraz. Rame", "city": "FOLIGNO", "state": "PG", "postcode": "06034"},
        ),
        (
            "tr",
            "Bakır Mah. Kazan Sok. No: 7, Göreme - Nevşehir",
            {"number": "7", "street": "Kazan Sok", "suburb": "Göreme, Bakır Mah", "city": "Nevşehir"},
        ),
        (
            "ca",
            "447, boul. Cuivre, bureau 118, Québec (Québec) G1V 2M2",
            {
                "building": "bureau 118",
                "number": "447",
                "street": "boul. Cuivre",
                "city": "Québec",
                "state": "Québec",
                "postcode": "G1V 2M2",
            },
        ),
        ("sa", "حي النحاس، شارع القدر، جدة", {"street": "شارع القدر", "suburb": "النحاس", "city": "جدة"}),
        (
            "ie",
            "Copper Road, Bundoran, Co Donegal F94 X4P1",
            {"street": "Copper Road", "city": "Bundoran", "state": "Co Donegal", "postcode": "F94 X4P1"},
        ),
        (
            "id",
            "Jl. Tembaga 8-12 Surabaya",
            {"number": "8-12", "street": "Jl. Tembaga", "city": "Surabaya"},
        ),
        (
            "th",
            "44 ถ.พระราม 9 ห้วยขวาง, กรุงเทพฯ 10310",
            {
                "number": "44",
                "street": "ถ.พระราม 9",
                "suburb": "ห้วยขวาง",
                "city": "กรุงเทพฯ",
                "postcode": "10310",
            },
        ),
        (
            "ae",
            "Food Court, Level 2, Kettle Mall, Abu Dhabi",
            {"building": "Food Court, Level 2, Kettle Mall", "city": "Abu Dhabi"},
        ),
        (
            "ec",
            "10 de Agosto 4-47 y Bolívar, LOJA",
            {"number": "4-47", "street": "10 de Agosto", "city": "LOJA"},
        ),
        (
            "es",
            "PLZA. MAYOR, 3 BAJO, 26200 HARO",
            {
                "building": "BAJO",
                "number": "3",
                "street": "PLZA. MAYOR",
                "city": "HARO",
                "postcode": "26200",
            },
        ),
    ],
    ids=[
        "hamlet",
        "quarter",
        "boulevard",
        "Arabic comma",
        "county",
        "range",
        "Thai district",
        "mall",
        "crossing",
        "ground floor",
    ],
)
def test_parts_between_other_separators_and_labels(code: str, text: str, parts: dict[str, str]) -> None:
    assert _norm(code, text) == parts


@pytest.mark.parametrize(
    ("code", "text", "parts"),
    [
        ("us", "12 W Larch.Suite 4, Portland, OR 97201", {"building": "Suite 4", "street": "W Larch"}),
        ("us", "12 Mill Ave.Portland OR97201", {"street": "Mill Ave", "city": "Portland", "state": "OR"}),
        ("us", "12 Mill St, Rapid City.SD 57703", {"city": "Rapid City", "state": "SD"}),
        ("us", "12 Mill St, Portland, OR.97201", {"city": "Portland", "state": "OR", "postcode": "97201"}),
        ("us", "12 Mill St, St.Louis, MO 63101", {"city": "St.Louis", "state": "MO"}),
        ("gb", "4a High Street.Ludlow, Shropshire SY8 1BS", {"street": "High Street", "city": "Ludlow"}),
    ],
)
def test_a_comma_may_have_been_read_as_a_point(code: str, text: str, parts: dict[str, str]) -> None:
    assert parts.items() <= _norm(code, text).items()
