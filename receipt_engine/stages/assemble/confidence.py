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

from receipt_engine import assets
from receipt_engine.document import AmountReading, Chosen, DateChoice, Equation, Found, Ledger, ParsedLine
from receipt_engine.errors import ModelError

#: Without proof, a value stays below the contract's 0.99 however sure its features are.
_UNPROVED_CAP = 0.985
_CAP = 0.999


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
    names = [e.name for e in ledger.equations if e.verdict in ("proved", "consistent")]
    entry = total.entry
    return {
        "margin": min(ledger.margin, 10.0) / 10,
        "subtotal": float("subtotal + adjustments = total" in names),
        "items": float("items + adjustments = total" in names),
        "cash": float("cash − change = total" in names or "tenders = total" in names),
        "card": float("card = total" in names),
        "table": float("tax table = total" in names or "net + tax = total" in names),
        "included_tax": float("tax included in total" in names),
        "repeated": float("total repeated" in names),
        "proofs": len(_families(ledger, "total")) / len(set(_FAMILIES.values())),
        "contradicted": _contradicted(ledger, "total"),
        "label": entry.weight("total"),
        "reading_cost": min(3.0, entry.amount.readings[0].cost),
        "score": amount_score(rows, entry.line, entry.amount),
        "repaired": float(total.printed is not None),
        "height": _relative_height(rows, entry.line),
        "summary": float(entry.zone == "summary"),
    }


#: What an equation rests on: equations of different families share nothing but the total.
_FAMILIES: dict[str, str] = {
    "subtotal + adjustments = total": "bought",
    "items + adjustments = total": "bought",
    "items = subtotal": "bought",
    "parts = total": "bought",
    "cash − change = total": "paid",
    "tenders = total": "paid",
    "card = total": "paid",
    "tax table = total": "taxed",
    "net + tax = total": "taxed",
}
#: Fields and the names that their amounts have in equations.
TERMS: dict[str, frozenset[str]] = {
    "total": frozenset(("total",)),
    "subTotal": frozenset(("subtotal", "net")),
    "taxes": frozenset(("tax", "total_tax", "unnamed")),
    "tip": frozenset(("tip",)),
    "serviceCharges": frozenset(("service",)),
    "discounts": frozenset(("discount",)),
    "rounding": frozenset(("rounding",)),
    "cash": frozenset(("cash", "tendered")),
    "change": frozenset(("change", "returned")),
}


def _families(ledger: Ledger, field: str) -> set[str]:
    """The families of the equations that prove the amounts of a field."""
    return {
        _FAMILIES[e.name]
        for e in ledger.equations
        if e.verdict == "proved" and e.residual == 0 and e.name in _FAMILIES and _terms(e, TERMS[field])
    }


#: A subtotal is also proved by products that add up to it, or as the total that nothing is added to.
_SAME_AS: dict[str, frozenset[str]] = {"subTotal": frozenset(("items", "total"))}


def _terms(equation: Equation, names: frozenset[str]) -> list[Decimal]:
    """The amounts of an equation that have one of the names: "tax 7 %" is a tax."""
    return [abs(v) for name, v in equation.terms if (name.split() or [""])[0] in names]


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
    names = TERMS[field] | _SAME_AS.get(field, frozenset())
    proving = {
        _FAMILIES.get(e.name, e.name)
        for e in ledger.equations
        if e.verdict == "proved" and e.residual == 0 and abs(chosen.value) in _terms(e, names)
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
        "total_proofs": len(_families(ledger, "total")) / len(set(_FAMILIES.values())),
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
