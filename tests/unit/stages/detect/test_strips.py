"""Strips joined again are, to the byte, what the whole picture gives."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

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


def picture(height: int, width: int) -> Array:
    return np.random.default_rng(5).uniform(-2, 2, (1, 3, height, width)).astype(np.float32)


def heights(pixels: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strips, "_STRIP", dict.fromkeys(STRIP_PARTS, pixels))


@pytest.mark.parametrize(("height", "width"), [(32, 64), (96, 32), (192, 96), (288, 64)])
def test_lowest_strips_give_the_bytes_of_the_whole(
    shipped: StripGraph, height: int, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    heights(10**9, monkeypatch)
    whole = shipped.run({"x": picture(height, width)})
    assert whole.shape == (1, 1, height, width) and 0 <= whole.min() < whole.max() <= 1
    heights(0, monkeypatch)
    assert shipped.run({"x": picture(height, width)}).tobytes() == whole.tobytes()


def test_several_threads_give_the_same_bytes(shipped: StripGraph, monkeypatch: pytest.MonkeyPatch) -> None:
    heights(0, monkeypatch)
    x = picture(256, 64)
    several = load_detector(3).graph
    assert several.run({"x": x}).tobytes() == shipped.run({"x": x}).tobytes()


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
    (found,) = graph._strips(Piece.STEM, 4, 3, (strips._Input(picture(96, 32), 4),), (4,))
    assert part.rows == [32 + 12, 12 + 32 + 12, 12 + 32]
    assert found.tobytes() == np.ascontiguousarray(picture(96, 32)[:, :1, ::4, ::4]).tobytes()


def test_a_stopped_picture_ends(shipped: StripGraph) -> None:
    stop = Stop()
    stop.stop(DeadlineError("late"))
    with pytest.raises(DeadlineError):
        shipped.stopped_by(stop).run({"x": picture(64, 64)})
