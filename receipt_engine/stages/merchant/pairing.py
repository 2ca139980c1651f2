"""Finds the merchant's name and address together: the segments of one are excluded from the other. Builds the
address's text as printed: its rows joined by commas."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import replace as replace_context
from itertools import pairwise, zip_longest

from msgspec.structs import replace

from receipt_engine.document import Found
from receipt_engine.region import Term
from receipt_engine.scoring.linear import LinearModel
from receipt_engine.stages.merchant.address.block import best_block
from receipt_engine.stages.merchant.address.customer import of_customer
from receipt_engine.stages.merchant.address.features import address_scores
from receipt_engine.stages.merchant.address.other_rows import non_address_rows
from receipt_engine.stages.merchant.address.places import (
    is_letterhead,
    parts_place,
    parts_word,
    stands_between,
)
from receipt_engine.stages.merchant.address.search import far_down, find_block
from receipt_engine.stages.merchant.name.candidates import NameCandidate, NameContext
from receipt_engine.stages.merchant.name.choice import choose_name
from receipt_engine.stages.merchant.segments import Segment
from receipt_engine.stages.merchant.weights import Weights
from receipt_engine.vocabulary import has_term, is_term, term_at_end, term_at_start
from receipt_engine.vocabulary.legal_forms import has_legal_form
from receipt_engine.vocabulary.trades import is_trade_word
from receipt_engine.vocabulary.wide_labels import wide_label

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
#: Between an address label and the address. No punctuation is needed behind a long label, before a number or
#: in East Asia.
_MARKS = r"[\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]*"  # Thai signs above and below the label's last letter
_EAST_ASIAN = r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]"
_BEHIND_LABEL = re.compile(
    rf"{_MARKS}(?:\s*[\])】]?\s*[:：.]+\s*|\s*[\])】]\s*|\s+(?=\d)|(?<={_EAST_ASIAN})\s+)"
)
_BEHIND_LONG = re.compile(rf"{_MARKS}\s*[\])】]?\s*[:：.]*\s*")
_LONG = 9
#: The number of a branch, before a street with its house number.
_BRANCH = re.compile(r"\W*\d{1,5}(?:\s+[-–]\s+|\s*:\s*|(?<=\d{3})\s+)(?=[^\W\d_].*\d)")
_COLON = re.compile("[:：]")
#: Most characters of a label before a colon.
_LONGEST_LABEL = 24
_LABELS: tuple[Term, ...] = ("address_label", "registered_office")
_EDGES = " ,;|/*=~_-–"
#: A shop's number before a house number: "#0417 1200 Maple Ave".
_SHOP_NUMBER = re.compile(r"^# ?\d{3,6} +(?=\d{1,6} +[^\W\d_])")
#: Signs at the end of a row that stood between web and e-mail addresses, or brackets around a registration
#: number: "Leeds. , .", "Leeds ( )".
_SIGNS_LEFT = re.compile(r"(?:\s+[.,;|/–-]+|\s?\( *\))+$")
#: A full stop behind a whole word or number at the end of a row, which is dropped; "St." keeps its own.
_LAST_POINT = re.compile(r"(?<=[^\W_]{5})[., ]*\.$|(?<=\d)[., ]*\.$")


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
    segments: Sequence[Segment], domains: Sequence[str], weights: Weights, country: str
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


def address_found(segments: Sequence[Segment], block: Sequence[int], scores: Sequence[float]) -> Found | None:
    """The block's text: segments of one row joined by a space, rows by ", ", or by a space inside a place's
    name. None when it is empty."""
    rows: dict[int, list[str]] = {}
    for index in block:
        text = without_label(segments[index].rest.strip(_EDGES)).strip(_EDGES + ":：")
        text = _SIGNS_LEFT.sub("", _SHOP_NUMBER.sub("", text, count=1))
        if any(c.isalnum() for c in text):
            rows.setdefault(segments[index].run.row, []).append(text)
    lines = [" ".join(texts) for texts in rows.values()]
    if not lines:
        return None
    lines = [*(_LAST_POINT.sub("", line) for line in lines[:-1]), lines[-1]]
    ends = {segments[index].run.row: segments[index].rest for index in block}
    marks = [
        "" if parts_word(ends[row], below) else " " if parts_place(above, below) else ", "
        for row, (above, below) in zip(rows, pairwise(lines), strict=False)
    ]
    mean = sum(scores[i] for i in block) / len(block)
    confidence = 1 / (1 + math.exp(-0.8 * mean))
    printed = "".join(map("".join, zip_longest(lines, marks, fillvalue="")))
    return Found(printed, round(confidence, 3), tuple(rows), "address block")


def without_label(text: str) -> str:
    """The text without a label for an address or a registered office, or a company, before it.

    >>> without_label("Business address: 12 Harbor St"), without_label("Located at 12 Harbor St")
    ('12 Harbor St', '12 Harbor St')
    """
    company, _, place = text.partition(",")
    if place.strip() and has_legal_form(company) and not any(map(str.isdigit, company)):
        return place.lstrip()
    wide = wide_label(text)
    if wide is not None and is_term(wide.letters, *_LABELS):
        return text[wide.end :]
    head, *rest = _COLON.split(text, maxsplit=1)
    named = len(head) <= _LONGEST_LABEL and (
        term_at_end(head, *_LABELS) is not None or is_term(head, "store") or is_trade_word(head)
    )
    # "Suc. Northgate 3: Av. Central 118"
    street = any(map(str.isdigit, "".join(rest))) and has_term("".join(rest), "street")
    named = named or (len(head) <= _LONGEST_LABEL and street and term_at_start(head, "store") is not None)
    named = named or (is_term(head, "unit") and bool(rest) and term_at_start(rest[0], "street") is not None)
    if rest and named:
        return rest[0].lstrip(" :：.")  # "Business address:", "Branch:", "Pharmacy:"
    store = term_at_start(text, "store")
    unit = term_at_start(text, "unit", "plot", "building") is not None
    branch = _BRANCH.match(text, store.end) if store is not None and not unit else None
    if branch is not None:
        return text[branch.end() :]  # "Branch 042 - 9 Mill Road"
    label = term_at_start(text, *_LABELS)
    if label is None:
        return text
    pattern = _BEHIND_LONG if label.end - label.start >= _LONG else _BEHIND_LABEL
    behind = pattern.match(text, label.end)
    return text[behind.end() :] if behind else text
