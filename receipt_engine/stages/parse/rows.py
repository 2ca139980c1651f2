"""Parses every row of a page, using the number format that the page itself shows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TypeVar

import msgspec
from msgspec.structs import replace

from receipt_engine.document import (
    HABIT,
    THOUSANDS,
    AmountReading,
    DateReading,
    Line,
    ParsedLine,
    QuantityReading,
)
from receipt_engine.region import KEPT_REGIONS, Numbers, Region, Separators, currency_marks
from receipt_engine.scoring.costs import ACCEPTED
from receipt_engine.stages.parse.alternatives import with_alternatives, with_other_dates
from receipt_engine.stages.parse.amounts import AmountHints, find_amounts, find_percents
from receipt_engine.stages.parse.column_gaps import prints_no_decimals, usual_spacing, with_gaps
from receipt_engine.stages.parse.dates import find_dates, find_times
from receipt_engine.stages.parse.doubtful import with_known_words, with_letters, without_specks
from receipt_engine.stages.parse.quantities import find_quantities

_Placed = TypeVar("_Placed", AmountReading, QuantityReading)

#: Every value contains a digit, a letter that may be a misread digit, or a character beyond ASCII.
_MAYBE_VALUE = re.compile(r"[0-9]|[OlI][.,][0-9OlIS]|[^\x00-\x7f]")
#: A number at the end of a row that may be an amount; group 1 is the decimal separator if it has two
#: decimals. Excludes years of dates, and parts of telephone numbers and other long numbers.
_LAST_NUMBER = re.compile(
    r"(?:(?<![\d.,/:-])\d{3,6}|\d[., ]\d{3})(?: ?[A-Za-z*]{1,2})?$|\d([.,])\d\d(?: ?[A-Za-z*]{1,2})?$"
)
#: A number with a thousands separator (group 1) at the end of a row.
_GROUPED = re.compile(r"(?<![\d.,])\d{1,3}([.,' ])\d{3}(?:[.,]\d\d)?(?: ?[A-Za-z*]{1,2})?$")
#: An amount with a space after its thousands, or a count followed by an amount.
_BLANK_GROUPED = re.compile(r"(?<![\d.,])[1-9]\d{0,2} \d{3}[.,]\d\d(?: ?[A-Za-z*]{1,2})?$")
#: A count before an amount too short to be a thousands group, or thousands written without a space.
_COUNTED = re.compile(
    r"(?<![\d.,])[1-9]\d{0,2} \d{1,2}[.,]\d\d(?: ?[A-Za-z*]{1,2})?$"
    r"|\d{4}[.,]\d\d(?!\d)|\d[.,]\d{3}[.,]\d\d"
)
_THREE_DECIMALS = re.compile(r"\d[.,]\d{3}(?: ?[A-Za-z*]{1,2})?$")
#: The end of a row, and the start of the next, when a date wraps onto the next row.
_DAY_LAST = re.compile(r"\d{1,2}[ ./-]{1,2}(?:[^\W\d_]{3,12}|\d{1,2})[ ./,-]{0,2}$")
_YEAR_FIRST = re.compile(r" ?(?:19|20)\d\d(?!\d)")
#: A currency's code before an amount with cents, and the fewest rows with one that show a habit.
_CENTS = re.compile(r"\b([A-Z]{3}) ?\d[\d.,]{0,9}[.,]\d\d(?!\d)")
_SEVERAL = 2
#: A minus sign in brackets: there, brackets alone mark amounts that are told and not added.
_MINUS_IN_BRACKETS = re.compile(r"\( ?- ?\d")
#: A page has its own number format when at least this share of its amounts show it.
_MIN_SHARE = 0.8


def parse(
    lines: Sequence[Line], region: Region, hints: AmountHints, default_order: str | None = None
) -> tuple[ParsedLine, ...]:
    """Every row with its readings. default_order: "d/m" or "m/d", which overrides the region's."""
    lines = [with_known_words(with_letters(without_specks(line, region)), region) for line in lines]
    texts = [line.text for line in lines]
    region = _with_page_habit(region, texts)
    # Currencies with three decimals are excluded: their decimals look like thousands.
    if (
        0 < region.currency.decimals < THOUSANDS
        and hints.decimal_places is None
        and prints_no_decimals(lines)
    ):
        region = _without_decimals(region)
    if not region.currency.decimals and _prints_another_money(region, texts):
        region = replace(region, currency=replace(region.currency, decimals=2, fraction_optional=True))
    dates = _with_wrapped(
        [
            with_other_dates(
                line, find_dates(text, region, default_order=default_order), region, default_order
            )
            if _MAYBE_VALUE.search(text)
            else ()
            for line, text in zip(lines, texts, strict=True)
        ],
        texts,
        region,
    )
    spacing = usual_spacing(lines)
    parsed = tuple(
        _parsed(line, text, own, with_gaps(line, spacing), region, hints)
        if own or _MAYBE_VALUE.search(text)
        else ParsedLine(line, text)
        for line, text, own in zip(lines, texts, dates, strict=True)
    )
    signed = any(map(_MINUS_IN_BRACKETS.search, texts))
    return tuple(map(_with_plain_brackets, parsed)) if signed else parsed


def _prints_another_money(region: Region, texts: Sequence[str]) -> bool:
    """Whether several rows have amounts with cents behind the code of another currency, where the country's
    own has none: "TOTAL USD 13.50" above "TOTAL LBP 1,208,250"."""
    others = set(currency_marks().codes) - set(region.currency.symbols)
    return sum(any(m[1] in others for m in _CENTS.finditer(text)) for text in texts) >= _SEVERAL


def _with_plain_brackets(row: ParsedLine) -> ParsedLine:
    """The row with its amounts in brackets without a sign as positive ones: "( 18.50)"."""
    amounts = tuple(
        replace(a, readings=tuple(replace(m, value=-m.value) for m in a.readings))
        if a.raw.startswith("(") and "-" not in a.raw
        else a
        for a in row.amounts
    )
    return row if amounts == row.amounts else replace(row, amounts=amounts)


def _parsed(
    line: Line, text: str, dates: tuple[DateReading, ...], parted: str, region: Region, hints: AmountHints
) -> ParsedLine:
    """The row's values. parted: its text with `GAP` between columns."""
    return ParsedLine(
        line=line,
        text=text,
        amounts=tuple(
            [with_alternatives(_as_printed(a, text), line) for a in find_amounts(parted, region, hints)]
        ),
        percents=find_percents(text),
        quantities=tuple([_as_printed(q, text) for q in find_quantities(parted, region)]),
        dates=dates,
        times=find_times(text, region),
    )


def _as_printed(found: _Placed, text: str) -> _Placed:
    """A reading found in the text with `GAP`s, with `raw` as the row really prints it."""
    raw = text[found.start : found.end]
    return found if found.raw == raw else replace(found, raw=raw)


def _with_wrapped(
    dates: Sequence[tuple[DateReading, ...]], texts: Sequence[str], region: Region
) -> list[tuple[DateReading, ...]]:
    """The dates of each row, and those whose year wraps onto the next row, as on narrow paper."""
    found = list(dates)
    for at, (text, below) in enumerate(pairwise(texts)):
        if found[at] or found[at + 1] or not _YEAR_FIRST.match(below) or not _DAY_LAST.search(text):
            continue
        whole = find_dates(f"{text} {below}", region)
        found[at] = tuple(
            replace(d, end=len(text)) for d in whole if d.start < len(text) < d.end and d.cost <= ACCEPTED
        )
    return found


def _with_page_habit(region: Region, texts: Sequence[str]) -> Region:
    """The region with the page's own number format first, when nearly all its amounts show one.

    Tills are sold across borders and set up badly, and an inferred region may be wrong. A page nevertheless
    uses one decimal separator throughout, and two decimals throughout where it prints them.
    """
    region = _with_printed_groups(region, texts)
    found = [match.group(1) for text in texts if (match := _LAST_NUMBER.search(text)) is not None]
    for sign in (".", ","):
        if found.count(sign) < max(HABIT, _MIN_SHARE * sum(1 for f in found if f)):
            continue
        cents = _prints_cents(region.currency.decimals, found.count(sign) >= _MIN_SHARE * len(found), texts)
        if cents or sign != region.numbers.habits[0].decimal:
            return _preferring(region, sign, cents)
    return region


def _prints_cents(usual: int, mostly: bool, texts: Sequence[str]) -> bool:
    """Whether a page prints two decimals although its currency has another number of them (`usual`).

    If it has none, nearly all amounts must have two (`mostly`); if it has three, no row may end in three.
    """
    return (usual == 0 and mostly) or (usual == 3 and not any(map(_THREE_DECIMALS.search, texts)))


def _with_printed_groups(region: Region, texts: Sequence[str]) -> Region:
    """The region with spaces between thousands allowed or preferred as the page prints them.

    Spaces are removed when the page prints a point or comma there: a space then separates a price from an
    amount ("950 949"). They come first when every space that could separate a count from an amount is
    followed by three digits and cents ("1 250,00"), and no amount has four digits in a row.
    """
    if not any(" " in habit.groups for habit in region.numbers.habits):
        return region
    signs = [match.group(1) for text in texts if (match := _GROUPED.search(text)) is not None]
    if sum(sign != " " for sign in signs) >= HABIT:
        return _without_blanks(region)
    parted = sum(1 for text in texts if _BLANK_GROUPED.search(text))
    return _with_blanks(region) if parted >= HABIT and not any(map(_COUNTED.search, texts)) else region


@lru_cache(maxsize=KEPT_REGIONS)
def _with_blanks(region: Region) -> Region:
    """The region with the space as the first thousands separator, in each format that has it."""
    habits = tuple(
        msgspec.structs.replace(habit, groups=tuple(sorted(habit.groups, key=lambda sign: sign != " ")))
        for habit in region.numbers.habits
    )
    return msgspec.structs.replace(region, numbers=Numbers(habits=habits))


@lru_cache(maxsize=KEPT_REGIONS)
def _without_blanks(region: Region) -> Region:
    habits = tuple(
        msgspec.structs.replace(habit, groups=tuple(sign for sign in habit.groups if sign != " "))
        for habit in region.numbers.habits
    )
    return msgspec.structs.replace(region, numbers=Numbers(habits=habits))


@lru_cache(maxsize=KEPT_REGIONS)
def _preferring(region: Region, sign: str, cents: bool) -> Region:
    """The region with formats of that decimal separator first; cents: its currency gets two decimals."""
    other = "." if sign == "," else ","
    own = [habit for habit in region.numbers.habits if habit.decimal == sign]
    rest = [habit for habit in region.numbers.habits if habit.decimal != sign]
    first = own or [Separators(decimal=sign, groups=(other,))]
    currency = msgspec.structs.replace(region.currency, decimals=2) if cents else region.currency
    return msgspec.structs.replace(region, numbers=Numbers(habits=(*first, *rest)), currency=currency)


@lru_cache(maxsize=KEPT_REGIONS)
def _without_decimals(region: Region) -> Region:
    """The region with a currency without decimals."""
    return msgspec.structs.replace(region, currency=msgspec.structs.replace(region.currency, decimals=0))
