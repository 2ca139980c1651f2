"""Command line: ``python -m scripts.make_receipts OUT --region my --count 20 --seed 1``."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from receipt_engine.errors import ReceiptEngineError
from receipt_engine.region import region_codes
from scripts.make_receipts.drawing import LOOKS, DrawnReceipt, draw_receipt
from scripts.make_receipts.sale import KINDS

#: Seed offset per --seed, so that different --seed values never draw the same receipt.
SEEDS_APART = 1_000_000


def main(arguments: Sequence[str] | None = None) -> int:
    """Draws the requested receipts; returns the exit status."""
    options = _parser().parse_args(arguments)
    regions = region_codes() if options.region == "all" else options.region.split(",")
    looks = ("clean", "photo") if options.look == "both" else (options.look,)
    images = options.out / "images"
    images.mkdir(parents=True, exist_ok=True)
    with (options.out / "labels.jsonl").open("w", encoding="utf-8") as labels:
        try:
            for name, drawn in draw_all(regions, options.kind, looks, options.count, options.seed):
                image = f"images/{name}{drawn.suffix}"
                (options.out / image).write_bytes(drawn.file)
                labels.write(json.dumps(row(name, image, drawn), ensure_ascii=False) + "\n")
        except ReceiptEngineError as error:
            print(f"make_receipts: {error}", file=sys.stderr)
            return 1
    return 0


def draw_all(
    regions: Sequence[str], kind: str, looks: Sequence[str], count: int, seed: int
) -> Iterator[tuple[str, DrawnReceipt]]:
    """(id, receipt) for every region, number and look."""
    for region in regions:
        for number in range(count):
            for look in looks:
                drawn = draw_receipt(region, kind=kind, look=look, seed=seed * SEEDS_APART + number)
                yield f"{drawn.region}-{drawn.kind}-{seed}-{number:04d}-{look}", drawn


def row(name: str, image: str, drawn: DrawnReceipt) -> dict[str, object]:
    """One object of labels.jsonl."""
    return {
        "id": name,
        "image": image,
        "region": drawn.region,
        "kind": drawn.kind,
        "look": drawn.look,
        "truth": drawn.truth,
        "printed": drawn.printed,
    }


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="make_receipts", description="Draw receipts with known truth.")
    parser.add_argument("out", type=Path, help="folder for images/ and labels.jsonl")
    parser.add_argument("--region", default="all", help="region code, several with commas, or all")
    parser.add_argument("--count", type=int, default=10, help="receipts for each region")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", choices=("any", *KINDS), default="any")
    parser.add_argument("--look", choices=(*LOOKS, "both"), default="clean")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
