"""Pictures that a paper fills are laid together with their labels; others are left out."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import numpy as np
from PIL import Image

from benchmarks.datasets import Label, Sample
from benchmarks.protocols.several_real import composed


def sample(folder: Path, name: str, level: int) -> Sample:
    path = folder / f"{name}.png"
    image = np.full((300, 200, 3), level, np.uint8)
    image[40:260:20, 30:170] = 20
    Image.fromarray(image).save(path)
    return Sample(name, "set", path, "us", {"total": Label.of(Decimal("5.00"), Decimal("5.05"))})


def test_the_same_seed_lays_the_same_picture(tmp_path: Path) -> None:
    samples = [sample(tmp_path, name, 240) for name in "abcd"] + [sample(tmp_path, "dark", 60)]
    pictures = list(composed(samples, range(3), seed=2))
    for (pixels, label), (again, _) in zip(pictures, composed(samples, range(3), seed=2), strict=True):
        assert np.array_equal(pixels, again)
        assert 2 <= len(label["receipts"]) <= 4
        assert len(label["outlines"]) == len(label["receipts"]) == len(label["regions"])
        assert label["receipts"][0] == {"total": 5.0, "total_any": [5.0, 5.05]}
        for outline in label["outlines"]:
            x, y = np.mean(outline, axis=0)
            assert pixels[int(y) - 9 : int(y) + 9, int(x) - 60 : int(x) + 60].max() > 150
