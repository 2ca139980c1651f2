"""Measures barcode reading: recall on drawn codes by angle, kind and damage; codes found in a folder.

    python -m benchmarks.protocols.barcodes [--repeat N] [--folder FOLDER]

The drawn part counts a code as read when data and kind are right, and any other reading as false. For
comparison, stock zxing-cpp reads the same images. The folder part lists every code read: on images whose
codes are known by eye or by label, this shows false reads.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import zxingcpp

from benchmarks.protocols.barcode_pictures import DAMAGES, KINDS, Damage, draw, random_data
from receipt_engine.document import Page
from receipt_engine.errors import ImageError
from receipt_engine.stages.barcodes import read_barcodes
from receipt_engine.stages.preprocess.decode import decode

ANGLES = (0, 3, 10, 20, 30, 45, 60, 80, 90, 135, 180, 250, 270)
MODULES = (2, 3)
_SUFFIXES = frozenset({".jpg", ".jpeg", ".png"})


def run(
    repeat: int = 1,
    angles: Sequence[float] = ANGLES,
    kinds: Sequence[str] = KINDS,
    damages: Sequence[Damage] = DAMAGES,
    seed: int = 0,
) -> dict[str, Any]:
    """Recall, overall and by angle, kind, damage and module; false reads; mean CPU milliseconds per image."""
    hits: dict[str, Counter[str]] = defaultdict(Counter)
    drawn: dict[str, Counter[str]] = defaultdict(Counter)
    plain = pictures = 0
    false: list[str] = []
    elapsed = 0.0
    rng = np.random.default_rng(seed)
    for kind in kinds:
        for damage in damages:
            for angle in angles:
                for module in MODULES * repeat:
                    data = random_data(kind, rng)
                    picture = draw(data, kind, rng, angle=angle, module=module, damage=damage)
                    start = time.process_time()
                    read = [(code.data, code.kind) for code in read_barcodes(_page(picture))]
                    elapsed += time.process_time() - start
                    pictures += 1
                    plain += any(
                        code.text == data or data in str(code.extra)
                        for code in zxingcpp.read_barcodes(picture)
                    )
                    place = f"{kind}, {damage.name}, {angle}°, module {module}"
                    false += [f"{place}: {data} read as {other}" for other in read if other != (data, kind)]
                    for group, key in _groups(kind, damage.name, angle, module):
                        drawn[group][key] += 1
                        hits[group][key] += (data, kind) in read
    return {
        "pictures": pictures,
        "recall": hits["all"]["all"] / max(1, pictures),
        "plain zxing-cpp": plain / max(1, pictures),
        **{f"by {g}": {k: hits[g][k] / n for k, n in drawn[g].items()} for g in drawn if g != "all"},
        "false reads": false,
        "mean_ms": 1000 * elapsed / max(1, pictures),
    }


def _groups(kind: str, damage: str, angle: float, module: int) -> list[tuple[str, str]]:
    return [
        ("all", "all"),
        ("kind", kind),
        ("damage", damage),
        ("angle", f"{angle:g}"),
        ("module", str(module)),
    ]


def read_folder(folder: Path) -> dict[str, Any]:
    """Every code read in the images of a folder, and the mean CPU milliseconds per image."""
    reads: dict[str, list[tuple[str, str]]] = {}
    elapsed, pictures = 0.0, 0
    for path in sorted(folder.iterdir()):
        if path.suffix.lower() not in _SUFFIXES:
            continue
        try:
            page = decode(path)
        except ImageError:
            continue
        start = time.process_time()
        codes = read_barcodes(page)
        elapsed += time.process_time() - start
        pictures += 1
        if codes:
            reads[path.name] = [(code.data, code.kind) for code in codes]
    return {"pictures": pictures, "reads": reads, "mean_ms": 1000 * elapsed / max(1, pictures)}


def _page(picture: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> Page:
    return Page(picture, source_size=(picture.shape[1], picture.shape[0]))


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--repeat", type=int, default=1, help="pictures of each combination")
    parser.add_argument("--folder", type=Path, help="read the pictures of a folder instead of drawing")
    arguments = parser.parse_args()
    if arguments.folder:
        report = read_folder(arguments.folder)
        for name, codes in report["reads"].items():
            print(name, *(f"{kind}: {data}" for data, kind in codes), sep="  ")
        print(
            f"{report['pictures']} pictures, {len(report['reads'])} with codes,",
            f"{report['mean_ms']:.1f} ms each",
        )
        return
    report = run(arguments.repeat)
    for name, value in report.items():
        if isinstance(value, dict):
            print(name, "  ".join(f"{key} {100 * share:.0f}%" for key, share in value.items()))
        elif isinstance(value, list):
            print(f"{name}: {len(value)}", *value, sep="\n  ")
        else:
            print(f"{name}: {value:.3g}" if isinstance(value, float) else f"{name}: {value}")


if __name__ == "__main__":
    main()
