"""Splits an address into its parts: address text -> street, number, city, postcode and so on, as printed.

Generic rules over the region's data decide the part that each segment between commas is. Addresses in the
United States have separate rules, and so have those in Chinese, Japanese or Korean characters, which run from
the largest part to the smallest. Names of known places are returned in their proper spelling.
"""

from __future__ import annotations

import re

from receipt_engine.document import Found
from receipt_engine.region import Region
from receipt_engine.result import AddressNorm
from receipt_engine.stages.address_parts.by_country import is_east_asian, parts_east_asian, parts_us
from receipt_engine.stages.address_parts.places import (
    is_city_state,
    rejoined,
    take_city,
    take_country,
    take_labelled_city,
    take_labelled_suburb,
    take_largest_first,
    take_state,
)
from receipt_engine.stages.address_parts.postcode import take_postcode
from receipt_engine.stages.address_parts.segments import PartialParse, split_address, split_at_points
from receipt_engine.stages.address_parts.spelling import spelled
from receipt_engine.stages.address_parts.street import (
    KM_FIRST,
    has_street_word,
    is_unit,
    number_and_name,
    only_number,
    only_plot,
    split_label,
    split_unit,
    street_at,
    without_blanks,
)
from receipt_engine.vocabulary import find_terms, is_term, term_at_end, term_at_start
from receipt_engine.vocabulary.gazetteer import find_places, spelled_by_shape
from receipt_engine.vocabulary.normalise import letters
from receipt_engine.vocabulary.towns import is_town

#: The number behind a word for a plot or a block, and perhaps the street.
_PLOT = re.compile(r"\.?\s*(\d{1,5}[A-Za-z]?(?:\s?&\s?\d{1,5}[A-Za-z]?)*)(?:\s+(\S.*))?$")
#: A province behind an Italian city: "Roma (RM)".
_PROVINCE = re.compile(r"\s*\(\s?([A-Z][A-Z0158]|[0158][A-Z])\s?\)\s*$")
#: A region behind a city: "Waldau (Hessen)", but "Halle (Saale)" is a whole name.
_REGION = re.compile(r"\s*\(\s?([^\d()]{3,}?)\s?\)\s*$")
#: A house number and a floor or a door, Spanish or Portuguese: a letter's word, or numbers with a sign.
_NUMBER_AND_UNIT = re.compile(
    r"(\d{1,4}[A-Za-z]?)[ ,]+(?:-\s*)?((?:\d{1,2} ?[ºª°.]+ ?)?[^\W\d_][\w./ ]{0,11}\.?)"
)
#: A house number and a district: "7500 Vila Nova".
_NUMBER_AND_DISTRICT = re.compile(r"(\d{1,5}[A-Za-z]?)[ ,]+(?:-\s*)?([^\W\d_]{2,}\.?(?: [^\d,]+)?)")
#: A shop's number behind a city; postal districts have one or two digits.
_NUMBER_BEHIND = re.compile(r"(?<=[^\W\d_]{3}) \d{3,6}$")
#: The branch below an address, behind its number: "0418-NORTHGATE".
_BRANCH = re.compile(r"\d{3,5}-[^\W\d_]{2}[^\d]*")
#: Most letters of an abbreviated word for a town.
_ABBREVIATED = 2
_AS_LETTERS = str.maketrans("0158", "OISB")


def find_address_parts(address: Found | None, region: Region) -> AddressNorm | None:
    """The parts of the merchant's address; None without an address or when no part was recognised."""
    return None if address is None else split_into_parts(address.value, region)


def split_into_parts(text: str, region: Region) -> AddressNorm | None:
    """The parts of an address whose rows are joined with ", "; None when no part was recognised."""
    if region.address.tagger == "usaddress":
        parts = parts_us(text, region)
    elif is_east_asian(text):
        parts = parts_east_asian(text, region)
    else:
        parts = _parts(text, region)
    if "city" in parts:
        parts["city"] = _once(parts["city"], text)
    for key in parts.keys() & {"building", "street", "suburb"}:
        parts[key] = _without_town_label(parts[key])
    clean = {
        key: value.strip(" ,.;-+") if key != "city" else value.strip(" ,;-+(")
        for key, value in spelled(parts, region).items()
        if any(map(str.isalnum, value))
    }
    return AddressNorm(**clean) if clean else None


def _without_town_label(part: str) -> str:
    """A part without the abbreviated word for a town at its end, whose town was taken as the city: "магазин 4
    г." of "магазин 4 г.Тверь"."""
    label = term_at_end(part, "city_label")
    short = label is not None and label.start > 0 and len(label.phrase) <= _ABBREVIATED
    return part[: label.start].rstrip() if label is not None and short else part


def _once(city: str, text: str) -> str:
    """A city that is printed in two rows of the address, once; one called so ("Walla Walla") stays."""
    words = city.split()
    half = words[: len(words) // 2]
    return " ".join(half) if words == half * 2 and " ".join(words) not in text else city


def _parts(text: str, region: Region) -> dict[str, str]:
    parts = split_address(text, region)
    pointed = [part for segment in parts.rest for part in split_at_points(segment, region)]
    whole = [segment for segment in rejoined(pointed, region) if not is_term(segment, "city_label")]
    given = [
        piece for segment in whole for suburb in _split_suburb(segment) for piece in without_blanks(suburb)
    ]
    parts.rest = [part for segment in given for part in split_unit(segment, region)]
    if len(parts.rest) > 1 and _BRANCH.fullmatch(parts.rest[-1]):
        parts.take(-1)
    take_country(parts, region)
    take_postcode(parts, region)
    if "country" not in parts.found and not is_city_state(region):
        take_country(parts, region)  # the postcode followed it: "Indonesia 28154"
    take_labelled_suburb(parts, region)
    take_labelled_city(parts, region)
    if not take_largest_first(parts, region):
        take_state(parts, region)
    street = street_at(parts.rest, region)
    take_city(parts, region, street)
    street = street_at(parts.rest, region)
    _take_street(parts, region, street)
    if (
        "city" not in region.address.order
        and region.address.order
        and "suburb" not in parts.found
        and "city" in parts.found
    ):
        parts.found["suburb"] = parts.found.pop("city")
    return _settled(parts.found, region)


def _split_suburb(segment: str) -> list[str]:
    """The segment, split behind a suburb with its word before a street, as in Turkey: "Gül Mah. Ada Cad."."""
    for label in find_terms(segment):
        before, behind = segment[: label.end], segment[label.end :].lstrip(" .")
        if label.term == "suburb_label" and label.start > 0 and has_street_word(behind):
            return [before, behind] if not has_street_word(before) else [segment]
    return [segment]


def _settled(found: dict[str, str], region: Region) -> dict[str, str]:
    """The parts in final form: without labels, with a province split from its city, and with a country that
    is also a city as the city when there is no other. Empty without any place or street word."""
    if "city" not in found and letters(found.get("country", "")) in {
        letters(c) for c in region.address.cities
    }:
        found["city"] = found.pop("country")
    city = found.get("city", "")
    province, named = _PROVINCE.search(city), _REGION.search(city)
    if province:
        found["city"] = city[: province.start()]
        found.setdefault("state", province.group(1).translate(_AS_LETTERS))
    if named and named.start() and any(p.kind == "state" for p in find_places(named[1], region)):
        found["city"] = city[: named.start()]
        found.setdefault("state", named[1])
    if "city" in found:
        found["city"] = _NUMBER_BEHIND.sub("", found["city"])
        found["city"] = spelled_by_shape(found["city"], region)
    if "suburb" in found:
        found["suburb"] = ", ".join(map(_without_label, found["suburb"].split(", ")))
    if "number" not in found:
        _take_plot(found)
    placed = found.keys() - {"number", "street"}
    if not placed and not has_street_word(found.get("street", "")):
        return {}
    return found


def _without_label(suburb: str) -> str:
    """A suburb without the word for one before its name; "Sector 3" stays whole."""
    label = term_at_start(suburb, "suburb_label")
    name = suburb[label.end if label else 0 :].lstrip(" .:")
    return name if letters(name) else suburb


def _take_plot(found: dict[str, str]) -> None:
    """Takes the number of a plot or block as the house number where none is printed."""
    segments = found.get("building", "").split(", ")
    for index, segment in enumerate(segments):
        word = term_at_start(segment, "plot")
        plot = _PLOT.match(segment, word.end) if word else None
        if plot is None or ("street" in found) == bool(plot.group(2)):
            continue
        if plot.group(2) and term_at_start(plot.group(2), "plot") is not None:  # "QUADRA 12 LOTE 4"
            continue
        found["number"] = plot.group(1)
        found["street"] = found.get("street") or plot.group(2)
        found["building"] = ", ".join(segments[:index] + segments[index + 1 :])
        return


def _take_street(parts: PartialParse, region: Region, street: int | None) -> None:
    rest = parts.rest
    if street is None:
        _take_plain(parts, region)
        return
    segment = KM_FIRST.sub("", rest[street])
    before, behind = rest[:street], rest[street + 1 :]
    number, name, extra = number_and_name(segment, region)
    if number is None and region.address.street_number == "after":
        number, before, behind = _with_number_behind(before, behind)
    if number is None and before and (only := only_number(before[-1])):
        number = only
        before = before[:-1]
    number, before = _with_label(number, before)
    if number is None and behind and (only := only_number(behind[0])):
        number = only
        behind = behind[1:]
    if number is None and behind and region.address.street_number == "after":
        number, behind = _with_unit(behind)
    if number and behind and region.address.street_number == "after" and (only := only_number(behind[0])):
        number, behind = f"{number},{only}", behind[1:]  # "ul. Polna 46,50"
    parts.found["street"] = name
    if number:
        parts.found["number"] = number
    estates = [s for s in before if term_at_start(s, "estate", "suburb_label") and not is_unit(s, region)]
    before = [s for s in before if s not in estates]
    building = before + ([extra] if extra and is_unit(extra, region) else [])
    buildings = [s for s in behind if is_unit(s, region)]
    suburbs = estates + [s for s in behind if not is_unit(s, region)]
    if building or buildings:
        parts.found["building"] = ", ".join(building + buildings)
    elif "city" not in parts.found and is_town(extra, region.phone.region):
        parts.found["city"] = extra
    elif extra and _names_suburb(extra, region):
        suburbs = [extra, *suburbs]
    if "suburb" in parts.found:
        suburbs.append(parts.found["suburb"])
    if suburbs:
        parts.found["suburb"] = ", ".join(suburbs)


def _with_number_behind(before: list[str], behind: list[str]) -> tuple[str | None, list[str], list[str]]:
    """The house number right behind the street with the other segments before and behind it, without a bare
    number before the street, which is a region's code then: "109316, 77, Москва г., Медный пр-д, д. 4"."""
    only = only_number(behind[0]) if behind else None
    if only is None:
        return None, before, behind
    return only, [s for s in before if not s.strip().isdigit()], behind[1:]


def _names_suburb(extra: str, region: Region) -> bool:
    """Whether the text behind a house number is a known place or begins with a word for a suburb; not the
    street at the corner: "10 de Agosto 4-47 y Bolívar"."""
    if term_at_start(extra, "corner", "conjunction") is not None:
        return False
    return bool(find_places(extra, region)) or term_at_start(extra, "suburb_label") is not None


def _with_unit(behind: list[str]) -> tuple[str | None, list[str]]:
    """The house number and the segments behind the street, where the first one is the number with its floor
    or door, or with a district: "14 Bajo", "3 R/C", "7500 Vila Nova"."""
    first = behind[0].strip()
    both = _NUMBER_AND_UNIT.fullmatch(first) or _NUMBER_AND_DISTRICT.fullmatch(first)
    return (both[1], [both[2], *behind[1:]]) if both else (None, behind)


def _with_label(number: str | None, before: list[str]) -> tuple[str | None, list[str]]:
    """The house number and the segments before the street, without the number behind a label that begins
    them: it is the house number, or the first of several ("No. 3, 5 & 7"). A sign marks a unit before it:
    "#218, 5111 Larch Road"."""
    ahead = split_label(before[0]) if before else None
    if ahead is None or (number is not None and (len(before) > 1 or ahead[1] or before[0].startswith("#"))):
        return number, before
    first, rest = ahead
    return first if number is None else f"{first}, {number}", ([rest] if rest else []) + before[1:]


def _take_plain(parts: PartialParse, region: Region) -> None:
    """Assigns the segments when no street is known: units are the building, the last other one the suburb."""
    units = [s for s in parts.rest if is_unit(s, region) or term_at_end(s, "building", "venue") is not None]
    others = [s for s in parts.rest if s not in units]
    if len(others) > 1 and (number := only_number(others[0]) or only_plot(others[0])):
        parts.found["number"] = number
        others = others[1:]
    if len(others) > 1 and "number" not in parts.found and (number := only_number(others[1])):
        parts.found["number"] = number  # "Fraz. Montecchio, 44/B"
        parts.found["street"] = others.pop(0)
        del others[0]
    if units:
        parts.found["building"] = units[0] if len(units) == 1 else ", ".join(units)
    if len(others) >= 2:
        parts.found.setdefault("street", others[0])
        parts.found["suburb"] = ", ".join(others[1:])
    elif others:
        placed = "city" in parts.found and "number" not in parts.found
        key = "suburb" if units or placed else "street"
        parts.found[key] = others[0]
