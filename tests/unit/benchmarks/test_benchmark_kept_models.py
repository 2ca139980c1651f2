"""What the networks gave for a page is kept by its pixels, and never asked for twice."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from benchmarks.kept_models import kept_models
from receipt_engine.document import Page
from receipt_engine.runtime.protocols import Models
from receipt_engine.testing import fake_models

TEXT = """
CORNER SHOP
TOTAL     6.60
"""


class Counting:
    """Gives the models of a text, and counts how often."""

    def __init__(self) -> None:
        self.loaded = 0

    def __call__(self, threads: int | None) -> Models:
        self.loaded += 1
        return fake_models(TEXT)


def page(level: int) -> Page:
    return Page(np.full((60, 200, 3), level, np.uint8), (200, 60))


def test_the_second_time_nothing_is_loaded(tmp_path: Path) -> None:
    first, second = Counting(), Counting()
    models = kept_models(tmp_path, load=first)
    boxes = models.detector.detect(page(9))
    spans = models.recognizer.read(page(9), boxes)
    assert [span.text for span in spans] == ["CORNER SHOP", "TOTAL", "6.60"]
    again = kept_models(tmp_path, load=second)
    assert again.detector.detect(page(9)) == boxes
    assert again.recognizer.read(page(9), boxes) == spans
    assert (first.loaded, second.loaded) == (1, 0)


def test_other_pixels_and_other_boxes_are_asked_for(tmp_path: Path) -> None:
    models = kept_models(tmp_path, load=Counting())
    boxes = models.detector.detect(page(9))
    models.recognizer.read(page(9), boxes)
    asked = Counting()
    again = kept_models(tmp_path, load=asked)
    again.detector.detect(page(8))
    assert asked.loaded == 1
    assert [span.text for span in again.recognizer.read(page(9), boxes[:1])] == ["CORNER SHOP"]
