"""Measures text runs: text run -> `Segment`, the properties by which names and addresses are recognised."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from receipt_engine.document import AmountReading, Entity, ParsedLine, Record
from receipt_engine.region import Region, Role
from receipt_engine.scoring.certainty import SURE
from receipt_engine.stages.merchant.store_numbers import marked_number_behind
from receipt_engine.stages.merchant.text_runs import TextRun, is_title, title_share, without_titles
from receipt_engine.vocabulary import find_terms, has_term, lowered, term_at_end, term_at_start, term_pattern
from receipt_engine.vocabulary.confusions import with_confusions_repaired
from receipt_engine.vocabulary.gazetteer import Place, find_places, find_world, has_any_code
from receipt_engine.vocabulary.legal_forms import has_legal_form, with_form_repaired
from receipt_engine.vocabulary.normalise import count_letters, letters

_NUMBER_FIRST = re.compile(
    r"^\W*(?:(?:[A-Z]{1,2}-?|-?(?!0\d))\d{1,5}[A-Za-z]?(?:[-/&,]\s?\d{1,5}[A-Za-z]?)*)(?:[,.]?\s+|,)"
    r"(?:[A-Z]{1,2}[. ]\s?)?[^\W\d_]{2,}"  # "4410 N Larch Ave"
    r"|^\W*\d{1,5}[,.]?\s+\d{1,3}[NRSTnrst][DHTdht]\b"  # "12 5TH AVE"
)
_NUMBER_LAST = re.compile(
    r"(?:(?:[^\W\d_]{2}[.,]?|\b[^\W\d_nN]\.)\s+|[^\W\d_]{3}\.(?=\d))"  # "Marktpl.3"
    r"(?:n[°ºr.]*\s?|[Nn][Oo]\s?[.:]\s?)?\d{1,4}\s?[A-Za-z]?"
    r"(?:\s?[-/]\s?\d{1,4}|[/-][A-Za-z])?(?:,? [A-Za-z][.:]\s?\d{1,4})?\s*[,.)]?$"  # "No:14/A", "8 m. 31"
    r"|#(?:[A-Z]\d|\d{2})-\d{1,3}[A-Z]?$"  # "Larch Point #B1-17"
)
_TOUCHED = re.compile(r"(.*[^\W\d_]{4})\d{1,3}[A-Za-z]?\W*")
#: Between a small letter and the capital of the next word.
_TOUCHING = re.compile(r"(?<=[a-z])(?=[A-Z][a-z])")
#: A house number behind a street's name.
_HOUSE_BEHIND = re.compile(r"\.? ?\d{1,4} ?[A-Za-z]?(?![\w%])(?![.,]\d)")
#: Weight of a compound that ends in a word for a street, before a number.
_COMPOUND = 0.85
#: Behind a town's name: nothing, one of its parts, joined by a hyphen, or a state's abbreviation.
_PART_OF_TOWN = re.compile(r"(?:-[^\W\d_]{3}[^\d,]*|(?: ?- |, ?| ?\()[A-Z]{2,3}\)?)?[ .,]*")
#: Before a town's name: its district, as in Turkey ("MURATPAŞA/ANTALYA").
_DISTRICT = re.compile(r"[^\W\d_]{3,} ?/ ?")
#: A separate mark behind a row's last number, or a vertical stroke: the edge of the paper, a speck. Or the
#: sign between a sender's name and the address.
_STRAY_MARK = re.compile(r"(?<=\d) [|:;.\-]$|(?<=\w) ?\|$|(?<=[\w.]) [·•*–-]$")
#: Most words of a company's name behind the web address that begins it.
_FORM = 3
#: Fewest digits that were read of a telephone number.
_UNREAD = 7
#: Behind a word for a street: more of the name.
_NAME_GOES_ON = re.compile(r"\.? *[^\W\d_]")
#: Behind a word for a unit: its number or letter.
_UNIT_BEHIND = re.compile(r"[.:# ]*(?:\d{1,4}[A-Za-z]?|[A-Za-z])\W*")
#: Most letters of a state's abbreviation.
_ABBREVIATION = 3
#: Fewest characters of a run from which the character width is measured.
_SOME_TEXT = 5
_LAST_BRACKETS = re.compile(r"(?<=\d) ?\([^\d)]*[^\W\d_]{3}[^)]*\)\W*$")
#: This many East Asian characters for kinds of places make an address.
_PLACE_SIGNS = 3
#: Fewest characters of a place name that ends in such a character; this many names and a number do so too.
_PLACE_NAME, _PLACE_NAMES = 3, 2


class Segment(Record, frozen=True):
    """A run with its measurements.

    rest: its text without entities and titles; letters, digits: counts in rest; size: height relative to the
    page's median; roles: weight of each role, scaled by the share of letters it covers; entities: kinds of
    entities in the run; places: kinds of the region's address parts in rest, world: of any region's; amount:
    it has an amount; number_first, number_last, unit_first: rest begins or ends like a street with its house
    number, or begins with a unit; code: it may have a postcode of any country; center, share: its middle and
    its width, relative to the text's width; titled: it is only a document title or a greeting; title_share:
    share of its letters covered by receipt phrases (`TITLES`); breadth: width of a character relative to the
    page's median (tills print large names in double width); whole_place: it is one place's name alone, or
    with a part of that place.
    """

    run: TextRun
    rest: str
    letters: int
    digits: int
    size: float
    roles: dict[str, float]
    entities: frozenset[str]
    places: frozenset[str]
    world: frozenset[str]
    amount: bool
    number_first: bool
    number_last: bool
    unit_first: bool
    code: bool
    center: float
    share: float
    titled: bool = False
    title_share: float = 0.0
    breadth: float = 1.0
    whole_place: bool = False

    @property
    def numbered(self) -> bool:
        """Whether it begins or ends like a street with its house number."""
        return self.number_first or self.number_last

    def weight(self, *roles: Role) -> float:
        """The largest weight of the roles."""
        return max([self.roles.get(role, 0.0) for role in roles])


class _Scale(NamedTuple):
    """Reference values of the page. height, breadth: medians of the text height and of the width of a
    character; left, right: edges of the text."""

    region: Region
    height: float
    left: float
    right: float
    breadth: float


def measure(
    runs: Sequence[TextRun], rows: Sequence[ParsedLine], entities: Sequence[Entity], region: Region
) -> tuple[Segment, ...]:
    """The segment of every run, in order."""
    heights = sorted(p.height for p in runs) or [1.0]
    median = max(1.0, heights[len(heights) // 2])
    left = min((p.left for p in runs), default=0.0)
    right = max((p.right for p in runs), default=1.0)
    breadths = sorted(_breadth(p) for p in runs if len(p.text) >= _SOME_TEXT) or [1.0]
    breadth = breadths[len(breadths) // 2]
    scale = _Scale(region, median, left, right, breadth)
    by_row: dict[int, list[Entity]] = {}
    for entity in entities:
        by_row.setdefault(entity.row, []).append(entity)
    return tuple(_segment(run, rows[run.row], by_row.get(run.row, ()), scale) for run in runs)


def _breadth(run: TextRun) -> float:
    """Pixels from one character to the next."""
    return max(1.0, run.right - run.left) / max(1, len(run.text))


def _kinds(places: Iterable[Place]) -> frozenset[str]:
    """The kinds of the places, without districts: each is found as a city, too."""
    return frozenset([p.kind for p in places if p.kind != "district"])


def _without_countries(text: str, places: tuple[Place, ...]) -> tuple[Place, ...]:
    """The places without a country that a street is named after: "AV BRASIL, 2218"."""
    return tuple(
        p for p in places if p.kind != "country" or term_at_end(text[: p.start], "street", "route") is None
    )


def _without_cities(text: str, places: tuple[Place, ...]) -> tuple[Place, ...]:
    """The places without a city that a street is named after, "12 London Road"; but "Kuala Lumpur Jalan
    Ampang" is a city and a street."""
    return tuple(p for p in places if p.kind != "city" or not _is_street_behind(text[p.end :].lstrip(" ")))


def _without_unit(text: str) -> str:
    """The text without a unit behind a house number: "MORELOS 418 LOC.B"."""
    units = (match for match in find_terms(text) if match.term == "unit" and text[: match.start].strip(" ,"))
    cut = (match.start for match in units if _UNIT_BEHIND.fullmatch(text, match.end))
    return text[: next(cut, len(text))].rstrip(" ,")


def _ends_in_house(text: str, digits: int) -> bool:
    """Whether a text ends in a house number, perhaps before a unit or brackets, or says behind a name of two
    words that there is none: "PLAYA DEL SOL S/N"."""
    if digits:
        street = _TOUCHED.fullmatch(text)  # "Satamakatu2"
        touched = street is not None and term_at_end(street[1], "street") is not None
        return touched or _NUMBER_LAST.search(_LAST_BRACKETS.sub("", _without_unit(text))) is not None
    none = term_at_end(text, "no_number")
    named = none is not None and len(text[: none.start].split()) > 1
    return named and (has_term(text, "street") or not has_legal_form(text))  # "VIA ROMA SNC", "KETTLE SNC"


def _is_street_behind(text: str) -> bool:
    street = term_at_start(text, "street")
    return street is not None and _NAME_GOES_ON.match(text, street.end) is None


def _without_forms(text: str, places: tuple[Place, ...]) -> tuple[Place, ...]:
    """The places without a state that is a company's legal form ("Betriebs AG" is not in Aargau)."""
    if not places:
        return ()
    if all(p.kind == "state" and p.end - p.start <= _ABBREVIATION for p in places) and has_legal_form(text):
        return ()
    return places


def _without_store_number(text: str, region: Region) -> str:
    """The text without a store number behind its state or postcode: "Elko, NV - # 61"."""
    start = marked_number_behind(text)
    if start is None or not (behind := [p for p in find_places(text[:start], region) if p.end == start]):
        return text
    place = behind[0]
    parted = place.kind == "state" and text[: place.start].rstrip().endswith(",")
    return text[:start] if parted or place.kind == "postcode" else text


def _with_street_parted(text: str, region: Region) -> str:
    """The text with a blank between a word for a street and the name that touches it, "12 Mill StElmford", or
    between a name of four letters or more and the town that touches it: "12 Larch HillPortland"."""
    if not any(map(str.isdigit, text)):
        return text
    ends = [
        at.start()
        for at in _TOUCHING.finditer(text)
        if term_at_end(text[: at.start()], "street")
        or (
            text[at.start() - 4 : at.start()].isalpha()
            and any(p.start == 0 and p.kind == "city" for p in find_places(text[at.start() :], region))
        )
    ]
    return " ".join(text[a:b] for a, b in pairwise((0, *ends, len(text))))


def _is_grouped(amount: AmountReading) -> bool:
    """Whether an amount without decimals has a currency or a thousands separator ("12,500")."""
    return amount.is_plausible and (amount.currency is not None or not amount.raw.isdigit())


def _without_entities(text: str, row: int, offset: int, entities: Sequence[Entity]) -> str:
    """The text with entities and their labels blanked out, except a web address that begins a company's name
    ("Kettle.com Services LLC"). offset: where it begins in its row."""
    if not entities:
        return text
    kept = list(text)
    for entity in entities:
        if entity.row != row or (
            entity.kind == "url" and _names_company(entity, text[entity.end - offset :])
        ):
            continue
        for i in range(max(0, entity.label_start - offset), min(len(kept), entity.end - offset)):
            kept[i] = " "
    return "".join(kept)


def _without_unread(text: str, run: TextRun) -> str:
    """The text before a word for a telephone with a number behind it of which too little was read, or, behind
    a number, before a word for a telephone or date with nothing behind it, whose value is in another row or
    column; no street is named by that word ("Avenida Central, 223")."""
    for match in run.roles:
        before, behind = text[: match.start - run.start], text[match.end - run.start :]
        unread = sum(map(str.isdigit, behind)) >= max(_UNREAD, count_letters(behind)) and "," not in behind
        street = term_at_end(before, "street") is not None
        unread = unread and match.role == "phone"
        alone = match.role == "date" or (match.role == "phone" and has_term(match.phrase, "phone"))
        alone = alone and any(map(str.isdigit, before)) and not any(map(str.isalnum, behind))
        if match.weight >= SURE and (unread or alone) and letters(before) and not street:
            return before
    return text


def _names_company(site: Entity, behind: str) -> bool:
    """Whether a web address of two parts is a company's name: its legal form ends the text behind."""
    bare = site.value.count(".") == 1 and "/" not in site.value
    return bare and 0 < len(behind.split()) <= _FORM and behind[0] in " ," and has_legal_form(f"X {behind}")


@cache
def _unit_sign() -> re.Pattern[str]:
    """A sign or word for a number, or for a kilometre of a highway, at the start of a `lowered` text."""
    return re.compile(rf"^\W*(?:n[°º]|km\b|#|{term_pattern('number')})")


def _has_place_signs(text: str) -> bool:
    """Whether a text in East Asian characters consists of places: it has several place characters, or two
    names that end in one and a number ("노원구 동일로 1530")."""
    if text.isascii():
        return False
    signs = [m for m in find_terms(text) if m.term == "place_sign"]
    names = sum(m.end - m.start >= _PLACE_NAME for m in signs)
    numbered = any(map(str.isdigit, text))
    return len(signs) >= _PLACE_SIGNS or (names >= _PLACE_NAMES and numbered)


def _compound_street(text: str, total: int) -> float:
    """Weight as an address of a text with a compound street name and its house number: "Lerchenweg 4". total:
    number of letters in the text."""
    for match in find_terms(text):
        length = match.end - match.start
        if match.term != "street" or length <= len(match.phrase) or not _HOUSE_BEHIND.match(text, match.end):
            continue
        return _COMPOUND * min(1.0, 0.35 + 0.65 * length / total)
    return 0.0


def _segment(run: TextRun, parsed: ParsedLine, entities: Sequence[Entity], scale: _Scale) -> Segment:
    """Measures a run. entities: those of its row."""
    rest = _without_unread(_without_entities(run.text, run.row, run.start, entities), run)
    rest = without_titles(rest, run)
    total = max(1, count_letters(run.text))
    roles: dict[str, float] = {}
    for match in run.roles:
        weight = match.weight * min(1.0, 0.35 + 0.65 * len(match.phrase) / total)
        roles[match.role] = max(weight, roles.get(match.role, 0.0))
    inside = [m for m in entities if m.start < run.end and run.start < m.end]
    amounts = [a for a in parsed.amounts if run.start <= a.start < run.end and a.readings[0].cost < 1.5]
    clean = with_form_repaired(_STRAY_MARK.sub("", with_confusions_repaired(" ".join(rest.split()))))
    clean = _with_street_parted(_without_store_number(clean, scale.region), scale.region)
    found = _without_countries(clean, find_places(clean, scale.region))
    places = _without_forms(clean, _without_cities(clean, found))
    width = max(1.0, scale.right - scale.left)
    digits = sum(map(str.isdigit, clean))
    if digits and (street := _compound_street(clean, total)):
        roles["address"] = max(street, roles.get("address", 0.0))
    return Segment(
        run=run,
        rest=clean,
        letters=count_letters(clean),
        digits=digits,
        size=run.height / scale.height,
        roles=roles,
        entities=frozenset(m.kind for m in inside),
        places=_kinds(places),
        world=_kinds(_without_countries(clean, find_world(clean))),
        amount=any(a.decimals > 0 or _is_grouped(a) for a in amounts),
        number_first=digits > 0 and _NUMBER_FIRST.search(clean) is not None,
        number_last=_ends_in_house(clean, digits),
        unit_first=_unit_sign().match(lowered(clean)) is not None
        or term_at_start(clean, "plot", "unit") is not None,
        code=(digits > 0 and has_any_code(clean)) or _has_place_signs(clean),
        center=((run.left + run.right) / 2 - scale.left) / width,
        share=(run.right - run.left) / width,
        titled=is_title(run),
        title_share=title_share(run),
        breadth=_breadth(run) / scale.breadth,
        whole_place=any(
            (p.start == 0 or _DISTRICT.fullmatch(clean, 0, p.start) is not None)
            and _PART_OF_TOWN.fullmatch(clean, p.end) is not None
            for p in places
        ),
    )
