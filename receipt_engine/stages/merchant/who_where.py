"""The merchant's name and address, found together: each is where the other is not."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from receipt_engine.document import Found
from receipt_engine.stages.merchant.address_edges import (
    city_below_street,
    first_address,
    is_beside,
    is_labelled,
    is_seat,
    of_customer,
    shows_place,
    with_place_below,
    without_owner,
    without_stray_number,
)
from receipt_engine.stages.merchant.address_rows import address_scores, best_run, with_postcode
from receipt_engine.stages.merchant.address_text import address_found
from receipt_engine.stages.merchant.facts import Facts
from receipt_engine.stages.merchant.name_choice import choose_name
from receipt_engine.stages.merchant.names import Page
from receipt_engine.stages.merchant.weights import Weights

#: From this confidence on a name's pieces are no part of the address.
_SURE_NAME = 0.5
_EXCLUDED = -8.0
#: From this log-odds on a piece stays in the address, whatever the name is.
_SURE_ADDRESS = 2.0
#: Log-odds of a street that is printed without a city, and its least letters.
_PLACE_ALONE = 0.5
_WORD = 5
#: What parts a name from the street behind it.
_PARTED = re.compile(r"\s*[,;·•|–-]\s*(?=\S.*\d)")


@dataclass(frozen=True, slots=True)
class WhoWhere:
    """name and address, None when not found; run: indices of the address's pieces."""

    name: Found | None
    address: Found | None
    run: tuple[int, ...]


def find_who_where(facts: Sequence[Facts], domains: Sequence[str], weights: Weights) -> WhoWhere:
    """The name is chosen beside the likeliest address; the address is then sought without the name."""
    scores = [
        _EXCLUDED if is_beside(facts, at) or is_seat(facts, at) else own
        for at, own in enumerate(address_scores(facts, weights.address))
    ]
    customer = of_customer(facts, scores)
    scores = [_EXCLUDED if at in customer else own for at, own in enumerate(scores)]
    run = best_run(scores)
    chosen = choose_name(Page(facts, run, scores, domains, customer), weights.name)
    if chosen is None:
        return WhoWhere(None, address_found(facts, run, scores), run)
    name, candidate = chosen
    named = name.confidence >= _SURE_NAME
    if named:
        for at in range(candidate.first, candidate.last + 1):
            scores[at] = _EXCLUDED if scores[at] < _SURE_ADDRESS else scores[at]
    behind = [city_below_street(facts, at) for at in range(len(facts))]
    run = best_run(scores, behind=behind, named=named)
    if not run:
        run = best_run(scores, [_of_place(own) for own in facts], behind, named=named)
    run = tuple(at for at in run if not is_labelled(facts[at]))
    run = without_stray_number(facts, first_address(facts, without_owner(facts, run, scores)))
    run = with_place_below(facts, with_postcode(facts, run))
    address = address_found(facts, run, scores)
    return WhoWhere(name, _without_name(address, name.value) if named else address, run)


def _without_name(address: Found | None, name: str) -> Found | None:
    """The address without the name that a letter's sender prints before it on the same row."""
    if address is None or not address.value.lower().startswith(name.lower()):
        return address
    rest = _PARTED.match(address.value, len(name))
    return address if rest is None else replace(address, value=address.value[rest.end() :])


def _of_place(own: Facts) -> float:
    """What a piece of the header gains that shows a place, where no run is likely: a street alone."""
    in_header = own.piece.zone == "header" and own.letters >= _WORD
    return _PLACE_ALONE if in_header and shows_place(own) else 0.0
