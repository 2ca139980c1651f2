"""Composes real receipts into one image, in memory: are they separated, and does each keep its own fields?

    python -m benchmarks.protocols.several_real --data DIR [--count 100] [--seed 1] [--cache DIR]

Only images filled by the paper are used, mostly scans: their border is bright and even. 2 to 6 of them are
laid on a drawn surface by `scripts.make_receipts.arrangement`, and scored like drawn ones.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from decimal import Decimal
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from PIL import Image, ImageOps

from benchmarks.datasets import Sample, load
from benchmarks.kept_models import kept_models
from benchmarks.protocols.several import Row, score, summary
from benchmarks.runner import call_for
from receipt_engine import Engine
from receipt_engine.options import ExtractOptions
from scripts.make_receipts.arrangement import ARRANGEMENTS, Paper, lay_out
from scripts.make_receipts.dice import Dice
from scripts.make_receipts.drawing import Pixels

#: A border counts as paper from this median grey level up and this standard deviation down.
_BRIGHT, _EVEN = 190.0, 25.0
#: Grey levels below the paper at which a pixel counts as ink, the share of ink on each side that may be dust
#: or a handwritten note, and the margin around the rest, as a share of the printed width.
_INK = 90.0
_DUST = 0.004
_MARGIN = 0.07
#: Range of the width of a receipt in the composed image, in pixels.
_WIDTH = (650.0, 900.0)
_NAMES = ("total", "date", "establishment")


#: Number of receipts in an image → weight.
_COUNTS = {2: 5, 3: 4, 4: 3, 5: 2, 6: 1}


def composed(
    samples: Sequence[Sample], numbers: Iterable[int], seed: int
) -> Iterator[tuple[Pixels, dict[str, Any]]]:
    """The images of these numbers with their labels, the same for the same number and seed."""
    for number in numbers:
        dice = Dice("several real", seed, number)
        noise = np.random.default_rng([dice.whole(0, 2**32 - 1) for _ in range(4)])
        wanted = dice.weighted(_COUNTS)
        chosen: list[Sample] = []
        papers: list[Paper] = []
        for sample in dice.several(samples, len(samples)):
            paper = _paper(sample, dice) if len(chosen) < wanted else None
            if paper is not None:
                chosen.append(sample)
                papers.append(paper)
        arrangement = dice.pick([name for name in ARRANGEMENTS if name != "edge"])
        pixels, outlines = lay_out(papers, arrangement, dice, noise)
        yield (
            pixels,
            {
                "id": f"real-{seed}-{number:03d}",
                "arrangement": arrangement,
                "receipts": [_truth(sample) for sample in chosen],
                "regions": [call_for(sample).region for sample in chosen],
                "outlines": outlines,
            },
        )


def _paper(sample: Sample, dice: Dice) -> Paper | None:
    """The image as a paper; None when its border shows anything but paper."""
    with Image.open(sample.image) as file:
        image = np.asarray(ImageOps.exif_transpose(file).convert("RGB"))
    border = np.concatenate([image[0], image[-1], image[:, 0], image[:, -1]]).astype(np.float32)
    if float(np.median(border)) < _BRIGHT or float(border.std()) > _EVEN:
        return None
    image = _without_margins(image)
    share = min(1.0, dice.real(*_WIDTH) / image.shape[1])
    smaller = cv2.resize(image, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    color = np.asarray(smaller / np.float32(255), np.float32)
    return Paper(color, np.ones(color.shape[:2], np.float32))


def _without_margins(image: Pixels) -> Pixels:
    """The printed part with a margin as a till leaves it: the margins of scans vary in width."""
    grey = image.min(axis=2)
    ink = cv2.medianBlur((grey < np.median(grey) - _INK).astype(np.uint8), 3) > 0
    rows, columns = (np.cumsum(ink.sum(axis=axis)) for axis in (1, 0))
    if not rows[-1]:
        return image
    top, bottom = np.searchsorted(rows, rows[-1] * np.array([_DUST, 1 - _DUST]))
    left, right = np.searchsorted(columns, columns[-1] * np.array([_DUST, 1 - _DUST]))
    margin = round(_MARGIN * (right - left))
    return image[max(0, top - margin) : bottom + margin, max(0, left - margin) : right + margin]


def _truth(sample: Sample) -> dict[str, Any]:
    """The labels in the form of those of drawn images."""
    found: dict[str, Any] = {}
    for name in _NAMES:
        label = sample.fields.get(name)
        if label is not None:
            found[name] = _plain(label.accepted[0])
            found[f"{name}_any"] = [_plain(value) for value in label.accepted]
    return found


def _plain(value: object) -> object:
    return float(value) if isinstance(value, Decimal) else value


def run(samples: Sequence[Sample], numbers: Iterable[int], seed: int, engine: Engine) -> Iterator[Row]:
    """A row for every image."""
    for pixels, label in composed(samples, numbers, seed):
        regions = set(label["regions"])
        options = ExtractOptions(region=regions.pop() if len(regions) == 1 else None, evidence=True)
        yield score(label["id"], label, engine.extract_all(pixels, options))


def main() -> int:
    """Prints a row for every image, and the summary."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, action="append", required=True, metavar="DIR")
    parser.add_argument("--sets", default="sroie,de_softmatic", help="names of data sets, with commas")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--skip", type=int, default=0, help="leave out the first ones")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--cache", type=Path, help="a folder for what the networks gave")
    arguments = parser.parse_args()
    samples = [s for s in load(arguments.data, arguments.sets.split(",")) if "total" in s.fields]
    models = kept_models(arguments.cache, arguments.threads) if arguments.cache else None
    engine = Engine(threads=arguments.threads, models=models)
    rows = []
    for row in run(samples, range(arguments.skip, arguments.count), arguments.seed, engine):
        rows.append(row)
        print(json.dumps(asdict(row) | {"exact": row.exact}), flush=True)
    print(json.dumps(summary(rows), indent=2))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
