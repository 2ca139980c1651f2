"""Finds wide gaps between words: they separate columns, so no number continues across one.

A number after a gap at the end of a row is mostly an amount, so such numbers show whether a page prints
decimals.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from receipt_engine.document import HABIT, Line, Word
from receipt_engine.region import currency_marks

#: Replaces the space between two digits where it is a gap. Never printed; no number is read across it.
GAP = "\u2001"
#: A gap is wider than all of these: in heights of the lower word beside it, about two spaces of ordinary
#: print; in character widths of the longer word, because fonts may be wide; in the page's usual spaces
#: between words. The digit 1 has white space on both sides. Before a group of thousands it is also wider than
#: the space before the row's currency, and in the page's usual character widths.
_WIDE = 0.95
_WIDE_IN_CHARACTERS = 2.15
_WIDE_IN_BLANKS = 1.4
_GROUP = re.compile(r"\d{3}(?!\d)")
_WHOLE = re.compile(r"[^\w\s]?-?(?:[A-Z]{0,3}[^\w\s]?)\d{1,3}(?:\d{0,2}|(?:[,.]\d{3})+)")
_WITH_DECIMALS = re.compile(r"(?<![\d.,/-])\d+(?:[.,]\d{3})*[.,]\d\d(?!\d|[.,/-]\d)")
#: Fewest spaces, or words, from which a page's usual space, or character, is measured; and the shortest such
#: word.
_MIN_BLANKS = 5
_LONG = 4


class Spacing(NamedTuple):
    """A page's medians; 0 when there are too few words. space: between two words, in character widths.
    character: width of one, in heights."""

    space: float = 0.0
    character: float = 0.0


#: Of a page that was not measured.
UNKNOWN = Spacing()


def usual_spacing(lines: Sequence[Line]) -> Spacing:
    """The spacing of a page's words."""
    pairs = (pair for line in lines for pair in pairwise(line.words))
    spaces = (
        (right.left - left.right) / _character(left, right)
        for left, right in pairs
        if left.text.isalpha() and right.text.isalpha()
    )
    words = (word for line in lines for word in line.words if len(word.text) >= _LONG)
    characters = ((w.right - w.left) / len(w.text) / max(1.0, w.height) for w in words)
    return Spacing(_median(spaces), _median(characters))


def _median(values: Iterable[float]) -> float:
    ordered = sorted(values)
    return ordered[len(ordered) // 2] if len(ordered) >= _MIN_BLANKS else 0.0


def with_gaps(line: Line, usual: Spacing = UNKNOWN) -> str:
    """The row's text, of the same length, with `GAP` in place of spaces between columns of numbers."""
    words = line.words
    pairs = list(pairwise(words))
    currency = min((b.left - a.right for a, b in pairs if _is_currency(b.text)), default=0.0)
    found = [words[0].text] if words else []
    for left, right in pairs:
        numbers = left.text[-1:].isdigit() and right.text[:1].isdigit()
        found.append(GAP if numbers and _is_gap(left, right, usual, currency) else " ")
        found.append(right.text)
    return "".join(found)


def _is_currency(text: str) -> bool:
    """Whether a word is a currency that is printed behind amounts; single letters are also tax codes."""
    mark = text.rstrip(".").lower()
    return mark in _behind() and not (len(mark) == 1 and mark.isalpha())


@cache
def _behind() -> frozenset[str]:
    return frozenset(mark.rstrip(".").lower() for mark in currency_marks().behind)


def _is_gap(left: Word, right: Word, usual: Spacing, currency: float) -> bool:
    characters = max(_WIDE_IN_CHARACTERS, _WIDE_IN_BLANKS * usual.space)
    height = min(left.height, right.height)
    least = max(_WIDE * height, characters * _character(left, right))
    if _GROUP.match(right.text):
        least = max(least, _WIDE_IN_BLANKS * currency, _WIDE_IN_CHARACTERS * usual.character * height)
    return right.left - left.right > least


def _character(left: Word, right: Word) -> float:
    """Mean character width of the longer of two words, in pixels."""
    longer = left if len(left.text) >= len(right.text) else right
    return max(1.0, (longer.right - longer.left) / len(longer.text))


def prints_no_decimals(lines: Sequence[Line]) -> bool:
    """Whether a page prints no decimals: whole numbers after gaps at the ends of rows, and nowhere a number
    with two decimals."""
    if sum(1 for line in lines if _ends_in_whole(line)) < HABIT:
        return False
    return not any(_WITH_DECIMALS.search(line.text) for line in lines)


def _ends_in_whole(line: Line) -> bool:
    if len(line.words) < 2:
        return False
    before, last = line.words[-2:]
    apart = last.left - before.right > _WIDE * min(last.height, before.height)
    return apart and _WHOLE.fullmatch(last.text) is not None
