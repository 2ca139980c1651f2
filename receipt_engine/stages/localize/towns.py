"""Clues from towns, for a few countries that the rest of the receipt leaves open: reading the lists of all
would take longer than reading the receipt."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from receipt_engine.stages.localize.clues import Clue, shared
from receipt_engine.stages.localize.countries import country
from receipt_engine.vocabulary.normalise import count_letters
from receipt_engine.vocabulary.towns import is_town

#: Rows that an address is printed in, from the top.
_HEAD = 12
#: What a town of one country says against each of the others that are open.
_TOWN = 0.7
#: Most letters of a town's name; a longer text is not looked at.
_LONGEST = 30
_PARTS = re.compile(r"[,;()]|\s[-–/|]\s")
_EDGES = " .-–0123456789"


def town_clues(texts: Sequence[str], codes: Sequence[str]) -> Iterator[Clue]:
    """Names of towns that stand alone, but for a number, in a row or between commas. codes: countries."""
    told: set[str] = set()
    for text in texts[:_HEAD]:
        for part in _PARTS.split(text):
            name = part.strip(_EDGES)
            if name in told or not 0 < count_letters(name) <= _LONGEST:
                continue
            told.add(name)
            having = [code for code in codes if is_town(name, country(code).iso)]
            if 0 < len(having) < len(codes):
                yield Clue("address", name, shared(having, len(codes), _TOWN))
