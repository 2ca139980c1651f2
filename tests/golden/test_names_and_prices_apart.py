"""Names, counts and unit prices that stand on rows of their own or among other words: one habit a test."""

from __future__ import annotations

from decimal import Decimal

import pytest

from receipt_engine.result import LineItem
from tests.printed import read


def items(text: str, region: str | None = None) -> tuple[LineItem, ...]:
    return read(text, region).line_items


def test_the_amount_of_another_product_is_no_unit_price() -> None:
    text = """
    OSTERIA AL PONTE
 RISOTTO          16,00
 PANE              2,00
 BIANCO 0,5L       8,00
 TOTALE EURO      26,00
"""
    assert items(text, "it")[2].price is None


def test_a_count_before_the_name_above_its_price() -> None:
    text = """
    TIMBER TRADE YARD
 6x PLY 9mm 1200x600
    @ 21.50      129.00
 WOOD GLUE         7.00
 TOTAL          $136.00
"""
    found = items(text, "au")[0]
    assert (found.qty, found.price, found.line_total) == (6, Decimal("21.50"), 129)


@pytest.mark.parametrize("mark", ["＊", "*"])
def test_a_wide_star_before_an_amount_is_no_part_of_the_name(mark: str) -> None:
    text = f"""
    みどり商店
 梅おにぎり        {mark}130
 麦茶              {mark}120
 合計              ¥250
"""
    assert [item.desc_clean for item in items(text, "ja")] == ["梅おにぎり", "麦茶"]


def test_a_unit_inside_a_name_stays_there() -> None:
    text = """
    旅館やまびこ
 ご宿泊日 2024/04/02 - 2024/04/04
 宿泊料        2 泊   @7,600     15,200
 夕食          2 名   @2,000      4,000
 合計                          ¥19,200
"""
    found = items(text, "ja")[0]
    assert (found.desc_clean, found.qty, found.price) == ("宿泊料", 2, 7600)


def test_square_metres_and_their_price_are_below_the_name() -> None:
    text = """
    CARRELAGES DU RHONE
 GRES CERAME 45X45
    6,50 M2 x 22,00 EUR/M2     143,00
 SEAU                            7,00
 NET A PAYER                   150,00
"""
    found = items(text, "fr")[0]
    assert (found.desc_clean, found.unit, found.price) == ("GRES CERAME 45X45", Decimal("6.50"), 22)


def test_dates_of_a_stay_are_no_name() -> None:
    text = """
    AUBERGE DU COL
 Du 03/05/2024 au 05/05/2024
 2 nuits x 71,00              142,00
 2 x Petit déjeuner            20,00
 TOTAL TTC                    162,00
"""
    assert "2024" not in (items(text, "fr")[0].desc_clean or "")


def test_what_was_consumed_is_a_product_beside_its_count_and_price() -> None:
    text = """
    ENERGIA DO PLANALTO S.A.
 Consumo kWh   160 x 0,8250      132,00
 Contrib. Ilum. Pública           11,50
 TOTAL A PAGAR              R$   143,50
"""
    assert [(i.qty, i.line_total) for i in items(text, "br")] == [(160, 132), (0, Decimal("11.50"))]
