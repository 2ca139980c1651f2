"""Finds product codes in a row: barcode numbers, article numbers and SKUs, but no parts of names or sizes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from receipt_engine.document import RoleMatch

#: Lengths of the article numbers that end in a check digit (GS1: EAN-8, UPC-A, EAN-13, GTIN-14).
_CHECKED = (8, 12, 13, 14)
_TOKEN = re.compile(r"[^\s:()#*]+")
#: The place in the list before the code, apart or glued to it: "1 2040-0150", "1.2040-0150".
_LIST_NUMBER = re.compile(r"\d{1,2}")
_GLUED_PLACE = re.compile(r"[1-9]\d?[.)](?=\d{4}-)")
_DIGITS = re.compile(r"\d{5,14}")
#: A number with its tax or food code glued on: "0417700121KF".
_FLAGGED = re.compile(r"(\d{8,14})[A-Z]{1,2}")
_LETTERS_FIRST = re.compile(r"[A-Z]{1,4}\d{4,12}[A-Z]{0,2}")
#: A letter alone behind a number at the end of the words, and before one at their start.
_FLAG_BEHIND = re.compile(r" +([A-Z]) *")
_FLAG_BEFORE = re.compile(r" *([A-Z]) +")
#: Parts joined by points that are no thousands, or by strokes: "703.118.20", "4471/182"; and a number whose
#: check digit is behind a point: "318204.7".
_PARTED = re.compile(r"(?!\d{1,3}(?:\.\d{3})+$)\d{3,4}\.\d{2,4}\.\d{2,4}|\d{4}/\d{3}(?:/\d{3})?|\d{6}\.\d")
#: Parts joined by hyphens, with at least three digits in a row and at least five digits in all.
_JOINED = re.compile(r"(?=(?:\D*\d){5})(?=.*\d{3})[A-Z]{0,4}\d{0,14}(?:-[A-Z0-9]{1,10}){1,4}")
#: Too short to be certain: a code only where other rows of the page begin the same way.
_SHORT = re.compile(r"(?:[A-Z]{2,4}\d{3}|[A-Z]{2,5}-\d{1,4}|\d{3,4})(?= +[^\W\d_]{2})")
#: The same where the other names begin with one: a number or a sign may begin the name behind it.
_SHORT_OF_MANY = re.compile(
    r"(?:[A-Z]{2,4}\d{3}|[A-Z]{2,5}-\d{1,4}|\d{3,4})(?= +(?:\d{1,4} )?[^\W\d_]\S* ?\S)"
)
#: The number after a column heading that is repeated in the row: "HSN 8414", "(HSN:85395000)", "(Code: 17)".
_LABELLED = re.compile(r"[ .:/#-]{0,3}\d{4,8}\b(?![.,]\d)\)?|: ?\d{1,3}\)")


class Code(NamedTuple):
    """A code and its offsets in the text."""

    text: str
    start: int
    end: int

    @property
    def is_flagged(self) -> bool:
        """Whether a tax code is glued to it."""
        return self.end - self.start > len(self.text)


def find_code(text: str) -> Code | None:
    """The row's product code: a number with a valid check digit, else one as long as those, else any number,
    else a code with letters.

    >>> find_code("4006381333931 PEN 500ML")
    Code(text='4006381333931', start=0, end=13)
    >>> find_code("GAUZE 10X10 500ML") is None
    True
    """
    tokens = list(_tokens(text))
    numbers = [t for t in map(_without_flag, tokens) if _DIGITS.fullmatch(t.text)]
    if numbers:
        whole = [t for t in numbers if len(t.text) in _CHECKED[1:]]
        return next((t for t in numbers if has_check_digit(t.text)), (whole or numbers)[0])
    listed = bool(tokens) and _LIST_NUMBER.fullmatch(tokens[0].text) is not None
    edges = [t for k, t in enumerate(tokens) if k in (0, len(tokens) - 1) or (k == 1 and listed)]
    for token in edges:
        if any(form.fullmatch(token.text) for form in (_LETTERS_FIRST, _JOINED, _PARTED)):
            return token
    return None


def _without_flag(token: Code) -> Code:
    """The token with its number alone as text, where only a tax code is glued to it."""
    flagged = _FLAGGED.fullmatch(token.text)
    return token._replace(text=flagged.group(1)) if flagged else token


def flag_beside(text: str, code: Code) -> tuple[int, int] | None:
    """The span of a single letter beside a long number, at the edge of the words: a tax or food code, printed
    behind the number ("RYE LOAF 0041770012 F") or before it ("E 417700 RYE LOAF"); None without one."""
    if not code.text.isdigit():
        return None
    behind = _FLAG_BEHIND.fullmatch(text, code.end) if text[: code.start].strip() else None
    before = _FLAG_BEFORE.fullmatch(text, 0, code.start) if text[code.end :].strip() else None
    return behind.span(1) if behind else before.span(1) if before else None


def short_code(words: str, *, usual: bool = False) -> Code | None:
    """A short code at the start of the words ("AB123 Cement", "4011 Bananas", "086 Rice"). usual: the other
    names of the receipt begin with one, so that this may be one too: "4012 365 Juice", "4013 M&K Tea"."""
    match = (_SHORT_OF_MANY if usual else _SHORT).match(words)
    return Code(match.group(), match.start(), match.end()) if match else None


def labelled_codes(text: str, roles: Sequence[RoleMatch]) -> list[tuple[int, int]]:
    """Spans of column headings among a product's words, each with the number that follows it."""
    found: list[tuple[int, int]] = []
    for match in roles:
        number = _LABELLED.match(text, match.end) if match.role == "column" and match.start else None
        if number is not None:
            bracketed = text[match.start - 1] == "(" and number.group().endswith(")")
            found.append(
                (match.start - bracketed, number.end() - (not bracketed and number.group()[-1] == ")"))
            )
    return found


def has_check_digit(code: str) -> bool:
    """Whether the last digit checks the others: weights 3 and 1 from the right, sum a multiple of ten.

    >>> has_check_digit("4006381333931"), has_check_digit("4006381333932")
    (True, False)
    """
    if len(code) not in _CHECKED or not (code.isascii() and code.isdigit()):
        return False
    body = reversed(code[:-1])
    total = sum(int(digit) * (3 if place % 2 == 0 else 1) for place, digit in enumerate(body))
    return (total + int(code[-1])) % 10 == 0


def _tokens(text: str) -> Iterator[Code]:
    for match in _TOKEN.finditer(text):
        token = match.group().rstrip(".,")
        place = _GLUED_PLACE.match(token)
        start = match.start() + (place.end() if place else 0)
        if token:
            yield Code(token[start - match.start() :], start, match.start() + len(token))
