"""Splits rows into text runs where a wide gap separates columns. Names and addresses are built from runs.
Finds document titles, greetings and other words about the sale in a run."""

from __future__ import annotations

import re
from collections.abc import Sequence

from receipt_engine.document import Line, ParsedLine, Record, RoleMatch, Sheet, Word, Zone
from receipt_engine.region import Term
from receipt_engine.scoring.certainty import LIKELY
from receipt_engine.stages.merchant.store_numbers import without_store_number
from receipt_engine.vocabulary import find_terms, has_term, term_at_end, term_at_start
from receipt_engine.vocabulary.brands import telling_brand
from receipt_engine.vocabulary.legal_forms import has_legal_form, is_legal_form
from receipt_engine.vocabulary.normalise import count_letters, letters
from receipt_engine.vocabulary.trades import trade_share
from receipt_engine.vocabulary.wide_labels import wide_label

#: A gap at least this many text heights wide separates columns.
_WIDE_GAP = 2.2
#: A gap also separates when it is this many times the row's median gap and at least _NARROW heights wide.
_OUTLIER = 3.0
_NARROW = 1.5
#: A house number that begins a street behind a name.
_NUMBER_FIRST = re.compile(r"\d{1,5}[A-Za-z]?(?:[-/]\d{1,4}[A-Za-z]?)?,?$")
#: A house number behind a street's name.
_HOUSE = re.compile(r"\d{1,4}[A-Za-z]?,?$")
_LONG_HOUSE = re.compile(r"\d{3,5} [^\W\d_][^\d]*$")
#: Most words of a chain's name before a street.
_WORDS_OF_CHAIN = 3
#: Between the parts of a sender's line; a comma or semicolon stands behind a word.
_BETWEEN = ("·", "•", "|", "*", "-", "–", ",", ";")
_POSTCODE = re.compile(r"(?<!\d)\d{4,6}(?!\d)")
_WORD = re.compile(r"[^\W\d_]{3}")
#: Behind a word for a unit: one or several numbers.
_UNIT_BEHIND = re.compile(r"[.:#°º ]*[A-Za-z]?-?\d{1,4}[A-Za-z]?(?: ?[/&,-] ?[A-Za-z]?\d{1,4}[A-Za-z]?)*\W*")
#: Words for parts of addresses.
_PARTS: tuple[Term, ...] = ("building", "customer", "plot", "street", "table", "unit")
#: Roles of phrases that are never a name when they cover a run.
TITLES = frozenset((
    "invoice", "receipt", "footer", "header", "cashier", "receipt_number", "void", "column", "rounding",
    "total", "subtotal", "tax", "total_tax", "card", "cash", "change", "date", "time", "phone", "fax",
    "tax_id", "loyalty", "item_count", "discount", "savings", "balance", "not_date", "suggested", "service",
))  # fmt: skip
#: A document title with at least this many letters is never a shop's name.
_LONG_TITLE = 12
_BRACKETS = re.compile(r"\([^)]*\)")


class TextRun(Record, frozen=True):
    """Words of one row without a wide gap between them.

    row: index of the row; start, end: offsets in its text; left, right, top, bottom: edges in the reading
    frame; height: median word height; score: mean character score; roles: key phrases inside, with offsets in
    the row's text.
    """

    row: int
    start: int
    end: int
    text: str
    left: float
    right: float
    top: float
    bottom: float
    height: float
    score: float
    zone: Zone
    roles: tuple[RoleMatch, ...]


def cut(rows: Sequence[ParsedLine], sheet: Sheet, country: str) -> tuple[TextRun, ...]:
    """All runs, row by row, left to right. country: the code of the region, for the chains known there."""
    runs: list[TextRun] = []
    sold = {line for item in sheet.items for line in item.lines}  # a name may stand above the products' zone
    for index, parsed in enumerate(rows):
        start = 0
        for words in _runs(parsed.line, country, heads=not runs):
            end = start + sum(len(w.text) for w in words) + len(words) - 1
            roles = tuple(m for m in sheet.roles[index] if start <= m.start and m.end <= end)
            zone = "items" if index in sold else sheet.zones[index]
            runs.append(_text_run(index, words, start, end, zone, roles))
            start = end + 1
    return tuple(runs)


def _runs(line: Line, country: str, *, heads: bool) -> list[list[Word]]:
    """The words between wide gaps. Wide is a multiple of the text height, or of the row's other gaps. heads:
    whether the row is the page's first."""
    gaps = sorted(b.left - a.right for a, b in zip(line.words, line.words[1:], strict=False))
    height = line.height
    usual = gaps[len(gaps) // 2] if len(gaps) >= 3 else height
    blank = _WIDE_GAP * height
    if usual < _NARROW * height:
        blank = min(blank, max(_NARROW * height, _OUTLIER * usual))
    runs: list[list[Word]] = []
    label = wide_label(" ".join([word.text for word in line.words]))
    place = 0
    for word in line.words:
        labelled = label is not None and place <= label.end
        if runs and (labelled or word.left - runs[-1][-1].right < blank):
            runs[-1].append(word)
        else:
            runs.append([word])
        place += len(word.text) + 1
    wholes = [
        whole
        for run in runs
        for sender in _without_sender(run)
        for whole in _without_company(sender, heads=heads)
    ]
    wholes = [part for whole in wholes for part in _parted(whole, heads=heads)]
    return [part for whole in wholes for part in _without_chain(whole, country)]


def _without_sender(words: list[Word]) -> list[list[Word]]:
    """Splits the sender from the address in the line that letters print above the recipient, for the window
    of the envelope: "Kettle GmbH · Lindenweg 4 · 35037 Marburg"."""
    texts = [word.text for word in words]
    cuts = [at for at, text in enumerate(texts) if text in _BETWEEN or text.endswith(_BETWEEN)]
    if len(cuts) < 2 or (cuts[0] == 0 and texts[0] in _BETWEEN):
        return [words]
    after = cuts[0] + 1
    lead, street, place = (
        " ".join(texts[a:b]) for a, b in ((0, after), (after, cuts[1] + 1), (cuts[1] + 1, None))
    )
    numbered = any(map(str.isdigit, street)) and _WORD.search(street) is not None
    placed = _POSTCODE.search(place) is not None and _WORD.search(place) is not None
    if any(map(str.isdigit, lead)) or not numbered or not placed:
        return [words]
    if has_term(lead, *_PARTS) or is_legal_form(street.split()[0]):  # a building; "Kettle, Inc."
        return [words]
    return [words[:after], words[after:]]


def _without_company(words: list[Word], *, heads: bool) -> list[list[Word]]:
    """Splits a company's name, up to its legal form and the sign behind it, from the street behind it in the
    row: "Kettle d.o.o., Mlinska ulica 4", "Kettle SA - 4 rue du Moulin", "Tetera S.L. Calle Mayor 4". Or any
    name that heads the page from its unit: "Kettle Cafe - Unit 4"."""
    for at in range(len(words) - 1):
        if not words[at].text.endswith((*_BETWEEN, ".")):
            continue
        lead = " ".join([word.text for word in words[: at + 1]])
        rest = " ".join([word.text for word in words[at + 1 :]])
        numbered = any(map(str.isdigit, rest)) and not any(map(str.isdigit, lead))
        unit = term_at_start(rest, "unit", "plot") if heads and numbered and _WORD.search(lead) else None
        if unit is not None and _UNIT_BEHIND.fullmatch(rest, unit.end) and not has_term(lead, *_PARTS):
            return [words[: at + 1], words[at + 1 :]]
        company = has_legal_form(lead.rstrip(" ·•|*–-")) and not is_legal_form(words[at + 1].text)
        if numbered and company:
            return [words[: at + 1], words[at + 1 :]] if has_term(rest, "street") or "," in rest else [words]
    return [words]


def _parted(words: list[Word], *, heads: bool) -> list[list[Word]]:
    """Splits a company's name from the street behind its legal form in the same row: "Kettle Ltd 14 Larch
    Hill". A name with a trade word before a number and a street is split likewise, and any two words before
    them that head the page."""
    for at in range(1, len(words) - 1):
        if _NUMBER_FIRST.match(words[at].text) is None:
            continue
        lead = " ".join([word.text for word in words[:at]])
        rest = " ".join([word.text for word in words[at:]])
        if any(map(str.isdigit, lead)) or _WORD.search(rest) is None:
            return [words]
        street = has_term(rest, "street")
        if heads and at > 1 and _ends_in_street(rest):
            return [words[:at], words[at:]]
        if has_term(lead, *_PARTS):
            return [words]
        company = has_legal_form(lead) and street
        shop = street and trade_share(lead) > 0 and at > 1
        return [words[:at], words[at:]] if company or shop else [words]
    return [words]


def _ends_in_street(text: str) -> bool:
    """Whether a text is a house number of three digits or more, a name and a word for a street."""
    return _LONG_HOUSE.match(text) is not None and term_at_end(text.rstrip(" .,"), "street") is not None


def _without_chain(words: list[Word], country: str) -> list[list[Word]]:
    """Splits a chain's name from the street behind it in the row, if that is one word ("KETTLE Larkkatu 4
    Oulu") or a store number parts them ("Kettle #0417 440 US 60"): other streets may have a chain's name."""
    texts = [word.text for word in words]
    if not any(map(str.isdigit, " ".join(texts[1:]))):
        return [words]
    for at in range(1, min(len(texts) - 1, _WORDS_OF_CHAIN + 1)):
        lead, rest = " ".join(texts[:at]), " ".join(texts[at:])
        name = without_store_number(lead)
        if telling_brand(name, country) is None:
            continue
        found = (m for m in find_terms(rest) if m.term == "street")
        compound = any(len(m.phrase) < m.end == len(texts[at]) for m in found)
        street = compound and _HOUSE.match(texts[at + 1]) is not None
        numbered = name != lead and _NUMBER_FIRST.match(texts[at]) is not None
        if street or (numbered and any(map(str.isalpha, rest))):
            return [words[:at], words[at:]]
    return [words]


def _text_run(
    row: int, words: list[Word], start: int, end: int, zone: Zone, roles: tuple[RoleMatch, ...]
) -> TextRun:
    heights = sorted([w.bottom - w.top for w in words])
    size = max(1, sum([len(w.text) for w in words]))
    return TextRun(
        row=row,
        start=start,
        end=end,
        text=" ".join(w.text for w in words),
        left=words[0].left,
        right=words[-1].right,
        top=min([w.top for w in words]),
        bottom=max([w.bottom for w in words]),
        height=heights[len(heights) // 2],
        score=sum([w.score * len(w.text) for w in words]) / size,
        zone=zone,
        roles=roles,
    )


def is_title(run: TextRun) -> bool:
    """Whether the run is only a document title or a greeting. A long title counts even with a low weight for
    its kind of document ("SIMPLIFIED TAX INVOICE")."""
    total = count_letters(run.text)
    return any(
        m.role in ("invoice", "receipt", "header", "footer")
        and (m.weight >= 0.55 or (m.role in ("invoice", "receipt") and len(m.phrase) >= _LONG_TITLE))
        and len(m.phrase) >= 0.9 * total
        for m in run.roles
    )


def title_share(run: TextRun) -> float:
    """The share of a run's letters that phrases about the sale cover (`TITLES`)."""
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


def without_titles(rest: str, run: TextRun) -> str:
    """The text without "TAX INVOICE" and the like before or behind other words, and bracketed text behind."""
    spans = [
        (_with_tax(match, run) - run.start, match.end - run.start)
        for match in run.roles
        if match.role in ("invoice", "receipt") and match.weight >= 0.55 and len(match.phrase) >= 5
    ]
    if not spans or term_at_start(rest, "welcome") is not None:  # "Receipt from Kettle"
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


def _with_tax(title: RoleMatch, run: TextRun) -> int:
    """Start of a title, including a word for a tax right before it ("TAX INVOICE")."""
    taxes = (m.start for m in run.roles if m.role in ("tax", "total_tax") and 0 <= title.start - m.end <= 1)
    return min(taxes, default=title.start)
