"""Declares the features of a candidate for the merchant's name that the model has weights for."""

from __future__ import annotations

from functools import cache

from receipt_engine.document import EntityKind
from receipt_engine.region import Role
from receipt_engine.scoring.linear import by_kind
from receipt_engine.vocabulary.legal_forms import weighted_kinds

NAME_ROLES: tuple[Role, ...] = ("company", "quantity")
NAME_ENTITIES: tuple[EntityKind, ...] = ("phone", "date")
#: Positions from the top that have features. Farthest distance above the address, in segments, that has one.
FIRST, NEAR_ADDRESS = 2, 2

_ALONE = [
    "brackets",
    "centred",
    "colon",
    "digit_share",
    "digits_first",
    "generic_legal",
    "greeting_own",
    "labelled",
    "legal_only",
    "lower_many",
    "lower_words",
    "many_words",
    "one_word",
    "open_end",
    "open_start",
    "owner",
    "poor",
    "poor:0.85",
    "programme",
    "sentence",
    "short",
    "title",
    "trade",
    "trade_only",
    "upper",
    "zone:items",
]
_SIZE = ["biggest", "broad>1.4", "same_size_above", "smaller_than_head"]
_AROUND = [
    "address_score",
    "after_address",
    "id_beside",
    "in_address",
    "legal_above",
    "no_address",
    "numbered",
    "off_centre",
    "owned_above",
    "row_goes_on",
    "two_rows",
]
_OTHERS = ["domain", "domain_all", "in_address_again", "logo", "trade_only_above"]
_JOINS = [
    "join:address",
    "join:all_broad",
    "join:case",
    "join:entity",
    "join:legal_last",
    "join:open",
    "join:open_inside",
    "join:place",
    "join:row",
    "join:title",
    "join:trade_close",
    "join:trade_last",
    "join:uneven",
    "join:uneven_breadth",
]
#: Features of the case that no candidate is the name.
_ABSENT = ["absent:address_first"]


@cache
def declared_name_features() -> tuple[str, ...]:
    """Features of a candidate's text, size, surroundings and joined rows, and of the name's absence."""
    return (
        *_ALONE,
        *_SIZE,
        *_AROUND,
        *_OTHERS,
        *_ABSENT,
        *_JOINS,
        *by_kind(
            role=NAME_ROLES,
            entity=NAME_ENTITIES,
            at=range(FIRST),
            before_address=range(1, NEAR_ADDRESS + 1),
            legal=sorted(weighted_kinds()),
        ),
    )
