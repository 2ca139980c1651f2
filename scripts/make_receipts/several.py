"""Several receipts in one picture: laid side by side, below each other, askew, touching, on a surface.

python -m scripts.make_receipts.several OUT --count 20 --seed 1
"""

from __future__ import annotations

import argparse
import io
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from PIL import Image

from receipt_engine.region import region_codes
from scripts.make_receipts.backgrounds import background
from scripts.make_receipts.compose import Composed, compose_receipt
from scripts.make_receipts.dice import Dice
from scripts.make_receipts.drawing import Pixels
from scripts.make_receipts.ink import choose_typeface, print_rows
from scripts.make_receipts.paper import Noise, Real, colored, outline, shaded, worn
from scripts.make_receipts.photo import lens
from scripts.make_receipts.tape import Row

#: Width of a paper in the picture, in pixels.
_PAPER_WIDTH = (520, 800)
_LONGEST = 3200
#: The surface is white now and then, as a scanner's lid is.
_SCANNED = 0.2
#: Regions whose tills print a card slip of the words below.
_SLIP_REGIONS = frozenset({"us", "gb", "au", "ca", "ie", "nz", "sg"})


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper to be laid down. color: (height, width, 3), 0 to 1; mask: 1 where the paper is."""

    color: Real
    mask: Real


@dataclass(frozen=True, slots=True)
class SeveralReceipts:
    """A picture of several receipts. truths: those of its receipts, in reading order; slips: how many card
    slips lie among them; outlines: four corners of every paper, clockwise, receipts first."""

    file: bytes = field(repr=False)
    truths: tuple[dict[str, Any], ...]
    regions: tuple[str, ...]
    slips: int
    outlines: tuple[tuple[tuple[float, float], ...], ...]


def draw_several(seed: int, *, count: int | None = None) -> SeveralReceipts:
    """A picture of 2 to 6 drawn receipts (or `count`), the same one for the same arguments."""
    dice = Dice("several", seed, count)
    noise = np.random.default_rng([dice.whole(0, 2**32 - 1) for _ in range(4)])
    number = count or dice.weighted({2: 5, 3: 4, 4: 3, 5: 1, 6: 2})
    regions = region_codes()
    # People photograph receipts of one trip: mostly one country.
    home = dice.pick(regions)
    composed = [
        compose_receipt(home if dice.chance(0.8) else dice.pick(regions), seed=1000 * seed + i)
        for i in range(number)
    ]
    papers = [print_paper(c.rows, c.width, dice, noise) for c in composed]
    slips = 0
    for receipt in composed:
        if receipt.region in _SLIP_REGIONS and dice.chance(0.4):
            papers.append(print_paper(_card_slip(receipt, dice), 32, dice, noise))
            slips += 1
    pixels, outlines = lay_out(papers, dice, noise)
    order = sorted(range(number), key=lambda i: _place(outlines[i]))
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "JPEG", quality=dice.whole(80, 93))
    return SeveralReceipts(
        buffer.getvalue(),
        tuple(composed[i].truth for i in order),
        tuple(composed[i].region for i in order),
        slips,
        tuple(outlines[i] for i in order) + tuple(outlines[number:]),
    )


def print_paper(rows: Sequence[Row], width: int, dice: Dice, noise: Noise) -> Paper:
    """The paper of some rows, a little worn."""
    strip = print_rows(tuple(rows), width, choose_typeface(tuple(rows), width, dice), dice)
    share = dice.real(*_PAPER_WIDTH) / strip.shape[1]
    size = (round(strip.shape[1] * share), round(strip.shape[0] * share))
    strip = np.asarray(cv2.resize(strip, size, interpolation=cv2.INTER_AREA), np.uint8)
    shape = (strip.shape[0], strip.shape[1])
    ink = worn(strip, dice.real(0, 0.4), noise)
    return Paper(colored(ink, shaded(shape, dice.real(0.1, 0.7), noise), noise), outline(shape, noise))


def _card_slip(receipt: Composed, dice: Dice) -> tuple[Row, ...]:
    """What the card terminal prints for the receipt."""
    result = receipt.result
    rows = [Row(result.establishment or "", ("center",)), Row(), Row("MERCHANT COPY", ("center",))]
    rows += [Row(f"TID {dice.digits('########')}  MID {dice.digits('######')}")]
    rows += [Row((result.date or "")[:16]), Row(f"VISA ************{dice.digits('####')}")]
    rows += [Row(f"AUTH CODE {dice.digits('######')}"), Row()]
    total = result.total if result.total is not None else Decimal(0)
    rows += [Row(f"SALE AMOUNT {total:>18.2f}", ("bold",)), Row(), Row("APPROVED", ("center",))]
    return tuple(rows)


def lay_out(
    papers: Sequence[Paper], dice: Dice, noise: Noise
) -> tuple[Pixels, list[tuple[tuple[float, float], ...]]]:
    """The picture of papers lying in columns, and the corners of each."""
    columns = dice.pick([c for c in (1, 2, 3) if c <= len(papers) and len(papers) / c <= 3])
    spread = dice.weighted({0.0: 2, 3.0: 3, 8.0: 2})
    turned = dice.chance(0.12)
    placed: list[tuple[Paper, float, float, float]] = []
    left, deepest = 0.0, 0.0
    for column in range(columns):
        own = papers[column::columns]
        top, widest = dice.real(0, 120), 0.0
        for paper in own:
            angle = noise.normal(0, spread) + (
                dice.pick((90, 180, 270)) if turned and dice.chance(0.5) else 0
            )
            across, down = _extent(paper, angle)
            placed.append((paper, angle, left + across / 2, top + down / 2))
            # Touching papers overlap by less than their margins.
            top += down + dice.real(-0.01, 0.12) * down
            widest = max(widest, across)
        left += widest * (1 + dice.real(-0.01, 0.15))
        deepest = max(deepest, top)
    border = dice.real(20, 200)
    width, height = left + 2 * border, deepest + 2 * border
    shrink = min(1.0, _LONGEST / max(width, height))
    shape = (round(height * shrink), round(width * shrink))
    white = dice.chance(_SCANNED)
    scene = np.full((*shape, 3), 0.99, np.float32) if white else background(shape, noise)
    outlines: dict[int, tuple[tuple[float, float], ...]] = {}
    for paper, angle, x, y in placed:
        at = next(i for i, p in enumerate(papers) if p is paper)
        center = ((x + border) * shrink, (y + border) * shrink)
        scene, outlines[at] = _lay(scene, paper, angle, center, shrink, 0.1 if white else 0.5)
    scene = lens(scene, noise) if not white else scene
    return np.asarray(np.clip(scene * 255 + 0.5, 0, 255), np.uint8), [outlines[i] for i in range(len(papers))]


def _extent(paper: Paper, angle: float) -> tuple[float, float]:
    """Width and height that a turned paper takes."""
    height, width = paper.mask.shape
    cos, sin = abs(math.cos(math.radians(angle))), abs(math.sin(math.radians(angle)))
    return width * cos + height * sin, width * sin + height * cos


def _lay(
    scene: Real, paper: Paper, angle: float, center: tuple[float, float], shrink: float, shadow: float
) -> tuple[Real, tuple[tuple[float, float], ...]]:
    """The scene with the paper on it, and the paper's corners. shadow: how dark its shadow is, 0 to 1."""
    height, width = paper.mask.shape
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), angle, shrink)
    matrix[:, 2] += np.array(center) - (width / 2, height / 2)
    size = (scene.shape[1], scene.shape[0])
    seen = cv2.warpAffine(paper.color, matrix, size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
    alpha = cv2.warpAffine(paper.mask, matrix, size, flags=cv2.INTER_LINEAR)
    soft = cv2.GaussianBlur(np.roll(alpha, (4, 3), axis=(0, 1)), (0, 0), 6)
    scene = np.asarray(scene * (1 - shadow * soft[..., None] * (1 - alpha[..., None])), np.float32)
    scene = np.asarray(scene * (1 - alpha[..., None]) + seen * alpha[..., None], np.float32)
    corners = np.array([(0, 0, 1), (width, 0, 1), (width, height, 1), (0, height, 1)]) @ matrix.T
    return scene, tuple((round(float(x), 1), round(float(y), 1)) for x, y in corners)


def _place(corners: tuple[tuple[float, float], ...]) -> tuple[float, float]:
    """Where a paper begins: by columns from the left, then downwards."""
    return min(x for x, _ in corners), min(y for _, y in corners)


def main(arguments: Sequence[str] | None = None) -> int:
    """Draws the pictures asked for; returns the exit status."""
    parser = argparse.ArgumentParser(prog="several", description="Draw pictures of several receipts.")
    parser.add_argument("out", type=Path, help="folder for images/ and labels.jsonl")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    (options.out / "images").mkdir(parents=True, exist_ok=True)
    with (options.out / "labels.jsonl").open("w", encoding="utf-8") as labels:
        for number in range(options.count):
            drawn = draw_several(options.seed * 10_000 + number)
            image = f"images/several-{options.seed}-{number:04d}.jpg"
            (options.out / image).write_bytes(drawn.file)
            row = {
                "id": Path(image).stem,
                "image": image,
                "receipts": list(drawn.truths),
                "regions": list(drawn.regions),
                "slips": drawn.slips,
                "outlines": drawn.outlines,
            }
            labels.write(json.dumps(row, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
