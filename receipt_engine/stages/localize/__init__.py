"""Where the receipt comes from: regions with probabilities, and the currency."""

from __future__ import annotations

from collections.abc import Sequence

from receipt_engine.document import Line, RegionGuess
from receipt_engine.region import normalize_code, region_codes
from receipt_engine.stages.localize.currency import find_currency
from receipt_engine.stages.localize.posterior import Posterior, weigh

__all__ = ["find_currency", "localize"]

#: Clues that say less than this are not named as evidence.
_SHOWN = 0.5


def localize(lines: Sequence[Line], hint: str | None) -> tuple[RegionGuess, ...]:
    """Every region with its probability, likeliest first.

    hint: a region code or alias; anything else counts as none. The probabilities add up to less than 1:
    the rest is for countries without a region file, which no guess names. The order holds for them too:
    the first guess has the rules that fit the print best. evidence: "hint", then kinds of clues with what
    they say, in nats, strongest first.
    """
    posterior = weigh([line.text for line in lines], hint)
    given = normalize_code(hint) if hint else None
    guesses = (
        RegionGuess(code, posterior.probabilities[code], _evidence(code, posterior, given))
        for code in region_codes()
    )
    return tuple(sorted(guesses, key=lambda guess: (-guess.probability, guess.code)))


def _evidence(code: str, posterior: Posterior, given: str | None) -> tuple[str, ...]:
    found = [(scores.get(code, 0.0), kind) for kind, scores in posterior.kinds.items()]
    told = sorted([clue for clue in found if clue[0] >= _SHOWN], reverse=True)
    shown = [f"{kind} {value:+.1f}" for value, kind in told]
    return tuple(["hint", *shown] if code == given else shown)
