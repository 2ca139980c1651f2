"""Finds percentages in a printed line."""

from __future__ import annotations

import re
from decimal import Decimal

from receipt_engine.document import PercentReading
from receipt_engine.stages.parse.limits import MAX_LINE
from receipt_engine.vocabulary.normalise import ascii_forms

#: "19,00 %", "7%", "% 10", and the sign misread as "o/o". After a blank, one that touches a rate is that
#: rate's: "75,00 %10".
PERCENT_SIGN = re.compile(r"(?! %\d\d?(?![\d.,])) ?(?:%|[°oO0]/[°oO0](?!\d))")
_NUMBER = re.compile(r"(?<![\w.,/])(?<![.,]\d)-?(\d{1,3}(?:[.,] ?\d{1,3})?)(?![\d])")
#: A one or zero of a rate that was misread as a letter: "l9%", "5,OO %".
_LETTER = re.compile(
    r"(?<![^\W_])[lI](?=[0-9Oo]{1,2}(?:[.,][0-9Oo]{1,2})? ?%)"
    r"|(?:(?<=[0-9lI])|(?<=[0-9Oo][.,])|(?<=[.,][0-9Oo]))[Oo](?=[0-9Oo]{0,2}(?:[.,][0-9Oo]{1,2})? ?%)"
)
_GLUED = re.compile(r"(\d{1,2}(?:[.,]\d{1,2})?)(?=%)")
#: A rate behind its sign, as Turkish prints it: "%20", "KDV %10".
_SIGN_FIRST = re.compile(r"(?<![\d%])%(\d{1,2}(?:[.,]\d{1,2})?| \d{1,2})(?![\d%.,]| ?%)")


def find_percents(text: str) -> tuple[PercentReading, ...]:
    """Every percentage of a line, left to right. Point and comma are both decimal: no rate reaches 1,000.

    A number that touches letters ("VAT20%") counts, at a slightly higher cost.
    """
    line = ascii_forms(text[:MAX_LINE])
    if "%" not in line and ("/" not in line or not PERCENT_SIGN.search(line)):
        return ()
    line = _LETTER.sub(lambda letter: "0" if letter.group() in "Oo" else "1", line)
    found: list[PercentReading] = []
    for match in _NUMBER.finditer(line):
        sign = PERCENT_SIGN.match(line, match.end())
        if sign is not None:
            cost = 0.0 if "%" in sign.group() else 0.7
            found.append(_reading(text, match.start(), sign.end(), match.group(1), cost))
    taken = {i for reading in found for i in range(reading.start, reading.end)}
    for match in _GLUED.finditer(line):
        if match.start() not in taken and not line[match.start() - 1 : match.start()].isdigit():
            found.append(_reading(text, match.start(), match.end() + 1, match.group(1), 0.5))
    for match in _SIGN_FIRST.finditer(line):
        if taken.isdisjoint(range(match.start(), match.end())):
            found.append(_reading(text, match.start(), match.end(), match.group(1), 0.0))
    return tuple(sorted(found, key=lambda reading: reading.start))


def _reading(text: str, start: int, end: int, number: str, cost: float) -> PercentReading:
    value = Decimal(number.replace(" ", "").replace(",", "."))
    return PercentReading(text[start:end], start, end, value, cost)
