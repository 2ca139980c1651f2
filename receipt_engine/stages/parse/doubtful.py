"""Repairs words with characters that the recogniser doubts; it often keeps what was printed as an
alternative.

- Letters: "부카세" for "부가세", "Payatle" for "Payable". The other letter is taken where it makes a known
  phrase, trade or product, and the letter that was read makes none.
- Letters misread as digits: "Kendal1 Drive", "DEP0SIT", "P.0. Box". Inside words and abbreviations the
  recogniser mistakes l and i for 1 and o for 0, but with low confidence. It reads the digits of counters,
  codes and sizes ("Drawer1", "BOX01") with high confidence, so those stay.
- Accents that are dirt: "SETIA ÁLAM" in a country whose languages have none. A speck above a letter makes the
  recogniser choose the accented letter, but with low confidence. It reads real accents ("Café") with high
  confidence, so those always stay.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from itertools import combinations

from msgspec.structs import replace

from receipt_engine.document import Char, Line, Word
from receipt_engine.region import Region, Role, load_language
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
#: A word whose digits are all 0 or 1, and which touches no decimal number ("Brie0.172").
_MIXED = re.compile(r"(?<![^\W_])(?<!\d[.,:])(?=[^\W_]*[01])(?:[^\W\d_]|[01]){4,}(?![^\W_])(?![.,:]\d)")
_FEWEST_LETTERS = 3
#: An abbreviation of single letters: "P.0. Box", "d.0.0.".
_POINTED = re.compile(r"(?<![^\W_])(?<![.,])(?:[A-Za-z]\.)+0(?:\.0)?(?![^\W_]|\.\d)")
#: Digit → letters of similar shape, the default first, for words with lower-case letters and for others. In
#: capitals a 1 is seldom an I.
_SMALL = {"0": "oO", "1": "liI"}
_CAPITAL = {"0": "O"}
#: A digit is doubtful below the first score, if a letter alternative has at least the second probability.
_DIGIT_DOUBTED = 0.975
_LETTER_SEEN = 0.02
#: An accent is doubtful below the first score, if the plain letter has at least the second probability.
_ACCENT_DOUBTED = 0.93
_PLAIN_SEEN = 0.03
_LATIN = range(0xC0, 0x250)


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


def with_letters(line: Line) -> Line:
    """The row with doubtful digits inside words replaced by letters; the row itself when there are none."""
    words = tuple(_mended(word) if "0" in word.text or "1" in word.text else word for word in line.words)
    return line if words == line.words else replace(line, words=words)


def _mended(word: Word) -> Word:
    places = [at for at, char in enumerate(word.chars) if char.text]
    chars = list(word.chars)
    if "".join(char.text for char in chars) != word.text or len(places) != len(word.text):
        return word
    words = [m for m in _MIXED.finditer(word.text) if sum(map(str.isalpha, m.group())) >= _FEWEST_LETTERS]
    for match in [*words, *_POINTED.finditer(word.text)]:
        own = [places[at] for at in range(*match.span())]
        begun_small = match.group()[0].islower()
        for at, letter in _letters([chars[at] for at in own]).items():
            chars[own[at]] = replace(chars[own[at]], text=letter.lower() if begun_small else letter)
    return replace(word, text="".join(char.text for char in chars), chars=tuple(chars))


def _letters(chars: list[Char]) -> dict[int, str]:
    """Index of each digit → its letter; empty if a digit can be no letter or if none of them is doubtful."""
    small = any(char.text.islower() for char in chars)
    shapes = _SMALL if small else _CAPITAL
    found: dict[int, str] = {}
    doubted = False
    for at, char in enumerate(chars):
        if char.text not in _SMALL:
            continue
        seen = {text: p for text, p in char.alternatives if text and text in shapes.get(char.text, "")}
        beside = at - 1 in found or (chars[at + 1 : at + 2] and chars[at + 1].text in _SMALL)
        if not seen and not (char.alternatives and beside and small):
            return {}
        letter = max(seen, key=lambda text: seen[text], default=_SMALL[char.text][0])
        found[at] = letter
        doubted |= char.score < _DIGIT_DOUBTED and seen.get(letter, 0.0) >= _LETTER_SEEN
    return found if doubted else {}


def without_specks(line: Line, region: Region) -> Line:
    """The row without doubtful accents, in a region whose languages have none; else the row itself."""
    beyond_ascii = [c for word in line.words if not word.text.isascii() for c in word.text]
    if not any(ord(c) in _LATIN for c in beyond_ascii) or not _uses_no_accents(region):
        return line
    return replace(line, words=tuple(_cleaned(word) for word in line.words))


def _uses_no_accents(region: Region) -> bool:
    return not any(_has_accents(language) for language in region.languages)


@cache
def _has_accents(language: str) -> bool:
    """Whether the phrases of a language have letters with accents."""
    rules = load_language(language)
    roles: tuple[Role, ...] = tuple(rules.words)
    return any(_base(c) != c for role in roles for phrase in rules.phrases(role) for c in phrase.text)


def _base(character: str) -> str:
    """A Latin letter without its accent; any other character itself."""
    plain = unicodedata.normalize("NFD", character)[0] if ord(character) in _LATIN else character
    return plain if plain.isascii() else character


def _cleaned(word: Word) -> Word:
    chars = tuple(_plain(char) for char in word.chars)
    if chars == word.chars or "".join(c.text for c in word.chars) != word.text:
        return word
    return replace(word, text="".join(c.text for c in chars), chars=chars)


def _plain(char: Char) -> Char:
    if len(char.text) != 1 or char.score >= _ACCENT_DOUBTED:
        return char
    base = _base(char.text)
    seen = base != char.text and dict(char.alternatives).get(base, 0.0) >= _PLAIN_SEEN
    return replace(char, text=base) if seen else char
