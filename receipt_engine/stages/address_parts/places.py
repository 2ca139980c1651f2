"""Finds the country, state, suburb and city of an address and removes them from its segments."""

from __future__ import annotations

import re
from collections.abc import Sequence

from receipt_engine.region import Region
from receipt_engine.stages.address_parts.postcode import (
    DISTRICT_NUMBER,
    city_segment,
    take_city_beside_code,
)
from receipt_engine.stages.address_parts.segments import PartialParse, is_known_city
from receipt_engine.stages.address_parts.street import has_street_word, is_street, is_unit
from receipt_engine.vocabulary import TermMatch, find_terms, is_term, term_at_end, term_at_start
from receipt_engine.vocabulary.gazetteer import Place, find_places
from receipt_engine.vocabulary.normalise import letters
from receipt_engine.vocabulary.towns import find_towns, is_town

#: A number glued to the name behind it.
_GLUED_NUMBER = re.compile(r"(?<![^\W_])\d{1,2}$")
#: A house number at the end of a street.
_NUMBER_LAST = re.compile(r"[^\W\d_]\W+\d{1,4}[A-Za-z]?(?:[-/]\d{1,4}[A-Za-z]?)?$")
#: Thai has no spaces inside a name, so the text behind a space is another name.
_THAI_LAST = re.compile(r"[\u0e01-\u0e4e]$")
#: A name or number before its street word: "Mill Lane", "98 ST".
_NAMED = re.compile(r"(?:[^\W\d_]{2,}|\b\d{1,3}(?:st|nd|rd|th)?) $", re.IGNORECASE)
#: A direction behind a street's word: "98 ST NW".
_DIRECTION = re.compile(r"(?<=[^\W\d_]{2}) (?:[NSEW]|[NS][EW])\.?$")
#: A province behind its city: "Siena (SI)".
_BRACKETED = re.compile(r"\s*\([^()]*\)\s*$")
#: Most letters of an abbreviated word for a county, with its point.
_LABEL = 4
#: Text behind a street that may be a city.
_CITY = re.compile(r" ([^\W\d_]\D{2,})$")


def rejoined(segments: Sequence[str], region: Region) -> list[str]:
    """The segments, with names rejoined that a narrow receipt breaks into two rows: "San Miguel de" and
    "Tucumán"."""
    joined: list[str] = []
    for segment in segments:
        is_open = bool(joined) and _is_open(joined[-1]) and segment[:1].isalpha()
        if joined and (is_open or _city_spans_both(joined[-1], segment, region)):
            joined[-1] = f"{joined[-1].rstrip(' .')} {segment}"
        else:
            joined.append(segment)
    return joined


def _is_open(piece: str) -> bool:
    """Whether a name is incomplete at its end: "San Miguel de"."""
    link = term_at_end(piece, "link")
    return link is not None and piece[link.start - 1 : link.start] == " " and piece[-1].isalpha()


def _city_spans_both(above: str, below: str, region: Region) -> bool:
    """Whether a known city begins at the end of one segment and ends in the next."""
    whole = f"{above} {below}"
    edge = len(above)
    return any(
        place.kind == "city" and place.start < edge < place.end for place in find_places(whole, region)
    ) and not any(place.kind == "city" and place.end >= edge for place in find_places(above, region))


def take_country(parts: PartialParse, region: Region) -> None:
    """Takes a segment that is the country's name, else a country at the end of the last segment."""
    names = [region.address.country, *region.address.names]
    keys = {letters(n) for n in names}
    cities = {letters(name) for name in region.address.cities}
    for index in range(len(parts.rest) - 1, -1, -1):
        key = letters(parts.rest[index])
        bare = not any(c.isdigit() for c in parts.rest[index])
        if bare and key in keys and (index or (len(parts.rest) > 1 and key not in cities)):
            parts.found["country"] = parts.take(index)
            return
    if len(parts.rest) > 1:
        last = parts.rest[-1]
        for place in find_places(last, region):
            if (
                place.kind == "country"
                and place.end >= len(last.rstrip(" .)"))
                and place.start > 0
                and len(last[place.start : place.end]) > 3
            ):
                parts.found["country"] = last[place.start : place.end]
                parts.rest[-1] = last[: place.start].strip(" ,.-(")
                return


def take_labelled_suburb(parts: PartialParse, region: Region) -> None:
    """Takes a district before the word for one: "Приморский р-н"; not a town before its state's code, which
    may be such a word ("Bologna BO")."""
    for index, segment in enumerate(parts.rest):
        label = term_at_end(segment, "suburb_label")
        if label is None or segment[label.start :] in region.address.states:
            continue
        if segment[label.start - 1 : label.start] == " " and not _has_digit(segment):
            parts.found["suburb"] = parts.take(index)
            return


def take_labelled_city(parts: PartialParse, region: Region) -> None:
    """Takes a town behind the word for one, up to the street or state in the same segment: "г. Самара"; or
    before the word, as registers write it: "Самара г". Beside a known city such a word means something else:
    Ukrainian "м." for a town is an underground station in Russia."""
    bare = {letters(_BRACKETED.sub("", segment)) for segment in parts.rest}
    if not bare.isdisjoint(map(letters, region.address.cities)):
        return
    for index, segment in enumerate(parts.rest):
        last = term_at_end(segment, "city_label")
        named = segment[: last.start].strip() if last is not None else ""
        # "Novi Grad" is a whole name, "Samara g" one with its word.
        known = is_town(named, region.phone.region) or is_known_city(named, region)
        if last is not None and known and not _has_digit(segment):
            parts.found["city"] = segment[: last.start].strip()
            parts.take(index)
            return
        label = term_at_start(segment, "city_label")
        if label is None or segment[label.end : label.end + 1] not in tuple(". "):
            continue
        others = (m.start for m in find_terms(segment) if m.start >= label.end and _begins(m, segment))
        end = next(others, len(segment))
        city = segment[label.end : end].strip(" .")
        if city and not _has_digit(city):
            parts.found["city"] = city
            parts.rest[index : index + 1] = [segment[end:]] if end < len(segment) else []
            return


def _begins(match: TermMatch, segment: str) -> bool:
    """Whether a word begins the street, or the state that is named behind it, in a segment with a town."""
    named = bool(segment[match.end :].strip(" ."))
    return match.term == "street" or (match.term == "state_label" and named)


def _has_digit(text: str) -> bool:
    return any(map(str.isdigit, text))


def take_largest_first(parts: PartialParse, region: Region) -> bool:
    """Takes a state, its city and a suburb that end the address from the largest to the smallest, as Peru's
    register of companies prints them: "LIMA - LIMA - SAN BORJA". Returns whether they do."""
    if len(parts.rest) < len(("state", "city", "suburb")) or "city" in parts.found:
        return False
    street, city, suburb = parts.rest[-3:]
    end = len(street.rstrip(" ."))
    states = [p for p in find_places(street, region) if p.kind == "state" and p.end >= end]
    state = max(states, key=lambda p: p.end - p.start, default=None)
    inner = letters(city) == letters(suburb) or is_known_city(city, region)
    inner = inner or is_town(city, region.phone.region)
    outer = any(p.kind == "state" and p.start == 0 for p in find_places(suburb, region))
    if state is None or not inner or outer or _has_digit(city + suburb) or is_street(suburb, region):
        return False
    before = street[: state.start].strip(" ,.-")
    parts.found |= {"state": street[state.start : state.end], "city": city, "suburb": suburb}
    parts.rest[-3:] = [before] if before else []
    return True


def take_state(parts: PartialParse, region: Region) -> None:
    """Takes a state with its label ("Тверская обл."), else one at the end of the last three segments. A name
    that is also a city's is the city, unless the city is printed before it."""
    for index, segment in enumerate(parts.rest):
        if term_at_start(segment, "state_label") or term_at_end(segment, "state_label"):
            parts.found["state"] = parts.take(index)
            return
    for index in range(len(parts.rest) - 1, max(-1, len(parts.rest) - 4), -1):
        segment = parts.rest[index]
        end = len(segment.rstrip(" ."))
        places, states = _states_at_end(segment, end, region)
        if not states and segment == parts.before_code:  # "Elmford Qld" before its postcode
            places, states = _states_at_end(f"{segment} {parts.found['postcode']}", end, region)
        if not states:
            continue
        state = max(states, key=lambda p: p.end - p.start)
        printed = segment[state.start : state.end]
        before = segment[: state.start].strip(" ,.-(/")
        if (index == 0 and not before) or is_term(before, "street") or _names_street(before):
            continue
        places_before = (s for s in (*parts.rest[:index], before) if not any(map(str.isdigit, s)))
        named_twice = any(letters(printed) == letters(s) for s in places_before)
        is_city = any(p.kind == "city" and p.start == state.start for p in places) and not named_twice
        labelled = not is_city and _is_labelled(printed, region)  # "Co Donegal"
        if (is_city and not _follows_city(parts.rest[:index], before, region)) or (
            not labelled and _stands_for_city(parts, index, before, printed, region)
        ):
            parts.found["city"] = printed
        else:
            parts.found["state"] = printed
        parts.rest[index : index + 1] = [before] if before else []
        return


def _states_at_end(text: str, end: int, region: Region) -> tuple[Sequence[Place], list[Place]]:
    """The places in a text, and the states among them that reach to its end, or to its postcode."""
    places = find_places(text, region)
    return places, [p for p in places if p.kind == "state" and p.end >= end]


def _follows_city(earlier: Sequence[str], before: str, region: Region) -> bool:
    """Whether a known city, not a part of one, is printed alone right before, so that its state follows."""
    segment = before or (earlier[-1] if len(earlier) > 1 else "")
    size = len(segment.rstrip(" ."))
    whole = {p.kind for p in find_places(segment, region) if p.start == 0 and p.end >= size}
    return ("city" in whole or is_town(segment, region.phone.region)) and "district" not in whole


def _is_labelled(state: str, region: Region) -> bool:
    """Whether a state is an abbreviated word for one and a city's name."""
    label, _, city = state.partition(" ")
    return len(label) <= _LABEL and is_known_city(city, region)


def _stands_for_city(parts: PartialParse, index: int, before: str, printed: str, region: Region) -> bool:
    """Whether a state stands in the city's place: beside the postcode or not last, without a city before."""
    begun = city_segment(parts)
    if before or len(printed) <= 3 or (begun is not None and begun < index):
        return False
    if any(p.kind == "city" for text in parts.rest[:index] for p in find_places(text, region)):
        return False
    if any(is_town(text, region.phone.region) for text in parts.rest[1:index]):
        return False
    beside_code = "postcode" in parts.found and index == len(parts.rest) - 1
    return beside_code or index < len(parts.rest) - 1


def _ends_street(before: str) -> bool:
    """Whether a street is complete, so that a city may follow in its row: "Mill Lane LEEDS", "Via Dante 8
    Milano"; not "Via Roma"."""
    before = _DIRECTION.sub("", before.strip(" ,.-(/"))
    kind = term_at_end(before, "street")
    named = kind is not None and _NAMED.search(before, 0, kind.start) is not None
    return named or _THAI_LAST.search(before) is not None or _NUMBER_LAST.search(before) is not None


def _names_street(before: str) -> bool:
    """Whether a city gives a street its name, behind its street word and a link: "Carretera de Cuenca"."""
    return has_street_word(before) and term_at_end(before.rstrip(), "link") is not None


def _names_other(before: str) -> bool:
    """Whether a city gives its name to a street or, behind the word for one, to a suburb: "Bairro
    Boa Vista"."""
    return _names_street(before) or is_term(before, "suburb_label")


def _city_behind(street: str) -> tuple[str, str] | None:
    """Splits a street that ends with its street word from the city behind it: "14 Mill Lane Otley"."""
    for kind in reversed([m for m in find_terms(street) if m.term == "street"]):
        city = _CITY.match(street, kind.end)
        if city is not None and _NAMED.search(street, 0, kind.start):
            return street[: kind.end], city.group(1)
    return None


def _name_start(text: str, start: int) -> int:
    """Start of a name, including an apostrophe for a glottal stop, or the number glued to it: "'Ohonua", "6th
    of October"."""
    number = _GLUED_NUMBER.search(text, 0, start)
    return number.start() if number else start - (text[start - 1 : start] in tuple("'ʻ‘’`´"))


def take_city(parts: PartialParse, region: Region, street: int | None) -> None:
    """Takes the city beside the postcode, else a known city, else a town behind the street, else the last
    segment behind the street, else a segment that is a town. street: index of the street's segment."""
    if "city" in parts.found or take_city_beside_code(parts, region):
        return
    if _take_known_city(parts, region, street):
        return
    if _take_town_behind(parts, region, street) or _take_last(parts, region, street):
        return
    # "ASHBY, 6 Mill Lane": nothing else may be the city.
    first = _is_city_first(region) or (len(parts.rest) == 2 and street == 1 and "postcode" not in parts.found)
    for index in range(len(parts.rest) - 1, -1 if first else 0, -1):
        if index != street and is_town(parts.rest[index], region.phone.region):
            parts.found["city"] = parts.take(index)
            return


def _is_city_first(region: Region) -> bool:
    """Whether the country writes the city before the street."""
    order = region.address.order
    return "city" in order and "street" in order and order.index("city") < order.index("street")


def _take_known_city(parts: PartialParse, region: Region, street: int | None) -> bool:
    """Takes a city listed in the region's file; returns whether there is one."""
    for index in range(len(parts.rest) - 1, -1, -1):
        segment = parts.rest[index].rstrip(" ")
        places = [p for p in find_places(segment, region) if p.kind == "city"]
        places = [p for p in places if not _names_other(segment[: p.start])]
        if index != street and (parted := _city_and_district(segment, places, region)) is not None:
            parts.found["city"], parts.rest[index] = parted
            return True
        cities = [p for p in places if p.end >= len(segment.rstrip(" ."))]
        if not cities and index != street and index > 0:
            cities = [p for p in places if p.start == 0 and DISTRICT_NUMBER.fullmatch(segment, p.end)]
        inside = [c for c in cities if _ends_street(segment[: c.start])]
        if cities and (index != street or inside or (max(c.start for c in cities) > 0 and index > 0)):
            city = min(inside or cities, key=lambda p: p.start)
            first = _name_start(segment, city.start)
            if index == street and not inside and is_street(segment, region):
                continue
            parts.found["city"] = segment[first:].strip(" ,-")
            before = segment[:first].strip(" ,.-")
            parts.rest[index : index + 1] = [before] if before else []
            return True
    return False


def _city_and_district(segment: str, places: Sequence[Place], region: Region) -> tuple[str, str] | None:
    """A known city and its district, which a hyphen joins or a word for a district begins: "Beograd-Stari
    Grad", "Bucuresti Sector 3". None for a double name."""
    if any(place.start == 0 and place.end >= len(segment) for place in places):
        return None
    for place in places:
        city, district = segment[: place.end], segment[place.end + 1 :]
        sign = segment[place.end : place.end + 1] if place.start == 0 else ""
        known = is_known_city(district, region) or is_town(district, region.phone.region)
        labelled = sign == " " and term_at_start(district, "suburb_label") is not None
        if labelled or (sign == "-" and known):
            return city, district
    return None


def _take_town_behind(parts: PartialParse, region: Region, street: int | None) -> bool:
    """Takes a town behind the street at the end of the last segment; returns whether there is one."""
    last = len(parts.rest) - 1
    if last < 0 or last != street:
        return False
    segment = parts.rest[last].rstrip(" .")
    for town in find_towns(segment, region.phone.region):
        if (
            town.start
            and town.end >= len(segment)
            and not town.doubtful
            and _ends_street(segment[: town.start])
        ):
            parts.found["city"] = segment[town.start :]
            parts.rest[last] = segment[: town.start].strip(" ,.-")
            return True
    return False


def _has_city(segments: Sequence[str], region: Region) -> bool:
    return any(place.kind == "city" for segment in segments for place in find_places(segment, region))


def is_city_state(region: Region) -> bool:
    """Whether the country and one of its cities have the same name, as Singapore's have."""
    names = map(letters, (region.address.country, *region.address.names))
    return not {letters(city) for city in region.address.cities}.isdisjoint(names)


def _take_last(parts: PartialParse, region: Region, street: int | None) -> bool:
    """Takes the last segment behind the street as the city, or the text behind the street in its segment.
    Returns whether there is one. A city state has no other city."""
    last = len(parts.rest) - 1
    if is_city_state(region) and not _has_city(parts.rest[-1:], region):
        return False
    if (
        last > (-1 if street is None else street)
        and last >= 0
        and (street is not None or "postcode" in parts.found)
    ) and (
        not any(c.isdigit() for c in parts.rest[last])
        or ("postcode" in parts.found and not is_unit(parts.rest[last], region))
    ):
        parts.found["city"] = parts.take(last)
        return True
    if (
        last == street
        and "postcode" in parts.found
        and region.address.street_number == "before"
        and (behind := _city_behind(parts.rest[last])) is not None
    ):
        parts.rest[last], parts.found["city"] = behind
        return True
    return False
