"""Measures how many fields a person must check in `receipt-engine review` until nearly all are right.

    python -m benchmarks.protocols.review --data DIR --cache .cache/ocr [--wrong FILE]

Merchants, dates and totals are checked in the order of the review page, the most probably wrong first; a
checked field counts as right. Labels are taken as they are: where a label is at fault, a right value counts
as a wrong one that the engine is sure of. The last row counts values as right whose label contradicts its
image (`benchmarks.datasets.faulty_labels`). `--wrong` lists the wrong ones with the share of checks after
which each is found; it quotes labels, so keep it out of the repository.
"""

from __future__ import annotations

import argparse
from collections.abc import Container, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from benchmarks.datasets import faulty_labels, load
from benchmarks.outcome import Outcome
from benchmarks.runner import Setup, run
from benchmarks.scoring.fields import Verdict
from receipt_engine.batch import Failure, Row
from receipt_engine.result import Result
from receipt_engine.review.questions import questions

FIELDS = ("establishment", "date", "total")
#: Target shares of right fields, and shares of checked fields for the curve.
TARGETS = (0.98, 0.99, 0.995)
LOOKS = (0.0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4)


class Field(NamedTuple):
    """chance: probability of being wrong. what: sample, field, value and label, for display."""

    chance: float
    right: bool
    what: str = ""


def fields(outcomes: Sequence[Outcome], faulty: Container[tuple[str, str]] = ()) -> list[Field]:
    """The labelled merchants, dates and totals of one folder, in the order of the review's questions.

    faulty: (sample, field) of labels that do not count.
    """
    found: list[Field] = []
    for question in questions([_row(outcome) for outcome in outcomes], worth=0.0):
        sample, name = outcomes[question.row].sample, question.field
        if name in FIELDS and name in sample.fields:
            right = outcomes[question.row].judge(name) is Verdict.RIGHT or (sample.id, name) in faulty
            accepted = " | ".join(map(str, sample.fields[name].accepted))
            what = f"{sample.id} {name}: {question.value}, labelled {accepted}"
            found.append(Field(question.chance, right, what))
    return found


def _row(outcome: Outcome) -> Row:
    """The batch's row; an image without a Result gives a row with an error."""
    name = outcome.sample.id
    if outcome.result is None:
        return Row(file=name, sha256=name, error=Failure(*(outcome.error or ("NoTextError", ""))))
    return Row(file=name, sha256=name, result=Result.from_json(msgspec.json.encode(outcome.result)))


def _together(sets: Iterable[list[Field]]) -> list[Field]:
    """The fields of several folders, merged by falling chance."""
    return sorted((field for ordered in sets for field in ordered), key=lambda field: -field.chance)


def looks_until(ordered: Sequence[Field], target: float) -> int:
    """How many of the fields must be checked, in their order, until a share of `target` is right."""
    wrong = [at for at, field in enumerate(ordered, 1) if not field.right]
    borne = int(len(ordered) * (1 - target) + 1e-9)
    return 0 if len(wrong) <= borne else wrong[len(wrong) - borne - 1]


def right_after(ordered: Sequence[Field], looks: int) -> float:
    """Share of right fields once the first `looks` were checked."""
    return 1 - sum(not field.right for field in ordered[looks:]) / len(ordered)


def main() -> None:
    """Prints a table of the sets, and the curve over all of them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--cache", type=Path)
    parser.add_argument("--wrong", type=Path)
    given = parser.parse_args()
    folders: dict[str, list[Outcome]] = {}
    for outcome in run(load([given.data]), Setup(cache=given.cache)):
        folders.setdefault(outcome.sample.dataset, []).append(outcome)
    sets = {name: fields(outcomes) for name, outcomes in folders.items()}
    together = _together(sets.values())
    mended = _together(fields(outcomes, faulty_labels()) for outcomes in folders.values())
    sets |= {"all": together, "all-but-faulty-labels": mended}
    print("set fields wrong", *(f"looks-for-{100 * target:g}%" for target in TARGETS))
    for name, ordered in sets.items():
        if ordered:
            shares = [f"{100 * looks_until(ordered, target) / len(ordered):.1f}" for target in TARGETS]
            print(name, len(ordered), sum(not field.right for field in ordered), *shares)
    for share in LOOKS:
        right = right_after(together, int(share * len(together)))
        print(f"{100 * share:g} % looked at: {100 * right:.2f} % right")
    if given.wrong:
        listed = (
            f"{100 * at / len(together):5.1f} {f.what}\n" for at, f in enumerate(together) if not f.right
        )
        given.wrong.write_text("".join(listed), encoding="utf-8")


if __name__ == "__main__":
    main()
