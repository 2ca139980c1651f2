from __future__ import annotations

import pytest

from tests.unit.stages.printed_receipts import printed

_SHOP = "LINDEN HARDWARE\n14 Mill Street\n{line}\n\nHammer      12.00\nTOTAL       12.00\nCASH        12.00\n"


@pytest.mark.parametrize(
    ("code", "line", "number"),
    [
        ("us", "Tel: (541) 555-0134", "(541) 555-0134"),
        ("gb", "Tel: (01904) 555 012", "(01904) 555 012"),
        ("de", "Tel. (06221) 55501", "(06221) 55501"),
        ("ja", "本町店TEL03-3930-0148", "03-3930-0148"),
        ("fr", "04.76.58.21.94", "04.76.58.21.94"),
        ("sg", "6738 4295", "6738 4295"),
        ("hk", "2971 3705", "2971 3705"),
        ("vn", "DT: 0236.3746.285", "0236.3746.285"),
        ("gr", "THA26510 48236", "26510 48236"),
        ("it", "Te1.0289374615", "0289374615"),
        ("to", "T 28-368", "28-368"),
        ("to", "PH 28-368   TIN 118842", "28-368"),
        ("us", "Tel:5415550134 Open 9am-11pm", "5415550134"),
        ("be", "BTW-TVA BE 0403.019.261 02/5550134", "02/5550134"),
        ("pt", "Cont:508441184  T.213 424 118", "213 424 118"),
        ("de", "50226 ElmfordTel.06221/55501", "06221/55501"),
        ("eg", "Tel:0111 11 17 81/0911 118844", "0111 11 17 81"),
        ("pt", "R. AUGUSTA 118  1100-053 LISBOA\nNIF: 508441184   Tel: 213 424 118", "213 424 118"),
        ("it", "Te1.0289374615-info@linden.example", "0289374615"),
        ("ca", "T 902-555-0174desk@linden.example", "902-555-0174"),
        ("us", "Springfield, OR 97477 (541) 555-0134", "(541) 555-0134"),
        ("us", "541-555-0134 541-555-0135", "541-555-0134"),
        ("us", "Springfield, OR 97477 541-555-0134", "541-555-0134"),
        ("us", "Fhone(541)555-0134", "(541)555-0134"),
        ("us", "Springfield OR 97477  5415550134", "5415550134"),
        ("us", "97477  541 555 0134", "541 555 0134"),
        ("ph", "Cp:0917-555-0134", "0917-555-0134"),
        ("us", "(541)5550134   Drive Thru", "(541)5550134"),
        ("pk", "Gulberg III Lahore UAN042-111-555-013", "042-111-555-013"),
        ("mt", "MOB 7955 0134", "7955 0134"),
        ("sk", "t.č. 0905 550 134", "0905 550 134"),
        ("kg", "Tel. 0312 55-01-34", "0312 55-01-34"),
        ("co", "DOMICILIOS 604 555 01 34 - 300 555 0134", "604 555 01 34"),
        ("gb", "Bookings 01904 555012", "01904 555012"),
        ("us", "541-S55-0l34", "541-555-0134"),
        ("de", "Tel. 0G221/55501", "06221/55501"),
        ("fr", "04.76.5B.2l.94", "04.76.58.21.94"),
        ("my", "TEL+60387301945", "+60387301945"),
        ("ke", "Cel1 0712 404 318", "0712 404 318"),
        ("se", "Tfn 08-555 013 40", "08-555 013 40"),
        ("at", "Tel. 0043/5285/44711", "0043/5285/44711"),
        ("us", "STORE # 12  541-555-0134", "541-555-0134"),
        ("us", "Store: 0412 (541) 555-0134", "(541) 555-0134"),
        ("us", "Ph No: 555-0134", "555-0134"),
        ("us", "Tel.#541-555-0134", "541-555-0134"),
        ("my", "TEL:NO-03-5120048", "03-5120048"),
        ("in", "PH-22705981 / 22705346", "22705981"),
        ("us", "541) 555-0134", "541) 555-0134"),
        ("nl", "201417260\n1 Soup 4,00", "201417260"),
        ("nl", "201417260 Tel", "201417260"),
        ("kg", "Тел: +996 312 61-10-23", "+996 312 61-10-23"),
        ("kz", "Тел. 8 (7172) 15-08-24", "8 (7172) 15-08-24"),
        ("us", "[541] 555-0134", "[541] 555-0134"),
        ("my", "03-51200481\\03-51200482", "03-51200481"),
        ("ch", "Tel 021 555 43 21/30", "021 555 43 21"),
        ("us", "For questions contact us\nat: 541-555-0134", "541-555-0134"),
        ("za", "*170244 4051 2207318 14/06/2019 09:12\n021 417 3306", "021 417 3306"),
        ("eg", "Hotline: 19055", "19055"),
        ("my", "TEL 1-300-80-CAKE (2253)", "1-300-80-CAKE"),
        ("my", "223 4190 223 4191", "223 4190"),
        ("us", "541-555-0134\nDeliver to: 12 Elm Street\nPhone: 541-555-0177", "541-555-0134"),
        ("fr", "04.76.58.21.94\nTél client : 06 12 34 56 78", "04.76.58.21.94"),
        ("us", "Customer service: 541-555-0134", "541-555-0134"),
        ("it", "Tel. 039 555018                    20052 Vignate (MI)", "039 555018"),
        ("de", "Fax 0511 73846 119  Tel 0511 73846 118", "0511 73846 118"),
        ("ca", "PHONE ( 403)555-0146", "(403)555-0146"),  # a blank behind the bracket
        ("ca", "Ph: <403) 555-0146", "(403) 555-0146"),  # its bracket misread
        ("ca", "STORE MGR INES VAAL     403- 244- 0146", "403- 244- 0146"),
        ("ca", "INES VAAL STORE MANAGER 403 244-0146", "403 244-0146"),
        ("gb", "Registration No: 08114275 +44 (0)20 7946 0585", "+44 (0)20 7946 0585"),
        ("ng", "+234 701 738 4410", "+234 701 738 4410"),
        ("us", "Elko NV 541 S55-O134", "541 555-0134"),  # letters that are misread digits
        ("us", "Elko NV 89801 54l 555-0134", "541 555-0134"),
        ("gb", "Phone 020 79q6 O018", "020 7996 0018"),
        ("nz", "GST No 118-220-447   09 555 0134", "09 555 0134"),  # a tax number and a telephone
        ("sg", "TEL:67384295DATE:12/03/2026", "67384295"),  # before a word, without the blank
        ("gb", "Tel 01904 555 O12VAT 987 6543 21", "01904 555 012"),
        ("us", "541-555-0134Server Ann", "541-555-0134"),
        ("fi", "Puh 010 555 0134 (8,35snt/puh)", "010 555 0134"),
        ("ja", "電話O3-3930-0148", "03-3930-0148"),
    ],
)
def test_telephones_are_given_as_printed(code: str, line: str, number: str) -> None:
    phone = printed(code, _SHOP.format(line=line)).contacts.phone
    assert phone is not None
    assert phone.value == number


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("tr", "I:1982030 T:03391805 519324******0148"),  # a card's, its middle hidden
        ("us", "EIN 82-4232425"),
        ("us", "Seattle, WA 98104"),
        ("us", "Fax: (541) 555-0134"),
        ("gb", "VAT: 739 184 602"),
        ("fr", "5,5% 44,95 2,47 47,42"),
        ("nz", "Labour per hour 110.25 330.75"),
        ("id", "Struk: 026.4464.694"),
        ("id", "2 TELUR AYAM 40.900"),
        ("ja", "〒460-1507"),
        ("ar", "Nro. T. 0001-88193560"),
        ("pe", "B002-0044711"),
        ("us", "8714820361957"),
        ("se", "Datum: 2021-06-054"),
        ("nl", "201417260 ANN"),
        ("de", "Datum 0511 738461"),
        ("pt", "R. AUGUSTA 118  1100-053 LISBOA"),
        ("ke", "P.0 BOX 2046 - 20100 NAKURU"),
        ("ke", "P.O B0X 2047 - 20100 NAKURU"),
        ("us", "Invoice-5415550134"),
        ("my", "WA48 - 60/7200"),
        ("my", "Item HP07-294518"),
        ("gb", "A3 CARD 90gsm @ 3.10 6.20 44"),
        ("de", "Sparkasse Nord DE27 1005 0000 0024 2906 61"),
        ("de", "Konto NO93 8601 1117 947"),
        ("br", "003 118 CHA GELADO 2 UN"),
        ("de", "11.03.24  15:22  71160218"),
        ("ch", "CHF-116.330.552 MWST"),
        ("de", "Vertragskonto: 4511890274"),
        ("au", "1.300 KG4417 TOMATOES 2.99"),
        ("ca", "Suite 2140 7715-160 Street, Edmonton"),  # the street's name is a number
        ("us", "Server: Ana 15/03/2407"),
        ("us", "Vehicle number (541) 555-0134"),
        ("us", "Copy No 541-555-0134"),
        ("us", "Seal: 5415550134"),
        ("us", "B12 S55-O1"),
        ("gb", "020 79q6 O018"),
        ("es", "HALM GASTRO S.L. - B85118501"),
    ],
)
def test_other_numbers_are_no_telephones(code: str, line: str) -> None:
    assert printed(code, _SHOP.format(line=line)).contacts.phone is None


@pytest.mark.parametrize(
    ("code", "line", "number"),
    [
        ("cz", "Tel: +420 212 345\n905", "+420 212 345 905"),
        ("ru", "Тел: +7 (495)\n228-68-14", "+7 (495) 228-68-14"),
        ("us", "Tel: (541) 555-\n0134", "(541) 555-0134"),
        ("us", "Tel: (541) 555-0134\n97201", "(541) 555-0134"),
        ("de", "Tel. 030 9018 20\n10115", "030 9018 20"),
    ],
)
def test_a_number_cut_by_the_end_of_the_row_goes_on_in_the_next(code: str, line: str, number: str) -> None:
    phone = printed(code, _SHOP.format(line=line)).contacts.phone
    assert phone is not None and phone.value == number


def test_of_two_numbers_the_one_of_the_shop_is_given() -> None:
    text = _SHOP.format(line="Tel 020 7946 0018") + "Customer service 0800 555 0199\n"
    phone = printed("gb", text).contacts.phone
    assert phone is not None
    assert phone.value == "020 7946 0018"
    assert "0800 555 0199" in dict(phone.runners_up)


def test_a_number_of_the_shop_without_a_word_goes_before_the_free_line_of_the_chain() -> None:
    text = _SHOP.format(line="") + "LINDEN HARDWARE (541) 555-0134\nOr call 1-800-555-0199\n"
    phone = printed("us", text).contacts.phone
    assert phone is not None
    assert phone.value == "(541) 555-0134"


def test_a_number_behind_a_word_for_a_service_may_stand_at_the_foot() -> None:
    phone = printed("sg", _SHOP.format(line="") + "Feedback 6738 4295\n").contacts.phone
    assert phone is not None and phone.value == "6738 4295"


def test_a_code_before_the_name_of_goods_is_no_telephone() -> None:
    goods = (
        "001 1130005 LIMONADA\n1 UN 8,00(0)   8,00\n002 1330009 SUCO\n1 UN 6,00(0)   6,00\nTOTAL R$   14,00\n"
    )
    assert printed("br", f"LANCHONETE SERRA LTDA\nRUA DA FONTE, 12\n{goods}").contacts.phone is None


def test_letters_stand_for_digits_only_where_numbers_are_dialled_so() -> None:
    phone = printed("id", _SHOP.format(line="SMS 0811 1500 280 CALL 1500 280")).contacts.phone
    assert phone is not None
    assert phone.value == "0811 1500 280"
