"""Receipts as text, brought as far as the sheet."""

from __future__ import annotations

from decimal import Decimal

from receipt_engine.document import Item, Sheet
from receipt_engine.pipeline import sort_rows
from receipt_engine.region import load_region
from receipt_engine.stages.group import group
from receipt_engine.stages.parse import AmountHints, parse
from receipt_engine.trace import Trace
from tests.printed import spans


def sheet(text: str, region: str = "us") -> Sheet:
    rules = load_region(region)
    rows = parse(group(spans(text)), rules, AmountHints(), None)
    return sort_rows(rows, rules, Trace())


def receipt(products: str) -> str:
    """Products between a head and a totals block."""
    block = "SUBTOTAL                99.90\nTAX                      0.10\nTOTAL                  100.00"
    return "\n".join(("      CORNER STORE", "    12 Main Street", "", products.strip("\n"), "", block))


def products(text: str, region: str = "us") -> tuple[Item, ...]:
    return sheet(receipt(text), region).items


def names(items: tuple[Item, ...]) -> list[tuple[str, Decimal]]:
    return [(item.desc_clean, item.total.value) for item in items]
