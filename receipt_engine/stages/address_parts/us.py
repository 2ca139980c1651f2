"""Splits United States addresses with the trained tagger of the library usaddress."""

from __future__ import annotations

import re

from receipt_engine.region import Region
from receipt_engine.vocabulary import term_at_start
from receipt_engine.vocabulary.gazetteer import find_places

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
