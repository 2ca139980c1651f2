"""Finds the amount that ends each row, and which of these stand in the page's amount column."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from receipt_engine.arithmetic.products import is_likely, multiplies_to
from receipt_engine.document import (
    AmountReading,
    AmountRow,
    AmountRule,
    LabelledRow,
    QuantityReading,
    QuantityRule,
    text_width,
)
from receipt_engine.region import SUMS, TENDERS, Role
from receipt_engine.scoring.certainty import SURE
from receipt_engine.vocabulary.normalise import count_letters
from receipt_engine.vocabulary.units import names_measure

#: A bracket with a rate, words and an amount.
_RATE_OF = re.compile(r"\([^()]*\d ?%[^()]*[^\W\d_][^()]*\d[.,]\d\d ?\)\s*$")
#: A measure, a price and what they make.
_MADE = 3
#: Longest text that may follow an amount on its row, such as a tax code, in characters.
_MAX_CODE = 4
#: Columns of nutrition facts after a price ("$9.50 620 21 54 38"): two or more whole numbers.
_NUTRITION = re.compile(r"\d{1,4}(?: +\d{1,4})+")
_COUNT = re.compile(r"(?<![\w.,/-])(\d{1,2})(?![\w.,%/-])")
#: A number with decimals that touches letters.
_MEASURE = re.compile(r"\d+[.,]\d+([^\W\d_]{1,3})(?![^\W_])")
#: The unit after a unit price ("4.99/kg"); one letter may be a tax code.
_PER_UNIT = re.compile(r" ?/ ?[^\W\d_]{2,3}\b")


def as_amount_row(row: LabelledRow) -> AmountRow:
    """The row with its amount, not yet compared with the rest of the page."""
    end = _note(row)
    amounts = row.amounts if end is None else tuple(a for a in row.amounts if a.end <= end)
    likely = tuple(a for a in amounts if is_likely(row, a)) or amounts[-1:]
    amount = _last(row, likely, end)
    if amount is None and _is_made(amounts):
        amount = _last(row, amounts[-1:], end)
    return AmountRow(
        line=row.line,
        text=row.text,
        amounts=amounts,
        percents=row.percents,
        quantities=row.quantities,
        dates=row.dates,
        times=row.times,
        roles=row.roles,
        guide=row.guide,
        amount=amount,
        likely=likely,
        counted=amount is not None and _is_counted(row, amount),
    )


def _is_made(amounts: Sequence[AmountReading]) -> bool:
    """Whether the last of a row's numbers is whole and the product of the two before it, a measure and a
    price in whole units: "2.60 450 1170"."""
    if len(amounts) < _MADE or not amounts[-1].raw.isdigit():
        return False
    measure, price, made = (Decimal(a.raw) if a.raw.isdigit() else a.value for a in amounts[-_MADE:])
    return measure * price == made > 0


def _note(row: LabelledRow) -> int | None:
    """Where a bracket behind an amount begins that ends the row with a rate and what it is taken of: "Rebate
    4.00 (20% of 20.00)". None without one."""
    opened = _RATE_OF.search(row.text)
    behind = opened is not None and any(a.end <= opened.start() for a in row.amounts)
    return opened.start() if opened is not None and behind else None


def _last(row: LabelledRow, likely: tuple[AmountReading, ...], until: int | None) -> AmountReading | None:
    """The last likely amount, if at most a tax code, a rate, a mark or nutrition columns follow it. until:
    where the row ends, as far as it matters."""
    if not likely:
        return None
    end = likely[-1].end
    if _PER_UNIT.match(row.text, end):
        return None
    rate = next((p for p in row.percents if p.start >= end), None)
    if rate is not None and not row.text[end : rate.start].strip(" ("):
        end = rate.end
    rest = row.text[end:until].strip(" *#:|.-)")
    priced = likely[-1].currency is not None and likely[-1].decimals > 0
    behind = len(rest) <= _MAX_CODE or (priced and _NUTRITION.fullmatch(rest) is not None)
    return likely[-1] if behind else None


def _is_counted(row: LabelledRow, amount: AmountReading) -> bool:
    """Whether a count and a price before the amount multiply to it."""
    if row.percents:
        return False
    if any(q.end <= amount.start and q.value != 1 and multiplies_to(q, amount) for q in row.quantities):
        return True
    if not _like_money(amount):
        return False
    prices = [a for a in row.amounts if a.end <= amount.start and _like_money(a) and a.is_plausible]
    counts = [
        m
        for m in _COUNT.finditer(row.text[: amount.start])
        if not any(p.start <= m.start() < p.end for p in prices)
    ]
    return any(p.value * Decimal(m.group(1)) == amount.value != 0 for p in prices for m in counts)


def is_counted_above(above: AmountRow, row: AmountRow) -> bool:
    """Whether a row has nothing but a count and a price that multiply to the amount of the row below, which
    no word calls a sum or a tender: printers of fiscal tickets print them first."""
    if row.amount is None or any(m.role in SUMS | TENDERS for m in row.roles):
        return False
    return any(
        q.value != 1 and multiplies_to(q, row.amount)
        for q in above.quantities
        if not (above.text[: q.start] + above.text[q.end :]).strip()
    )


def _like_money(amount: AmountReading) -> bool:
    """Whether the amount has decimals, a currency or a character that is not a digit."""
    return amount.decimals > 0 or amount.currency is not None or not amount.raw.isdigit()


#: Letters of the shortest product name.
_MIN_NAME = 2
#: An article number.
_ARTICLE = re.compile(r"\d{8,14}(?!\S)")
#: Tolerance for the right edges of one column's amounts, as a share of the text's width.
ALIGNED = 0.05
#: Tolerance for the right edges that make a column.
_SAME_EDGE = 0.06
#: On a page without a column: minimum number of amounts with words before them, share of them that follow the
#: words without a gap, and share of all amounts that end elsewhere than most.
_MIN_RAGGED, _RAGGED, _SPREAD = 4, 0.8, 0.5


def in_column(rows: Sequence[AmountRow]) -> tuple[bool, ...]:
    """For every row, whether its amount ends where most others end; never true for rows of tip guides.

    The column is the right edge that gathers the most amounts. Amounts that end a little to its left belong
    to it too, since a tax code or a minus follows others. Where most amounts are one blank behind their words
    there is no column, and every amount of this kind is accepted.
    """
    edges = [_edge(row) for row in rows]
    found = [e for e in edges if e is not None]
    if not found:
        return tuple(False for _ in rows)
    left, width = min(row.line.left for row in rows), text_width(rows)

    def support(edge: float) -> float:
        return sum(1 for e in found if abs(e - edge) < _SAME_EDGE * width) + 0.3 * (edge - left) / width

    center = max(found, key=support)
    spread = sum(abs(e - center) >= _SAME_EDGE * width for e in found)
    ragged = spread >= _SPREAD * len(found) and _is_ragged(rows, edges)
    return tuple(
        e is not None
        and (
            center - 0.2 * width < e < center + 0.15 * width + row.line.height
            or _is_sold(row)
            or (ragged and (_follows_words(row) or _is_alone(row)))
        )
        for row, e in zip(rows, edges, strict=True)
    )


def _is_ragged(rows: Sequence[AmountRow], edges: Sequence[float | None]) -> bool:
    """Whether nearly all amounts with decimals and words before them follow these without a gap."""
    named = [
        _follows_words(row)
        for row, edge in zip(rows, edges, strict=True)
        if edge is not None and row.amount is not None and row.amount.decimals
        if count_letters(row.text[: row.amount.start]) >= _MIN_NAME
    ]
    return len(named) >= _MIN_RAGGED and sum(named) >= _RAGGED * len(named)


def _follows_words(row: AmountRow) -> bool:
    """Whether an amount with decimals is one blank behind the words of its row."""
    amount = row.amount
    if amount is None or not amount.decimals:
        return False
    words = row.text[: amount.start]
    return count_letters(words) >= _MIN_NAME and words.endswith(" ") and not words.endswith("  ")


def _is_alone(row: AmountRow) -> bool:
    """Whether an amount with decimals and a currency is all that its row has."""
    amount = row.amount
    if amount is None or not amount.decimals or amount.currency is None:
        return False
    beside = row.text[: amount.start] + row.text[amount.end :]
    return "@" not in beside and not any(map(str.isalnum, beside))  # "@$4.20" is a unit price


def _is_sold(row: AmountRow) -> bool:
    """Whether a name, a count with its sign and a price that multiply to the amount stand before it, or an
    article number, a count and a price. Such an amount is a product's, wherever it ends."""
    amount = row.amount
    if amount is None or (row.counted and _ARTICLE.match(row.text) is not None):
        return amount is not None
    return any(
        quantity.end <= amount.start and multiplies_to(quantity, amount) and _names(row, quantity)
        for quantity in row.quantities
    )


def _names(row: AmountRow, quantity: QuantityReading) -> bool:
    """Whether a name stands before a count with its sign."""
    signed = quantity.rule is not QuantityRule.PRODUCT
    return signed and count_letters(row.text[: quantity.start]) >= _MIN_NAME


def _edge(row: AmountRow) -> float | None:
    """The right edge of the row's amount; None without a likely one, or on a row of a tip guide."""
    amount = row.amount
    if row.guide or amount is None or not is_likely(row, amount):
        return None
    return row.edge(amount)


def _ends_in_size(row: AmountRow) -> bool:
    """Whether a row's amount touches a unit of measure, and is not made of a count and a price, as before a
    tax code ("4 25.00 100.00G")."""
    measure = _MEASURE.match(row.text, row.amount.start) if row.amount is not None else None
    return measure is not None and names_measure(measure[1]) and not row.counted


def _is_nameless_product(row: AmountRow) -> bool:
    """Whether a row begins with a count and a price that multiply to its amount."""
    amount = row.amount
    return amount is not None and any(
        quantity.end <= amount.start
        and multiplies_to(quantity, amount)
        and not any(map(str.isalnum, row.text[: quantity.start]))
        for quantity in row.quantities
    )


def _ends_row(row: AmountRow, quantity: QuantityReading) -> bool:
    """Whether a count and its price end the row; a count of one only where they are all that it has."""
    end = quantity.price_end
    counts = quantity.value > 1 or not any(map(str.isalnum, row.text[: quantity.start]))
    return end is not None and counts and not row.text[end:].strip(" $€£")


def is_detail(rows: Sequence[AmountRow], at: int) -> bool:
    """Whether a row has only a count and a price that multiply to the amount right above or below, or ends
    with those of an amount that stands alone on the next row ("ROLLER SET 2 x 8,49" above "16,98"), or with
    the size of what the next row counts ("SKIRTING 2,70M" above "3 x 5,20  15,60")."""
    row = rows[at]
    if _ends_in_size(row) and at + 1 < len(rows) and _is_nameless_product(rows[at + 1]):
        return True
    below = rows[at + 1].amount if at + 1 < len(rows) else None
    alone = below is not None and not any(map(str.isalnum, rows[at + 1].text[: below.start]))
    if alone and any(_ends_row(row, q) and multiplies_to(q, below) for q in row.quantities if below):
        return True
    for quantity in row.quantities:
        rest = row.text[: quantity.start] + row.text[quantity.end :]
        if quantity.unit_price is None or any(c.isalnum() for c in rest):
            continue
        for other in (*rows[max(0, at - 1) : at], *rows[at + 1 : at + 2]):
            amount = other.amount
            if amount is not None and multiplies_to(quantity, amount) and other.text[: amount.start].strip():
                return True
    return False


#: The masked digits of a card number.
_MASK = re.compile(r"(?:[*•]{2,}|[*•] +|[xX]{3,})$")
#: A single mark before a number may also be a tax mark ("SANDWICH *298").
_MARK = re.compile(r"[*•]$")
#: Roles of words that are followed by a number other than an amount.
_NUMBERED: frozenset[Role] = frozenset(("footer", "receipt_number", "tax_id", "phone", "cashier"))
#: Document names: a long number after one is the document's number ("BOLETA ELECTRONICA 882014").
_DOCUMENTS: frozenset[Role] = frozenset(("receipt", "invoice"))
_LONG_NUMBER = 5
#: Digits of the second of two numbers that look like an amount's decimals.
_LISTED = 2


def is_announced(row: LabelledRow, amount: AmountReading) -> bool:
    """Whether a whole number, or two with the comma of another country's decimals, is the visible end of a
    masked card number, or follows a word that announces a number ("AUTH 771902", "KOT 22,23")."""
    listed = amount.readings[0].rule is AmountRule.SWAPPED_SEPARATORS and amount.decimals == _LISTED
    pointed = amount.decimals and not (listed or amount.raw.isdigit())
    if pointed or amount.currency is not None:
        return False
    before = row.text[: amount.start].rstrip(" .:#-")
    if _MASK.search(before) or (_MARK.search(before) and any(m.role == "card" for m in row.roles)):
        return True
    last = [m.role for m in row.roles if m.weight >= SURE and m.end == len(before)]
    long = amount.raw.isdigit() and len(amount.raw) >= _LONG_NUMBER
    return any(role in _NUMBERED or (long and role in _DOCUMENTS) for role in last)
