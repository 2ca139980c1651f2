"""Adapts amount readings to the page's own style, where it differs from that of its country and currency.

A receipt from another country prints a comma, or no decimals at all, in its whole amount column: each such
amount looks unlikely on its own, but together they are a habit. Where a till prints no decimals, its small
amounts are as good as its large ones, and a zero before one is a speck. Where all amounts follow a currency
sign, one that has none and begins with an 8 may start with a sign that was misread as a digit.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal
from functools import cache

from msgspec.structs import replace

from receipt_engine.document import (
    HABIT,
    AmountReading,
    AmountRow,
    AmountRule,
    Money,
    decimals_of,
    says,
    text_width,
)
from receipt_engine.region import TAXES, Role, currency_marks
from receipt_engine.scoring.certainty import LIKELY, SURE
from receipt_engine.stages.columns.row_amounts import ALIGNED, as_amount_row
from receipt_engine.stages.columns.whole_amounts import (
    RepricedAmounts,
    is_tax_code,
    whole_amounts,
    whole_products,
    whole_value,
)

#: Fewest amounts of a column; the share of them that must agree; the largest share that may look likely
#: already; the share that must be whole; and the cost of a reading in the page's style.
_MIN_COLUMN = 4
_AGREE = 2 / 3
_FEW = 1 / 3
_NEARLY_ALL = 0.85
_HABIT_COST = 0.5
#: Roles of words that are followed by a number other than an amount.
_NUMBERED: frozenset[Role] = frozenset((
    "cashier", "receipt_number", "date", "time", "phone", "fax", "tax_id", "item_count", "loyalty", "address",
))  # fmt: skip
#: Decimals of amounts without zeros behind the point.
_ZEROS_DROPPED = frozenset((0, 1))
_DECIMALS = re.compile(r"\d[.,](\d{1,2})$")
#: Not the end of "53 25", whose point is lost.
_WHOLE = re.compile(r"(?<!\d)(?<!\d )(?:\d{1,3}(?:[ .,']\d{3})*|\d+)$")
#: What stands before digits that are the rest of a word or number: "B12", "lA,50".
_REST = re.compile(r"[^\W_][.,]?$")
#: Digits that a currency sign may be misread as, with the cost of that reading; and the cost added to the
#: plain reading, in which the sign is missing.
_SIGN_DIGITS = {"8": 0.9, "5": 1.6, "6": 1.6, "9": 1.8, "3": 1.8}
_NO_SIGN = 0.4
#: Fewest amounts whose sign was read as one digit, and fewest that a sum below them proves; the same where no
#: other amount lacks a sign.
_MIN_SIGNS, _FEWEST_SUMMED = 2, 3
_MIN_OF_ALL, _FEWEST_OF_ALL = 3, 2

#: Decimals of an amount of two and one for the tax code glued to it.
_CODED = 3
_THREE_DECIMALS = re.compile(r"\d[.,]\d{3}$")
_CENT = Decimal("0.01")
#: Fewest amounts with a minus that are a refund's.
_MIN_REFUNDED = 3
#: Row and its last amount.
_Final = tuple[int, AmountReading]


def with_page_style(rows: Sequence[AmountRow]) -> tuple[AmountRow, ...]:
    """The rows, with the readings of their last amounts costed by the style that the page's amounts share."""
    finals = [(i, row.amount) for i, row in enumerate(rows) if row.amount is not None]
    changes = (
        _foreign_style(rows, finals)
        or _whole_style(rows, finals) | whole_amounts(rows, finals)
        or _lost_signs(rows, finals) | _summed_signs(finals)
    )
    whole = {(i, a.start): _restyled(a, 0) for i, a in whole_products(rows)}
    changes = _refunded(rows, finals) | _lost_points(finals) | _glued_codes(rows, finals) | changes | whole
    return tuple(
        as_amount_row(replace(row, amounts=tuple(changes.get((i, a.start), a) for a in row.amounts)))
        if any((i, a.start) in changes for a in row.amounts)
        else row
        for i, row in enumerate(rows)
    )


def _refunded(rows: Sequence[AmountRow], finals: Sequence[_Final]) -> RepricedAmounts:
    """The amounts of a refund, where all but unit prices and perhaps taxes have a minus, without readings
    that lose it. Where none has decimals, those are no amounts that words announce as another number."""
    paid = [(i, a) for i, a in finals if a.is_plausible and a.decimals]
    paid = paid or [
        (i, a) for i, a in finals if a.is_plausible and not says(rows[i].roles, _NUMBERED, LIKELY)
    ]
    back = {-a.value for _, a in paid if a.value < 0}
    minus = [(i, a) for i, a in paid if a.value < 0]
    kept = [a for i, a in paid if a.value > 0 and not says(rows[i].roles, TAXES, LIKELY)]
    if len(minus) < _MIN_REFUNDED or any(a.value not in back for a in kept):
        return {}
    return {(i, a.start): replace(a, readings=tuple(r for r in a.readings if r.value < 0)) for i, a in minus}


def _foreign_style(rows: Sequence[AmountRow], finals: Sequence[_Final]) -> RepricedAmounts:
    """The repriced amounts of a column that includes a total and in which hardly any amount looks plausible
    for the country."""
    if 2 * sum(1 for _, a in finals if a.is_plausible) > len(finals):
        return {}
    column = _column(rows, finals)
    unlikely = [(i, a) for i, a in column if not a.is_plausible]
    if len(column) < _MIN_COLUMN or len(column) - len(unlikely) > _FEW * len(column):
        return {}
    styles = _shared_styles(unlikely)
    if sum(1 for _, a in unlikely if _style(a) in styles) < _AGREE * len(column):
        return {}
    # The total may be the only one that looks likely, because it has a currency sign.
    beside = [(i, a) for i, a in finals if a.currency is not None and (i, a) not in column]
    totals = [(i, a) for i, a in (*column, *beside) if says(rows[i].roles, ["total"], SURE)]
    if not any(_style(a) in styles for _, a in totals):
        return {}
    return {
        (i, a.start): _restyled(a, style)
        for i, a in (*unlikely, *beside)
        if (style := _style(a)) is not None and style in styles
    }


def _shared_styles(amounts: Sequence[_Final]) -> frozenset[int]:
    """The most common number of decimals; none and one together where a till drops zeros behind the point
    ("38", "4.5")."""
    styles = Counter(style for _, a in amounts if (style := _style(a)) is not None)
    common = frozenset(style for style, _ in styles.most_common(1))
    return _ZEROS_DROPPED if common <= _ZEROS_DROPPED <= styles.keys() else common


def _whole_style(rows: Sequence[AmountRow], finals: Sequence[_Final]) -> RepricedAmounts:
    """The repriced whole amounts of a column that includes a total and has hardly any decimals."""
    column = _column(rows, finals)
    whole = [(i, a) for i, a in column if _style(a) == 0 and not _REST.search(rows[i].text[: a.start])]
    whole = [(i, a) for i, a in whole if not is_tax_code(rows[i], a)]
    if len(column) < HABIT or len(whole) < _NEARLY_ALL * len(column):
        return {}
    if not any(says(rows[i].roles, ["total"], SURE) for i, _ in whole):
        return {}
    return {
        (i, a.start): _restyled(a, 0)
        for i, a in whole
        if _may_be_surer(a) and not rows[i].dates and not says(rows[i].roles, _NUMBERED, LIKELY)
    }


def _may_be_surer(amount: AmountReading) -> bool:
    """Whether a reading in the page's style helps: the amount is not plausible, or its best reading is that
    whole number already but costs more."""
    best = amount.readings[0]
    return not amount.is_plausible or (best.cost > _HABIT_COST and abs(best.value) == whole_value(amount))


def _column(rows: Sequence[AmountRow], finals: Sequence[_Final]) -> list[_Final]:
    """The last amounts of rows whose right edge is where most end."""
    edges = [rows[i].edge(a) for i, a in finals]
    if not edges:
        return []
    near = ALIGNED * text_width(rows)
    center = max(edges, key=lambda e: (sum(1 for other in edges if abs(other - e) < near), e))
    return [final for final, e in zip(finals, edges, strict=True) if abs(e - center) < near]


@cache
def _marks() -> str:
    """Characters that may follow the digits of an amount: currencies and signs."""
    known = currency_marks()
    single = (mark for mark in (*known.units, *known.behind) if len(mark) == 1)
    return " -￥" + known.signs + "".join(single)


def _style(amount: AmountReading) -> int | None:
    """The number of decimals printed after a point or comma; None when the digits cannot be an amount."""
    raw = amount.raw.strip().rstrip(_marks())
    match = _DECIMALS.search(raw)
    if match is not None:
        return len(match.group(1))
    return 0 if _WHOLE.search(raw) else None


def _restyled(amount: AmountReading, decimals: int) -> AmountReading:
    """The amount, with its reading in the page's style first."""
    digits = "".join(c for c in amount.raw if c.isdigit())
    value = Decimal(digits).scaleb(-decimals) if digits else amount.value
    return _with_first(amount, -value if amount.value < 0 else value, decimals)


def _with_first(amount: AmountReading, value: Decimal, decimals: int) -> AmountReading:
    """The amount with its reading of a value first."""
    others = tuple(m for m in amount.readings if m.value != value)
    money = Money(value, _HABIT_COST, AmountRule.PAGE_HABIT)
    return replace(amount, readings=(money, *others), decimals=decimals)


def _lost_points(finals: Sequence[_Final]) -> RepricedAmounts:
    """The repriced amounts that were read as whole but whose digits another row prints with a point."""
    pointed = {a.value for _, a in finals if a.decimals and a.is_plausible}
    found: RepricedAmounts = {}
    for i, a in finals:
        first, *others = a.readings
        lost = next((m for m in others if m.rule is AmountRule.LOST_POINT and m.value in pointed), None)
        if first.rule is AmountRule.WHOLE and lost is not None:
            money = replace(lost, cost=min(lost.cost, first.cost))
            rest = tuple(m for m in a.readings if m is not lost)
            found[i, a.start] = replace(a, readings=(money, *rest), decimals=decimals_of(lost.value))
    return found


def _glued_codes(rows: Sequence[AmountRow], finals: Sequence[_Final]) -> RepricedAmounts:
    """The amounts without the tax code behind them that was read as one more decimal: "2 x 6.00 12.00A" read
    as 12.001. A product of the page must show it; one's own where the point may part thousands ("12.000")."""
    longer = [(i, a) for i, a in finals if _THREE_DECIMALS.search(a.raw) and a.currency is None]
    shown = {i for i, a in longer if _without_code(a).value in _products(rows[i])}
    return {
        (i, a.start): _without_code(a)
        for i, a in longer
        if i in shown or (shown and a.decimals == _CODED and not a.is_plausible)
    }


def _products(row: AmountRow) -> frozenset[Decimal]:
    """What the counts of a row and their prices multiply to."""
    values = (q.value * q.unit_price for q in row.quantities if q.unit_price is not None)
    return frozenset(value.quantize(_CENT, ROUND_HALF_UP) for value in values)


def _without_code(amount: AmountReading) -> AmountReading:
    """The amount with the reading first that leaves out its last digit."""
    digits = "".join(c for c in amount.raw if c.isdigit())
    value = Decimal(digits).scaleb(-_CODED).quantize(_CENT, ROUND_DOWN)
    return _with_first(amount, value, decimals_of(value))


def _lost_signs(rows: Sequence[AmountRow], finals: Sequence[_Final]) -> RepricedAmounts:
    """The amounts that lack the currency sign of most others and begin with a digit that it may be misread
    as, with that reading added; it is likelier where the page shows the rest of the digits behind a sign
    ("B200.00" beside "8200.00" and "6200.00")."""
    sure = [(i, a) for i, a in finals if a.decimals > 0 and _style(a)]
    signed = [a.raw for i, a in sure if a.currency is not None or _behind_letter(rows[i], a)]
    unsigned = [
        (i, a) for i, a in sure if a.currency is None and a.raw[:1] in _SIGN_DIGITS and a.raw[1:2].isdigit()
    ]
    again = {a.raw for _, a in unsigned if a.raw[1:] in signed}
    told = len(signed) + sum(a.raw in again for _, a in unsigned)
    if len(sure) < _MIN_COLUMN or told < _AGREE * len(sure) - 1:
        return {}
    return {(i, a.start): _with_sign(a, first=a.raw in again) for i, a in unsigned}


def _behind_letter(row: AmountRow, amount: AmountReading) -> bool:
    """Whether a single letter is glued to the amount, as when a currency sign is unknown ("B200.00")."""
    before = row.text[: amount.start].rpartition(" ")[2]
    return len(before) == 1 and before.isalpha()


def _summed_signs(finals: Sequence[_Final]) -> RepricedAmounts:
    """The amounts without the digit that a currency sign was read as, where only then most have a sign and
    some add up the ones above: "84.10", "$2.00", "86.50" and "812.60" are 4.10, 2.00, 6.50 and 12.60. Where
    then all have a sign, it matters less that they may add up with the digit as well."""
    sure = [(i, a) for i, a in finals if a.decimals > 0 and _style(a)]
    marked = sum(1 for _, a in sure if a.currency is not None)
    if not marked or _has_sum([a.value for _, a in sure], _FEWEST_SUMMED):
        return {}
    for digit in _SIGN_DIGITS:
        signed = {
            (i, a.start): _with_sign(a, first=True)
            for i, a in sure
            if a.currency is None and a.raw[:1] == digit and a.raw[1:2].isdigit()
        }
        values = [signed.get((i, a.start), a).value for i, a in sure]
        most = marked + len(signed) >= _AGREE * len(sure)
        whole = marked >= _MIN_SIGNS and len(signed) >= _MIN_OF_ALL and marked + len(signed) == len(sure)
        fewest = _FEWEST_OF_ALL if whole else _FEWEST_SUMMED
        if len(signed) >= _MIN_SIGNS and most and _has_sum(values, fewest):
            return signed
    return {}


def _has_sum(values: Sequence[Decimal], fewest: int) -> bool:
    """Whether a value is the sum of at least so many right above it."""
    for at, total in enumerate(values):
        sums = list(itertools.accumulate(reversed(values[:at])))
        if total in sums[fewest - 1 :]:
            return True
    return False


def _with_sign(amount: AmountReading, *, first: bool) -> AmountReading:
    """The amount, with a reading added in which its first digit is a currency sign. first: it is likelier."""
    raw, best = amount.raw, amount.readings[0]
    places = sum(c.isdigit() for c in raw) - amount.decimals - 1
    less = abs(best.value) - int(raw[0]) * Decimal(10) ** places
    value = -less if best.value < 0 else less
    plain = tuple(replace(m, cost=m.cost + _NO_SIGN) for m in amount.readings if m.value != value)
    cost = best.cost if first else best.cost + _SIGN_DIGITS[raw[0]]
    other = Money(value, cost, AmountRule.SIGN_AS_DIGIT, amount.start + 1)
    readings = sorted((*plain, other), key=lambda m: m.cost) if less > 0 else plain
    return replace(amount, readings=tuple(readings))
