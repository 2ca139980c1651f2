"""Defines a clue: one observation on the receipt and how much likelier it makes each country.

Scores are natural logarithms of likelihood ratios against a country that the clue does not name. Clues of
one kind are correlated, so their sum for a country is capped.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from typing import Literal

from receipt_engine.document import Record
from receipt_engine.stages.localize.countries import countries

Kind = Literal[
    "language", "letters", "script", "words", "tax", "tax id", "currency", "phone", "address", "web",
    "numbers", "decimals", "dates", "calendar", "fiscal code"
]  # fmt: skip

#: Maximum absolute score of all clues of a kind together, in nats.
CAPS: dict[Kind, float] = {
    "language": 6.0,
    "letters": 5.0,
    "script": 6.0,
    "words": 4.0,
    "tax": 2.5,
    "tax id": 6.0,
    "currency": 4.0,
    "phone": 4.0,
    "address": 6.0,
    "web": 3.0,
    "numbers": 2.5,
    "decimals": 6.0,
    "dates": 2.0,
    "calendar": 4.0,
    "fiscal code": 8.0,
}
#: Kinds that prove a country by themselves, because they are about the merchant, not about the print style;
#: script is one too, because hardly anybody prints another country's script.
PROOFS: tuple[Kind, ...] = ("address", "fiscal code", "phone", "script", "tax id")


class Clue(Record, frozen=True):
    """scores: country code → nats; a country that is not named gets 0. detail: the text that was seen."""

    kind: Kind
    detail: str
    scores: Mapping[str, float]


def total_scores(clues: Iterable[Clue]) -> dict[Kind, dict[str, float]]:
    """Returns for every kind the capped sum for each country that any clue names."""
    sums: dict[Kind, dict[str, float]] = {}
    for clue in clues:
        add_scores(sums.setdefault(clue.kind, {}), clue.scores)
    return {
        kind: {code: max(-CAPS[kind], min(CAPS[kind], value)) for code, value in scores.items()}
        for kind, scores in sums.items()
    }


def add_scores(scores: dict[str, float], more: Mapping[str, float]) -> None:
    """Adds to the scores of each country."""
    for code, value in more.items():
        scores[code] = scores.get(code, 0.0) + value


def shared(codes: Collection[str], strength: float, among: int | None = None) -> dict[str, float]:
    """Returns the scores of a sign that several countries print: the fewer, the higher.

    codes: those countries. strength: a factor. among: number of countries in question; by default all.
    """
    distinct = sorted(set(codes))
    world = len(countries()) if among is None else among
    return dict.fromkeys(distinct, strength * math.log(world / len(distinct))) if distinct else {}
