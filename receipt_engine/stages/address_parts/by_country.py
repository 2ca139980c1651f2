"""Splits the addresses of countries that write them in ways of their own.

In East Asia they run from the largest part to the smallest and, but for Korea, unspaced; in Thai from the
smallest to the largest, each behind its word. Each language has an `address_pattern` whose groups are named
after the parts. Parts that it does not find are looked up among the region's known places. Those of the
United States are split with the trained tagger of the library usaddress.
"""

from __future__ import annotations

import re
from functools import lru_cache

from receipt_engine.region import KEPT_REGIONS, Region, load_language
from receipt_engine.vocabulary import term_at_start
from receipt_engine.vocabulary.gazetteer import Place, find_places

_EAST_ASIAN = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
#: Scripts that print blanks between the parts: Thai and Hangul.
_SPACED = re.compile(r"[\u0e00-\u0e7f\uac00-\ud7a3]")
_THAI = re.compile(r"[\u0e00-\u0e7f]")  # goes on from the street to its district
#: A label before the address, however it was read.
_LABEL = re.compile(r"^[^:：\d]{1,12}[:：]\s*")
#: Remains around a postcode that was removed.
_EMPTY = re.compile(r"\(\s*\)|\[\s*\]|〒")
#: Kind of place → part of the address.
_PARTS = {"district": "suburb", "city": "city", "state": "state", "country": "country"}
_FIELDS = {
    "AddressNumber": "number",
    "AddressNumberPrefix": "number",
    "AddressNumberSuffix": "number",
    "StreetNamePreModifier": "street",
    "StreetNamePreDirectional": "street",
    "StreetNamePreType": "street",
    "StreetName": "street",
    "StreetNamePostType": "street",
    "StreetNamePostDirectional": "street",
    "StreetNamePostModifier": "street",
    "SubaddressType": "building",
    "SubaddressIdentifier": "building",
    "BuildingName": "building",
    "LandmarkName": "building",
    "CornerOf": "street",
    "IntersectionSeparator": "street",
    "OccupancyType": "building",
    "OccupancyIdentifier": "building",
    "USPSBoxType": "building",
    "USPSBoxID": "building",
    "PlaceName": "city",
    "StateName": "state",
    "ZipCode": "postcode",
    "CountryName": "country",
}
#: A comma that was read as a point: behind the city, before the state ("SPRINGFIELD. OR 97477"), or between
#: two words without a blank ("12 Broadway.Suite 4"), the first one no short abbreviation ("St.Louis").
_POINT = re.compile(r"(?<=[^\W\d_]{4})\.(?=\s*[A-Z]{2}\.?[\s,]*\d{5})|(?<=[^\W\d_]{3})\.(?=[^\W\d_]{3})")
#: A blank lost behind a house number ("12Mill St"), or before the postcode ("Oregon97477").
_GLUED = re.compile(r"^\d{1,5}(?=[^\W\d_]{3})|[^\W\d_]{2}(?=\d{5}(?:-\d{4})?\s*$)")
#: Remarks in brackets, cross streets or a shop's number: "(Corner of Elm St)", "(Elm & Oak)", "(#0417)".
_BRACKETS = re.compile(r"\s*\((?P<inside>[^()]*)\)")
_CROSSING = re.compile(r"#|.*[^\W\d_] ?& ?[^\W\d_]")
_TAIL = re.compile(r"[\s,]+(?P<state>[A-Z]{2})[\s,.]+(?P<postcode>\d{5}(?:-\d{4})?)\s*$")


def is_east_asian(text: str) -> bool:
    """Whether most of an address is written in Chinese, Japanese, Korean or Thai characters."""
    return len(_EAST_ASIAN.findall(text)) >= max(3, sum(c.isalpha() for c in text) // 2)


def parts_east_asian(text: str, region: Region) -> dict[str, str]:
    """The parts found: part → text."""
    found: dict[str, str] = {}
    text = _LABEL.sub("", text)
    code = re.search(region.address.postcode, text) if region.address.postcode else None
    if code:
        found["postcode"] = code.group(code.lastindex or 0)
        text = _EMPTY.sub("", text.replace(code.group(), ""))
    joint = " " if _SPACED.search(text) else ""
    rest = text.replace(", ", joint).replace("，", joint).strip(" ,")
    pattern = _pattern(region)
    match = pattern.search(rest) if pattern else None
    named = {part: value.strip() for part, value in match.groupdict().items() if value} if match else {}
    found |= _places(find_places(rest, region), rest, named)
    while head := next((value for value in found.values() if rest.startswith(value)), None):
        rest = rest[len(head) :].lstrip()
    if "country" in found:
        rest = rest.strip(" ,").removesuffix(found["country"]).strip(" ,")
    match = pattern.search(rest) if pattern else None
    if match is None:
        return found
    found |= {part: value.strip() for part, value in match.groupdict().items() if value}
    behind = rest[match.end() :].strip(" ,")
    for part in ("state", "city", "suburb"):
        behind = behind.removesuffix(found.get(part, "")).strip(" ,")
    last = "suburb" if _THAI.search(text) else "building"
    return {last: behind, **found} if behind and behind not in found.values() else found


def _places(places: tuple[Place, ...], text: str, named: dict[str, str]) -> dict[str, str]:
    """Known places for the parts that the pattern has not found. No text is used for two parts. named: the
    parts found by the pattern."""
    found: dict[str, str] = {}
    for kind, part in _PARTS.items():
        for place in places:
            printed = text[place.start : place.end]
            taken = printed in found.values() or (part != "country" and printed in named.values())
            if place.kind == kind and part not in found and part not in named and not taken:
                found[part] = printed
    return found


@lru_cache(maxsize=KEPT_REGIONS)
def _pattern(region: Region) -> re.Pattern[str] | None:
    """The address pattern of the region's first language that has one."""
    patterns = (load_language(code).address_pattern for code in region.languages)
    return next((re.compile(pattern) for pattern in patterns if pattern), None)


def parts_us(text: str, region: Region) -> dict[str, str]:
    """The parts found: part → text. Tokens of one part keep their order and are joined by spaces."""
    import usaddress  # takes 40 ms

    found: dict[str, list[str]] = {}
    plain, country = _without_country(_plain(text), region)
    for token, label in usaddress.parse(plain):
        part = _FIELDS.get(label)
        if part:
            found.setdefault(part, []).append(token.strip(",;"))
    parts = {part: " ".join(tokens) for part, tokens in found.items()}
    tail = _TAIL.search(plain)
    if tail:  # more reliable than the tagger
        parts |= tail.groupdict()
    return parts | ({"country": country} if country else {})


def _plain(text: str) -> str:
    """The text with lost blanks and misread commas put right, and without the cross streets behind a word for
    a corner: "12 Mill St, (Elm & Oak), Portland", "12 Mill St, cnr Elm, Portland"."""
    text = _GLUED.sub(r"\g<0> ", _POINT.sub(",", text.replace("|", ",")))
    street, *others = _BRACKETS.sub(_without_remark, text).split(",")
    kept = [street, *(other for other in others if term_at_start(other.strip(), "corner") is None)]
    return re.sub(r"\s+", " ", ",".join(kept))


def _without_remark(bracket: re.Match[str]) -> str:
    inside = bracket["inside"].strip()
    remark = _CROSSING.match(inside) is not None or term_at_start(inside, "corner") is not None
    return "" if remark else bracket.group()


def _without_country(text: str, region: Region) -> tuple[str, str]:
    """The text without the country at its end, and the country as printed; "" without one."""
    end = len(text.rstrip(" .,"))
    found = [p for p in find_places(text, region) if p.kind == "country" and p.end >= end and p.start]
    if not found:
        return text, ""
    start = min(place.start for place in found)
    return text[:start].rstrip(" ,"), text[start:end]
