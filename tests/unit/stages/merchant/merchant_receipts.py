"""Receipts as text, brought as far as the merchant stage takes them."""

from __future__ import annotations

from dataclasses import dataclass

from receipt_engine.document import Merchant, ParsedLine, Sheet
from receipt_engine.region import Region, load_region
from receipt_engine.stages.classify import classify
from receipt_engine.stages.group import group
from receipt_engine.stages.merchant import find_merchant
from receipt_engine.stages.parse import AmountHints, parse
from tests.printed import spans


@dataclass(frozen=True)
class Printed:
    """A receipt before the merchant stage, and what the stage makes of it."""

    rows: tuple[ParsedLine, ...]
    sheet: Sheet
    region: Region

    @property
    def merchant(self) -> Merchant:
        return find_merchant(self.rows, self.sheet, self.region)

    def custom(self, key: str) -> str | None:
        """The value of a custom field."""
        return next((found.value for name, found in self.merchant.identifiers if name == key), None)


def printed(code: str, text: str) -> Printed:
    """A receipt of a region, from its text."""
    region = load_region(code)
    rows = tuple(parse(group(spans(text)), region, AmountHints(None, False), None))
    return Printed(rows, classify(rows, region), region)
