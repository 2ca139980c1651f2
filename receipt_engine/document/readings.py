"""The values that a row of text may hold, each with its place and its cost (lower is likelier)."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Literal

from receipt_engine.document.record import Record
from receipt_engine.document.rows import Line
from receipt_engine.document.rules import AmountRule, DateDigits, DateLayout, QuantityRule

ZERO = Decimal(0)

#: Digits in a group of thousands.
THOUSANDS = 3
#: Decimals that scales and fuel pumps print for a weight or volume, in contrast to an amount of money.
MEASURED = 3
#: Number of amounts that shows how a page prints them.
HABIT = 3

#: Cost below which a number is treated as an amount.
PLAUSIBLE = 1.5


def decimals_of(value: Decimal) -> int:
    """The number of decimals with which a value is printed.

    >>> decimals_of(Decimal("4.50")), decimals_of(Decimal(4))
    (2, 0)
    """
    return -int(value.as_tuple().exponent)


class Money(Record, frozen=True):
    """One reading of an amount. cost: 0 for as printed, larger for less likely; rule: why it is possible.

    start: where this reading begins when it leaves out the head of its place ("1 234.50" read as 234.50).
    """

    value: Decimal
    cost: float
    rule: AmountRule
    start: int | None = None


class AmountReading(Record, frozen=True):
    """A place in a text that may be an amount, with its readings, the cheapest first.

    start and end are offsets into the text that was searched. symbols: marks printed right after the amount
    (tax codes, ``*``), without currency and sign. currency: the symbol or code as printed.
    """

    raw: str
    start: int
    end: int
    readings: tuple[Money, ...]
    currency: str | None = None
    symbols: tuple[str, ...] = ()
    decimals: int = 0

    @property
    def value(self) -> Decimal:
        return self.readings[0].value

    @property
    def cost(self) -> float:
        """The cost of the cheapest reading."""
        return self.readings[0].cost

    @property
    def is_plausible(self) -> bool:
        """Whether it looks like an amount, not like a code, a count or a year."""
        return self.readings[0].cost < PLAUSIBLE


class DateReading(Record, frozen=True):
    """A date, with a time when one is printed with it. iso is ``YYYY-MM-DD`` or ``YYYY-MM-DDThh:mm:ss``.

    cost: 0 for unambiguous, larger for less likely. layout: its separators or words, and the order that was
    assumed.
    """

    raw: str
    start: int
    end: int
    year: int
    month: int
    day: int
    hour: int | None
    minute: int | None
    second: int | None
    cost: float
    layout: DateLayout
    digits: DateDigits = DateDigits.SEPARATED

    @property
    def rule(self) -> str:
        """Layout and digits as evidence shows them."""
        return f"{self.layout} {self.digits}".rstrip()

    @property
    def has_time(self) -> bool:
        return self.hour is not None

    @property
    def iso(self) -> str:
        date = f"{self.year:04d}-{self.month:02d}-{self.day:02d}"
        if self.hour is None:
            return date
        return f"{date}T{self.hour:02d}:{self.minute or 0:02d}:{self.second or 0:02d}"


class TimeReading(Record, frozen=True):
    """A time of day. cost: 0 for unambiguous, larger for less likely. dotted: printed like an amount."""

    raw: str
    start: int
    end: int
    hour: int
    minute: int
    second: int | None
    cost: float
    dotted: bool


class PercentReading(Record, frozen=True):
    """A percentage; value is in percent (19 for "19,00 %")."""

    raw: str
    start: int
    end: int
    value: Decimal
    cost: float


class QuantityReading(Record, frozen=True):
    """A count, a weight or a volume.

    unit: as printed ("kg", "PZA"), None for a bare count. unit_price: the price of `per` units, when printed
    with the quantity; per is 3 in "3 for 5.00". price_start and price_end are the offsets of that price.
    start and end enclose quantity, unit and price.
    """

    raw: str
    start: int
    end: int
    value: Decimal
    kind: Literal["count", "weight", "volume"]
    unit: str | None
    cost: float
    rule: QuantityRule
    unit_price: Decimal | None = None
    per: Decimal = Decimal(1)
    price_start: int | None = None
    price_end: int | None = None


class ParsedLine(Record, frozen=True):
    """A row with everything in it that may be a value; offsets are into `text`.

    percents: rates printed with a percent sign, with their offsets. dates: grouped by place, the cheapest
    reading first. times: every time of day, including those that are part of a date.
    """

    line: Line
    text: str
    amounts: tuple[AmountReading, ...] = ()
    percents: tuple[PercentReading, ...] = ()
    quantities: tuple[QuantityReading, ...] = ()
    dates: tuple[DateReading, ...] = ()
    times: tuple[TimeReading, ...] = ()

    def edge(self, amount: AmountReading) -> float:
        """The right edge of one of its amounts, as a place on the page."""
        return self.line.place(amount.start, amount.end)[1]


def text_width(rows: Iterable[ParsedLine]) -> float:
    """The distance of the leftmost and the rightmost edge of the rows."""
    edges = [(row.line.left, row.line.right) for row in rows]
    return max(right for _, right in edges) - min(left for left, _ in edges)
