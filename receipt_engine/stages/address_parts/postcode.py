"""The postcode of an address."""

from __future__ import annotations

import re
from functools import lru_cache

from receipt_engine.region import Region
from receipt_engine.stages.address_parts.segments import PartialParse

_POSTCODE_LABEL = re.compile(
    r"\b(?:c\.?\s?p\.?|cep|zip|pin(?:\s?code)?|postcode|postal code|cod\.? postal|plz|"
    r"[tτ]\.?\s?[kκ]\.?|npa|c\.?a\.?p\.?|kod(?: pocztowy)?)\s*[:.]?\s*$",
    re.IGNORECASE,
)
_COUNTRY_CODE = re.compile(r"^(?:CH|D|A|F|B|I|E|L|NL|S|SE|DK|FI|PL|CZ|GR|PT)\s?-\s?(?=\d)")
#: A country's letters before the code; not the last of an abbreviation ("N.L.").
_COUNTRY_PREFIX = re.compile(r"(?<![.\w])(?:CH|D|A|F|B|I|E|L|S|SE)\s?-?$")


def take_postcode(parts: PartialParse, region: Region) -> None:
    """The postcode and, beside it in the same segment, the city."""
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
            before = _POSTCODE_LABEL.sub("", before + " ").strip(" ,.-")
            before = _COUNTRY_PREFIX.sub("", before).strip(" ,.-")
            behind = behind.lstrip(")")
            if not _plausible_code(index, before, behind, place, match.group(), len(parts.rest)):
                continue
            printed = match.group(match.lastindex or 0)
            parts.found["postcode"] = _COUNTRY_CODE.sub("", printed).strip()
            parts.rest[index : index + 1] = [s for s in (before, behind) if s]
            return


#: A street with its house number, in either order.
_STREET_BEFORE = re.compile(r"[^\W\d_].*\d[A-Za-z]?$|^\d{1,4}\b.*[^\W\d_]{3}")
#: The same and a city, for a code that stands behind both against its country's custom.
_STREET_AND_CITY = re.compile(r"[^\W\d_].*\d[A-Za-z]? [^\W\d_]{3}[^\d]*$")
_LETTERS_AND_DIGITS = re.compile(r"\b[A-Z0-9]{2,4} ?[A-Z0-9]{3,4}$")
_SWAPS = {"0": "O", "O": "0", "1": "I", "I": "1", "5": "S", "S": "5", "8": "B", "B": "8"}


def _with_code(segment: str, pattern: re.Pattern[str]) -> str:
    """The segment with a letter of the code at its end read as the digit of its shape, or the other way,
    where that makes it a postcode ("YO41 6FG", read as "Y041 6FG")."""
    code = _LETTERS_AND_DIGITS.search(segment)
    if code is None or not any(c.isalpha() for c in code.group()):
        return segment
    for at in range(code.start(), code.end()):
        mended = segment[:at] + _SWAPS.get(segment[at], segment[at]) + segment[at + 1 :]
        if mended != segment and pattern.fullmatch(mended, code.start()):
            return mended
    return segment


def _plausible_code(index: int, before: str, behind: str, place: str, code: str, count: int) -> bool:
    """House numbers have the same form as postcodes: only the place tells them apart."""
    if re.search(r"[A-Za-z]", code):
        return True
    if place == "before_city":
        begun = _STREET_AND_CITY if not behind else _STREET_BEFORE
        whole = count == 1 and begun.search(before) is not None and (behind[:1].isalpha() or not behind)
        return whole or not before or (bool(behind) and index > 0) or (count > 1 and index > 0 and not behind)
    return not behind or (bool(before) and index == count - 1 and len(behind) <= 20)


@lru_cache(maxsize=64)
def _postcode(region: Region) -> re.Pattern[str]:
    return re.compile(region.address.postcode)
