"""Pictures of one receipt: is any split in two, or joined with something else?

    python -m benchmarks.protocols.single --data DIR [--cache DIR] [--papers DIR]

Text is taken from the cache of readings; papers are looked for anew, and only what is cut out is read. A
picture counts as split when it has more than one Result. Where it was cut at all, and the total is labelled,
the row says what the total is with and without the cut.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal
from pathlib import Path

from msgspec.structs import replace

from benchmarks.datasets import Sample, load
from benchmarks.kept_models import kept_models
from benchmarks.reading_cache import DEFAULT_FOLDER
from benchmarks.runner import Setup, Worker, call_for
from receipt_engine.documents import interpret_all, main_receipt, with_papers
from receipt_engine.errors import ImageError
from receipt_engine.options import ExtractOptions
from receipt_engine.runtime.protocols import Models
from receipt_engine.stages.preprocess.decode import decode
from receipt_engine.stages.recognize.orientation import turn
from receipt_engine.trace import Trace


@dataclass(frozen=True)
class Row:
    """One picture that was cut. papers: how many were cut out; results: Results of them; total, whole:
    whether the total is right, and whether it would be without the cut; None where it is not labelled."""

    id: str
    papers: int
    results: int
    total: bool | None
    whole: bool | None


def rows(samples: Sequence[Sample], cache: Path, models: Models) -> Iterator[Row]:
    """A row for every picture that is cut."""
    worker = Worker(Setup(cache))
    trace = Trace(keep=False)
    for sample in samples:
        try:
            kept = replace(worker.reading(sample), papers=(), further=())
            page = decode(sample.image)
        except (ImageError, ValueError):
            continue
        upright = turn(page, (kept.rotation - page.rotation) % 360)
        reading = with_papers(upright, kept, models, trace)
        if not reading.papers:
            continue
        options = ExtractOptions(region=call_for(sample).region)
        whole, results = interpret_all(kept, options, None), interpret_all(reading, options, None)
        yield Row(
            sample.id,
            len(reading.papers),
            len(results),
            _right(sample, main_receipt(results).total),
            _right(sample, main_receipt(whole).total),
        )


def _right(sample: Sample, total: Decimal | None) -> bool | None:
    label = sample.fields.get("total")
    return None if label is None else total in label.accepted


def main() -> int:
    """Print a row for every picture that is cut, and how many are split."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, action="append", required=True, metavar="DIR")
    parser.add_argument("--cache", type=Path, default=DEFAULT_FOLDER, help="of readings")
    parser.add_argument("--papers", type=Path, help="a folder for what the networks gave for papers")
    parser.add_argument("--sets", help="names of data sets, with commas; all by default")
    arguments = parser.parse_args()
    samples = load(arguments.data, arguments.sets.split(",") if arguments.sets else None)
    found = []
    for row in rows(samples, arguments.cache, kept_models(arguments.papers or arguments.cache / "papers")):
        found.append(row)
        print(json.dumps(asdict(row)), flush=True)
    split = sum(row.results > 1 for row in found)
    share = 100 * split / max(1, len(samples))
    print(f"{len(samples)} pictures, {len(found)} cut, {split} with several Results ({share:.2f} %)")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
