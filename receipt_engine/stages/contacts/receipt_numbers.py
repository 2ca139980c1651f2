"""The number of the receipt, bill or invoice, by the words that announce it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache

from receipt_engine.document import Entity, Found, ParsedLine, Record, RoleMatch, Sheet
from receipt_engine.scoring.certainty import LIKELY, POSSIBLE, SURE
from receipt_engine.stages.contacts.entities import covered
from receipt_engine.stages.contacts.number_labels import all_labels, is_document, label_score, slip_rows
from receipt_engine.vocabulary import has_term
from receipt_engine.vocabulary.normalise import count_letters, letters
from receipt_engine.vocabulary.patterns import term_pattern
from receipt_engine.vocabulary.tokens import tokens

_VALUE = re.compile(r"(?=[\w/.\-]*\d)\w+(?:[-/.]+\w+)*")
#: Behind letters that begin a number although its label ends in them: "FACTURA DE VENTA POS-33812".
_DASHED = re.compile(r"-\d{3,}")
#: Alone on its row: the letter and digits of a series, a dash, the number ("F001-00012345"); or two letters
#: and eight digits, Taiwan's uniform invoices.
_SERIES = re.compile(r"[A-Z]{1,4}\d{2,3}\s?-\s?\d{5,10}|[A-Z]{2}-?\d{8}")
#: The letters of a series, apart from its number: "CS 24/0118".
_LETTERS_FIRST = re.compile(r"[A-Z]{1,3} (?=[\d/-]{5})")
_IDEOGRAPH = re.compile(r"[\u3400-\u9fff]")
#: A blank so many text heights wide parts two columns; texts below each other begin as near as that.
_COLUMN_BLANK, _ALIGNED = 2.0, 1.5
_DATE_LIKE = re.compile(r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}")
#: Only signs between a value and the number: "26.09.2024 11:38 #0574".
_BEHIND_VALUE = re.compile(r"\d[^\w]*$")
_MASK = re.compile(r"[Xx]{3}")
_MONEY_LIKE = re.compile(r"\d{1,6}[.,]\d{2}")
#: Right below words that ask for an electronic invoice stands the reference to ask with.
_ASKED = 0.6
#: Behind a document's title, a word between, and a sign for a number.
_TITLED = 0.5
#: A series and its number are what the tax office knows the document by.
_OFFICIAL = 0.15
_MAX_LENGTH = 30
#: Letters of a word for "number" that is a sign more than a word: "Run number" is anything.
_ABBREVIATED = 3


class _Number(Record, frozen=True):
    """A number on a row, text[start:end], with how surely it is the receipt's; label_start: where the words
    begin that announce it; titled: the words only name the document ("TAX INVOICE 4711")."""

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
    """Between a label and its number: signs, among them the geresh of a Hebrew abbreviation, and the word for
    "number" once more."""
    number = term_pattern("number")
    return re.compile(rf"[\s:：.,;#№|/°º(\-–'’׳]*(?:{number}[\s:.,;#№°º'’׳]*)?", re.IGNORECASE)


@cache
def _series() -> re.Pattern[str]:
    """A series before the number itself: "FACTURA POS KT4 N. 0053826"."""
    number = term_pattern("number")
    return re.compile(rf"\S{{1,6}}\s+{number}[\s.:#°º]*(?=\d{{3}})", re.IGNORECASE)


@cache
def _number_sign() -> re.Pattern[str]:
    """What announces a number in any language: a sign, or a word for "number" of two letters and more, one
    with a capital where the script has them."""
    word = rf"(?!(?-i:[a-zà-ÿα-ω])|[^\W\d_][\s.:\d]){term_pattern('number')}[°º]?"
    return re.compile(rf"[#№:]|(?:(?<=\s)|^){word}(?=[\s.:]*[A-Z]*-?\d)[\s.:]*", re.IGNORECASE)


def receipt_number(
    rows: Sequence[ParsedLine], sheet: Sheet, entities: Sequence[Entity], address: Sequence[int] = ()
) -> Found | None:
    """The number of this receipt, as printed behind its label or below it.

    entities: places that are something else. address: rows of the address, where "No" is a house number.
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
    """Places of numbers behind a title, title included: no part of a name or an address.

    Rows with words for "receipt number" are known by these words.
    """
    sure = (n for n in _labelled(rows, sheet, entities, frozenset()) if n.titled and n.score >= SURE)
    return tuple(
        Entity("number", n.row, n.start, n.end, n.value, n.score, n.label_start, n.label) for n in sure
    )


def _labelled(
    rows: Sequence[ParsedLine], sheet: Sheet, entities: Sequence[Entity], address: frozenset[int]
) -> Iterator[_Number]:
    """Numbers behind or below words for the number, the receipt or the invoice."""
    slips = slip_rows(rows)
    for index, parsed in enumerate(rows):
        for role in sheet.roles[index]:
            if role.role not in ("receipt_number", "receipt", "invoice"):
                continue
            score = label_score(role, parsed.text) - 0.004 * index - 0.3 * (sheet.zones[index] == "items")
            named = is_document(role.phrase)
            score -= 0.4 * (index in slips and not named)
            score -= _ASKED * (index > 0 and _asks_for_invoice(rows[index - 1].text))
            if index in address and not named:
                continue
            if role.weight < LIKELY and _is_titled(parsed.text[: role.start], sheet.roles[index]):
                score = max(score, _TITLED)
            end = _label_end(parsed.text, role)
            score += 0.15 * (
                role.weight < LIKELY and role.start == 0 and parsed.text[end : end + 2].strip()[:1] == ":"
            )
            place = _behind(index, parsed, end, entities)
            if place is not None:
                if _enough(place.value, role):
                    yield _number(place, score, role.phrase, role.start, role.role != "receipt_number")
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
    """Weak labels and mere titles need a number that looks like one."""
    digits = sum(c.isdigit() for c in value)
    weak = role.role != "receipt_number" or role.weight < LIKELY
    return digits >= 3 if weak else digits >= 1


def _label_end(text: str, role: RoleMatch) -> int:
    """Where the label ends: behind the vowel signs of its last letter ("เลขที่"), and not inside a number that
    begins with letters ("Factura: B001-123")."""
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
    """The number right behind an offset of a row."""
    text = parsed.text
    lead = _lead().match(text, start)
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
    """End of a number printed in groups of digits, as close to each other as words are."""
    text = parsed.text
    group = re.compile(r" (\d{2,})(?=$|\s)")
    while match := group.match(text, end):
        left, right = parsed.line.place(end - 1, end)[1], parsed.line.place(*match.span(1))[0]
        if right - left > 0.9 * parsed.line.height:
            break
        end = match.end()
    return end


def _taken(index: int, parsed: ParsedLine, start: int, end: int, entities: Sequence[Entity]) -> bool:
    """Whether text[start:end] touches a date, a time or another entity."""
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
    """A number of four or more digits under a label that has none beside it."""
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
    """Numbers behind "#" or a colon: with a label of any language before, or with none but a date."""
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
            titled |= sure and not words and index > 0 and _is_title(sheet.roles[index - 1])
            score = 0.6 * labels[label] if label else 0.35 if (bare or short) and sure else 0.0
            score = max(score, _TITLED * titled)
            if score:
                yield _number(read, score - 0.004 * index, label or sign.group(), sign.start())


def _is_title(roles: Sequence[RoleMatch]) -> bool:
    """Whether a row begins with the document's title, as above "Nº F23/0118"."""
    return any(m.role in ("receipt", "invoice") and m.weight >= LIKELY and m.start == 0 for m in roles)


def _is_titled(lead: str, roles: Sequence[RoleMatch]) -> bool:
    """Whether the document's title and at most a word stand before a sign for a number: "CASH BILL   No."."""
    titles = [
        m.end for m in roles if m.role in ("receipt", "invoice") and m.weight >= LIKELY and m.end <= len(lead)
    ]
    return bool(titles) and len(tokens(lead[max(titles) :])) <= 1
