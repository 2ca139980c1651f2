"""Finds the amount finally paid when cash rounding is printed below the total, but its result is not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from msgspec.structs import replace

from receipt_engine.document import Chosen, Equation, EquationKind, Term, TermKind, Verdict
from receipt_engine.stages.reconcile.amounts.charges import Tenders
from receipt_engine.stages.reconcile.inputs import Inputs
from receipt_engine.stages.reconcile.proofs.proof import Proof


def rounded_total(
    total: Chosen | None, rounding: Chosen | None, tenders: Tenders, inputs: Inputs, proofs: Sequence[Proof]
) -> tuple[Chosen, tuple[Equation, ...]] | None:
    """(the amount paid, the equations that show it) when a row below the total rounds it; else None.

    The tenders must confirm the amount. Where no tender has an amount, the rounding must turn the total into
    a multiple of a rounding step of the country. A total that is such a multiple is never rounded to a
    non-multiple: then a digit is misread, in the cash as in the rounding.
    """
    if total is None or total.entry is None or rounding is None or rounding.entry is None:
        return None
    inside = any(part.role == "rounding" for proof in proofs for part in proof.parts)
    if inside or not rounding.value or rounding.entry.line <= total.entry.line or total.printed is not None:
        return None
    given = tenders.paid
    for step in (rounding.value, -rounding.value):
        paid = total.value + step
        if _is_rounded(paid, total.value, inputs):
            continue
        if given == paid or (
            given is None and step == rounding.value and _is_rounded(total.value, paid, inputs)
        ):
            terms = (
                Term(TermKind.PRINTED_TOTAL, total.value),
                Term(TermKind.ROUNDING, step),
                Term(TermKind.TOTAL, -paid),
            )
            verdict: Verdict = "proved" if given == paid else "consistent"
            rounded = Equation(EquationKind.ROUNDED_BELOW, terms, verdict)
            found = replace(total, value=paid, unrounded=total.value)
            return found, (rounded, *_settled(paid, tenders))
    return None


def _settled(paid: Decimal, tenders: Tenders) -> Iterator[Equation]:
    """The equation cash − change = the amount paid, where it closes."""
    cash, change = tenders.cash, tenders.change
    if cash is not None and change is not None and cash.value - abs(change.value) == paid:
        given = (Term(TermKind.CASH, cash.value), Term(TermKind.CHANGE, -abs(change.value)))
        yield Equation(EquationKind.CASH_LESS_CHANGE, (*given, Term(TermKind.TOTAL, -paid)), "proved")


def without_replaced(equations: Sequence[Equation], settling: Sequence[Equation]) -> tuple[Equation, ...]:
    """The equations around the printed total plus `settling`, without the contradicted ones of the same kinds
    as `settling`."""
    settled = {e.kind for e in settling}
    return (*(e for e in equations if e.verdict != "contradicted" or e.kind not in settled), *settling)


def _is_rounded(total: Decimal, paid: Decimal, inputs: Inputs) -> bool:
    return any(total % step and not paid % step for step in inputs.rounding_steps)
