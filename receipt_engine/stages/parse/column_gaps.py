"""Wide gaps between words: they part columns, so that no number goes on behind one.

A number behind a gap at the end of a row is mostly an amount, which shows how a page prints its amounts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from receipt_engine.document import HABIT, Line, Word

#: Stands for a blank between two digits that is a gap. Nothing prints it, and no number is read across it.
GAP = "\u2001"
#: How wide a gap is at least: two blanks of common print, in heights of the words beside it; in characters
#: of the longer one, because print may be wide; and in the page's usual blanks between words. A 1 has blank
#: paper on both sides.
_WIDE = 0.95
_WIDE_IN_CHARACTERS = 2.15
_WIDE_IN_BLANKS = 1.4
_WHOLE = re.compile(r"[^\w\s]?-?(?:[A-Z]{0,3}[^\w\s]?)\d{1,3}(?:\d{0,2}|(?:[,.]\d{3})+)")
_WITH_DECIMALS = re.compile(r"(?<![\d.,/-])\d+(?:[.,]\d{3})*[.,]\d\d(?!\d|[.,/-]\d)")
#: Blanks that show a page's usual one.
_MIN_BLANKS = 5


def usual_blank(lines: Sequence[Line]) -> float:
    """The page's usual blank between two words, in characters; 0 when there are too few to tell."""
    pairs = (pair for line in lines for pair in pairwise(line.words))
    blanks = sorted(
        (right.left - left.right) / _character(left, right)
        for left, right in pairs
        if left.text.isalpha() and right.text.isalpha()
    )
    return blanks[len(blanks) // 2] if len(blanks) >= _MIN_BLANKS else 0.0


def with_gaps(line: Line, usual: float = 0.0) -> str:
    """The row's text, of the same length, with `GAP` for the blanks that lie between columns of numbers.

    usual: see `usual_blank`.
    """
    words = line.words
    found = [words[0].text] if words else []
    for left, right in pairwise(words):
        numbers = left.text[-1:].isdigit() and right.text[:1].isdigit()
        found.append(GAP if numbers and _is_gap(left, right, usual) else " ")
        found.append(right.text)
    return "".join(found)


def _is_gap(left: Word, right: Word, usual: float) -> bool:
    characters = max(_WIDE_IN_CHARACTERS, _WIDE_IN_BLANKS * usual)
    least = max(_WIDE * min(left.height, right.height), characters * _character(left, right))
    return right.left - left.right > least


def _character(left: Word, right: Word) -> float:
    """Width of a character of the longer of two words, in pixels."""
    longer = left if len(left.text) >= len(right.text) else right
    return max(1.0, (longer.right - longer.left) / len(longer.text))


def prints_whole(lines: Sequence[Line]) -> bool:
    """Whether a page prints no decimals: whole numbers behind gaps at the ends of rows, and none with two
    decimals anywhere."""
    if sum(1 for line in lines if _ends_in_whole(line)) < HABIT:
        return False
    return not any(_WITH_DECIMALS.search(line.text) for line in lines)


def _ends_in_whole(line: Line) -> bool:
    if len(line.words) < 2:
        return False
    before, last = line.words[-2:]
    apart = last.left - before.right > _WIDE * min(last.height, before.height)
    return apart and _WHOLE.fullmatch(last.text) is not None
