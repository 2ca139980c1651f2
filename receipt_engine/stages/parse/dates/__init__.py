"""Finds dates and times of day in one line of text.

In: the text of a line, the region's date order and calendar, an order requested by the caller. Out: every
date with all its readings, the cheapest first, joined to the time printed with it; every time; the spans that
are no money. Decides: which numbers (`numeric`), month names (`written`), and Roman months, East Asian signs
and Nepal's years make a day that a calendar has (`calendars`), what a clock shows (`times`), and which time
belongs to which date (`finder`).
"""

from receipt_engine.stages.parse.dates.finder import calendar_spans, find_dates
from receipt_engine.stages.parse.dates.times import find_times

__all__ = ["calendar_spans", "find_dates", "find_times"]
