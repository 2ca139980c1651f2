"""Reads each row of the product block on its own.

In: a row with its amount, and where the headings stand. Out: an `ItemRow` with its kind, words, quantity,
price and code (`reading`). Decides what of a row is a code (`codes`), a quantity or price (`quantities`,
`factors`, `headings`), which parts of its text are not words of the name (`holes`, `words`), where the words
stand (`item_row`), and of what kind the row is, or that it is no product (`kinds`).
"""

from receipt_engine.stages.items.rows.holes import is_pump
from receipt_engine.stages.items.rows.item_row import Cell, ItemRow, RowKind, sold
from receipt_engine.stages.items.rows.kinds import like_a_code
from receipt_engine.stages.items.rows.reading import read_row

__all__ = ["Cell", "ItemRow", "RowKind", "is_pump", "like_a_code", "read_row", "sold"]
