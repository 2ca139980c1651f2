"""Terms as regular expressions, for patterns that mix their words with digits and signs ("Store #42")."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import TypeAlias

from receipt_engine.region import Term
from receipt_engine.vocabulary.normalise import without_marks
from receipt_engine.vocabulary.terms import term_phrases

#: Letters of a phrase whose words may be printed as one.
_JOINED = 5
#: How letters are printed without their marks, and digits that are read for them.
_SPELLINGS = {"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe", "æ": "ae", "ß": "ss"}
_LOOKALIKES = {"o": "0", "l": "1", "i": "1"}

#: Patterns of parts of phrases → what may follow; "" where a phrase ends.
_Tree: TypeAlias = dict[str, "_Tree"]


@cache
def compiled(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """A pattern of a country's data, compiled on first use: most receipts need few countries' patterns."""
    return re.compile(pattern, flags)


@cache
def term_pattern(*terms: Term) -> str:
    """A pattern, without groups, of whole words that show any of the terms; for texts that are `lowered`, or
    with IGNORECASE, which takes twice as long to compile.

    >>> bool(re.fullmatch(term_pattern("store") + r" ?#\\d+", "Store #42", re.IGNORECASE))
    True
    """
    every = {phrase for term in terms for phrase in term_phrases(term)}
    tree: _Tree = {}
    for phrase in sorted(every, key=lambda phrase: (-len(phrase), phrase)):
        node = tree
        for part in _parts(phrase):
            node = node.setdefault(part, {})
        node[""] = {}
    return rf"(?<![^\W\d_]){_alternatives(tree)}(?![^\W\d_])"


def lowered(text: str) -> str:
    """The text in small letters, each at its place. A capital does not tell ı from i: both become i.

    >>> lowered("İIıA")
    'iiia'
    """
    small = text.lower()
    small = small if len(small) == len(text) else "".join(letter.lower()[0] for letter in text)
    return small.replace("ı", "i")


def _alternatives(tree: _Tree) -> str:
    """A pattern of a tree's ways from the root, the longest first: what phrases begin with is tried once."""
    ways = [part + _alternatives(behind) for part, behind in tree.items() if part]
    if "" in tree:
        ways.append("")
    return ways[0] if len(ways) == 1 else f"(?:{'|'.join(ways)})"


def _parts(phrase: str) -> Iterator[str]:
    """Patterns of a phrase's letters, and of whatever signs stand between its words; "*" is any letters. A
    single letter is a word only before a sign: "n° 4", not the road "N4"."""
    words = re.findall(r"[^\W_]+", unicodedata.normalize("NFC", phrase))
    least = 0 if sum(map(len, words)) >= _JOINED else 1
    if phrase.startswith("*"):
        yield r"[^\W\d_]*"
    for at, word in enumerate(words):
        if at:
            yield rf"[\W_]{{{least},3}}"
        yield from map(_letter, word)
    if words and len("".join(words)) == 1:
        yield r"(?=\s?[.°º:#])"
    if phrase.endswith("*"):
        yield r"[^\W\d_]*"


def _letter(letter: str) -> str:
    """A letter with or without its marks, or the digit that is read for it."""
    plain = lowered(without_marks(letter))
    forms = dict.fromkeys((letter, plain, _LOOKALIKES.get(plain, plain)))
    single = "".join(forms) if len(forms) == 1 else f"[{''.join(forms)}]"
    return f"(?:{single}|{_SPELLINGS[letter]})" if letter in _SPELLINGS else single
