"""Finds equations between the total and the taxes in it, and confidently named additions and discounts that
contradict a total.

These are below it, so that it is rather the amount before them, or between it and an amount further up.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal

from receipt_engine.document import ZERO, Entry, EquationKind, TaxRow, Term, TermKind
from receipt_engine.region import TAXES
from receipt_engine.scoring.certainty import LIKELY, POSSIBLE, SURE
from receipt_engine.stages.reconcile.candidates import AmountCandidate
from receipt_engine.stages.reconcile.inputs import Inputs
from receipt_engine.stages.reconcile.proofs.proof import BESIDE, MOST_ADDED, Proof, total_term

_TABLE_CLOSES = 4.0
#: Tolerance: half a cent, and a little more for taxes that were rounded twice.
_TAX_ROUNDING = Decimal("0.006")
#: Bonus of a total that ignores an amount below it: outweighed by an equation that closes.
_LEFT_OUT = -3.0
#: Bonus of a total that is not the sum of the amounts right above it.
_OPEN = -2.0


def from_table(total: AmountCandidate, inputs: Inputs) -> Proof | None:
    """Σ net + Σ tax = total, or Σ gross = total, over the printed tax table. An amount does not prove itself:
    the gross amount of the only row is no total because the table ends with it."""
    rows = [row for row in inputs.tax_rows if not row.is_sum]
    if [row.line for row in rows] == [total.entry.line] and rows[0].net is None and not _is_named(total):
        return None
    terms = [term for row in rows for term in _row_terms(row)]
    if not terms or sum((term.value for term in terms), ZERO) != total.value:
        return None
    proves = len(terms) > 1 and total.value != 0
    return Proof(EquationKind.TAX_TABLE, (*terms, total_term(total)), _TABLE_CLOSES, proves=proves)


def _is_named(total: AmountCandidate) -> bool:
    return total.entry.weight("total") >= POSSIBLE


def _row_terms(row: TaxRow) -> list[Term]:
    if row.net is not None:
        return [Term(TermKind.NET, row.net, row.rate), Term(TermKind.TAX, row.tax, row.rate)]
    if row.gross is not None:
        return [Term(TermKind.GROSS, row.gross, row.rate)]
    # The second half of a tax; its net amount is in the row of the first half.
    return [Term(TermKind.TAX, row.tax, row.rate)]


def from_included_tax(total: AmountCandidate, inputs: Inputs) -> Proof | None:
    """net + tax = total, or total × rate / (100 + rate) = a printed tax; net + tax is a proof, unless
    the tax is too large for one."""
    taxes = [
        e
        for e in inputs.entries
        if e.role in TAXES
        and e.amount.value * total.value > 0
        and (e.line != total.entry.line or _is_named(total))  # "10 % of 253.50: 23.05": the base of a tax
    ]
    nets = [
        e
        for e in inputs.entries
        if e.weight("net") >= LIKELY and e is not total.entry and e.line not in inputs.table_rows
    ]
    for tax in taxes:
        value = tax.amount.value
        for net in nets:
            if (
                net.amount.value + value == total.value
                and net is not tax
                and abs(value) * 2 < abs(total.value)
            ):
                found = (Term(TermKind.NET, net.amount.value), Term(TermKind.TAX, value), total_term(total))
                proves = abs(value) <= MOST_ADDED * abs(net.amount.value)
                return Proof(EquationKind.NET_AND_TAX, found, BESIDE, proves=proves)
        # Regions whose prices exclude tax have so many rates that one of them always fits.
        rates = (tax.percent,) if tax.percent else () if inputs.exclusive else inputs.rates
        for rate in rates:
            contained = included_tax(total.value, rate)
            if rate and abs(contained - value) <= _TAX_ROUNDING:
                shown = contained.quantize(Decimal("0.0001"), ROUND_HALF_UP)
                terms = (Term(TermKind.TAX_IN_TOTAL, shown, rate), Term(TermKind.TAX, -value))
                return Proof(EquationKind.INCLUDED_TAX, terms, BESIDE if tax.percent else BESIDE / 2)
    return None


def included_tax(gross: Decimal, rate: Decimal) -> Decimal:
    """The tax contained in a gross amount at a rate in percent."""
    return gross * rate / (100 + rate)


def ignored_additions(
    total: AmountCandidate, proofs: Sequence[Proof], against: Sequence[Proof], inputs: Inputs
) -> Proof | None:
    """Amounts further down are added to the candidate or taken off, so that the real total is lost
    ("SUBTOTAL 67.50", "TAX 5.57", "TIP 12.15"). None when an equation over tenders or tax closes around it.
    """
    if total.value <= 0 or any(p.entries or p.kind.family == "taxed" for p in proofs):
        return None
    used = {id(part.entry) for proof in proofs for part in proof.parts}
    contradicted = any(p.kind.family == "paid" for p in against)
    called = total.entry.weight("total") >= SURE
    before = total.entry.weight("subtotal") >= SURE
    left: list[Term] = []
    for entry in inputs.entries:
        if id(entry) in used or entry.line <= total.entry.line or not _is_sure(entry, inputs):
            continue
        role, value = entry.role, abs(entry.amount.value)
        if role in ("tip", "service", "tax") and not called and _is_added(entry, total.value, inputs):
            left.append(Term(TermKind(role), value))
        elif role == "tax" and (
            _is_on_top(entry, total.value, inputs)
            or (before and not _is_contained(entry, total.value, inputs))
        ):
            left.append(Term(TermKind.TAX, value))
        elif role == "discount" and contradicted:
            left.append(Term(TermKind.DISCOUNT, -value))
    if sum(term.value for term in left) == 0:  # none, or they make up for each other
        return None
    terms = (Term(TermKind.SUBTOTAL, total.value), *left, Term(TermKind.TOTAL, -total.value))
    return Proof(EquationKind.SUBTOTAL, terms, _LEFT_OUT)


def unclosed_base(total: AmountCandidate, proofs: Sequence[Proof], inputs: Inputs) -> Proof | None:
    """An amount above the total plus the confidently named additions between them do not make the total
    ("AMOUNT 32.18", "TIP 6.00", "TOTAL 38.78"). None where any equation proves the total."""
    if any(p.proves for p in proofs):
        return None
    above = [e for e in inputs.entries if e.line < total.entry.line and e.last and e.zone == "summary"]
    base = next((e for e in reversed(above) if e.weight("total", "subtotal") >= POSSIBLE), None)
    if base is None:
        return None
    added = [
        e
        for e in above
        if e.line > base.line
        and e.role in ("tip", "service", "tax")
        and _is_sure(e, inputs)
        and _is_added(e, base.amount.value, inputs)
    ]
    if not added:
        return None
    terms = (
        Term(TermKind.SUBTOTAL, base.amount.value),
        *(Term(TermKind(e.role or TermKind.TIP), e.amount.value) for e in added),
        Term(TermKind.TOTAL, -total.value),
    )
    closes = sum(term.value for term in terms) == 0
    return None if closes else Proof(EquationKind.SUBTOTAL, terms, _OPEN)


def _is_sure(entry: Entry, inputs: Inputs) -> bool:
    """Whether an amount of the totals block has a confidently named role and is not zero."""
    return (
        entry.certainty >= SURE
        and entry.last
        and entry.zone == "summary"
        and entry.line not in inputs.table_rows
        and entry.amount.value != 0
    )


def _is_added(entry: Entry, value: Decimal, inputs: Inputs) -> bool:
    """Whether an amount is added to prices; a tax that the prices contain is not."""
    return entry.role != "tax" or inputs.exclusive or _is_on_top(entry, value, inputs)


def _is_on_top(tax: Entry, value: Decimal, inputs: Inputs) -> bool:
    """Whether a tax is `value` times a rate, and not the tax that `value` contains at a rate."""
    added = any(abs(value * rate / 100 - tax.amount.value) < _half(tax) for rate in _rates(tax, inputs))
    return added and not _is_contained(tax, value, inputs)


def _is_contained(tax: Entry, value: Decimal, inputs: Inputs) -> bool:
    """Whether a tax is the one that an amount contains at a rate."""
    return any(abs(included_tax(value, rate) - tax.amount.value) < _half(tax) for rate in _rates(tax, inputs))


def _rates(tax: Entry, inputs: Inputs) -> list[Decimal]:
    return [rate for rate in ((tax.percent,) if tax.percent else inputs.rates) if rate]


def _half(tax: Entry) -> Decimal:
    """Half a unit of the tax's last printed decimal."""
    return Decimal("0.5").scaleb(-tax.amount.decimals)
