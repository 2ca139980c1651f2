"""Confirmations of orders, payments and bookings, as apps, shops and e-mails show them: one habit a test."""

from __future__ import annotations

from decimal import Decimal

import pytest

from receipt_engine.result import Result
from tests.printed import read


def sold(found: Result) -> list[tuple[str | None, Decimal | None, Decimal | None]]:
    """Name, quantity and amount of each product."""
    return [(item.desc_clean, item.qty, item.line_total) for item in found.line_items]


@pytest.mark.parametrize("goods", ["Goods", "All wares", "Price"])
def test_fees_below_the_sum_of_the_goods_are_no_products(goods: str) -> None:
    text = f"""
Crockery Post
3 May 2024
2 x Blue mug               £18.00
1 x Teapot                 £24.00
{goods}                    £42.00
Delivery fee                £3.50
Service fee                 £2.00
Total                      £47.50
"""
    assert [amount for _, _, amount in sold(read(text, "gb"))] == [18, 24]


def test_products_below_the_totals() -> None:
    text = """
Lunchrunner
Subtotal                  $21.00
Delivery fee               $3.00
Total                     $24.00
2 Lentil soup             $13.00
1 Flat bread               $8.00
Paid with Apple Pay
"""
    assert sold(read(text, "us")) == [("Lentil soup", 2, 13), ("Flat bread", 1, 8)]


def test_prices_alone_below_names_and_counts() -> None:
    text = """
KORALMARKT
Your order
Desk lamp 4
Quantity: 1
₦ 14,300
Wall clock 12"
Quantity: 2
₦ 9,600
Subtotal:                            ₦ 23,900
Delivery:                             ₦ 1,100
Total:                               ₦ 25,000
"""
    assert [amount for _, _, amount in sold(read(text, "ng"))] == [14300, 9600]


def test_products_in_rows_with_the_day_of_the_next_payment() -> None:
    text = """
Kettlecast
Receipt 3 May 2024
Cloud shelf
Monthly, next 3 Jun 2024       $4.50
Sound shelf
Yearly, next 3 May 2025       $30.00
Subtotal                      $34.50
Total                         $34.50
"""
    found = read(text, "us")
    assert [amount for _, _, amount in sold(found)] == [Decimal("4.50"), 30]
    assert (found.date or "")[:10] == "2024-05-03"


@pytest.mark.parametrize(
    ("region", "row"), [("us", "Qty 2      $6.25 each"), ("de", "Menge 2      6,25 € je Stück")]
)
def test_a_count_with_the_price_of_one_below_the_product(region: str, row: str) -> None:
    whole = "12.50" if region == "us" else "12,50"
    found = read(f"Kettle Cloud\nExtra shelf     {whole}\n{row}\nTotal     {whole}\n", region)
    assert [(i.qty, i.price, i.line_total) for i in found.line_items] == [(2, Decimal("6.25"), 12.5)]


def test_a_lone_count_below_its_heading() -> None:
    text = """
Kettle Software
Product               Qty      Amount
Pour Timer Pro          1      £15.00
Total                          £15.00
"""
    assert sold(read(text, "gb")) == [("Pour Timer Pro", 1, 15)]


@pytest.mark.parametrize(
    ("region", "row", "address"),
    [
        ("gb", "Copper Pot Ltd, Unit 4, Mill Yard, Leeds LS1 4AB", "Unit 4, Mill Yard, Leeds LS1 4AB"),
        ("fr", "Bouilloire SA - 4 rue du Moulin 69003 Lyon", "4 rue du Moulin 69003 Lyon"),
        ("es", "Tetera Azul, S.L. Calle del Pozo 14, 28013 Madrid", "Calle del Pozo 14, 28013 Madrid"),
        ("nl", "Ketelhuis B.V., Postbus 118, 5600 AM Eindhoven", "Postbus 118, 5600 AM Eindhoven"),
    ],
)
def test_the_sender_in_one_row_at_the_foot(region: str, row: str, address: str) -> None:
    assert read(f"3.5.2024\nTea     20,00 €\nTotal     20,00 €\n\n{row}\n", region).address == address


def test_the_recipient_of_a_delivery_is_not_the_shop() -> None:
    text = """
Kettle Kitchen
3 May 2024
Lentil soup               £6.50
Total                     £6.50

Recipient details:
Ana Lee
9 Larch Road
Leeds LS1 4AB
Tel 0113 496 0183
"""
    found = read(text, "gb")
    assert (found.address, found.phone_number) == (None, None)


def test_the_shops_telephone_below_the_recipient() -> None:
    text = "Kettle Kitchen\nSoup   £6.50\nTotal   £6.50\n\nDelivery address\n9 Larch Road\n"
    text += "Store phone 0113 496 0183\n"
    assert read(text, "gb").phone_number == "0113 496 0183"


@pytest.mark.parametrize("title", ["Receipt from", "Your receipt from", "Invoice from"])
def test_the_name_behind_a_title(title: str) -> None:
    found = read(
        f"{title} Copper Kettle Labs\n$49.00\nPaid June 3, 2024\n\nPro plan  $49.00\nTotal  $49.00", "us"
    )
    assert found.establishment == "Copper Kettle Labs"
    assert found.cash is None


def test_the_apps_name_at_the_head_and_its_company_at_the_foot() -> None:
    text = "Kerbcab\nTrip fare   £9.00\nTotal   £9.00\n3 May 2024\n\nKerbcab Networks Ltd\n"
    assert read(text, "gb").establishment == "Kerbcab"


def test_the_payee_beside_its_label() -> None:
    text = """
KettlePay
Payment successful
You have paid £6.50
Merchant          Larch Road Bakery
Reference         881204
3 May 2024 08:14
"""
    assert read(text, "gb").establishment == "Larch Road Bakery"


def test_the_address_beside_its_label() -> None:
    text = """
Чек
Кофейня «Медный чайник»
Сумма             2 750 ₸
Адрес             г. Алматы, ул. Сатпаева, 14
Дата              17.02.2024 09:33
Итого             2 750 ₸
"""
    assert read(text, "kz").address == "г. Алматы, ул. Сатпаева, 14"


@pytest.mark.parametrize(("amount", "total"), [("-18.50", "18.50"), ("18.50", "18.50")])
def test_the_only_amount_is_what_was_paid(amount: str, total: str) -> None:
    found = read(f"支付成功\n铜壶面馆\n{amount}\n支付时间 2024年4月9日 12:31:08\n支付方式 储蓄卡(4471)", "cn")
    assert found.total == Decimal(total)


@pytest.mark.parametrize("card", ["Mastercard - 8831", "Visa (8831)", "Card ending in 8831"])
def test_the_last_digits_of_a_card_are_no_amount(card: str) -> None:
    found = read(f"Kettle Cloud\nShelf  $12.50\nTotal  $12.50\nPayment method {card}\n", "us")
    assert [item.line_total for item in found.summary_items] == [Decimal("12.50")]


def test_a_departure_is_not_when_a_ticket_was_bought() -> None:
    text = """
KETTLE AIR
Booking date: 3 May 2024
Leeds - Faro
Sat, 17 Aug 2024
Depart 06:25
Fare            £80.00
Total paid      £80.00
"""
    assert read(text, "gb").date == "2024-05-03 00:00:00"


def test_the_series_of_an_invoice_is_no_time() -> None:
    text = "Chaleira Lda\nFatura FT 2024A/118820\nData: 03-06-2024\nChá   8,20 €\nTotal   8,20 €\n"
    assert read(text, "pt").date == "2024-06-03 00:00:00"


def test_places_behind_their_times_are_the_stops_of_a_ride() -> None:
    text = """
Kerbcab
3 May 2024
18:20 12 Larch Road, Leeds
18:47 Mill Street Station, Leeds
Total      £9.00
"""
    assert read(text, "gb").address is None


def test_the_fields_of_a_ticket_are_no_names() -> None:
    text = """
tickets.example
RECEIPT
Event: Harbour Jazz Night
Place: Mill Hall
Order: HJ-118
General       £20.00
Total         £20.00
"""
    assert read(text, "gb").establishment == "tickets.example"


def test_the_day_of_an_order_below_the_time_of_an_event() -> None:
    text = """
Seatbox
Harbour Jazz Night
Fri Aug 16, 2024 7:00 PM
2 x Stalls @ $20.00    $40.00
Total                  $40.00
Paid with Visa ending in 1120
Order date: May 3, 2024
"""
    assert (read(text, "us").date or "")[:10] == "2024-05-03"
