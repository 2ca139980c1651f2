"""Computes the features of every confidence: the evidence for and against a value.

Each feature set is a struct, so that a model file can be checked against it. Values are about 0 to 1, or
log-odds.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from decimal import Decimal
from statistics import median

from receipt_engine.document import (
    AmountReading,
    Char,
    Chosen,
    DateChoice,
    Equation,
    EquationKind,
    Family,
    Found,
    Ledger,
    ParsedLine,
    Record,
    RegionGuess,
    TermKind,
)

_BY_CASH = frozenset((EquationKind.CASH_LESS_CHANGE, EquationKind.TENDERS))
_BY_TAX = frozenset((EquationKind.TAX_TABLE, EquationKind.NET_AND_TAX))
#: Families of equations counted at most. A fiscal code alone counts as much: it is read without doubt and
#: contains no misread text.
_FAMILIES = 3
#: Equations that do not close counted at most.
_MOST_CONTRADICTIONS = 2
#: Costs and margins are clipped to these.
_MOST_COST, _MOST_MARGIN = 3.0, 10.0
#: The score where no character is known.
_UNREAD = 0.5
#: The smallest doubt (1 − score) of a digit that counts, as scores end about there; and its −log10.
_LEAST_DOUBT, _CLEAREST = 1e-3, 3.0
#: Field → kinds of the terms that its amounts form in equations.
TERMS: dict[str, frozenset[TermKind]] = {
    "total": frozenset((TermKind.TOTAL,)),
    "subTotal": frozenset((TermKind.SUBTOTAL, TermKind.NET)),
    "taxes": frozenset((TermKind.TAX, TermKind.TOTAL_TAX, TermKind.UNNAMED)),
    "tip": frozenset((TermKind.TIP,)),
    "serviceCharges": frozenset((TermKind.SERVICE,)),
    "discounts": frozenset((TermKind.DISCOUNT,)),
    "rounding": frozenset((TermKind.ROUNDING,)),
    "cash": frozenset((TermKind.CASH, TermKind.TENDERED)),
    "change": frozenset((TermKind.CHANGE, TermKind.RETURNED)),
}
#: Further kinds that prove a field: a subtotal may be the sum of the items, or equal the total.
_SAME_AS: dict[str, frozenset[TermKind]] = {"subTotal": frozenset((TermKind.ITEMS, TermKind.TOTAL))}


class TotalFeatures(Record, frozen=True):
    """Features of the total. Those named after equations are 1 when one of the kind closes around it."""

    margin: float = 0.0  # cost difference to the runner-up, as a share of `_MOST_MARGIN`
    subtotal: float = 0.0
    items: float = 0.0
    cash: float = 0.0
    card: float = 0.0
    table: float = 0.0
    included_tax: float = 0.0
    repeated: float = 0.0
    proofs: float = 0.0  # share of the families of equations that prove it
    contradicted: float = 0.0  # equations over it that do not close, where others prove it
    contradicted_alone: float = 0.0  # the same where none proves it
    label: float = 0.0  # weight with which its words name a total
    reading_cost: float = 0.0  # of the cheapest reading of its characters
    score: float = 0.0  # the lowest recognition score of its characters
    repaired: float = 0.0  # it was misread and repaired
    height: float = 0.0  # of its row, relative to the median row
    summary: float = 0.0  # it stands in the totals block
    region: float = 0.0  # probability of the region whose rules it was read by
    legibility: float = 0.0  # mean recognition score of the page


class AmountFeatures(Record, frozen=True):
    """Features of every other amount, named as those of the total."""

    proved: float = 0.0
    proofs: float = 0.0
    contradicted: float = 0.0
    contradicted_alone: float = 0.0
    label: float = 0.0
    reading_cost: float = 0.0
    score: float = 0.0
    repaired: float = 0.0
    total_proofs: float = 0.0  # share of the families that prove the total
    region: float = 0.0
    legibility: float = 0.0


class DateFeatures(Record, frozen=True):
    """finder: log-odds that `dating` gives the date. time: the date has a time."""

    finder: float = 0.0
    time: float = 0.0


class FoundFeatures(Record, frozen=True):
    """Features of a value for which its finder gave an estimate. finder: that estimate, as log-odds."""

    finder: float = 0.0


class PhoneFeatures(Record, frozen=True):
    """finder: as in `FoundFeatures`. weakest: how clearly its least clear digit was read, 0 to 1."""

    finder: float = 0.0
    weakest: float = 0.0


class PageFeatures(Record, frozen=True):
    """Features of the whole page, see `TotalFeatures`."""

    region: float
    legibility: float


def page_features(rows: tuple[ParsedLine, ...], regions: Sequence[RegionGuess]) -> PageFeatures:
    """The probability of the region, and the mean recognition score weighted by row length."""
    lengths = [len(row.text) for row in rows]
    read = sum(row.line.score * length for row, length in zip(rows, lengths, strict=True))
    return PageFeatures(regions[0].probability if regions else 0.0, read / max(1, sum(lengths)))


def total_features(ledger: Ledger, rows: tuple[ParsedLine, ...], page: PageFeatures) -> TotalFeatures:
    """The features of the total; one without an entry counts as read without doubt."""
    total = ledger.total
    if total is None:
        return TotalFeatures()
    closed = {e.kind for e in ledger.equations if e.verdict in ("proved", "consistent")}
    entry = total.entry
    families, against = _families(ledger), _contradictions(ledger, "total")
    return TotalFeatures(
        margin=min(ledger.margin, _MOST_MARGIN) / _MOST_MARGIN,
        subtotal=float(EquationKind.SUBTOTAL in closed),
        items=float(EquationKind.ITEMS in closed),
        cash=float(not closed.isdisjoint(_BY_CASH)),
        card=float(EquationKind.CARD in closed),
        table=float(not closed.isdisjoint(_BY_TAX)),
        included_tax=float(EquationKind.INCLUDED_TAX in closed),
        repeated=float(EquationKind.REPEATED in closed),
        proofs=_proofs(ledger),
        contradicted=against if families else 0.0,
        contradicted_alone=0.0 if families else against,
        label=entry.weight("total") if entry else 1.0,
        reading_cost=min(_MOST_COST, entry.amount.readings[0].cost) if entry else 0.0,
        score=amount_score(rows, entry.line, entry.amount) if entry else 1.0,
        repaired=float(total.printed is not None),
        height=_relative_height(rows, entry.line) if entry else 1.0,
        summary=float(entry is None or entry.zone == "summary"),
        region=page.region,
        legibility=page.legibility,
    )


def amount_features(
    ledger: Ledger, field: str, chosen: Chosen, rows: tuple[ParsedLine, ...], page: PageFeatures
) -> AmountFeatures:
    """The features of any other amount. field: as in the contract."""
    proving, entry = _proving(ledger, field, chosen), chosen.entry
    proved, proofs = float(is_proved(ledger, field, chosen)), min(len(proving), _FAMILIES) / _FAMILIES
    if entry is None:
        return AmountFeatures(
            proved=proved,
            proofs=proofs,
            reading_cost=min(_MOST_COST, chosen.cost),
            region=page.region,
            legibility=page.legibility,
        )
    against = _contradictions(ledger, field)
    return AmountFeatures(
        proved=proved,
        proofs=proofs,
        contradicted=against if proving else 0.0,
        contradicted_alone=0.0 if proving else against,
        label=max((w for _, w in entry.roles), default=0.0),
        reading_cost=min(_MOST_COST, entry.amount.readings[0].cost),
        score=amount_score(rows, entry.line, entry.amount),
        repaired=float(chosen.printed is not None),
        total_proofs=_proofs(ledger),
        region=page.region,
        legibility=page.legibility,
    )


def date_features(date: DateChoice) -> DateFeatures:
    """The features of the date."""
    return DateFeatures(log_odds(date.confidence), float(date.time is not None))


def found_features(found: Found) -> FoundFeatures:
    """The features of a value for which its finder gave an estimate."""
    return FoundFeatures(log_odds(found.confidence))


def phone_features(found: Found, rows: tuple[ParsedLine, ...]) -> PhoneFeatures:
    """The features of the telephone number. It has no check digits, so its weakest digit counts."""
    digits = [char for row in found.lines for char in _characters(rows[row]) if char.text.isdigit()]
    wanted = "".join(char for char in found.value if char.isdigit())
    start = "".join(char.text for char in digits).find(wanted)
    own = digits[start : start + len(wanted)] if start >= 0 else digits  # a zero may be read as a letter
    doubt = 1.0 - min((char.score for char in own), default=_UNREAD)
    return PhoneFeatures(log_odds(found.confidence), -math.log10(max(doubt, _LEAST_DOUBT)) / _CLEAREST)


def log_odds(share: float) -> float:
    """ln(p / (1 − p)), within ±6."""
    bounded = min(0.9975, max(0.0025, share))
    return math.log(bounded / (1 - bounded))


def is_proved(ledger: Ledger, field: str, chosen: Chosen) -> bool:
    """Whether an equation over independent amounts supports a value of a field.

    A repaired value needs two, of different families, or a fiscal code, which has its own error detection. No
    total is proved while a code states another one.
    """
    proving = _proving(ledger, field, chosen)
    verdicts = {e.verdict for e in ledger.equations if e.kind.family == "coded"}
    if field == "total" and "contradicted" in verdicts:
        return False
    return "coded" in proving or len(proving) > (chosen.printed is not None)


def _proving(ledger: Ledger, field: str, chosen: Chosen) -> set[Family | EquationKind]:
    """The families of the equations that prove this value of a field."""
    kinds = TERMS[field] | _SAME_AS.get(field, frozenset())
    return {
        e.kind.family or e.kind
        for e in ledger.equations
        if _proves(e) and abs(chosen.value) in _terms(e, kinds)
    }


def _families(ledger: Ledger) -> set[Family]:
    """The families of the equations that prove the total."""
    proving = (e for e in ledger.equations if _proves(e) and _terms(e, TERMS["total"]))
    return {e.kind.family for e in proving if e.kind.family is not None}


def _proofs(ledger: Ledger) -> float:
    """Families that prove the total, as a share of `_FAMILIES`; 1 where a fiscal code agrees."""
    proved = any(e.kind.family == "coded" and e.verdict in ("proved", "consistent") for e in ledger.equations)
    return 1.0 if proved else min(len(_families(ledger)), _FAMILIES) / _FAMILIES


def _proves(equation: Equation) -> bool:
    return equation.verdict == "proved" and equation.residual == 0


def _terms(equation: Equation, kinds: frozenset[TermKind]) -> list[Decimal]:
    """The absolute amounts of an equation's terms of some kinds."""
    return [abs(term.value) for term in equation.terms if term.kind in kinds]


def _contradictions(ledger: Ledger, field: str) -> float:
    """The number of equations over a field that do not close, as a share of `_MOST_CONTRADICTIONS`."""
    against = sum(e.verdict == "contradicted" and bool(_terms(e, TERMS[field])) for e in ledger.equations)
    return min(against, _MOST_CONTRADICTIONS) / _MOST_CONTRADICTIONS


def amount_score(rows: tuple[ParsedLine, ...], line: int, amount: AmountReading) -> float:
    """The lowest recognition score of the amount's characters, 0 to 1."""
    scores = (char.score for char in rows[line].line.chars(amount.start, amount.end))
    return min(scores, default=_UNREAD)


def _characters(row: ParsedLine) -> Iterator[Char]:
    """The recognised characters of a row."""
    return (char for word in row.line.words for char in word.chars if char.text)


def _relative_height(rows: tuple[ParsedLine, ...], line: int) -> float:
    """Height of a row relative to the median row, 0 to 2: totals are often printed larger."""
    if not rows:
        return 1.0
    usual = median(row.line.height for row in rows)
    return min(2.0, rows[line].line.height / usual) if usual else 1.0
