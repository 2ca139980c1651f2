"""Finds habits that the products of one receipt share, which separate counts and codes from names."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from decimal import Decimal

from msgspec.structs import replace

from receipt_engine.stages.items.rows import ItemRow
from receipt_engine.stages.items.rows.codes import short_code
from receipt_engine.stages.items.rows.words import Lead, leading_count, list_number, times
from receipt_engine.vocabulary.normalise import squeeze

#: Share of the products that must show a habit, and the share that must have a list number.
_HABIT_SHARE = 0.5
_LISTED_SHARE = 0.7
#: Fewest different names that must begin with a count, since one may begin with a number by chance ("7 UP");
#: and the largest plausible count.
_MIN_COUNTED = 2
_LARGEST_COUNT = 20
#: Fewest list numbers with and without a mark such as a point: three bare ones may by chance be one, two and
#: three of something.
_MIN_LISTED = 3
_MIN_LISTED_BARE = 4
#: Fewest numbers, and largest share, of a column's counts above one that do not divide their amounts: one
#: amount may be misread, or reduced.
_MIN_ODD = 2
_ODD_SHARE = 1 / 3
#: Tolerance for the right edges of one column's numbers, as a share of the text's width.
_ALIGNED = 0.02
#: Width of a count and the space after it, in row heights; and how far all names without one stand right of
#: several with one, at least: narrow letters take less.
_COUNT_WIDTH = 0.8
_APART = 0.4
#: Distance, in row heights, of the middles of a heading and of a count below it.
_BELOW = 2.0


@dataclass(frozen=True, slots=True)
class Habits:
    """The habits of one receipt. counts_first: names begin with a count. listed: names begin with their
    number in the list; codes_listed: an article number follows it. codes_first: names begin with a code,
    which may be short. counts_at: range of right edges of the numbers after names, if they form a column of
    quantities; rated: these numbers are rates or classes of a tax, or sizes, instead. bracketed: names end
    in a count in brackets."""

    counts_first: bool = False
    listed: bool = False
    codes_listed: bool = False
    codes_first: bool = False
    counts_at: tuple[float, float] | None = None
    rated: bool = False
    bracketed: bool = False


def habits(
    names: Sequence[ItemRow],
    rows: Sequence[ItemRow],
    *,
    width: float,
    headed: bool,
    counted: float | None,
    rates: Collection[Decimal],
) -> Habits:
    """The habits of products with these name rows and amount rows, in order.

    width: of the text on the page. headed: columns have headings; counted: the place of that of quantities.
    rates: the region's tax rates, in percent, if one of the headings names a tax.
    """
    listed = _listed(names, rows)
    codes_listed = listed and _codes_listed(names, rows)
    bare = [_without_number(n) for n in names] if listed else names
    coded = [n for n in bare if n.code is None and short_code(n.words) is not None]
    codes = len(coded)
    alone = 0 < codes == len(names) and all(leading_count(n.words) is not None for n in coded)
    counts_first = not codes_listed and _counts_first(bare, rows)
    tails = [row.tail for row in rows if row.tail is not None]
    taxed = bool(rates) and bool(tails) and all(number in rates for number, _, _ in tails)
    # If counts come first, numbers after the names are sizes, or rates of a tax.
    named = [row for name, row in zip(names, rows, strict=True) if name.words]
    counts_at = None if counts_first and not taxed else _count_column(named, width, headed, counted)
    near = any(row.tail is not None and not row.apart for row in rows)
    classed = counts_at is not None and (near or not headed) and _divide_few(rows, tails)
    return Habits(
        counts_first=counts_first,
        listed=listed,
        codes_listed=codes_listed,
        codes_first=alone or codes >= max(2.0, _HABIT_SHARE * len(names)) or _codes_lead(names, codes),
        counts_at=counts_at,
        rated=classed or taxed,
        bracketed=_bracketed(
            [(name, row) for name, row in zip(names, rows, strict=True) if not row.discount]
        ),
    )


def _bracketed(products: Sequence[tuple[ItemRow, ItemRow]]) -> bool:
    """Whether all of several names end in a count in brackets that divides the amount: "Jollof rice (2)"."""
    found = [(times(name.words, bracketed=True), row) for name, row in products]
    return len(found) >= _MIN_COUNTED and all(
        count is not None and count[0] > 0 and row.qty is None and row.is_multiple_of(count[0])
        for count, row in found
    )


def _counts_first(names: Sequence[ItemRow], rows: Sequence[ItemRow]) -> bool:
    """Whether numbers at the start of names are counts: at least half of the eligible names have one.

    Not eligible are names indented by the width of a count, which lost theirs or never had one, names with a
    quantity elsewhere, and discounts.
    """
    counted = [name for name in names if leading_count(name.words) is not None]
    if not any(short_code(name.words) is None for name in counted):  # all have three digits or more
        return False
    left, right = min(name.left for name in counted), max(name.left for name in counted)
    apart = right - left + _APART * counted[0].height if len(counted) >= _MIN_COUNTED else math.inf
    others = [
        name
        for name, row in zip(names, rows, strict=True)
        if name not in counted and name.left < left + min(apart, _COUNT_WIDTH * name.height)
        if row.qty is None and row.unit is None and not row.discount
    ]
    return len(counted) >= len(others) or _counts_divide(names, rows)


def _counts_divide(names: Sequence[ItemRow], rows: Sequence[ItemRow]) -> bool:
    """Whether numbers above one at the start of several different names are counts although most names have
    none, as on tills that omit a count of one: each number must divide its row's amount."""
    leads = [
        (lead, row)
        for name, row in zip(names, rows, strict=True)
        if (lead := leading_count(name.words)) is not None and row.qty is None and row.unit is None
    ]
    if not all(1 < lead.number <= _LARGEST_COUNT and row.is_multiple_of(lead.number) for lead, row in leads):
        return False
    return len({squeeze(lead.rest) for lead, _ in leads}) >= _MIN_COUNTED


def _without_number(name: ItemRow) -> ItemRow:
    number = list_number(name.words)
    return name if number is None else replace(name, words=number.rest)


def _listed(names: Sequence[ItemRow], rows: Sequence[ItemRow]) -> bool:
    """Whether the numbers before the names number the products: 1, 2, 3."""
    leads: list[tuple[int, Lead, ItemRow]] = []
    places: list[int] = []
    for at, (name, row) in enumerate(zip(names, rows, strict=True), start=1):
        lead = list_number(name.words)
        if lead is not None and not (row.discount and not lead.sure):
            leads.append((len(leads) + 1, lead, row))
            places.append(at)
    sold = sum(1 for row in rows if not row.discount)
    if len(leads) < max(2, _LISTED_SHARE * sold):
        return len(leads) == len(names) == 1 and leads[0][1] == Lead(Decimal(1), leads[0][1].rest, True)
    marked = all(lead.sure for _, lead, _ in leads)
    # A discount may take a number in the list without printing it.
    among_all = marked and [lead.number for _, lead, _ in leads] == places
    numbers = [lead.number for _, lead, _ in leads]
    one_lost = len(numbers) > _MIN_LISTED_BARE and _skips_one(numbers)
    zeros = all(name.words.startswith("0") for name in names)  # numbers of the till's keys: "020 BREAD"
    filled = marked and zeros and len(set(numbers)) == len(numbers)
    if not (among_all or filled or one_lost) and any(lead.number != place for place, lead, _ in leads):
        return False
    counted = any(row.unit is not None or row.qty not in (None, lead.number) for _, lead, row in leads)
    whole = marked and len(leads) == len(names)
    return counted or whole or len(leads) >= (_MIN_LISTED if marked else _MIN_LISTED_BARE)


def _skips_one(numbers: Sequence[Decimal]) -> bool:
    """Whether numbers are those of a list with one place missing, whose number was not read."""
    return numbers == [n for n in map(Decimal, range(1, len(numbers) + 2)) if n in numbers]


def _codes_lead(names: Sequence[ItemRow], short: int) -> bool:
    """Whether most names of articles begin with a code: some long, and `short` short ones, doubtful on their
    own. Discounts and deposits have none."""
    whole = sum(1 for n in names if n.code in n.desc.split()[:2])
    articles = sum(1 for n in names if not (n.discount or n.deposit))
    return whole > 0 and short > 0 and whole + short >= max(2.0, _HABIT_SHARE * articles)


def _codes_listed(names: Sequence[ItemRow], rows: Sequence[ItemRow]) -> bool:
    """Whether an article number follows the list number before most names, with the count elsewhere."""
    coded = 0
    for name, row in zip(names, rows, strict=True):
        number = list_number(name.words)
        second = leading_count(number.rest) if number is not None else None
        short = second is not None and not second.sure and (row.qty is not None or row.unit is not None)
        coded += short or (number is not None and name.code is not None)
    return coded >= max(2.0, _HABIT_SHARE * len(names))


def _count_column(
    rows: Sequence[ItemRow], width: float, headed: bool, counted: float | None
) -> tuple[float, float] | None:
    """The range of right edges that has most numbers after names, if it is a column of quantities: of
    several, or of one below their heading, at `counted`."""
    ending = [row for row in rows if row.tail is not None]
    if len(ending) == 1 and (lone := ending[0].tail) is not None and _is_headed(ending[0], lone, counted):
        return lone[1:]
    tails = sorted((row.tail for row in rows if row.tail is not None), key=lambda tail: tail[2])
    apart = {row.tail for row in rows if row.tail is not None and row.apart}
    best: list[tuple[Decimal, float, float]] = []
    first = 0
    for last, tail in enumerate(tails):
        while tail[2] - tails[first][2] > 2 * _ALIGNED * width:
            first += 1
        if last + 1 - first > len(best):
            best = tails[first : last + 1]
    open_rows = sum(1 for row in rows if row.qty is None and row.unit is None)
    ones = sum(1 for count, _, _ in best if abs(count) == 1)
    if len(best) < 2 or len(best) < (0.25 if headed else 0.6) * open_rows:
        return None
    if not headed and 2 * ones <= len(best) and not apart.issuperset(best):
        return None  # sizes or model numbers
    return min(t[2] for t in best), max(t[2] for t in best)


def _is_headed(row: ItemRow, tail: tuple[Decimal, float, float], counted: float | None) -> bool:
    """Whether a number apart from the words stands below the heading of quantities."""
    return row.apart and counted is not None and abs(sum(tail[1:]) / 2 - counted) < _BELOW * row.height


def _divide_few(rows: Sequence[ItemRow], column: Sequence[tuple[Decimal, float, float]]) -> bool:
    """Whether too many numbers of a column do not divide their row's amount, as counts would."""
    counted = [row for row in rows if row.tail in column and row.tail is not None and abs(row.tail[0]) > 1]
    odd = sum(1 for row in counted if row.tail is not None and not row.is_multiple_of(abs(row.tail[0])))
    return odd >= _MIN_ODD and odd > _ODD_SHARE * len(counted)
