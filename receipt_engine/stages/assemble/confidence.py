"""Computes confidences: the calibrated probability that a value is right, and the features behind it.

A confidence is a logistic function of the weighted features of `features`. The weights,
``models/confidence.toml``, are fitted by ``scripts/fit_confidence.py`` on labelled values as this stage gets
them; its names and addresses are chosen with weights that were fitted without the same merchant. Each model
is also fitted with each data set held out in turn, and the file gives the calibration errors of those tests.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Literal

import msgspec

from receipt_engine import assets
from receipt_engine.document import (
    THOUSANDS,
    UNDECIDED,
    Chosen,
    DateChoice,
    Details,
    EquationKind,
    Found,
    Ledger,
    ParsedLine,
    Record,
    RegionGuess,
)
from receipt_engine.region import TAXES, Role
from receipt_engine.scoring.certainty import LIKELY, SURE
from receipt_engine.scoring.linear import BIAS, Contribution, LinearModel, declared_features, load_models
from receipt_engine.stages.assemble.features import (
    AmountFeatures,
    DateFeatures,
    FoundFeatures,
    PageFeatures,
    PhoneFeatures,
    TotalFeatures,
    amount_features,
    date_features,
    found_features,
    is_proved,
    page_features,
    phone_features,
    total_features,
)

Model = Literal["total", "amount", "date", "establishment", "address", "phone"]

#: The feature struct of each model.
INPUTS: dict[Model, type[msgspec.Struct]] = {
    "total": TotalFeatures,
    "amount": AmountFeatures,
    "date": DateFeatures,
    "establishment": FoundFeatures,
    "address": FoundFeatures,
    "phone": PhoneFeatures,
}
#: Caps of the probability. Without proof, a value stays below the contract's 0.99 whatever its features.
_UNPROVED_CAP = 0.985
_CAP = 0.999
#: Cap for an unproved total that its words hardly name, and that is contradicted, stands outside the totals
#: block or is confidently named a part of one: it may be a product or a tax, and the row of the real total
#: may be lost. And for one that more equations contradict than prove.
_LONE = 0.85
_PARTS: frozenset[Role] = TAXES | {"tip", "service", "discount", "withheld", "rounding"}
#: Cap where another row that is surely named total, or the payment, has another amount: nothing explains it.
_DISPUTED = 0.5
#: How much costlier the reading of a total as thousands may be to be as good as the one with decimals.
_NEAR = 1.5
#: Cap for a subtotal, cash and change that do not make a total which other equations prove: one of them is
#: misread; and for cash or change that pays nothing alone.
_SINGLE = ("subTotal", "cash", "change")
_ONE_OF_TWO = 0.7
#: Log-odds: larger evidence against a value is clipped to this.
_MOST_AGAINST = 30.0
_CONTRADICTIONS = ("contradicted", "contradicted_alone")

_Rows = tuple[ParsedLine, ...]


class Confidence(Record, frozen=True):
    """probability: that the value is right, 0 to 1, four decimals. features: the model's inputs."""

    model: Model
    probability: float
    features: dict[str, float]

    @property
    def contributions(self) -> tuple[Contribution, ...]:
        """The contributions of the features to the probability, the strongest first."""
        return models()[self.model].contributions(self.features)


@cache
def models() -> Mapping[Model, LinearModel]:
    """The fitted models by name; raises ModelError when the file does not match the features."""
    declared = {name: (BIAS, *declared_features(kind)) for name, kind in INPUTS.items()}
    return load_models(assets.model_file("confidence.toml"), declared)  # type: ignore[arg-type, return-value]


def probability(model: Model, features: Mapping[str, float], *, proved: bool) -> float:
    """The calibrated probability that a value is right; 0.99 and more only where it is proved.

    Contradictions lower the capped probability: applied before the cap, they might have no effect.
    """
    fitted = models()[model]
    supporting = {name: value for name, value in features.items() if name not in _CONTRADICTIONS}
    most = min(fitted.probability(supporting), _CAP if proved else _UNPROVED_CAP)
    against = max(0.0, fitted.score(supporting) - fitted.score(features))
    return round(most / (most + (1 - most) * math.exp(min(against, _MOST_AGAINST))), 4)


def of_total(ledger: Ledger, rows: _Rows, page: PageFeatures) -> Confidence | None:
    """The confidence in the total; None without one."""
    if ledger.total is None:
        return None
    features = total_features(ledger, rows, page)
    found = _confidence("total", features, is_proved(ledger, "total", ledger.total))
    most = _CAP
    repeated = any(e.kind is EquationKind.REPEATED and e.verdict == "contradicted" for e in ledger.equations)
    if repeated or _pays_another(ledger, rows):
        most = _DISPUTED
    elif _may_be_thousands(ledger.total):
        most = UNDECIDED
    elif _is_outvoted(ledger):
        most = _LONE
    elif not features.proofs and features.label < LIKELY:
        contradicted = features.contradicted_alone > 0
        most = _LONE if contradicted or not features.summary or _is_otherwise(ledger.total) else _CAP
    return Confidence(found.model, min(found.probability, most), found.features)


def _is_outvoted(ledger: Ledger) -> bool:
    """Whether more evidence contradicts the total than proves it, and some proves it: its terms may add up by
    chance. Equations of one family share their amounts, so that one misreading contradicts several."""
    found = {(equation.kind.family or equation.kind, equation.verdict) for equation in ledger.equations}
    verdicts = [verdict for _, verdict in found]
    return verdicts.count("contradicted") > verdicts.count("proved") > 0


def _pays_another(ledger: Ledger, rows: _Rows) -> bool:
    """Whether the cash less the change is not the total, but another amount that is printed."""
    open_ones = (e for e in ledger.equations if e.verdict == "contradicted")
    terms = (e.terms for e in open_ones if e.kind is EquationKind.CASH_LESS_CHANGE)
    paid = {sum(t.value for t in given) for *given, _ in terms if all(t.value for t in given)}
    return any(amount.value in paid for row in rows for amount in row.amounts)


def _may_be_thousands(total: Chosen) -> bool:
    """Whether the point of a total may as well part thousands ("44.000"): then all sums hold for both."""
    amount = total.entry.amount if total.entry is not None else None
    if amount is None or amount.decimals != THOUSANDS or total.value != amount.value:
        return False
    whole = (m.cost for m in amount.readings if m.value == amount.value.scaleb(THOUSANDS))
    return any(cost - amount.cost < _NEAR for cost in whole)


def _is_otherwise(total: Chosen) -> bool:
    """Whether the words beside an amount confidently name a part of a total: a tax, a tip, a discount …"""
    entry = total.entry
    return entry is not None and entry.role in _PARTS and entry.certainty >= SURE


def of_amount(
    field: str, chosen: Chosen | None, ledger: Ledger, rows: _Rows, page: PageFeatures
) -> Confidence | None:
    """The confidence in another amount. field: as in the contract, "taxes" for every single tax."""
    if chosen is None:
        return None
    features = amount_features(ledger, field, chosen, rows, page)
    found = _confidence("amount", features, is_proved(ledger, field, chosen))
    disputed = field in _SINGLE and features.contradicted_alone and features.total_proofs
    doubted = chosen.value and not features.proved and (disputed or _pays_nothing(field, chosen, ledger))
    most = _ONE_OF_TWO if doubted else _CAP
    return Confidence(found.model, min(found.probability, most), found.features)


def _pays_nothing(field: str, chosen: Chosen, ledger: Ledger) -> bool:
    """Whether it is change without cash, or cash of less than the total: another row may be named so."""
    less = ledger.total is not None and abs(chosen.value) < abs(ledger.total.value)
    return (field == "change" and ledger.cash is None) or (field == "cash" and less)


def of_date(date: DateChoice | None) -> Confidence | None:
    """The confidence in the date; at most `UNDECIDED` where day and month cannot be distinguished."""
    if date is None:
        return None
    confidence = _confidence("date", date_features(date), False)
    if date.undecided and confidence.probability > UNDECIDED:
        return Confidence(confidence.model, UNDECIDED, confidence.features)
    return confidence


def of_found(model: Literal["establishment", "address"], found: Found | None) -> Confidence | None:
    """The confidence in a value for which its finder gave an estimate."""
    return None if found is None else _confidence(model, found_features(found), False)


def of_phone(found: Found | None, rows: _Rows) -> Confidence | None:
    """The confidence in the telephone number."""
    return None if found is None else _confidence("phone", phone_features(found, rows), False)


def _confidence(model: Model, inputs: msgspec.Struct, proved: bool) -> Confidence:
    features: dict[str, float] = msgspec.structs.asdict(inputs)
    return Confidence(model, probability(model, features, proved=proved), features)


def all_confidences(
    ledger: Ledger, details: Details, date: DateChoice | None, rows: _Rows, regions: Sequence[RegionGuess]
) -> dict[str, Confidence | list[Confidence]]:
    """Field of the contract → its confidence, or those of its values in order; found fields only."""
    page = page_features(rows, regions)

    def amount(field: str, chosen: Chosen | None) -> Confidence | None:
        return of_amount(field, chosen, ledger, rows, page)

    single: dict[str, Confidence | None] = {
        "establishment": of_found("establishment", details.merchant.name),
        "date": of_date(date),
        "total": of_total(ledger, rows, page),
        "subTotal": amount("subTotal", ledger.subtotal),
        "tip": amount("tip", ledger.tip),
        "rounding": amount("rounding", ledger.rounding),
        "cash": amount("cash", ledger.cash),
        "change": amount("change", ledger.change),
        "address": of_found("address", details.merchant.address),
        "phoneNumber": of_phone(details.contacts.phone, rows),
    }
    several = {"taxes": ledger.taxes, "serviceCharges": ledger.services, "discounts": ledger.discounts}
    found: dict[str, Confidence | list[Confidence]] = {n: c for n, c in single.items() if c is not None}
    for field, values in several.items():
        given = [c for value in values if (c := amount(field, value)) is not None]
        if given:
            found[field] = given
    return found


def as_evidence(confidence: Confidence) -> dict[str, Any]:
    """One confidence as plain JSON values: the probability, the features and their contributions."""
    return {
        "probability": confidence.probability,
        "features": confidence.features,
        "contributions": [
            {
                "feature": c.feature,
                "value": round(c.value, 4),
                "weight": round(c.weight, 4),
                "share": round(c.share, 4),
            }
            for c in confidence.contributions
        ],
    }
