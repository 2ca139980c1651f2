"""The nouns that pass between stages. All are frozen; no stage changes what an earlier one made.

Two frames of coordinates, both in pixels with y pointing down:

* *page*: the upright picture that `Page.image` holds. `Quad` is in this frame.
* *reading*: the page turned by the common tilt of its text, so that printed rows are level.
  `Word.left`, `.right`, `.top`, `.bottom` are in this frame.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from receipt_engine.region import Role
from receipt_engine.result import AddressNorm

Point = tuple[float, float]
Image = NDArray[np.uint8]


class Noun(Struct, frozen=True, gc=False):
    """What a stage hands on. Hundreds are made for a receipt, each in a tenth of the time of a dataclass."""


class Quad(Noun, frozen=True):
    """Four corners, clockwise from the top left as the text is read, in page pixels."""

    top_left: Point
    top_right: Point
    bottom_right: Point
    bottom_left: Point

    @property
    def points(self) -> tuple[Point, Point, Point, Point]:
        return (self.top_left, self.top_right, self.bottom_right, self.bottom_left)

    @property
    def center(self) -> Point:
        (a, e), (b, f), (c, g), (d, h) = self.points
        return ((a + b + c + d) / 4, (e + f + g + h) / 4)

    @property
    def width(self) -> float:
        """Length of the upper edge."""
        return float(np.hypot(self.top_right[0] - self.top_left[0], self.top_right[1] - self.top_left[1]))

    @property
    def height(self) -> float:
        """Length of the left edge."""
        return float(np.hypot(self.bottom_left[0] - self.top_left[0], self.bottom_left[1] - self.top_left[1]))

    def slice(self, start: float, end: float) -> Quad:
        """The part between two fractions (0 to 1) of the way from the left edge to the right one."""
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = self.points
        return Quad(
            (ax + (bx - ax) * start, ay + (by - ay) * start),
            (ax + (bx - ax) * end, ay + (by - ay) * end),
            (dx + (cx - dx) * end, dy + (cy - dy) * end),
            (dx + (cx - dx) * start, dy + (cy - dy) * start),
        )


class Quality(Noun, frozen=True):
    """How well the picture can be read.

    sharpness: variance of the Laplacian over text, larger is sharper. contrast: 5th to 95th percentile
    span of luminance, 0 to 1. text_height: median height of text boxes in source pixels.
    """

    sharpness: float = 0.0
    contrast: float = 0.0
    text_height: float = 0.0


class Page(Noun, frozen=True):
    """An upright picture: RGB, uint8, shape (height, width, 3).

    source_size is (width, height) of the file as stored; rotation the quarter turns, in degrees
    clockwise, that were applied on top of EXIF to make the text upright.
    """

    image: Image
    source_size: tuple[int, int]
    rotation: int = 0
    quality: Quality = field(default_factory=Quality)

    @property
    def width(self) -> int:
        return int(self.image.shape[1])

    @property
    def height(self) -> int:
        return int(self.image.shape[0])


class Barcode(Noun, frozen=True):
    """A decoded symbol. `kind` is spelled as the contract spells it."""

    data: str
    kind: str
    quad: Quad


class TextBox(Noun, frozen=True):
    """A detected piece of text. score: mean text probability inside, 0 to 1.

    lone: too faint to be sure of, but placed as a single digit would be; counts when it reads as one.
    """

    quad: Quad
    score: float
    lone: bool = False


class Char(Noun, frozen=True):
    """One recognised character.

    text is "" where the recogniser chose nothing but saw a real chance of a character, so
    alternatives holds every other reading with its probability, "" among them for "not there".
    start and end are fractions (0 to 1) of the span's width.
    """

    text: str
    score: float
    start: float
    end: float
    alternatives: tuple[tuple[str, float], ...] = ()


class Span(Noun, frozen=True):
    """The text of one box. score: mean character score, 0 to 1 (not a probability of being right)."""

    text: str
    score: float
    quad: Quad
    chars: tuple[Char, ...] = ()


class Reading(Noun, frozen=True):
    """Everything that a picture gave: the slow half of the work, before any rule of a country.

    width and height are those of the upright page; source_size (width, height) of the file as stored;
    rotation as in `Page`.
    """

    width: int
    height: int
    source_size: tuple[int, int]
    rotation: int
    quality: Quality
    spans: tuple[Span, ...]
    barcodes: tuple[Barcode, ...] = ()


class Word(Noun, frozen=True):
    """A run of characters without white space, with its place in both frames (see module)."""

    text: str
    score: float
    quad: Quad
    left: float
    right: float
    top: float
    bottom: float
    chars: tuple[Char, ...] = ()

    @property
    def height(self) -> float:
        return self.bottom - self.top


class Line(Noun, frozen=True):
    """One printed row: words from left to right. index counts rows from the top of the page."""

    index: int
    words: tuple[Word, ...]

    @property
    def text(self) -> str:
        return " ".join([word.text for word in self.words])

    @property
    def left(self) -> float:
        return min([word.left for word in self.words])

    @property
    def right(self) -> float:
        return max([word.right for word in self.words])

    @property
    def top(self) -> float:
        return min([word.top for word in self.words])

    @property
    def bottom(self) -> float:
        return max([word.bottom for word in self.words])

    def place(self, start: int, end: int) -> tuple[float, float]:
        """Left and right edge, in the reading frame, of text[start:end]."""
        left: float | None = None
        right = 0.0
        offset = 0
        for word in self.words:
            first, last = max(start, offset) - offset, min(end, offset + len(word.text)) - offset
            if first < last:
                width = (word.right - word.left) / len(word.text)
                left = word.left + first * width if left is None else left
                right = word.left + last * width
            offset += len(word.text) + 1
        return (self.left, self.right) if left is None else (left, right)

    @property
    def height(self) -> float:
        """Median word height."""
        heights = sorted([word.bottom - word.top for word in self.words])
        middle = len(heights) // 2
        return heights[middle] if len(heights) % 2 else (heights[middle - 1] + heights[middle]) / 2

    @property
    def score(self) -> float:
        """Mean word score, weighted by length."""
        return sum(w.score * len(w.text) for w in self.words) / max(1, sum(len(w.text) for w in self.words))


class RoleMatch(Noun, frozen=True):
    """A key phrase found in a line. phrase: its letters alone; start and end: offsets in the line's text;
    weight: 0 to 1, how surely it shows the role."""

    role: Role
    weight: float
    phrase: str
    start: int
    end: int


class Money(Noun, frozen=True):
    """One way to read an amount. cost: 0 for as printed, larger for less likely; rule: why it is possible.

    start: where this reading begins when it leaves out the head of its place ("1 234.50" read as 234.50).
    """

    value: Decimal
    cost: float
    rule: str
    start: int | None = None


class AmountReading(Noun, frozen=True):
    """A place in a text that may be an amount, with its readings, the cheapest first.

    start and end are offsets into the text that was searched. symbols: what is printed right after
    the amount (tax codes, ``*``), without currency and sign. currency: the sign or code as printed.
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


class DateReading(Noun, frozen=True):
    """A date, with a time when one is printed with it. iso is ``YYYY-MM-DD`` or ``YYYY-MM-DDThh:mm:ss``.

    cost: 0 for unambiguous, larger for less likely. rule: which form and which order was assumed.
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
    rule: str

    @property
    def has_time(self) -> bool:
        return self.hour is not None

    @property
    def iso(self) -> str:
        date = f"{self.year:04d}-{self.month:02d}-{self.day:02d}"
        if self.hour is None:
            return date
        return f"{date}T{self.hour:02d}:{self.minute or 0:02d}:{self.second or 0:02d}"


class TimeReading(Noun, frozen=True):
    """A time of day. cost: 0 for unambiguous, larger for less likely."""

    raw: str
    start: int
    end: int
    hour: int
    minute: int
    second: int | None
    cost: float
    rule: str


class PercentReading(Noun, frozen=True):
    """A percentage; value is in percent (19 for "19,00 %")."""

    raw: str
    start: int
    end: int
    value: Decimal
    cost: float


class QuantityReading(Noun, frozen=True):
    """How many or how much of something.

    unit: as printed ("kg", "PZA"), None for a bare count. unit_price: what `per` of them cost, when
    printed with the quantity; per is 3 in "3 for 5.00". price_start and price_end are the offsets of that
    price. start and end enclose quantity, unit and price.
    """

    raw: str
    start: int
    end: int
    value: Decimal
    kind: Literal["count", "weight", "volume"]
    unit: str | None
    cost: float
    rule: str
    unit_price: Decimal | None = None
    per: Decimal = Decimal(1)
    price_start: int | None = None
    price_end: int | None = None


class ParsedLine(Noun, frozen=True):
    """A row with everything in it that may be a value; offsets are into `text`.

    percents: rates printed with a percent sign, with their offsets. dates: the readings of each place
    together, the cheapest first. times: every time of day, also those that a date carries.
    """

    line: Line
    text: str
    amounts: tuple[AmountReading, ...] = ()
    percents: tuple[PercentReading, ...] = ()
    quantities: tuple[QuantityReading, ...] = ()
    dates: tuple[DateReading, ...] = ()
    times: tuple[TimeReading, ...] = ()


#: The part of the receipt that a line belongs to.
Zone = Literal["header", "items", "summary", "after"]


class Entry(Noun, frozen=True):
    """One amount outside the products, with what it may be.

    line: index of its row. roles: each possible role with its weight (0 to 1), surest first, from the
    words beside the amount or, at a discount, above or below it. label: those words as printed.
    percent: a rate printed on the same row. last: it is the row's rightmost amount.
    """

    line: int
    amount: AmountReading
    zone: Zone
    roles: tuple[tuple[Role, float], ...]
    label: str
    percent: Decimal | None = None
    last: bool = True

    def weight(self, role: Role) -> float:
        """How surely the amount has the role; 0 when nothing says so."""
        for own, weight in self.roles:
            if own == role:
                return weight
        return 0.0

    @property
    def role(self) -> Role | None:
        """The surest role."""
        return self.roles[0][0] if self.roles else None


class TaxRow(Noun, frozen=True):
    """One row of a printed tax table. rate in percent; amounts None when not printed."""

    line: int
    rate: Decimal | None
    net: Decimal | None
    tax: Decimal
    gross: Decimal | None
    code: str | None = None
    is_sum: bool = False


class Item(Noun, frozen=True):
    """One product line as printed. line: row of its amount; lines: every row it takes, from the top.

    qty None when no quantity is printed. total carries every reading of the amount.
    """

    line: int
    lines: tuple[int, ...]
    desc: str
    desc_clean: str
    total: AmountReading
    price: Decimal | None = None
    qty: Decimal | None = None
    unit: Decimal | None = None
    product_code: str | None = None
    symbols: tuple[str, ...] = ()
    above: tuple[str, ...] = ()
    below: tuple[str, ...] = ()


class Sheet(Noun, frozen=True):
    """The receipt sorted by what each row is. zones and roles hold one entry per row."""

    zones: tuple[Zone, ...]
    roles: tuple[tuple[RoleMatch, ...], ...]
    items: tuple[Item, ...]
    entries: tuple[Entry, ...]
    tax_rows: tuple[TaxRow, ...]


class Chosen(Noun, frozen=True):
    """A value that was decided. entry: where it is printed; cost: of the reading that was taken.

    printed: the value as the recogniser read it, when the decision differs (a repair).
    """

    value: Decimal
    entry: Entry | None
    cost: float = 0.0
    printed: Decimal | None = None


Verdict = Literal["proved", "consistent", "contradicted", "unchecked"]


class Equation(Noun, frozen=True):
    """A relation that was checked. terms: (name, signed amount), which add up to residual.

    proved: it closes over at least three printed amounts, or two that are independent of each other;
    consistent: it closes trivially; contradicted: it does not close; unchecked: a term is missing.
    """

    name: str
    terms: tuple[tuple[str, Decimal], ...]
    residual: Decimal
    verdict: Verdict


class Ledger(Noun, frozen=True):
    """What every amount is, after reconciliation.

    items: the products, their totals' readings reduced to the one decided. margin: how much cheaper the
    chosen total is than the best other one, on the scale of costs; runners_up: those others.
    """

    total: Chosen | None
    subtotal: Chosen | None
    tax: Decimal | None
    taxes: tuple[Chosen, ...]
    tip: Chosen | None
    services: tuple[Chosen, ...]
    discounts: tuple[Chosen, ...]
    rounding: Chosen | None
    cash: Chosen | None
    change: Chosen | None
    card: Chosen | None
    items: tuple[Item, ...]
    equations: tuple[Equation, ...]
    margin: float = 0.0
    runners_up: tuple[Chosen, ...] = ()


class Found(Noun, frozen=True):
    """A value read from the page. confidence: the finder's own estimate, 0 to 1, before calibration.

    lines: rows it was read from; rule: what made it; runners_up: other readings, best first.
    """

    value: str
    confidence: float
    lines: tuple[int, ...]
    rule: str
    runners_up: tuple[tuple[str, float], ...] = ()


class RegionGuess(Noun, frozen=True):
    """A region with its probability and what spoke for it; ranked lists hold the likeliest first."""

    code: str
    probability: float
    evidence: tuple[str, ...] = ()


class DateChoice(Noun, frozen=True):
    """The purchase date. date: ``YYYY-MM-DD``; time: ``hh:mm:ss``, None when none is printed.

    confidence: that the date is right, before calibration; time_confidence: that the time is, also when
    it is None. lines: rows the two were read from; rule: what decided; runners_up: other dates, best first.
    """

    date: str
    time: str | None
    confidence: float
    time_confidence: float
    lines: tuple[int, ...]
    rule: str
    runners_up: tuple[tuple[str, float], ...] = ()

    @property
    def iso(self) -> str:
        """``YYYY-MM-DDThh:mm:ss``; midnight when no time is printed."""
        return f"{self.date}T{self.time or '00:00:00'}"


class Merchant(Noun, frozen=True):
    """Who sold, where, and how it was paid. identifiers: (key of customFields, value).

    validated: a merchant table knows the name, and its phone or address agrees.
    """

    establishment: Found | None = None
    validated: bool = False
    address: Found | None = None
    address_norm: AddressNorm | None = None
    phone: Found | None = None
    url: Found | None = None
    payment_method: Found | None = None
    document_type: Found | None = None
    expense_type: Found | None = None
    identifiers: tuple[tuple[str, Found], ...] = ()


class KnownMerchant(Noun, frozen=True):
    """An entry of a merchant table that agrees with a receipt. name: the one of its names that is nearest
    to the printed one; similarity: 0 to 1; by_phone, by_address, by_number: what else agrees."""

    id: str
    name: str
    similarity: float
    by_phone: bool
    by_address: bool
    by_number: bool
