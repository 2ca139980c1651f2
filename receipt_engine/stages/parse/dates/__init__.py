"""Dates and times of day in one line of text.

In: the text of a line, the region's order and calendar, an order asked for. Out: every date with each way to
read it, the cheapest first, joined to the time printed with it; every time; the spans that are no money.
Decides: which numbers (`numeric`, Nepal's `bikram_sambat`), month names (`written`) and East Asian signs
(`east_asian`) make a day that a calendar has (`calendar_dates`), what a clock shows (`times`), and which time
belongs to which date.
"""

from receipt_engine.stages.parse.dates.finder import calendar_spans, find_dates
from receipt_engine.stages.parse.dates.times import find_times

__all__ = ["calendar_spans", "find_dates", "find_times"]
