"""Collects the inputs of the search, computed once from a sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from receipt_engine.document import Entry, FiscalCode, Item, Sheet, TaxRow, sum_items
from receipt_engine.region import Region
from receipt_engine.scoring.certainty import LIKELY, POSSIBLE
from receipt_engine.stages.reconcile.adjustments import Adjustments, most_rounded, whole
from receipt_engine.stages.reconcile.readings import ItemSum, item_sums


@dataclass(frozen=True, slots=True)
class Inputs:
    """A sheet with everything that is computed once from it.

    item_keys: the item sums by their value in units of the smallest decimal. rates: the region's tax rates,
    in percent. rounding_steps: steps to which cash totals are rounded there; most_rounded: by how much at
    most. exclusive: prices there never contain the tax. tenders, changes, coupons: entries that may be
    payments, change, and coupons that pay. wholes: rightmost amounts named total, subtotal or gross. coded:
    totals stated by the page's fiscal codes.
    """

    entries: tuple[Entry, ...]
    items: tuple[Item, ...]
    tax_rows: tuple[TaxRow, ...]
    adjustments: Adjustments
    item_sums: Mapping[Decimal, ItemSum]
    item_keys: Mapping[int, Decimal]
    rates: tuple[Decimal, ...]
    rounding_steps: tuple[Decimal, ...]
    most_rounded: Decimal
    exclusive: bool
    tenders: tuple[Entry, ...]
    changes: tuple[Entry, ...]
    coupons: tuple[Entry, ...]
    wholes: tuple[Entry, ...]
    coded: tuple[Decimal, ...]

    @staticmethod
    def of(sheet: Sheet, region: Region, codes: Sequence[FiscalCode] = ()) -> Inputs:
        """From a sheet, the rules of its region, and the fiscal codes of the page."""
        adjustments = Adjustments.of(sheet.entries, region)
        sums = item_sums(sheet.items)
        keys = ((whole(value, adjustments.places), value) for value in sums)
        return Inputs(
            entries=sheet.entries,
            items=sheet.items,
            tax_rows=sheet.tax_rows,
            adjustments=adjustments,
            item_sums=sums,
            item_keys={key: value for key, value in keys if key is not None},
            rates=region.tax.percents,
            rounding_steps=tuple(Decimal(r.step) for r in region.rounding),
            most_rounded=most_rounded(region),
            exclusive=region.tax.inclusive == "no",
            tenders=tuple(e for e in sheet.entries if e.role in ("cash", "card")),
            changes=tuple(e for e in sheet.entries if _may_be_change(e, sheet.entries)),
            coupons=tuple(e for e in sheet.entries if e.role == "discount" and e.last),
            wholes=tuple(e for e in sheet.entries if e.last and e.amount.value and _is_whole(e)),
            coded=tuple(c.total for c in codes if c.total is not None and not c.asks),
        )

    @property
    def whole(self) -> bool:
        """Whether the country rounds totals to whole amounts."""
        return any(step >= 1 for step in self.rounding_steps)

    @property
    def is_refund(self) -> bool:
        """Whether the products add up to less than zero."""
        return sum_items(self.items) < 0

    def is_rounded_total(self, entry: Entry) -> bool:
        """Whether an amount is the rounded total: its words say rounding, but it is too large to be one."""
        return entry.role == "rounding" and abs(entry.amount.value) > self.most_rounded

    @property
    def table_rows(self) -> frozenset[int]:
        """Rows of a tax table with several rates: their amounts are parts of the total."""
        parts = frozenset(r.line for r in self.tax_rows if not r.is_sum)
        return parts if len(parts) > 1 else frozenset()


def _may_be_change(entry: Entry, entries: Sequence[Entry]) -> bool:
    """Whether an amount is named change, or stands right below cash as a balance, a void, or without a role
    ("CASH 45.00", "BALANCE 16.35")."""
    if entry.weight("change") >= POSSIBLE:
        return True
    below_cash = any(e.role == "cash" and e.line == entry.line - 1 for e in entries)
    return entry.role in ("balance", "void", None) and entry.last and below_cash


def _is_whole(entry: Entry) -> bool:
    return entry.weight("total", "subtotal", "gross") >= LIKELY
