"""Classifies the label of a number (telephone, fax, or another kind of number), scores how strongly one says
that it is the receipt's own number, and checks numbers against the numbering plans of the countries."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Literal

from receipt_engine.document import ParsedLine, Record, RoleMatch
from receipt_engine.region import Region, Role, Term, language_codes, load_language
from receipt_engine.vocabulary import (
    TermMatch,
    behind_leading,
    find_terms,
    has_term,
    phrase_terms,
    term_at_end,
)
from receipt_engine.vocabulary.gazetteer import find_places
from receipt_engine.vocabulary.labels import label_before
from receipt_engine.vocabulary.normalise import squeeze

if TYPE_CHECKING:
    from phonenumbers import PhoneNumber

#: Roles and terms of labels whose number is no telephone number.
_OTHER_NUMBERS: tuple[Role, ...] = (
    "tax_id", "receipt_number", "receipt", "invoice", "card", "cashier", "loyalty", "balance", "not_date",
)  # fmt: skip
_OTHER_LABELS: tuple[Term, ...] = (
    "tax_number",
    "company_number",
    "bank_account",
    "slip_data",
    "terminal_number",
)
#: Signs of a telephone: "T:", "P:", "(M)" in India, and "TEL" with its L read as a one or a vertical bar.
_PHONE_SIGN = re.compile(
    r"[☎℡]|\b[Tt]\s?[:.]\s*$|\b[Pp]\s?:\s*$|^\s*T\s+$|^\W*\([MOPRT]\)\s*$|\bT[Ee][1lI|][\s.:]*$"
)
_FAX_SIGN = re.compile(r"\b[Ff]\s?[:.]\s*$")
_STATE = re.compile(r"[,.] ?([A-Z]{2,3})\W*$")
_TOWN_BEFORE = re.compile(r"(?:[^\W\d_]{3}|\d)\W$")
_WORD = re.compile(r"\S*[^\W\d_]\S*")
#: The last word, which begins with a capital and touches the word before it: "ElmfordTel.".
_TOUCHING = re.compile(r"(?<=[^\W\d_A-Z])[A-Z][A-Za-z]{1,8}[.:]{0,2}\s*$")
#: Minimum letters of a Latin word attached to the digits: "HP07" and "WA48" are product codes.
_SHORTEST_GLUED = 3
#: Minimum weights of roles that name a telephone, a fax, a receipt number, another number.
_PHONE, _FAX, _RECEIPT, _OTHER = 0.5, 0.3, 0.9, 0.6
#: Score penalty for a word that names an earlier sale near the label.
_EARLIER_COST = 1.2
#: Maximum distance of that word before and after the label, in characters.
_EARLIER_BEFORE, _EARLIER_BEHIND = 24, 12
#: Two rows of technical data at most this many rows apart belong to one slip.
_SLIP_GAP = 5
#: Kinds of labels, the strongest first: a word for a machine's or bank's number outweighs one for the
#: document, and that one outweighs one for an order. `_OF_KIND`: what each adds to the score.
_KINDS: tuple[Term, ...] = ("reference_number", "document_number", "order_number")
_OF_KIND: dict[Term | None, float] = {"reference_number": -0.3, "document_number": 0.3, "order_number": -0.3}


class PhoneLabel(Record, frozen=True):
    """The label of a number. named: words name the kind. start: offset of the last word before the number, if
    that belongs to the label; else of the number itself."""

    kind: Literal["phone", "fax", "number"]
    named: bool
    start: int


def phone_label(text: str, last_end: int, start: int, region: Region) -> PhoneLabel:
    """The label of the number at offset `start`, by the words since `last_end`."""
    last_end = max(last_end, text.rfind("|", last_end, start) + 1)
    lead = text[last_end:start]
    touching = _TOUCHING.search(lead)
    if touching is not None and term_at_end(touching.group(), "phone"):
        return PhoneLabel("phone", True, last_end + touching.start())
    roles = label_before(text, start, region, last_end)
    phone, fax = _near(lead, "phone"), _near(lead, "fax")
    at = start
    # A state, which may look like a label, may precede the number: "Spokane, WA 509-555-0100".
    found = _STATE.search(lead)
    if found is None or all(place.kind != "state" for place in find_places(found[1], region)):
        words = [word.start for word in (phone, fax) if word]  # "Tel No.:"
        glued = words and _TOWN_BEFORE.search(lead, 0, min(words))  # "Selangor.Tel:"
        at = (min(words) if glued else min([_last_word(lead), *words])) + last_end
    if roles.get("fax", 0.0) > _FAX or fax is not None or _FAX_SIGN.search(lead):
        both = phone is not None and fax is not None and not _letters(lead[phone.end : fax.start])
        return PhoneLabel("phone" if both else "fax", True, at)
    numbered = roles.get("receipt_number", 0.0) >= _RECEIPT
    if roles.get("phone", 0.0) >= _PHONE or phone or (_PHONE_SIGN.search(lead) and not numbered):
        return PhoneLabel("phone", True, at)
    if term_at_end(lead, "manager"):  # "ANN LEE STORE MANAGER 416 921-4473"
        return PhoneLabel("phone", False, start)
    if any(roles.get(role, 0.0) >= _OTHER for role in _OTHER_NUMBERS) or term_at_end(lead, *_OTHER_LABELS):
        return PhoneLabel("number", True, start)
    if _is_numbered(lead):
        return PhoneLabel("number", True, start)
    return PhoneLabel("phone", False, start)


def is_glued_label(text: str) -> bool:
    """Whether a text ends with a word for a telephone, right before the digits: "TEL07-5120048"."""
    label = term_at_end(text, "phone")
    return label is not None and (len(label.phrase) >= _SHORTEST_GLUED or not label.phrase.isascii())


def _near(lead: str, term: Term) -> TermMatch | None:
    """The last match of the term, if at most one word, or one digit (its last letter read as a one), is
    between it and the number."""
    found = [m for m in find_terms(lead) if m.term == term and not lead[m.start - 1 : m.start].isdigit()]
    if not found:
        return None
    behind = lead[found[-1].end :]
    words, digits = len(_WORD.findall(behind)), sum(map(str.isdigit, behind))
    return found[-1] if words + digits <= 1 else None


def _letters(text: str) -> bool:
    return any(map(str.isalpha, text))


def _last_word(lead: str) -> int:
    """Offset at which the last word of a text begins."""
    words = list(_WORD.finditer(lead))
    return words[-1].start() if words else len(lead)


def _is_numbered(lead: str) -> bool:
    """Whether a word for "number", after other words, is right before the number, and no word names a
    telephone, a hotline or an owner."""
    number = term_at_end(lead, "number")
    if number is None or not _letters(lead[: number.start]):
        return False
    return not any(match.term in ("phone", "service_line", "owner") for match in find_terms(lead))


def is_valid(value: str, digits: str, country: str) -> bool:
    """Whether the number is valid in the country, or with a calling code whose plus is not printed."""
    if value.startswith("+"):
        return _valid("+" + digits, country)
    abroad = len(digits) >= 11 and len(value) > len(digits) and digits[0] != "0"
    return _valid(digits, country) or (abroad and _valid("+" + digits, country))


@lru_cache(maxsize=4096)
def _valid(number: str, country: str) -> bool:
    import phonenumbers  # takes 70 ms

    parsed = _parsed(number, country)
    return parsed is not None and phonenumbers.is_valid_number(parsed)


@lru_cache(maxsize=1024)
def lacks_zero(number: str, country: str) -> bool:
    """Whether a number lacks the zero with which the country's numbers are dialled within it."""
    import phonenumbers  # takes 70 ms

    plan = phonenumbers.PhoneMetadata.metadata_for_region(country)
    return plan is not None and plan.national_prefix == "0" and not number.startswith("0")


@lru_cache(maxsize=1024)
def is_short(number: str, country: str) -> bool:
    """Whether a number is one of the country's short numbers, as of hotlines: "19055" in Egypt."""
    import phonenumbers  # takes 70 ms

    parsed = _parsed(number, country)
    return parsed is not None and phonenumbers.is_valid_short_number_for_region(parsed, country)


@lru_cache(maxsize=1024)
def is_toll_free(number: str, country: str) -> bool:
    """Whether a number is toll-free: a shop's own telephone has a local number instead."""
    import phonenumbers  # takes 70 ms

    parsed = _parsed(number, country)
    return parsed is not None and (phonenumbers.number_type(parsed) == phonenumbers.PhoneNumberType.TOLL_FREE)


def _parsed(number: str, country: str) -> PhoneNumber | None:
    """The number parsed as dialled in the country; None when it cannot be parsed."""
    import phonenumbers  # takes 70 ms

    try:
        return phonenumbers.parse(number, country)
    except phonenumbers.NumberParseException:
        return None


def label_score(role: RoleMatch, text: str, column: tuple[int, int]) -> float:
    """The score of a phrase as label of this receipt's own number. text: the row's text; column: start and
    end of the column that the label stands in."""
    score = role.weight * (1.0 if role.role == "receipt_number" else 0.75)
    score += _OF_KIND.get(number_kind(role.phrase), 0.0)
    first = max(column[0], role.start - _EARLIER_BEFORE)
    behind = text[role.end : role.end + _EARLIER_BEHIND]
    # The word before may be joined to the label: "元レシート".
    near = (m for m in find_terms(text[first : role.end]) if first + m.start < role.start)
    earlier = any(m.term == "earlier_document" for m in near) or has_term(behind, "earlier_document")
    return score - _EARLIER_COST * earlier


def number_kind(phrase: str) -> Term | None:
    """The kind of number that a label (letters only) announces; None if unknown. A leading word for "number"
    is skipped ("n scontrino")."""
    found = phrase_terms(phrase).union(*map(phrase_terms, behind_leading(phrase, "number")))
    return next((kind for kind in _KINDS if kind in found), None)


def is_document(phrase: str) -> bool:
    """Whether a label names the document itself."""
    return number_kind(phrase) == "document_number"


def slip_rows(rows: Sequence[ParsedLine]) -> frozenset[int]:
    """Rows of card slips: technical data, the rows between, one row above and one below."""
    return _slip_rows(tuple(row.text for row in rows))


@lru_cache(maxsize=16)
def _slip_rows(texts: tuple[str, ...]) -> frozenset[int]:
    """Cached, because every number of a receipt needs them."""
    found = [index for index, text in enumerate(texts) if has_term(text, "slip_data")]
    near: set[int] = set()
    for index, following in zip(found, [*found, len(texts) + _SLIP_GAP][1:], strict=True):
        near.update(range(index - 1, following if following - index <= _SLIP_GAP else index + 2))
    return frozenset(near)


@cache
def all_labels() -> dict[str, float]:
    """Phrases for a receipt's number in every language, reduced by `squeeze` → weight."""
    found: dict[str, float] = {}
    for code in language_codes():
        for phrase in load_language(code).phrases("receipt_number"):
            key = squeeze(phrase.text)
            if len(key) >= 2:
                found[key] = max(phrase.weight, found.get(key, 0.0))
    return found
