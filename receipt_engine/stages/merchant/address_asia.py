"""Parts of Japanese and Chinese addresses, which are written from the largest part to the smallest."""

from __future__ import annotations

import re

from receipt_engine.region import Region
from receipt_engine.stages.merchant.places import find_places

_EAST_ASIAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_POSTCODE = re.compile(r"〒?\s?(\d{3}-\d{4})")
_JAPAN = re.compile(
    r"(?P<state>東京都|北海道|(?:京都|大阪)府|[^\s\d都道府県]{2,3}県)?\s*"
    r"(?P<city>(?:[^\s\d市区町村]{1,6}郡)?[^\s\d]{1,6}?(?:市[^\s\d市区]{1,4}区|市|区|町|村))?\s*"
    r"(?P<suburb>[^\s\d０-９]{1,10}?(?:町|丁目)|[^\s\d０-９字]{1,10}(?=[\d０-９字]))?(?:大?字[^\d０-９]*)?\s*"
    r"(?P<number>[\d０-９]+(?:丁目|番地?|号|[-−ー‐の][\d０-９]+)*(?:号)?)?\s*(?P<building>.*)$"
)
_CHINESE = re.compile(
    r"(?P<street>[^\s\d,，]{1,8}?(?:道西|道東|道中|大道|道|路|街|里|徑|巷))\s*(?P<number>\d+[A-Z]?(?:\s?[-–至&]\s?\d+[A-Z]?)?)\s?號?"
)


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
        match = _JAPAN.match(plain)
        return found | {k: v for k, v in (match.groupdict() if match else {}).items() if v}
    return found | _chinese(plain, region)


def _chinese(plain: str, region: Region) -> dict[str, str]:
    """District, street, number, building; the district is one the region knows."""
    found: dict[str, str] = {}
    for place in find_places(plain, region):
        kind = {"state": "state", "city": "suburb", "country": "country"}.get(place.kind)
        if kind and kind not in found and plain.startswith(plain[place.start : place.end], place.start):
            found[kind] = plain[place.start : place.end]
    rest = plain
    for value in sorted(found.values(), key=len, reverse=True):
        if rest.startswith(value):
            rest = rest[len(value) :]
    match = _CHINESE.search(rest)
    if match:
        found |= match.groupdict()
        building = rest[match.end() :].strip(" ,")
        if building:
            found["building"] = building
    return found
