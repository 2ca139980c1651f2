"""Finds the values of caller-defined `customFields` in the printed rows, independently of the region."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

from receipt_engine.document import ParsedLine
from receipt_engine.options import CustomField
from receipt_engine.vocabulary.normalise import squeeze

#: Label lengths, in letters, from which one and two confusions are tolerated.
_ONE_CONFUSION = 5
_TWO_CONFUSIONS = 10
#: Gap between words, in row heights, beyond which another column begins.
_COLUMN_GAP = 1.5
_AFTER_SIGN = re.compile(r"(?<=[:#=])")
_BEHIND_VALUE = " :;,"
_BEFORE_VALUE = " :;.#=-–№"


def find_custom_fields(rows: Sequence[ParsedLine], wanted: Iterable[str | CustomField]) -> dict[str, str]:
    """name → value of the fields that were found."""
    found = {
        field.name: _by_pattern(rows, field.pattern) if field.pattern else _by_labels(rows, field.labels)
        for field in wanted
        if isinstance(field, CustomField)
    }
    return {name: value for name, value in found.items() if value}


def _by_pattern(rows: Sequence[ParsedLine], pattern: str) -> str | None:
    for row in rows:
        match = re.search(pattern, row.text)
        value = match and match[bool(match.re.groups)]
        if value:  # a group that is not in the match, or matches nothing, has none
            return value
    return None


def _by_labels(rows: Sequence[ParsedLine], labels: Sequence[str]) -> str | None:
    keys = [squeeze(label) for label in labels]
    for number, row in enumerate(rows):
        pieces = _pieces(row)
        end = _end_of_label(pieces, keys)
        if end is None:
            continue
        # A label that is alone in its row has its value below it.
        below = _pieces(rows[number + 1]) if number + 1 < len(rows) else []
        value = _column(pieces[end:], row.line.height) or _column(below, row.line.height)
        if value:
            return value
    return None


class _Piece(NamedTuple):
    """A word, or a part of it split after ":", "#" or "=", with the edges of the whole word."""

    text: str
    left: float
    right: float


def _pieces(row: ParsedLine) -> list[_Piece]:
    return [
        _Piece(text, word.left, word.right)
        for word in row.line.words
        for text in _AFTER_SIGN.split(word.text)
        if text
    ]


def _end_of_label(pieces: Sequence[_Piece], keys: Sequence[str]) -> int | None:
    """The index of the first piece after the best-matching label, None when no label matches."""
    found: list[tuple[int, int, int]] = []
    for start in range(len(pieces)):
        for end in range(start + 1, len(pieces) + 1):
            printed = squeeze("".join(piece.text for piece in pieces[start:end]))
            found += [(d, -len(key), end) for key in keys if (d := _confusions(printed, key)) is not None]
    return min(found)[2] if found else None


def _confusions(printed: str, key: str) -> int | None:
    """The number of edits between the printed text and a label, None when there are too many."""
    forgiven = (len(key) >= _ONE_CONFUSION) + (len(key) >= _TWO_CONFUSIONS)
    distance = Levenshtein.distance(printed, key, score_cutoff=forgiven)
    return distance if printed and distance <= forgiven else None


def _column(pieces: Sequence[_Piece], height: float) -> str:
    """The text of the leading pieces, up to the first column gap."""
    end = next(
        (
            i
            for i, (one, other) in enumerate(pairwise(pieces), 1)
            if other.left - one.right > _COLUMN_GAP * height
        ),
        len(pieces),
    )
    return " ".join(piece.text for piece in pieces[:end]).lstrip(_BEFORE_VALUE).rstrip(_BEHIND_VALUE)
