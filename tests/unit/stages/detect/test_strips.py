"""Strips joined again are, to the byte, what the whole picture gives."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from receipt_engine.document import Image
from receipt_engine.errors import DeadlineError
from receipt_engine.models import load_detector
from receipt_engine.runtime.onnx import Array
from receipt_engine.runtime.stopping import Stop
from receipt_engine.stages.detect import strips
from receipt_engine.stages.detect.strips import STRIP_PARTS, Piece, StripGraph


@pytest.fixture(scope="module")
def shipped() -> StripGraph:
    graph = load_detector(1).graph
    assert isinstance(graph, StripGraph)
    return graph


def picture(height: int, width: int) -> Image:
    return np.random.default_rng(5).integers(0, 256, (height, width, 3), dtype=np.uint8)


def heights(pixels: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strips, "_STRIP", dict.fromkeys(STRIP_PARTS, pixels))


@pytest.mark.parametrize(("height", "width"), [(32, 64), (96, 32), (192, 96), (288, 64)])
def test_lowest_strips_give_the_bytes_of_the_whole(
    shipped: StripGraph, height: int, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    heights(10**9, monkeypatch)
    whole = shipped.run(picture(height, width))
    assert whole.shape == (height, width) and 0 <= whole.min() < whole.max() <= 1
    heights(0, monkeypatch)
    assert shipped.run(picture(height, width)).tobytes() == whole.tobytes()


def test_several_threads_give_the_same_bytes(shipped: StripGraph, monkeypatch: pytest.MonkeyPatch) -> None:
    heights(0, monkeypatch)
    page = picture(256, 64)
    several = load_detector(3).graph
    assert several.run(page).tobytes() == shipped.run(page).tobytes()


class _Counting:
    """A part that notes how high its inputs are."""

    def __init__(self) -> None:
        self.rows: list[int] = []

    def run_all(self, inputs: Sequence[Array]) -> list[Array]:
        self.rows.append(inputs[0].shape[2])
        return [inputs[0][:, :1, ::4, ::4]]

    def stopped_by(self, stop: Stop) -> _Counting:
        return self


def test_a_strip_has_the_margin_that_its_part_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    heights(0, monkeypatch)
    part = _Counting()
    graph = StripGraph({Piece.STEM: part})
    whole = strips._Picture(picture(96, 32), 4)
    (found,) = graph._strips(Piece.STEM, 4, 3, (whole,), (4,))
    assert part.rows == [32 + 12, 12 + 32 + 12, 12 + 32]
    assert found.tobytes() == np.ascontiguousarray(whole.between(0, 24)[:, :1, ::4, ::4]).tobytes()


def test_a_stopped_picture_ends(shipped: StripGraph) -> None:
    stop = Stop()
    stop.stop(DeadlineError("late"))
    with pytest.raises(DeadlineError):
        shipped.stopped_by(stop).run(picture(64, 64))
