"""Sharpness and contrast follow the picture, cost little and do not depend on chance."""

from __future__ import annotations

import time

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from receipt_engine.stages.preprocess.quality import measure_quality

Picture = NDArray[np.uint8]


def text(width: int = 1200, height: int = 1600, ink: int = 30, paper: int = 240) -> Picture:
    image = np.full((height, width, 3), paper, dtype=np.uint8)
    for top in range(40, height, 60):
        cv2.putText(image, "MILK 1L    2.49", (60, top), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (ink,) * 3, 2)
    return image


def test_blur_lowers_sharpness() -> None:
    steps = [measure_quality(cv2.GaussianBlur(text(), (0, 0), s)).sharpness for s in (0.5, 1, 2, 4)]
    assert steps == sorted(steps, reverse=True)
    assert steps[0] > 10 * steps[-1]


def test_contrast_is_the_span_between_ink_and_paper() -> None:
    assert measure_quality(text()).contrast == pytest.approx(210 / 255, abs=0.03)
    assert measure_quality(text(ink=150, paper=200)).contrast == pytest.approx(50 / 255, abs=0.03)


def test_contrast_does_not_fall_with_less_print() -> None:
    sparse = np.full((1600, 1200, 3), 240, dtype=np.uint8)
    sparse[:300] = text()[:300]
    assert measure_quality(sparse).contrast == pytest.approx(measure_quality(text()).contrast, abs=0.03)


@pytest.mark.parametrize("shape", [(1, 1, 3), (1, 5000, 3), (3000, 1, 3), (95, 97, 3), (400, 30, 3)])
def test_any_size(shape: tuple[int, int, int]) -> None:
    quality = measure_quality(np.full(shape, 77, dtype=np.uint8))
    assert (quality.sharpness, quality.contrast, quality.text_height) == (0.0, 0.0, 0.0)


def test_same_picture_same_measure() -> None:
    noisy = np.random.default_rng(1).integers(0, 256, (500, 400, 3), dtype=np.uint8)
    assert measure_quality(noisy) == measure_quality(noisy.copy())


def test_large_pictures_cost_no_more_than_small_ones() -> None:
    large = text(3000, 4000)
    measure_quality(large)
    start = time.process_time()
    for _ in range(5):
        measure_quality(large)
    assert (time.process_time() - start) / 5 < 0.05
