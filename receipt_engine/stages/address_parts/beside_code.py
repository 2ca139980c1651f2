"""Finds the city that stands right beside the postcode: before or behind it, as the country prints it."""

from __future__ import annotations

import re

from receipt_engine.region import Region
from receipt_engine.stages.address_parts.segments import PartialParse, is_known_city
from receipt_engine.stages.address_parts.street import has_street_word, is_street, is_unit
from receipt_engine.vocabulary import find_terms, term_at_end
from receipt_engine.vocabulary.gazetteer import find_places
from receipt_engine.vocabulary.towns import find_towns

#: A postal district behind its city: "Dublin 8".
DISTRICT_NUMBER = re.compile(r"(?<=[^\W\d_]) \d{1,2}$")


def take_city_beside_code(parts: PartialParse, region: Region) -> bool:
    """Takes the city beside the postcode; returns whether there is one."""
    if region.address.postcode_place == "before_city":
        return _take_behind(parts, region)
    return _take_before(parts, region)


def city_segment(parts: PartialParse) -> int | None:
    """Index of the segment that begins right behind the postcode; None without one. A state at its end may
    already be taken."""
    begun = (index for index, segment in enumerate(parts.rest) if parts.behind_code.startswith(segment))
    return next(begun, None) if parts.behind_code else None


def _take_behind(parts: PartialParse, region: Region) -> bool:
    """Takes the words right behind the postcode, without the street that may follow in the same segment."""
    index = city_segment(parts)
    if index is None:
        return False
    segment = parts.rest[index]
    end = _city_end(segment, region)
    city, street = segment[:end].strip(" ,.-"), segment[end:].strip(" ,.-")
    alone = len(parts.rest) == 1 and not street
    if not city and _is_numbered_district(segment, region):
        city, street = segment, ""
    elif not _is_name(city, region):
        return False
    if alone:
        return False
    if any(is_known_city(s, region) and not _is_district(s, region) for s in parts.rest[index + 1 :]):
        return False
    parts.found["city"] = city
    parts.rest[index : index + 1] = [street] if street else []
    return True


def _is_numbered_district(segment: str, region: Region) -> bool:
    """Whether a segment is a known city with its district's number: "Praha 8", which its quarter follows."""
    places = find_places(segment, region)
    return any(
        p.kind == "city" and p.start == 0 and DISTRICT_NUMBER.fullmatch(segment, p.end) for p in places
    )


def _is_name(city: str, region: Region) -> bool:
    """Whether words may be a city's name: no number, unit or mere state, and no link at their end."""
    kinds = {place.kind for place in find_places(city, region) if place.end >= len(city)}
    state = "state" in kinds and not is_known_city(city, region)
    whole = city[:1].isalpha() and not any(map(str.isdigit, city)) and term_at_end(city, "link") is None
    return whole and not state and not is_unit(city, region)


def _is_district(segment: str, region: Region) -> bool:
    """Whether a segment is a known district: one may follow its city, "040 01 Košice - Staré Mesto"."""
    return any(p.kind == "district" and p.end >= len(segment) for p in find_places(segment, region))


def _city_end(segment: str, region: Region) -> int:
    """The offset at which a city at the start of a segment ends: before a street with its number behind a
    known city or town, else before a word for a street, else the whole segment."""
    towns = (t.end for t in find_towns(segment, region.phone.region) if t.start == 0 and not t.doubtful)
    cities = (p.end for p in find_places(segment, region) if p.kind == "city" and p.start == 0)
    end = max((*towns, *cities), default=0)
    if end and is_street(segment[end:].strip(" ,.-"), region):
        return end
    if not any(map(str.isdigit, segment)):
        return 0 if has_street_word(segment) and not end else len(segment)
    return min((m.start for m in find_terms(segment) if m.term == "street"), default=0)


def _take_before(parts: PartialParse, region: Region) -> bool:
    """Takes a known city right before the postcode, behind a street with its number but without a word for
    one: "33 Cornhill London EC3V 3ND"."""
    if parts.before_code not in parts.rest or not is_street(parts.before_code, region):
        return False
    index = parts.rest.index(parts.before_code)
    segment = parts.rest[index]
    for place in find_places(segment, region):
        street = segment[: place.start].strip(" ,.-")
        if place.kind == "city" and place.end >= len(segment) and is_street(street, region):
            parts.found["city"], parts.rest[index] = segment[place.start :], street
            return True
    return False
