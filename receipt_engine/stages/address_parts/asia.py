"""Splits East Asian addresses: from the largest part to the smallest and, but for Korea, unspaced; in Thai
from the smallest to the largest, each behind its word.

Each language has an `address_pattern` whose groups are named after the parts. Parts that it does not find are
looked up among the region's known places.
"""

from __future__ import annotations

import re
from functools import lru_cache

from receipt_engine.region import KEPT_REGIONS, Region, load_language
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
