"""Totals whose point may part thousands."""

from __future__ import annotations

from decimal import Decimal

from tests.printed import read

DAMAGED = """
 COMEDOR LA PALMA
Almuerzo   2   32.OOO
Jugo       2   12.0OO
SUBTOTAL       4O.741
IMPUESTO        3.259
TOTAL          44.OOO
EFECTIVO       5O.OOO
CAMBIO          6.0OO
"""

THOUSANDTHS = """
 BAYT COFFEE W.L.L.
 Salmiya, Kuwait
Latte                   3.600
Cake                    2.250
TOTAL            KD     5.850
CASH                   10.000
CHANGE                  4.150
"""


def test_sums_that_hold_for_thousands_too_prove_no_total() -> None:
    result = read(DAMAGED, "mx")
    assert result.total_confidence is not None and result.total_confidence < 0.7


def test_thousandths_are_usual_where_money_has_them() -> None:
    result = read(THOUSANDTHS)
    assert result.total == Decimal("5.85")
    assert result.total_confidence is not None and result.total_confidence > 0.9
