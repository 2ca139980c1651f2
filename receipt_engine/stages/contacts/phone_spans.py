"""Finds the spans of a row's text that may be telephone numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from receipt_engine.document import ParsedLine
from receipt_engine.stages.contacts.labels import is_glued_label
from receipt_engine.vocabulary import term_at_end
from receipt_engine.vocabulary.confusions import DIGIT_FOR, MAYBE_CONFUSED

#: Fewest digits of a number.
DIGITS_MIN = 5
#: Groups of digits with the characters that occur between them; may contain two numbers.
_DIGITS = (
    r"(?:(?<![\w#*/-])(?:(?<!\d[.,])|(?<=[^\W\d_]\d[.,]))|(?<=[^\W\d_])|(?<=[^\W\d_][-#])|(?<=[.:][-#]))"
    r"(?:\+\s?|00\s?)?[(\[{]?[\dO]{1,}(?:[\s()\[\]{}.\-–~·]{0,3}[\dO]|\s?[/,;&\\]\s?[\dO(]"
    r"|(?<=\)\d{3}):(?=\d{4}(?!\d)))*"  # a dash that was read as a colon
)
_NUMBER = re.compile(
    rf"{_DIGITS}(?:(?!\w|[.,]\d)"
    r"|(?=[A-Z][A-Za-z]{1,2} ?[.:]|[^\W\d_][\w.+-]{0,30}@))"  # the next label ("2718Fax:") or e-mail
)
#: The same before any word, whose blank was lost; "0712 404 318 Open" has none.
_BEFORE_WORD = re.compile(rf"{_DIGITS}(?<!\sO)(?=[^\W\d_]{{2}})")
_WHOLE = re.compile(r"\(?\d{3}\)?[-. ]\d{3}[-.]\d{4}(?!\d)")
#: A number of eight digits or more behind the zero or plus with which it is dialled, as no post box has.
_DIALLED = re.compile(r"(?:0|\+)[-. ]?\d(?:[-. ]?\d){7}")
_FIRST_DIGITS = re.compile(r"\W*[\dO]\d")
_LETTERS = "".join(letter for letter in DIGIT_FOR if letter.isalpha())
#: Groups of digits, of which letters may be misread ones; those that are misread most often, and the fewest
#: digits for each of them.
_MISREAD = re.compile(
    rf"(?<!\w)\(?(?=[{_LETTERS}]?\d)[\d{_LETTERS}]{{2,}}+\)?(?:[\s./-]{{1,2}}[\d{_LETTERS}]{{2,}}+)+(?!\w)"
)
_GROUP = re.compile(rf"[\d{_LETTERS}]+")
_OFTEN = frozenset(("O", "I", "l", "S", "Z", "B", "G"))
_DIGITS_FOR_LETTER = 4
#: A number with letters for digits after an area code ("(555) 013-CAKE"), which begins with neither zero nor
#: one.
_VANITY = re.compile(
    r"(?<![\w(-])(?<!\d[.,])(?:1[-. ]?)?\(?[2-9]\d{2}\)?"
    r"[-. ]\s?(?:\d{3}[-. ][A-Z]{4}|[A-Z]{3}[-. ]?[A-Z\d]{4})(?!\w)"
)
#: The same behind the code of toll-free numbers, in any country: "1-300-80-CAKE", "1800 22 CAKE".
_VANITY_TOLL_FREE = re.compile(r"(?<![\w(-])1[- ]?[38]00[- ](?:\d{2}[- ]?[A-Z]{4}|[A-Z]{6})(?!\w)")
#: A bank account number (ISO 13616): country, two check digits, groups of four.
_IBAN = re.compile(r"(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2} ?(?:[A-Z\d]{4} ?){0,5}[A-Z\d]{1,4}(?!\w)")
_IBAN_MIN = 15
#: Separators between two numbers on a row.
_BETWEEN = re.compile(
    r"(?<=\d{3}[-.]\d{4}) (?=\(?\d{3}\)?[-. ]\d{3}[-.]\d{4})|(?<=^\d{3} \d{4}) (?=\d{3} \d{4}$)"
    r"|\s*[/,;&\\]\s*|\s-\s|\s{2,}|(?<=\d{4})\.(?=0\d)"
)
_CALENDAR = re.compile(
    r"(?<![\w./-])(?:\d{1,2}[./-]\d{1,2}[./-](?:19|20)?\d{2}|(?:19|20)\d{2}[./-]\d{1,2}[./-]\d{1,2})\b(?![-./]\d)"
    r"|(?<![\w./-])[1-9]\d?/[0-3]\d20\d{2}\b"  # the second separator was not read
    r"|\b\d{1,2}:\d{2}(?::\d{2})?\b"
)
#: An area code right before the rest of a number, which looks like a date if printed in pairs:
#: "(555) 21-10-19"; and one that is dialled with a zero, behind a word for a telephone: "Tel. 010 21-10-19".
_AREA_CODE = re.compile(r"(?:\+\d{1,3}[ -]?\(?\d{2,4}\)?|\(\d{2,5}\))[ -]?$")
_ZERO_CODE = re.compile(r"\b0\d{1,4}[ -]$")
#: A postcode before a whole number: "97201 (541) 555 0134", "97201 541-555-0134", "97201 541 555-0134",
#: "97201 541 555 0134".
_POSTCODE_BEFORE = re.compile(r"\d{5}(?:-\d{4})?\s+(?=\(\d{3}\)|\d{3}(?:([-. ])\d{3}\1| \d{3}-)\d{4}(?!\d))")
#: A house number and the postcode behind it: "Bachstr.44-79098 Freiburg".
_HOUSE_AND_CODE = re.compile(r"\d{1,3} ?- ?\d{4,5}\s*")
#: A country's code before a number, which is parted from it: "+43 7242", "0043/7242".
_COUNTRY = re.compile(r"^\W*(?:\+\d{1,3}\)? |00\d\d[ /])")
#: A short number, as of a hotline, before a whole one.
_SHORT = re.compile(r"1\d{2,4}")
#: Masks the middle of a card number.
_MASK = "***"


def without_dates(parsed: ParsedLine) -> str:
    """The row's text with "|" for each character of its dates and times."""
    spans = [(d.start, d.end) for d in parsed.dates if d.cost < 1.5]
    spans += [m.span() for m in _CALENDAR.finditer(parsed.text)]
    spans = [(start, end) for start, end in spans if not _is_behind_area_code(parsed.text[:start])]
    if not spans:
        return parsed.text
    text = list(parsed.text)
    for start, end in spans:
        text[start:end] = "|" * (end - start)
    return "".join(text)


def _is_behind_area_code(lead: str) -> bool:
    """Whether an area code ends a text, the beginning of a row."""
    zero = _ZERO_CODE.search(lead)
    named = zero is not None and term_at_end(lead[: zero.start()].rstrip(" .:"), "phone") is not None
    return named or _AREA_CODE.search(lead) is not None


def with_digits_repaired(text: str, is_named: Callable[[int], bool]) -> str:
    """The text with letters for misread digits in telephone numbers replaced by these: "541 S55-0134". Half
    of the characters of each group must be digits. The number must be a whole one of the North American plan,
    be behind a word for a telephone (`is_named`), or have few letters, all of them often misread."""
    if not MAYBE_CONFUSED.search(text):
        return text

    def repaired(match: re.Match[str]) -> str:
        found = match.group()
        groups = _GROUP.findall(found)
        if not any(map(str.isalpha, found)) or any(
            2 * sum(map(str.isdigit, group)) < len(group) for group in groups
        ):
            return found
        digits = "".join(DIGIT_FOR.get(c, c) for c in found)
        whole = _WHOLE.search(digits)
        if (whole and whole.end() == len(digits)) or is_named(match.start()):
            return digits
        misread = [c for c in found if c.isalpha()]
        if found[0].isalpha():  # "B002-0044711" is a document's series and number
            return found
        few = sum(map(str.isdigit, found)) >= max(DIGITS_MIN, _DIGITS_FOR_LETTER * len(misread))
        return digits if few and _OFTEN.issuperset(misread) else found

    return _MISREAD.sub(repaired, text)


def number_spans(text: str, vanity: bool) -> list[tuple[int, int]]:
    """Spans that may be numbers; "07-5547360/016-7993391" gives two. vanity: letters may stand for digits."""
    spans: list[tuple[int, int]] = []
    text = _IBAN.sub(_blanked, text)
    for match in _numbers(text):
        before = text[: match.start()].replace("0", "O")  # the recogniser's "P.0. BOX"
        if term_at_end(before, "post_box") and _DIALLED.match(match.group()) is None:
            continue
        if _HOUSE_AND_CODE.fullmatch(match.group()) and term_at_end(text[: match.start()], "street"):
            continue
        postcode = _POSTCODE_BEFORE.match(match.group())
        start = match.start() + (postcode.end() if postcode else 0)
        spans.extend(_split(text, start, match.end()))
    for match in (*(_VANITY.finditer(text) if vanity else ()), *_VANITY_TOLL_FREE.finditer(text)):
        if any(c.isalpha() for c in match.group()):
            spans = [(start, end) for start, end in spans if end <= match.start() or match.end() <= start]
            spans.append(match.span())
    return sorted(
        (start, end)
        for start, end in spans
        if _count(text[start:end]) >= DIGITS_MIN and not text.startswith(_MASK, end)
    )


def _blanked(account: re.Match[str]) -> str:
    text = account.group()
    return "|" * len(text) if sum(map(str.isalnum, text)) >= _IBAN_MIN else text


def _numbers(text: str) -> Iterator[re.Match[str]]:
    """Matches of `_NUMBER`. Right after letters, these must be a word for a telephone, and the match must
    begin with two digits: the "1" of "Cel1 0712 404 318" is an l. Behind a hyphen, it must be such a word,
    or a place before a whole number: "Elmford Mall-541-555-0134". Right before letters, a match must be whole
    or behind such a word: "TEL:62551234DATE"."""
    at = 0
    while match := _first(_BEFORE_WORD.search(text, at), _NUMBER.search(text, at)):
        start = match.start()
        named = term_at_end(text[:start], "phone") is not None
        priced = "," in match.group()  # "010 555 0134 (8,35snt)"
        if match.re is _BEFORE_WORD and (priced or not (named or _WHOLE.fullmatch(match.group()))):
            match = _NUMBER.match(text, start)
        before = text[start - 1 : start]
        if match is None or (
            before.isalpha() and not (_FIRST_DIGITS.match(text, start) and is_glued_label(text[:start]))
        ):
            at = start + 1
            continue
        whole = before == "-" and _WHOLE.match(text, start) is not None
        if before in ("-", "#") and not whole and not named:
            at = start + 1
            continue
        yield match
        at = match.end()


def _first(one: re.Match[str] | None, other: re.Match[str] | None) -> re.Match[str] | None:
    """The match that begins first, or ends last."""
    found = [match for match in (one, other) if match is not None]
    return min(found, key=lambda match: (match.start(), -match.end()), default=None)


def _split(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The numbers in text[start:end]; the short end of "9201 6281/6920" is left out."""
    whole = text[start:end]
    for between in _BETWEEN.finditer(whole):
        first, second = whole[: between.start()], whole[between.end() :]
        if _SHORT.fullmatch(first) and second.startswith(("0", "+")):
            return _split(text, start + between.end(), end)
        if (
            _count(_COUNTRY.sub("", first, count=1)) < 7
            or not _count(second)
            or (between.group() == "." and _count(second) < 8)
        ):
            continue
        rest = _split(text, start + between.end(), end) if _count(second) >= DIGITS_MIN else []
        return [(start, start + between.start()), *rest]
    return [(start, end)]


def _count(text: str) -> int:
    return sum(c.isdigit() or c == "O" for c in text)
