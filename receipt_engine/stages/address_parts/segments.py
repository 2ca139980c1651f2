"""Splits an address at commas, dashes, bars and misread commas into segments, and holds the parts found in
them so far."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache

from receipt_engine.region import Region
from receipt_engine.vocabulary import lowered, term_at_end, term_at_start, term_pattern
from receipt_engine.vocabulary.gazetteer import PlaceKind, find_places, is_postcode
from receipt_engine.vocabulary.towns import is_town

#: Separators between the parts of an address.
_SPLIT = re.compile(r"\s*[,،;؛|•·]\s*|\s+[-–—/*]\s+")
#: A house number of two parts with spaces around its dash: "Calle 100 No. 22 - 33".
_WIDE_DASH = re.compile(r"((?:#|\bN[°ºo]\.?)\s*\d{1,3}[A-Z]?)\s+[-–]\s+(?=\d{1,3}\b)", re.IGNORECASE)
#: A label before the first row: "Filiale: Gartenweg 2".
_LABEL = re.compile(r"^\W*[^\W\d_][\w./]{1,14}\s?:\s*(?=[^\W_])")
#: A word and a number that lost the space between them: "Gartenweg26", "Gartenstr.26", "2462Jessheim".
_GLUED = re.compile(r"(?<=[^\W\d_]{4})(?=\d)|(?<=[^\W\d_]{3}\.)(?=\d)|(?<=\d{4})(?=[^\W\d_]{3})")
#: A dash at the end of a row that goes on in the next one.
_DASH_LAST = re.compile(r"\s+[-–—]$")
#: A point between two words, or behind a house number, that may be a comma as it was read.
_POINT = re.compile(r"(?<=\w)\.\s+(?=\w)|(?<=[^\W\d_]{3})\.(?=[^\W\d_]{3})")

#: A stroke without blanks between a district and its city: "KARŞIYAKA/İZMİR".
_SLASH = re.compile(r"(?<=[^\W\d_]{3})/(?=[^\W\d_]{3})")


@dataclass
class PartialParse:
    """State of the parse. rest: segments not yet used, in printed order; found: part → text. before_code,
    behind_code: the text right before and behind the postcode in its segment."""

    rest: list[str]
    found: dict[str, str] = field(default_factory=dict)
    before_code: str = ""
    behind_code: str = ""

    def take(self, index: int) -> str:
        """Removes a segment from the rest and returns it."""
        return self.rest.pop(index)


def split_address(text: str, region: Region) -> PartialParse:
    """The segments of an address whose rows are joined with ", ", without post boxes."""
    plain = _WIDE_DASH.sub(r"\1-", _without_post_boxes(text, region))
    plain = plain.replace("_", " ")  # dirt before a word
    plain = _GLUED.sub(" ", plain if _begins_with_number(plain) else _LABEL.sub("", plain))
    return PartialParse(
        [_DASH_LAST.sub("", segment) for segment in _SPLIT.split(plain) if segment.strip(" .-–—")]
    )


def _begins_with_number(text: str) -> bool:
    """Whether a text begins with a word for "number" and a number: no label to take off."""
    word = term_at_start(text, "number")
    return word is not None and text[word.end :].lstrip(" .:")[:1].isdigit()


def split_at_points(segment: str, region: Region) -> list[str]:
    """The segment, split at points that were commas: behind a known city, or between a house number and a
    known city ("14 MILL ROAD 3. LEEDS"), or between a whole word for a street and a town ("9 MILL
    ROAD.LEEDS"); and at a stroke before a known city."""
    for slash in _SLASH.finditer(segment):
        if _begins_with(segment[slash.end() :], region, "city", "state"):
            return [segment[: slash.start()], segment[slash.end() :]]
    for point in _POINT.finditer(segment):
        before, behind = segment[: point.start()], segment[point.end() :]
        street = len(point.group()) == 1 and _ends_in_street(before)
        placed = (street or before[-1:].isdigit()) and _begins_with(behind, region, "city", "country")
        if placed or (street and is_town(behind, region.phone.region)) or is_known_city(before, region):
            return [before, *split_at_points(behind, region)]
    return [segment]


def _ends_in_street(text: str) -> bool:
    """Whether a text ends with a whole word for a street, no abbreviation with its point."""
    word = term_at_end(text, "street")
    return word is not None and not text[word.start - 1 : word.start].isalpha()


def _begins_with(text: str, region: Region, *kinds: PlaceKind) -> bool:
    return any(place.start == 0 and place.kind in kinds for place in find_places(text, region))


def is_known_city(text: str, region: Region) -> bool:
    """Whether a text is a city listed in the region's file and nothing else."""
    size = len(text.rstrip(" ."))
    return any(p.kind == "city" and p.start == 0 and p.end >= size for p in find_places(text, region))


@cache
def _post_box() -> re.Pattern[str]:
    """A word for a post box and its number, with the postcode that may follow, in `lowered` texts."""
    return re.compile(rf"{term_pattern('post_box')}[\s.:]*(?P<number>\d+)(?:\s?-\s?(?P<code>\d{{4,5}}))?")


def _without_post_boxes(text: str, region: Region) -> str:
    """The text without post boxes; their postcodes stay ("P.O. Box 90441-80100"). "CP" is a post box in
    Romania, and stands before a postcode in Spain."""
    for box in reversed(list(_post_box().finditer(lowered(text)))):
        label = term_at_end(text[: box.start("number")], "postcode_label")
        if label is None or not is_postcode(box["number"], region):
            text = text[: box.start()] + (box["code"] or "") + text[box.end() :]
    return text
