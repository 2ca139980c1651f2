"""Scores images of several receipts: are they separated, and does each keep its own fields?

    python -m scripts.make_receipts.several OUT --count 200 --seed 1
    python -m benchmarks.protocols.several OUT [--first N] [--cache DIR]

OUT holds ``images/`` and ``labels.jsonl`` as `scripts.make_receipts.several` writes them: for every image the
truth of its receipts, and the corners of each receipt's paper.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from benchmarks.kept_models import kept_models
from receipt_engine import Engine, ImageError, Result
from receipt_engine.options import ExtractOptions

#: Fields whose values distinguish receipts.
_FIELDS = ("total", "date", "establishment")


@dataclass(frozen=True)
class Row:
    """One image. receipts: number shown; found: number of Results; matched: receipts with a Result of their
    own; right: of those, with the right total; mixed: Results with a field of another receipt; sure: wrong
    totals at a confidence of at least .9."""

    id: str
    arrangement: str
    receipts: int
    found: int
    matched: int
    right: int
    mixed: int
    sure: int

    @property
    def exact(self) -> bool:
        """Whether there is exactly one Result for every receipt, and no other."""
        return self.receipts == self.found == self.matched


def score(name: str, label: dict[str, Any], results: Sequence[Result]) -> Row:
    """The row of an image. label: its object in ``labels.jsonl``; results: with evidence."""
    truths, outlines = label["receipts"], label["outlines"]
    owner = [_owner(result, outlines, truths) for result in results]
    matched = {index for index in owner if index is not None}
    right = sum(
        any(o == index and _same("total", results[i], truths[index]) for i, o in enumerate(owner))
        for index in matched
    )
    return Row(
        name,
        label.get("arrangement", ""),
        len(truths),
        len(results),
        len(matched),
        right,
        sum(_is_mixed(result, o, truths) for result, o in zip(results, owner, strict=True)),
        sum(
            (result.total_confidence or 0) >= 0.9
            and not (o is not None and _same("total", result, truths[o]))
            for result, o in zip(results, owner, strict=True)
        ),
    )


def _owner(result: Result, outlines: Any, truths: Sequence[dict[str, Any]]) -> int | None:
    """Index of the receipt that a Result belongs to: the one with which most fields agree; on a tie, or when
    no field agrees, the one whose paper contains the centre of the Result's outline."""
    agreeing = [sum(_same(name, result, truth) for name in _FIELDS) for truth in truths]
    likely = [index for index, count in enumerate(agreeing) if count == max(agreeing)]
    if len(likely) == 1 and agreeing[likely[0]]:
        return likely[0]
    on = _paper_below(result, outlines)
    return on if on in likely or not any(agreeing) else likely[0]


def _paper_below(result: Result, outlines: Any) -> int | None:
    """Index of the paper that contains the centre of the Result's outline."""
    evidence = result.evidence
    assert isinstance(evidence, dict)
    own = evidence["receipts"]["outlines"]
    if not own or not own[evidence["receipts"]["index"]]:
        return 0 if len(outlines) == 1 else None
    x, y = np.mean(own[evidence["receipts"]["index"]][0], axis=0)
    quarters = evidence["page"]["rotation"] // 90
    width, height = evidence["page"]["sourceWidth"], evidence["page"]["sourceHeight"]
    if quarters % 2:
        width, height = height, width
    for _ in range(quarters):  # back to the image as stored
        x, y, width, height = y, width - x, height, width
    for index, outline in enumerate(outlines):
        if cv2.pointPolygonTest(np.array(outline, np.float32), (float(x), float(y)), False) >= 0:
            return index
    return None


def _value(name: str, result: Result) -> Any:
    value = getattr(result, name)
    return float(value) if name == "total" and value is not None else value


def _same(name: str, result: Result, truth: dict[str, Any]) -> bool:
    value = _value(name, result)
    accepted = [truth.get(name), *truth.get(f"{name}_any", [])]
    if name == "total":
        return value is not None and any(a is not None and abs(value - a) < 0.005 for a in accepted)
    if name == "date":
        return value is not None and any(a is not None and value[:10] == a[:10] for a in accepted)
    return value is not None and any(a is not None and value.casefold() == a.casefold() for a in accepted)


def _is_mixed(result: Result, owner: int | None, truths: Sequence[dict[str, Any]]) -> bool:
    """Whether a field's value is another receipt's and not its own."""
    return any(
        not (owner is not None and _same(name, result, truths[owner]))
        and any(_same(name, result, truth) for i, truth in enumerate(truths) if i != owner)
        for name in _FIELDS
    )


def run(folder: Path, engine: Engine, first: int | None = None) -> Iterator[Row]:
    """A row for every image of the folder, or for its first ones."""
    with (folder / "labels.jsonl").open(encoding="utf-8") as labels:
        for number, line in enumerate(labels):
            if first is not None and number >= first:
                return
            label = json.loads(line)
            regions = set(label["regions"])
            options = ExtractOptions(region=regions.pop() if len(regions) == 1 else None, evidence=True)
            try:
                results = engine.extract_all(folder / label["image"], options)
            except ImageError:
                results = ()
            yield score(label["id"], label, results)


def summary(rows: Sequence[Row]) -> dict[str, float]:
    """Shares in per cent, and counts."""
    receipts, matched = sum(row.receipts for row in rows), sum(row.matched for row in rows)
    found = sum(row.found for row in rows)
    return {
        "pictures": len(rows),
        "pictures exact %": round(100 * sum(row.exact for row in rows) / max(1, len(rows)), 1),
        "receipts": receipts,
        "receipts found %": round(100 * matched / max(1, receipts), 1),
        "totals right of found %": round(100 * sum(row.right for row in rows) / max(1, matched), 1),
        "results with a field of another %": round(100 * sum(row.mixed for row in rows) / max(1, found), 1),
        "wrong totals at .9": sum(row.sure for row in rows),
    }


def main() -> int:
    """Prints a row for every image, and the summary."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--first", type=int)
    parser.add_argument("--threads", type=int)
    parser.add_argument("--cache", type=Path, help="a folder for what the networks gave")
    arguments = parser.parse_args()
    models = kept_models(arguments.cache, arguments.threads) if arguments.cache else None
    rows = []
    for row in run(arguments.folder, Engine(threads=arguments.threads, models=models), arguments.first):
        rows.append(row)
        print(json.dumps(asdict(row) | {"exact": row.exact}), flush=True)
    found = {"all": summary(rows)}
    for arrangement in sorted({row.arrangement for row in rows}):
        found[arrangement] = summary([row for row in rows if row.arrangement == arrangement])
    print(json.dumps(found, indent=2))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
