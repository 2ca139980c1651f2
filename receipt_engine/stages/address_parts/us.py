"""Splits United States addresses with the trained tagger of the library usaddress."""

from __future__ import annotations

import re

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
    "OccupancyType": "building",
    "OccupancyIdentifier": "building",
    "USPSBoxType": "building",
    "USPSBoxID": "building",
    "PlaceName": "city",
    "StateName": "state",
    "ZipCode": "postcode",
    "CountryName": "country",
}
#: A comma behind the city that was read as a point, before the state: "SPRINGFIELD. OR 97477".
_POINT = re.compile(r"(?<=[^\W\d_]{4})\.(?=\s+[A-Z]{2}\.?[\s,]+\d{5})")
#: A state's name that touches the postcode: "Oregon97477".
_GLUED = re.compile(r"(?<=[^\W\d_]{4})(?=\d{5}(?:-\d{4})?\s*$)")
_TAIL = re.compile(r"[\s,]+(?P<state>[A-Z]{2})\.?[\s,]+(?P<postcode>\d{5}(?:-\d{4})?)\s*$")


def parts_us(text: str) -> dict[str, str]:
    """The parts found: part → text. Tokens of one part keep their order and are joined by spaces."""
    import usaddress  # takes 40 ms

    found: dict[str, list[str]] = {}
    for token, label in usaddress.parse(_plain(text)):
        part = _FIELDS.get(label)
        if part:
            found.setdefault(part, []).append(token.strip(",;"))
    parts = {part: " ".join(tokens) for part, tokens in found.items()}
    tail = _TAIL.search(text)
    if tail:  # more reliable than the tagger
        parts |= tail.groupdict()
    return parts


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", _GLUED.sub(" ", _POINT.sub(",", text.replace("|", ","))))
