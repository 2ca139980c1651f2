"""The record of one row of the product block, and where its words stand on the page: their edges, and the
columns that wide gaps make."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Literal

from receipt_engine.document import AmountReading, AmountRow, Record

#: named: words and an amount. bare: an amount that belongs to words on another row. detail: a quantity
#: or price without an amount. text: only words. code: a code with at most a short word. skip: not a
#: product.
RowKind = Literal["named", "bare", "detail", "text", "code", "skip"]
#: Gap above which two words are in different columns, in row heights.
_WIDE_GAP = 1.2
_LONG_NUMBER = re.compile(r"\d{4,}")
_WORD = re.compile(r"\S+")
_BEFORE_NAME = re.compile(r"\W*(?:\d{1,3} ?[xX×*]? +(?=\S*[^\W\d_]))?")


class Cell(Record, frozen=True):
    """Words of a row that wide gaps separate from others, with their left and right edge."""

    text: str
    left: float
    right: float


class ItemRow(Record, frozen=True):
    """One row of the block.

    index: its row on the page. desc: the row up to its amount, as printed. words: the same without amounts,
    quantities and codes. span: left and right edge of the words, after a leading count. taken_back: the words
    without one for a return or void, used as the name of a negative amount on another row. tail: a whole
    number after the words that may be in a column of quantities, with its left and right edge; apart: a wide
    gap precedes it. left, right, height: of the whole row. cells: the words by column. room: right edge of
    the first words and left edge of what is printed behind them, if anything is. discount: words for a
    discount or void; deposit: for a deposit. department: the row begins with a group of products. sums: it
    begins with a word for a total, subtotal, net or gross amount. heading: the words are only a column
    heading. opens: it ends with a colon, so that its words belong to what is below. before: the amounts that
    are printed before its own, of a kind with it.
    """

    index: int
    kind: RowKind
    desc: str
    words: str
    amount: AmountReading | None = None
    qty: Decimal | None = None
    price: Decimal | None = None
    unit: Decimal | None = None
    code: str | None = None
    tail: tuple[Decimal, float, float] | None = None
    apart: bool = False
    discount: bool = False
    deposit: bool = False
    department: bool = False
    sums: bool = False
    heading: bool = False
    opens: bool = False
    left: float = 0.0
    right: float = 0.0
    height: float = 1.0
    span: tuple[float, float] = (0.0, 0.0)
    cells: tuple[Cell, ...] = ()
    room: tuple[float, float] | None = None
    taken_back: str = ""
    before: tuple[Decimal, ...] = ()

    @property
    def is_made(self) -> bool:
        """Whether the row's own count and price make its amount."""
        if self.amount is None or self.qty is None or self.price is None:
            return False
        return self.qty * self.price == self.amount.value

    def is_multiple_of(self, count: Decimal) -> bool:
        """Whether the amount may be that many times a price with as many decimals."""
        amount = self.amount
        return amount is not None and count != 0 and amount.value.scaleb(amount.decimals) % count == 0


def sold(block: Iterable[ItemRow]) -> list[ItemRow]:
    """The rows with words and a positive amount."""
    return [row for row in block if row.kind == "named" and row.amount is not None and row.amount.value > 0]


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
