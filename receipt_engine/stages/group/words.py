"""Splits spans into words, restores dropped spaces, and places the words in the reading frame.

Narrow type leaves so little room between words that "no character" narrowly beats the space ("ULTIMATEPORK",
"Springfield,IL"). A space with a fair probability is restored where one belongs: after a mark that ends
something, and between two runs of letters that can end and begin a word; never inside numbers, codes and web
addresses, and never in scripts without spaces. Words that are printed with a space after every letter are
joined: "B L U E   D O O R" is "BLUE DOOR".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import median

from msgspec.structs import replace

from receipt_engine.document import Char, Quad, Span, Word
from receipt_engine.stages.group.frame import Level
from receipt_engine.vocabulary.domains import has_host
from receipt_engine.vocabulary.tokens import can_begin, can_end

#: Least probability of a space that is restored. On data sets with transcribed lines, nine in ten such spaces
#: are right under the conditions below.
_LEAST = 0.2
#: The same between two letters, where no mark helps; both runs of letters must then have at least `_RUN`
#: letters.
_LEAST_IN_LETTERS = 0.25
_RUN = 4
_LETTERS_BEFORE = re.compile(r"[A-Za-zÀ-ɏ'’]+$")
_LETTERS_BEHIND = re.compile(r"[A-Za-zÀ-ɏ]+")
#: Marks after which a new word begins; and labels with a colon after which a number begins.
_END_MARK = re.compile(r"[^\W\d_][,;&!)]$|[^\W\d_]{2}\.$|[^\W\d_]:$|[#.)]:$")
_LABEL = re.compile(r"[^\W\d_]{2}[#.)]?\s?:$")
#: Signs of a web address.
_WEB = re.compile(r"@|://")
#: "Item(s)" is one word.
_PLURAL = re.compile(r"\([a-z]{1,2}\)")


def restore_spaces(chars: Sequence[Char]) -> tuple[Char, ...]:
    """The characters, with a space wherever one is among the alternatives and belongs there.

    >>> [c.text for c in restore_spaces((Char("A", 1, 0, 0.5), Char("B", 1, 0.5, 1)))]
    ['A', 'B']
    """
    if not any(_chance(c) >= _LEAST for c in chars if not c.text):
        return tuple(chars)
    text = "".join(c.text for c in chars)
    kept: list[Char] = []
    at = 0
    for char in chars:
        seen = not char.text and _belongs(text[:at], text[at:], _chance(char))
        kept.append(replace(char, text=" ", score=_chance(char)) if seen else char)
        at += len(char.text)
    return tuple(kept)


def _chance(char: Char) -> float:
    """The probability of a space among the character's alternatives."""
    return next((p for text, p in char.alternatives if text == " "), 0.0)


def _belongs(before: str, behind: str, chance: float) -> bool:
    """Whether a space belongs between two texts of one line. chance: probability of a space, 0 to 1."""
    token = before.rsplit(" ", 1)[-1] + behind.split(" ", 1)[0]
    if chance < _LEAST or not before.strip() or not behind.strip():
        return False
    if _WEB.search(token) or has_host(token) or _PLURAL.match(behind):
        return False
    word = _LETTERS_BEHIND.match(behind)
    if word is None:
        return (behind[:1].isdigit() and _LABEL.search(before) is not None) or (
            behind[:1] in "(&" and _LETTERS_BEFORE.search(before) is not None
        )
    if _END_MARK.search(before):
        return len(word.group()) >= 2
    last = _LETTERS_BEFORE.search(before)
    return (
        last is not None
        and chance >= _LEAST_IN_LETTERS
        and min(len(last.group()), len(word.group())) >= _RUN
        and can_begin(word.group())
        and can_end(last.group())
    )


def split(span: Span, level: Level) -> tuple[Word, ...]:
    """The span's words in the order of its characters; a span without characters is one word."""
    if not span.chars:
        return (_word(span.text, span.score, span.quad, (), level),) if span.text.strip() else ()
    words = []
    for run in _runs(restore_spaces(span.chars)):
        printed = [c for c in run if c.text]
        start = min([c.start for c in printed])  # in a right-to-left script this is the last letter's
        quad = span.quad.slice(start, max(max([c.end for c in printed]), start + 1e-3))
        score = sum([c.score for c in printed]) / len(printed)
        words.append(_word("".join([c.text for c in printed]), score, quad, run, level))
    return tuple(words)


def _runs(chars: Iterable[Char]) -> list[tuple[Char, ...]]:
    """Runs of characters between spaces, without runs that have no text."""
    runs: list[list[Char]] = [[]]
    for char in chars:
        if char.text.isspace():
            runs.append([])
        else:
            runs[-1].append(char)
    return [tuple(run) for run in runs if any(c.text for c in run)]


def _word(text: str, score: float, quad: Quad, chars: tuple[Char, ...], level: Level) -> Word:
    a, b, c, d = map(level, quad.points)
    return Word(
        text=text,
        score=round(score, 5),
        quad=quad,
        left=(a[0] + d[0]) / 2,
        right=(b[0] + c[0]) / 2,
        top=(a[1] + b[1]) / 2,
        bottom=(c[1] + d[1]) / 2,
        chars=chars,
    )


#: Least number of single letters in a row that may be a spaced word; fewer may be tax codes or column
#: headings.
_FEWEST = 4
#: Distance of two letters, as a multiple of the median, above which a word ends; and from which the letters
#: are no spaced text at all.
_WORD_ENDS = 1.45
_ROW_ENDS = 4.0
#: Signs that may occur between the letters of a name.
_SIGNS = frozenset("&'’.")
#: Those, and digits that single letters are read as: O, I, S, B.
_NO_LETTERS = _SIGNS | frozenset("0158")
_QUOTES = '"«»„“”'


def joined_letters(words: Sequence[Word]) -> tuple[Word, ...]:
    """The words of a row, with spaced letters joined into words; others unchanged."""
    if sum(_is_letter(word) for word in words) < _FEWEST:
        return tuple(words)
    found: list[Word] = []
    for run in _spelled_runs(words):
        found.extend(_joined(run) if _is_spaced(run) else run)
    return tuple(found)


def _is_letter(word: Word) -> bool:
    """Whether a word is one letter of a script with capitals, a digit that may be one, or a sign between
    such letters."""
    bare = _bare(word)
    return len(bare) == 1 and (bare.lower() != bare.upper() or bare in _NO_LETTERS)


def _bare(word: Word) -> str:
    """The word without the quotation marks around the name that it begins or ends."""
    return word.text.strip(_QUOTES) or word.text


def _spelled_runs(words: Sequence[Word]) -> list[list[Word]]:
    """Runs of single letters; every other word forms a run by itself."""
    runs: list[list[Word]] = []
    for word in words:
        if runs and _is_letter(word) and _is_letter(runs[-1][-1]):
            runs[-1].append(word)
        else:
            runs.append([word])
    return runs


def _is_spaced(run: Sequence[Word]) -> bool:
    """Whether letters are spaced text: enough of them, near each other, not all the same, and not in
    alphabetic order like "A B C D"."""
    spelled = [bare for bare in map(_bare, run) if bare not in _NO_LETTERS]
    if len(spelled) < _FEWEST or len(set(spelled)) == 1:
        return False
    in_order = all(ord(b) - ord(a) == 1 for a, b in pairwise(spelled))
    return not in_order and max(_distances(run)) < _ROW_ENDS * median(_distances(run))


def _distances(run: Sequence[Word]) -> list[float]:
    """Distances from the middle of each letter to that of the next one."""
    return [(b.left + b.right - a.left - a.right) / 2 for a, b in pairwise(run)]


def _joined(run: Sequence[Word]) -> list[Word]:
    """Joins the letters of a run into words, split at the wider gaps."""
    distances = _distances(run)
    usual = median(distances)
    parts = [[run[0]]]
    for letter, distance in zip(run[1:], distances, strict=True):
        if distance > _WORD_ENDS * usual:
            parts.append([])
        parts[-1].append(letter)
    return [_joined_word(part) for part in parts]


def _joined_word(letters: Sequence[Word]) -> Word:
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
