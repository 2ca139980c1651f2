"""The features of a candidate for the merchant's name that the model has weights for."""

from __future__ import annotations

from functools import cache

from receipt_engine.document import EntityKind
from receipt_engine.region import Role
from receipt_engine.scoring.linear import by_kind
from receipt_engine.stages.merchant.name.candidates import MOST_SEGMENTS
from receipt_engine.vocabulary.legal_forms import told_apart

NAME_ROLES: tuple[Role, ...] = ("company", "quantity", "weight", "footer")
NAME_ENTITIES: tuple[EntityKind, ...] = ("phone", "fax", "url", "email", "date")
#: From this place from the top on all places are one; so are all distances above an address.
FARTHEST, FARTHEST_ADDRESS = 8, 5

_ALONE = [
    "brackets",
    "centred",
    "code",
    "colon",
    "digit_share",
    "digits_first",
    "far",
    "generic_legal",
    "greeting_own",
    "labelled",
    "legal",
    "legal_only",
    "length",
    "lower_many",
    "lower_words",
    "many_words",
    "odd_case",
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
    "zone:later",
]
_SIZE = [
    "bigger_above",
    "bigger_below",
    "biggest",
    "broad>1.4",
    "legal_same_above",
    "legal_same_below",
    "same_size_above",
    "same_size_below",
    "size>2.2",
    "smaller_than_head",
    "trade_below",
]
_AROUND = [
    "address_score",
    "after_address",
    "begins_branch",
    "cleaner_below",
    "greeted",
    "id_below",
    "id_beside",
    "in_address",
    "legal_above",
    "legal_before",
    "legal_below",
    "no_address",
    "numbered",
    "off_centre",
    "only_row",
    "owned_above",
    "owner_below",
    "phone_below",
    "row_goes_on",
    "sale_below",
]
_OTHERS = [
    "again_greeted",
    "better_elsewhere",
    "domain",
    "domain_all",
    "in_address_again",
    "legal_of_logo",
    "legal_of_short",
    "logo",
    "logo_misread",
    "logo_of_legal",
    "short_of_legal",
    "trade_only_above",
]
_JOINS = [
    "join:address",
    "join:again",
    "join:all_broad",
    "join:all_large",
    "join:case",
    "join:code",
    "join:distinctive_legal_last",
    "join:entity",
    "join:generic_legal_last",
    "join:left",
    "join:legal_form_last",
    "join:legal_inside",
    "join:legal_last",
    "join:open",
    "join:open_inside",
    "join:owner",
    "join:place",
    "join:poor",
    "join:row",
    "join:title",
    "join:trade_close",
    "join:trade_first",
    "join:trade_first_same",
    "join:trade_last",
    "join:trade_last_equal",
    "join:trade_last_same",
    "join:uneven",
    "join:uneven_breadth",
]
#: Of the name's being none of the candidates.
_ABSENT = ["absent", "absent:address_first", "absent:domain"]


@cache
def declared_name_features() -> tuple[str, ...]:
    """Those of one row, of rows together, of what stands around them, and of the name's absence."""
    kinds = sorted(told_apart())
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
            segments=range(1, MOST_SEGMENTS + 1),
            before_address=range(1, FARTHEST_ADDRESS + 1),
            legal=kinds,
            legal_below=kinds,
        ),
    )
