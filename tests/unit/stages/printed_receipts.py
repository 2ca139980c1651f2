"""Receipts as text, brought as far as the stages take them that read what stands beside the amounts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from receipt_engine.document import Contacts, Entity, Found, Merchant, ParsedLine, Payment, Sheet
from receipt_engine.pipeline import sort_rows
from receipt_engine.region import Region, load_region
from receipt_engine.result import AddressNorm
from receipt_engine.stages.address_parts import find_address_parts
from receipt_engine.stages.contacts import choose_contacts, find_entities
from receipt_engine.stages.document_type import find_document_type
from receipt_engine.stages.group import group
from receipt_engine.stages.merchant import find_merchant
from receipt_engine.stages.parse import AmountHints, parse
from receipt_engine.stages.payment import find_payment
from receipt_engine.trace import Trace
from tests.printed import spans


@dataclass(frozen=True)
class Printed:
    """A classified receipt, and what each stage makes of it."""

    rows: tuple[ParsedLine, ...]
    sheet: Sheet
    region: Region

    @cached_property
    def entities(self) -> tuple[Entity, ...]:
        return find_entities(self.rows, self.sheet, self.region)

    @cached_property
    def merchant(self) -> Merchant:
        return find_merchant(self.rows, self.sheet, self.region, self.entities)

    @property
    def address_parts(self) -> AddressNorm | None:
        return find_address_parts(self.merchant.address, self.region)

    @property
    def contacts(self) -> Contacts:
        return choose_contacts(self.rows, self.sheet, self.region, self.entities, self.merchant)

    @property
    def payment(self) -> Payment:
        name = self.merchant.name
        return find_payment(self.rows, self.sheet, name.lines if name else ())

    @property
    def document_type(self) -> Found:
        return find_document_type(self.rows, self.sheet, self.region, self.merchant.customer)


def printed(code: str, text: str) -> Printed:
    """A receipt of a region, from its text."""
    region = load_region(code)
    rows = tuple(parse(group(spans(text)), region, AmountHints(None, False), None))
    return Printed(rows, sort_rows(rows, region, Trace()), region)


def value(found: Found | None) -> str | None:
    """What was found."""
    return found.value if found else None
