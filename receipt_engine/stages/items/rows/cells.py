"""Finds where the words of a row stand on the page: their edges, and the columns that wide gaps make."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from receipt_engine.document import AmountRow
from receipt_engine.stages.items.rows.item_row import Cell

#: Gap above which two words are in different columns, in row heights.
_WIDE_GAP = 1.2
_LONG_NUMBER = re.compile(r"\d{4,}")
_WORD = re.compile(r"\S+")
_BEFORE_NAME = re.compile(r"\W*(?:\d{1,3} ?[xX×*]? +(?=\S*[^\W\d_]))?")


def cells_of(parsed: AmountRow, text: str) -> tuple[Cell, ...]:
    """The words, split where the gap between two is wide, and before a long number at the end."""
    cells: list[Cell] = []
    for word in _WORD.finditer(text):
        left, right = parsed.line.place(*word.span())
        number = _LONG_NUMBER.fullmatch(word.group()) and word.end() == len(text.rstrip())
        if cells and not number and left - cells[-1].right <= _WIDE_GAP * parsed.line.height:
            cells[-1] = Cell(f"{cells[-1].text} {word.group()}", cells[-1].left, right)
        else:
            cells.append(Cell(word.group(), left, right))
    return tuple(cells)


def room_behind(parsed: AmountRow, text: str, cells: Sequence[Cell]) -> tuple[float, float] | None:
    """Right edge of the first words, past a count of their own column, and left edge of what stands behind
    them on the row; None if nothing does. text: the row's, without amounts and codes."""
    at = next((k for k, cell in enumerate(cells) if any(map(str.isalpha, cell.text))), None)
    if at is None:
        return None
    if at + 1 < len(cells):
        return cells[at].right, cells[at + 1].left
    end = len(text.rstrip(" @"))
    behind = _WORD.search(parsed.text, end)
    if behind is None or behind.group()[0] == "@":  # a price that follows the name, in no column
        return None
    return cells[at].right, parsed.line.place(*behind.span())[0]


def span_of_words(parsed: AmountRow, text: str) -> tuple[float, float]:
    """Left and right edge of the words after a leading count, given the text without amounts and codes."""
    match = _BEFORE_NAME.match(text)
    start = match.end() if match else 0
    return parsed.line.place(start, len(text.rstrip()))


def is_apart(parsed: AmountRow, text: str, tail: tuple[Decimal, float, float]) -> bool:
    """Whether a wide gap separates the number after the words from them, as in a column."""
    words = len(text.rstrip().rpartition(" ")[0].rstrip())
    return tail[1] - parsed.line.place(0, words)[1] > _WIDE_GAP * parsed.line.height
