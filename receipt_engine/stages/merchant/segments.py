"""What each run of text looks like: the ground on which names and addresses are told apart."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

from receipt_engine.document import AmountReading, Entity, ParsedLine, Record, RoleMatch
from receipt_engine.region import Region
from receipt_engine.scoring.certainty import LIKELY
from receipt_engine.stages.merchant.text_runs import TextRun
from receipt_engine.vocabulary import find_terms, term_at_end, term_at_start, term_pattern
from receipt_engine.vocabulary.gazetteer import Place, find_places, find_world, has_any_code
from receipt_engine.vocabulary.legal_forms import has_legal_form
from receipt_engine.vocabulary.normalise import count_letters, letters

_NUMBER_FIRST = re.compile(
    r"^\W*(?:[A-Z]{0,2}-?\d{1,5}[A-Za-z]?(?:[-/&,]\s?\d{1,5}[A-Za-z]?)*)[,.]?\s+"
    r"(?:[A-Z]{1,2}[. ]\s?)?[^\W\d_]{2,}"  # "4410 N Larch Ave"
)
_NUMBER_LAST = re.compile(
    r"[^\W\d_]{2,}[.,]?\s+(?:n[°ºr.]*\s?|[Nn][Oo]\s?[.:]\s?)?\d{1,4}\s?[A-Za-z]?"
    r"(?:\s?[-/]\s?\d{1,4}|/[A-Za-z])?\s*[,.)]?$"  # "Atatürk Cad. No:14/A"
)
_NOUGHT = re.compile(r"(?<![^\W_])(?=[\dOo]*\d[\dOo]*\d)[\dOo]{3,}(?![^\W_])")
#: Behind a street's name: its house number.
_HOUSE_BEHIND = re.compile(r"\.? ?\d{1,4} ?[A-Za-z]?(?![\w%])(?![.,]\d)")
#: How surely a word that ends in one for a street is one, before a number.
_COMPOUND = 0.85
#: A mark apart behind a row's last number, or a stroke: the edge of the paper, a speck.
_STRAY_MARK = re.compile(r"(?<=\d) [|:;.\-]$|(?<=\w) ?\|$")
#: An abbreviation of a state has no more letters.
_ABBREVIATION = 3
#: Shorter runs do not show how wide the print is.
_SOME_TEXT = 5
_BRACKETS = re.compile(r"\([^)]*\)")
#: Roles of phrases that are never a name when they cover a run.
TITLES = frozenset(
    [
        "invoice",
        "receipt",
        "footer",
        "header",
        "cashier",
        "receipt_number",
        "column",
        "total",
        "subtotal",
        "tax",
        "total_tax",
        "card",
        "cash",
        "change",
        "date",
        "time",
        "phone",
        "fax",
        "tax_id",
        "loyalty",
        "item_count",
        "discount",
        "savings",
        "balance",
        "not_date",
        "suggested",
        "service",
    ]
)
#: Letters of a title that no shop is called by.
_LONG_TITLE = 12
#: So many East Asian characters for places make an address.
_PLACE_SIGNS = 3
#: Characters of a name with its sign, and so many of them beside a number.
_PLACE_NAME, _PLACE_NAMES = 3, 2


class Segment(Record, frozen=True):
    """A run with what was measured on it.

    rest: its text with entities blanked out; letters, digits: counts in rest; size: height relative to the
    median of the page; roles: weight of each role, scaled by the share of letters it covers; entities: kinds
    of entities on the run; places: kinds of address parts of the region in rest, world: of any region;
    amount: an amount on the row; title_share: the share of its letters that phrases of receipts cover,
    names and addresses apart; breadth: width of a character relative to the median of the page (double
    width is how tills print a name large); whole_place: it is the name of one place and nothing else.
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


class _Scale(NamedTuple):
    """What runs are measured by. height, breadth: the page's medians of text height and of the width of a
    character; left, right: the edges of its text."""

    region: Region
    height: float
    left: float
    right: float
    breadth: float


def measure(
    runs: Sequence[TextRun],
    rows: Sequence[ParsedLine],
    entities: Sequence[Entity],
    region: Region,
) -> tuple[Segment, ...]:
    """Segment of every run, in order."""
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


def _is_title(run: TextRun) -> bool:
    """Whether the run only names the document or greets. A long name of a document is no other name,
    however little it says of which kind it is ("SIMPLIFIED TAX INVOICE")."""
    total = count_letters(run.text)
    return any(
        m.role in ("invoice", "receipt", "header", "footer")
        and (m.weight >= 0.55 or (m.role in ("invoice", "receipt") and len(m.phrase) >= _LONG_TITLE))
        and len(m.phrase) >= 0.9 * total
        for m in run.roles
    )


def _title_share(run: TextRun) -> float:
    if not run.roles:
        return 0.0
    total = count_letters(run.text)
    spans = sorted(
        {(m.start, m.end) for m in run.roles if m.role in TITLES and m.weight >= LIKELY and len(m.phrase) > 2}
    )
    covered = 0
    end = -1
    for start, stop in spans:
        start = max(start, end)
        covered += count_letters(run.text[start - run.start : max(0, stop - run.start)])
        end = max(end, stop)
    return min(1.0, covered / total) if total else 0.0


def _without_titles(rest: str, run: TextRun) -> str:
    """Without "TAX INVOICE" and the like before or behind other words, and what stands in brackets there."""
    spans = [
        (_with_tax(match, run) - run.start, match.end - run.start)
        for match in run.roles
        if match.role in ("invoice", "receipt") and match.weight >= 0.55 and len(match.phrase) >= 5
    ]
    if not spans:
        return rest
    kept = list(rest)
    for start, end in spans:
        kept[start:end] = " " * (end - start)
    for start, end in spans:
        kept[start:end] = rest[start:end]
        before, behind = "".join(kept[:start]), _BRACKETS.sub(" ", "".join(kept[end:]))
        if bool(letters(before)) != bool(letters(behind)):
            kept[start:end] = " " * (end - start)
            if not letters(behind):
                kept[end:] = " " * (len(kept) - end)
    return "".join(kept)


def _kinds(places: Iterable[Place]) -> frozenset[str]:
    """What a text names; a district counts as the city that it is found as."""
    return frozenset([p.kind for p in places if p.kind != "district"])


def _without_street_names(text: str, places: tuple[Place, ...]) -> tuple[Place, ...]:
    """Without a country that a street is called by: "AV BRASIL, 2218"."""
    return tuple(
        p for p in places if p.kind != "country" or term_at_end(text[: p.start], "street", "route") is None
    )


def _without_forms(text: str, places: tuple[Place, ...]) -> tuple[Place, ...]:
    """Without a state that is a company's legal form ("Betriebs AG" is not in Aargau)."""
    if not places:
        return ()
    if all(p.kind == "state" and p.end - p.start <= _ABBREVIATION for p in places) and has_legal_form(text):
        return ()
    return places


def _with_tax(title: RoleMatch, run: TextRun) -> int:
    """Where a title begins, the word for a tax right before it included ("TAX INVOICE")."""
    taxes = (m.start for m in run.roles if m.role in ("tax", "total_tax") and 0 <= title.start - m.end <= 1)
    return min(taxes, default=title.start)


def _is_grouped(amount: AmountReading) -> bool:
    """Whether an amount without decimals has its currency, or its thousands apart ("12,500")."""
    return amount.is_plausible and (amount.currency is not None or not amount.raw.isdigit())


def _without_entities(text: str, row: int, offset: int, entities: Sequence[Entity]) -> str:
    """A text that begins at `offset` of its row, its entities and their labels blanked out."""
    if not entities:
        return text
    kept = list(text)
    for entity in entities:
        if entity.row != row:
            continue
        for i in range(max(0, entity.label_start - offset), min(len(kept), entity.end - offset)):
            kept[i] = " "
    return "".join(kept)


@cache
def _unit_sign() -> re.Pattern[str]:
    """Signs and words for a number, or a place on a highway."""
    return re.compile(rf"^\W*(?:n[°º]|km\b|#|{term_pattern('number')})", re.IGNORECASE)


def _begins_with_unit(text: str) -> bool:
    """Whether a text begins with a word or a sign for a unit, a plot or a number."""
    return _unit_sign().match(text) is not None or term_at_start(text, "plot", "unit") is not None


def _has_place_signs(text: str) -> bool:
    """Whether a text in East Asian characters is made of places: so many signs, or two names that end in one
    and a number ("노원구 동일로 1530")."""
    if text.isascii():
        return False
    signs = [m for m in find_terms(text) if m.term == "place_sign"]
    names = sum(m.end - m.start >= _PLACE_NAME for m in signs)
    numbered = any(map(str.isdigit, text))
    return len(signs) >= _PLACE_SIGNS or (names >= _PLACE_NAMES and numbered)


def _compound_street(text: str, total: int) -> float:
    """How surely a street's name that ends in the word for it, with its house number behind, makes a text an
    address: "Lerchenweg 4". total: letters of the text."""
    for match in find_terms(text):
        length = match.end - match.start
        if match.term != "street" or length <= len(match.phrase) or not _HOUSE_BEHIND.match(text, match.end):
            continue
        return _COMPOUND * min(1.0, 0.35 + 0.65 * length / total)
    return 0.0


def numbers_mended(text: str) -> str:
    """The text with noughts for letters in numbers that have no other letter.

    >>> numbers_mended("4630O Petaling")
    '46300 Petaling'
    """
    return _NOUGHT.sub(lambda m: m.group().replace("O", "0").replace("o", "0"), text)


def _segment(run: TextRun, parsed: ParsedLine, entities: Sequence[Entity], scale: _Scale) -> Segment:
    """entities: those of the run's row."""
    rest = _without_titles(_without_entities(run.text, run.row, run.start, entities), run)
    total = max(1, count_letters(run.text))
    roles: dict[str, float] = {}
    for match in run.roles:
        weight = match.weight * min(1.0, 0.35 + 0.65 * len(match.phrase) / total)
        roles[match.role] = max(weight, roles.get(match.role, 0.0))
    inside = [m for m in entities if m.start < run.end and run.start < m.end]
    amounts = [a for a in parsed.amounts if run.start <= a.start < run.end and a.readings[0].cost < 1.5]
    clean = _STRAY_MARK.sub("", numbers_mended(" ".join(rest.split())))
    places = _without_forms(clean, _without_street_names(clean, find_places(clean, scale.region)))
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
        world=_kinds(_without_street_names(clean, find_world(clean))),
        amount=any(a.decimals > 0 or _is_grouped(a) for a in amounts),
        number_first=digits > 0 and _NUMBER_FIRST.search(clean) is not None,
        number_last=digits > 0 and _NUMBER_LAST.search(clean) is not None,
        unit_first=_begins_with_unit(clean),
        code=(digits > 0 and has_any_code(clean)) or _has_place_signs(clean),
        center=((run.left + run.right) / 2 - scale.left) / width,
        share=(run.right - run.left) / width,
        titled=_is_title(run),
        title_share=_title_share(run),
        breadth=_breadth(run) / scale.breadth,
        whole_place=any(p.start == 0 and p.end >= len(clean.rstrip(" .,")) for p in places),
    )
