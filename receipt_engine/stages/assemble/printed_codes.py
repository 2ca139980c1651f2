"""Checks Interleaved 2 of 5 codes against the digits that are printed beside their bars.

The start and stop patterns of this symbology are so short that a code cut by a fold or a tear decodes as a
shorter one. Tills print the digits above or below the bars: when these contain the decoded digits and more,
bars were lost. The code then gets the printed number if that was read without doubt, else it is dropped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from receipt_engine.document import Barcode, ParsedLine, Word

_KIND = "Interleaved 2 of 5"
_LEAST_DIGITS = 6
#: Maximum distance of the digits from the bars, in text heights.
_NEAR = 1.6
#: Minimum character score of a digit that was read without doubt.
_SURE = 0.97
#: Maximum gap between groups of digits of one number, in text heights.
_WITHIN = 1.5
#: Application identifiers in brackets are not in the bars: "(01)".
_IDENTIFIER = re.compile(r"\(\d{2,4}\)")
_MARKS = re.compile(r"[\s*.\-]")


def repair_cut_codes(codes: Sequence[Barcode], rows: Sequence[ParsedLine]) -> tuple[Barcode, ...]:
    """The codes, in order; those that were cut short are repaired or left out."""
    return tuple(code for code in (_checked(code, rows) for code in codes) if code is not None)


def _checked(code: Barcode, rows: Sequence[ParsedLine]) -> Barcode | None:
    if code.kind != _KIND:
        return code
    for words in _numbers_beside(code, rows):
        digits = _digits(words)
        if code.data == digits:
            return code
        if code.data in digits:
            return replace(code, data=digits) if _is_sure(words) and len(digits) % 2 == 0 else None
    return code


def _numbers_beside(code: Barcode, rows: Sequence[ParsedLine]) -> Iterator[list[Word]]:
    """Runs of all-digit words right above or below the bars."""
    for row in rows:
        run: list[Word] = []
        for word in row.line.words:
            if run and (not _is_number(word) or word.left - run[-1].right > _WITHIN * word.height):
                yield from _beside(code, run)
                run = []
            if _is_number(word):
                run.append(word)
        yield from _beside(code, run)


def _is_number(word: Word) -> bool:
    return re.fullmatch(r"[\d*().\-]*\d[\d*().\-]*", word.text) is not None


def _beside(code: Barcode, run: list[Word]) -> Iterator[list[Word]]:
    if not run or len(_digits(run)) < max(_LEAST_DIGITS, len(code.data)):
        return
    left, right = run[0].quad.top_left[0], run[-1].quad.top_right[0]
    xs = [x for x, _ in code.quad.points]
    if right < min(xs) or left > max(xs):
        return
    near = _NEAR * max(word.quad.height for word in run)
    ys = [y for _, y in code.quad.points]
    middle = run[len(run) // 2].quad.center[1]
    if min(ys) - near <= middle <= max(ys) + near:
        yield run


def _digits(run: Sequence[Word]) -> str:
    return _MARKS.sub("", _IDENTIFIER.sub("", " ".join(word.text for word in run)))


def _is_sure(run: Sequence[Word]) -> bool:
    """Whether every character was read without doubt and none is empty."""
    return all(char.text and char.score >= _SURE for word in run for char in word.chars)
