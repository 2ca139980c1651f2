"""From which side a page is read: whether its reading frame has to be turned around.

Tills of Israel and of many Arab countries print what is sold at the right edge and its amount at the left
one. In a frame that counts from the right edge these rows look like all others. Not every page of Arabic
letters is printed so: where a till prints English as well, amounts mostly stand at the right.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from receipt_engine.document import Word

#: Kinds of letters, as Unicode names them, that are read from the right.
_FROM_RIGHT = ("R", "AL")
#: Before these no letter is read from the right.
_FIRST = "\u0590"


def letters_from_right(text: str) -> int:
    """How many letters of a text are read from the right."""
    if text.isascii() or max(text) < _FIRST:
        return 0
    return sum(unicodedata.bidirectional(c) in _FROM_RIGHT for c in text)


def amounts_at_left(rows: Iterable[Sequence[tuple[float, bool]]]) -> bool:
    """Whether numbers stand before the words of their rows more often than behind them.

    rows: of each fragment its left edge, and whether it is a number.
    """
    balance = 0
    for row in rows:
        numbers = [left for left, numeric in row if numeric]
        words = [left for left, numeric in row if not numeric]
        balance += sum((number < word) - (number > word) for number in numbers for word in words)
    return balance > 0


def turned(words: Sequence[Word], width: float) -> tuple[Word, ...]:
    """The words in a frame that counts from the right edge of text so wide; their boxes stay."""
    return tuple(replace(word, left=width - word.right, right=width - word.left) for word in words)
