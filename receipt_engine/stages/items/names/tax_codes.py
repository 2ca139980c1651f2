"""Tells the till's tax codes from names."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from msgspec.structs import replace

from receipt_engine.stages.items.rows import ItemRow, sold
from receipt_engine.stages.items.rows.words import leading_count

#: The tax code after a name, the share of the names that must have one, and the number of letters from which
#: a code alone is enough.
_CODE_BEHIND = re.compile(r"(?<=\w) +([A-Z]{1,5})$")
_CODED_SHARE = 0.8
_LONG_CODE = 3
#: The share for codes of several characters or in brackets before names, which stand beside headings of
#: departments.
_CODED_BEFORE_SHARE = 0.5
#: A code in angle brackets or behind a star after a name is always one of the till's ("PAINT TRAY <A>",
#: "PAINT TRAY *A").
_ANGLED_BEHIND = re.compile(r"(?<=\w) *<[A-Z]{1,2}>$")
_STARRED_BEHIND = re.compile(r"(?<=\S) +\*([A-Z])$")
_BRACKETED_BEHIND = re.compile(r"(?<=\w) *\((\w{1,2})\)$")
#: Marks of a taxed or reduced product, which a till prints before or behind the name: "#LEMONADE", "BREAD #".
_MARK_AROUND = re.compile(r"^([#^%])(?=[^\W\d_])|(?<=\w) +([#^%])$")
#: The tax code before a name: "(A) MILK", "C00 BREAD", "C00BREAD".
_CODE_BEFORE = re.compile(r"^\(?([A-Z]\d{0,2})\)?(?: +|(?<=\d\d))(?=\S*[^\W\d_]{2})")
#: A letter before a count, where all names begin with one: "F 1 COTTON PADS", "1 SOAP".
_BEFORE_COUNT = re.compile(r"^[A-Z] (?=\d{1,2} [^\W\d_])")
#: Fewest names that begin with a bare letter for it to be a tax code.
_MIN_BARE_LETTERS = 3.0


def without_tax_codes(block: Sequence[ItemRow], codes: Collection[str]) -> list[ItemRow]:
    """The rows, without tax codes. A code between name and amount ("BREAD MRJ", "SOUP B") goes if it is long
    or follows most names; one before the names or in brackets, if most have one. codes: the region's."""
    block = _without_codes_around([_without_marked_code(row, codes) for row in block], codes)
    rows = [*sold(block), *(row for row, below in pairwise(block) if _is_priced_below(row, below))]
    coded = [row for row in rows if _code_behind(row.words, codes) is not None]
    usual = len(coded) >= max(2.0, _CODED_SHARE * len(rows))
    found = []
    for row in block:
        code = _code_behind(row.words, codes)
        ends = code is not None and (usual or len(code.group(1)) >= _LONG_CODE)
        found.append(replace(row, words=row.words[: code.start()]) if code and ends else row)
    return found


def _is_priced_below(row: ItemRow, below: ItemRow) -> bool:
    """Whether a row has a product's name, and the next one its amount."""
    return row.kind == "text" and below.kind == "bare" and below.amount is not None and below.amount.value > 0


def _without_marked_code(row: ItemRow, codes: Collection[str]) -> ItemRow:
    mark = _MARK_AROUND.search(row.words)
    if mark is not None and mark.group().strip() in codes:
        row = replace(row, words=row.words[mark.end() :] if mark.start() == 0 else row.words[: mark.start()])
    marked = _ANGLED_BEHIND.search(row.words) or _STARRED_BEHIND.search(row.words)
    known = marked is not None and (marked.re is _ANGLED_BEHIND or marked.group(1) in codes)
    return replace(row, words=row.words[: marked.start()]) if marked and known else row


def _without_codes_around(block: Sequence[ItemRow], codes: Collection[str]) -> list[ItemRow]:
    rows = [row for row in block if row.kind in ("named", "text") and not _is_negative(row)]
    marked = [_BEFORE_COUNT.sub("", row.words) for row in rows]
    if len(rows) > 1 and all(leading_count(words) is not None for words in marked):
        return [replace(row, words=_BEFORE_COUNT.sub("", row.words)) for row in block]
    for found, least, share in (
        (_code_before, 2.0, _CODED_BEFORE_SHARE),
        (_letter_before, _MIN_BARE_LETTERS, _CODED_SHARE),
        (_code_in_brackets, 2.0, _CODED_SHARE),
    ):
        if sum(1 for row in rows if found(row.words, codes) is not None) >= max(least, share * len(rows)):
            return [replace(row, words=found(row.words, codes) or row.words) for row in block]
    return list(block)


def _is_negative(row: ItemRow) -> bool:
    """Whether a row has a negative amount; such rows carry no tax code."""
    return row.amount is not None and row.amount.value < 0


def _code_before(words: str, codes: Collection[str]) -> str | None:
    """The words without a code before them, or None; a bare letter may be part of the name ("A LA CARTE")."""
    match = _CODE_BEFORE.match(words)
    if match is None or match.group(1) not in codes:
        return None
    return words[match.end() :] if words[0] == "(" or len(match.group(1)) > 1 else None


def _letter_before(words: str, codes: Collection[str]) -> str | None:
    """The words without a code of one letter before them ("B MILK"), or None."""
    match = _CODE_BEFORE.match(words)
    return words[match.end() :] if match is not None and match.group(1) in codes else None


def _code_in_brackets(words: str, codes: Collection[str]) -> str | None:
    """The words without a code in brackets after them ("MILK (E)"), or None."""
    match = _BRACKETED_BEHIND.search(words)
    return words[: match.start()] if match is not None and match.group(1) in codes else None


def _code_behind(words: str, codes: Collection[str]) -> re.Match[str] | None:
    match = _CODE_BEHIND.search(words)
    return match if match is not None and match.group(1) in codes else None
