"""Joins words that are printed with a blank behind every letter: "B L U E   D O O R" is "BLUE DOOR"."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from receipt_engine.document import Quad, Word

#: So many letters in a row are no code of a tax or a column.
_FEWEST = 4
#: From so many times the usual distance of two letters on, a word ends between them; and the row of letters.
_WORD_ENDS = 1.6
_ROW_ENDS = 4.0
#: Signs that stand between letters of a name.
_SIGNS = frozenset("&'’.")


def joined_letters(words: Sequence[Word]) -> tuple[Word, ...]:
    """The words of a row, those of spaced capitals joined; others as they are."""
    if sum(_is_letter(word) for word in words) < _FEWEST:
        return tuple(words)
    found: list[Word] = []
    for run in _runs(words):
        found.extend(_joined(run) if _is_spaced(run) else run)
    return tuple(found)


def _is_letter(word: Word) -> bool:
    return len(word.text) == 1 and (word.text.isupper() or word.text in _SIGNS)


def _runs(words: Sequence[Word]) -> list[list[Word]]:
    """Runs of single letters, and every other word by itself."""
    runs: list[list[Word]] = []
    for word in words:
        if runs and _is_letter(word) and _is_letter(runs[-1][-1]):
            runs[-1].append(word)
        else:
            runs.append([word])
    return runs


def _is_spaced(run: Sequence[Word]) -> bool:
    """Whether letters are a word: some, near each other, and no row of the alphabet like "A B C D"."""
    spelled = [word.text for word in run if word.text not in _SIGNS]
    if len(spelled) < _FEWEST or len(set(spelled)) == 1:
        return False
    in_order = all(ord(b) - ord(a) == 1 for a, b in pairwise(spelled))
    return not in_order and max(_distances(run)) < _ROW_ENDS * median(_distances(run))


def _distances(run: Sequence[Word]) -> list[float]:
    """From the middle of each letter to that of the next one."""
    return [(b.left + b.right - a.left - a.right) / 2 for a, b in pairwise(run)]


def _joined(run: Sequence[Word]) -> list[Word]:
    """One word for the letters between two wider blanks."""
    distances = _distances(run)
    usual = median(distances)
    parts = [[run[0]]]
    for letter, distance in zip(run[1:], distances, strict=True):
        if distance > _WORD_ENDS * usual:
            parts.append([])
        parts[-1].append(letter)
    return [_word(part) for part in parts]


def _word(letters: Sequence[Word]) -> Word:
    first, last = letters[0], letters[-1]
    return Word(
        text="".join(letter.text for letter in letters),
        score=round(sum(letter.score for letter in letters) / len(letters), 5),
        quad=Quad(first.quad.top_left, last.quad.top_right, last.quad.bottom_right, first.quad.bottom_left),
        left=first.left,
        right=last.right,
        top=min(letter.top for letter in letters),
        bottom=max(letter.bottom for letter in letters),
        chars=tuple(char for letter in letters for char in letter.chars),
    )
