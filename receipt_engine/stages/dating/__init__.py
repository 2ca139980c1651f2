"""Chooses the purchase date among all dates of the receipt, and the time of the sale.

In: parsed rows, the sheet with their zones and roles, the region with its rivals, the requested order of day
and month, and fiscal codes.
Out: one `DateChoice` with its confidence and runners-up, or None when no date qualifies.
Decides: how likely each printed date is the purchase date by its label, zone and time (`printed_dates`),
which order of day and month the receipt prints (`date_order`), which time is that of the sale (`sale_time`),
and how confidently the digits were read (`printed_dates`).
"""

from __future__ import annotations

import datetime
import math
from collections.abc import Sequence

from receipt_engine.document import (
    UNDECIDED,
    DateChoice,
    DateReading,
    FiscalCode,
    ParsedLine,
    Record,
    RegionGuess,
    Sheet,
)
from receipt_engine.region import Region
from receipt_engine.scoring.costs import ACCEPTED
from receipt_engine.stages.dating.date_order import Evidence, Reason, find_evidence, form_of, is_ambiguous
from receipt_engine.stages.dating.printed_dates import PrintedDate, find_printed_dates, legibility
from receipt_engine.stages.dating.sale_time import MAX_TIME_COST, Clock, find_clocks, is_start, is_stay

__all__ = ["choose_date", "laws_in_force"]

#: A date whose label and form cost more than this is no purchase date.
_NOTHING = 4.2
_SUPPORT = 0.9  # for each further row with the same day
_MOST_SUPPORT = 1.8
_CODE_SUPPORT = 4.0  # a fiscal code has the same day
_LEFT = 0.8  # the guests' departure, when they pay: the most that its label costs
_START = 1.2  # the date is the start of a ride or stay that ends on the next row
#: Receipts are read within a few years: a reading this many years older than another is ruled out.
_STALE = 3
#: Share of countries without a region file that print the day first.
_DAY_FIRST = 0.8


class _Candidate(Record, frozen=True):
    """One day with all its occurrences. cost: of its best occurrence less the support of the others.

    shown: the printed dates with the reading that gives this day, best first. why: what decided the best
    one's order; by_region: only the region's order did.
    """

    date: str
    cost: float
    shown: tuple[tuple[PrintedDate, DateReading], ...]
    why: Reason | None
    by_region: bool


def choose_date(
    rows: Sequence[ParsedLine],
    sheet: Sheet,
    region: Region,
    default_order: str | None = None,
    guesses: Sequence[RegionGuess] = (),
    codes: Sequence[FiscalCode] = (),
) -> DateChoice | None:
    """The purchase date with its time; None when no date qualifies.

    default_order: "d/m" or "m/d", the order requested for ambiguous dates. guesses: candidates for the
    region, when it was inferred. Where nothing else distinguishes day from month, and the country prints
    several orders or regions of another order are likely enough, the confidence stays below 0.7. codes:
    fiscal codes of the page. Their date decides between readings, replaces an illegible one, and lowers the
    confidence of a different one.
    """
    coded = coded_date(codes)
    printed_dates = find_printed_dates(rows, sheet)
    evidence = find_evidence(rows, printed_dates, region, default_order, _likely_orders(region, guesses))
    candidates = _candidates(rows, printed_dates, evidence, coded.date if coded else None)
    if not candidates or candidates[0].cost > _NOTHING:
        return coded.choice if coded else None
    best = candidates[0]
    weights = [math.exp(-candidate.cost) for candidate in candidates]
    total = sum(weights) + math.exp(-_NOTHING)
    confidence = weights[0] / total * legibility(rows, best.shown)
    sure = evidence.sure and not _has_rival(best, region)
    undecided = best.by_region and not sure and not _is_dotted(best)
    if coded is not None:
        undecided, confidence = False, coded.confidence(best.date, confidence)
    elif undecided:
        confidence = min(confidence, UNDECIDED)
    time = _time(find_clocks(rows, sheet, printed_dates, best.shown))
    return DateChoice(
        date=best.date,
        time=time.text if time else coded.time_of(best.date) if coded else None,
        confidence=confidence,
        lines=tuple(sorted({printed.row for printed, _ in best.shown} | ({time.row} if time else set()))),
        rule=_rule(best, time, coded),
        runners_up=tuple(
            (c.date, w / total)
            for c, w in zip(candidates[1:4], weights[1:4], strict=True)
            if w / total > 1e-4
        ),
        undecided=undecided,
    )


def _candidates(
    rows: Sequence[ParsedLine], printed_dates: Sequence[PrintedDate], evidence: Evidence, coded: str | None
) -> list[_Candidate]:
    """Every day that some reading gives, likeliest first. coded: the day in the fiscal codes."""
    shown: dict[str, list[tuple[float, PrintedDate, DateReading, Reason | None]]] = {}
    starts = {a for a in printed_dates for b in printed_dates if is_start(a, b, rows)}
    left = {b for a in printed_dates for b in printed_dates if is_stay(a, b, rows)}
    for printed in printed_dates:
        extra = printed.cost + _START * (printed in starts)
        extra -= max(0.0, printed.label_cost - _LEFT) * (printed in left)
        for reading, cost, why in evidence.readings(printed):
            shown.setdefault(reading.iso[:10], []).append((cost + extra, printed, reading, why))
    found = []
    for date, entries in shown.items():
        entries.sort(key=lambda entry: (entry[0], entry[1].row))
        cost, printed, reading, why = entries[0]
        again = (entry[1] for entry in entries[1:] if entry[0] < cost + 5)
        others = {other.row for other in again if not other.listed} - {printed.row}
        support = min(_MOST_SUPPORT, _SUPPORT * len(others)) + (_CODE_SUPPORT if date == coded else 0.0)
        by_region = why is None and reading.layout.order is not None and is_ambiguous(printed)
        found.append(
            _Candidate(date, cost - support, tuple((p, r) for _, p, r, _ in entries), why, by_region)
        )
    return sorted(found, key=lambda candidate: (candidate.cost, candidate.date))


def _likely_orders(region: Region, guesses: Sequence[RegionGuess]) -> dict[str, float]:
    """Date order → its probability in the receipt's country; the region's is certain without guesses."""
    if not guesses:
        return {region.dates.order: 1.0}
    found: dict[str, float] = {region.dates.order: 0.0}
    for guess in guesses:
        found[guess.order] = found.get(guess.order, 0.0) + guess.probability
    rest = max(0.0, 1.0 - sum(found.values()))
    found["dmy"] = found.get("dmy", 0.0) + _DAY_FIRST * rest
    return found


def _has_rival(best: _Candidate, region: Region) -> bool:
    """Whether the country also prints another order in which the same digits are another day that is not much
    older: "26/01/15" may be January 2026 rather than 2015, but "15/01/26" is hardly of 2015."""
    printed, chosen = best.shown[0]
    return any(
        reading.layout.order in region.dates.also
        and reading.iso[:10] != best.date
        and reading.year > chosen.year - _STALE
        for reading in printed.readings
    )


def _is_dotted(best: _Candidate) -> bool:
    """Whether points separate a day-first date: countries that print the month first do not use them."""
    reading = best.shown[0][1]
    return reading.layout.order == "dmy" and form_of(reading).startswith(".")


def _time(clocks: Sequence[Clock]) -> Clock | None:
    """The likeliest time; a repetition of it with seconds if it has none itself."""
    if not clocks or clocks[0].cost > MAX_TIME_COST:
        return None
    best = clocks[0]
    seconds = [c for c in clocks if c.text[:5] == best.text[:5] and c.second is not None]
    return seconds[0] if seconds and best.second is None else best


def _rule(best: _Candidate, time: Clock | None, coded: CodedDate | None) -> str:
    printed, reading = best.shown[0]
    parts = [reading.rule]
    if printed.label is not None:
        parts.append(f"after a word for {printed.label.replace('_', ' ')}")
    if best.why is not None:
        parts.append(f"order from {best.why}")
    elif best.by_region:
        parts.append("order of the region")
    if time is not None and not time.with_date:
        parts.append("time from elsewhere")
    if coded is not None:
        parts.append("fiscal code agrees" if coded.date == best.date else "fiscal code says another day")
    return "; ".join(parts)


#: Confidence of a date that is both printed and in a fiscal code, and of one that is only in a code.
_AGREED, _ALONE = 0.995, 0.97
#: Factor for a printed date's confidence when a fiscal code has another day.
_CONTRADICTED = 0.5


class CodedDate(Record, frozen=True):
    """The day of a fiscal code, and the time if it has one. date: ``YYYY-MM-DD``; time: ``hh:mm:ss``."""

    date: str
    time: str | None

    @property
    def choice(self) -> DateChoice:
        """The choice of this day when no printed date is legible."""
        return DateChoice(date=self.date, time=self.time, confidence=_ALONE, lines=(), rule="fiscal code")

    def confidence(self, printed: str, alone: float) -> float:
        """Confidence that a printed date is right. alone: the confidence without the code."""
        return max(alone, _AGREED) if printed == self.date else alone * _CONTRADICTED

    def time_of(self, date: str) -> str | None:
        """The code's time if `date` is the same day; used when no time is printed."""
        return self.time if date == self.date else None


def coded_date(codes: Sequence[FiscalCode]) -> CodedDate | None:
    """The one day in the codes; None when they have none or several. Payment requests do not count."""
    coded = [CodedDate(code.date, code.time) for code in codes if code.date is not None and not code.asks]
    return coded[0] if coded and len({code.date for code in coded}) == 1 else None


def laws_in_force(rows: Sequence[ParsedLine], region: Region) -> Region:
    """The region with the tax rates and roundings in force on the printed dates.

    The date of the sale is chosen later, with the help of the sums. So every reading of every date counts,
    which may leave too many laws but never too few; without a date, or with only guesses at one, all stay.
    """
    found = [date for row in rows for date in row.dates]
    if not any(date.cost <= ACCEPTED for date in found):
        return region
    days = [datetime.date(d.year, d.month, d.day) for d in found]
    return region.in_force(min(days), max(days))
