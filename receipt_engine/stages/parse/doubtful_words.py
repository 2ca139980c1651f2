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

#: Probability from which another letter counts, and from which it makes a short word.
_SEEN, _LIKELY = 0.03, 0.1
#: First letter after the Latin ones.
_BEYOND_LATIN = "\u0370"
#: Fewest letters of a phrase, of Latin ones and of others: fewer are in too many words.
_SHORT_LATIN, _SHORTEST = 3, 2
#: Words beside a word that may be of its phrase.
_BESIDE = 4
#: Fewest letters that must be known where an unlikely letter is taken, or two; most letters taken; most
#: alternatives tried for two.
_LONG, _AT_ONCE, _MOST_TRIED = 5, 2, 6

#: Place of a letter among its word's characters, what it may be, another one or none, and how likely that is.
_Other = tuple[int, str, float]


def with_known_words(line: Line, region: Region) -> Line:
    """The row with the doubtful letters replaced whose alternatives make a known word; else itself."""
    for place, word in enumerate(line.words):
        known = _known(line, place, _doubted(word), region)
        if known is not word:
            line = replace(line, words=(*line.words[:place], known, *line.words[place + 1 :]))
    return line


def _doubted(word: Word) -> list[_Other]:
    """What the letters of a word may be, likeliest first."""
    if "".join(char.text for char in word.chars) != word.text:
        return []
    found = [
        (at, text, probability)
        for at, char in enumerate(word.chars)
        if _may_be_letter(char.text)
        for text, probability in char.alternatives
        if probability >= _SEEN and _may_be_letter(text)
    ]
    return sorted(found, key=lambda other: -other[2])


def _may_be_letter(text: str) -> bool:
    return not text or (len(text) == 1 and text.isalpha())


def _known(line: Line, place: int, doubted: list[_Other], region: Region) -> Word:
    """The word with the fewest other letters that make it known; itself if it is as well known as read."""
    best = word = line.words[place]
    most = _letters_known(line, place, word, region) if doubted else 0
    for number in range(1, _AT_ONCE + 1):
        for chosen in combinations(doubted if number == 1 else doubted[:_MOST_TRIED], number):
            other = _with_letters(word, chosen)
            if not other.text or len({at for at, _, _ in chosen}) < number:
                continue
            latin = _SHORT_LATIN if other.text < _BEYOND_LATIN else _SHORTEST
            shortest = latin if number == 1 and chosen[0][2] >= _LIKELY else _LONG
            letters = _letters_known(line, place, other, region)
            if letters >= max(shortest, most + 1):
                most, best = letters, other
        if best is not word:
            break
    return best


def _with_letters(word: Word, others: tuple[_Other, ...]) -> Word:
    chars: list[Char] = [*word.chars]
    for at, letter, _ in others:
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
