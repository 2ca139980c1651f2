"""Identifies a chain from its web address when its logo was not read."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace
from rapidfuzz import fuzz

from receipt_engine.document import Entity, Found
from receipt_engine.stages.merchant.segments import Segment
from receipt_engine.vocabulary.brands import brand_of_site
from receipt_engine.vocabulary.legal_forms import has_legal_form
from receipt_engine.vocabulary.normalise import letters

#: From this similarity on, in percent, a row may be the chain's logo, misread.
_ALIKE = 70
#: Confidence when only a chain's web address is printed: the shop may be another one of the same group.
_BY_SITE = 0.8


def by_web_address(name: Found, segments: Sequence[Segment], entities: Sequence[Entity]) -> Found:
    """The chain whose web address is printed, where no row shows its name; else `name`.

    A name with a legal form is kept. Web addresses of two chains decide nothing.
    """
    chains = {e.row: chain for e in entities if e.name and (chain := brand_of_site(e.name)) is not None}
    if len(set(chains.values())) != 1 or has_legal_form(name.value):
        return name
    row, chain = next(iter(chains.items()))
    keys = {letters(chain), *(letters(e.name) for e in entities if e.name and e.row in chains)}
    if any(fuzz.partial_ratio(key, letters(own.rest)) >= _ALIKE for key in keys for own in segments):
        return name
    others = ((name.value, name.confidence), *name.runners_up)
    return replace(
        name, value=chain, confidence=_BY_SITE, lines=(row,), rule="web address of a chain", runners_up=others
    )
