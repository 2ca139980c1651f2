"""Repairs words with letters that the recogniser doubts: "부카세" for "부가세", "Payatle" for "Payable".

The letter that was printed is often kept as an alternative. It is taken where it makes a known phrase, trade
or product, and the letter that was read makes none.
"""

from __future__ import annotations

from itertools import combinations

from msgspec.structs import replace

from receipt_engine.document import Char, Line, Word
from receipt_engine.region import Region
from receipt_engine.scoring.certainty import LIKELY
from receipt_engine.vocabulary.phrases import find_exact_roles
from receipt_engine.vocabulary.trades import product_words, trade_words

#: Probability from which another letter counts.
_SEEN = 0.1
#: First letter after the Latin ones.
_BEYOND_LATIN = "\u0370"
#: Fewest letters of a phrase, of Latin ones and of others: fewer are in too many words.
_SHORT_LATIN, _SHORTEST = 3, 2
#: Words beside a word that may be of its phrase.
_BESIDE = 4
#: Most letters of a word that are doubted at once; for several, most alternatives tried and fewest letters
#: that must be known.
_AT_ONCE, _MOST_TRIED, _LONG = 2, 6, 5

#: Place of a letter among its word's characters, and what it may be: another one or none.
_Other = tuple[int, str]


def with_known_words(line: Line, region: Region) -> Line:
    """The row with the doubtful letters replaced whose alternatives make a known word; else itself."""
    for place, word in enumerate(line.words):
        known = _known(line, place, _doubted(word), region)
        if known is not word:
            line = replace(line, words=(*line.words[:place], known, *line.words[place + 1 :]))
    return line


def _doubted(word: Word) -> list[_Other]:
    if "".join(char.text for char in word.chars) != word.text:
        return []
    return [
        (at, text)
        for at, char in enumerate(word.chars)
        if _may_be_letter(char.text)
        for text, probability in char.alternatives
        if probability >= _SEEN and _may_be_letter(text)
    ]


def _may_be_letter(text: str) -> bool:
    return not text or (len(text) == 1 and text.isalpha())


def _known(line: Line, place: int, doubted: list[_Other], region: Region) -> Word:
    """The word with the fewest other letters that make it known; itself if it is as well known as read."""
    word = line.words[place]
    for number in range(1, _AT_ONCE + 1):
        tried = combinations(doubted if number == 1 else doubted[:_MOST_TRIED], number)
        others = [_with_letters(word, chosen) for chosen in tried if len({at for at, _ in chosen}) == number]
        letters = [(_letters_known(line, place, other, region), other) for other in others if other.text]
        most, best = max(letters, key=lambda known: known[0], default=(0, word))
        shortest = _LONG if number > 1 else _SHORT_LATIN if best.text < _BEYOND_LATIN else _SHORTEST
        if most >= shortest and most > _letters_known(line, place, word, region):
            return best
    return word


def _with_letters(word: Word, others: tuple[_Other, ...]) -> Word:
    chars: list[Char] = [*word.chars]
    for at, letter in others:
        chars[at] = replace(chars[at], text=letter)
    return replace(word, text="".join(char.text for char in chars), chars=tuple(chars))


def _letters_known(line: Line, place: int, word: Word, region: Region) -> int:
    """Number of letters of the longest phrase, trade or product of which the word is a part in its row."""
    beside = [w.text for w in line.words[max(0, place - _BESIDE) : place]]
    start = sum(len(text) + 1 for text in beside)
    end = start + len(word.text)
    text = " ".join((*beside, word.text, *(w.text for w in line.words[place + 1 : place + 1 + _BESIDE])))
    phrases = [
        len(match.phrase.replace("rn", "m"))  # "rn" counts as the m that it is read for
        for match in find_exact_roles(text, region)
        if match.start < end and match.end > start and match.weight >= LIKELY
    ]
    trades = (len(known.key) for words in (trade_words, product_words) for known in words(word.text))
    return max((*phrases, *trades), default=0)
