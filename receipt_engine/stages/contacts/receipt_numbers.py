"""Finds the number of the receipt, bill or invoice by the words that announce it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache

from receipt_engine.document import Entity, Found, ParsedLine, Record, RoleMatch, Sheet
from receipt_engine.scoring.certainty import LIKELY, POSSIBLE, SURE
from receipt_engine.stages.contacts.entities import covered
from receipt_engine.stages.contacts.labels import (
    all_labels,
    is_document,
    label_score,
    number_kind,
    slip_rows,
)
from receipt_engine.vocabulary import has_term
from receipt_engine.vocabulary.normalise import count_letters, letters
from receipt_engine.vocabulary.patterns import lowered, term_pattern
from receipt_engine.vocabulary.tokens import tokens

_VALUE = re.compile(r"(?=[\w/.\-]*\d)\w+(?:[-/.]+\w+)*")
#: After letters that begin the number although the label phrase ends with them: "FACTURA DE VENTA POS-33812".
_DASHED = re.compile(r"-\d{3,}")
#: A number alone on its row: letters and digits of a series, a dash, the number ("F001-00012345"); or two
#: letters and eight digits, as on Taiwan's uniform invoices.
_SERIES = re.compile(r"[A-Z]{1,4}\d{2,3}\s?-\s?\d{5,10}|[A-Z]{2}-?\d{8}")
#: The letters of a series, separate from its number: "CS 24/0118".
_LETTERS_FIRST = re.compile(r"[A-Z]{1,3} (?=[\d/-]{5})")
_IDEOGRAPH = re.compile(r"[\u3400-\u9fff]")
#: In text heights: the minimum gap between columns, and the maximum offset of left-aligned texts.
_COLUMN_BLANK, _ALIGNED = 2.0, 1.5
#: A gap wider than this many row heights separates the document's title from its number's label.
_WIDE_BLANK = 5.0
_DATE_LIKE = re.compile(r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}")
#: Only punctuation between another value and the number: "26.09.2024 11:38 #0574".
_BEHIND_VALUE = re.compile(r"\d[^\w]*$")
_MASK = re.compile(r"[Xx]{3}")
_MONEY_LIKE = re.compile(r"\d{1,6}[.,]\d{2}")
#: Score penalty right below words that ask for an electronic invoice: the number is the reference for it.
_ASKED = 0.6
#: Minimum score after a document's title, at most one word, and a sign for a number.
_TITLED = 0.5
#: Minimum score of a label behind a document's title or right below it, in its column.
_OF_TITLE = 0.9
#: Score bonus for a series with a number, by which the tax office identifies the document.
_OFFICIAL = 0.15
_MAX_LENGTH = 30
#: Maximum letters of an abbreviation for "number"; a full word is too ambiguous ("Run number").
_ABBREVIATED = 3


class _Number(Record, frozen=True):
    """A number on a row, text[start:end]. score: how likely it is the receipt's. label_start: offset where
    the label begins. titled: the label only names the document ("TAX INVOICE 4711")."""

    value: str
    row: int
    start: int
    end: int
    score: float
    label: str
    label_start: int
    titled: bool = False


class _Place(Record, frozen=True):
    value: str
    row: int
    start: int
    end: int


@cache
def _lead() -> re.Pattern[str]:
    """Matches the text between a label and its number, in `lowered` texts: punctuation, including the geresh
    of a Hebrew abbreviation, and the word for "number" once more."""
    number = term_pattern("number")
    return re.compile(rf"[\s:：.,;#№|/°º(\-–'’׳]*(?:{number}[\s:.,;#№°º'’׳]*)?")


@cache
def _series() -> re.Pattern[str]:
    """Matches a series before the number itself: "FACTURA POS KT4 N. 0053826"."""
    number = term_pattern("number")
    return re.compile(rf"\S{{1,6}}\s+{number}[\s.:#°º]*(?=\d{{3}})", re.IGNORECASE)


@cache
def _number_sign() -> re.Pattern[str]:
    """Matches a sign for a number in any language: "#", "№", a colon, or a word for "number" of two or more
    letters, capitalised where the script has capitals."""
    word = rf"(?!(?-i:[a-zà-ÿα-ω])|[^\W\d_][\s.:\d]){term_pattern('number')}[°º]?"
    return re.compile(rf"[#№:]|(?:(?<=\s)|^){word}(?=[\s.:]*[A-Z]*-?\d)[\s.:]*", re.IGNORECASE)


def receipt_number(
    rows: Sequence[ParsedLine], sheet: Sheet, entities: Sequence[Entity], address: Sequence[int]
) -> Found | None:
    """The number of this receipt, as printed after its label or below it.

    entities: entities of other kinds, which are skipped. address: rows of the address, where "No" announces a
    house number.
    """
    found = list(_labelled(rows, sheet, entities, frozenset(address)))
    if not any(number.score >= 0.5 for number in found):
        found += _signed(rows, sheet, entities, frozenset(address))
    ranked = sorted((n for n in found if n.score >= POSSIBLE), key=lambda n: (-n.score, n.row))
    if not ranked:
        return None
    best = ranked[0]
    others = tuple((n.value, round(n.score, 2)) for n in ranked[1:4] if n.value != best.value)
    confidence = max(0.1, min(0.95, 0.3 + 0.45 * best.score))
    return Found(best.value, round(confidence, 3), (best.row,), f"behind {best.label}", others)


def number_entities(
    rows: Sequence[ParsedLine], sheet: Sheet, entities: Sequence[Entity]
) -> tuple[Entity, ...]:
    """Confident numbers after a document title, as entities that names and addresses leave out, title
    included. Rows with words for "receipt number" need none: these words identify them."""
    sure = (n for n in _labelled(rows, sheet, entities, frozenset()) if n.titled and n.score >= SURE)
    return tuple(
        Entity("number", n.row, n.start, n.end, n.value, n.score, n.label_start, n.label) for n in sure
    )


def _labelled(
    rows: Sequence[ParsedLine], sheet: Sheet, entities: Sequence[Entity], address: frozenset[int]
) -> Iterator[_Number]:
    """Numbers after or below words for the receipt number, the receipt or the invoice."""
    slips = slip_rows(rows)
    for index, parsed in enumerate(rows):
        for role in sheet.roles[index]:
            if role.role not in ("receipt_number", "receipt", "invoice"):
                continue
            column = next(span for span in parsed.line.columns(_WIDE_BLANK) if role.start < span[1])
            score = label_score(role, parsed.text, column) - 0.004 * index
            score -= 0.3 * (sheet.zones[index] == "items")
            named = is_document(role.phrase)
            score -= 0.4 * (index in slips and not named)
            score -= _ASKED * (index > 0 and _asks_for_invoice(rows[index - 1].text))
            under = _is_titled(parsed.text[: role.start], sheet.roles[index])
            under |= _is_below_title(rows, sheet, index, role.start, role.end)
            under &= role.weight < SURE and number_kind(role.phrase) is None
            if index in address and not (named or under):
                continue
            score = max(score, _OF_TITLE * under)
            end = _label_end(parsed.text, role)
            score += 0.15 * (
                role.weight < LIKELY and role.start == 0 and parsed.text[end : end + 2].strip()[:1] == ":"
            )
            place = _behind(index, parsed, end, entities)
            if place is not None:
                if _enough(place.value, role):
                    titled = under or role.role != "receipt_number"
                    yield _number(place, score, role.phrase, role.start, titled)
            elif index + 1 < len(rows) and role.weight >= 0.6 and not parsed.text[end:].strip(" :.#-°º"):
                place = _below(index + 1, rows, parsed.line.place(role.start, role.end), entities)
                if place is not None:
                    yield _number(place, score - 0.1, role.phrase, place.start)


def _asks_for_invoice(text: str) -> bool:
    """Whether a row without a number of its own asks for an electronic invoice later."""
    return not any(map(str.isdigit, text)) and has_term(text, "invoice_request")


def _number(place: _Place, score: float, label: str, label_start: int, titled: bool = False) -> _Number:
    score += _length(place.value) + _OFFICIAL * (_SERIES.fullmatch(place.value) is not None)
    return _Number(place.value, place.row, place.start, place.end, score, label, label_start, titled)


def _length(value: str) -> float:
    digits = sum(c.isdigit() for c in value)
    return 0.1 if digits >= 4 else -0.15 if digits <= 2 else 0.0


def _enough(value: str, role: RoleMatch) -> bool:
    """Whether a value has enough digits: three after a weak label or a mere title, else one."""
    digits = sum(c.isdigit() for c in value)
    weak = role.role != "receipt_number" or role.weight < LIKELY
    return digits >= 3 if weak else digits >= 1


def _label_end(text: str, role: RoleMatch) -> int:
    """The offset at which the label ends: after the vowel signs of its last letter ("เลขที่"), and before a
    number that begins with letters ("Factura: B001-123")."""
    end = role.end
    while end < len(text) and unicodedata.category(text[end]).startswith("M"):
        end += 1
    if end < len(text) and (text[end].isdigit() or _DASHED.match(text, end)):
        start = end
        while start > role.start and text[start - 1].isalnum():
            start -= 1
        if start > role.start and end - start <= 3:
            return start
    return end


def _behind(index: int, parsed: ParsedLine, start: int, entities: Sequence[Entity]) -> _Place | None:
    """The number right after offset `start` of a row; None if there is none."""
    text = parsed.text
    lead = _lead().match(lowered(text), start)
    at = lead.end() if lead else start
    series = _series().match(text, at)
    at = series.end() if series else at
    letters_first = _LETTERS_FIRST.match(text, at)
    match = _VALUE.match(text, letters_first.end() if letters_first else at)
    if match is None:
        return None
    first, last = match.start(), _groups_end(parsed, match.end())
    while last > match.end() and _taken(index, parsed, match.end(), last, entities):
        last = text.rindex(" ", first, last)
    value = text[first:last].strip(" .-/")
    sound = _is_number(index, parsed, first, last, value, entities)
    return _Place(value, index, first, last) if sound else None


def _groups_end(parsed: ParsedLine, end: int) -> int:
    """The end of a number whose further groups of digits follow within a normal word gap."""
    text = parsed.text
    group = re.compile(r" (\d{2,})(?=$|\s)")
    while match := group.match(text, end):
        left, right = parsed.line.place(end - 1, end)[1], parsed.line.place(*match.span(1))[0]
        if right - left > 0.9 * parsed.line.height:
            break
        end = match.end()
    return end


def _taken(index: int, parsed: ParsedLine, start: int, end: int, entities: Sequence[Entity]) -> bool:
    """Whether text[start:end] overlaps a date, a time or another entity."""
    spans = [(d.start, d.end) for d in parsed.dates if d.cost < 1]
    spans += [(t.start, t.end) for t in parsed.times if t.cost < 1]
    return any(s < end and start < e for s, e in spans) or covered(entities, index, start, end)


def _is_number(
    index: int, parsed: ParsedLine, first: int, last: int, value: str, entities: Sequence[Entity]
) -> bool:
    if not any(c.isdigit() for c in value) or len(value) > _MAX_LENGTH or _MASK.search(value):
        return False
    if _DATE_LIKE.fullmatch(value) and any(d.start <= first < d.end for d in parsed.dates):
        return False
    if _MONEY_LIKE.fullmatch(value) or parsed.text[last : last + 1] in ("%", ":"):
        return False
    whole_dates = (d for d in parsed.dates if d.cost < 1 and d.start <= first and last <= d.end)
    return not any(whole_dates) and not covered(entities, index, first, last)


def _below(
    index: int, rows: Sequence[ParsedLine], place: tuple[float, float], entities: Sequence[Entity]
) -> _Place | None:
    """A number of four or more digits below a label. index: the row below it. place: the label's horizontal
    extent."""
    parsed = rows[index]
    offset, end = 0, float("-inf")
    for word in parsed.line.words:
        under = word.left < place[1] and place[0] < word.right
        match = _VALUE.fullmatch(word.text.strip("#:"))
        if under and match and sum(c.isdigit() for c in word.text) >= 4:
            first = offset + word.text.index(match.group())
            value, last = match.group(), first + len(match.group())
            before = parsed.text[:offset].rstrip()
            alone = not letters(before) or (len(parsed.line.words) <= 3 and before[-1:] != ":")
            height = parsed.line.height
            alone |= (
                word.left - end > _COLUMN_BLANK * height and abs(word.left - place[0]) < _ALIGNED * height
            )
            alone &= _IDEOGRAPH.search(value) is None
            if (
                alone
                and not _taken(index, parsed, first, last, entities)
                and _is_number(index, parsed, first, last, value, entities)
            ):
                return _Place(value, index, first, last)
        offset += len(word.text) + 1
        end = word.right
    return None


def _signed(
    rows: Sequence[ParsedLine], sheet: Sheet, entities: Sequence[Entity], address: frozenset[int]
) -> Iterator[_Number]:
    """Numbers after "#", a colon or a word for "number", after a label in any language, a title, or almost no
    words; and a series with its number alone on a row."""
    labels = all_labels()
    slips = slip_rows(rows)
    for index, parsed in enumerate(rows):
        if index in address or index in slips or sheet.zones[index] == "items":
            continue
        if _SERIES.fullmatch(parsed.text.strip()) and not covered(entities, index, 0, len(parsed.text)):
            place = _Place(parsed.text.strip(), index, 0, len(parsed.text))
            yield _number(place, 0.35 - 0.004 * index, "nothing: a series and a number", 0)
        for sign in _number_sign().finditer(parsed.text):
            known = any(
                m.end >= sign.start() - 1 and m.start < sign.start() and m.weight >= POSSIBLE
                for m in sheet.roles[index]
            )
            read = None if known else _behind(index, parsed, sign.end(), entities)
            if read is None or sum(c.isdigit() for c in read.value) < 3:
                continue
            words = [t.text for t in tokens(parsed.text[: sign.start()])]
            label = next((k for n in (3, 2, 1) if (k := "".join(words[-n:])) in labels), "")
            sure = sign.group() != ":" and count_letters(sign.group()) <= _ABBREVIATED
            bare = not words or _BEHIND_VALUE.search(parsed.text[: sign.start()]) is not None
            short = len(words) == 1 and len(words[0]) <= 4 and sum(c.isdigit() for c in read.value) >= 4
            titled = sure and _is_titled(parsed.text[: sign.start()], sheet.roles[index])
            titled |= sure and not words and _is_below_title(rows, sheet, index, *sign.span())
            score = 0.6 * labels[label] if label else 0.35 if (bare or short) and sure else 0.0
            score = max(score, _TITLED * titled)
            if score:
                yield _number(read, score - 0.004 * index, label or sign.group(), sign.start())


def _is_below_title(rows: Sequence[ParsedLine], sheet: Sheet, index: int, start: int, end: int) -> bool:
    """Whether the document's title stands over a label, as at the right of a letterhead."""
    left, right = rows[index].line.place(start, end)
    for title in sheet.roles[index - 1] if index else ():
        start, end = next(c for c in rows[index - 1].line.columns(_WIDE_BLANK) if title.start < c[1])
        if 2 * len(title.phrase) < count_letters(rows[index - 1].text[start:end]):
            start, end = title.start, title.end
        place = rows[index - 1].line.place(start, end)
        titled = title.role in ("receipt", "invoice") and title.weight >= LIKELY
        if titled and place[0] < right and left < place[1]:
            return True
    return False


def _is_titled(lead: str, roles: Sequence[RoleMatch]) -> bool:
    """Whether a document title and at most two words precede a sign for a number: "CASH BILL   No."."""
    titles = [
        m.end for m in roles if m.role in ("receipt", "invoice") and m.weight >= LIKELY and m.end <= len(lead)
    ]
    return bool(titles) and len(tokens(lead[max(titles) :])) <= 2
