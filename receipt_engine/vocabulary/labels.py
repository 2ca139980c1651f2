"""Finds the key phrase of a region right before or after an offset, comparing letters only."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from receipt_engine.region import KEPT_REGIONS, Region, Role, keyed_phrases
from receipt_engine.vocabulary.normalise import squeeze
from receipt_engine.vocabulary.tokens import tokens

_MAX_WORDS = 6
#: Number of characters before a value that are searched for its label.
_WINDOW = 28


@lru_cache(maxsize=KEPT_REGIONS)
def lexicon(region: Region) -> dict[str, Mapping[Role, float]]:
    """Returns the squeezed key phrases of a region → the roles that each indicates, with their weights."""
    return keyed_phrases(region, squeeze)


def label_before(text: str, end: int, region: Region, start: int = 0) -> Mapping[Role, float]:
    """Returns the roles of the longest key phrase whose last word is the last word of text[start:end]."""
    run = tokens(text[start:end])
    known = lexicon(region)
    for count in range(min(_MAX_WORDS, len(run)), 0, -1):
        roles = known.get("".join(w.text for w in run[-count:]))
        if roles:
            return roles
    return {}


def is_labelled(text: str, position: int, region: Region, *roles: Role) -> bool:
    """Whether a key phrase of one of the roles stands right before an offset, ignoring punctuation."""
    start = max(0, position - _WINDOW)
    end = position
    while end > start and not text[end - 1].isalnum():
        end -= 1
    if end == start or text[end - 1].isdigit():
        return False
    return not label_before(text, end, region, start).keys().isdisjoint(roles)
