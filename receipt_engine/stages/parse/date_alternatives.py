"""Adds the readings of a date that the recogniser kept as alternatives of its characters.

Where print is worn, a digit is read as another one of the same shape and the right one is the recogniser's
second choice: "14/62/2026" for 14/02/2026, "03/15/2013" for a day of 2018. The calendar, a second print of
the day or a weekday can then choose it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

from msgspec.structs import replace

from receipt_engine.document import DateDigits, DateReading, Line
from receipt_engine.region import Region
from receipt_engine.scoring.costs import ACCEPTED
from receipt_engine.stages.parse.dates import find_dates

#: Fewest digits of a row with a date, most alternatives tried, and most characters of a time behind a date.
_FEWEST_DIGITS, _MOST_TRIED, _TIME = 4, 8, 12
#: Cost of a date where the row as read has none.
_UNSEEN = 0.5


class _Edit(NamedTuple):
    """Another reading of `length` characters. cost: how much less likely it is than they are, in nats; alone:
    the same once they are ruled out."""

    at: int
    length: int
    text: str
    cost: float
    alone: float


def with_other_dates(
    line: Line, own: tuple[DateReading, ...], region: Region, default_order: str | None
) -> tuple[DateReading, ...]:
    """The dates of a row with those in which one character is the recogniser's alternative.

    own: the dates of the row as read. Where it has one, only its own characters are tried; the day may then
    gain a time that a misread digit hides.
    """
    text = line.text
    if sum(map(str.isdigit, text)) < _FEWEST_DIGITS:
        return own
    sure = [d for d in own if d.cost <= ACCEPTED]
    edits = [e for e in _edits(line) if not sure or any(d.start <= e.at < d.end + _TIME for d in sure)]
    found: dict[str, DateReading] = {}
    for edit in sorted(edits, key=lambda e: e.cost)[:_MOST_TRIED]:
        longer = len(edit.text) - edit.length
        edited = text[: edit.at] + edit.text + text[edit.at + edit.length :]
        for day in find_dates(edited, region, default_order=default_order):
            start, end = (at - longer * (at > edit.at) for at in (day.start, day.end))
            rivals = [d for d in sure if d.start < end and start < d.end]
            same = [d.has_time for d in rivals if d.iso[:10] == day.iso[:10]]
            apart = not start <= edit.at < end or (sure and not rivals)
            if day.cost > ACCEPTED or apart or (same and any(same) >= day.has_time):
                continue
            cost = round(day.cost + (edit.cost if rivals and not same else edit.alone + _UNSEEN), 2)
            other = replace(day, start=start, end=end, cost=cost, digits=DateDigits.OTHER)
            found[day.iso[:10]] = min(found.get(day.iso[:10], other), other, key=lambda d: d.cost)
    return (*own, *found.values())


def _edits(line: Line) -> Iterator[_Edit]:
    """The alternatives of the row's characters that are not too unlikely, and no blank."""
    offset = 0
    for word in line.words:
        at = offset
        for char in word.chars if "".join(c.text for c in word.chars) == word.text else ():
            for text, probability in char.alternatives:
                cost = math.log(max(1.0, char.score / probability))
                if len(text) <= 1 and text not in (char.text, " ") and cost <= ACCEPTED:
                    alone = math.log(max(1.0, (1 - char.score) / probability))
                    yield _Edit(at, len(char.text), text, cost, alone)
            at += len(char.text)
        offset += len(word.text) + 1
