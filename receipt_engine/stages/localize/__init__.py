"""Determines a receipt's origin: country probabilities, the region rules to read it by, and its currency."""

from __future__ import annotations

from collections.abc import Sequence

from receipt_engine.document import FiscalCode, Line, RegionGuess
from receipt_engine.region import normalize_code
from receipt_engine.stages.localize.countries import countries
from receipt_engine.stages.localize.currency import find_currency
from receipt_engine.stages.localize.posterior import Posterior, coded_countries, weigh
from receipt_engine.stages.localize.rules import choose_rules

__all__ = ["choose_rules", "find_currency", "localize"]

#: Clues with a smaller score, in nats, are not listed as evidence.
_SHOWN = 0.5


def localize(
    lines: Sequence[Line], hint: str | None, codes: Sequence[FiscalCode] = (), script: str | None = None
) -> tuple[RegionGuess, ...]:
    """Returns every country with its probability, likeliest first, whether or not it has a region file.

    hint: a region code or alias; anything else is ignored. codes: the page's fiscal codes. script: the script
    of most words, if no head of the recogniser reads it. The probabilities sum to less than 1: the rest is
    for countries that no file lists. A guess's evidence is "hint", then the kinds of clues with their scores
    in nats, strongest first.
    """
    posterior = weigh([line.text for line in lines], hint, coded_countries(codes), script)
    given = normalize_code(hint) if hint else None
    evidence = _evidence(posterior, given)
    guesses = [
        RegionGuess(c.code, posterior.probabilities[c.code], c.order, tuple(evidence.get(c.code, ())))
        for c in countries()
    ]
    return tuple(sorted(guesses, key=lambda guess: (-guess.probability, guess.code)))


def _evidence(posterior: Posterior, given: str | None) -> dict[str, list[str]]:
    """Returns the evidence for each country that has any."""
    evidence = [
        (value, kind, code)
        for kind, scores in posterior.kinds.items()
        for code, value in scores.items()
        if value >= _SHOWN
    ]
    shown: dict[str, list[str]] = {} if given is None else {given: ["hint"]}
    for value, kind, code in sorted(evidence, reverse=True):
        shown.setdefault(code, []).append(f"{kind} {value:+.1f}")
    return shown
