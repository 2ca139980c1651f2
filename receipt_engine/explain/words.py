"""Puts decisions into plain words: reasons instead of features, likelihoods instead of costs."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from receipt_engine.document import AmountReading, Equation, Ledger, RoleMatch
from receipt_engine.result import Result

#: Confidence features in plain words; `stages/assemble/features.py` says how each is measured.
MEANINGS = {
    "margin": "far ahead of any other total",
    "subtotal": "subtotal and adjustments add up to it",
    "items": "the products add up to it",
    "cash": "cash given minus change equals it",
    "card": "the card was charged this amount",
    "table": "the tax table adds up to it",
    "included_tax": "the tax is the right share of it",
    "repeated": "it is printed more than once",
    "proved": "an equation proves it",
    "proofs": "independent equations prove it",
    "total_proofs": "the receipt's total is proved",
    "contradicted": "one equation does not add up, others do",
    "contradicted_alone": "equations do not add up and none proves it",
    "label": "the words next to it name it",
    "reading_cost": "unusual characters for an amount",
    "score": "its characters were read clearly",
    "repaired": "a misread character was corrected",
    "height": "it is printed in large type",
    "summary": "it is among the totals",
    "region": "the country is known",
    "legibility": "the page was read clearly",
    "finder": "its position and form fit",
    "weakest": "even its least clear digit was read clearly",
    "time": "a time is printed with it",
}
#: Why a Result may have a lower confidence than its features give.
LIMITED = "another receipt is next to it, or much of the page could not be read"
#: Difference in cost from the best reading, from which each wording applies.
_LIKELY = ((6.0, "very unlikely"), (3.0, "unlikely"), (1.0, "less likely"), (0.0, "nearly as likely"))
_ROLES = ((0.7, ""), (0.4, "perhaps "), (0.0, "probably not "))
#: The interface calls values reliable from this confidence on.
_RELIABLE = 0.9
#: Fields that every receipt has.
_ALWAYS = ("establishment", "date", "total")
_NAMES = {"establishment": "merchant name"}


def likelihood(more: float) -> str:
    """The wording for a reading that costs `more` than the best one.

    >>> likelihood(0.2), likelihood(4)
    ('nearly as likely', 'unlikely')
    """
    return next(word for least, word in _LIKELY if more >= least or not least)


def roles(matches: tuple[RoleMatch, ...]) -> str:
    """The roles that the words of a row may indicate, the likeliest first."""
    named = sorted(matches, key=lambda match: -match.weight)
    parts = (
        f"{next(word for least, word in _ROLES if m.weight >= least)}{m.role.replace('_', ' ')}"
        for m in named
    )
    return ", ".join(dict.fromkeys(parts))


def readings(amount: AmountReading) -> str:
    """An amount's readings as text, the cheapest first."""
    first, *others = amount.readings[:3]
    parts = [f"or {m.value}, {likelihood(m.cost - first.cost)} ({m.rule})" for m in others]
    return " ".join((str(first.value), *parts))


def relation(equation: Equation) -> str:
    """An equation as text: its terms and the amount they add up to."""
    *parts, last = equation.terms
    if not parts:
        return f"{_short(abs(last.value))} {last.text}, and nothing to compare it with"
    left = " ".join(
        f"{'−' if t.value < 0 else '+' if i else ''}{' ' if i else ''}{_short(abs(t.value))} {t.text}"
        for i, t in enumerate(parts)
    )
    return f"{left} {_sign(equation)} {_short(-last.value)} {last.text}"


def _sign(equation: Equation) -> str:
    """The relation sign: sums rounded to the printed digits nearly close; contradicted ones do not."""
    return "≠" if equation.verdict == "contradicted" else "=" if not equation.residual else "≈"


def _short(value: Decimal) -> str:
    return f"{round(value, 4) if -value.as_tuple().exponent > 4 else value}"  # type: ignore[operator]


def checks(result: Result, ledger: Ledger) -> list[str]:
    """Sentences about what a person should check, most important first; empty when all is reliable."""
    evidence: dict[str, Any] = result.evidence or {}
    found = [f"No {_NAMES.get(name, name)} was found." for name in _ALWAYS if getattr(result, name) is None]
    doubtful = sorted((one for one in judged_fields(result) if one[1] < _RELIABLE), key=lambda one: one[1])
    found += [_doubt(*one) for one in doubtful]
    found += [
        f"This does not add up: {relation(e)}." for e in ledger.equations if e.verdict == "contradicted"
    ]
    found += [
        f"The {one['field'] or 'amount'} was read as {one['before']} and corrected to {one['after']}, the "
        "only reading with which the sums add up."
        for one in evidence.get("repairs", ())
    ]
    if result.total is not None and not result.validated_total:
        found.append("Nothing independent proves the total.")
    return found + list(evidence.get("quality", {}).get("advice", ()))


def judged_fields(result: Result) -> list[tuple[str, float, dict[str, Any]]]:
    """(field, its confidence, its entry in evidence) of every value that has a confidence.

    A Result may state a lower one than its features give: see `LIMITED`.
    """
    stated: dict[str, tuple[float | None, ...]] = {
        "establishment": (result.establishment_confidence,),
        "date": (result.date_confidence,),
        "total": (result.total_confidence,),
        "subTotal": (result.sub_total_confidence,),
        "taxes": result.taxes_confidence,
        "tip": (result.tip_confidence,),
        "serviceCharges": result.service_charge_confidences,
        "discounts": result.discount_confidences,
        "rounding": (result.rounding_confidence,),
        "cash": (result.cash_confidence,),
        "change": (result.change_confidence,),
    }
    found = []
    evidence: dict[str, Any] = result.evidence or {}
    for field, entry in evidence.get("confidence", {}).items():
        values: list[dict[str, Any]] = entry if isinstance(entry, list) else [entry]
        for index, one in enumerate(values):
            known = stated.get(field, ())[index : index + 1]
            confidence = known[0] if known and known[0] is not None else one["probability"]
            found.append((field, confidence, one))
    return found


def _doubt(field: str, confidence: float, evidence: dict[str, Any]) -> str:
    against = [c for c in evidence["contributions"] if c["share"] < 0]
    why = f": {MEANINGS[against[0]['feature']]}" if against else ""
    return f"The {_NAMES.get(field, field)} is {100 * confidence:.0f} % likely to be right{why}."
