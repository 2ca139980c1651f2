"""Measures the loss in accuracy on altered images, compared with the original image.

    python -m benchmarks.protocols.states --data DIR [--limit 2] [--states skew-40,half-size] [--cache DIR]

Every labelled image is read as it is, then changed in one way at a time: rotated, reduced, compressed, laid
on a table, blurred, faded, folded, with a hand over a corner. The total is scored; wrong totals with a
confidence of .9 or more are counted separately, unless the original's was wrong at such a confidence as well.
"""

from __future__ import annotations

import argparse
import io
import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps

from benchmarks.datasets import Sample, load
from benchmarks.kept_models import kept_models
from benchmarks.runner import call_for
from receipt_engine import Engine, ImageError
from scripts.make_receipts.backgrounds import background
from scripts.make_receipts.drawing import Pixels
from scripts.make_receipts.paper import Noise

#: Confidence from which a total counts as sure.
_SURE = 0.9

Numbers = NDArray[Any]
Change = Callable[[Pixels, Noise], Pixels]


@dataclass(frozen=True)
class Row:
    """One image in one state. right: whether the total is right; sure: whether it has a high confidence."""

    id: str
    state: str
    right: bool
    sure: bool


def _turned(quarters: int) -> Change:
    return lambda image, noise: np.ascontiguousarray(np.rot90(image, quarters))


def _skewed(degrees: float) -> Change:
    """Rotated on a table, completely inside the frame."""

    def change(image: Pixels, noise: Noise) -> Pixels:
        height, width = image.shape[:2]
        cos, sin = abs(math.cos(math.radians(degrees))), abs(math.sin(math.radians(degrees)))
        size = (round(width * cos + height * sin), round(width * sin + height * cos))
        matrix = np.asarray(cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1), np.float64)
        matrix[:, 2] += (np.array(size) - (width, height)) / 2
        return _on_table(image, matrix, size, noise)

    return change


def _smaller(share: float) -> Change:
    return lambda image, noise: np.asarray(
        cv2.resize(image, None, fx=share, fy=share, interpolation=cv2.INTER_AREA), np.uint8
    )


def _on_quarter(image: Pixels, noise: Noise) -> Pixels:
    """On a table of which the image takes up a quarter of the area."""
    height, width = image.shape[:2]
    matrix = np.array([(0.5, 0, width / 4), (0, 0.5, height / 4)])
    return _on_table(image, matrix, (width, height), noise)


def _on_table(image: Pixels, matrix: Numbers, size: tuple[int, int], noise: Noise) -> Pixels:
    table = background((size[1], size[0]), noise) * 255
    alpha = cv2.warpAffine(np.ones(image.shape[:2], np.float32), matrix, size)[..., None]
    seen = cv2.warpAffine(image, matrix, size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
    return _pixels(table * (1 - alpha) + seen * alpha)


def _compressed(quality: int) -> Change:
    def change(image: Pixels, noise: Noise) -> Pixels:
        buffer = io.BytesIO()
        Image.fromarray(image).save(buffer, "JPEG", quality=quality)
        return np.asarray(Image.open(buffer).convert("RGB"))

    return change


def _blurred(share: float) -> Change:
    """Gaussian blur. share: sigma as a share of the image's shorter side."""
    return lambda image, noise: _pixels(cv2.GaussianBlur(image, (0, 0), share * min(image.shape[:2])))


def _faded(contrast: float) -> Change:
    """Contrast reduced to this share, towards light grey."""
    return lambda image, noise: _pixels(205 + contrast * (image.astype(np.float32) - 205))


def _folded(image: Pixels, noise: Noise) -> Pixels:
    """Three deep folds: a dark line each, with brightness that changes across it."""
    height, width = image.shape[:2]
    light = np.ones((height, width), np.float32)
    rows = np.arange(height, dtype=np.float32)[:, None]
    columns = np.arange(width, dtype=np.float32)[None, :]
    for at in (0.3, 0.55, 0.8):
        place = height * (at + noise.uniform(-0.05, 0.05)) + columns * noise.uniform(-0.05, 0.05)
        distance = (rows - place) / width
        light *= 1 + 0.2 * np.sign(distance) * np.exp(-np.abs(distance) / 0.12)
        light *= 1 - 0.5 * np.exp(-((distance / 0.004) ** 2))
    return _pixels(image * light[..., None])


def _held(image: Pixels, noise: Noise) -> Pixels:
    """A hand over the lower left corner."""
    height, width = image.shape[:2]
    hand = image.copy()
    axes = (round(0.3 * width), round(0.14 * height))
    color = tuple(float(c) for c in np.array((196, 150, 122)) + noise.uniform(-25, 25))
    cv2.ellipse(hand, (round(0.05 * width), round(0.97 * height)), axes, -25, 0, 360, color, -1)
    return np.asarray(hand, np.uint8)


def _pixels(values: Numbers) -> Pixels:
    return np.asarray(np.clip(values, 0, 255), np.uint8)


#: State → change to an RGB image. The last four are twice as strong as usual.
STATES: dict[str, Change] = {
    "untouched": lambda image, noise: image,
    "quarter-left": _turned(1),
    "quarter-right": _turned(3),
    "half-turn": _turned(2),
    "skew-15": _skewed(15),
    "skew-40": _skewed(40),
    "half-size": _smaller(0.5),
    "jpeg-18": _compressed(18),
    "blur": _blurred(0.001),
    "quarter-of-frame": _on_quarter,
    "blur-3": _blurred(0.003),
    "contrast-15": _faded(0.15),
    "folds": _folded,
    "hand": _held,
}


def rows(samples: Sequence[Sample], states: Sequence[str], engine: Engine) -> Iterator[Row]:
    """The rows of every image, the original state first. samples: with a labelled total."""
    for number, sample in enumerate(samples):
        with Image.open(sample.image) as file:
            image = np.asarray(ImageOps.exif_transpose(file).convert("RGB"))
        for state in ("untouched", *states):
            yield _row(sample, state, STATES[state](image, np.random.default_rng(number)), engine)


def _row(sample: Sample, state: str, image: Pixels, engine: Engine) -> Row:
    try:
        result = engine.extract(image, region=call_for(sample).region)
    except ImageError:
        return Row(sample.id, state, False, False)
    right = result.total in sample.fields["total"].accepted
    return Row(sample.id, state, right, (result.total_confidence or 0) >= _SURE)


def summary(found: Sequence[Row]) -> dict[str, dict[str, float]]:
    """For every state the percentage of right totals, the points below the original, and the number of wrong
    but sure totals where the original's was not wrong and sure."""
    first = {row.id: row for row in found if row.state == "untouched"}
    table: dict[str, dict[str, float]] = {}
    for state in dict.fromkeys(row.state for row in found):
        own = [row for row in found if row.state == state]
        right = 100 * sum(row.right for row in own) / len(own)
        before = 100 * sum(first[row.id].right for row in own) / len(own)
        table[state] = {
            "pictures": len(own),
            "right %": round(right, 1),
            "points below": round(before - right, 1),
            "wrong at .9": sum(
                row.sure and not row.right and (first[row.id].right or not first[row.id].sure) for row in own
            ),
        }
    return table


def main() -> int:
    """Prints a row for every image and state, and the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, action="append", required=True, metavar="DIR")
    parser.add_argument("--sets", help="names of data sets, with commas; all by default")
    parser.add_argument("--limit", type=int, default=2, help="pictures of each data set")
    parser.add_argument("--skip", type=int, default=0, help="leave out so many of each data set first")
    parser.add_argument("--states", help=f"of {', '.join(STATES)}; all by default")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--cache", type=Path, help="a folder for what the networks gave")
    arguments = parser.parse_args()
    samples = [
        sample
        for sample in load(arguments.data, arguments.sets.split(",") if arguments.sets else None)
        if "total" in sample.fields and sample.image.suffix != ".pdf"
    ]
    states = (
        arguments.states.split(",") if arguments.states else [name for name in STATES if name != "untouched"]
    )
    models = kept_models(arguments.cache, arguments.threads) if arguments.cache else None
    engine = Engine(threads=arguments.threads, models=models)
    found = []
    for row in rows(_chosen(samples, arguments.skip, arguments.limit), states, engine):
        found.append(row)
        print(json.dumps(asdict(row)), flush=True)
    print(json.dumps(summary(found), indent=2))
    return 0


def _chosen(samples: Sequence[Sample], skip: int, limit: int) -> list[Sample]:
    """`limit` samples of each data set, after the first `skip`."""
    sets = dict.fromkeys(sample.dataset for sample in samples)
    return [s for name in sets for s in [x for x in samples if x.dataset == name][skip : skip + limit]]


if __name__ == "__main__":
    raise SystemExit(main())
