"""Finds misread amounts by solving an equation for them.

The value that the equation requires is compared with the reading. Misreadings are a currency sign read as a
digit, lost decimals, and one digit read as another. A total that does not look damaged is repaired only when
the products and the payment both require the value, or a fiscal code states it. Nothing is repaired when two
values fit, or when the amount is printed a second time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

from receipt_engine.arithmetic.digits import digit_off
from receipt_engine.document import ZERO, AmountReading, Entry, decimals_of, sum_items
from receipt_engine.scoring.certainty import SURE
from receipt_engine.stages.reconcile.candidates import AmountCandidate, unprinted
from receipt_engine.stages.reconcile.inputs import Inputs

#: Costs of misreadings, on the scale of reading costs.
SIGN_AS_DIGIT = 1.5
LIKE_DIGIT = 2.0
_LOST_DECIMALS = 1.2
_ANY_DIGIT = 3.0
#: Up to this cost the amount looks damaged; costlier confusions need two equations or a fiscal code.
DAMAGED = 1.6
#: Digits that currency signs are read as.
_SIGN_DIGITS = "5689"
_MAX_SOURCES = 3
#: A difference that costs this much more than the cheapest one is not an obvious one.
_PLAIN = 1.2


def misreading_cost(amount: AmountReading, wanted: Decimal, signs: bool) -> float | None:
    """The cost of assuming that the amount was printed as `wanted`; None when it cannot have been.

    signs: other amounts of the receipt carry a currency sign, this one does not.
    """
    read, true = str(abs(amount.value)), str(abs(wanted))
    if amount.value == wanted or (amount.value < 0) != (wanted < 0) or wanted == 0:
        return None
    places = decimals_of(wanted)
    if amount.decimals < places and true.startswith(read if amount.decimals else f"{read}."):
        return _LOST_DECIMALS
    if signs and read[0] in _SIGN_DIGITS and read[1:] == true:
        return SIGN_AS_DIGIT
    off = digit_off(amount.value, wanted)
    return None if off is None else LIKE_DIGIT if off == "like" else _ANY_DIGIT


def lacks_sign(entry: Entry, entries: Sequence[Entry]) -> bool:
    """Whether most other amounts carry a currency sign and this one does not."""
    others = [e for e in entries if e is not entry and e.amount.decimals and e.zone != "items"]
    marked = sum(e.amount.currency is not None for e in others)
    return entry.amount.currency is None and marked * 2 > len(others)


def repaired_totals(candidates: Sequence[AmountCandidate], inputs: Inputs) -> list[AmountCandidate]:
    """Repaired candidates for misread totals: confidently named total, but supported by no equation."""
    wanted = _wanted(inputs)
    found = []
    for candidate in candidates:
        entry = candidate.entry
        if entry.weight("total") < SURE or candidate.value != entry.amount.value:
            continue
        if any(m.value in wanted for m in entry.amount.readings) or _stands(entry, wanted, inputs):
            continue
        signs = lacks_sign(entry, inputs.entries)
        repairs = [
            (value, cost)
            for value, sources in wanted.items()
            if (cost := misreading_cost(entry.amount, value, signs)) is not None
            and (cost <= DAMAGED or len(sources) > 1 or "coded" in sources)
        ]
        if len(repairs) == 1:
            value, cost = repairs[0]
            base = candidate.cost - candidate.reading_cost
            found.append(AmountCandidate(value, entry, base + cost, cost))
    return found


def _stands(entry: Entry, wanted: Mapping[Decimal, set[str]], inputs: Inputs) -> bool:
    """Whether an amount is printed a second time, or is a wanted value after the country's rounding, or
    before one that is printed below it."""
    value = entry.amount.value
    if any(e.amount.value == value and e.line != entry.line for e in inputs.entries):
        return True
    below = [e.amount.value for e in inputs.entries if e.line > entry.line and e.weight("rounding") >= SURE]
    if any(value + step in wanted for rounded in below if rounded for step in (rounded, -rounded)):
        return True
    return any(
        value % step == 0 and abs(value - other) * 2 <= step
        for step in inputs.rounding_steps
        for other in wanted
    )


def _wanted(inputs: Inputs) -> dict[Decimal, set[str]]:
    """The values that other evidence requires of the total: value → its sources.

    Sources are "bought" (subtotal or items plus adjustments), "paid" (tenders less change) and "coded" (a
    fiscal code).
    """
    found: dict[Decimal, set[str]] = {}

    def note(value: Decimal, source: str) -> None:
        if value:
            found.setdefault(value, set()).add(source)

    sure = [e for e in inputs.entries if e.certainty >= SURE and e.last and e.zone != "items"]
    for entry in [e for e in sure if e.role == "subtotal"][:_MAX_SOURCES]:
        for delta in _plain_differences(entry.line, inputs):
            note(entry.amount.value + delta, "bought")
    if inputs.items:
        items = sum_items(inputs.items)
        for delta in _plain_differences(inputs.items[-1].line, inputs):
            note(items + delta, "bought")
    cash = [e.amount.value for e in sure if e.role == "cash"][:_MAX_SOURCES]
    for back in [e.amount.value for e in sure if e.role == "change"][:_MAX_SOURCES]:
        for given in cash:
            note((given if inputs.is_refund else abs(given)) - abs(back), "paid")
    for entry in [e for e in sure if e.role == "card" and e.amount.decimals][:_MAX_SOURCES]:
        note(entry.amount.value, "paid")
    note(_together(sure), "paid")
    for coded in inputs.coded:
        note(coded, "coded")
    return found


def _together(sure: Sequence[Entry]) -> Decimal:
    """The sum of two or three tenders less the change; zero for other numbers of tenders, or for several
    amounts of change."""
    given = [e.amount.value for e in sure if e.role in ("cash", "card")]
    back = [abs(e.amount.value) for e in sure if e.role == "change" and e.amount.value]
    several = 2 <= len(given) <= _MAX_SOURCES and len(back) <= 1 and min(given) > 0
    return sum(given, ZERO) - sum(back, ZERO) if several else ZERO


def lost_totals(inputs: Inputs) -> list[AmountCandidate]:
    """Candidates for totals whose row was lost or misread beyond repair: products and payment give the same
    value, and no printed amount is that value, nor a total that rounding could turn into it."""
    printed = {m.value for e in inputs.entries for m in e.amount.readings}
    printed |= {m.value for i in inputs.items for m in i.total.readings}
    both = [value for value, sources in _wanted(inputs).items() if {"bought", "paid"} <= sources]
    called = [e.amount.value for e in inputs.entries if e.weight("total") >= SURE and e.last]
    return [
        unprinted(value, inputs)
        for value in both
        if value > 0
        and value not in printed
        and all(abs(value - other) > inputs.most_rounded for other in called)
    ]


def _plain_differences(line: int, inputs: Inputs) -> list[Decimal]:
    """The cheapest differences that taxes and charges below a row can make."""
    found = inputs.adjustments.below(line).differences
    return [delta for delta, cost in found[:_MAX_SOURCES] if cost <= found[0][1] + _PLAIN]
