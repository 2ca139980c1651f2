"""Finds currency signs and codes beside amounts, and yields clues from them."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from receipt_engine.document import Record
from receipt_engine.region import currency_marks
from receipt_engine.stages.localize.countries import Clue, Country, countries, country, shared

#: Count from which a mark of letters has its full score, and the share that a mark gets if it is also a word.
_LETTERS = 2.0
_WORDLIKE_SHARE = 0.5
_WORD = re.compile(r"[^\W\d_]+\$?(?![^\W_])")


class Sign(Record, frozen=True):
    """A currency mark in a line; start and end are offsets. text: in capitals. beside: a number is next to
    it, of which it cannot be a digit. fits: that number has thousands or three decimals, as the currency that
    the mark means has and others have not."""

    row: int
    start: int
    end: int
    text: str
    beside: bool
    fits: bool = False


_NUMBER = re.compile(
    r"\d(?<![\d,]\d)(?<![\d\s]\.\d)\d{0,2}(?:[.,'’ ]\d{3})*(?!\d{3})(?:\d*)(?:[.,]\d{1,3})?(?!\d)"
)
_FRACTION = re.compile(r"[.,]\d{2}$")
_CENTS = 2  # decimals of most currencies
_THOUSANDS = re.compile(r"[.,' ]\d{3}$")
_ONE_DECIMAL = re.compile(r"[.,]\d$")
#: What makes a number the beginning of a longer one, or of a date: "NIO 12-3456789".
_GOES_ON = re.compile(r"[-/]\d")
_LONGEST = 7
#: A letter that touches an amount with a fraction and no other letter or digit.
_MAYBE_SIGN = re.compile(r"(?<![^\W_])[^\W\d_](?=\d[\d.,]*[.,]\d{2}(?![\d.,]*\d))")


@cache
def _owners() -> dict[str, tuple[str, ...]]:
    """Returns upper-case sign → codes of the countries whose currency it means.

    A currency code, or the code of a country with its own before a dollar sign ("US$"), means that currency
    in every country: "EC$" is no dollar of Ecuador.
    """
    found: dict[str, dict[str, None]] = {}
    named = {code: code for code in _currencies()}
    named |= {f"{land.iso}$": land.currency for land in countries() if land.currency.startswith(land.iso)}
    for land in countries():
        for sign in land.signs:
            key = _key(sign)
            if named.get(key, _meant(land, key)) == _meant(land, key):
                found.setdefault(key, {})[land.code] = None
    return {key: tuple(codes) for key, codes in found.items()}


def _meant(land: Country, key: str) -> str:
    """Returns the code of the currency that a sign, in capitals, means in a country."""
    former = land.former
    if former is None or key not in map(_key, (*former.symbols, former.code)):
        return land.currency
    return former.code


def meanings(sign: str) -> frozenset[str]:
    """Returns the currencies that a mark may mean; ignores case."""
    return frozenset(_meant(country(code), _key(sign)) for code in owners(sign))


#: A letter after one of these belongs to a size or a genitive, not to a mark: "5's $26.50".
_APOSTROPHES = "'’´`"
#: The yen sign of Japanese tills; between two numbers it only separates them: "Table 14\\2203".
_STROKE = "\\"


@cache
def _spellings() -> frozenset[str]:
    """Returns marks of two characters or more that are not also words, as they are listed."""
    return frozenset(s for c in countries() for s in c.signs if len(s) > 1 and not is_wordlike(_key(s)))


@cache
def _small_words() -> frozenset[str]:
    """Returns marks in lower case that are too long to be initials."""
    return frozenset(s for c in countries() for s in c.signs if len(s) > 2 and s.islower())


def _key(sign: str) -> str:
    return sign.upper().rstrip(".")


def owners(sign: str) -> tuple[str, ...]:
    """Returns the codes of the countries that print a mark; ignores case."""
    return _owners().get(_key(sign), ())


def find_signs(texts: Sequence[str]) -> tuple[Sign, ...]:
    """Returns marks beside numbers, and letter marks on their own that are not words, top to bottom."""
    return _signs(tuple(texts))


@lru_cache(maxsize=16)
def _signs(texts: tuple[str, ...]) -> tuple[Sign, ...]:
    """Implements `find_signs`; cached, because region and currency both call it."""
    return tuple(sign for row, text in enumerate(texts) for sign in _in_line(row, text))


def find_misread(texts: Sequence[str], currency: str) -> Iterator[Sign]:
    """Yields letters before amounts with a fraction as which the recogniser may have misread a sign of the
    currency: "t4,90" for "₺4,90"."""
    misread = currency_marks().misread_before
    letters = {c for sign in misread if currency in meanings(sign) for c in misread[sign]}
    for row, text in enumerate(texts):
        for match in _MAYBE_SIGN.finditer(text):
            if match.group() in letters:
                yield Sign(row, *match.span(), _key(match.group()), beside=True)


def _in_line(row: int, text: str) -> Iterator[Sign]:
    taken: set[int] = set()
    for match in _NUMBER.finditer(text):
        fraction = _FRACTION.search(match.group()) is not None
        behind = _after(text, match.end())
        sized = behind is None and text[match.end() : match.end() + 1].isalpha()  # "BALM RUB 25ML"
        numbered = not fraction and _GOES_ON.match(text, match.end()) is not None
        for span in (None if sized or numbered else _before(text, match.start()), behind):
            if span is None or span[0] in taken:
                continue
            printed = text[span[0] : span[1]]
            numero = span != behind and not fraction and printed in currency_marks().numero  # "TILL №2"
            # Currencies without cents have thousands instead, or three decimals: "788 000 Ar", "KD 2.582".
            grouped = len(printed) > 1 and _THOUSANDS.search(match.group()) is not None
            fits = grouped and any(country(code).fraction != _CENTS for code in owners(printed))
            if not numero and _counts(printed, fraction or fits):
                taken.add(span[0])
                digit = span == behind and _ends_in_digit(match.group(), printed, span[0] - match.end())
                yield Sign(row, *span, _key(printed), beside=not digit, fits=fits)
    for match in _WORD.finditer(text):
        word = match.group()
        if len(word) > 1 and word in _spellings() and match.start() not in taken:
            yield Sign(row, match.start(), match.end(), _key(word), False)


def _ends_in_digit(number: str, sign: str, gap: int) -> bool:
    """Whether a sign glued to a single decimal may be the second one: "50,8€" for 50,86."""
    return gap == 0 and len(sign) == 1 and _ONE_DECIMAL.search(number) is not None


def _before(text: str, end: int) -> tuple[int, int] | None:
    """Returns the span of the longest mark that ends at `end`, where a number begins; a point, a dotted
    leader, a colon, minus, bracket or space may stand between."""
    head = text[:end].rstrip(" :(-")
    end = len(head.rstrip(". ") if head.endswith("...") else head)
    signs = _owners()
    stop = end - 1 if text[end - 1 : end] == "." and text[max(0, end - 2) : end].upper() not in signs else end
    for start in range(max(0, stop - _LONGEST), stop):
        mark = text[start:stop]
        if mark.upper() not in signs:
            continue
        joined = start > 0 and (text[start - 1].isalnum() or text[start - 1] in _APOSTROPHES)
        if not (joined and (mark == _STROKE or any(c.isalpha() for c in mark))):
            return start, stop
    return None


def _after(text: str, start: int) -> tuple[int, int] | None:
    """Returns the span of the longest mark that begins at `start`, where a number ends; a space or dash may
    stand between."""
    while start < len(text) and text[start] in " -":
        start += 1
    signs = _owners()
    for end in range(min(len(text), start + _LONGEST), start, -1):
        mark = text[start:end].upper()
        if mark in signs and not (len(mark) == 1 and is_wordlike(mark)) and not text[end : end + 1].isalnum():
            return start, end
    return None


def _counts(printed: str, fraction: bool) -> bool:
    """Whether a mark beside a number counts as currency: initials need a capital, words a capital or their
    usual spelling ("lei"), and both need a number with a fraction."""
    if not is_wordlike(_key(printed)):
        # "Cad. 08/2027" is an expiry date, not a dollar: codes are printed in capitals.
        return fraction or printed.isupper() or printed.upper() not in _currencies()
    return fraction and (printed[:1].isupper() or printed in _small_words())


def is_wordlike(sign: str) -> bool:
    """Whether a mark in capitals is also a word or an initial."""
    marks = currency_marks()
    return sign in marks.wordlike or (len(sign) == 1 and sign.isalpha() and sign not in marks.units)


def is_sure(sign: str) -> bool:
    """Whether a mark in capitals almost certainly means money: a sign, or an ISO code that is not a word; no
    punctuation that also stands beside other numbers (Swedish ":-")."""
    if is_wordlike(sign) or all(c in string.punctuation and c != "$" for c in sign):
        return False
    return not sign.isascii() or not sign.isalpha() or is_code(sign)


def is_code(sign: str) -> bool:
    """Whether a mark in capitals is an ISO 4217 code."""
    return sign in _currencies()


@cache
def _currencies() -> frozenset[str]:
    former = (land.former.code for land in countries() if land.former)
    return frozenset((*(land.currency for land in countries()), *former))


def currency_clues(signs: Sequence[Sign]) -> Iterator[Clue]:
    """Yields clues from marks; the most frequent count most, as a rare one may be of a conversion."""
    counts: dict[str, float] = {}
    for sign in signs:
        counts[sign.text] = counts.get(sign.text, 0.0) + (1.0 if sign.beside else 0.5)
    if not counts:
        return
    fitting = {sign.text for sign in signs if sign.fits}
    most = max(counts.values())
    for text, count in counts.items():
        strength = min(1.0, count / most) * (1.0 if is_sure(text) else min(1.0, count / _LETTERS))
        strength *= _WORDLIKE_SHARE if is_wordlike(text) and text not in fitting else 1.0
        yield Clue("currency", text, shared(owners(text), strength))
