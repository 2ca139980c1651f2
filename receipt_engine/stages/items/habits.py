"""Finds habits that the products of one receipt share, which separate counts and codes from names."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from decimal import Decimal

from msgspec.structs import replace

from receipt_engine.stages.items.rows import ItemRow
from receipt_engine.stages.items.rows.codes import short_code
from receipt_engine.stages.items.rows.words import Lead, leading_count, list_number
from receipt_engine.vocabulary.months import month_names
from receipt_engine.vocabulary.normalise import squeeze

#: Share of the products that must show a habit, and the share that must have a list number.
_MOST = 0.5
_LISTED = 0.7
#: Fewest different names that must begin with a count, since one may begin with a number by chance ("7 UP");
#: and the largest plausible count.
_MIN_COUNTED = 2
_MOST_COUNTED = 20
#: Fewest list numbers with and without a mark such as a point: three bare ones may by chance be one, two and
#: three of something.
_MIN_LISTED = 3
_SURE_LISTED = 4
#: Tolerance for the right edges of one column's numbers, as a share of the text's width.
_COLUMN = 0.02
#: Width of a count and the space after it, in row heights.
_COUNT_WIDTH = 0.8

#: The tax rate after a name: "BREAD 4,00%", "BREAD %10".
_RATE_BEHIND = re.compile(r"(?<=\S) +(?:\d{1,2}(?:([.,])\d{1,2})? ?%|% ?\d{1,2})$")
#: Share of the product rows that must have a tax rate; also used for days and batches.
_RATED = 0.6
#: Most words of a mark that says that a price was reduced.
_MARK_WORDS = 3
_DAY_BEFORE = re.compile(r"^\d{1,2}[./-]\d{1,2}(?:[./-](?:\d{2}|\d{4})?)? +(?=[^\W\d_]{2})")
_MONTH_BEFORE = re.compile(r"^\d{1,2} ([^\W\d_]{3,9})\.? +(?=[^\W\d_]{2})")
#: A part of a whole, which looks like a day.
_FRACTION = re.compile(r"[1-3]/[2-4] +")
_BATCH_BEHIND = re.compile(r"(?<=\w) +(?=[A-Z]*\d)[A-Z0-9-]{3,10} +(?:0[1-9]|1[0-2])[/-]\d{2}$")
#: The tax code after a name, the share of the names that must have one, and the number of letters from which
#: a code alone is enough.
_CODE_BEHIND = re.compile(r"(?<=\w) +([A-Z]{1,5})$")
_CODED = 0.8
#: The same for codes of several characters or in brackets, which stand beside headings of departments.
_MARKED = 0.5
_LONG_CODE = 3
#: A code in angle brackets after a name is always one of the till's ("PAINT TRAY <A>").
_MARKED_BEHIND = re.compile(r"(?<=\w) *<[A-Z]{1,2}>$")
_BRACKETED_BEHIND = re.compile(r"(?<=\w) *\((\w{1,2})\)$")
#: The tax code before a name: "(A) MILK", "C00 BREAD".
_CODE_BEFORE = re.compile(r"^\(?([A-Z]\d{0,2})\)? +(?=\S*[^\W\d_]{2})")

#: Fewest names that begin with a bare letter for it to be a tax code.
_MIN_LETTERS = 3.0


def without_price_marks(block: Sequence[ItemRow]) -> list[ItemRow]:
    """The rows without those between a name and its amount that only say that the price was reduced: "HAM",
    "REDUCED", "0.4 kg @ 9.90 3.96"."""
    return [
        row
        for at, row in enumerate(block)
        if not (
            0 < at < len(block) - 1
            and row.kind == "text"
            and row.discount
            and len(row.words.split()) <= _MARK_WORDS
            and block[at - 1].kind == "text"
            and block[at + 1].kind == "bare"
        )
    ]


def without_rates(block: Sequence[ItemRow]) -> list[ItemRow]:
    """The rows, without the tax rates that follow most names; a single rate must have decimals."""
    rows = [row for row in block if row.amount is not None and row.amount.value > 0 and row.kind == "named"]
    rated = [rate for row in rows if (rate := _RATE_BEHIND.search(row.words)) is not None]
    few = len(rated) < 2 and not any(rate.group(1) for rate in rated)
    if not rated or few or len(rated) < _RATED * len(rows):
        return list(block)
    return [replace(row, words=_RATE_BEHIND.sub("", row.words)) for row in block]


def without_days(block: Sequence[ItemRow]) -> list[ItemRow]:
    """The rows, without the dates that most names begin with, as on a hotel account: "07.06. Breakfast", "7
    Jun Breakfast". The parts of a chicken are no dates: "1/4 Chicken"."""
    rows = [row for row in block if row.kind == "named"]
    days = [row.words[:end] for row in rows if (end := _day_before(row.words))]
    if len(days) < max(2.0, _RATED * len(rows)) or all(map(_FRACTION.fullmatch, days)):
        return list(block)
    return [replace(row, words=row.words[_day_before(row.words) :]) for row in block]


def _day_before(words: str) -> int:
    """The end of a date before a name; 0 without one."""
    if (day := _DAY_BEFORE.match(words)) is not None:
        return day.end()
    named = _MONTH_BEFORE.match(words)
    return named.end() if named is not None and named.group(1).lower() in month_names() else 0


def without_batches(block: Sequence[ItemRow]) -> list[ItemRow]:
    """The rows, without the batch and expiry date after most names, as at pharmacies: "TABS B118 08/25"."""
    rows = [row for row in block if row.kind == "named"]
    if sum(1 for row in rows if _BATCH_BEHIND.search(row.words)) < max(2.0, _RATED * len(rows)):
        return list(block)
    return [replace(row, words=_BATCH_BEHIND.sub("", row.words)) for row in block]


def without_codes(block: Sequence[ItemRow], codes: Collection[str]) -> list[ItemRow]:
    """The rows, without tax codes. A code between name and amount ("BREAD MRJ", "SOUP B") goes if it is long
    or follows most names; one before the names or in brackets, if most have one. codes: the region's."""
    block = _without_codes_around([_without_mark(row) for row in block], codes)
    rows = [row for row in block if row.kind == "named" and row.amount is not None and row.amount.value > 0]
    coded = [row for row in rows if _code_behind(row.words, codes) is not None]
    usual = len(coded) >= max(2.0, _CODED * len(rows))
    found = []
    for row in block:
        code = _code_behind(row.words, codes)
        ends = code is not None and (usual or len(code.group(1)) >= _LONG_CODE)
        found.append(replace(row, words=row.words[: code.start()]) if code and ends else row)
    return found


def _without_mark(row: ItemRow) -> ItemRow:
    marked = _MARKED_BEHIND.search(row.words)
    return replace(row, words=row.words[: marked.start()]) if marked else row


def _without_codes_around(block: Sequence[ItemRow], codes: Collection[str]) -> list[ItemRow]:
    rows = [row for row in block if row.kind in ("named", "text") and not _takes_off(row)]
    for found, least, share in (
        (_code_before, 2.0, _MARKED),
        (_letter_before, _MIN_LETTERS, _CODED),
        (_code_in_brackets, 2.0, _CODED),
    ):
        if sum(1 for row in rows if found(row.words, codes) is not None) >= max(least, share * len(rows)):
            return [replace(row, words=found(row.words, codes) or row.words) for row in block]
    return list(block)


def _takes_off(row: ItemRow) -> bool:
    """Whether a row has a negative amount; such rows carry no tax code."""
    return row.amount is not None and row.amount.value < 0


def _code_before(words: str, codes: Collection[str]) -> str | None:
    """The words without a code before them, or None; a bare letter may be part of the name ("A LA CARTE")."""
    match = _CODE_BEFORE.match(words)
    if match is None or match.group(1) not in codes:
        return None
    return words[match.end() :] if words[0] == "(" or len(match.group(1)) > 1 else None


def _letter_before(words: str, codes: Collection[str]) -> str | None:
    """The words without a code of one letter before them ("B MILK"), or None."""
    match = _CODE_BEFORE.match(words)
    return words[match.end() :] if match is not None and match.group(1) in codes else None


def _code_in_brackets(words: str, codes: Collection[str]) -> str | None:
    """The words without a code in brackets after them ("MILK (E)"), or None."""
    match = _BRACKETED_BEHIND.search(words)
    return words[: match.start()] if match is not None and match.group(1) in codes else None


def _code_behind(words: str, codes: Collection[str]) -> re.Match[str] | None:
    match = _CODE_BEHIND.search(words)
    return match if match is not None and match.group(1) in codes else None


@dataclass(frozen=True, slots=True)
class Habits:
    """The habits of one receipt. counts_first: names begin with a count. listed: names begin with their
    number in the list; codes_listed: an article number follows it. codes_first: names begin with a code,
    which may be short. counts_at: range of right edges of the numbers after names, if they form a column of
    quantities; rated: these numbers are tax rates instead."""

    counts_first: bool = False
    listed: bool = False
    codes_listed: bool = False
    codes_first: bool = False
    counts_at: tuple[float, float] | None = None
    rated: bool = False


def habits(
    names: Sequence[ItemRow],
    rows: Sequence[ItemRow],
    *,
    width: float,
    headed: bool,
    rates: Collection[Decimal] = (),
) -> Habits:
    """The habits of products with these name rows and amount rows, in order.

    width: of the text on the page. headed: columns have headings. rates: the region's tax rates, in percent,
    if one of the headings names a tax.
    """
    listed = _listed(names, rows)
    codes_listed = listed and _codes_listed(names, rows)
    bare = [_without_number(n) for n in names] if listed else names
    coded = [n for n in bare if n.code is None and short_code(n.words) is not None]
    codes = len(coded)
    alone = 0 < codes == len(names) and all(leading_count(n.words) is not None for n in coded)
    counts_first = not codes_listed and _counts_first(bare, rows)
    return Habits(
        counts_first=counts_first,
        listed=listed,
        codes_listed=codes_listed,
        codes_first=alone or codes >= max(2.0, _MOST * len(names)) or _codes_lead(names, codes),
        # If counts come first, numbers after the names are sizes.
        counts_at=None if counts_first else _column(rows, width, headed),
        rated=bool(rates) and all(row.tail is None or row.tail[0] in rates for row in rows),
    )


def _counts_first(names: Sequence[ItemRow], rows: Sequence[ItemRow]) -> bool:
    """Whether numbers at the start of names are counts: at least half of the eligible names have one.

    Not eligible are names indented by the width of a count, which lost theirs or never had one, names with a
    quantity elsewhere, and discounts.
    """
    counted = [name for name in names if leading_count(name.words) is not None]
    if not any(short_code(name.words) is None for name in counted):  # all have three digits or more
        return False
    left = min(name.left for name in counted)
    others = [
        name
        for name, row in zip(names, rows, strict=True)
        if name not in counted and name.left < left + _COUNT_WIDTH * name.height
        if row.qty is None and row.unit is None and not row.discount
    ]
    return len(counted) >= len(others) or _divide(names, rows)


def _divide(names: Sequence[ItemRow], rows: Sequence[ItemRow]) -> bool:
    """Whether numbers above one at the start of several different names are counts although most names have
    none, as on tills that omit a count of one: each number must divide its row's amount."""
    leads = [
        (lead, row)
        for name, row in zip(names, rows, strict=True)
        if (lead := leading_count(name.words)) is not None and row.qty is None and row.unit is None
    ]
    if any(not 1 < lead.number <= _MOST_COUNTED or not _is_multiple(row, lead.number) for lead, row in leads):
        return False
    return len({squeeze(lead.rest) for lead, _ in leads}) >= _MIN_COUNTED


def _is_multiple(row: ItemRow, count: Decimal) -> bool:
    """Whether the row's amount is `count` times an amount with the same number of decimals."""
    amount = row.amount
    return amount is not None and amount.value > 0 and amount.value.scaleb(amount.decimals) % count == 0


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
    if len(leads) < max(2, _LISTED * sold):
        return len(leads) == len(names) == 1 and leads[0][1] == Lead(Decimal(1), leads[0][1].rest, True)
    marked = all(lead.sure for _, lead, _ in leads)
    # A discount may take a number in the list without printing it.
    among_all = marked and [lead.number for _, lead, _ in leads] == places
    numbers = [lead.number for _, lead, _ in leads]
    zeros = all(name.words.startswith("0") for name in names)  # numbers of the till's keys: "020 BREAD"
    filled = marked and zeros and len(set(numbers)) == len(numbers)
    if not (among_all or filled) and any(lead.number != place for place, lead, _ in leads):
        return False
    counted = any(row.qty is not None and row.qty != lead.number for _, lead, row in leads)
    whole = marked and len(leads) == len(names)
    return counted or whole or len(leads) >= (_MIN_LISTED if marked else _SURE_LISTED)


def _codes_lead(names: Sequence[ItemRow], short: int) -> bool:
    """Whether most names begin with a code: some long, and `short` short ones, doubtful on their own."""
    whole = sum(1 for n in names if n.code in n.desc.split()[:2])
    return whole > 0 and short > 0 and whole + short >= max(2.0, _MOST * len(names))


def _codes_listed(names: Sequence[ItemRow], rows: Sequence[ItemRow]) -> bool:
    """Whether an article number follows the list number before most names, with the count elsewhere."""
    coded = 0
    for name, row in zip(names, rows, strict=True):
        number = list_number(name.words)
        second = leading_count(number.rest) if number is not None else None
        short = second is not None and not second.sure and (row.qty is not None or row.unit is not None)
        coded += short or (number is not None and name.code is not None)
    return coded >= max(2.0, _MOST * len(names))


def _column(rows: Sequence[ItemRow], width: float, headed: bool) -> tuple[float, float] | None:
    """The range of right edges that has most numbers after names, if it is a column of quantities."""
    tails = sorted((row.tail for row in rows if row.tail is not None), key=lambda tail: tail[2])
    apart = {row.tail for row in rows if row.tail is not None and row.apart}
    best: list[tuple[Decimal, float, float]] = []
    first = 0
    for last, tail in enumerate(tails):
        while tail[2] - tails[first][2] > 2 * _COLUMN * width:
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
