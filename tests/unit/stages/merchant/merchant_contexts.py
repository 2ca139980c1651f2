"""Receipts as text, up to the segments that names and addresses are chosen by."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from receipt_engine.document import Line, Merchant, Span
from receipt_engine.pipeline import sort_rows
from receipt_engine.region import load_region
from receipt_engine.stages.contacts import find_entities
from receipt_engine.stages.group import group
from receipt_engine.stages.merchant import find_merchant, prepare
from receipt_engine.stages.merchant.address.block import best_block
from receipt_engine.stages.merchant.address.features import address_scores
from receipt_engine.stages.merchant.name.candidates import NameContext
from receipt_engine.stages.merchant.segments import Segment
from receipt_engine.stages.merchant.weights import weights
from receipt_engine.stages.parse import AmountHints, parse
from receipt_engine.trace import Trace
from tests.printed import spans

#: Behind a row: how large (^1.5) and how broad (%1.5) it is printed, how surely it was read (~0.9).
LOOK = re.compile(r" (?P<sign>[\^%~])(?P<figure>[\d.]+)$")


def doubted(found: tuple[Span, ...], text: str, score: float) -> tuple[Span, ...]:
    """The spans, the one with this text read with less certainty."""
    return tuple(
        replace(s, score=score, chars=tuple(replace(c, score=score) for c in s.chars))
        if s.text == text
        else s
        for s in found
    )


def lines_of(text: str, doubtful: str = "", score: float = 0.9) -> tuple[Line, ...]:
    return group(doubted(spans(text), doubtful, score))


def segments_of(
    text: str, region: str = "us", doubtful: str = ""
) -> tuple[tuple[Segment, ...], tuple[str, ...]]:
    """The legible segments, and the names in web addresses."""
    return segments_in(lines_of(text, doubtful), region)


def segments_in(lines: Sequence[Line], region: str) -> tuple[tuple[Segment, ...], tuple[str, ...]]:
    land = load_region(region)
    rows = parse(lines, land, AmountHints())
    sheet = sort_rows(rows, land, Trace())
    return prepare(rows, sheet, land, find_entities(rows, sheet, land))


def context_of(text: str, region: str = "us", doubtful: str = "") -> NameContext:
    segments, domains = segments_of(text, region, doubtful)
    scores = address_scores(segments, weights().address)
    return NameContext(segments, best_block(scores), scores, domains, country=region)


def merchant_of(text: str, region: str = "us", doubtful: str = "") -> Merchant:
    land = load_region(region)
    rows = parse(lines_of(text, doubtful), land, AmountHints())
    sheet = sort_rows(rows, land, Trace())
    return find_merchant(rows, sheet, land, find_entities(rows, sheet, land))


def parted(row: str) -> tuple[str, dict[str, float]]:
    """A row, and how it is printed."""
    looks: dict[str, float] = {}
    while match := LOOK.search(row):
        looks[match["sign"]] = float(match["figure"])
        row = row[: match.start()]
    return row, looks


def looking(segment: Segment, looks: Sequence[dict[str, float]]) -> Segment:
    own = looks[segment.run.row] if segment.run.row < len(looks) else {}
    run = replace(segment.run, score=own.get("~", segment.run.score))
    size, breadth = own.get("^", segment.size), own.get("%", segment.breadth)
    return replace(segment, run=run, size=size, breadth=breadth)
