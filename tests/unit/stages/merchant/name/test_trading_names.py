"""The shop's own name where the company's is printed beside it."""

from __future__ import annotations

import pytest

from tests.unit.stages.merchant.merchant_contexts import merchant_of

TAIL = "\n\n12/03/2024 18:42\nSoup    17,00\nTOTAL    17,00\n"


@pytest.mark.parametrize(
    ("region", "head", "name"),
    [
        (
            "tr",
            "BAKIR LOKANTASI\nTEPE GIDA SAN. TİC. LTD. ŞTİ.\nATATÜRK CAD. NO:4\nÇANKAYA / ANKARA",
            "BAKIR LOKANTASI",
        ),
        (
            "co",
            "ASADERO EL CALDERO\nINVERSIONES DEL VALLE S.A.S\nCarrera 15 # 88-24 Bogotá D.C.",
            "ASADERO EL CALDERO",
        ),
        (
            "lt",
            'UAB "Vario prekyba"\nParduotuvė "Katilas"\nVilniaus g. 22, LT-01402 Vilnius',
            'Parduotuvė "Katilas"',
        ),
        ("us", "COPPER HOLDINGS INC\n12 Harbor Street\nPortland, OR 97201", "COPPER HOLDINGS INC"),
        (
            "my",
            "MERPATI JAYA SDN BHD\nRESTORAN TEMBAGA\nNO. 7, JALAN MERPATI 3,\n86000 KLUANG, JOHOR",
            "MERPATI JAYA SDN BHD",
        ),
        (
            "gb",
            "KETTLE LOCAL\nKettle Supermarkets Ltd\n12 High Street, Marlow, SL7 1AA",
            "KETTLE LOCAL",
        ),
        (
            "pe",
            "GRIFO SAN MARTIN\nENERGIA DEL PACIFICO S.A.C.\nAV. LA MARINA 1822 SAN MIGUEL - LIMA",
            "GRIFO SAN MARTIN",
        ),
        ("kr", "[매장명] 구리주전자\n[주소] 경기도 수원시 영통구 봉영로 1612", "구리주전자"),
        ("ee", "Katlaapteek\nVask Kaubandus OÜ\nPikk 14, 10123 Tallinn", "Katlaapteek"),
        ("it", "Albergo Torrente\nTorrente S.r.l.\nVia Roma 14\n28838 Stresa VB", "Albergo Torrente"),
        ("ua", 'ТОВ "МІДНИЙ ДЗВІН"\nАЗС №9\nм. Львів, вул. Зелена, 14', 'ТОВ "МІДНИЙ ДЗВІН"'),
        (
            "gb",
            "THE COPPER MARLIN\nLarch Ventures Ltd\n12 Harbour Street\nLeeds LS1 4DY",
            "THE COPPER MARLIN",
        ),
        (
            "gb",
            "Copper Kettle Cafe\nCopper Kettle Ltd\n12 Harbour Street\nLeeds LS1 4DY",
            "Copper Kettle Cafe",
        ),
        (
            "no",
            "K&V\nK&V Kobber og Vann AS\nStorgata 14\n0155 Oslo",
            "K&V",
        ),
        (
            "fi",
            "OSUUSKAUPPA KUPARINEN 0112038-9\nS-MARKET KATTILA\nKAUPPAKATU 4 TAMPERE",
            "S-MARKET KATTILA",
        ),
        (
            "bg",
            "МЕДЕН ЗВЪН ЕООД\nСОФИЯ, БУЛ. ВИТОША 14\nРЕСТОРАНТ СТАРАТА КЪЩА\nВАРНА, УЛ. РАКОВСКИ 3",
            "РЕСТОРАНТ СТАРАТА КЪЩА",
        ),
        (
            "in",
            "kettlemart.example\nCopper Holdings Pvt. Ltd.\n14 Mill Road, Pune 411001",
            "kettlemart.example",
        ),
    ],
)
def test_the_name_that_tells_the_trade(region: str, head: str, name: str) -> None:
    found = merchant_of(head + TAIL, region).name
    assert found is not None and found.value == name


@pytest.mark.parametrize(
    ("region", "head", "name"),
    [
        ("de", "EDEKA Kesselmarkt\nInh. Paula Kupfer\nTorgasse 4\n20095 Hamburg", "EDEKA Kesselmarkt"),
        ("pl", "P.U.H. MIEDZ\nSklep Lewiatan B0418\nul. Prosta 7, 30-001 Krakow", "Lewiatan"),
        (
            "hu",
            "Rez Bolt Kft.\n1138 Budapest, Vaci ut 7.\nMarket Spar nr. 0418\n2000 Szentendre, Fo ter 2.",
            "Spar",
        ),
        (
            "hu",
            "Rez Etterem Kft.\n1138 Budapest, Vaci ut 7.\nBurger King Szeged\n6720 Szeged, Fo ter 2.",
            "Burger King Szeged",
        ),
        (
            "lt",
            'UAB "Vario prekyba"\nparduotuve "IKI"\nVilniaus g. 22, LT-01402 Vilnius',
            "IKI",
        ),
        ("rs", "BAKARNI KOTAO DOO BEOGRAD\nMAXI 418\nBULEVAR OSLOBODJENJA 4\nNOVI SAD", "MAXI"),
        ("it", "CONAD CITY\nRAME & FIGLI S.N.C.\nVIA ROMA 4\n28838 STRESA VB", "CONAD CITY"),
        ("us", "WinCo\nFOODS\nThe Market Low Price Leader\n118 S Main\nPortland OR 97201", "WinCo FOODS"),
    ],
)
def test_a_chain_above_who_runs_the_shop(region: str, head: str, name: str) -> None:
    found = merchant_of(head + TAIL, region)
    assert found.name is not None
    assert found.name.value == name
