"""The purchase date: which of all dates on the receipt it is, and the time of the sale.

In: parsed rows, the sorted sheet, the region with its rivals, and the order of day and month asked for.
Out: one `DateChoice` with its confidence and runners-up, or None when no date may be it.
Decides: what each printed date is for by its label, zone and time (`printed_dates`), which order of day and
month the receipt prints (`date_order`), which time is that of the sale (`sale_time`), and how surely the
digits were read (`printed_dates`).
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
from receipt_engine.stages.dating.sale_time import Clock, find_clocks, is_start

__all__ = ["choose_date", "laws_in_force"]

#: A date whose words and form cost more than this is nothing.
_NOTHING = 4.2
_SUPPORT = 0.9  # for the same day printed again
_MOST_SUPPORT = 1.8
_TOLD = 4.0  # a code tells the same day
_START = 1.2  # the start of a ride or stay that ends on the next row
_NO_TIME = 1.5  # from which on a time is not that of the sale
#: Receipts are read within a few years: so many years older than another reading, one is out of the question.
_STALE = 3
#: Share of the countries without a region file that print the day first.
_DAY_FIRST = 0.8


class _Candidate(Record, frozen=True):
    """One day and every print of it. cost: of its best print less the support of the others."""

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
    """The purchase date with its time, None when no date is printed that may be it.

    default_order: "d/m" or "m/d", the order asked for ambiguous dates. guesses: of the region, when it
    was inferred. Where nothing else tells day from month, and the country prints several orders or regions of
    another order are likely enough, the confidence stays below 0.7. codes: fiscal codes of the page; their
    date decides between readings, stands for one that is not legible, and makes another one doubtful.
    """
    told = coded_date(codes)
    printed_dates = find_printed_dates(rows, sheet)
    evidence = find_evidence(rows, printed_dates, region, default_order, _likely_orders(region, guesses))
    candidates = _candidates(printed_dates, evidence, told.date if told else None)
    if not candidates or candidates[0].cost > _NOTHING:
        return told.choice if told else None
    best = candidates[0]
    weights = [math.exp(-candidate.cost) for candidate in candidates]
    total = sum(weights) + math.exp(-_NOTHING)
    confidence = weights[0] / total * legibility(rows, best.shown)
    sure = evidence.sure and not _has_rival(best, region)
    undecided = best.by_region and not sure and not _is_dotted(best)
    if told is not None:
        undecided, confidence = False, told.confidence(best.date, confidence)
    elif undecided:
        confidence = min(confidence, UNDECIDED)
    time = _time(find_clocks(rows, sheet, printed_dates, best.shown))
    return DateChoice(
        date=best.date,
        time=time.text if time else told.time_of(best.date) if told else None,
        confidence=confidence,
        lines=tuple(sorted({printed.row for printed, _ in best.shown} | ({time.row} if time else set()))),
        rule=_rule(best, time, told),
        runners_up=tuple(
            (c.date, w / total)
            for c, w in zip(candidates[1:4], weights[1:4], strict=True)
            if w / total > 1e-4
        ),
        undecided=undecided,
    )


def _candidates(
    printed_dates: Sequence[PrintedDate], evidence: Evidence, told: str | None
) -> list[_Candidate]:
    """Every day that some reading gives, likeliest first. told: the day that a code tells."""
    shown: dict[str, list[tuple[float, PrintedDate, DateReading, Reason | None]]] = {}
    starts = {a for a in printed_dates for b in printed_dates if is_start(a, b)}
    for printed in printed_dates:
        extra = printed.cost + (_START if printed in starts else 0.0)
        for reading, cost, why in evidence.readings(printed):
            shown.setdefault(reading.iso[:10], []).append((cost + extra, printed, reading, why))
    found = []
    for date, entries in shown.items():
        entries.sort(key=lambda entry: (entry[0], entry[1].row))
        cost, printed, reading, why = entries[0]
        others = {entry[1].row for entry in entries[1:] if entry[0] < cost + 5} - {printed.row}
        support = min(_MOST_SUPPORT, _SUPPORT * len(others)) + (_TOLD if date == told else 0.0)
        by_region = why is None and reading.layout.order is not None and is_ambiguous(printed)
        found.append(
            _Candidate(date, cost - support, tuple((p, r) for _, p, r, _ in entries), why, by_region)
        )
    return sorted(found, key=lambda candidate: (candidate.cost, candidate.date))


def _likely_orders(region: Region, guesses: Sequence[RegionGuess]) -> dict[str, float]:
    """Probability of each order in the receipt's country; the region's is certain without guesses."""
    if not guesses:
        return {region.dates.order: 1.0}
    found: dict[str, float] = {region.dates.order: 0.0}
    for guess in guesses:
        found[guess.order] = found.get(guess.order, 0.0) + guess.probability
    rest = max(0.0, 1.0 - sum(found.values()))
    found["dmy"] = found.get("dmy", 0.0) + _DAY_FIRST * rest
    return found


def _has_rival(best: _Candidate, region: Region) -> bool:
    """Whether the country also prints an order by which the same digits are another day, one that is not much
    older: "26/01/15" may be January 2026 rather than 2015, but "15/01/26" is hardly of 2015."""
    printed, chosen = best.shown[0]
    return any(
        reading.layout.order in region.dates.also
        and reading.iso[:10] != best.date
        and reading.year > chosen.year - _STALE
        for reading in printed.readings
    )


def _is_dotted(best: _Candidate) -> bool:
    """Whether points part day, month and year: countries that print the month first do not use them."""
    reading = best.shown[0][1]
    return reading.layout.order == "dmy" and form_of(reading).startswith(".")


def _time(clocks: Sequence[Clock]) -> Clock | None:
    """The likeliest time, with its seconds where they are printed once."""
    if not clocks or clocks[0].cost > _NO_TIME:
        return None
    best = clocks[0]
    seconds = [c for c in clocks if c.text[:5] == best.text[:5] and c.second is not None]
    return seconds[0] if seconds and best.second is None else best


def _rule(best: _Candidate, time: Clock | None, told: CodedDate | None) -> str:
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
    if told is not None:
        parts.append("fiscal code agrees" if told.date == best.date else "fiscal code says another day")
    return "; ".join(parts)


#: How sure a date is that a code and the print both tell, and one that only a code tells.
_AGREED, _ALONE = 0.995, 0.97
#: What is left of a printed date's confidence when a code tells another day.
_CONTRADICTED = 0.5


class CodedDate(Record, frozen=True):
    """A day, and the time when the code has one. date: ``YYYY-MM-DD``; time: ``hh:mm:ss``."""

    date: str
    time: str | None

    @property
    def choice(self) -> DateChoice:
        """It alone, when no date is legible in print."""
        return DateChoice(
            date=self.date,
            time=self.time,
            confidence=_ALONE,
            lines=(),
            rule="fiscal code",
        )

    def confidence(self, printed: str, alone: float) -> float:
        """That a printed date is right. alone: without the code."""
        return max(alone, _AGREED) if printed == self.date else alone * _CONTRADICTED

    def time_of(self, date: str) -> str | None:
        """The code's time where the print has none and the day is the same."""
        return self.time if date == self.date else None


def coded_date(codes: Sequence[FiscalCode]) -> CodedDate | None:
    """The one day that the codes tell; None when they tell none or several."""
    told = [CodedDate(code.date, code.time) for code in codes if code.date is not None and not code.asks]
    return told[0] if told and len({code.date for code in told}) == 1 else None


def laws_in_force(rows: Sequence[ParsedLine], region: Region) -> Region:
    """The region with the tax rates and roundings of the days that the rows name.

    Which of the days is that of the sale is decided later, with the help of the sums. So every reading of
    every date counts, which may leave a law too many, and never one too few; without a date, or with mere
    guesses at one, all of them.
    """
    found = [date for row in rows for date in row.dates]
    if not any(date.cost <= ACCEPTED for date in found):
        return region
    days = [datetime.date(d.year, d.month, d.day) for d in found]
    return region.in_force(min(days), max(days))
