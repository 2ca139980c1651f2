"""Confidence: a probability from what supports a value, by weights fitted on labelled receipts.

Each value has a few features, each about 0 to 1 or a logarithm; a logistic function of their weighted
sum is the probability. The weights are in `models/confidence.toml`, written by
`scripts/fit_confidence.py` from data that no rule was tuned on.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from statistics import median
from typing import get_args

from receipt_engine import assets
from receipt_engine.document import (
    AmountReading,
    Chosen,
    DateChoice,
    Equation,
    EquationKind,
    Family,
    Found,
    Ledger,
    ParsedLine,
    TermKind,
)
from receipt_engine.errors import ModelError

#: Without proof, a value stays below the contract's 0.99 however sure its features are.
_UNPROVED_CAP = 0.985
_CAP = 0.999
_BY_CASH = frozenset((EquationKind.CASH_LESS_CHANGE, EquationKind.TENDERS))
_BY_TAX = frozenset((EquationKind.TAX_TABLE, EquationKind.NET_AND_TAX))


def probability(kind: str, features: Mapping[str, float], *, proved: bool) -> float:
    """The calibrated probability that a value of this kind is right."""
    weights = _weights()[kind]
    z = weights["bias"] + sum(weights.get(name, 0.0) * value for name, value in features.items())
    raw = 1 / (1 + math.exp(-max(-30.0, min(30.0, z))))
    return round(min(raw, _CAP if proved else _UNPROVED_CAP), 4)


@cache
def _weights() -> dict[str, dict[str, float]]:
    path = assets.model_file("confidence.toml")
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ModelError(f"{path}: {error}") from error


def amount_score(rows: tuple[ParsedLine, ...], line: int, amount: AmountReading) -> float:
    """The lowest recognition score of the amount's characters, 0 to 1."""
    offset = 0
    scores = []
    for word in rows[line].line.words:
        for position, char in enumerate(c for c in word.chars if c.text):
            if amount.start <= offset + position < amount.end:
                scores.append(char.score)
        offset += len(word.text) + 1
    return min(scores, default=0.5)


def total_features(ledger: Ledger, rows: tuple[ParsedLine, ...]) -> dict[str, float]:
    """What supports the total."""
    total = ledger.total
    if total is None or total.entry is None:
        return {}
    closed = {e.kind for e in ledger.equations if e.verdict in ("proved", "consistent")}
    entry = total.entry
    return {
        "margin": min(ledger.margin, 10.0) / 10,
        "subtotal": float(EquationKind.SUBTOTAL in closed),
        "items": float(EquationKind.ITEMS in closed),
        "cash": float(not closed.isdisjoint(_BY_CASH)),
        "card": float(EquationKind.CARD in closed),
        "table": float(not closed.isdisjoint(_BY_TAX)),
        "included_tax": float(EquationKind.INCLUDED_TAX in closed),
        "repeated": float(EquationKind.REPEATED in closed),
        "proofs": len(_families(ledger, "total")) / _FAMILIES,
        "contradicted": _contradicted(ledger, "total"),
        "label": entry.weight("total"),
        "reading_cost": min(3.0, entry.amount.readings[0].cost),
        "score": amount_score(rows, entry.line, entry.amount),
        "repaired": float(total.printed is not None),
        "height": _relative_height(rows, entry.line),
        "summary": float(entry.zone == "summary"),
    }


#: How many families of equations there are.
_FAMILIES = len(get_args(Family))
#: Fields and what their amounts are in equations.
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
#: A subtotal is also proved by products that add up to it, or as the total that nothing is added to.
_SAME_AS: dict[str, frozenset[TermKind]] = {"subTotal": frozenset((TermKind.ITEMS, TermKind.TOTAL))}


def _families(ledger: Ledger, field: str) -> set[Family]:
    """The families of the equations that prove the amounts of a field."""
    proving = (e for e in ledger.equations if _proves(e) and _terms(e, TERMS[field]))
    return {e.kind.family for e in proving if e.kind.family is not None}


def _proves(equation: Equation) -> bool:
    return equation.verdict == "proved" and equation.residual == 0


def _terms(equation: Equation, kinds: frozenset[TermKind]) -> list[Decimal]:
    """The amounts of an equation that are of some kinds."""
    return [abs(term.value) for term in equation.terms if term.kind in kinds]


def _contradicted(ledger: Ledger, field: str) -> float:
    """Share, of three, of the equations about a field that do not close."""
    against = sum(e.verdict == "contradicted" and bool(_terms(e, TERMS[field])) for e in ledger.equations)
    return min(against, 3) / 3


def _relative_height(rows: tuple[ParsedLine, ...], line: int) -> float:
    """Height of a row against the usual one, 0 to 2: totals are often printed larger."""
    if not rows:
        return 1.0
    usual = median(row.line.height for row in rows)
    return min(2.0, rows[line].line.height / usual) if usual else 1.0


def is_proved(ledger: Ledger, field: str, chosen: Chosen) -> bool:
    """Whether an equation over independent amounts supports a value of a field; a value that was repaired
    needs two, of different families."""
    kinds = TERMS[field] | _SAME_AS.get(field, frozenset())
    proving = {
        e.kind.family or e.kind
        for e in ledger.equations
        if _proves(e) and abs(chosen.value) in _terms(e, kinds)
    }
    return len(proving) > (chosen.printed is not None)


def amount_features(
    ledger: Ledger, field: str, chosen: Chosen, rows: tuple[ParsedLine, ...]
) -> dict[str, float]:
    """What supports any other amount."""
    proved = float(is_proved(ledger, field, chosen))
    entry = chosen.entry
    if entry is None:
        return {"proved": proved, "reading_cost": min(3.0, chosen.cost)}
    return {
        "proved": proved,
        "contradicted": _contradicted(ledger, field),
        "label": max((w for _, w in entry.roles), default=0.0),
        "reading_cost": min(3.0, entry.amount.readings[0].cost),
        "score": amount_score(rows, entry.line, entry.amount),
        "repaired": float(chosen.printed is not None),
        "total_proofs": len(_families(ledger, "total")) / _FAMILIES,
    }


def found_features(found: Found) -> dict[str, float]:
    """What supports a value that a finder gave its own estimate for: that estimate, as log-odds."""
    return {"finder": log_odds(found.confidence)}


def date_features(date: DateChoice) -> dict[str, float]:
    """As `found_features`, with whether a time stands with the date."""
    return {"finder": log_odds(date.confidence), "time": float(date.time is not None)}


def log_odds(share: float) -> float:
    """ln(p / (1 − p)), within ±6."""
    bounded = min(0.9975, max(0.0025, share))
    return math.log(bounded / (1 - bounded))
