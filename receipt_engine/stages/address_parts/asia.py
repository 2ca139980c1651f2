"""Parts of Japanese and Chinese addresses, which are written from the largest part to the smallest."""

from __future__ import annotations

import re

from receipt_engine.region import Region
from receipt_engine.vocabulary.gazetteer import find_places

_EAST_ASIAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_POSTCODE = re.compile(r"(?:〒|\bT)?\s?(\d{3}-\d{4})")
#: Prefecture, city or ward, quarter with its block, house number. Streets have no names.
_JAPAN = re.compile(
    r"(?P<state>東京都|北海道|(?:京都|大阪)府|[^\s\d都道府県]{2,3}県)?\s*"
    r"(?P<city>(?:[^\s\d市区町村]{1,6}郡)?[^\s\d]{1,6}?(?:市[^\s\d市区]{1,4}区|市|区|町|村))?\s*"
    r"(?P<suburb>[^\d０-９]{1,12}?(?:[\d０-９一二三四五六七八九十]{1,2}\s?丁目|(?=\s?[\d０-９]|大?字|$)))?"
    r"(?:大?字[^\d０-９]*)?\s*"
    r"(?P<number>[\d０-９]+(?:番地?|号|\s?[-−ー‐の]\s?[\d０-９]+|(?<=番)[\d０-９]+)*)?\s*(?P<building>.*)$"
)
_COUNTRY = re.compile(r"[\s,]*(?:日本国?|Japan)[\s,]*$", re.IGNORECASE)
_CHINESE = re.compile(
    r"(?P<street>[^\s\d,，]{1,8}?(?:道西|道東|道中|大道|道|路|街|里|徑|巷))\s*(?P<number>\d+[A-Z]?(?:\s?[-–至&]\s?\d+[A-Z]?)?)\s?號?"
)
#: Kind of place → part of the address.
_CHINESE_PARTS = {"district": "suburb", "city": "city", "state": "state", "country": "country"}


def is_east_asian(text: str) -> bool:
    """Whether most of an address is written in Chinese or Japanese characters."""
    return len(_EAST_ASIAN.findall(text)) >= max(3, sum(c.isalpha() for c in text) // 2)


def parts_east_asian(text: str, region: Region) -> dict[str, str]:
    """Part → text."""
    plain = text.replace(", ", "").replace("，", "")
    found: dict[str, str] = {}
    code = _POSTCODE.search(plain)
    if code:
        found["postcode"] = code.group(1)
        plain = plain.replace(code.group(), "").strip()
    if region.code == "ja":
        return found | _japanese(plain)
    return found | _chinese(plain, region)


def _japanese(plain: str) -> dict[str, str]:
    """From the prefecture to the building."""
    found: dict[str, str] = {}
    country = _COUNTRY.search(plain)
    if country:
        found["country"] = country.group().strip(" ,")
        plain = plain[: country.start()]
    match = _JAPAN.match(plain)
    return found | {k: v for k, v in (match.groupdict() if match else {}).items() if v}


def _chinese(plain: str, region: Region) -> dict[str, str]:
    """City, district, street, number, building; city and district are ones the region knows."""
    found: dict[str, str] = {}
    places = find_places(plain, region)
    for kind, part in _CHINESE_PARTS.items():
        for place in places:
            printed = plain[place.start : place.end]
            if place.kind == kind and part not in found and printed not in found.values():
                found[part] = printed
    rest = plain
    while head := next((value for value in found.values() if rest.startswith(value)), None):
        rest = rest[len(head) :]
    match = _CHINESE.search(rest)
    if match:
        found |= match.groupdict()
        building = rest[match.end() :].strip(" ,")
        if building:
            found["building"] = building
    return found
