"""Yields clues from how numbers, dates and taxes are printed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from receipt_engine.document import THOUSANDS
from receipt_engine.stages.localize.countries import Clue, countries, plain_rate, shared
from receipt_engine.stages.localize.lexicon import Hit

# Most of these begin with a digit, then its look-behind, so that a search skips to the next digit.
_DECIMAL = re.compile(r"\d(?<![\d.,:/]\d)\d{0,3}([.,])\d{2}(?![\d.,:/]|\s?%)")
_GROUPED = re.compile(r"\d(?<![\d.,]\d)\d{0,2}(?:([.,'’])\d{3})+(?:([.,])\d{2})?(?![\d.,])")
#: A last number below one with three decimals: behind a zero, no mark parts thousands.
_BELOW_ONE = re.compile(r"(?<![\d.,:/])0[.,]\d{3}(?![\d.,])")
_THOUSANDTHS = re.compile(_BELOW_ONE.pattern + r"(?: ?[A-Z*])?$")
_DAY_MONTH = re.compile(
    r"(?P<a>\d(?<![\d./\-]\d)\d?)(?P<mark>[/.\-])(?P<b>\d{1,2})(?P=mark)(?P<year>(?:19|20)?\d{2})(?!\d|[./\-]\d)"
)
_YEAR_FIRST = re.compile(r"20(?<!\d20)[0-4]\d[/.\-](?:0[1-9]|1[0-2])[/.\-](?:0[1-9]|[12]\d|3[01])(?!\d)")
_FOUR_DIGITS = re.compile(
    r"(?<!\d)(?<!\d[./\-])(?:\d{1,2}(?P<mark>[/.\-])\d{1,2}(?P=mark)(?P<last>2[05]\d\d)"
    r"|(?P<first>2[05]\d\d)(?P<sign>[/.\-])\d{1,2}(?P=sign)\d{1,2})(?![./\-]?\d)"
)
_HALF_DAY = re.compile(r"\d[:.]\d{2}(?::\d{2})? ?[AaPp]\.?[Mm]\b")
_PERCENT = re.compile(r"(\d(?<![\d.,]\d)\d?(?:[.,]\d{1,3})?) ?%")
_DECIDED = 5  # number of amounts that settles the decimal mark
#: Possible years of a receipt, and the number of years that other calendars run ahead.
_YEARS = range(1990, 2036)
_AHEAD = {"buddhist": 543, "bikram sambat": 57}
#: Score of a year that is possible in one calendar only, unless a digit is misread.
_OWN_YEAR = 4.0
_TAX_NAME, _RATE = 0.35, 0.35
_BESIDE = 6  # most characters between a tax and its rate
#: Score of a page of amounts with three decimals, for each of its first two below one.
_FINE = 3.0
_SECOND_MARK = 0.35  # score of a country's second decimal mark, as a share of the usual one's
_BOTH = frozenset({"dmy", "mdy"})
_OF_BOTH = 0.15  # score of either order in a country that prints both, as a share of the only one's


def number_clues(texts: Sequence[str]) -> Iterator[Clue]:
    """Yields clues from decimal marks, and from amounts that have thousands separators but no decimals, or
    three decimals."""
    marks: Counter[str] = Counter()
    whole = fine = 0
    for text in texts:
        ends = _THOUSANDTHS.search(text.strip()) is not None
        fine += len(_BELOW_ONE.findall(text)) if ends else 0
        marks.update(match.group(1) for match in _DECIMAL.finditer(text))
        for match in _GROUPED.finditer(text):
            if match.group(2):
                marks[match.group(2)] += 2
            else:
                whole += 1
    total = sum(marks.values())
    if total:
        mark, number = marks.most_common(1)[0]
        strength = 2.5 * min(1.0, number / _DECIDED) * (2 * number / total - 1)
        if strength > 0:
            yield Clue("numbers", f"decimals after {mark!r}", _by_mark(mark, strength))
    if whole >= 2 and whole > 2 * total:
        yield _three_decimals(fine) if fine else _no_decimals()


def _no_decimals() -> Clue:
    return Clue("numbers", "no decimals", {c.code: 1.5 for c in countries() if c.region and c.fraction == 0})


def _three_decimals(amounts: int) -> Clue:
    strength = _FINE * min(amounts, 2)
    return Clue(
        "decimals", "three decimals", {c.code: strength for c in countries() if c.fraction == THOUSANDS}
    )


def _by_mark(mark: str, strength: float) -> dict[str, float]:
    scores = {}
    for country in countries():
        if country.decimals[0] == mark:
            scores[country.code] = strength
        elif mark in country.decimals:
            scores[country.code] = strength * _SECOND_MARK
    return scores


def date_clues(texts: Sequence[str]) -> Iterator[Clue]:
    """Yields clues from the order of unambiguous dates, dots in dates, and AM or PM."""
    seen: Counter[str] = Counter()
    half_day = False
    for text in texts:
        for match in _DAY_MONTH.finditer(text):
            a, b = int(match["a"]), int(match["b"])
            if 12 < a <= 31 and 1 <= b <= 12:
                seen["dmy"] += 1
            elif 12 < b <= 31 and 1 <= a <= 12:
                seen["mdy"] += 1
            if match["mark"] == "." and min(a, b) >= 1 and max(a, b) <= 31:
                seen["dots"] += 1
        seen["ymd"] += len(_YEAR_FIRST.findall(text))
        half_day = half_day or bool(_HALF_DAY.search(text))
    for order in ("dmy", "mdy", "ymd"):
        if seen[order]:
            strength = 0.7 if order == "ymd" else 1.5
            yield Clue("dates", f"order {order}", _by_order(order, strength))
    if seen["dots"]:
        dotted = {c.code: 0.6 for c in countries() if c.order == "dmy" and "," in c.decimals}
        yield Clue("dates", "dots in the date", dotted)
    if half_day:
        clocks = {c.code: 0.8 for c in countries() if c.hour12 or "en" in c.languages}
        yield Clue("dates", "AM or PM", clocks)


def _by_order(order: str, strength: float) -> dict[str, float]:
    """Code → log-odds of the countries whose tills print dates in an order; where some print the day first
    and others the month, either tells less."""
    scores: dict[str, float] = {}
    for country in countries():
        if {country.order, *country.also} >= _BOTH and order in _BOTH:
            scores[country.code] = strength * _OF_BOTH
        elif country.order == order:
            scores[country.code] = strength
    return scores


def calendar_clues(texts: Sequence[str]) -> Iterator[Clue]:
    """Yields clues from years that are possible only in one country's calendar: 2567 in Thailand, 2081 in
    Nepal."""
    years = {int(match["last"] or match["first"]) for text in texts for match in _FOUR_DIGITS.finditer(text)}
    for calendar, ahead in _AHEAD.items():
        own = sorted(year for year in years if year not in _YEARS and year - ahead in _YEARS)
        if own:
            codes = [c.code for c in countries() if c.region and c.region.dates.calendar == calendar]
            yield Clue("calendar", f"the year {own[0]}", dict.fromkeys(codes, _OWN_YEAR))


def tax_clues(texts: Sequence[str], hits: Sequence[Hit]) -> Iterator[Clue]:
    """Yields clues from names of taxes, and from a country's legal rates printed beside them."""
    named: set[frozenset[str]] = set()
    rates: set[tuple[str, frozenset[str]]] = set()
    for hit in hits:
        codes = frozenset(hit.meaning.taxes)
        if not codes:
            continue
        if codes not in named:
            named.add(codes)
            yield Clue("tax", hit.key, shared(codes, _TAX_NAME))
        for match in _PERCENT.finditer(texts[hit.row]):
            if max(match.start() - hit.end, hit.start - match.end()) <= _BESIDE:
                rates.add((plain_rate(match.group(1).replace(",", ".")), codes))
    for rate, codes in sorted(rates, key=lambda pair: (pair[0], sorted(pair[1]))):
        legal = [c.code for c in countries() if rate in c.rates and c.code in codes]
        yield Clue("tax", f"{rate} %", shared(legal, _RATE))
