"""Recognises places in a segment: a part of an address, a street, a sender's whole address."""

from __future__ import annotations

import re
from collections.abc import Sequence

from receipt_engine.region import Term
from receipt_engine.scoring.certainty import POSSIBLE
from receipt_engine.stages.merchant.segments import Segment
from receipt_engine.vocabulary import find_terms, has_term, is_term, term_at_end, term_at_start
from receipt_engine.vocabulary.gazetteer import find_world

_NUMBERS = re.compile(r"(?<!\d)\d+")
#: Fewest signs of parts of an East Asian address.
_SIGNS = 3
#: Words for parts of addresses.
PARTS: tuple[Term, ...] = ("building", "plot", "street", "unit")
#: Numbers. Joined ones count as one, and so do those of a postcode: "12/4", "100 00", "LE65 2FH", "V6G 2L7",
#: "A83 YX40".
_JOINED = re.compile(
    r"(?<!\d)\d{3} \d\d(?!\d)"
    r"|\b(?:[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d|[A-Z]\d[\dW] [A-Z\d]{4})\b"
    r"|\d+(?:[/-]\d+)*"
)
#: Labels before an address.
_LABELS: tuple[Term, ...] = ("address_label", "registered_office")
#: Separators of the parts of a sender's address.
_LETTERHEAD = re.compile(r" [·•|] ")
#: A postcode before a name, perhaps behind the country's letters: "97201 Portland", "LT-01402 Vilnius".
CODE_AND_PLACE = re.compile(
    r"(?:[A-Z]{1,2}-? ?)?(?:\d{5}|\d{4}|\d{3} \d{2}|\d{2}-\d{3}|\d{4}-\d{3}),? -? ?[^\W\d_][^\d:*#%]{2,30}"
)
_PARTED = re.compile(r",| - ")
_DIVIDED = re.compile(r"[^\W\d_]{2}-$")
#: A house number, perhaps behind an abbreviation for it, between a street and its town: "Larch Hill, Nr. 14,
#: Elmford".
_HOUSE_AND_TOWN = re.compile(
    r"[^\W\d_]{2}[^\d,]*(?:, ?[^\W\d_]{1,3}[.°º]?)? \d{1,4}(?:[/-]\d{1,4})? ?[A-Za-z]?, [^\W\d_]{3}[^\d,]*"
)


def shows_place(own: Segment) -> bool:
    """Whether a segment has a house number, a unit, a place, or a word that occurs in addresses."""
    numbered = own.numbered or own.unit_first
    numbered = numbered or (own.digits > 0 and term_at_start(own.rest, *_LABELS) is not None)
    named = bool(own.places) or bool(own.world) or own.code
    return numbered or named or own.weight("address") > POSSIBLE or is_landmark(own.rest)


def is_landmark(text: str) -> bool:
    """Whether a text says beside what the shop is: "Opp. Town Hall", "(Belediye karşısı)"."""
    number = term_at_start(text, "number")
    if number is not None and text[number.end :].lstrip(" .:")[:1].isdigit():
        return False  # "Nr. 14"
    word = term_at_start(text, "landmark") or term_at_end(text, "landmark")
    return word is not None and len(text.split()) > len(word.phrase.split()) and not is_term(text, "landmark")


def is_street(own: Segment) -> bool:
    """Whether a segment is a street with its house number."""
    return own.numbered and (own.weight("address") > POSSIBLE or has_term(own.rest, "street"))


def has_street(own: Segment) -> bool:
    """Whether a row has a word for a street, or a house number besides its postcode."""
    houses = len(_JOINED.findall(own.rest)) - ("postcode" in own.places)
    return houses > 0 or has_term(own.rest, "street")


def ends_in_street(text: str) -> bool:
    """Whether a text is a name and, behind it, a word for a street: "Station Road"."""
    match = term_at_end(text.rstrip(" ,."), "street")
    return match is not None and match.start > 0


def ends_in_town(text: str) -> bool:
    """Whether a text is a street, its house number and, behind a comma, a name: "Larch Hill 14, Elmford"."""
    return _HOUSE_AND_TOWN.fullmatch(text) is not None


def parts_word(above: str, below: str) -> bool:
    """Whether a word is divided between two rows: "Larch-", "field Road"."""
    return _DIVIDED.search(above) is not None and below[:1].islower()


def parts_place(above: str, below: str) -> bool:
    """Whether the name of a town or state begins at the end of a row and ends in the next: "SELANGOR DARUL",
    "EHSAN"."""
    cut = len(above)
    return any(
        place.kind != "word" and place.start < cut < place.end for place in find_world(f"{above} {below}")
    )


def begins_with_town(own: Segment) -> bool:
    """Whether a segment has a word for a town, its name and a street with its number: "гр. Варна, ул. Шипка
    3"."""
    town = term_at_start(own.rest, "city_label", "state_label") is not None
    return town and own.digits > 0 and has_term(own.rest, "street")


def stands_between(segments: Sequence[Segment], first: int, last: int) -> bool:
    """Whether the segments first to last, a shop's name, stand right between two rows with a postcode, or a
    street and its town: its company's seat above, its own address below. Or between two that begin with a
    word for the town."""
    if first == 0 or last + 1 >= len(segments):
        return False
    above = segments[first - 1]
    if first > 1 and is_street(above) and "postcode" in segments[first - 2].places:
        above = segments[first - 2]  # the town, above the street
    rows = (above, segments[last + 1])
    return all(map(_is_whole, rows)) or all(map(begins_with_town, rows))


def _is_whole(own: Segment) -> bool:
    """Whether a row has a postcode, or the town behind or before a street and its number."""
    street = own.digits > 0 and "city" in own.places and has_term(own.rest, "street")
    return street or "postcode" in own.places


def is_letterhead(own: Segment) -> bool:
    """Whether a row is a sender's whole address: a postcode and another number, with a city, with separators
    as in letterheads, or the postcode behind a street or road with its number and before a name."""
    *road, town = _PARTED.split(own.rest)
    placed = "city" in own.places or _LETTERHEAD.search(own.rest) is not None
    placed = placed or (
        any(map(str.isdigit, "".join(road)))
        and has_term(" ".join(road), "street", "route")
        and CODE_AND_PLACE.fullmatch(town.strip()) is not None
    )
    return placed and "postcode" in own.places and len(_NUMBERS.findall(own.rest)) > 1


def is_signed(text: str) -> bool:
    """Whether the parts of an address with a number end in the signs of East Asia: "부산진구 서면로 52"."""
    signs = sum(match.term == "place_sign" for match in find_terms(text))
    return signs > 1 and any(map(str.isdigit, text))


def is_unbroken(own: Segment) -> bool:
    """Whether a row is a whole address without blanks, as in East Asia: a city, a number, and a state or the
    signs of three of its parts."""
    signs = sum(match.term == "place_sign" for match in find_terms(own.rest))
    whole = "state" in own.places or signs >= _SIGNS
    return own.digits > 0 and "city" in own.places and whole and not (" " in own.rest or own.rest.isascii())
