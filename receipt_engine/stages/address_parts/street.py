"""Finds the street of an address: its segment and number, and the segments of buildings and units."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from receipt_engine.region import Region, Term
from receipt_engine.vocabulary import (
    TermMatch,
    find_terms,
    has_term,
    lowered,
    phrase_terms,
    term_at_end,
    term_at_start,
    term_pattern,
)
from receipt_engine.vocabulary.months import month_names

#: A place on a highway before its name.
KM_FIRST = re.compile(r"^km\.?\s?\d+(?:[.,]\d+)?\s+", re.IGNORECASE)
#: "C/ Mayor": its sign is not part of a term.
_CALLE = re.compile(r"(?:^|[\s.])c/", re.IGNORECASE)
#: A floor's number, also "3rd"; and signs for a floor, a basement or a unit.
_FLOOR_NUMBER = re.compile(r"^\W*\d{1,3}(?:[^\W\d_]{2})?[\s./]*|^\W*\d{1,3}[\s./]*")
_FLOOR_SIGN = re.compile(r"^\W*\d{1,2}[ºª]|^\W*B1\b|^#\s?[A-Z]?\d{1,2}-\d{1,4}", re.IGNORECASE)
#: The gap before a floor and unit behind the street: "10 Anson Road #02-05". The building's name may follow.
_FLOOR_AND_UNIT = re.compile(r"(?<=\S)[\s,]+(?=#\s?[A-Z]?\d{1,2}-\d{1,4})")
#: A unit's number before its house number, behind a word for a unit: "Unit 3/21 Moorhouse Ave", "Suite 40
#: 8812-70 Street".
_UNIT_OF_HOUSE = re.compile(
    r"\.? ?#?\w{1,4} ?/ ?(?=\d{1,4}[A-Z]? +[^\W\d_])"
    r"|\.? ?#?\d{1,4}[A-Z]? (?=\d{2,5}(?:-\d{1,3})?(?: +[^\W\d_]|$))",
    re.IGNORECASE,
)


#: A unit's number, perhaps behind its sign: "Suite 210", "UNIT #1", "Apt 4B", "Unit C".
_UNIT_NUMBER = r"\.? ?#? ?(?:\d{1,5}[A-Z]?|[A-Z])\b"
_UNIT_LAST = re.compile(_UNIT_NUMBER + r"[ .]*$", re.IGNORECASE)
_UNIT_AHEAD = re.compile(_UNIT_NUMBER + r"[ ,]+(?=[^\W\d_]{3})", re.IGNORECASE)
_PLOT_NUMBER = re.compile(_UNIT_NUMBER + r"(?:[ ,.]|$)", re.IGNORECASE)
#: Letters with no sign between them.
_INITIALS = re.compile(r"[^\W\d_]{1,2}\.? [^\W\d_]{1,2}\.?")
#: Fewest letters of a month's name after which a street is named.
_MONTH = 4
#: A plot's number behind its block's letter.
_PLOT = re.compile(r"[A-Z]{1,2}-\d{1,4}[A-Z]?")
#: A street's own number, as in "4TH AVE".
_ORDINAL = r"\d{1,3}[^\W\d_]{2}\b"
#: The end of a Slavic ordinal: "3-й", "2-я".
_ORDINAL_SIGN = re.compile(r"-[^\W\d_A-Za-z]$")
#: Behind a street's word: nothing, or a direction.
_DIRECTION = re.compile(r"[\s.]*(?:[NSEW]{1,2}\.?)?", re.IGNORECASE)
#: Behind a street's word, also a direction with points: "ANDERSON RD. S.E."
_BEHIND_STREET = re.compile(r"[\s.]*(?:[NSEW]\.?[EW]?\.?)?", re.IGNORECASE)
#: A street's name before its word.
_NAMED_STREET = re.compile(r"\w{2,}\W+$")
#: The last of several numbers, behind the others.
_LAST_NUMBER = re.compile(r"(?:(.*\w)\s?[-/&+]\s?)?(.+)")
#: A letter of a European alphabet behind a house number.
_LETTER = "[A-Z\u0391-\u03a9\u0410-\u042f]"


@dataclass(frozen=True, slots=True)
class _Numbers:
    """Patterns of house numbers; a day before a month belongs to the street's name ("ul. 3 Maja"). labelled:
    behind a word or sign for "number", anywhere; label: that word at the start; alone: the number only;
    ahead: the number and the blanks behind it; before, after: before or after the street's name; last: at
    the end of a name that contains a number ("Av. 18 de Julio 1234")."""

    labelled: re.Pattern[str]
    label: re.Pattern[str]
    alone: re.Pattern[str]
    ahead: re.Pattern[str]
    before: re.Pattern[str]
    after: re.Pattern[str]
    last: re.Pattern[str]


@cache
def _numbers() -> _Numbers:
    suffix, word, house = term_pattern("house_suffix"), term_pattern("number"), term_pattern("house")
    link, corner, street = term_pattern("link"), term_pattern("corner"), term_pattern("street")
    none, months = (
        term_pattern("no_number"),
        "|".join(re.escape(n) for n in month_names() if len(n) >= _MONTH),
    )
    day = rf"(?!\.?\s+(?:{link}\s+)?(?:{months})(?![^\W_]))"
    number = (
        rf"(?:{none}(?![^\W_])|\d{{1,5}}(?:\s?[/-]?{_LETTER}(?![\w.]))?"
        rf"(?:\s?[-/&+]\s?\d{{1,5}}[A-Z]?)*(?:[\s-]?{suffix}|\s1/2)?)"
    )
    label = rf"(?:{word}\s?[.°º:]*|{house}\s?\.?|\bn\s?[.°º:]+|№|#)\s*"
    return _Numbers(
        labelled=_compiled(
            rf"{label}(\d{{1,5}}(?:\s?[/-]?{_LETTER}(?![\w:]|\s\d))?(?:\s?[-/&]\s?\d{{1,5}}[A-Z]?)*)\b"
        ),
        label=_compiled(label),
        alone=_compiled(rf"^({number})$"),
        ahead=_compiled(rf"({number})(?:\s+|$)"),
        before=_compiled(rf"({number})[.]?\s+(?=[^\W\d_]|{_ORDINAL}|\d{{1,3}} {street}\b)(.*)$"),
        after=_compiled(
            rf"^(.*?[^\W\d_][.“”\"»]?)\s*[, ]\s*({number})(?=[.]?$|[\s,(]|/[^\W\d_]{{3}}){day}(.*)$"
        ),
        last=_compiled(rf"^(.*\d\s+{link}\s.*?[^\W\d_])\s*[, ]\s*({number})((?:\s+{corner}(?![^\W_]).*)?)$"),
    )


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def without_blanks(segment: str) -> list[str]:
    """The segment without words that a part is not given, split at them, and split behind a word in place of
    a street's number: "Rodovia Sul S/N" and "Setor 3"; not at initials ("S N Banerjee Road")."""
    text = lowered(segment)
    none = _word_of("no_number").search(text)
    if none is not None and has_street_word(segment[: none.start()]) and not _INITIALS.fullmatch(none[0]):
        pieces = (segment[: none.end()], segment[none.end() :].strip(" ,.-"))
    elif (blank := _word_of("not_given").search(text)) is not None:
        pieces = (segment[: blank.start()].strip(" ,.-"), segment[blank.end() :].strip(" ,.-"))
    else:
        return [segment]
    return [piece for piece in pieces if piece]


@cache
def _word_of(term: Term) -> re.Pattern[str]:
    """A word of a term in `lowered` texts."""
    return re.compile(rf"(?<!\w){term_pattern(term)}(?!\w)")


def split_unit(segment: str, region: Region) -> list[str]:
    """The segment, with a unit before or behind the street split off. Where numbers follow the street, "#" is
    the sign of the house number: "AV 68 # 89-10"."""
    word = term_at_start(segment, "unit")
    house = _UNIT_OF_HOUSE.match(segment, word.end) if word else None
    if house:
        return [segment[: house.end()].rstrip(" /"), segment[house.end() :]]
    if region.address.street_number != "before":
        return _split_plot(segment)
    unit = _FLOOR_AND_UNIT.search(segment)
    if unit is None:
        return _split_numbered_unit(segment, word)
    if not (any(map(str.isdigit, segment[: unit.start()])) or has_street_word(segment)):
        return [segment]  # "Keppel House #02-05": the unit of a building
    return [segment[: unit.start()], segment[unit.end() :]]


def _split_plot(segment: str) -> list[str]:
    """The segment, split before the block or plot behind a street: "Rua 15 Quadra 12 Lote 4"."""
    for plot in find_terms(segment):
        before = segment[: plot.start].rstrip(" ,.-")
        if plot.term == "plot" and _PLOT_NUMBER.match(segment, plot.end) and has_street_word(before):
            return [before, segment[plot.start :]]
    return [segment]


def _split_numbered_unit(segment: str, first: TermMatch | None) -> list[str]:
    """The segment, split before the unit behind a street ("4520 Kingsway Ave Suite 210"), or behind the unit
    before a street without a number ("Shop 12 Harbour Road"). first: the word for a unit that begins it."""
    ahead = _UNIT_AHEAD.match(segment, first.end) if first else None
    if ahead and _ends_in_street(segment[ahead.end() :]):
        return [segment[: ahead.end()].rstrip(" ,"), segment[ahead.end() :]]
    for unit in find_terms(segment):
        before = segment[: unit.start].rstrip(" ,")
        if unit.term == "unit" and _UNIT_LAST.match(segment, unit.end) and _ends_in_street(before):
            return [before, segment[unit.start :]]
    return [segment]


def _ends_in_street(text: str) -> bool:
    """Whether a text ends with a street's name: its word behind another one, and perhaps a direction."""
    words = [m for m in find_terms(text) if m.term == "street" and _BEHIND_STREET.fullmatch(text, m.end)]
    return any(_NAMED_STREET.search(text, 0, m.start) and not _is_square(m.phrase) for m in words)


def street_at(segments: Sequence[str], region: Region) -> int | None:
    """Index of the segment that names the street: one with a street word and a number, else with one of them.
    None without any."""
    best: tuple[int, int] | None = None
    for index, segment in enumerate(segments):
        score = 2 * has_street_word(segment) + _has_number(segment, region)
        if is_unit(segment, region) or term_at_start(segment, "landmark") is not None:
            score -= 2
        if score > 0 and (best is None or score > best[0]):
            best = (score, index)
    return None if best is None else best[1]


def is_unit(segment: str, region: Region) -> bool:
    """Whether a segment begins like a building, a floor or a unit, or has a unit behind a building, whose
    name may contain a street's: "Quay Road Plaza Shop 9"."""
    if _FLOOR_SIGN.match(segment) or _begins_with_floor(segment):
        return True
    if region.address.street_number == "before" and _FLOOR_AND_UNIT.search(segment):
        return True
    first = term_at_start(segment, "unit", "building")
    if first is not None and not (region.address.street_number == "after" and _is_square(first.phrase)):
        return True
    if region.address.street_number == "after" and _begins_with_plot(segment):
        return True
    building = next((m.end for m in find_terms(segment) if m.term == "building"), len(segment))
    return any(
        m.term == "unit" and m.start > building and any(map(str.isdigit, segment[m.end :]))
        for m in find_terms(segment)
    )


def _begins_with_plot(segment: str) -> bool:
    """Whether a segment begins with a word for a block or plot and its number: "QUADRA 12 LOTE 4"."""
    plot = term_at_start(segment, "plot")
    return plot is not None and _PLOT_NUMBER.match(segment, plot.end) is not None


def _is_square(phrase: str) -> bool:
    """Whether a word is one for a building or a unit and for a street: "plaza" is a shopping centre in
    English, "lg" the lower ground."""
    terms = phrase_terms(phrase)
    return "street" in terms and not {"building", "unit"}.isdisjoint(terms)


def _begins_with_floor(segment: str) -> bool:
    """Whether a segment begins with a number and a word for a floor: "2nd fl", "3/F"."""
    number = _FLOOR_NUMBER.match(segment)
    ends = {number.end(), len(number.group().rstrip("abcdefghijklmnopqrstuvwxyz ./"))} if number else ()
    return any(term_at_start(segment[end:], "floor") is not None for end in ends)


def is_street(segment: str, region: Region) -> bool:
    """Whether a segment has a street word or a house number."""
    return has_street_word(segment) or _has_number(segment, region)


def has_street_word(segment: str) -> bool:
    """Whether a segment has a street word, or begins like the corner of two streets."""
    street = has_term(segment, "street") or _CALLE.search(segment) is not None
    return street or term_at_start(segment, "corner") is not None


def _has_number(segment: str, region: Region) -> bool:
    if _numbers().labelled.search(segment):
        return True
    if region.address.street_number == "before":
        return _number_first(segment) is not None
    return _numbers().after.match(segment) is not None


def only_number(segment: str) -> str | None:
    """The house number of a segment that is only that, perhaps behind labels: "дом № 7". Else None."""
    house = term_at_start(segment, "house")
    segment = segment[house.end :].lstrip(" .") if house else segment
    label = _numbers().label.match(segment)
    found = _numbers().alone.match(segment[label.end() :] if label else segment)
    return found.group(1) if found else None


def split_label(segment: str) -> tuple[str, str] | None:
    """The house number behind its label at the start of a segment without a street, and the rest, perhaps
    empty: "No. 12", "No. 12 Ground Floor". None without one."""
    label = _numbers().label.match(segment)
    found = _numbers().ahead.match(segment, label.end()) if label else None
    return (found.group(1), segment[found.end() :]) if found else None


def only_plot(segment: str) -> str | None:
    """The plot of a segment that is only that, numbered within its block: "G-19". Else None."""
    return segment if _PLOT.fullmatch(segment) else None


def _number_first(segment: str) -> re.Match[str] | None:
    """A house number before the street's name; in "100 Feet Road" the number is part of the name."""
    label = _numbers().label.match(segment)
    found = _numbers().before.match(segment, label.end() if label else 0)
    return None if found is None or term_at_start(found.group(2), "length") else found


def _with_own_number(number: str, name: str) -> tuple[str | None, str]:
    """House number (or None) and street name. A name that is only a street word is a numbered street's, whose
    number is the last one before it: "8812-170 Street", "97 Street NW"."""
    word = term_at_start(name, "street")
    alone = word is not None and word.end == len(word.phrase)  # "Briggate" only ends in one
    if word is None or not alone or _DIRECTION.fullmatch(name, word.end) is None:
        return number, name
    house, own = _LAST_NUMBER.fullmatch(number).groups()  # type: ignore[union-attr]
    return house, f"{own} {name}"


def _is_route(name: str, region: Region) -> bool:
    """Whether a text ends with a word for a numbered road, and perhaps the state or country that numbers it:
    "Rodovia SP 332"."""
    road, _, authority = name.rpartition(" ")
    numbered = road if authority in {region.code.upper(), *region.address.states} else name
    return term_at_end(numbered, "route") is not None


def number_and_name(segment: str, region: Region) -> tuple[str | None, str, str]:
    """House number (or None), street name, and the text behind both."""
    labelled = _numbers().labelled.search(segment)
    if labelled and not _is_route(segment[: labelled.start(1)].strip(" .-"), region):
        before, behind = segment[: labelled.start()].strip(" ,.-"), segment[labelled.end() :].strip(" ,.-")
        name = before or behind
        return labelled.group(1).strip(), name, behind if before else ""
    if region.address.street_number == "before":
        match = _number_first(segment)
        if match:
            return *_with_own_number(match.group(1).strip(), match.group(2).strip()), ""
        return None, segment, ""
    match = _numbers().last.match(segment) or _numbers().after.match(segment)
    if match and not _is_route(match.group(1), region):
        return match.group(2).strip(), match.group(1).strip(" ,."), match.group(3).strip(" ,.-/")
    match = _number_first(segment)
    ordinal = match is not None and _ORDINAL_SIGN.search(match.group(1)) is not None  # "3-й микрорайон"
    if match and not ordinal and term_at_end(match.group(2), "street"):  # "12 Dizengoff St"
        return match.group(1).strip(), match.group(2).strip(), ""
    return None, segment, ""
