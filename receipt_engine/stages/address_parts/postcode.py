"""Finds the postcode of an address and removes it from its segment, and the city right beside it: before or
behind it, as the country prints it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from receipt_engine.region import KEPT_REGIONS, Region
from receipt_engine.stages.address_parts.segments import PartialParse, is_known_city
from receipt_engine.stages.address_parts.street import has_street_word, is_street, is_unit
from receipt_engine.vocabulary import find_terms, term_at_end, term_at_start
from receipt_engine.vocabulary.gazetteer import find_places
from receipt_engine.vocabulary.towns import find_towns

#: A country prefix and a dash before a postcode's digits: "CH-8001".
_COUNTRY_CODE = re.compile(r"^[A-Z]{1,2}\s?-\s?(?=\d)")
#: The same before the postcode, perhaps without a dash; not the end of an abbreviation ("N.L.").
_COUNTRY_PREFIX = re.compile(r"(?<![.\w])[A-Z]{1,2}\s?-$|^[A-Z]{1,2}$")
#: A postal district behind its city: "Dublin 8".
DISTRICT_NUMBER = re.compile(r"(?<=[^\W\d_]) \d{1,2}$")


def take_postcode(parts: PartialParse, region: Region) -> None:
    """Moves the postcode from the segments to the found parts. The rest of its segment is split before and
    behind it; nothing happens without a plausible postcode."""
    if not region.address.postcode:
        return
    pattern = _postcode(region)
    place = region.address.postcode_place
    if place == "after_city" and not any(pattern.search(segment) for segment in parts.rest):
        parts.rest = [_with_code(segment, pattern) for segment in parts.rest]
    for index in range(len(parts.rest) - 1, -1, -1):
        segment = parts.rest[index]
        for match in reversed(list(pattern.finditer(segment))):
            before, behind = segment[: match.start()].strip(" ,.-"), segment[match.end() :].strip(" ,.-")
            label = term_at_end(before, "postcode_label")
            if label is not None:
                before = before[: label.start].strip(" ,.-")
            if place == "before_city":
                before = _COUNTRY_PREFIX.sub("", before).strip(" ,.-")
            behind = behind.lstrip(")")
            begun = index > 0 or _STREET_BEFORE.search(before) is not None
            of_city = (begun and is_known_city(behind, region)) or (not behind and _is_city(before, region))
            named = label is not None or of_city
            if not (named or _plausible_code(index, before, behind, place, match.group(), len(parts.rest))):
                continue
            printed = match.group(match.lastindex or 0).strip()
            bare = _COUNTRY_CODE.sub("", printed)
            parts.found["postcode"] = bare if pattern.fullmatch(bare) else printed
            first = index - (
                place == "before_city" and not before and _is_country_code(parts.rest, index - 1)
            )
            parts.rest[first : index + 1] = [s for s in (before, behind) if s]
            parts.before_code, parts.behind_code = before, behind
            return


def _is_city(text: str, region: Region) -> bool:
    """Whether a text is a known city, perhaps behind a word for one: "гр. София"."""
    label = term_at_start(text, "city_label")
    return is_known_city(text[label.end :].lstrip(" .") if label else text, region)


def _is_country_code(segments: Sequence[str], index: int) -> bool:
    """Whether a segment is only letters of a country, which a dash with blanks parts from the postcode."""
    return index > 0 and _COUNTRY_PREFIX.fullmatch(segments[index]) is not None


#: A street with its house number, in either order.
_STREET_BEFORE = re.compile(r"[^\W\d_].*\d[A-Za-z]?$|^\d{1,4}\b.*[^\W\d_]{3}")
#: A street with its house number and a city, before a postcode that its country prints before the city.
_STREET_AND_CITY = re.compile(r"[^\W\d_].*\d[A-Za-z]? [^\W\d_]{3}[^\d]*$")
_LETTERS_AND_DIGITS = re.compile(r"\b[A-Z0-9]{2,4} ?[A-Z0-9]{3,4}$")
_SWAPS = {"0": "O", "O": "0", "1": "I", "I": "1", "5": "S", "S": "5", "8": "B", "B": "8"}


def _with_code(segment: str, pattern: re.Pattern[str]) -> str:
    """The segment with one confusion of a letter and a digit corrected in the code at its end, where that
    makes it a postcode ("YO41 6FG", read as "Y041 6FG")."""
    code = _LETTERS_AND_DIGITS.search(segment)
    if code is None or not any(c.isalpha() for c in code.group()):
        return segment
    for at in range(code.start(), code.end()):
        mended = segment[:at] + _SWAPS.get(segment[at], segment[at]) + segment[at + 1 :]
        if mended != segment and pattern.fullmatch(mended, code.start()):
            return mended
    return segment


def _plausible_code(index: int, before: str, behind: str, place: str, code: str, count: int) -> bool:
    """Whether a match may be the postcode. Digits alone may be a house number: only the position decides.

    index, count: of the segment and of all; before, behind: the segment's text around the match; place: where
    the country prints postcodes.
    """
    if re.search(r"[A-Za-z]", code):
        return True
    if place == "before_city":
        begun = _STREET_AND_CITY if not behind else _STREET_BEFORE
        whole = count == 1 and begun.search(before) is not None and (behind[:1].isalpha() or not behind)
        return whole or not before or (bool(behind) and index > 0) or (count > 1 and index > 0 and not behind)
    return not behind or (bool(before) and index == count - 1 and len(behind) <= 20)


@lru_cache(maxsize=KEPT_REGIONS)
def _postcode(region: Region) -> re.Pattern[str]:
    return re.compile(region.address.postcode)


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
