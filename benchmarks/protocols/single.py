"""Checks images of one receipt: is any split in two, or joined with something else?

    python -m benchmarks.protocols.single --data DIR [--cache DIR] [--papers DIR] [--renew]

Text is taken from the cache of readings; the search for papers is run anew, and only the crops are read
again. An image counts as split when it has more than one Result. When it was cropped, or has text beside the
paper, and its total is labelled, the row tells whether the total is right with and without that. --renew
stores the new reading in the cache, after a change of `stages/papers`.
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
from benchmarks.reading_cache import (
    DEFAULT_FOLDER,
    Entry,
    ReadingCache,
    encode,
    picture_key,
    reading_code,
)
from benchmarks.runner import Setup, Worker, call_for
from receipt_engine.documents import interpret_all, main_receipt, with_papers
from receipt_engine.engine import fingerprint
from receipt_engine.errors import ImageError
from receipt_engine.options import ExtractOptions
from receipt_engine.runtime.protocols import Models
from receipt_engine.stages.preprocess.decode import decode
from receipt_engine.stages.recognize.orientation import turn
from receipt_engine.trace import Trace


@dataclass(frozen=True)
class Row:
    """One image that was cropped or has text beside the paper. papers: number of crops; beside: texts beside
    the paper; results: number of Results; total, whole: whether the total is right with and without cropping;
    None where it is not labelled."""

    id: str
    papers: int
    beside: tuple[str, ...]
    results: int
    total: bool | None
    whole: bool | None


def rows(samples: Sequence[Sample], cache: Path, models: Models, renew: bool = False) -> Iterator[Row]:
    """A row for every image that is cropped or has text beside. renew: store its reading in the cache."""
    worker = Worker(Setup(cache))
    kept_readings = ReadingCache(cache, fingerprint())
    trace = Trace(keep=False)
    for sample in samples:
        try:
            whole_file = worker.reading(sample)
            kept = replace(whole_file, papers=(), further_pages=())
            page = decode(sample.image)
        except (ImageError, ValueError):
            continue
        upright = turn(page, (kept.rotation - page.rotation) % 360)
        reading = with_papers(upright, kept, models, trace)
        found = replace(reading, further_pages=whole_file.further_pages)
        if renew and found != whole_file:
            key = picture_key(sample.image.read_bytes())
            entry = kept_readings.get(key)
            kept_readings.put(key, Entry(reading_code(), entry.seconds if entry else 0.0, encode(found)))
        beside = tuple(span.text for span in kept.spans if span not in reading.spans)
        if not reading.papers and not beside:
            continue
        options = ExtractOptions(region=call_for(sample).region)
        whole, results = interpret_all(kept, options, None), interpret_all(reading, options, None)
        yield Row(
            sample.id,
            len(reading.papers),
            beside,
            len(results),
            _right(sample, main_receipt(results).total),
            _right(sample, main_receipt(whole).total),
        )


def _right(sample: Sample, total: Decimal | None) -> bool | None:
    label = sample.fields.get("total")
    return None if label is None else total in label.accepted


def main() -> int:
    """Prints a row for every image that is cropped, and how many are split."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, action="append", required=True, metavar="DIR")
    parser.add_argument("--cache", type=Path, default=DEFAULT_FOLDER, help="of readings")
    parser.add_argument("--papers", type=Path, help="a folder for what the networks gave for papers")
    parser.add_argument("--sets", help="names of data sets, with commas; all by default")
    parser.add_argument("--renew", action="store_true", help="put what is found into the cache")
    arguments = parser.parse_args()
    samples = load(arguments.data, arguments.sets.split(",") if arguments.sets else None)
    found = []
    models = kept_models(arguments.papers or arguments.cache / "papers")
    for row in rows(samples, arguments.cache, models, arguments.renew):
        found.append(row)
        print(json.dumps(asdict(row)), flush=True)
    split = sum(row.results > 1 for row in found)
    share = 100 * split / max(1, len(samples))
    cut = sum(row.papers > 0 for row in found)
    print(f"{len(samples)} pictures, {cut} cut, {split} with several Results ({share:.2f} %)")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
