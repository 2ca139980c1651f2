"""Finds dates as entities; helpers for overlaps with entities, customer rows and column gaps."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from receipt_engine.document import Entity, ParsedLine, Sheet, Zone
from receipt_engine.vocabulary import is_term, term_at_start
from receipt_engine.vocabulary.months import month_names
from receipt_engine.vocabulary.street_names import is_behind_street, is_house_number

#: Numeric dates and times in the forms that every country prints; "元町 2-13-30" is a house.
_NUMERIC = re.compile(
    r"(?<![\w/.#-])(?<![\u3040-\u9fff] )(?:\d{1,2}[./-]\d{1,2}[./-](?:19|20)?\d{2}"
    r"|(?:19|20)\d{2}[./-]\d{1,2}[./-]\d{1,2})(?![-./]?\d)"
    r"|\b\d{1,2}:\d{2}(?::\d{2})?\s?(?:[ap]\.?m?\b\.?)?",
    re.IGNORECASE,
)
#: Minimum gap between two columns, in text heights.
_COLUMN_BLANK = 3.0
#: Number of rows below the word for the customer that belong to the customer: a name, a street, a town and a
#: telephone.
_ROWS_OF_CUSTOMER = 4
#: Where a customer is named: at the head of an invoice, at the end of an order.
_OF_CUSTOMERS: tuple[Zone, ...] = ("header", "after")
_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
#: Dates with a word that may name a month; shorter names are also words of other languages.
_DAY_FIRST = re.compile(rf"\b{_DAY}[ -]?([^\W\d_]{{3,}})[ .,'´-]*(?:19|20)?\d{{2}}\b")
_MONTH_FIRST = re.compile(rf"\b([^\W\d_]{{3,}})[. ]{{1,2}}{_DAY}(?:,| ) ?(?:19|20)\d{{2}}\b")


def covered(entities: Iterable[Entity], row: int, start: int, end: int) -> bool:
    """Whether text[start:end] of a row overlaps an entity."""
    return any(m.row == row and m.start < end and start < m.end for m in entities)


def rows_of_customer(rows: Sequence[ParsedLine], sheet: Sheet) -> frozenset[int]:
    """Rows above or below the sale that begin with a word for the customer or recipient, and the rows right
    below them."""
    found: set[int] = set()
    for index, parsed in enumerate(rows):
        word = term_at_start(parsed.text, "customer") if sheet.zones[index] in _OF_CUSTOMERS else None
        if word is not None and parsed.text[word.end :].lstrip()[:1] in ("", ":"):
            found.update(range(index, index + 1 + _ROWS_OF_CUSTOMER))
    return frozenset(found)


def columns_of_customer(rows: Sequence[ParsedLine], sheet: Sheet) -> tuple[tuple[int, float], ...]:
    """The row and the left edge of words for the customer or recipient that head a column on the right of
    another one in the header; the edge is that of a text which may be a little further left."""
    found: list[tuple[int, float]] = []
    for index, parsed in enumerate(rows):
        if sheet.zones[index] != "header":
            break
        for start, end in parsed.line.columns(_COLUMN_BLANK)[1:]:
            if is_term(parsed.text[start:end], "customer"):
                found.append((index, parsed.line.place(start, end)[0] - parsed.line.height))
    return tuple(found)


def in_columns(parsed: ParsedLine, text: str) -> str:
    """The row's text with "|" for each space between digits that is as wide as a gap between columns."""
    at, kept = 0, list(text)
    for word, other in pairwise(parsed.line.words):
        at += len(word.text)
        wide = other.left - word.right > _COLUMN_BLANK * parsed.line.height
        if wide and text[at - 1 : at].isdigit() and other.text[:1].isdigit():
            kept[at] = "|"
        at += 1
    return "".join(kept)


def date_entities(rows: Sequence[ParsedLine]) -> tuple[Entity, ...]:
    """Dates and times of day as entities, so that they do not become part of a name."""
    found: list[Entity] = []
    for index, parsed in enumerate(rows):
        if not parsed.dates and not any(map(str.isdigit, parsed.text)):
            continue
        spans = [(d.start, d.end) for d in parsed.dates if d.cost < 1.5]
        spans += [m.span() for m in _NUMERIC.finditer(parsed.text)]
        spans += _with_month(parsed.text)
        found.extend(Entity("date", index, s, e, parsed.text[s:e], 1.0, s, "date") for s, e in spans)
    return tuple(e for e in found if not is_house_number(rows[e.row].text, e.start, e.end))


def _with_month(text: str) -> Iterator[tuple[int, int]]:
    """Spans of dates with the name of a month in any language: "15 Aug 2017", "Aug 15, 2017"."""
    for pattern in (_DAY_FIRST, _MONTH_FIRST):
        at = 0
        while match := pattern.search(text, at):
            named = match.group(1).lower() in month_names()
            at = match.end() if named else match.end(1)
            if named and not is_behind_street(text, match.start()):
                yield match.span()
