"""Finds the merchant's contact and registration data: rows and their roles in, `Contacts` out.

Works in two steps: names and addresses must not overlap these entities, but choosing among the entities needs
the merchant's name and address. `find_entities` finds every telephone number, web address, registration
number, date and document number. `choose_contacts`, once the merchant is known, decides which are the
merchant's own.
"""

from __future__ import annotations

from collections.abc import Sequence

from receipt_engine.document import Contacts, Entity, FiscalCode, Found, Merchant, ParsedLine, Sheet
from receipt_engine.region import Region
from receipt_engine.stages.contacts.entities import date_entities
from receipt_engine.stages.contacts.identifiers import find_identifiers, tax_number
from receipt_engine.stages.contacts.phone import best_phone, find_phones
from receipt_engine.stages.contacts.receipt_numbers import number_entities, receipt_number
from receipt_engine.stages.contacts.web import best_url, find_web
from receipt_engine.vocabulary.gazetteer import find_places
from receipt_engine.vocabulary.normalise import letters

__all__ = ["choose_contacts", "find_entities"]


def find_entities(rows: Sequence[ParsedLine], sheet: Sheet, region: Region) -> tuple[Entity, ...]:
    """All entities in the rows, grouped by kind."""
    web = find_web(rows)
    identifiers = find_identifiers(rows, sheet, region)
    phones = find_phones(rows, sheet, region, web + identifiers)
    found = web + identifiers + phones
    return found + number_entities(rows, sheet, found) + date_entities(rows)


def choose_contacts(
    rows: Sequence[ParsedLine],
    sheet: Sheet,
    region: Region,
    entities: Sequence[Entity],
    merchant: Merchant,
    codes: Sequence[FiscalCode] = (),
) -> Contacts:
    """The merchant's own telephone number, web address and tax number, the receipt's number, the country.

    codes: the fiscal codes of the page.
    """
    name, address = merchant.name, merchant.address
    phone = best_phone(entities, merchant.row)
    taken = [entity for entity in entities if entity.kind not in ("date", "number")]
    return Contacts(
        phone=phone,
        url=best_url(entities, sheet.roles, letters(name.value) if name else ""),
        tax_number=tax_number(entities, [code.seller for code in codes if code.seller]),
        receipt_number=receipt_number(rows, sheet, taken, address.lines if address else ()),
        country=find_country(address, phone, entities, region),
    )


def find_country(
    address: Found | None, phone: Found | None, entities: Sequence[Entity], region: Region
) -> Found | None:
    """The region's country, if it is printed, or if the address or the telephone number confirms it."""
    name = region.address.country
    if address is not None:
        places = find_places(address.value, region)
        if any(p.kind == "country" for p in places):
            return Found(name, 0.97, address.lines, "printed country")
        kinds = {p.kind for p in places}
        if "postcode" in kinds and kinds & {"city", "state"}:
            return Found(name, 0.9, address.lines, "postcode and place")
    if phone is not None and any(
        e.valid and e.kind == "phone" and (e.row,) == phone.lines and e.value == phone.value for e in entities
    ):
        return Found(name, 0.75, phone.lines, "telephone")
    return None
