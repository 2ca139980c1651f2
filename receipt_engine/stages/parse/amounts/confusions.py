"""Repairs digits of amounts that were misread as letters."""

from __future__ import annotations

import re

from receipt_engine.document import THOUSANDS
from receipt_engine.stages.parse.amounts.currency import Signs
from receipt_engine.stages.parse.amounts.shapes import NumberRules
from receipt_engine.vocabulary.confusions import (
    DIGIT_FOR,
    DIGIT_LIKE,
    LEADING,
    MAYBE_CONFUSED,
    ZEROS,
    with_digits,
)

_RUN = re.compile(rf"[0-9{DIGIT_LIKE}][0-9{DIGIT_LIKE}.,']*+")
_TAIL = re.compile(rf"[.,]([0-9{DIGIT_LIKE}]*)$")
_STROKES = frozenset("|![]")
#: A letter where only a digit can stand: "G.153,43", "Z.64".
_THOUSANDS = re.compile(r"[A-Za-z][.,'](?=[0-9]{3})")
_ONE_DIGIT = re.compile(r"[A-Za-z][.,][0-9]{2}")
_LETTERS_BEHIND = re.compile(r"[.,]\d+([A-Za-z]{2,})(?![^\W_])")


def repair_amounts(
    text: str, rules: NumberRules, signs: Signs, units: frozenset[str]
) -> tuple[str, list[int]] | None:
    """The text with misread digits of amounts repaired, and their offsets; None if nothing is to be repaired.

    units: those whose letters all look like digits ("4.8OZ" is a weight). Only runs that look like amounts
    once repaired are changed: digits, a point, and the currency's decimals after it. Letters after complete
    cents stay, as they are tax codes; so do strokes, which are table borders or the paper's edge.
    """
    if not MAYBE_CONFUSED.search(text):
        return None
    positions: list[int] = []
    for run in _RUN.finditer(text):
        if len(run.group()) > 2 and any(c.isdigit() for c in run.group()) and not run.group().isdigit():
            positions.extend(_confusions_in(text, run.start(), run.end(), rules, signs, units))
    return (with_digits(text, positions), positions) if positions else None


def _confusions_in(
    text: str, start: int, end: int, rules: NumberRules, signs: Signs, units: frozenset[str]
) -> list[int]:
    start = _after_letters(text, start, end, signs)
    if end < len(text) and text[end].isalpha() and text[end] < "\u3000":  # the run ends inside a word
        while end > start and text[end - 1].isalpha():
            end -= 1
    tail = _TAIL.search(text, start, end)
    unit = _LETTERS_BEHIND.match(text, tail.start()) if tail else None
    if unit and unit[1].lower() in units:
        return []
    if tail:
        after_point = tail.group(1)
        # Tills print cents even where the currency has none in use: "14,500.00B".
        decimals = rules.decimals or 2 * rules.rather_points(text[tail.start()])
        behind = after_point[decimals:] if decimals else ""
        zeros = len(after_point) == THOUSANDS and behind in ZEROS
        thousand = zeros and (rules.may_part(text[tail.start()]) or ZEROS.issuperset(after_point))
        if behind and not thousand and (behind.isalpha() or _STROKES.issuperset(behind)):
            end = tail.start(1) + decimals
        elif len(after_point) not in (decimals, 3) or not (
            any(map(str.isdigit, after_point))
            or text[start : tail.start()].isdigit()
            or (text[start].isdigit() and all(c in ZEROS for c in text[start:end] if c.isalpha()))
        ):
            return []
    elif not re.search(r"[0-9]", text[start:end]) or len(text[start:end]) < 3:
        return []
    return [i for i in range(start, end) if text[i] in DIGIT_FOR]


def _after_letters(text: str, start: int, end: int, signs: Signs) -> int:
    """Start of the run without leading letters that belong to a word or a currency mark before the number.

    Right after a currency any letter may be a digit ("€B1,03"), and so may a single letter before the point.
    """
    head = start
    while head and text[head - 1].isalpha():
        head -= 1
    letters = start
    while letters < end and text[letters].isalpha():
        letters += 1
    for stop in range(letters, start - 1, -1):  # the run may begin with the last letter of a code: "Dhs"
        if head < stop and text[head:stop].lower() in signs.words:
            return stop
    if head == start and _follows_currency(text, start, signs):
        return start
    signed = start - head == 1 and text[head] in signs.misread_before  # "NB,062.50" for ₦8,062.50
    if (signed or head == start) and _THOUSANDS.match(text, start, end):
        return start
    if head == start and _ONE_DIGIT.fullmatch(text, start, end):
        return start
    while start < end and text[start] in DIGIT_FOR and (head < start or text[start] not in LEADING):
        start += 1
        head = start if text[start - 1] not in DIGIT_FOR else head
    return start


def _follows_currency(text: str, start: int, signs: Signs) -> bool:
    before = text[max(0, start - 6) : start].rstrip(" ")
    if before[-1:] in signs.any_sign:
        return True
    return (
        before != text[max(0, start - 6) : start]
        and before.rpartition(" ")[2].lower().rstrip(".") in signs.words
    )
