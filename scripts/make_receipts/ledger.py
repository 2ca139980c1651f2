"""Computes the exact arithmetic of a sale, from which all printed amounts come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal
from typing import Literal

HUNDRED = Decimal(100)
ZERO = Decimal(0)

EntryKind = Literal["product", "discount", "void", "returned"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One line item. code: of the tax; quantity: a count; measure and unit: weight or volume;
    price: unit price; sku: article number; notes: lines printed below, without amounts."""

    name: str
    code: str
    total: Decimal
    kind: EntryKind = "product"
    quantity: Decimal | None = None
    measure: Decimal | None = None
    unit: str | None = None
    price: Decimal | None = None
    sku: str | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Levy:
    """One tax of a code; rate in per cent."""

    name: str
    rate: Decimal


@dataclass(frozen=True, slots=True)
class TaxRow:
    """The amounts of one tax of one code. In every row net + tax = gross, except where several taxes share a
    code: there net + the taxes of the code = gross."""

    code: str
    name: str
    rate: Decimal
    net: Decimal
    tax: Decimal
    gross: Decimal


@dataclass(frozen=True, slots=True)
class Discount:
    """A discount on the whole bill; amount is positive, percent is set when it is a share."""

    amount: Decimal
    percent: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Terms:
    """The rules of a settlement. levies: code → its taxes; standard: the code of the service charge;
    service_rate: per cent, 0 for none; floor: taxes are rounded down; cash_step: totals are rounded to it, 0
    for never."""

    quantum: Decimal
    inclusive: bool = True
    levies: Mapping[str, tuple[Levy, ...]] | None = None
    standard: str = ""
    service_rate: Decimal = ZERO
    service_taxed: bool = False
    floor: bool = False
    cash_step: Decimal = ZERO


@dataclass(frozen=True, slots=True)
class Ledger:
    """A settled sale.

    goods: sum of the entries. Subtracting the discounts, then adding service, then (when prices exclude
    them) taxes gives `due`; with `rounding` it is `payable`, with the tip `total`.
    """

    entries: tuple[Entry, ...]
    goods: Decimal
    discounts: tuple[Discount, ...]
    service: Decimal | None
    service_rate: Decimal
    inclusive: bool
    taxes: tuple[TaxRow, ...]
    due: Decimal
    rounding: Decimal | None
    payable: Decimal
    tip: Decimal | None
    total: Decimal

    @property
    def tax(self) -> Decimal:
        """Sum of the taxes."""
        return sum((row.tax for row in self.taxes), ZERO)

    @property
    def discounted(self) -> Decimal:
        """The sum of the entries less the discounts of the bill."""
        return self.goods - sum((d.amount for d in self.discounts), ZERO)


def to_step(value: Decimal, step: Decimal) -> Decimal:
    """The nearest multiple of `step`, halves away from zero.

    >>> to_step(Decimal("1.025"), Decimal("0.05"))
    Decimal('1.05')
    """
    return (value / step).quantize(Decimal(1), rounding=ROUND_HALF_UP) * step


def settle(
    entries: Sequence[Entry], terms: Terms, discounts: Sequence[Discount] = (), tip: Decimal | None = None
) -> Ledger:
    """The whole calculation. Totals of entries and discounts must already be rounded to the quantum."""
    goods = sum((entry.total for entry in entries), ZERO)
    bases = _bases(entries, discounts)
    discounted = goods - sum((d.amount for d in discounts), ZERO)
    service = (
        to_step(discounted * terms.service_rate / HUNDRED, terms.quantum) if terms.service_rate else None
    )
    if service is not None and terms.service_taxed:
        bases[terms.standard] = bases.get(terms.standard, ZERO) + service
    taxes = _taxes(bases, terms)
    due = discounted + (service or ZERO)
    if not terms.inclusive:
        due += sum((row.tax for row in taxes), ZERO)
    rounding = None
    if terms.cash_step:
        rounding = to_step(due, terms.cash_step) - due
    payable = due + (rounding or ZERO)
    return Ledger(
        entries=tuple(entries),
        goods=goods,
        discounts=tuple(discounts),
        service=service,
        service_rate=terms.service_rate,
        inclusive=terms.inclusive,
        taxes=taxes,
        due=due,
        rounding=rounding,
        payable=payable,
        tip=tip,
        total=payable + (tip or ZERO),
    )


def _bases(entries: Sequence[Entry], discounts: Sequence[Discount]) -> dict[str, Decimal]:
    """Amounts by tax code, with the bill's discounts distributed over the codes in proportion."""
    bases: dict[str, Decimal] = {}
    for entry in entries:
        bases[entry.code] = bases.get(entry.code, ZERO) + entry.total
    for discount in discounts:
        left = discount.amount
        whole = sum((base for base in bases.values() if base > 0), ZERO)
        codes = sorted((code for code in bases if bases[code] > 0), key=lambda code: bases[code])
        for code in codes:
            exact = discount.amount * bases[code] / whole if whole else ZERO
            share = left if code == codes[-1] else exact.quantize(discount.amount, rounding=ROUND_HALF_UP)
            bases[code] -= share
            left -= share
    return bases


def _taxes(bases: Mapping[str, Decimal], terms: Terms) -> tuple[TaxRow, ...]:
    rows: list[TaxRow] = []
    for code, levies in (terms.levies or {}).items():
        base = bases.get(code)
        if base is None:
            continue
        whole = HUNDRED + sum((levy.rate for levy in levies), ZERO) if terms.inclusive else HUNDRED
        taxes = [_tax(base * levy.rate / whole, terms) for levy in levies]
        net = base - sum(taxes, ZERO) if terms.inclusive else base
        gross = net + sum(taxes, ZERO)
        rows += [
            TaxRow(code, levy.name, levy.rate, net, tax, gross)
            for levy, tax in zip(levies, taxes, strict=True)
        ]
    return tuple(rows)


def _tax(exact: Decimal, terms: Terms) -> Decimal:
    return (
        exact.quantize(terms.quantum, rounding=ROUND_DOWN) if terms.floor else to_step(exact, terms.quantum)
    )
