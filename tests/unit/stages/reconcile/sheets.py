"""Hand-made sheets for reconciliation: a few entries and products, and what becomes of them."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from receipt_engine.document import AmountReading, AmountRule, Entry, Item, Ledger, Money, Sheet, TaxRow, Zone
from receipt_engine.region import Role, load_region
from receipt_engine.stages.reconcile import reconcile


def amount(*values: str, cost: float = 0.0, currency: str | None = None) -> AmountReading:
    """The first value as printed, the others as readings that cost one more each."""
    moneys = tuple(
        Money(Decimal(v), cost + (1.0 if i else 0.0), AmountRule.AS_PRINTED) for i, v in enumerate(values)
    )
    places = max(0, -int(Decimal(values[0]).as_tuple().exponent))
    return AmountReading(values[0], 20, 20 + len(values[0]), moneys, currency, (), places)


def row(
    line: int,
    role: Role | None,
    *values: str,
    zone: Zone = "summary",
    weight: float = 1.0,
    label: str | None = None,
    percent: str | None = None,
    cost: float = 0.0,
    currency: str | None = None,
) -> Entry:
    """An amount with at most one role."""
    return Entry(
        line,
        amount(*values, cost=cost, currency=currency),
        zone,
        ((role, weight),) if role else (),
        label if label is not None else role or "KATAKA",
        Decimal(percent) if percent else None,
    )


def product(line: int, *values: str) -> Item:
    """A product line."""
    return Item(line, (line,), f"ITEM {line}", f"Item {line}", amount(*values))


def decide(
    entries: Sequence[Entry],
    items: Sequence[Item] = (),
    tax_rows: Sequence[TaxRow] = (),
    region: str = "us",
) -> Ledger:
    """The ledger of a sheet made of these."""
    size = 1 + max([e.line for e in entries] + [i.line for i in items])
    zones: list[Zone] = ["summary"] * size
    for item in items:
        zones[item.line] = "items"
    sheet = Sheet(tuple(zones), ((),) * size, tuple(items), tuple(entries), tuple(tax_rows))
    return reconcile(sheet, load_region(region))


def value(chosen: object) -> Decimal | None:
    """The value of something decided, None when nothing was."""
    return getattr(chosen, "value", None)


def verdicts(ledger: Ledger) -> dict[str, str]:
    """Equation → verdict."""
    return {equation.kind.value: equation.verdict for equation in ledger.equations}
