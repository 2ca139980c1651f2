"""Terms as regular expressions, for patterns that mix their words with digits and signs ("Store #42")."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from receipt_engine.region import Term
from receipt_engine.vocabulary.terms import term_phrases

#: Letters of a phrase whose words may be printed as one.
_JOINED = 5
#: How letters are printed without their marks, and digits that are read for them.
_SPELLINGS = {"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe", "æ": "ae", "ß": "ss"}
_LOOKALIKES = {"o": "0", "l": "1", "i": "1"}


@cache
def term_pattern(*terms: Term) -> str:
    """A pattern, without groups, of whole words that show any of the terms; for use with IGNORECASE.

    >>> bool(re.fullmatch(term_pattern("store") + r" ?#\\d+", "Store #42", re.IGNORECASE))
    True
    """
    every = {phrase for term in terms for phrase in term_phrases(term)}
    phrases = sorted(every, key=lambda phrase: (-len(phrase), phrase))
    return rf"(?<![^\W\d_])(?:{'|'.join(dict.fromkeys(map(_pattern, phrases)))})(?![^\W\d_])"


def _pattern(phrase: str) -> str:
    """The words of a phrase with whatever signs between them; "*" is any letters. A single letter is a word
    only before a sign: "n° 4", not the road "N4"."""
    words = re.findall(r"[^\W_]+", unicodedata.normalize("NFC", phrase))
    least = 0 if sum(map(len, words)) >= _JOINED else 1
    letters = rf"[\W_]{{{least},3}}".join("".join(map(_letter, word)) for word in words)
    before = r"[^\W\d_]*" if phrase.startswith("*") else ""
    sign = r"(?=\s?[.°º:#])" if words and len("".join(words)) == 1 else ""
    return before + letters + sign + (r"[^\W\d_]*" if phrase.endswith("*") else "")


def _letter(letter: str) -> str:
    """A letter with or without its marks, or the digit that is read for it."""
    plain = unicodedata.normalize("NFD", letter)[0]
    forms = dict.fromkeys((letter, plain, _LOOKALIKES.get(plain, plain)))
    single = "".join(forms) if len(forms) == 1 else f"[{''.join(forms)}]"
    return f"(?:{single}|{_SPELLINGS[letter]})" if letter in _SPELLINGS else single
