"""Equations between the total and the taxes in it."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

from receipt_engine.document import TaxRow
from receipt_engine.stages.reconcile.candidates import Candidate
from receipt_engine.stages.reconcile.facts import Facts, Proof

_ZERO = Decimal(0)
_TABLE_CLOSES = 4.0
_TAX_INCLUDED = 3.0
#: Half a cent, and a little for taxes that were rounded twice.
_CENT_SLIP = Decimal("0.006")


def from_table(total: Candidate, facts: Facts) -> Proof | None:
    """Σ net + Σ tax = total, or Σ gross = total, over the printed tax table."""
    terms: list[tuple[str, Decimal]] = []
    for row in facts.tax_rows:
        if not row.is_sum:
            found = _row_terms(row)
            if not found:
                return None
            terms += found
    if not terms or sum((v for _, v in terms), _ZERO) != total.value:
        return None
    proves = len(terms) > 1 and total.value != 0
    return Proof("tax table = total", (*terms, ("total", -total.value)), _TABLE_CLOSES, proves=proves)


def _row_terms(row: TaxRow) -> list[tuple[str, Decimal]]:
    rate = f" {row.rate} %" if row.rate is not None else ""
    if row.net is not None:
        return [(f"net{rate}", row.net), (f"tax{rate}", row.tax)]
    if row.gross is not None:
        return [(f"gross{rate}", row.gross)]
    return [(f"tax{rate}", row.tax)]  # the second half of a tax, whose net stands with the first


def from_included_tax(total: Candidate, facts: Facts) -> Proof | None:
    """net + tax = total, or total × rate / (100 + rate) = a printed tax."""
    taxes = [e for e in facts.entries if e.role in ("tax", "total_tax") and e.amount.value * total.value > 0]
    nets = [
        e
        for e in facts.entries
        if e.weight("net") >= 0.5 and e is not total.entry and e.line not in facts.table_rows
    ]
    for tax in taxes:
        value = tax.amount.value
        for net in nets:
            if (
                net.amount.value + value == total.value
                and net is not tax
                and abs(value) * 2 < abs(total.value)
            ):
                found = (("net", net.amount.value), ("tax", value), ("total", -total.value))
                return Proof("net + tax = total", found, _TAX_INCLUDED, proves=True)
        # Where prices exclude the tax there are so many rates that one of them always fits.
        rates = (tax.percent,) if tax.percent else () if facts.exclusive else facts.rates
        for rate in rates:
            if rate and abs(included_tax(total.value, rate) - value) <= _CENT_SLIP:
                contained = (total.value * rate / (100 + rate)).quantize(Decimal("0.0001"), ROUND_HALF_UP)
                terms = ((f"total × {rate} / {100 + rate}", contained), ("tax", -value))
                bonus = _TAX_INCLUDED if tax.percent else _TAX_INCLUDED / 2
                return Proof("tax included in total", terms, bonus)
    return None


def included_tax(gross: Decimal, rate: Decimal) -> Decimal:
    """The tax that an amount contains at a rate in percent."""
    return gross * rate / (100 + rate)
