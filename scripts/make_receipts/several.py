"""Draws several receipts in one image, arranged on a surface by `arrangement`.

python -m scripts.make_receipts.several OUT --count 20 --seed 1
"""

from __future__ import annotations

import argparse
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from PIL import Image

from receipt_engine.region import region_codes
from scripts.make_receipts.arrangement import ARRANGEMENTS, Corners, Paper, lay_out
from scripts.make_receipts.compose import Composed, compose_receipt
from scripts.make_receipts.dice import Dice
from scripts.make_receipts.ink import choose_typeface, print_rows
from scripts.make_receipts.paper import Noise, colored, outline, shaded, worn
from scripts.make_receipts.tape import Row

#: Width of a character cell, in pixels before the image shrinks.
_PITCH = (13.0, 19.0)
#: A small slip is the shortest of this many receipts.
_DRAWN_FOR_A_SLIP = 12
#: Regions whose tills print a card slip with the words below.
_SLIP_REGIONS = frozenset({"us", "gb", "au", "ca", "ie", "nz", "sg"})


@dataclass(frozen=True, slots=True)
class SeveralReceipts:
    """An image of several receipts. truths: those of its receipts, in reading order; slips: number of card
    slips among them; outlines: four corners of every paper, clockwise, receipts first."""

    file: bytes = field(repr=False)
    truths: tuple[dict[str, Any], ...]
    regions: tuple[str, ...]
    slips: int
    arrangement: str
    outlines: tuple[Corners, ...]


def draw_several(
    seed: int,
    *,
    count: int | None = None,
    arrangement: str | None = None,
    regions: Sequence[str] | None = None,
) -> SeveralReceipts:
    """An image of 2 to 6 drawn receipts (or `count`), the same one for the same arguments.

    arrangement: one of `arrangement.ARRANGEMENTS`, a random one when None. regions: where the receipts come
    from, all regions when None.
    """
    dice = Dice("several", seed, count, arrangement)
    noise = np.random.default_rng([dice.whole(0, 2**32 - 1) for _ in range(4)])
    arrangement = arrangement or dice.weighted(dict.fromkeys(ARRANGEMENTS, 1.0) | {"columns": 3.0})
    few = {2: 5, 3: 4, 4: 3, 5: 1, 6: 2}
    number = count or dice.weighted({3: 1, 4: 3, 5: 2, 6: 3} if arrangement == "slips" else few)
    composed = _composed(number, arrangement, regions or region_codes(), seed, dice)
    papers = [print_paper(c.rows, c.width, dice, noise) for c in composed]
    neighbor = papers.pop() if arrangement == "edge" else None
    slips = 0
    for receipt in composed[:number]:
        if receipt.region in _SLIP_REGIONS and dice.chance(0.4):
            papers.append(print_paper(_card_slip(receipt, dice), 32, dice, noise))
            slips += 1
    pixels, outlines = lay_out(papers, arrangement, dice, noise, neighbor=neighbor)
    order = sorted(range(number), key=lambda i: _place(outlines[i]))
    buffer = io.BytesIO()
    Image.fromarray(pixels).save(buffer, "JPEG", quality=dice.whole(80, 93))
    return SeveralReceipts(
        buffer.getvalue(),
        tuple(composed[i].truth for i in order),
        tuple(composed[i].region for i in order),
        slips,
        arrangement,
        tuple(outlines[i] for i in order) + tuple(outlines[number:]),
    )


def _composed(number: int, arrangement: str, regions: Sequence[str], seed: int, dice: Dice) -> list[Composed]:
    """The receipts, followed by the neighbour of which only an edge is visible, if any."""
    # People photograph the receipts of one trip, mostly from one country.
    home = dice.pick(regions)
    tries = _DRAWN_FOR_A_SLIP if arrangement == "slips" else 1
    found = []
    for i in range(number + (arrangement == "edge")):
        region = home if dice.chance(0.8) else dice.pick(regions)
        drawn = [compose_receipt(region, seed=1000 * seed + i + 100 * k) for k in range(tries)]
        found.append(min(drawn, key=lambda receipt: len(receipt.rows)))
    return found


def print_paper(rows: Sequence[Row], width: int, dice: Dice, noise: Noise) -> Paper:
    """The paper of some rows, a little worn."""
    strip = print_rows(tuple(rows), width, choose_typeface(tuple(rows), width, dice), dice)
    share = dice.real(*_PITCH) * width / strip.shape[1]
    size = (round(strip.shape[1] * share), round(strip.shape[0] * share))
    strip = np.asarray(cv2.resize(strip, size, interpolation=cv2.INTER_AREA), np.uint8)
    shape = (strip.shape[0], strip.shape[1])
    ink = worn(strip, dice.real(0, 0.4), noise)
    return Paper(colored(ink, shaded(shape, dice.real(0.1, 0.7), noise), noise), outline(shape, noise))


def _card_slip(receipt: Composed, dice: Dice) -> tuple[Row, ...]:
    """The rows of the card terminal's slip for the receipt."""
    result = receipt.result
    rows = [Row(result.establishment or "", ("center",)), Row(), Row("MERCHANT COPY", ("center",))]
    rows += [Row(f"TID {dice.digits('########')}  MID {dice.digits('######')}")]
    rows += [Row((result.date or "")[:16]), Row(f"VISA ************{dice.digits('####')}")]
    rows += [Row(f"AUTH CODE {dice.digits('######')}"), Row()]
    total = result.total if result.total is not None else Decimal(0)
    rows += [Row(f"SALE AMOUNT {total:>18.2f}", ("bold",)), Row(), Row("APPROVED", ("center",))]
    return tuple(rows)


def _place(corners: Corners) -> tuple[float, float]:
    """Sort key of a paper: by columns from the left, then downwards."""
    return min(x for x, _ in corners), min(y for _, y in corners)


def main(arguments: Sequence[str] | None = None) -> int:
    """Draws the requested images; returns the exit status."""
    parser = argparse.ArgumentParser(prog="several", description="Draw pictures of several receipts.")
    parser.add_argument("out", type=Path, help="folder for images/ and labels.jsonl")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--region", default="all", help="codes with commas, or all")
    options = parser.parse_args(arguments)
    regions = region_codes() if options.region == "all" else options.region.split(",")
    (options.out / "images").mkdir(parents=True, exist_ok=True)
    with (options.out / "labels.jsonl").open("w", encoding="utf-8") as labels:
        for number in range(options.count):
            drawn = draw_several(options.seed * 10_000 + number, regions=regions)
            image = f"images/several-{options.seed}-{number:04d}.jpg"
            (options.out / image).write_bytes(drawn.file)
            row = {
                "id": Path(image).stem,
                "image": image,
                "receipts": list(drawn.truths),
                "regions": list(drawn.regions),
                "slips": drawn.slips,
                "arrangement": drawn.arrangement,
                "outlines": drawn.outlines,
            }
            labels.write(json.dumps(row, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
