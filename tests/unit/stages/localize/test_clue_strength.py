"""What a print says about the country it comes from: clues.txt lists rows of receipts, each behind the
country that is looked at, and behind "=>" the clues that speak for it.

Many clues say the more the fewer countries print them (`shared`): of these the share of that is told,
"x0.45", so that a new country changes no row. Clues of languages and national telephone numbers hang together
with all languages and numbering plans and are left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from receipt_engine.stages.localize.countries import Clue, countries, total_scores
from receipt_engine.stages.localize.posterior import clues
from tests.unit.stages.row_lists import RowList

SHARED = ("letters", "script", "words", "tax", "currency", "phone")
LEFT_OUT = ("language",)


def _strength(clue: Clue, country: str) -> str:
    value = clue.scores[country]
    scores = [score for score in clue.scores.values() if score == value]
    whole = math.log(len(countries()) / len(scores))
    if clue.kind in SHARED and len(set(clue.scores.values())) == 1 and whole > 0:
        return f"x{value / whole:.3g}"
    return f"{value:.3g}"


def _describe(country: str, rows: Sequence[str]) -> Iterable[str]:
    found = [clue for clue in clues(rows) if clue.kind not in LEFT_OUT and country in clue.scores]
    told = [clue for clue in found if clue.kind != "phone" or clue.detail.startswith("+")]
    yield from (f"{clue.kind} [{clue.detail}] {_strength(clue, country)}" for clue in told)
    for kind, scores in total_scores(told).items():
        plain = sum(clue.scores[country] for clue in told if clue.kind == kind)
        if plain > scores[country]:
            yield f"{kind} at most {scores[country]:.3g}"


CLUES = RowList(Path(__file__).parent / "clues.txt", _describe)


@pytest.mark.parametrize("row", CLUES.rows)
def test_what_speaks_for_a_country(row: str) -> None:
    assert row == CLUES.result_of(row)


if __name__ == "__main__":
    CLUES.write()
