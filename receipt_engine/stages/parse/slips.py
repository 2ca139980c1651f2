"""Letters that stand for digits: which of them a line's numbers may have been misread into."""

from __future__ import annotations

import re

from receipt_engine.stages.parse.characters import DIGIT_FOR, MAYBE_SLIP, with_digits

_RUN = re.compile(r"[0-9OoQDlIi|!\[\]ZzSsGbBgq][0-9OoQDlIi|!\[\]ZzSsGbBgq.,']*+")
_TAIL = re.compile(r"[.,]([0-9A-Za-z|!\[\]]*)$")
#: A letter before a number is a digit only when hardly anything else looks so.
_LEADING = "lIioO"


def mended_amounts(text: str, decimals: int, codes: frozenset[str]) -> tuple[str, list[int]] | None:
    """The text with misread digits of amounts mended, and where; None when there is nothing to mend.

    Only runs that then look like amounts change: digits, a point, and `decimals` digits after it. Letters
    after complete cents stay: they are tax codes.
    """
    if not MAYBE_SLIP.search(text):
        return None
    positions: list[int] = []
    for run in _RUN.finditer(text):
        if any(c.isdigit() for c in run.group()) and not run.group().isdigit():
            positions.extend(_slips_in(text, run.start(), run.end(), decimals, codes))
    return (with_digits(text, positions), positions) if positions else None


def _slips_in(text: str, start: int, end: int, decimals: int, codes: frozenset[str]) -> list[int]:
    start = _after_letters(text, start, end, codes)
    if end < len(text) and text[end].isalpha() and text[end] < "\u3000":  # the run ends inside a word
        while end > start and text[end - 1].isalpha():
            end -= 1
    tail = _TAIL.search(text, start, end)
    if tail:
        after_point = tail.group(1)
        digits = sum(c.isdigit() for c in after_point[:3])
        if len(after_point) >= decimals and decimals and after_point[decimals:].isalpha():
            end = tail.start(1) + decimals
        elif len(after_point) not in (decimals, 3) or not (digits or text[start : tail.start()].isdigit()):
            return []
    elif not re.search(r"[0-9]", text[start:end]) or len(text[start:end]) < 3:
        return []
    return [i for i in range(start, end) if text[i] in DIGIT_FOR]


def _after_letters(text: str, start: int, end: int, codes: frozenset[str]) -> int:
    """Skips letters at the head of a run that belong to a word or a currency mark before the number."""
    head = start
    while head and text[head - 1].isalpha():
        head -= 1
    if head < start and text[head:start].lower() in codes:
        return start
    leading = _LEADING + "|!" * (text[start - 1 : start] in tuple("$€£¥₹₱"))
    while start < end and text[start] in DIGIT_FOR and (head < start or text[start] not in leading):
        start += 1
        head = start if text[start - 1] not in DIGIT_FOR else head
    return start
