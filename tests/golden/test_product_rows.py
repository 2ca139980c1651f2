"""Products that are printed on more than one row, or before columns of other things, from text to Result."""

from __future__ import annotations

from decimal import Decimal

from receipt_engine.result import Result
from tests.printed import read

SIZES = """
Norrsken Barn & Dam
Storgatan 12
582 23 LINKÖPING
Org.nr 556312-8871
Datum: 2019-03-14  Tid: 12:08
Barnkläder
7481  98/104   Grön          129.00
Sockor dam
6620  ONESIZE  Svart          39.00
Väskor
8105  ONESIZE  Brun          249.00
Total                        417.00 Kr
Moms%   Moms    Netto    Totalt
25.00   83.40   333.60   417.00
"""

DEPARTMENTS = """
Harbour Grocers
41 Quay St
Astoria, OR 97103
03/14/2019 12:08
DAIRY
7481  WHOLE MILK              3.29
BAKERY
6620  RYE LOAF                4.15
FROZEN
8105  GARDEN PEAS             2.50
TOTAL                         9.94
"""

COLOURS = """
Löparboden Kista
Kistagången 5
164 40 KISTA
Datum: 2019-03-14  Tid: 12:08
RUN TEE W
NAVY MEDIUM
2281934455671                299,00
TIGHTS 7/8 W
BLACK SMALL
2281934455672                499,00
Total                        798.00 Kr
"""

REDUCED = """
Potraviny U Lípy
Náměstí Míru 3
120 00 Praha 2
CHLEB KMINOVY 500G           29,90 B
JOGURT BILY
ZLEVNENO
2 * 8,50                     17,00 B
SYR EIDAM PLATKY
ZLEVNENO
0,214 kg * 189,00/kg         40,45 B
CELKEM                       87,35
"""

COMPARED = """
Linden Fashion
3812 Mill Road
Dayton, OH 45402
(937) 555-0128
LINEN SHIRT CLASSIC
400417700121               28.40
Compare At 54.95
SUBTOTAL                   28.40
TAX 7.0 %                   1.99
TOTAL                      30.39
"""

LAST_BELOW = """
KEDAI BESI LIM
LOT 12 JALAN SAWAH
43650 BANDAR LARCH
Item     Qty   U.Price          RM
200417   1.00  19.00         19.00 SR
2kg. Floor Polish
200518   2.00   2.50          5.00 SR
80# x 6" x 20m Sanding Roll.
Total Amount Incl. GST :     24.00
CASH                         24.00
"""

NUTRITION = """
GREEN FORK
204 Pearl St
Boulder, CO 80302
03/04/2019 12:21 PM
                          Calories  Fat Carbs Protein
Qty  Item          Price
1    CHICKEN WRAP  $9.50       620  21    54      38
1    SIDE SALAD    $3.25       140   9    12       3
1    LENTIL SOUP   $4.75       230   6    33      14
NUTRITION TOTALS               990  36    99      55
Sub Total                                     $17.50
Sales Tax                                      $1.45
Order Total                                   $18.95
"""

JEANS = """
DENIM BARN
12 Main St
Denver, CO 80202
03/14/2024 12:08
MENS JEAN SLIM
400012345678 32X34 BLUE     59.99
WOMENS TEE
400012345679 M WHITE        19.99
TOTAL                       79.98
"""

LISTED = """
MERCADO BOA VISTA LTDA
CNPJ 12.345.678/0001-95
RUA DAS FLORES, 123 - CENTRO - CURITIBA - PR
ITEM CODIGO DESCRICAO QTD UN VL UNIT VL TOTAL
001 7891234567895 ARROZ
1 UN x 25,90              25,90
002 7891234567896 OVO
2 UN x 12,00              24,00
VALOR TOTAL R$            49,90
"""

COUNTED = """
SIÊU THỊ AN PHÚ
12 Nguyễn Trãi, Quận 1, TP. HCM
PHIẾU THANH TOÁN
05/11/2025 12:04
SL      Giá bán (có VAT)     Thành tiền
rau muống gói 500g
1       12.500 (VAT 5%)          12.500
sữa tươi 1 lít
2       32.000 (VAT 8%)          64.000
táo gala (kg)
0,842   59.000 (VAT 5%)          49.678
Phải thanh toán:                126.178
"""


def names(text: str, region: str) -> dict[str, Decimal | None]:
    result: Result = read(text, region)
    return {item.desc_clean: item.line_total for item in result.line_items}


def test_a_size_and_a_colour_are_called_like_the_row_above() -> None:
    assert names(SIZES, "se") == {
        "Barnkläder": Decimal("129.00"),
        "Sockor dam": Decimal("39.00"),
        "Väskor": Decimal("249.00"),
    }
    assert list(names(JEANS, "us")) == ["MENS JEAN SLIM", "WOMENS TEE"]
    assert list(names(COLOURS, "se")) == ["RUN TEE W NAVY MEDIUM", "TIGHTS 7/8 W BLACK SMALL"]


def test_departments_above_articles_with_names_are_no_names() -> None:
    assert list(names(DEPARTMENTS, "us")) == ["WHOLE MILK", "RYE LOAF", "GARDEN PEAS"]


def test_a_mark_that_a_price_was_reduced_names_nothing() -> None:
    assert list(names(REDUCED, "cz")) == ["CHLEB KMINOVY 500G", "JOGURT BILY", "SYR EIDAM PLATKY"]


def test_columns_of_nutrition_stand_behind_the_prices() -> None:
    assert names(NUTRITION, "us") == {
        "CHICKEN WRAP": Decimal("9.50"),
        "SIDE SALAD": Decimal("3.25"),
        "LENTIL SOUP": Decimal("4.75"),
    }


def test_a_pack_names_what_is_counted_below() -> None:
    assert list(names(COUNTED, "vn")) == ["rau muống gói 500g", "sữa tươi 1 lít", "táo gala (kg)"]


def test_a_short_name_stands_behind_its_number_in_the_list_and_its_code() -> None:
    assert list(names(LISTED, "br")) == ["ARROZ", "OVO"]


def test_price_elsewhere_is_no_name() -> None:
    assert list(names(COMPARED, "us")) == ["LINEN SHIRT CLASSIC"]


def test_last_name_stands_below_its_amount() -> None:
    assert list(names(LAST_BELOW, "my")) == ["2kg. Floor Polish", '80# x 6" x 20m Sanding Roll']


def test_an_amount_alone_belongs_to_the_quantity_and_price_above_it() -> None:
    text = """
 ALMACEN LOS TILOS
 MANTEQUILLA           $2.350
 MANZANA ROJA 0,740 KG X $1.850
                       $1.369
 TOTAL                 $3.719
"""
    apples = read(text, "cl").line_items[1]
    assert (apples.desc_clean, apples.unit) == ("MANZANA ROJA", Decimal("0.740"))
    assert (apples.price, apples.line_total) == (Decimal(1850), Decimal(1369))


def test_a_count_and_price_that_make_the_amount_again_are_no_second_product() -> None:
    found = read(
        """
LARCH SHOP
14 Mill Street, Salem, OR 97301
Rye bread        4.00
2  2.00          4.00
Soup             3.00
1  3.00          3.00
TOTAL            7.00
""",
        "us",
    )
    assert [line.line_total for line in found.line_items] == [Decimal("4.00"), Decimal("3.00")]


def test_a_discount_has_no_tax_code_before_its_name_where_the_products_have() -> None:
    text = """
LARCH SHOP
A RYE BREAD       4.00
B SOUP            3.00
DISCOUNT SOUP    -1.00
A TEA             2.00
TOTAL             8.00
"""
    found = [line.desc_clean for line in read(text, "us").line_items]
    assert found == ["RYE BREAD", "SOUP", "DISCOUNT SOUP", "TEA"]
