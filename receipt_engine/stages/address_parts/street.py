"""The street of an address: which part names it, its number, and what is a building or a unit."""

from __future__ import annotations

import re
from collections.abc import Sequence

from receipt_engine.region import Region

_LABELLED_NUMBER = re.compile(
    r"(?:\bn(?:o|r|um|úm|°|º|ro)?\s?[.°º:]+|\bno\b|№|#)\s*(\d{1,5}(?:\s?[A-Za-z](?!\w|\s\d))?(?:\s?[-/&]\s?\d{1,5}[A-Za-z]?)*)\b",
    re.IGNORECASE,
)
_NUMBER = r"\d{1,5}(?:\s?/?[A-Za-z](?![\w.]))?(?:\s?[-/&+]\s?\d{1,5}[A-Za-z]?)*(?:\s?[Bb]is|\s1/2)?"
#: A part that is a house number and nothing else.
ONLY_NUMBER = re.compile(rf"^(?:n(?:o|r|°|º)?[.°º:]*\s?|#\s?)?({_NUMBER})$", re.IGNORECASE)
_BEFORE = re.compile(
    rf"^(?:n(?:o|r|°|º)?[.°º:]+\s?|no\s|số\s)?({_NUMBER})[.]?\s+(?!(?:feet|foot|ft)\b)(?=[^\W\d_])(.*)$",
    re.IGNORECASE,
)
_AFTER = re.compile(rf"^(.*?[^\W\d_][.]?)\s*[, ]\s*({_NUMBER})(?=$|[\s,(])(.*)$")
#: A number at the end, where the name holds one too: "Av. 18 de Julio 1234".
_LAST_NUMBER = re.compile(
    rf"^(.*\d\s+(?:de|di|do)\s.*?[^\W\d_])\s*[, ]\s*({_NUMBER})((?:\s+esq\b.*)?)$", re.IGNORECASE
)
#: Streets whose number belongs to their name.
_ROUTE = re.compile(
    r"\b(?:route|ruta|rte|rn|nationale|carretera|ctra|autov[ií]a|autopista|hwy|highway|km|rodovia|rod|estrada|longitudinal|provinciale|"
    r"statale|bundesstra(?:ß|ss)e|calle|carrera|kr|cra|cl|cll|avenida calle|lorong|jalan)\b[\s.]*$",
    re.IGNORECASE,
)
#: A place on a highway before its name.
KM_FIRST = re.compile(r"^km\.?\s?\d+(?:[.,]\d+)?\s+", re.IGNORECASE)
#: Words of a part that is a building, a floor or a unit.
UNIT = re.compile(
    r"^#\s?[A-Z]?\d{1,2}-\d{1,4}|^\W*(?:shop|unit|suite|ste|level|lvl|lot|floor|flr|\d+(?:st|nd|rd|th)?\s?(?:floor|flr|fl|f|/f)\b|g/?f|ground|basement|block|blk|tower|menara|wisma|"
    r"mall|centre|center|shopping|local|loja|lj|lote|piso|edificio|edif|bldg|building|room|rm|kiosk|stall|office|oficina|galeria|cc\b|"
    r"centro comercial|b1|lg|ug|komplek|kompleks|ruko|gedung|toa|tang|postfach|case postale|"
    r"casella postale|bajos?|r/c)\b|^\W*\d{1,2}[ºª]",
    re.IGNORECASE,
)
#: Floor and unit behind the street: "10 Anson Road #02-05"; what follows is the name of the building.
_FLOOR_AND_UNIT = re.compile(r"(?<=\S)[\s,]+(?=#\s?[A-Z]?\d{1,2}-\d{1,4})")
#: A unit and the number of its house: "Unit 3/21 Moorhouse Ave".
_UNIT_OF_HOUSE = re.compile(
    r"^((?:unit|shop|flat|suite|apt)\.? ?\w{1,4}) ?/ ?(?=\d{1,4}[A-Z]? +[^\W\d_])", re.IGNORECASE
)
#: A shopping centre in English; a square in Spanish.
_PLAZA = re.compile(r"^\W*plaza\b", re.IGNORECASE)
#: A unit inside a building whose name may hold a street's: "Quay Road Plaza Shop 9".
_INSIDE = re.compile(
    r"\b(?:plaza|mall|centre|center|building|house|tower|arcade|complex)\b.*"
    r"\b(?:shop|unit|suite|stall|room|local|loja|lt|lantai)\b",
    re.IGNORECASE,
)
#: Words of street names in many languages, alone or at the end of a word.
STREET = re.compile(
    r"(?:^|[\s.])(?:st|street|rd|road|ave?|avenue|av|blvd|boulevard|hwy|highway|lane|ln|drive|dr|way|crescent|terrace|tce|parade|pde|esplanade|"
    r"jalan|jln|jl|lorong|lrg|persiaran|lebuh|calle|c/|cl|cra|carrera|kr|av|avda|avenida|bvar|bulevar|rua|r|travessa|praça|praca|plaza|paseo|"
    r"pasaje|vía|rue|route|chemin|quai|allée|allee|place|via|viale|corso|c\.so|piazza|p\.zza|largo|gatan|gata|vägen|hala|duong|phố|pho|soi|moo|"
    r"longitudinal|carretera|camino|autopista|ruta)(?=[\s.,]|$)"
    r"|(?:stra(?:ß|ss)e|str\.?|straat|weg|gasse|platz|laan|plein|gatan|vägen|gata|allee|damm|ring|ufer|kai)(?=[\s.,\d]|$)"
    r"|^Ν\.Ε\.Ο|ΟΔΟΣ|Λ\.\s?|ΛΕΩΦ",
    re.IGNORECASE,
)


def units_apart(segment: str) -> list[str]:
    """The segment with a unit before or behind the street as one of its own."""
    house = _UNIT_OF_HOUSE.match(segment)
    if house:
        return [house.group(1), segment[house.end() :]]
    unit = _FLOOR_AND_UNIT.search(segment)
    if unit is None or not (any(map(str.isdigit, segment[: unit.start()])) or STREET.search(segment)):
        return [segment]  # "Keppel House #02-05": the unit of a building
    return [segment[: unit.start()], segment[unit.end() :]]


def street_at(segments: Sequence[str], region: Region) -> int | None:
    """Index of the segment that names the street: with a street word and a number, or one of both."""
    best: tuple[int, int] | None = None
    for index, segment in enumerate(segments):
        score = 2 * _has_street_word(segment, region) + _has_number(segment, region)
        if is_unit(segment, region):
            score -= 2
        if score > 0 and (best is None or score > best[0]):
            best = (score, index)
    return None if best is None else best[1]


def is_unit(segment: str, region: Region) -> bool:
    """Whether a segment begins like a building, a floor or a unit."""
    mall = _PLAZA.match(segment) is not None and region.address.street_number == "before"
    floor = _FLOOR_AND_UNIT.search(segment) is not None
    return mall or floor or UNIT.match(segment) is not None or _INSIDE.search(segment) is not None


def is_street(segment: str, region: Region) -> bool:
    """Whether a segment has a street word or a house number."""
    return _has_street_word(segment, region) or _has_number(segment, region)


def _has_street_word(segment: str, region: Region) -> bool:
    return STREET.search(segment) is not None


def _has_number(segment: str, region: Region) -> bool:
    if _LABELLED_NUMBER.search(segment):
        return True
    pattern = _BEFORE if region.address.street_number == "before" else _AFTER
    return pattern.match(segment) is not None


def number_and_name(segment: str, region: Region) -> tuple[str | None, str, str]:
    """House number, street name, and what stands behind both."""
    labelled = _LABELLED_NUMBER.search(segment)
    if labelled:
        before, behind = segment[: labelled.start()].strip(" ,.-"), segment[labelled.end() :].strip(" ,.-")
        name = before or behind
        return labelled.group(1).strip(), name, behind if before else ""
    if region.address.street_number == "before":
        match = _BEFORE.match(segment)
        if match:
            return match.group(1).strip(), match.group(2).strip(), ""
        return None, segment, ""
    match = _LAST_NUMBER.match(segment) or _AFTER.match(segment)
    if match and not _ROUTE.search(match.group(1)):
        return match.group(2).strip(), match.group(1).strip(" ,."), match.group(3).strip(" ,.-")
    return None, segment, ""
