"""Blanks that the recogniser saw and did not choose: "ULTIMATEPORK", "Springfield,IL".

Narrowly set print leaves so little room between words that "nothing" beats the blank by a hair. A blank with
a fair probability is taken after all where one belongs: behind a mark that ends something, and between two
runs of letters that can end and begin a word. Never inside numbers, codes and addresses of the web, and
never in scripts that print no blanks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from receipt_engine.document import Char
from receipt_engine.vocabulary.domains import has_host
from receipt_engine.vocabulary.tokens import can_begin, can_end

#: Least probability of a blank that is taken. In the printed lines of sets whose lines are known, with
#: blanks, nine in ten are right from there on under the conditions below.
_LEAST = 0.2
#: The same where no mark helps, between two letters; both runs of letters then have at least `_RUN`.
_LEAST_IN_LETTERS = 0.25
_RUN = 4
_LETTERS_BEFORE = re.compile(r"[A-Za-zÀ-ɏ'’]+$")
_LETTERS_BEHIND = re.compile(r"[A-Za-zÀ-ɏ]+")
#: Marks behind which a word begins, and words, a label's colon among them, behind which a number does.
_END_MARK = re.compile(r"[^\W\d_][,;&!)]$|[^\W\d_]{2}\.$|[^\W\d_]:$|[#.)]:$")
_LABEL = re.compile(r"[^\W\d_]{2}[#.)]?\s?:$")
#: Signs of a web address.
_WEB = re.compile(r"@|://")
#: "Item(s)" is one word.
_PLURAL = re.compile(r"\([a-z]{1,2}\)")


def restore_blanks(chars: Sequence[Char]) -> tuple[Char, ...]:
    """The characters, with a blank where one was seen and belongs.

    >>> [c.text for c in restore_blanks((Char("A", 1, 0, 0.5), Char("B", 1, 0.5, 1)))]
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
    """Probability of a blank."""
    return next((p for text, p in char.alternatives if text == " "), 0.0)


def _belongs(before: str, behind: str, chance: float) -> bool:
    """Whether words may be parted between two texts of one line. chance: of a blank, 0 to 1."""
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
