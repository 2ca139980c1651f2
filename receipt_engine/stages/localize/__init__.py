"""Where the receipt comes from: regions with probabilities, and the currency."""

from __future__ import annotations

from collections.abc import Sequence

from receipt_engine.document import FiscalCode, Line, RegionGuess
from receipt_engine.region import normalize_code, region_codes
from receipt_engine.stages.localize.currency import find_currency
from receipt_engine.stages.localize.posterior import Posterior, coded_countries, weigh

__all__ = ["find_currency", "localize"]

#: Clues that say less than this are not named as evidence.
_SHOWN = 0.5


def localize(
    lines: Sequence[Line],
    hint: str | None,
    codes: Sequence[FiscalCode] = (),
    script: str | None = None,
) -> tuple[RegionGuess, ...]:
    """Every region with its probability, likeliest first.

    hint: a region code or alias; anything else counts as none. codes: the fiscal codes of the page. script:
    the one that most words are printed in, where no head of the recogniser reads it. The probabilities add
    up to less than 1: the rest is for countries without a region file, which no guess names. The order holds
    for them too: the first guess has the rules that fit the print best. evidence: "hint", then kinds of clues
    with what they say, in nats, strongest first.
    """
    posterior = weigh([line.text for line in lines], hint, coded_countries(codes), script)
    given = normalize_code(hint) if hint else None
    evidence = _evidence(posterior, given)
    guesses = [
        RegionGuess(code, posterior.probabilities[code], tuple(evidence.get(code, ())))
        for code in region_codes()
    ]
    return tuple(sorted(guesses, key=lambda guess: (-guess.probability, guess.code)))


def _evidence(posterior: Posterior, given: str | None) -> dict[str, list[str]]:
    """What speaks for each region, for those that something speaks for."""
    known = frozenset(region_codes())
    told = [
        (value, kind, code)
        for kind, scores in posterior.kinds.items()
        for code, value in scores.items()
        if value >= _SHOWN and code in known
    ]
    shown: dict[str, list[str]] = {} if given is None else {given: ["hint"]}
    for value, kind, code in sorted(told, reverse=True):
        shown.setdefault(code, []).append(f"{kind} {value:+.1f}")
    return shown
