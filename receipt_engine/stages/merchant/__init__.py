"""Finds the merchant's name and address: rows, their roles and their entities -> a `Merchant`.

Entities (telephone numbers, web addresses, registration numbers, dates) are blanked out of the text. The rest
is split into segments: a run of them is the address, one to three neighbouring ones are the name. Both are
chosen together, with weights fitted on labelled receipts. A merchant table, if given, has the last word.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from msgspec.structs import replace

from receipt_engine.document import Entity, Found, KnownMerchant, Merchant, ParsedLine, Sheet
from receipt_engine.region import Region
from receipt_engine.stages.merchant.chains import by_heading_site, by_web_address, heading_site, only_site
from receipt_engine.stages.merchant.columns import by_column
from receipt_engine.stages.merchant.pairing import find_name_and_address
from receipt_engine.stages.merchant.segments import Segment, measure
from receipt_engine.stages.merchant.text_runs import cut
from receipt_engine.stages.merchant.towns import with_towns
from receipt_engine.stages.merchant.weights import weights
from receipt_engine.vocabulary.gazetteer import part_postcode
from receipt_engine.vocabulary.legal_forms import has_legal_form

__all__ = ["find_merchant", "prepare"]

#: A name with less confidence than this is more likely a product or a note than the merchant's.
_LIKELY = 0.2
#: The same for a name printed in the rows of a product.
_LIKELY_OF_SOLD = 0.5
#: Segments with less than this mean character score are noise.
_LEGIBLE = 0.5


def find_merchant(
    rows: Sequence[ParsedLine],
    sheet: Sheet,
    region: Region,
    entities: Sequence[Entity],
    merchants: MerchantLookup | None = None,
) -> Merchant:
    """Returns the merchant's name and address.

    merchants: a table of known merchants. A name that matches one of them takes the table's spelling; it is
    validated if the phone or the address matches too.
    """
    segments, domains = prepare(rows, sheet, region, entities)
    found = find_name_and_address(segments, domains, weights(), region.code)
    name, address = found.name, found.address
    if address is not None:
        address = replace(address, value=part_postcode(address.value, region))
    heading = heading_site(rows, entities)
    if name is not None:
        name = by_web_address(name, segments, entities)
    if name is not None and heading is not None:
        name = by_heading_site(name, heading)
    known = _known(merchants, segments, name, entities, address)
    if known is not None and name is not None:
        name = _as_known(name, known)
    sold = {line for item in sheet.items for line in item.lines}
    if name is not None and name.confidence < (_LIKELY_OF_SOLD if sold.issuperset(name.lines) else _LIKELY):
        name = None
    name = name or heading or only_site(rows, entities)
    return Merchant(
        name=name,
        address=address,
        validated=known is not None and (known.by_phone or known.by_address),
        legal_name=next((f.rest for f in segments if has_legal_form(f.rest)), ""),
        row=found.row,
        customer=found.customer,
    )


def prepare(
    rows: Sequence[ParsedLine], sheet: Sheet, region: Region, entities: Sequence[Entity]
) -> tuple[tuple[Segment, ...], tuple[str, ...]]:
    """The legible segments, and the names in web addresses: the input that the weights are fitted on."""
    segments = measure(cut(rows, sheet, region.code), rows, entities, region)
    legible = tuple(f for f in segments if f.letters + f.digits >= 2 and f.run.score > _LEGIBLE)
    return with_towns(by_column(legible, [f for f in segments if f.entities]), region), tuple(
        dict.fromkeys(e.name for e in entities if e.name)
    )


def _known(
    merchants: MerchantLookup | None,
    segments: Sequence[Segment],
    name: Found | None,
    entities: Sequence[Entity],
    address: Found | None,
) -> KnownMerchant | None:
    """The merchant in the table that matches the printed text; None without a table or a match."""
    if merchants is None:
        return None
    printed = [name.value] if name else []
    printed += [text for text, _ in name.runners_up] if name else []
    printed += [f.rest for f in segments if has_legal_form(f.rest)][:2]
    phones = [e.value for e in entities if e.kind == "phone"]
    numbers = [e.value for e in entities if e.kind == "id"]
    return merchants.find(printed, phones, address.value if address else None, numbers)


def _as_known(name: Found, known: KnownMerchant) -> Found:
    """The name in the table's spelling, with a high confidence when the phone or address matches too."""
    sure = known.by_phone or known.by_address
    confidence = max(name.confidence, 0.97 if sure else 0.85)
    return replace(name, value=known.name, confidence=confidence, rule=f"{name.rule}, merchant {known.id}")


class MerchantLookup(Protocol):
    """A table of merchants that can be searched by the text printed on a receipt."""

    def find(
        self, names: Sequence[str], phones: Sequence[str], address: str | None, ids: Sequence[str]
    ) -> KnownMerchant | None:
        """The best match. None unless a phone, address or registration number of a merchant matches."""
        ...
