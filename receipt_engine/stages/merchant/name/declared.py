"""Declares the features of a candidate for the merchant's name that the model has weights for."""

from __future__ import annotations

from functools import cache

from receipt_engine.document import EntityKind
from receipt_engine.region import Role
from receipt_engine.scoring.linear import by_kind
from receipt_engine.vocabulary.legal_forms import weighted_kinds

NAME_ROLES: tuple[Role, ...] = ("company", "quantity")
NAME_ENTITIES: tuple[EntityKind, ...] = ("phone", "date")
#: All positions from this one on, counted from the top, are one feature. Farthest distance above the address,
#: in segments, that has a feature.
FARTHEST, NEAR_ADDRESS = 8, 2

_ALONE = [
    "brackets",
    "centred",
    "code",
    "colon",
    "digit_share",
    "digits_first",
    "generic_legal",
    "greeting_own",
    "labelled",
    "legal",
    "legal_only",
    "length",
    "lower_many",
    "lower_words",
    "many_words",
    "one_word",
    "open_end",
    "open_start",
    "ornament",
    "owner",
    "place_only",
    "poor",
    "poor:0.85",
    "poor:0.95",
    "programme",
    "question",
    "sentence",
    "short",
    "title",
    "title_case",
    "titled_all",
    "trade",
    "trade_only",
    "upper",
    "zone:items",
]
_SIZE = [
    "bigger_below",
    "biggest",
    "broad>1.4",
    "legal_same_above",
    "legal_same_below",
    "same_size_above",
    "smaller_than_head",
]
_AROUND = [
    "address_score",
    "after_address",
    "begins_branch",
    "greeted",
    "id_beside",
    "in_address",
    "legal_above",
    "no_address",
    "numbered",
    "off_centre",
    "only_row",
    "owned_above",
    "row_goes_on",
    "two_rows",
]
_OTHERS = [
    "again_greeted",
    "domain",
    "domain_all",
    "in_address_again",
    "legal_of_logo",
    "logo",
    "logo_of_legal",
    "short_of_legal",
    "trade_only_above",
]
_JOINS = [
    "join:address",
    "join:again",
    "join:all_broad",
    "join:case",
    "join:code",
    "join:entity",
    "join:left",
    "join:legal_inside",
    "join:legal_last",
    "join:open",
    "join:open_inside",
    "join:place",
    "join:row",
    "join:title",
    "join:trade_close",
    "join:trade_first",
    "join:trade_first_same",
    "join:trade_last",
    "join:uneven",
    "join:uneven_breadth",
]
#: Features of the case that no candidate is the name.
_ABSENT = ["absent:address_first", "absent:domain"]


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
            at=range(FARTHEST + 1),
            before_address=range(1, NEAR_ADDRESS + 1),
            legal=sorted(weighted_kinds()),
        ),
    )
