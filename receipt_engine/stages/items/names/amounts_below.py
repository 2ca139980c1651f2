"""Joins a row of name, quantity and unit price with the row below it that has only their amount."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from msgspec.structs import replace

from receipt_engine.arithmetic.products import product_rounding
from receipt_engine.document import Item


def with_amounts_below(items: Sequence[Item]) -> tuple[Item, ...]:
    """The products; one whose last number is its unit price ("GRAPES 0.560 kg x 2.19", "SOUP  2  6.50") takes
    the amount that stands alone on the next row, if quantity and price multiply to it."""
    found: list[Item] = []
    for item in items:
        above = found[-1] if found else None
        if above is not None and _is_amount_of(item, above):
            found[-1] = replace(
                above, line=item.line, lines=(*above.lines, *item.lines), desc=item.desc, total=item.total,
                price=_unit_price(above),
                symbols=item.symbols or above.symbols, below=item.below,
            )  # fmt: skip
        else:
            found.append(item)
    return tuple(found)


def _unit_price(item: Item) -> Decimal:
    """The price of one where another row has the amount: the number in the amount's place, if no other is."""
    return item.total.value if item.price is None else item.price


def _is_amount_of(item: Item, above: Item) -> bool:
    factor = above.unit or above.qty
    bare = not item.desc_clean and item.price is None and item.lines[0] == above.lines[-1] + 1
    price = _unit_price(above)
    if not bare or not factor or (factor == Decimal(1) and above.price is not None):
        return False
    off = abs(abs(factor * price) - abs(item.total.value))
    whole = Decimal("0.5") if not item.total.decimals and not price % 1 else Decimal(0)
    return above.total.value == price and off <= max(product_rounding(factor, price), whole)
