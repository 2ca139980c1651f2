"""Computes the features of a segment as part of the merchant's address, and its log-odds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache

from receipt_engine.document import EntityKind, Zone
from receipt_engine.scoring.linear import LinearModel, by_kind
from receipt_engine.stages.merchant.segments import Segment
from receipt_engine.stages.merchant.store_numbers import marks_store
from receipt_engine.vocabulary import has_term, term_at_end, term_at_start, term_pattern
from receipt_engine.vocabulary.confusions import is_title_case
from receipt_engine.vocabulary.gazetteer import PlaceKind
from receipt_engine.vocabulary.legal_forms import has_legal_form
from receipt_engine.vocabulary.trades import trade_share

#: A person's name behind a salutation, and nothing else.
_PERSON = re.compile(r"\W*(?:[^\W\d_][\w.-]* ?){0,4}$")

_ROLES = (
    "address", "phone", "receipt_number", "cashier", "footer", "header", "invoice", "receipt", "column",
    "date", "quantity",
)  # fmt: skip
_PLACES: tuple[PlaceKind, ...] = ("city", "state", "country")
_WORLD: tuple[PlaceKind, ...] = ("city", "word")
_ENTITIES: tuple[EntityKind, ...] = ("date", "id")
_ZONES: tuple[Zone, ...] = ("items", "after")
_OWN = [
    "amount", "big", "brackets", "code", "colon", "comma", "comma_last", "digit_share", "digits", "early",
    "few_letters", "late", "legal", "no_letters", "number_and_word", "number_first", "one_or_two_words",
    "places", "title_case", "trade", "words",
]  # fmt: skip
_TOGETHER = [
    "below_customer", "below_end", "legal_alone", "phone_next", "place_below_street", "plain_below_street",
    "store_number", "street_above_place",
]  # fmt: skip
#: Neighbour → its offset in segments, and the features that are measured there ("none": no such neighbour).
_NEIGHBOURS: dict[str, tuple[int, tuple[str, ...]]] = {
    "above1": (-1, ("address", "amount", "big", "date", "none", "sale", "trade")),
    "above2": (-2, (
        "address", "amount", "big", "comma", "company", "date", "id", "legal", "none", "number", "postcode",
        "sale", "trade",
    )),
    "below1": (1, ("address", "amount", "big", "company", "id", "number", "postcode")),
    "below2": (2, ("address", "amount", "comma", "id", "none", "phone", "postcode", "sale")),
}  # fmt: skip
#: The features of a segment that the model has weights for.
ADDRESS_FEATURES = (
    *_OWN,
    *_TOGETHER,
    *by_kind(role=_ROLES, place=_PLACES, world=_WORLD, entity=_ENTITIES, zone=_ZONES),
    *by_kind(**{place: names for place, (_, names) in _NEIGHBOURS.items()}),
)


def address_features(segments: Sequence[Segment]) -> tuple[dict[str, float], ...]:
    """The features of every segment, including those of its neighbours; missing ones are zero."""
    seen = [_seen(segment) for segment in segments]
    # With only one postcode on the page, a person right above it is the owner ("Familie Kettle").
    letter = sum("postcode" in segment.places for segment in segments) > 1
    customers = [is_customer(own) and (letter or _is_named_customer(own)) for own in segments]
    found = []
    for at in range(len(segments)):
        features = _without_neighbours(segments, at)
        features["below_customer"] = any(customers[max(0, at - 2) : at])
        for place, (step, names) in _NEIGHBOURS.items():
            other = seen[at + step] if 0 <= at + step < len(segments) else _NOTHING
            features.update({f"{place}:{name}": other[name] for name in names if name in other})
        found.append(features)
    return tuple(found)


def _without_neighbours(segments: Sequence[Segment], at: int) -> dict[str, float]:
    """Features of a segment without those of its neighbours, as measured: with truth values and zeros."""
    features = _own(segments[at]) | _together(segments, at)
    order = at / 4
    features["early"] = max(0.0, 1.0 - order)
    features["late"] = min(3.0, order)
    return features


def _own(own: Segment) -> dict[str, float]:
    text = own.rest
    f: dict[str, float] = {}
    for role in _ROLES:
        if role in own.roles:
            f["role:" + role] = own.roles[role]
    for kind in _PLACES if own.places else ():
        f["place:" + kind] = kind in own.places
    for kind in _WORLD if own.world else ():
        f["world:" + kind] = kind in own.world
    for entity in _ENTITIES if own.entities else ():
        f["entity:" + entity] = entity in own.entities
    for zone in _ZONES:
        f["zone:" + zone] = own.run.zone == zone
    f["places"] = min(3, len(own.places))
    f["number_first"] = own.number_first
    f["code"] = own.code
    f["number_and_word"] = own.number_first and own.weight("address") > 0.3
    f["comma_last"] = text.endswith((",", ", ."))
    f["comma"] = "," in text[:-1]
    f["digits"] = own.digits > 0
    f["few_letters"] = own.letters < 3
    f["no_letters"] = own.letters == 0
    f["digit_share"] = own.digits / max(1, own.letters + own.digits)
    f["amount"] = own.amount
    f["big"] = min(2.0, max(0.0, own.size - 1.2))
    f["colon"] = ":" in text and not _has_own_colon(text)
    f["brackets"] = text.startswith("(") and text.endswith(")")
    words = len(text.split())
    f["words"] = min(1.0, words / 6)
    f["legal"] = has_legal_form(text)
    f["trade"] = trade_share(text)
    f["title_case"] = is_title_case(text) and own.digits == 0
    f["one_or_two_words"] = words <= 2 and own.digits == 0
    return f


def _has_own_colon(text: str) -> bool:
    """Whether a text's colon belongs to a label inside an address: "CAD. NO:12", "CEP: 86010-000"."""
    if has_term(text, "street") and _house_label().search(text):
        return True
    return text.count(":") == 1 and term_at_end(text.partition(":")[0], "postcode_label") is not None


@cache
def _house_label() -> re.Pattern[str]:
    """A word for a number, a colon and a house number: "CAD. NO:12"."""
    return re.compile(rf"(?<![^\W_]){term_pattern('number')}\.?\s?:\s?\d{{1,4}}(?!\d)", re.IGNORECASE)


def _numbered(other: Segment) -> bool:
    """Whether a segment looks like a street with its number, or a unit."""
    return (other.numbered or other.unit_first) and "date" not in other.entities


def _placed(other: Segment) -> bool:
    """Whether a segment has a postcode, city, state or country."""
    return bool(other.places) or other.code or bool(other.world - {"word"})


def _together(segments: Sequence[Segment], at: int) -> dict[str, float]:
    """Features of a segment in its context: street above a place, district between them, city below."""
    own = segments[at]
    above = [segments[i] for i in (at - 1, at - 2) if i >= 0]
    below = segments[at + 1 : at + 3]
    plain = (
        own.digits == 0 and 3 <= own.letters <= 28 and not own.roles.keys() - {"address"} and not own.entities
    )
    return {
        "street_above_place": _numbered(own) and any(_placed(b) for b in below),
        "place_below_street": _placed(own) and any(_numbered(a) for a in above),
        "plain_below_street": plain and bool(above) and _numbered(above[0]),
        "below_end": bool(above) and ("postcode" in above[0].places or "country" in above[0].places),
        "phone_next": any("phone" in b.entities for b in below[:1]),
        "store_number": ("#" in own.rest or "№" in own.rest) and marks_store(own.rest),
        "legal_alone": has_legal_form(own.rest) and own.digits == 0 and not own.places,
    }


def is_customer(other: Segment) -> bool:
    """Whether a row begins with a word for the customer, or is a salutation with a person's name."""
    return _addresses(other.run.text)


def _is_named_customer(own: Segment) -> bool:
    """Whether a row begins with a word for the customer, not only with a salutation."""
    return term_at_start(own.run.text, "customer") is not None


@lru_cache(maxsize=1024)
def _addresses(text: str) -> bool:
    person = term_at_start(text, "salutation")
    addressed = person is not None and _PERSON.match(text, person.end) is not None
    return addressed or term_at_start(text, "customer") is not None


def _seen(other: Segment) -> dict[str, float]:
    """The features of a segment as a neighbour of others."""
    placed = (0.8 * bool(other.places), 0.7 * bool(other.world), 0.6 * other.code)
    return {
        "address": max(other.weight("address"), *placed),
        "number": other.numbered or other.unit_first,
        "postcode": "postcode" in other.places,
        "company": other.weight("company"),
        "phone": "phone" in other.entities or "fax" in other.entities,
        "id": "id" in other.entities,
        "date": "date" in other.entities,
        "comma": other.rest.endswith(","),
        "big": other.size > 1.4,
        "legal": has_legal_form(other.rest),
        "trade": trade_share(other.rest) > 0.4,
        "amount": other.amount,
        "sale": other.weight("cashier", "receipt_number", "column", "invoice"),
    }


#: The features where there is no neighbour.
_NOTHING = {"none": 1.0}


def address_scores(segments: Sequence[Segment], model: LinearModel) -> tuple[float, ...]:
    """Every segment's log-odds of being part of the merchant's address."""
    return tuple(map(model.score, address_features(segments)))
