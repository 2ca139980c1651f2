"""The record of one row of the product block."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Literal

from receipt_engine.document import AmountReading, Record

#: named: words and an amount. bare: an amount that belongs to words on another row. detail: a quantity
#: or price without an amount. text: only words. code: a code with at most a short word. skip: not a
#: product.
RowKind = Literal["named", "bare", "detail", "text", "code", "skip"]


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
