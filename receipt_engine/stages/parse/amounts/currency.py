"""Parses the text around an amount: sign, currency, brackets, dashes, and the codes after it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from receipt_engine.region import KEPT_REGIONS, Region, currency_marks

_WORD_BEFORE = re.compile(r"(?<![^\W\d_])([^\W\d_]{1,5}/?)\.?$")
_LETTERS_BEFORE_SIGN = re.compile(r"(?<![^\W\d_])[A-Za-z]{1,3}$")
#: Printed after a whole amount instead of cents: "45.-", "45:-", "12,--", "4,000/=", "500/-".
_NO_CENTS = re.compile(r" ?(?:[.,:] ?-{1,2}(?![-\d])|/[=-](?!\d)|[.,]?=(?! ?\d))")
_MINUS_AFTER = r"-(?![-\d.]|[^\w\s)*])| -(?= *$|\)| [^\W\d])"


@dataclass(frozen=True, slots=True, eq=False)
class Signs:
    """A region's currency marks.

    words: codes and symbols of letters, lower case without a final point. own: the region's symbols, lower
    case, longest first; own_ends: their last characters. any_sign: characters that always mean money.
    after: matches any mark; after_starts: its possible first characters. minus_after: a sign that makes the
    number before it negative; minus_starts: its possible first characters. minor: the mark of the minor unit
    (cents). behind: marks that belong to the amount before them, folded. misread_before, misread_after:
    characters that the region's signs may be misread as before and after a number.
    """

    words: frozenset[str]
    own: tuple[str, ...]
    own_ends: frozenset[str]
    any_sign: frozenset[str]
    after: re.Pattern[str]
    after_starts: frozenset[str]
    misread_before: str
    misread_after: str
    minus_after: re.Pattern[str]
    minus_starts: str
    minor: re.Pattern[str]
    behind: frozenset[str]


#: How a minus stands at a number: none, touching it, or where it may be just a dash.
Minus = Literal["", "tight", "loose"]


class Before(NamedTuple):
    """The text before a number. start: where sign and currency begin, without the bracket.

    glued: letters that touch the number and are no currency.
    """

    start: int
    currency: str | None
    minus: Minus
    bracket: bool
    glued: str


class After(NamedTuple):
    """The text after a number. end: where currency, sign and bracket end. whole: a dash for "no cents"."""

    end: int
    currency: str | None
    minus: Minus
    bracket: bool
    whole: bool


@lru_cache(maxsize=KEPT_REGIONS)
def signs_of(region: Region) -> Signs:
    """The currency marks of one region, on top of those that every region knows."""
    marks = currency_marks()
    symbols = [s for s in region.currency.marks if s.strip()]
    # Another country's code that is also a word is more likely the end of a name: "BALL PEN 2.50".
    codes = (code for code in marks.codes if code not in marks.wordlike)
    words = {w.lower().rstrip(".") for w in (*symbols, *codes) if w[0].isalpha()}
    behind = {_folded(mark) for mark in marks.behind}
    lettered = sorted((re.escape(w) for w in words if len(w) > 1 and w[-1].isalpha()), key=len, reverse=True)
    other = [re.escape(s) for s in (*symbols, *marks.units) if not s[0].isalpha() or s in marks.units]
    other += [rf"{s}(?![^\W_])" for s in symbols if len(s) == 1 and s.isalpha() and _folded(s) in behind]
    whole = rf"(?i:{'|'.join(lettered)})\.?(?:(?![^\W\d_])|{_CODE_LETTER})"
    after = re.compile(rf" ?(?:{whole}|[{marks.signs}]|{'|'.join(other)})")
    starts = (*words, *symbols, *marks.units, *marks.signs)
    # ":-" is printed after amounts only
    own = tuple(sorted({s.lower() for s in symbols if s.strip("-:=/., ")}, key=len, reverse=True))
    return Signs(
        frozenset(words),
        own,
        frozenset(s[-1] for s in own),
        frozenset(marks.signs),
        after,
        frozenset(c for w in starts for c in (w[0].lower(), w[0].upper())),
        "".join(marks.misread_before.get(symbol, "") for symbol in symbols),
        "".join(marks.misread_behind.get(symbol, "") for symbol in symbols),
        re.compile(rf"{_MINUS_AFTER}| ?(?:{'|'.join(marks.credit)})(?![^\W_])"),
        "-" + "".join(mark[0] for mark in marks.credit),
        re.compile(_minor_pattern(marks.minor)),
        frozenset(behind),
    )


def _folded(mark: str) -> str:
    """The form in which marks are compared: "Kč", "KČ" and "kč." are one."""
    return mark.strip().lower().rstrip(".")


def _minor_pattern(minor: Mapping[str, str]) -> str:
    """Pattern of the minor unit's marks: signs match anywhere, letters only at the end of their word."""
    letters = "".join(mark for mark in minor if mark.isalpha())
    signs = "".join(mark for mark in minor if not mark.isalpha())
    return rf" ?[{signs}]|[{letters}](?=/| |$)| [{letters}](?=/)"


#: A tax code that touches the currency mark of the amount before it: "0,95 €1", "5,40 złA".
_CODE_DIGIT = re.compile(r"\d(?![\d.,:/-])")
_CODE_LETTER = r"(?<=[^\W\d_A-Z])(?=[A-Z](?![^\W_]))"
#: A negative amount, or one with decimals, at the end of a text.
_FIRST_OF_TWO = re.compile(r"-(\d[\d.,]*\d)$|(?<![\d.,])(\d[\d.,]*[.,]\d\d)$")


def look_before(text: str, start: int, signs: Signs) -> Before:
    """Parses leftwards from the start of a number."""
    position = start
    if position and text[position - 1] in "*=@x:" and text[position - 1] != "x":
        position -= 1
    position, minus = _minus_before(text, position)
    gap = position - 1 if position and text[position - 1] == " " else position
    currency_start = _currency_before(text, gap, signs)
    currency = None
    glued = ""
    if (
        currency_start is not None
        and (gap < start or _CODE_DIGIT.match(text, start))
        and _belongs_to_last(text, currency_start, gap, signs)
    ):
        currency_start = None
    if currency_start is not None:
        currency = text[currency_start:gap].strip()
        position = currency_start
        if not minus:
            position, minus = _minus_before(text, position)
    elif position == start or not minus:
        glued = _glued_letters(text, start)
        if not minus and len(glued) == 1 and glued in signs.misread_before:  # "-t70,94" for "-₺70,94"
            place, dash = _minus_before(text, start - 1)
            if dash and not text[place - 1 : place].isalnum():
                position, minus = place, dash
    if not minus and position > 1 and text[position - 1] == " " and text[position - 2] == "-":
        lone = position < 3 or text[position - 3] in " ("
        if lone and not _ENDS_IN_CENTS.search(text, 0, position - 2):  # else an empty cell: "4.35 - 182.84"
            position, minus = position - 2, "loose"
    if currency is None and not minus:
        position = start  # a star or colon alone does not belong to the amount
    if text[max(0, position - 2) : position] == "( ":  # padded to the width of its column: "( 4.50)"
        position -= 1
    bracket = position > 0 and text[position - 1] == "("
    # A column may touch the next: "-129,90-129,90", "1 129,90-129,90".
    first = _FIRST_OF_TWO.search(text, 0, position) if minus else None
    touches = first is not None and text.startswith(first.group(1) or first.group(2), start)
    if minus == "tight" and not touches and position and text[position - 1].isalnum():
        minus = "" if text[position - 1].isdigit() else "loose"  # "1.50-2.00"; "COKE-3.00"
        position += not minus
    return Before(min(position, start), currency, minus, bracket, glued)


def _minus_before(text: str, position: int) -> tuple[int, Minus]:
    if position and text[position - 1] == "-" and not (position > 1 and text[position - 2] == "-"):
        return position - 1, "tight"
    return position, ""


def _currency_before(text: str, end: int, signs: Signs) -> int | None:
    """Where a currency mark that ends at `end` starts."""
    if not end:
        return None
    last = text[end - 1]
    if last.lower() in signs.own_ends:
        for symbol in signs.own:
            start = end - len(symbol)
            if (
                start >= 0
                and text[start:end].lower() == symbol
                and not (symbol[0].isalpha() and text[start - 1 : start].isalpha())
                and not (len(symbol) == 1 and symbol.isalpha() and _is_inside_code(text, start))
            ):
                longer = (
                    _LETTERS_BEFORE_SIGN.search(text, max(0, start - 4), start) if symbol == "$" else None
                )
                return longer.start() if longer else start
    if last in signs.any_sign:
        letters = _LETTERS_BEFORE_SIGN.search(text, max(0, end - 5), end - 1) if last == "$" else None
        return letters.start() if letters else end - 1
    if last.isalpha() or last in "./":
        if last.isupper() and end > 1 and text[end - 2] in signs.any_sign:  # "$U", "$b"
            return end - 2
        word = _WORD_BEFORE.search(text, max(0, end - 8), end)
        alone = word is not None and len(word.group(1)) == 1
        if (
            word
            and word.group(1).lower() in signs.words
            and not (alone and _is_inside_code(text, word.start()))
        ):
            return word.start()
    return None


def _is_inside_code(text: str, letter: int) -> bool:
    """Whether a letter before a number stands behind a digit, perhaps with a hyphen: "3097E44", "95-E10"."""
    return text[max(0, letter - 2) : letter].removesuffix("-")[-1:].isdigit()


def _glued_letters(text: str, start: int) -> str:
    position = start
    while position and start - position < 12 and text[position - 1].isalpha():
        position -= 1
    return text[position:start]


def look_after(text: str, end: int, signs: Signs) -> After:
    """Parses rightwards from the end of a number."""
    first = text[end : end + 1]
    if first == " ":
        first = text[end + 1 : end + 2]
    if not first or first.isdigit():
        return After(end, None, "", False, False)
    position, currency = end, None
    minus: Minus = ""
    dash = _NO_CENTS.match(text, position) if first in ".,:/=" else None
    if dash:
        position = dash.end()
    mark = signs.after.match(text, position) if dash or first in signs.after_starts else None
    if mark and _belongs_to_next(text, mark, signs):
        mark = None
    if mark:
        currency, position = mark.group().strip(), mark.end()
    sign = (
        None if dash or not (mark or first in signs.minus_starts) else signs.minus_after.match(text, position)
    )
    if sign:
        minus = "loose" if sign.group() == " -" else "tight"
        position = sign.end()
    bracket = text[position : position + 1] == ")"
    if mark is None and (sign or bracket):
        mark = signs.after.match(text, position + bracket)
        if mark and not _belongs_to_next(text, mark, signs):
            currency, position = mark.group().strip(), mark.end() - bracket
    return After(position + bracket, currency, minus, bracket, dash is not None)


_ONLY_CENTS = re.compile(r" ?-?[0-9][0-9.,]*[.,][0-9]{2} ?")
_ENDS_IN_CENTS = re.compile(r"[0-9][.,][0-9]{2} ?$")


def _belongs_to_last(text: str, start: int, end: int, signs: Signs) -> bool:
    """Whether a mark belongs to the amount before it: "0,95 € 1", where 1 is a tax code."""
    closes = _folded(text[start:end]) in signs.behind and _ENDS_IN_CENTS.search(text, 0, start) is not None
    return closes and not _is_in_front(text, text[start:end])


def _is_in_front(text: str, mark: str) -> bool:
    """Whether a row's marks stand before its amounts: only cents are behind the last of several, as in
    "2,50 € 8,00 € 20,00"."""
    *others, last = text.split(mark.strip())
    return len(others) > 1 and _ONLY_CENTS.fullmatch(last) is not None


def _belongs_to_next(text: str, mark: re.Match[str], signs: Signs) -> bool:
    """Whether a mark between two numbers belongs to the second one: "234,00 $ 10.998,00"."""
    rest = text[mark.end() : mark.end() + 3].lstrip(" -(")
    if not rest[:1].isdigit():
        return False
    if mark.group()[0] != " ":
        return False
    closes = _belongs_to_last(text, mark.start(), mark.end(), signs)
    if closes and _CODE_DIGIT.match(text, mark.end()):
        return False
    touches_next = text[mark.end() : mark.end() + 1] not in (" ", "")
    in_front = _is_in_front(text, mark.group())
    return touches_next or in_front or _folded(mark.group()) not in signs.behind
