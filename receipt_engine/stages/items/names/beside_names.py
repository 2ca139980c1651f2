"""Tells what tills and invoices print beside names from the names: tax rates, dates, batches, marks of
reduced prices and former prices, and other columns: article numbers, units, tax codes.

Columns are separated by wide gaps, on most rows and at the same place. A cell of another column is short or
has digits; otherwise it may as well be the second half of a name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Literal

from msgspec.structs import replace

from receipt_engine.stages.items.rows import Cell, ItemRow, RowKind, sold
from receipt_engine.stages.items.rows.words import tidy
from receipt_engine.vocabulary import is_term
from receipt_engine.vocabulary.months import month_names
from receipt_engine.vocabulary.normalise import count_letters

#: The tax rate after a name: "BREAD 4,00%", "BREAD %10".
_RATE_BEHIND = re.compile(r"(?<=\S) +(?:\d{1,2}(?:([.,])\d{1,2})? ?%|% ?\d{1,2})$")
#: The same before a name: "15% BREAD"; without the sign it has decimals and two digits: "15.0 BREAD".
_RATE_BEFORE = re.compile(r"^(?:\d{1,2}([.,]\d{1,2})? ?%|[1-3]\d([.,])\d) +(?=\W?[^\W\d_]{2})")
#: Share of the product rows that must have a tax rate, a date or a batch for it to be one.
_USUAL_SHARE = 0.6
#: Most words of a mark that says that a price was reduced.
_MAX_MARK_WORDS = 3
_DAY_BEFORE = re.compile(r"^\d{1,2}[./-]\d{1,2}(?:[./-](?:\d{2}|\d{4})?)? +(?=[^\W\d_]\w)")
_MONTH_BEFORE = re.compile(
    r"^(?:\d{1,2}[ .-]([^\W\d_]{3,9})\.?(?:[ .-]\d{2,4})?|([^\W\d_]{3,9})\.? \d{1,2}(?:,? \d{4})?)"
    r" +(?=[^\W\d_]\w)"
)
#: A part of a whole, which looks like a day.
_FRACTION = re.compile(r"[1-3]/[2-4] +")
#: A price and perhaps a tax code at the end of a row: an amount behind a misread sign ("p79.99 A").
_ENDS_IN_PRICE = re.compile(r"\d[.,]\d{2}(?: ?[A-Z])?$")
_BATCH_BEHIND = re.compile(r"(?<=\w) +(?=[A-Z]*\d)[A-Z0-9-]{3,10} +(?:0[1-9]|1[0-2])[/-]\d{2}$")
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


def without_price_marks(block: Sequence[ItemRow]) -> list[ItemRow]:
    """The rows without those between a name and its amount that only say that the price was reduced: "HAM",
    "REDUCED", "0.4 kg @ 9.90 3.96"."""
    marks = {
        row.index
        for above, row, below in zip(block, block[1:], block[2:], strict=False)
        if (above.kind, row.kind, below.kind) == ("text", "text", "bare")
        and row.discount
        and len(row.words.split()) <= _MAX_MARK_WORDS
    }
    return [row for row in block if row.index not in marks]


def without_former_prices(block: Sequence[ItemRow]) -> list[ItemRow]:
    """The rows without those right below a product that only give its price before it was reduced: "SHOES
    79.99", "REGULAR PRICE 109.99"; or between its name and its amount, where they may have its code: "SHOES",
    "1012345 WAS 109.99", "1 @ 79.99  79.99". Below a name without an amount, such a price is the product's
    own."""
    kept: list[ItemRow] = []
    for row, below in zip(block, [*block[1:], None], strict=False):
        value = row.amount.value if row.amount is not None else row.before[-1] if row.before else None
        former, above = (value if is_term(row.words, "former_price") else None), kept[-1] if kept else None
        if former is None:
            kept.append(row)
        elif below is not None and below.kind == "bare" and (above is None or above.kind == "text"):
            less = _costs_at_most(below, former)
            kind: RowKind = "code" if row.code else "skip"
            without = replace(row, kind=kind, amount=None, words="", before=(former,))
            kept.append(without if less else row)
        elif above is None or row.amount is None or not _costs_at_most(above, former):
            kept.append(row)
    return kept


def _costs_at_most(product: ItemRow, price: Decimal) -> bool:
    """Whether a product's amount is positive and no higher than a price, or printed but illegible."""
    if product.amount is None:
        return _ENDS_IN_PRICE.search(product.desc) is not None
    return 0 < product.amount.value <= price


def without_rates(block: Sequence[ItemRow], *, usual: bool = False) -> list[ItemRow]:
    """The rows, without the tax rates that follow most names; a single rate must have decimals. usual: rates
    are known to follow names here."""
    return _without(_RATE_BEHIND, block, usual)


def without_leading_rates(block: Sequence[ItemRow]) -> list[ItemRow]:
    """The rows, without the tax rates that precede most names; a single rate must have decimals."""
    return _without(_RATE_BEFORE, block, usual=False)


def _without(pattern: re.Pattern[str], block: Sequence[ItemRow], usual: bool) -> list[ItemRow]:
    rows = sold(block)
    rated = [rate for row in rows if (rate := pattern.search(row.words)) is not None]
    few = len(rated) < 2 and not any(any(rate.groups()) for rate in rated)
    if not usual and (not rated or few or len(rated) < _USUAL_SHARE * len(rows)):
        return list(block)
    return [replace(row, words=pattern.sub("", row.words)) for row in block]


def without_days(block: Sequence[ItemRow]) -> list[ItemRow]:
    """The rows, without the dates that most names begin with, as on a hotel account: "07.06. Breakfast", "7
    Jun Breakfast", "07-Jun-25 Breakfast", "Jun 7, 2025 Breakfast". The parts of a chicken are no dates: "1/4
    Chicken"."""
    rows = [row for row in block if row.kind == "named"]
    days = [row.words[:end] for row in rows if (end := _day_before(row.words))]
    if len(days) < max(2.0, _USUAL_SHARE * len(rows)) or all(map(_FRACTION.fullmatch, days)):
        return list(block)
    return [replace(row, words=row.words[_day_before(row.words) :]) for row in block]


def _day_before(words: str) -> int:
    """The end of a date before a name; 0 without one."""
    if (day := _DAY_BEFORE.match(words)) is not None:
        return day.end()
    named = _MONTH_BEFORE.match(words)
    month = (named.group(1) or named.group(2)).lower() if named is not None else ""
    return named.end() if named is not None and month in month_names() else 0


def without_batches(block: Sequence[ItemRow]) -> list[ItemRow]:
    """The rows, without the batch and expiry date after most names, as at pharmacies: "TABS B118 08/25"."""
    rows = [row for row in block if row.kind == "named"]
    if sum(1 for row in rows if _BATCH_BEHIND.search(row.words)) < max(2.0, _USUAL_SHARE * len(rows)):
        return list(block)
    return [replace(row, words=_BATCH_BEHIND.sub("", row.words)) for row in block]


def with_name_column(block: Sequence[ItemRow], *, units: bool) -> list[ItemRow]:
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
            return [_without_cell(row, inside[row.index]) if row.index in inside else row for row in block]
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


def _without_cell(row: ItemRow, cell: Cell) -> ItemRow:
    cells = tuple(other for other in row.cells if other is not cell)
    words = tidy(" ".join(other.text for other in cells))
    coded = _CODE.fullmatch(cell.text) is not None and _DAY.fullmatch(cell.text) is None
    code = cell.text if row.code is None and coded else row.code
    left = next((other.left for other in cells if not _is_count(other.text)), cells[0].left)
    span = (max(row.span[0], left), cells[-1].right)
    return replace(row, cells=cells, words=words, code=code, span=span)
