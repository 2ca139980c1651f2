"""What speaks for a candidate for the merchant's name: names.txt lists heads of receipts, each behind a name
that is looked at, "us COPPER KETTLE: row | row", and behind "=>" its features that are not nought.

Behind a row may stand how large (^1.5) and how broad (%1.5) it is printed, against the others, and how surely
it was read (~0.9).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from receipt_engine.stages.merchant.address.block import best_block
from receipt_engine.stages.merchant.address.features import address_scores
from receipt_engine.stages.merchant.name.candidates import NameContext
from receipt_engine.stages.merchant.name.features import name_features
from receipt_engine.stages.merchant.weights import weights
from tests.unit.stages.merchant.merchant_contexts import looking, parted, segments_of
from tests.unit.stages.row_lists import RowList

WIDTH = 40
TAIL = ("", "2 Clam Chowder            17.00", "TOTAL                     17.00")


def _describe(asked: str, rows: Sequence[str]) -> Iterable[str]:
    country, _, name = asked.partition(" ")
    told = [parted(row) for row in rows]
    text = "\n".join((*(row.center(WIDTH).rstrip() for row, _ in told), *TAIL)) + "\n"
    segments, domains = segments_of(text, country)
    segments = tuple(looking(segment, [looks for _, looks in told]) for segment in segments)
    scores = address_scores(segments, weights().address)
    context = NameContext(segments, best_block(scores), scores, domains)
    names = [candidate.text for candidate in context.candidates]
    if name not in names:
        yield "no candidate"
        return
    found = name_features(context, names.index(name))
    # How far the rows are from an address is a matter of the address's own weights.
    yield from (f"{k} {v:.3g}" for k, v in sorted(found.items()) if round(v, 3) and k != "address_score")


NAMES = RowList(Path(__file__).parent / "names.txt", _describe)


@pytest.mark.parametrize("row", NAMES.rows)
def test_what_speaks_for_a_name(row: str) -> None:
    assert row == NAMES.result_of(row)


if __name__ == "__main__":
    NAMES.write()
