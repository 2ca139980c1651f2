"""Separates the column of names from those that invoices and tills print beside it: article numbers, units,
tax codes.

Columns are separated by wide gaps, on most rows and at the same place. A cell of another column is short or
has digits; otherwise it may as well be the second half of a name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from msgspec.structs import replace

from receipt_engine.stages.items.rows import Cell, ItemRow, sold
from receipt_engine.stages.items.rows.words import tidy
from receipt_engine.vocabulary import is_term
from receipt_engine.vocabulary.normalise import count_letters

#: Share of the rows that must have a column, and how far its edges may differ, in row heights.
_MOST = 0.6
_ALIGNED = 1.0
#: Most letters of a unit or code without digits.
_SHORT = 4
#: A number that may be the list number or the count, which `habits` handles.
_COUNT = re.compile(r"-?\d{1,3}[.)\u3040-\u9fff\uac00-\ud7af]?")
#: A size or a fraction, which is part of the name wherever it stands.
_SIZE = re.compile(r"\d[\d.,xX]*'?[^\W\d_]{1,3}|\d{1,2}/\d{1,2}")
#: Signs that make a following number an amount: "$5 OFF".
_SIGNS = "$€£¥-+"
_CODE = re.compile(r"(?=.*\d)[A-Z\d][A-Z\d./-]+")
#: The day of a charge, as on a hotel account: "07.06.", "2024-06-07".
_DAY = re.compile(r"\d{1,4}[./-]\d{1,2}[./-]\d{2,4}|(?:0?[1-9]|[12]\d|3[01])[./](?:0?[1-9]|1[0-2])[./]?")

_Side = Literal["before", "behind"]


def with_name_column(block: Sequence[ItemRow], *, units: bool = False) -> list[ItemRow]:
    """The rows, without the text in other columns than the names'; article numbers become codes. units: there
    is a heading of a column of units, in which a word may be long."""
    found = list(block)
    for side in ("before", "behind"):
        while (narrowed := _without_column(found, side, units)) is not None:
            found = narrowed
    return found


def _without_column(block: Sequence[ItemRow], side: _Side, units: bool) -> list[ItemRow] | None:
    """The rows, without the outermost column on one side of the names; None if there is none."""
    outer = {row.index: cell for row in block if (cell := _outer(row, side)) is not None}
    rows = sold(block)
    cells = [outer[row.index] for row in rows if row.index in outer]
    if len(cells) < max(2.0, _MOST * len(rows)):
        return None
    most = _ALIGNED * max(row.height for row in rows)
    for edge in ("left", "right"):
        places = [getattr(cell, edge) for cell in cells]
        if max(places) - min(places) <= most:
            words = {row.index: c for row in block if (c := _outer(row, side, long=units)) is not None}
            inside = {at: c for at, c in words.items() if abs(getattr(c, edge) - places[0]) <= most}
            return [_without(row, inside[row.index]) if row.index in inside else row for row in block]
    return None


def _outer(row: ItemRow, side: _Side, *, long: bool = False) -> Cell | None:
    """The row's first or last cell, past any count, if it may be of another column and leaves a name. long:
    also a longer word."""
    cells = row.cells if side == "before" else row.cells[::-1]
    if side == "before" or row.qty is None:
        cells = cells[1:] if cells and _is_count(cells[0].text) else cells
    if not any(count_letters(other.text) > 1 for other in cells[1:]):
        return None
    cell = cells[0]
    if _SIZE.fullmatch(cell.text):
        return None
    digits = any(map(str.isdigit, cell.text)) and " " not in cell.text and cell.text[0] not in _SIGNS
    short = count_letters(cell.text) <= _SHORT or (long and cell.text.isalpha())
    return cell if digits or short else None


def _is_count(text: str) -> bool:
    """Whether a cell is a count, perhaps with the word for it: "2", "2 QTY"."""
    number, _, label = text.partition(" ")
    return _COUNT.fullmatch(number) is not None and (not label or is_term(label, "quantity_label"))


def _without(row: ItemRow, cell: Cell) -> ItemRow:
    cells = tuple(other for other in row.cells if other is not cell)
    words = tidy(" ".join(other.text for other in cells))
    coded = _CODE.fullmatch(cell.text) is not None and _DAY.fullmatch(cell.text) is None
    code = cell.text if row.code is None and coded else row.code
    left = next((other.left for other in cells if not _is_count(other.text)), cells[0].left)
    span = (max(row.span[0], left), cells[-1].right)
    return replace(row, cells=cells, words=words, code=code, span=span)
