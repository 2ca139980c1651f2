"""Yields clues from towns, for the few countries that the rest of the receipt leaves open: loading the lists
of all countries would take longer than reading the receipt."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from receipt_engine.stages.localize.clues import Clue, shared
from receipt_engine.stages.localize.countries import country
from receipt_engine.vocabulary.normalise import count_letters
from receipt_engine.vocabulary.towns import is_town

#: Number of rows from the top that are searched for towns.
_HEAD = 12
#: Strength (see `shared`) of a town's name, among the countries left open.
_TOWN = 0.7
#: Maximum letters of a town's name; longer texts are skipped.
_LONGEST = 30
_PARTS = re.compile(r"[,;()]|\s[-–/|]\s")
_EDGES = " .-–0123456789"


def town_clues(texts: Sequence[str], codes: Sequence[str]) -> Iterator[Clue]:
    """Yields clues from names of towns that stand alone, apart from digits, in a row or between separators.

    codes: the countries left open.
    """
    seen: set[str] = set()
    for text in texts[:_HEAD]:
        for part in _PARTS.split(text):
            name = part.strip(_EDGES)
            if name in seen or not 0 < count_letters(name) <= _LONGEST:
                continue
            seen.add(name)
            having = [code for code in codes if is_town(name, country(code).iso)]
            if 0 < len(having) < len(codes):
                yield Clue("address", name, shared(having, _TOWN, len(codes)))
