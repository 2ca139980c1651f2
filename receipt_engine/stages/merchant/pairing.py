"""Finds the merchant's name and address together: the segments of one are excluded from the other."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import replace as replace_context

from msgspec.structs import replace

from receipt_engine.document import Found
from receipt_engine.scoring.linear import LinearModel
from receipt_engine.stages.merchant.address.block import best_block
from receipt_engine.stages.merchant.address.customer import of_customer
from receipt_engine.stages.merchant.address.features import address_scores
from receipt_engine.stages.merchant.address.other_rows import non_address_rows
from receipt_engine.stages.merchant.address.places import is_letterhead, stands_between
from receipt_engine.stages.merchant.address.search import far_down, find_block
from receipt_engine.stages.merchant.address.text import address_found
from receipt_engine.stages.merchant.name.candidates import NameCandidate, NameContext
from receipt_engine.stages.merchant.name.choice import choose_name
from receipt_engine.stages.merchant.segments import Segment
from receipt_engine.stages.merchant.weights import Weights
from receipt_engine.vocabulary.legal_forms import has_legal_form

#: From this confidence on, a name's segments are excluded from the address.
_SURE_NAME = 0.5
#: From this confidence on, a name is reported.
_LIKELY_NAME = 0.2
#: Log-odds of an excluded segment.
_EXCLUDED = -8.0
#: From this log-odds on, a segment stays in the address, whatever the name is.
_SURE_ADDRESS = 2.0
#: Separator between a name and the street behind it.
_PARTED = re.compile(r"\s*[,;·•|–-]\s*(?=\S.*\d)")


@dataclass(frozen=True, slots=True)
class NameAndAddress:
    """name and address: None when not found. block: indices of the address's segments. row: the address's
    first row, or that of the name without an address. customer: rows of the head with the customer's town."""

    name: Found | None
    address: Found | None
    block: tuple[int, ...]
    row: int | None
    customer: tuple[int, ...] = ()


def find_name_and_address(
    segments: Sequence[Segment], domains: Sequence[str], weights: Weights, country: str = ""
) -> NameAndAddress:
    """Chooses the name given the likeliest address, then finds the address again without the name's segments.

    country: the code of the region, for the chains known there.
    """
    context = replace_context(address_context(segments, domains, weights.address), country=country)
    block, scores = tuple(context.address), list(context.address_scores)
    chosen = choose_name(context, weights.name)
    if chosen is None:
        address = address_found(segments, block, scores)
        return NameAndAddress(None, address, block, _row(segments, block), _customer(context))
    name, candidate = chosen
    named = name.confidence >= _SURE_NAME
    if named:
        for at in range(candidate.first, candidate.last + 1):
            kept = scores[at] >= _SURE_ADDRESS or is_letterhead(segments[at])
            scores[at] = scores[at] if kept else _EXCLUDED
    if named and stands_between(segments, candidate.first, candidate.last):
        scores[: candidate.first] = [_EXCLUDED] * candidate.first
    block = find_block(segments, scores, range(candidate.first, candidate.last + 1), named=named)
    if not named and name.confidence >= _LIKELY_NAME:
        block = _below_name(segments, block, candidate)
    address = address_found(segments, block, scores)
    sender = named or has_legal_form(name.value)
    address = _without_name(address, name.value) if sender else address
    row = _row(segments, block or (candidate.first,))
    return NameAndAddress(name, address, block, row, _customer(context))


def _customer(context: NameContext) -> tuple[int, ...]:
    """The rows of the head with the town of the customer."""
    own = (context.segments[at] for at in sorted(context.customer))
    return tuple(o.run.row for o in own if o.run.zone == "header" and o.places & {"city", "postcode"})


def _below_name(segments: Sequence[Segment], block: tuple[int, ...], name: NameCandidate) -> tuple[int, ...]:
    """The block without the name's segments at its top, which cannot be both, where a postcode or a house
    number follows."""
    below = tuple(at for at in block if at > name.last)
    headed = block[: len(block) - len(below)] == tuple(range(name.first, name.last + 1))
    whole = any(segments[at].number_last or "postcode" in segments[at].places for at in below)
    return below if headed and whole and not is_letterhead(segments[name.first]) else block


def _row(segments: Sequence[Segment], block: Sequence[int]) -> int | None:
    return segments[block[0]].run.row if block else None


def address_context(segments: Sequence[Segment], domains: Sequence[str], model: LinearModel) -> NameContext:
    """The context for choosing the name: the likeliest address, without the customer's address and segments
    of other kinds."""
    apart = non_address_rows(segments)
    scores = [_EXCLUDED if at in apart else own for at, own in enumerate(address_scores(segments, model))]
    customer = of_customer(segments, scores)
    scores = [_EXCLUDED if at in customer else own for at, own in enumerate(scores)]
    block = best_block(scores)
    if not block:
        below = far_down(segments, scores)
        block = below if below and segments[below[0]].run.zone == "after" else ()
    return NameContext(segments, block, scores, domains, customer)


def _without_name(address: Found | None, name: str) -> Found | None:
    """The address without the sender's name that a letterhead prints before it on the same row."""
    if address is None or not address.value.lower().startswith(name.lower()):
        return address
    rest = _PARTED.match(address.value, len(name))
    return address if rest is None else replace(address, value=address.value[rest.end() :])
