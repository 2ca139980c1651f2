"""Finds telephone and fax numbers, and chooses the merchant's telephone number."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Literal

from msgspec.structs import replace

from receipt_engine.document import Entity, Found, ParsedLine, RoleMatch, Sheet
from receipt_engine.region import Region, Role, Term
from receipt_engine.scoring.certainty import SURE
from receipt_engine.stages.contacts.entities import columns_of_customer, in_columns, rows_of_customer
from receipt_engine.stages.contacts.labels import (
    PhoneLabel,
    is_glued_label,
    is_short,
    is_toll_free,
    is_valid,
    lacks_zero,
    phone_label,
)
from receipt_engine.stages.contacts.phone_spans import (
    DIGITS_MIN,
    number_spans,
    with_digits_repaired,
    without_dates,
)
from receipt_engine.vocabulary import has_term, term_at_end, term_at_start
from receipt_engine.vocabulary.normalise import count_letters, letters
from receipt_engine.vocabulary.patterns import term_pattern

_DIGITS_MAX = 15
#: First digit of the calling codes of the North American plan, in which numbers may also have letters.
_NORTH_AMERICA = "1"
_SHAPE = re.compile(
    r"^\+|\(\d{1,5}\)\s?\d|^\d{2,5}[-. /]\s?\d{3,4}[-. ]?\s?\d{3,4}$|^\d{2,4}[-/ ]\d{5,8}$"
    r"|^\d\d(?:[. -]\d\d){4}$|^\d{5} \d{5}$"
)
#: The bracket before an area code, and what it may be read as.
_OPENED = ("(", "<")
#: Most characters of a house number.
_HOUSE = 4
#: The forms of a local number, without area code.
_LOCAL = re.compile(r"\d{3}[- ]\d{4}|\d{4}[- ]\d{4}")
#: Amounts side by side: "22.00% 352.80 77.62" without the rate.
_AMOUNTS = re.compile(r"(?:.*\s)?\d+(?:[., ]\d{3})*[.,]\d{2}(?:\s.*)?")
#: Amounts side by side and nothing else, whatever precedes them.
_ONLY_AMOUNTS = re.compile(r"\d+[.,]\d{2}(?:\s+\d+[.,]\d{2})+")
#: Maximum digits of a number that is neither named nor separated into groups.
_BARE_MAX = 11
#: Score penalty for a number without a label on a row with a date.
_DATED = 2.0
#: Maximum letters of a word ("at") between a row that ends with "call" and a number.
_SHORT_WORD = 3
#: Minimum digits of a shop's number and the telephone number after it together.
_SHOP_AND_PHONE = 10
#: Score bonus after a word for the store: its number is likelier than that of one of its departments.
_OF_STORE = 0.5
#: Score penalty for a line of the whole chain, for questions or a survey.
_OF_CHAIN = 1.5
#: Score penalty for a number behind another one with the same label, which is the usual one.
_OF_SECOND = 1.0
#: Score penalty for a customer's number.
_OF_CUSTOMER = 4.0
#: Most words of a member of staff's name behind a number.
_WORDS_OF_NAME = 2
#: Score of a labelled, valid number that goes on in the next row; its beginning at the row's end; its rest.
_CUT = 4.0
_BEGUN = re.compile(r"\+?[\d(][\d\s().-]*$")
_REST = re.compile(r"\d[\d -]{1,9}")
#: Words for a document.
_TITLES: tuple[Role, ...] = ("receipt", "invoice")
#: Words that stand before the number of a shop or a till.
_SHOPS: tuple[Term, ...] = ("store", "till")
#: Words beside a telephone that is the shop's even below a customer's address: "Customer care", "Store".
_OF_SHOP: tuple[Term, ...] = ("service_line", "store")


@cache
def _shop_number() -> re.Pattern[str]:
    """Matches the number of a shop or a till before a whole telephone number: "Store #12 541-555-0134"."""
    shop = term_pattern(*_SHOPS)
    whole = r"(?:[\s().-]{0,2}\d){9,}(?!\d)"
    return re.compile(rf"{shop}\W{{0,3}}\d{{1,6}}[^\w(\[{{+]{{1,3}}(?={whole})", re.IGNORECASE)


def find_phones(
    rows: Sequence[ParsedLine], sheet: Sheet, region: Region, taken: Sequence[Entity]
) -> tuple[Entity, ...]:
    """Telephone ("phone") and fax numbers of all rows. taken: entities of other kinds, which are skipped."""
    found: list[Entity] = []
    customer, columns = rows_of_customer(rows, sheet), columns_of_customer(rows, sheet)
    sold = {line for item in sheet.items for line in item.lines}
    for index, parsed in enumerate(rows):
        found.extend(_cut_number(index, rows, region))
        if sum(map(str.isdigit, parsed.text)) >= DIGITS_MIN:
            own = _on_row(index, rows, sheet, region, (*taken, *found))
            if index in sold:  # without a label or a country's code, it is a product number there
                own = [e for e in own if e.label_start < e.start or (e.valid and e.value.startswith("+"))]
            if index in customer and sheet.zones[index] == "after" and not has_term(parsed.text, *_OF_SHOP):
                own = []  # of whom an order was delivered to
            found.extend(
                replace(e, score=e.score - _OF_CUSTOMER)
                if index in customer or any(_stands_in(parsed, e, column) for column in columns)
                else e
                for e in own
            )
    return tuple(found)


def _stands_in(parsed: ParsedLine, phone: Entity, column: tuple[int, float]) -> bool:
    """Whether a number stands in the customer's column, below its head."""
    first, edge = column
    return phone.row > first and parsed.line.place(phone.label_start, phone.end)[0] >= edge


def _cut_number(index: int, rows: Sequence[ParsedLine], region: Region) -> tuple[Entity, ...]:
    """A labelled number whose last digits the end of the row cut off, on narrow paper; they stand alone in
    the next row, which is an entity of its own. Empty unless the number is valid only with them."""
    rest = rows[index + 1].text if index + 1 < len(rows) else ""
    begun = _BEGUN.search(rows[index].text) if _REST.fullmatch(rest) else None
    label = phone_label(rows[index].text, 0, begun.start(), region) if begun else None
    if begun is None or label is None or not label.named or label.kind == "number":
        return ()
    value = f"{begun.group().rstrip()} {rest.strip()}".replace("- ", "-")
    first, whole = ("".join(filter(str.isdigit, text)) for text in (begun.group(), value))
    country = region.phone.region
    if is_valid(begun.group(), first, country) or not is_valid(value, whole, country):
        return ()
    kind: Literal["phone", "fax"] = "fax" if label.kind == "fax" else "phone"
    above = Entity(kind, index, *begun.span(), value, _CUT, label.start, "label+valid", valid=True)
    return above, replace(above, row=index + 1, start=0, end=len(rest), label_start=0, score=0.0)


def _on_row(
    index: int, rows: Sequence[ParsedLine], sheet: Sheet, region: Region, taken: Sequence[Entity]
) -> list[Entity]:
    parsed = rows[index]
    undated = without_dates(parsed)
    printed = with_digits_repaired(parsed.text, lambda start: _is_labelled(parsed.text, start, region))
    text = "".join(
        c if c == "|" else own for c, own in zip(in_columns(parsed, undated), printed, strict=True)
    )
    if sum(map(str.isdigit, text)) >= _SHOP_AND_PHONE and has_term(text, *_SHOPS):
        text = _shop_number().sub(lambda number: "|" * len(number.group()), text)
    free = printed
    for other in taken:
        if other.row == index:  # "56654471 CVR 44711822" is a telephone beside a tax number
            free = free[: other.label_start] + " " * (other.end - other.label_start) + free[other.end :]
            text = text[: other.start] + "|" * (other.end - other.start) + text[other.end :]
    found: list[Entity] = []
    last_end = 0
    previous: PhoneLabel | None = None
    for begin, end in number_spans(text, region.phone.calling_code.startswith(_NORTH_AMERICA)):
        last_end, start = _behind_postcode(text, last_end, begin, end, region)
        if _follows_date(text[:start], sheet.roles[index]):
            continue
        second = previous is not None and not text[last_end:start].strip(" /,;&-~.|")
        if previous is not None and second:
            label = PhoneLabel(previous.kind, previous.named, start)
        else:
            label = phone_label(text, last_end, start, region)
        if _is_named_above(index, rows, text[:start], label):
            label = PhoneLabel("phone", True, start)
        entity = _judge(index, free, start, end, label, sheet, region)
        last_end = end
        previous = None
        dated = undated != parsed.text and not label.named
        if dated and entity is not None:  # the sale's own numbers follow its date and time
            shaped = _SHAPE.search(entity.value) is not None
            own = entity.valid and shaped and sheet.zones[index] == "header"
            entity = replace(entity, score=entity.score - _DATED) if own else None
        if entity is not None:
            found.append(replace(entity, score=entity.score - _OF_SECOND) if second else entity)
            previous = label
    return found


def _is_labelled(text: str, start: int, region: Region) -> bool:
    """Whether words for a telephone or fax are before the number at an offset."""
    label = phone_label(text, 0, start, region)
    return label.named and label.kind != "number"


def _behind_postcode(text: str, last_end: int, start: int, end: int, region: Region) -> tuple[int, int]:
    """Where the label of a number may begin, and where the number does: behind a lettered postcode, or behind
    one of digits after its town: "Code: GA-183-8164 024 455 0134", "Elmford 6750 028 551 0134"."""
    for code in _postcodes(text, region):
        rest = text[code.end() : end].lstrip(" ")
        if code.group()[0].isalpha() and last_end <= code.start() and code.end() <= start:
            last_end = code.end()
        elif code.start() == start and text[start - 2 : start - 1].isalpha():
            digits = "".join(filter(str.isdigit, text[start:end]))
            bare = rest.isdigit() and is_valid(rest, rest, region.phone.region)
            if not (bare or _SHAPE.search(rest)):
                continue
            if not is_valid(digits, digits, region.phone.region) and not is_glued_label(
                text[:start].rstrip()
            ):
                return code.end(), end - len(rest)
    return last_end, start


def _postcodes(text: str, region: Region) -> list[re.Match[str]]:
    """The postcodes of the region in a text; "MOB 7955 0134" is none of Malta."""
    pattern = region.address.postcode
    found = re.finditer(pattern, text) if pattern else ()
    return [code for code in found if term_at_start(code.group(), "phone") is None]


def _follows_date(lead: str, roles: Sequence[RoleMatch]) -> bool:
    """Whether a word for the date is right before a number: "Datum: 2021-06-054"."""
    return any(
        m.role == "date" and m.weight >= SURE and m.end <= len(lead) and not letters(lead[m.end :])
        for m in roles
    )


def _is_named_above(index: int, rows: Sequence[ParsedLine], lead: str, label: PhoneLabel) -> bool:
    """Whether the row above an unlabelled number ends with a word for a telephone ("contact us"), and at most
    a short word precedes the number ("at")."""
    if label.named or label.kind != "phone" or index == 0:
        return False
    short = len(lead.split()) <= 1 and count_letters(lead) <= _SHORT_WORD
    return short and term_at_end(rows[index - 1].text, "phone") is not None


def _judge(
    index: int, text: str, start: int, end: int, label: PhoneLabel, sheet: Sheet, region: Region
) -> Entity | None:
    """The scored entity of a number; None when it is not a telephone or fax number."""
    if text.startswith("(O)", start):  # "(O) 0261-2445013 (R) 2445014": of the office
        label, start = PhoneLabel("phone", True, start), start + len("(O)")
    value = text[start:end].strip(" -/.,")
    if ")" in value and "(" not in value and text[:start].rstrip().endswith(_OPENED):
        start = len(text[:start].rstrip()) - 1  # "(+44) 20 7946 0018", "( 555) 0134"
        value = f"({value}"
    digits = "".join(c for c in value.replace("O", "0") if c.isdigit())
    vanity = any(c.isalpha() and c != "O" for c in value)
    country = region.phone.region
    if label.kind == "number" and value.startswith("+") and is_valid(value, digits, country):
        label = PhoneLabel("phone", False, start)  # "2662 Elm i. Geb. +43 664 5501234"
    if label.kind == "number" or not DIGITS_MIN <= len(digits) + 4 * vanity <= _DIGITS_MAX:
        return None
    if "," in value or _ONLY_AMOUNTS.fullmatch(value) or _is_postcode(text, start, value, region):
        return None
    # House numbers may precede a street whose name is a number: "401-5015-111 St".
    before = region.address.street_number == "before" and not value.startswith(_OPENED)
    house = before and term_at_start(text[end:].lstrip(), "street") is not None
    if not label.named and (house or _ends_in_postcode(text, start, value, region)):
        return None
    begun = label.named and label.start < start and not letters(text[: label.start])
    valid = vanity or is_valid(value, digits, country) or (begun and is_short(digits, country))
    shaped = vanity or _SHAPE.search(value) is not None
    header = sheet.zones[index] == "header"
    alone = not letters(text[:start]) and not letters(text[end:])
    if len(digits) == DIGITS_MIN and not valid:
        return None
    whole = "+" in value or (valid and shaped and header and not value.isdigit())
    if not label.named and not whole and term_at_start(text, "staff") is not None:
        return None  # the staff's row also has a date: "Server: Ana 15/03/2407"
    other = _is_staff(text, start, end) or _is_account(text[:start], digits, country)
    if not label.named and value.isdigit() and (other or _is_below_title(index, sheet)):
        return None
    served = valid and not value.isdigit() and term_at_end(text[:start], "service_line") is not None
    if not (label.named or served) and not _is_likely(
        value, digits, valid, shaped, header, alone, sheet.zones[index]
    ):
        return None
    score = 2.0 * valid + 2.0 * label.named + 1.0 * shaped + 1.0 * header + 0.5 * alone
    if sheet.zones[index] == "items" and not label.named:
        score -= 2.0
    if has_term(text, "service_line") or is_toll_free(digits, country):
        score -= _OF_CHAIN
    customer = -_OF_CUSTOMER if term_at_end(text[:start], "customer") is not None else 0.0
    score += customer + (_OF_STORE if header and term_at_end(text[:start], "store") is not None else 0.0)
    rule = "+".join(n for n, on in (("label", label.named), ("valid", valid), ("shape", shaped)) if on)
    kind: Literal["phone", "fax"] = "fax" if label.kind == "fax" else "phone"
    printed = value if vanity else value.replace("O", "0")
    head = min(label.start, start)
    return Entity(kind, index, start, end, printed, score, head, rule or "alone", valid=valid)


def _is_below_title(index: int, sheet: Sheet) -> bool:
    """Whether only the document's title stands above a row: a number there is the taxpayer's."""
    above = sheet.roles[:index]
    return bool(above) and all(any(m.role in _TITLES for m in roles) for roles in above)


def _is_account(lead: str, digits: str, country: str) -> bool:
    """Whether a bare number behind words is another one than a telephone: behind a colon ("Contract account:
    4400172238"), or without the zero with which the country's numbers are dialled."""
    named = letters(lead) != ""
    return named and (lead.rstrip().endswith((":", "：")) or lacks_zero(digits, country))


def _is_staff(text: str, start: int, end: int) -> bool:
    """Whether only a name follows a number at the start of a row, as for a member of staff: "200417 ANN"."""
    behind = text[end:].split()
    named = 0 < len(behind) <= _WORDS_OF_NAME and all(word.strip(".").isalpha() for word in behind)
    return named and not text[:start].strip() and not has_term(text[end:], "phone", "fax")


def _is_postcode(text: str, start: int, value: str, region: Region) -> bool:
    if "〒" in text[:start]:
        return True
    pattern = region.address.postcode
    if not pattern:
        return False
    lettered = (code for code in _postcodes(text, region) if code.group()[0].isalpha())
    within = any(code.start() < start < code.end() for code in lettered)  # "GA-183-8164"
    return within or (len(value) >= 7 and re.fullmatch(pattern, value) is not None)


def _ends_in_postcode(text: str, start: int, value: str, region: Region) -> bool:
    """Whether a number is a house number and a postcode: one with letters or signs ("118 1100-053"), or one
    between a street and a town ("Larch Rd 118  97201 Portland")."""
    house, _, code = value.rpartition(" ")
    pattern = region.address.postcode
    if not (pattern and house.strip()) or re.fullmatch(pattern, code) is None:
        return False
    town = letters(text[start + len(value) :]) != ""
    return not code.isdigit() or (town and len(house.strip()) <= _HOUSE and has_term(text[:start], "street"))


def _is_likely(
    value: str, digits: str, valid: bool, shaped: bool, header: bool, alone: bool, zone: str
) -> bool:
    """Whether a number without a label is a telephone number, by its form and zone."""
    separated = len(digits) < len(value)
    if _AMOUNTS.fullmatch(value) or (len(digits) > _BARE_MAX and not separated):
        return False
    if zone != "header" and not (separated and valid and (shaped or zone != "items")):
        return False
    plausible = (valid and (shaped or len(digits) >= 9)) or (shaped and len(digits) in (9, 10, 11))
    if plausible and (valid or header):
        return True
    local = (_LOCAL.fullmatch(value) is not None and len(digits) == 7) or (len(digits) in (7, 8) and valid)
    return header and alone and ((separated and len(digits) in (10, 11)) or local)


def best_phone(entities: Sequence[Entity], near: int | None) -> Found | None:
    """The merchant's telephone number, as printed. near: row of the merchant's name or address."""
    ranked: list[tuple[float, Entity]] = []
    for entity in entities:
        if entity.kind != "phone":
            continue
        distance = 0 if near is None else abs(entity.row - near)
        ranked.append((entity.score - 0.08 * min(distance, 20), entity))
    if not ranked:
        return None
    ranked.sort(key=lambda r: (-r[0], r[1].row, r[1].start))
    score, entity = ranked[0]
    others = tuple((m.value, round(s, 2)) for s, m in ranked[1:4])
    confidence = min(0.97, max(0.2, 0.35 + 0.12 * score))
    return Found(entity.value, round(confidence, 3), (entity.row,), entity.rule, others)
