"""Equations between printed amounts: their kinds, the evidence they rest on, and the kinds of their terms."""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum
from typing import Literal

from receipt_engine.document.record import Record

Verdict = Literal["proved", "consistent", "contradicted", "unchecked"]
#: The evidence that an equation rests on: equations of different families share nothing but the total.
Family = Literal["bought", "paid", "taxed", "coded"]


class EquationKind(StrEnum):
    """A relation between amounts, with the text that evidence shows."""

    SUBTOTAL = "subtotal + adjustments = total"
    ITEMS = "items + adjustments = total"
    ITEMS_ARE_SUBTOTAL = "items = subtotal"
    PARTS = "parts = total"
    CASH_LESS_CHANGE = "cash − change = total"
    TENDERS = "tenders = total"
    CASH = "cash = total"
    CARD = "card = total"
    PAID_OFF = "paid off = total"
    TAX_TABLE = "tax table = total"
    NET_AND_TAX = "net + tax = total"
    INCLUDED_TAX = "tax included in total"
    ROUNDED = "rounded total"
    ROUNDED_BELOW = "printed total + rounding = total"
    REPEATED = "total repeated"
    CODE = "fiscal code = total"

    @property
    def family(self) -> Family | None:
        """The evidence it rests on; None where it never proves an amount alone."""
        return _FAMILIES.get(self)


_FAMILIES: dict[EquationKind, Family] = {
    EquationKind.SUBTOTAL: "bought",
    EquationKind.ITEMS: "bought",
    EquationKind.ITEMS_ARE_SUBTOTAL: "bought",
    EquationKind.PARTS: "bought",
    EquationKind.CASH_LESS_CHANGE: "paid",
    EquationKind.TENDERS: "paid",
    EquationKind.CARD: "paid",
    EquationKind.TAX_TABLE: "taxed",
    EquationKind.NET_AND_TAX: "taxed",
    EquationKind.CODE: "coded",
}


class TermKind(StrEnum):
    """The part that an amount plays in an equation; not the same as the `Role` that words indicate."""

    TOTAL = "total"
    SUBTOTAL = "subtotal"
    NET = "net"
    GROSS = "gross"
    TAX = "tax"
    TOTAL_TAX = "total_tax"
    TIP = "tip"
    SERVICE = "service"
    DISCOUNT = "discount"
    WITHHELD = "withheld"
    SAVINGS = "savings"
    DEPOSIT = "deposit"
    ROUNDING = "rounding"
    CASH = "cash"
    CARD = "card"
    CHANGE = "change"
    ITEMS = "items"
    PART = "part"
    UNNAMED = "unnamed"
    UNROUNDED = "unrounded"
    NOT_PRINTED_ROUNDING = "rounding, not printed"
    PRINTED_TOTAL = "printed total"
    TOTAL_AGAIN = "total again"
    TAX_IN_TOTAL = "tax in total"
    PAID = "paid"
    TENDERED = "tendered"
    RETURNED = "returned"
    CODED = "total in the code"


class Term(Record, frozen=True):
    """A signed amount in an equation. rate: in percent, of the tax that the amount is or is subject to."""

    kind: TermKind
    value: Decimal
    rate: Decimal | None = None

    @property
    def text(self) -> str:
        """The term as shown in evidence."""
        if self.rate is None:
            return self.kind
        if self.kind is TermKind.TAX_IN_TOTAL:
            return f"total × {self.rate} / {100 + self.rate}"
        return f"{self.kind} {self.rate} %"


class Equation(Record, frozen=True):
    """A relation that was checked. terms add up to residual.

    proved: it closes over at least three printed amounts, or two that are independent of each other;
    consistent: it closes trivially; contradicted: it does not close; unchecked: a term is missing.
    """

    kind: EquationKind
    terms: tuple[Term, ...]
    verdict: Verdict

    @property
    def residual(self) -> Decimal:
        return sum((term.value for term in self.terms), Decimal(0))
