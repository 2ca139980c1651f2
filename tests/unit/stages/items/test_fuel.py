"""Fuel and other goods whose volume, price and amount stand on rows of their own."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tests.unit.stages.printed_sheets import sheet


@pytest.mark.parametrize(
    ("text", "region", "name", "volume", "price", "amount"),
    [
        (
            "      STATION 7\n PUMP 06\n PRODUCT: UNLEADED\n GALLONS:     12.736\n PRICE/G:     $3.149\n"
            "FUEL SALE         $40.11\nTOTAL             $40.11\n",
            "us",
            "FUEL SALE",
            "12.736",
            "3.149",
            "40.11",
        ),
        (
            "      SPBU 12\n Nama Produk : SOLAR\n Harga/Liter : Rp. 13.600\n Volume : (L) 18,250\n"
            " Jumlah : Rp. 248.200\n No. Plat : D 12 AB\n TOTAL : Rp. 248.200\n CASH  260.000\n",
            "id",
            "SOLAR",
            "18.25",
            "13600",
            "248200",
        ),
        (
            "      XANG DAU MINH\n Mat hang : XANG RON 92-II\n So luong : 10.40 Lit\n"
            " Don gia : 21,500 VND/Lit\n Tien  223,600 VND\n Tien hang chua thue  207,037\n"
            " Thue GTGT 8%  16,563\n TONG THANH TOAN  223,600 VND\n",
            "vn",
            "XANG RON 92-II",
            "10.40",
            "21500",
            "223600",
        ),
        (
            "      油站\n油品:    DIESEL\n公升:    39.84 L\n每公升:    21.03\n金額:    837.84\n"
            "總數 $    837.84\n四捨五入    -0.04\n實付 $    837.80\n現金    837.80\n",
            "hk",
            "DIESEL",
            "39.84",
            "21.03",
            "837.84",
        ),
        (
            "      給油所\n商品:    軽油\n数量:    50.91 L\n単価:    177\n金額:    9,011\n"
            "合計    ￥9,011\n現金    9,100\nお釣    89\n",
            "ja",
            "軽油",
            "50.91",
            "177",
            "9011",
        ),
        (
            "      MOTOR STOP\nGRADE:    95\nVOL    3.633L\nPPU    2.75\nAMOUNT    9.99\nTOTAL    $9.99\n"
            "NETS    9.99\n",
            "sg",
            "95",
            "3.633",
            "2.75",
            "9.99",
        ),
        (
            "      TANKHOF\nGrade: BENZIN\nVOLUME: 54.836 L\nPPU: 23.74\nAMOUNT:   1301.81 Z\n"
            "Grand Total      1301.81\nCash Rounding      -0.01\nTotal      1301.80\nCASH   1301.80\n",
            "za",
            "BENZIN",
            "54.836",
            "23.74",
            "1301.81",
        ),
    ],
    ids=[
        "with a row of its own",
        "told by the total alone",
        "under a price with the currency behind it",
        "under a label that no file knows",
        "with a whole price",
        "named by its number",
        "before the total is rounded",
    ],
)
def test_volume_and_price_come_from_the_rows_around(
    text: str, region: str, name: str, volume: str, price: str, amount: str
) -> None:
    (item,) = sheet(text, region).items
    assert (item.desc_clean, item.unit, item.price) == (name, Decimal(volume), Decimal(price))
    assert item.total.value == Decimal(amount)


def test_numbers_that_do_not_multiply_to_an_amount_are_no_measure() -> None:
    (item,) = sheet(
        "      STATION 7\n GALLONS:     12.736\n PRICE/G:     $4.149\n"
        "FUEL SALE         $40.11\nTOTAL             $40.11\n",
        "us",
    ).items
    assert item.unit is None and item.price is None


def test_the_subtotal_tells_of_the_fuel_where_the_total_is_rounded() -> None:
    text = (
        "      FUEL STOP\nPRODUCT: DIESEL\nVOLUME: 22.153 L\nUnit price: 23.24\nSale:  514.84\n"
        "SUB-TOTAL    514.84\nCash Rounding    -0.04\nTotal    514.80\nCASH    514.80\n"
    )
    (item,) = sheet(text, "hk").items
    assert (item.desc_clean, item.total.value) == ("DIESEL", Decimal("514.84"))


def test_a_total_rounded_to_whole_units_is_no_price_of_the_fuel() -> None:
    text = (
        "      FUEL STOP\nPETROL    4.353L    116.38    506.60\nROUND OFF    0.40\nNET PAYABLE    507.00\n"
        "CASH    507.00\n"
    )
    (item,) = sheet(text, "in").items
    assert item.total.value == Decimal("506.60")


@pytest.mark.parametrize(
    ("region", "price", "amount"),
    [("ar", "1.465,02", "75.009,02"), ("co", "16.209,00", "829.901,00")],
)
def test_a_price_with_thousands_and_decimals_is_the_fuels(region: str, price: str, amount: str) -> None:
    text = (
        f"      ESTACION 9\n PRODUCTO: SUPER\n LITROS:   51,20 L\n PRECIO UNITARIO: {price}\n"
        f" IMPORTE:     {amount}\n\nTOTAL     {amount}\n"
    )
    (item,) = sheet(text, region).items
    assert item.unit == Decimal("51.20") and item.desc_clean == "SUPER"


def test_of_two_numbers_the_one_with_a_currency_is_the_price() -> None:
    text = (
        "      MARKET\nCARROTS FRESH             9.53\n 14.40 CZK/k9 x 0.662 k9\n"
        "BREAD ROLL                3.00\nTOTAL                    12.53\n"
    )
    item = sheet(text, "cz").items[0]
    assert (item.unit, item.price, item.qty) == (Decimal("0.662"), Decimal("14.40"), None)


def test_a_count_of_one_and_the_cash_are_no_volume_and_price() -> None:
    text = (
        "      TOOLS\n4012345678901 Hand saw\n1.000 STK                29.98 19\n"
        "SUMME EUR                29.98\nGEGEBEN BAR              30.00\nRUCKGELD EUR              0.02\n"
    )
    item = sheet(text, "de").items[0]
    assert (item.qty, item.unit, item.price) == (1, None, None)


def test_a_size_and_a_price_that_make_another_amount_by_chance_are_a_product() -> None:
    rows = "      HILL FOODS\n TONIC 1.2L        2.00\n TONIC 1.2L        2.00\n FLOUR             1.35\n"
    listed = sheet(f"{rows} BEANS             2.40\n TOTAL             7.75\n", "au").items
    assert [item.desc_clean for item in listed] == ["TONIC 1.2L", "TONIC 1.2L", "FLOUR", "BEANS"]


def test_a_count_with_zeros_and_its_price_in_the_products_row_measure_nothing() -> None:
    text = (
        "      DOCERIA SOL LTDA\n # COD DESC QTD UN VL UN R$ VL ITEM R$\n"
        "001 40877 BOMBOM NOZES 3,0000 UN X 12,50     37,50\nTOTAL R$                       37,50\n"
    )
    (item,) = sheet(text, "br").items
    assert (item.qty, item.unit, item.price, item.product_code) == (3, None, Decimal("12.50"), "40877")
