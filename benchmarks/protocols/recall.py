"""Measures whether a corrected merchant is recognised again.

    python -m benchmarks.protocols.recall --data DIR --cache CACHE

In every set, the first receipt of each merchant (grouped by labelled name) is corrected as in a review: its
name to the label, and its category to a value unique to the merchant. A later receipt is right when it gets
its merchant's name and category.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterable
from pathlib import Path

import msgspec
from msgspec import structs

from benchmarks.datasets import load
from benchmarks.outcome import Outcome
from benchmarks.runner import Setup, run
from benchmarks.scoring.fields import Verdict, judge
from receipt_engine.memory import MerchantMemory
from receipt_engine.result import Result
from receipt_engine.vocabulary.normalise import alphanumerics

_FIELD = "establishment"


def recall(outcomes: Iterable[Outcome], memory: MerchantMemory) -> list[tuple[Outcome, bool, bool]]:
    """(receipt, name right, category right) of the later receipts of one set's merchants."""
    merchants: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        if _FIELD in outcome.sample.fields and outcome.result is not None:
            name = str(outcome.sample.fields[_FIELD].main)
            merchants.setdefault(alphanumerics(name), []).append(outcome)
    for name, (first, *_) in merchants.items():
        read = _result(first)
        label = str(first.sample.fields[_FIELD].main)
        memory.remember(read, structs.replace(read, establishment=label, expense_type=name))
    found = []
    for name, (_, *later) in merchants.items():
        for outcome in later:
            known = memory.recall(_result(outcome))
            verdict = judge(outcome.sample.fields[_FIELD], _FIELD, known.establishment)
            found.append((outcome, verdict is Verdict.RIGHT, known.expense_type == name))
    return found


def _result(outcome: Outcome) -> Result:
    return Result.from_json(msgspec.json.encode(outcome.result))


def main() -> None:
    """Prints the shares over all sets together, and the receipts that are not right."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--cache", type=Path)
    given = parser.parse_args()
    sets: dict[str, list[Outcome]] = {}
    for outcome in run(load([given.data]), Setup(cache=given.cache)):
        sets.setdefault(outcome.sample.dataset, []).append(outcome)
    found = []
    for members in sets.values():
        with tempfile.TemporaryDirectory() as folder:
            found += recall(members, MerchantMemory(Path(folder) / "merchants.csv"))
    before = sum(outcome.judge(_FIELD) is Verdict.RIGHT for outcome, _, _ in found)
    both = sum(name and category for _, name, category in found)
    print(f"{len(found)} later receipts: name right {100 * before / len(found):.1f} % as read, ", end="")
    print(f"name and category {100 * both / len(found):.1f} % as remembered")
    for outcome, name, category in found:
        if not (name and category):
            print(outcome.sample.id, outcome.answer(_FIELD))


if __name__ == "__main__":
    main()
