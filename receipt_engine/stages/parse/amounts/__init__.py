"""Finds amounts of money and percentages in one line of text.

In: the text of a line, the region's number formats, the caller's hints. Out: every span of the line that may
be an amount, each with all its values, the cheapest first; percentages with their offsets.
Decides: where numbers begin and end (`segments`), what their separators mean (`shapes`), which letters are
misread digits (`confusions`), what the text around them says (`currency`, `context`), and which of several
overlapping candidates wins (`candidates`).
"""

from receipt_engine.stages.parse.amounts.finder import find_amounts
from receipt_engine.stages.parse.amounts.percentages import find_percents
from receipt_engine.stages.parse.amounts.shapes import AmountHints

__all__ = ["AmountHints", "find_amounts", "find_percents"]
