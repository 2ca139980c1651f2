"""The merchant's country."""

from __future__ import annotations

from collections.abc import Sequence

from receipt_engine.document import Entity, Found
from receipt_engine.region import Region
from receipt_engine.vocabulary.gazetteer import find_places


def find_country(
    address: Found | None, phone: Found | None, entities: Sequence[Entity], region: Region
) -> Found | None:
    """The region's country, when it is printed or its address or telephone proves it."""
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
