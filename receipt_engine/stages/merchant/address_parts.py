"""The parts of an address, as printed: generic rules over the region's data. United States and East Asian
addresses have their own rules."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from receipt_engine.region import Region
from receipt_engine.result import AddressNorm
from receipt_engine.stages.merchant.address_asia import is_east_asian, parts_east_asian
from receipt_engine.stages.merchant.address_street import (
    KM_FIRST,
    ONLY_NUMBER,
    STREET,
    UNIT,
    is_street,
    is_unit,
    number_and_name,
    street_at,
)
from receipt_engine.stages.merchant.address_us import parts_us
from receipt_engine.stages.merchant.places import Place, find_places
from receipt_engine.stages.merchant.words import letters

#: Between the parts of an address.
_SPLIT = re.compile(r"\s*[,;|•·]\s*|\s+[-–—/]\s+")
#: A plot or a block before its street: "LOT 80, Jalan ...", "BLK 267 ORCHARD ROAD".
_PLOT = re.compile(r"^\W*(?:lot|blk|block)\.?\s*(\d{1,5}[A-Za-z]?)(?:\s+(\S.*))?$", re.IGNORECASE)
#: A province behind an Italian city: "Roma (RM)".
_PROVINCE = re.compile(r"\s*\(\s?([A-Z]{2})\s?\)\s*$")
_SUBURB_LABEL = re.compile(r"^(?:col(?:onia)?|fracc|barrio|bo|urb(?:anización)?)\.?\s+(?=\S)", re.IGNORECASE)
_POSTCODE_LABEL = re.compile(
    r"\b(?:c\.?\s?p\.?|cep|zip|pin(?:\s?code)?|postcode|postal code|cod\.? postal|plz|"
    r"t\.?\s?k\.?)\s*[:.]?\s*$",
    re.IGNORECASE,
)
_PO_BOX = re.compile(r"\bP\.?\s?[O0]\.?\s?Box\s?[\d]+(?:\s?-\s?(\d{4,5}))?|\bB\.?P\.?\s?\d+", re.IGNORECASE)
_COUNTRY_CODE = re.compile(r"^(?:CH|D|A|F|B|I|E|L|NL|S|SE|DK|FI|PL|CZ|GR|PT)\s?-\s?(?=\d)")


@dataclass
class _Parts:
    """What was found so far; rest: segments not yet used, in printed order."""

    rest: list[str]
    found: dict[str, str] = field(default_factory=dict)

    def take(self, index: int) -> str:
        return self.rest.pop(index)


def address_norm(text: str, region: Region) -> AddressNorm | None:
    """The parts of an address whose rows are joined with ", "; None when nothing was recognised."""
    if region.code == "us":
        parts = parts_us(text)
    elif is_east_asian(text):
        parts = parts_east_asian(text, region)
    else:
        parts = _parts(text, region)
    clean = {
        key: value.strip(" ,.;-") if key != "city" else value.strip(" ,;-")
        for key, value in parts.items()
        if value.strip(" ,.;-")
    }
    return AddressNorm(**clean) if clean else None


def _parts(text: str, region: Region) -> dict[str, str]:
    plain = _PO_BOX.sub(_keep_code, text)
    parts = _Parts([segment for segment in _SPLIT.split(plain) if segment.strip(" .")])
    _take_country(parts, region)
    _take_postcode(parts, region)
    _take_state(parts, region)
    street = street_at(parts.rest, region)
    _take_city(parts, region, street)
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


def _settled(found: dict[str, str], region: Region) -> dict[str, str]:
    """The parts with labels split off, and a country that is a city as the city when there is no other."""
    if "city" not in found and letters(found.get("country", "")) in {
        letters(c) for c in region.address.cities
    }:
        found["city"] = found.pop("country")
    province = _PROVINCE.search(found.get("city", ""))
    if province:
        found["city"] = found["city"][: province.start()]
        found.setdefault("state", province.group(1))
    if "suburb" in found:
        found["suburb"] = _SUBURB_LABEL.sub("", found["suburb"])
    if "number" not in found:
        _take_plot(found)
    placed = found.keys() - {"number", "street"}
    if not placed and STREET.search(found.get("street", "")) is None:
        return {}
    return found


def _take_plot(found: dict[str, str]) -> None:
    """The number of a lot or block is the house number where none is printed."""
    segments = found.get("building", "").split(", ")
    for index, segment in enumerate(segments):
        plot = _PLOT.match(segment)
        if plot is None or ("street" in found) == bool(plot.group(2)):
            continue
        found["number"] = plot.group(1)
        found["street"] = found.get("street") or plot.group(2)
        found["building"] = ", ".join(segments[:index] + segments[index + 1 :])
        return


def _keep_code(box: re.Match[str]) -> str:
    """A post box without itself: its postcode stays ("P.O. Box 90441-80100")."""
    return box.group(1) or ""


def _take_country(parts: _Parts, region: Region) -> None:
    names = [region.address.country, *region.address.names]
    keys = {letters(n) for n in names}
    for index in range(len(parts.rest) - 1, 0, -1):
        bare = not any(c.isdigit() for c in parts.rest[index])
        if bare and letters(parts.rest[index]) in keys:
            parts.found["country"] = parts.take(index)
            return
    if len(parts.rest) > 1:
        last = parts.rest[-1]
        for place in find_places(last, region):
            if (
                place.kind == "country"
                and place.end >= len(last.rstrip(" ."))
                and place.start > 0
                and len(last[place.start : place.end]) > 3
            ):
                parts.found["country"] = last[place.start : place.end]
                parts.rest[-1] = last[: place.start].strip(" ,.-")
                return


def _take_postcode(parts: _Parts, region: Region) -> None:
    """The postcode and, beside it in the same segment, the city."""
    if not region.address.postcode:
        return
    pattern = _postcode(region)
    place = region.address.postcode_place
    for index in range(len(parts.rest) - 1, -1, -1):
        segment = parts.rest[index]
        for match in reversed(list(pattern.finditer(segment))):
            before, behind = segment[: match.start()].strip(" ,.-"), segment[match.end() :].strip(" ,.-")
            before = _POSTCODE_LABEL.sub("", before + " ").strip(" ,.-")
            before = _COUNTRY_PREFIX.sub("", before).strip(" ,.-")
            if not _plausible_code(index, before, behind, place, match.group(), len(parts.rest)):
                continue
            parts.found["postcode"] = _COUNTRY_CODE.sub("", match.group()).strip()
            parts.rest[index : index + 1] = [s for s in _around_code(before, behind, place) if s]
            return


_COUNTRY_PREFIX = re.compile(r"\b(?:CH|D|A|F|B|I|E|L|S|SE)\s?-?$")


def _plausible_code(index: int, before: str, behind: str, place: str, code: str, count: int) -> bool:
    """House numbers have the same form as postcodes: only the place tells them apart."""
    if re.search(r"[A-Za-z]", code):
        return True
    if place == "before_city":
        return not before or (bool(behind) and index > 0) or (count > 1 and index > 0 and not behind)
    return not behind or (bool(before) and index == count - 1 and len(behind) <= 20)


def _around_code(before: str, behind: str, place: str) -> tuple[str, ...]:
    """The texts on both sides; the city's side is marked by standing last."""
    return (before, behind)


@lru_cache(maxsize=64)
def _postcode(region: Region) -> re.Pattern[str]:
    return re.compile(region.address.postcode)


def _take_state(parts: _Parts, region: Region) -> None:
    """The state at the end of one of the last segments. A name that is also a city's is the city."""
    for index in range(len(parts.rest) - 1, max(-1, len(parts.rest) - 4), -1):
        segment = parts.rest[index].rstrip(" .")
        places = find_places(segment, region)
        states = [p for p in places if p.kind == "state" and p.end >= len(segment)]
        if not states:
            continue
        state = max(states, key=lambda p: p.end - p.start)
        printed = segment[state.start : state.end]
        before = segment[: state.start].strip(" ,.-(")
        if index == 0 and not before:
            continue
        named_twice = any(letters(printed) == letters(s) for s in (*parts.rest[:index], before))
        if (_is_city(state, places) and not named_twice) or _stands_for_city(
            parts, index, before, printed, region
        ):
            parts.found["city"] = printed
        else:
            parts.found["state"] = printed
        parts.rest[index : index + 1] = [before] if before else []
        return


def _is_city(state: Place, places: Sequence[Place]) -> bool:
    return any(p.kind == "city" and p.start == state.start for p in places)


def _stands_for_city(parts: _Parts, index: int, before: str, printed: str, region: Region) -> bool:
    """A state printed where the city belongs: beside the postcode, or not last, with no known city before."""
    if before or len(printed) <= 3:
        return False
    if any(p.kind == "city" for text in parts.rest[:index] for p in find_places(text, region)):
        return False
    beside_code = "postcode" in parts.found and index == len(parts.rest) - 1
    return beside_code or index < len(parts.rest) - 1


def _take_city(parts: _Parts, region: Region, street: int | None) -> None:
    """A known city, else the last segment behind the street."""
    if "city" in parts.found:
        return
    for index in range(len(parts.rest) - 1, -1, -1):
        segment = parts.rest[index].rstrip(" ")
        cities = [
            p for p in find_places(segment, region) if p.kind == "city" and p.end >= len(segment.rstrip(" ."))
        ]
        if cities and (index != street or (max(c.start for c in cities) > 0 and index > 0)):
            city = min(cities, key=lambda p: p.start)
            if index == street and is_street(segment, region):
                continue
            parts.found["city"] = segment[city.start :].strip(" ,-")
            before = segment[: city.start].strip(" ,.-")
            parts.rest[index : index + 1] = [before] if before else []
            return
    last = len(parts.rest) - 1
    if (
        last > (-1 if street is None else street)
        and last >= 0
        and (street is not None or "postcode" in parts.found)
    ) and (not any(c.isdigit() for c in parts.rest[last]) or "postcode" in parts.found):
        parts.found["city"] = parts.take(last)


def _take_street(parts: _Parts, region: Region, street: int | None) -> None:
    rest = parts.rest
    if street is None:
        _take_plain(parts, region)
        return
    segment = KM_FIRST.sub("", rest[street])
    before, behind = rest[:street], rest[street + 1 :]
    number, name, extra = number_and_name(segment, region)
    if number is None and before and (only := ONLY_NUMBER.match(before[-1])):
        number = only.group(1)
        before = before[:-1]
    if number is None and behind and (only := ONLY_NUMBER.match(behind[0])):
        number = only.group(1)
        behind = behind[1:]
    parts.found["street"] = name
    if number:
        parts.found["number"] = number
    building = before + ([extra] if extra and UNIT.match(extra) else [])
    buildings = [s for s in behind if is_unit(s, region)]
    suburbs = [s for s in behind if not is_unit(s, region)]
    if building or buildings:
        parts.found["building"] = ", ".join(building + buildings)
    if suburbs:
        parts.found["suburb"] = ", ".join(suburbs)


def _take_plain(parts: _Parts, region: Region) -> None:
    """Without a street: units are the building, the last other segment the suburb."""
    units = [s for s in parts.rest if is_unit(s, region)]
    others = [s for s in parts.rest if not is_unit(s, region)]
    if units:
        parts.found["building"] = units[0] if len(units) == 1 else ", ".join(units)
    if len(others) >= 2:
        parts.found.setdefault("street", others[0])
        parts.found["suburb"] = others[-1]
    elif others:
        key = "suburb" if units or "city" in parts.found else "street"
        parts.found[key] = others[0]
