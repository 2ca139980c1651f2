"""Finds equations between the total and the taxes in it."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

from receipt_engine.document import ZERO, EquationKind, TaxRow, Term, TermKind
from receipt_engine.region import TAXES
from receipt_engine.scoring.certainty import LIKELY, POSSIBLE
from receipt_engine.stages.reconcile.candidates import AmountCandidate
from receipt_engine.stages.reconcile.inputs import Inputs
from receipt_engine.stages.reconcile.proofs.proof import BESIDE, MOST_ADDED, Proof, total_term

_TABLE_CLOSES = 4.0
#: Tolerance: half a cent, and a little more for taxes that were rounded twice.
_TAX_ROUNDING = Decimal("0.006")


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
