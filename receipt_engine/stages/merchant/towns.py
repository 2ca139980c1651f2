"""Marks rows that name a town missing from the region files, where an address has its town.

Many ordinary words, family names and shop names are also a town's name somewhere. So such a name counts only
beside a postcode or a state, behind a street, or alone in a row next to one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from receipt_engine.region import Region
from receipt_engine.scoring.certainty import POSSIBLE
from receipt_engine.stages.merchant.segments import Segment
from receipt_engine.vocabulary import has_term, term_at_end
from receipt_engine.vocabulary.gazetteer import find_places
from receipt_engine.vocabulary.normalise import letters
from receipt_engine.vocabulary.towns import Town, find_towns

_EDGES = " .,;-–/()"
_BRACKETS = re.compile(r" ?\( ?([^\W\d_]{2,3}) ?\)\W*")
#: A street with its house number, behind which a town may follow.
_NUMBERED = re.compile(r"[^\W\d_]{2}.* \d{1,4} ?[A-Za-z]?$|^\d{1,5}[A-Za-z]? .*[^\W\d_]{2}")
#: Most rows from a street to its town.
_NEXT_ROW = 1
#: Above this title share a row names no town.
_OTHER = 0.5


def with_towns(segments: Sequence[Segment], region: Region) -> tuple[Segment, ...]:
    """The segments; those that name a town have "city" added to their places."""
    return tuple(
        _as_place(own, town, region) if (town := _town(segments, at, region)) is not None else own
        for at, own in enumerate(segments)
    )


def _as_place(own: Segment, town: Town, region: Region) -> Segment:
    whole = _is_alone(own.rest, town, region)
    city = frozenset(("city",))
    return replace(
        own, places=own.places | city, world=own.world | city, whole_place=own.whole_place or whole
    )


def _town(segments: Sequence[Segment], at: int, region: Region) -> Town | None:
    own = segments[at]
    if "city" in own.places or own.amount or own.run.zone not in ("header", "after"):
        return None
    if not own.letters or own.title_share > _OTHER:
        return None
    for town in find_towns(own.rest, region.phone.region):
        if _beside_place(own.rest, town, region):
            return town
        if not town.doubtful and (_behind_street(own, town) or _own_row(segments, at, town, region)):
            return town
    return None


def _beside_place(text: str, town: Town, region: Region) -> bool:
    """Whether only punctuation separates the town from a state or country behind it or a postcode before it.
    Behind a postcode the town must end the row or precede a comma: "31607 MILTON ROAD" is a street."""
    places = find_places(text, region)
    before = [p for p in places if p.kind == "postcode" and p.end <= town.start]
    ended = not text[town.end :].strip(_EDGES) or text[town.end :].lstrip().startswith(",")
    if ended and any(not text[p.end : town.start].strip(_EDGES) for p in before):
        return True
    behind = [p for p in places if p.start >= town.end and not text[town.end : p.start].strip(_EDGES)]
    return any(p.kind != "city" or text[town.end : p.start].strip() for p in behind)


def _behind_street(own: Segment, town: Town) -> bool:
    """Whether the town ends a row, with a street and its number before it: "14 Mill Lane, Otley"."""
    before, behind = own.rest[: town.start].rstrip(), own.rest[town.end :].strip(_EDGES)
    if behind or _NUMBERED.search(before.rstrip(_EDGES)) is None:
        return False
    ended = before.endswith(",") or before[-1:].isdigit() or term_at_end(before, "street") is not None
    return ended and (own.weight("address") > 0 or own.number_first)


def _is_alone(text: str, town: Town, region: Region) -> bool:
    """Whether a text is only the town, perhaps with its province in brackets: "CECINA (LI)"."""
    behind = text[town.end :]
    province = _BRACKETS.fullmatch(behind)
    if province is not None and province.group(1).upper() in region.address.states:
        behind = ""
    return not (text[: town.start] + behind).strip(_EDGES)


def _own_row(segments: Sequence[Segment], at: int, town: Town, region: Region) -> bool:
    """Whether the town stands alone in its row, right below a street; or right above one, where it is not the
    first segment and no other place follows. A text that also stands above is the shop's name again."""
    own = segments[at]
    again = any(letters(own.rest) == letters(other.rest) for other in segments[:at])
    if at == 0 or again or not _is_alone(own.rest, town, region):
        return False
    if _is_street(segments[at - 1]) and _is_next(segments[at - 1], own):
        return True
    if at + 1 >= len(segments) or not _is_street(segments[at + 1]) or not _is_next(own, segments[at + 1]):
        return False
    return not any(other.places for other in segments[at + 1 : at + 4])


def _is_next(above: Segment, below: Segment) -> bool:
    return below.run.row - above.run.row <= _NEXT_ROW


def _is_street(other: Segment) -> bool:
    """Whether a row is a street: it has a number, or a word for a street."""
    named = other.weight("address") > POSSIBLE or has_term(other.rest, "street")
    return not (other.amount or other.entities) and (named or other.numbered or other.unit_first)
