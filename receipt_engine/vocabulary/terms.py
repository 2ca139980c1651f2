"""Finds the terms of all languages in a text: what a word means wherever it stands.

Roles compete for a row, so they are looked up in the region's own languages. Terms do not compete and are
looked up in all of them at once: a receipt in Brussels may greet in English, and the region may be unknown.
Which words show a term is data, ``[terms]`` of ``regions/languages/*.toml`` and ``regions/*.toml``.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import NamedTuple

from receipt_engine.document import Record
from receipt_engine.errors import RegionDataError
from receipt_engine.region import (
    Term,
    collecting_nothing,
    language_codes,
    load_language,
    load_region,
    region_codes,
)
from receipt_engine.vocabulary.normalise import squeeze, squeeze_all
from receipt_engine.vocabulary.tokens import Token, tokens

#: Words, or East Asian characters, that a phrase has at most.
_MOST_WORDS = 12
#: So many first letters tell, for nearly every word, that no phrase begins with it.
_HEAD = 3
#: As many last letters as the shortest ending of a word has, mostly.
_TAIL = 2
#: Phrases with fewer letters must be printed in as many words as they are written in: "TA" is not "t/a".
_SHORT = 5
#: How tills without accented letters spell them.
_TRANSLITERATED = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe", "æ": "ae", "ß": "ss"})


class TermMatch(Record, frozen=True):
    """A phrase that shows a term: text[start:end]. phrase: its letters alone, as in `RoleMatch`."""

    term: Term
    start: int
    end: int
    phrase: str


#: The terms that letters show, each with the number of words that they must be printed in; 0 for any.
_Meanings = list[tuple[Term, int]]


@dataclass(slots=True)
class _Book:
    """Letters of phrases → their meanings: whole words, beginnings and ends of words. heads: first letters of
    the first two. stems_by_head, endings_by_tail: the last two by their first and last letters. ordered: the
    first two, sorted."""

    whole: dict[str, _Meanings] = field(default_factory=dict)
    stems: dict[str, _Meanings] = field(default_factory=dict)
    endings: dict[str, _Meanings] = field(default_factory=dict)
    heads: set[str] = field(default_factory=set)
    stems_by_head: dict[str, list[tuple[str, _Meanings]]] = field(default_factory=dict)
    endings_by_tail: dict[str, list[tuple[str, _Meanings]]] = field(default_factory=dict)
    ordered: list[str] = field(default_factory=list)

    def continues(self, key: str) -> bool:
        """Whether a longer phrase begins with these letters."""
        at = bisect_right(self.ordered, key)
        return at < len(self.ordered) and self.ordered[at].startswith(key)

    def of_letters(self, key: str) -> Iterator[tuple[str, _Meanings]]:
        """The phrase with these letters, and the beginnings of words that they begin with."""
        if len(key) >= _HEAD and key[:_HEAD] not in self.heads:
            return
        if key in self.whole:
            yield key, self.whole[key]
        for length in range(1, min(len(key), _HEAD) + 1):
            for stem, meanings in self.stems_by_head.get(key[:length], ()):
                if key.startswith(stem):
                    yield stem, meanings

    def endings_of(self, word: str) -> Iterator[tuple[str, _Meanings]]:
        """The endings of words that a longer word ends in."""
        for tail in {word[-length:] for length in range(1, _TAIL + 1)}:
            for ending, meanings in self.endings_by_tail.get(tail, ()):
                if len(ending) < len(word) and word.endswith(ending):
                    yield ending, meanings

    def add(self, term: Term, phrase: str, spelling: str, key: str) -> None:
        """phrase: as listed. spelling: one of its spellings. key: that one's letters."""
        if not any(map(str.isalpha, spelling)):
            raise RegionDataError(f"The phrase {phrase!r} of the term {term!r} has no letters.")
        table = self.endings if phrase.startswith("*") else self.stems if phrase.endswith("*") else self.whole
        if key not in table:
            table[key] = []
            if table is self.stems:
                self.stems_by_head.setdefault(key[:_HEAD], []).append((key, table[key]))
            elif table is self.endings:
                self.endings_by_tail.setdefault(key[-_TAIL:], []).append((key, table[key]))
        count = len(tokens(spelling)) if len(key) < _SHORT else 0
        if (term, count) not in table[key]:
            table[key].append((term, count))
        if table is not self.endings:
            self.heads.add(key[:_HEAD])


@cache
@collecting_nothing
def _book() -> _Book:
    """The terms of every language and region."""
    files = [load_language(code).terms for code in language_codes()]
    files += [load_region(code).terms for code in region_codes()]
    return _bound((term, phrase) for terms in files for term, phrases in terms.items() for phrase in phrases)


def _bound(phrases: Iterable[tuple[Term, str]]) -> _Book:
    """The book of these phrases; raises RegionDataError for one without letters."""
    spelled = [(term, phrase, spelling) for term, phrase in phrases for spelling in _spellings(phrase)]
    keys = squeeze_all([spelling for _, _, spelling in spelled])
    book = _Book()
    for (term, phrase, spelling), key in zip(spelled, keys, strict=True):
        book.add(term, phrase, spelling, key)
    book.ordered.extend(sorted({*book.whole, *book.stems}))
    return book


def _spellings(phrase: str) -> set[str]:
    """A phrase with its accented letters, and as tills without them spell it."""
    text = phrase.strip("*").lower()
    return {text} if text.isascii() else {text, text.translate(_TRANSLITERATED)}


@cache
def term_phrases(term: Term) -> tuple[str, ...]:
    """The phrases of a term in every language, as listed: for patterns that hold digits and signs."""
    files = [load_language(code).terms for code in language_codes()]
    files += [load_region(code).terms for code in region_codes()]
    return tuple(dict.fromkeys(phrase.lower() for terms in files for phrase in terms.get(term, ())))


@lru_cache(maxsize=4096)
def find_terms(text: str) -> tuple[TermMatch, ...]:
    """Every term in a text, from left to right; of the phrases of one term at one place the longest.

    >>> "customer" in [match.term for match in find_terms("Bill to: Corner Deli")]
    True
    """
    run = tokens(text)
    found: list[TermMatch] = []
    for first, word in enumerate(run):
        alone = _word(word.text)
        if alone.shown or alone.goes_on:
            found += _from_token(text, run, first)
    return tuple(found)


def _from_token(text: str, run: tuple[Token, ...], first: int) -> list[TermMatch]:
    """The longest phrase of each term that begins at a word, the longest of all first."""
    word = run[first]
    alone = _word(word.text)
    found = [TermMatch(term, word.start, word.end, key) for term, key in alone.shown]
    longer = list(_longer_phrases(text, run, first)) if alone.goes_on else []
    if not longer:
        return found
    best = {match.term: match for match in found}
    for match in longer:
        kept = best.get(match.term)
        if kept is None or (match.end, len(match.phrase)) > (kept.end, len(kept.phrase)):
            best[match.term] = match
    return sorted(best.values(), key=lambda m: (-m.end, m.term))


def _longer_phrases(text: str, run: tuple[Token, ...], first: int) -> Iterator[TermMatch]:
    """Phrases of several words, the last of which may go on."""
    book, start = _book(), run[first].start
    key = run[first].text
    for at in range(first + 1, min(len(run), first + _MOST_WORDS)):
        if any(map(str.isdigit, text[run[at - 1].end : run[at].start])):
            return
        before, printed = len(key), at - first + 1
        key += run[at].text
        for phrase, meanings in book.of_letters(key):
            if len(phrase) > before:
                for term, count in meanings:
                    if count in (0, printed) or _is_spaced(phrase, printed):
                        yield TermMatch(term, start, run[at].end, phrase)
        if not book.continues(key):
            return


def _is_spaced(phrase: str, printed: int) -> bool:
    """Whether a phrase of a script without capitals is printed letter by letter, as wide as
    its column: "주 소"."""
    return printed == len(phrase) and phrase.lower() == phrase.upper()


class _Word(NamedTuple):
    """shown: (term, letters) that a word shows by itself, the longest letters of each term, sorted. goes_on:
    phrases of several words begin with it."""

    shown: tuple[tuple[Term, str], ...]
    goes_on: bool


@lru_cache(maxsize=16384)
def _word(word: str) -> _Word:
    book = _book()
    phrases = [*book.of_letters(word), *book.endings_of(word)]
    found = [
        (len(phrase), term, phrase)
        for phrase, meanings in phrases
        for term, count in meanings
        if count in (0, 1)
    ]
    longest = {term: phrase for _, term, phrase in sorted(found)}
    return _Word(tuple(sorted(longest.items())), book.continues(word))


def has_term(text: str, *terms: Term) -> bool:
    """Whether any of the terms is in a text."""
    return _may_show(text, terms) and any(match.term in terms for match in find_terms(text))


@cache
def _heads(terms: tuple[Term, ...]) -> frozenset[str]:
    """How phrases of any of the terms begin, in one to three letters; empty when words may end in one, or
    begin with a shorter one."""
    heads, anywhere = _all_heads()
    if not anywhere.isdisjoint(terms):
        return frozenset()
    return frozenset().union(*(heads.get(term, ()) for term in terms))


@cache
def _all_heads() -> tuple[dict[Term, set[str]], set[Term]]:
    """The heads of each term's phrases, and the terms of which words may end or begin shorter."""
    book = _book()
    heads: dict[Term, set[str]] = {}
    for key, meanings in (*book.whole.items(), *book.stems.items()):
        begins = [key[:length] for length in range(1, _HEAD + 1)]
        for term, _ in meanings:
            heads.setdefault(term, set()).update(begins)
    short = (meanings for stem, meanings in book.stems.items() if len(stem) < _HEAD)
    return heads, {term for meanings in (*book.endings.values(), *short) for term, _ in meanings}


def _may_show(text: str, terms: tuple[Term, ...]) -> bool:
    """Whether a word of a text begins as a phrase of the terms does: spares looking for them."""
    heads = _heads(terms)
    return not heads or any(word.text[:_HEAD] in heads for word in tokens(text))


def term_at_start(text: str, *terms: Term) -> TermMatch | None:
    """The longest phrase of any of the terms with nothing but signs before it."""
    for match in _at_start(text):
        if match.term in terms:
            return match
    return None


def term_at_end(text: str, *terms: Term) -> TermMatch | None:
    """The longest phrase of any of the terms with nothing but signs behind it."""
    end = _end(text)
    if not _may_end(text[end - 1 : end], terms) or not _may_show(text, terms):
        return None
    return next((match for match in find_terms(text) if match.end == end and match.term in terms), None)


def is_term(text: str, *terms: Term) -> bool:
    """Whether a text is nothing but a phrase of any of the terms."""
    match = term_at_start(text, *terms)
    return match is not None and not any(map(str.isalnum, text[match.end :]))


@lru_cache(maxsize=8192)
def _at_start(text: str) -> tuple[TermMatch, ...]:
    """What begins a text, the longest first."""
    start = 0
    while start < len(text) and not text[start].isalnum():
        start += 1
    if text[start : start + 1].isdigit():
        return ()
    run = tokens(text)
    return tuple(_from_token(text, run, 0)) if run and run[0].start == start else ()


def _end(text: str) -> int:
    """Where the last letter or digit of a text ends."""
    end = len(text)
    while end and not text[end - 1].isalnum():
        end -= 1
    return end


def _may_end(character: str, terms: tuple[Term, ...]) -> bool:
    """Whether a phrase of the terms may end with a character: any may, where a phrase is but a beginning."""
    ends = _ends(terms)
    return not ends or squeeze(character) in ends


@cache
def _ends(terms: tuple[Term, ...]) -> frozenset[str]:
    """The last letters of the terms' phrases; empty when one is but a beginning."""
    phrases = [phrase for term in terms for phrase in term_phrases(term)]
    if any(phrase.endswith("*") for phrase in phrases):
        return frozenset()
    spellings = {spelling for phrase in phrases for spelling in (phrase, phrase.translate(_TRANSLITERATED))}
    return frozenset(squeeze(spelling)[-1:] for spelling in spellings)


@lru_cache(maxsize=4096)
def phrase_terms(key: str) -> frozenset[Term]:
    """The terms of a phrase that is known by its letters (`RoleMatch.phrase`)."""
    book = _book()
    found = {term for term, _ in book.whole.get(key, ())}
    found.update(term for end in range(1, len(key) + 1) for term, _ in book.stems.get(key[:end], ()))
    found.update(term for start in range(1, len(key)) for term, _ in book.endings.get(key[start:], ()))
    return frozenset(found)


@lru_cache(maxsize=4096)
def is_made_of(key: str, *terms: Term) -> bool:
    """Whether a phrase that is known by its letters is whole phrases of the terms and nothing else."""
    if not key:
        return True
    whole = _book().whole
    return any(
        is_made_of(key[end:], *terms)
        for end in range(1, len(key) + 1)
        if any(term in terms for term, _ in whole.get(key[:end], ()))
    )


@lru_cache(maxsize=4096)
def behind_leading(key: str, term: Term) -> tuple[str, ...]:
    """What is left of a phrase, known by its letters, behind each phrase of a term that begins it."""
    whole = _book().whole
    ends = range(1, len(key))
    return tuple(key[end:] for end in ends if any(own == term for own, _ in whole.get(key[:end], ())))
