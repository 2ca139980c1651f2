"""What speaks for a row being of the merchant's address: addresses.txt lists heads of receipts, in each a row
that is looked at behind ">", and behind "=>" its features that are not nought, the neighbours' apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from receipt_engine.stages.merchant.address.features import address_features
from tests.unit.stages.merchant.merchant_contexts import looking, parted, segments_of
from tests.unit.stages.row_lists import RowList

WIDTH = 40
TAIL = ("", "2 Clam Chowder            17.00", "TOTAL                     17.00")


def _describe(country: str, rows: Sequence[str]) -> Iterable[str]:
    at = next(index for index, row in enumerate(rows) if row.startswith(">"))
    told = [parted(row.removeprefix(">")) for row in rows]
    text = "\n".join((*(row.center(WIDTH).rstrip() for row, _ in told), *TAIL)) + "\n"
    segments, _ = segments_of(text, country)
    segments = tuple(looking(segment, [looks for _, looks in told]) for segment in segments)
    for segment, features in zip(segments, address_features(segments), strict=True):
        if segment.run.row == at:
            shown = {k: float(v) for k, v in features.items() if k != "above2:none"}
            yield ", ".join(f"{k} {v:.3g}" for k, v in sorted(shown.items()) if round(v, 3))


ADDRESSES = RowList(Path(__file__).parent / "addresses.txt", _describe)


@pytest.mark.parametrize("row", ADDRESSES.rows)
def test_what_speaks_for_an_address(row: str) -> None:
    assert row == ADDRESSES.result_of(row)


if __name__ == "__main__":
    ADDRESSES.write()
