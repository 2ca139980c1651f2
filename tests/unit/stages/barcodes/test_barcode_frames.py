"""Search, framing and joining of bars."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import zxingcpp
from numpy.typing import NDArray

from receipt_engine.stages.barcodes.bars import frame_bars, read_bars
from receipt_engine.stages.barcodes.fit import fit
from receipt_engine.stages.barcodes.locate import BarcodeCandidate, find_candidates

LEFT, TOP, HEIGHT = 150, 200, 90


@pytest.fixture(scope="module")
def grey() -> NDArray[np.uint8]:
    """White paper with one linear code, bars from LEFT on, TOP to TOP + HEIGHT."""
    code = zxingcpp.create_barcode("ABC1234567", zxingcpp.BarcodeFormat.Code128)
    bars = np.array(code.to_image(scale=3, add_quiet_zones=False))[:1]
    page = np.full((500, 800), 255, dtype=np.uint8)
    page[TOP : TOP + HEIGHT, LEFT : LEFT + bars.shape[1]] = bars
    return page


@pytest.fixture
def whole(grey: NDArray[np.uint8]) -> BarcodeCandidate:
    columns = np.nonzero(grey.min(axis=0) == 0)[0]
    width = float(np.ptp(columns) + 1)
    return BarcodeCandidate((LEFT + width / 2, TOP + HEIGHT / 2), 0.0, width, float(HEIGHT), 1.0)


def test_bars_are_found_where_they_are(grey: NDArray[np.uint8], whole: BarcodeCandidate) -> None:
    linear, matrix = find_candidates(grey)
    assert len(linear) == 1 and matrix == ()
    assert math.dist(linear[0].center, whole.center) < 12
    assert abs(linear[0].angle) < 0.02


def test_a_dense_square_is_a_matrix_candidate() -> None:
    code = zxingcpp.create_barcode("https://example.com/abc", zxingcpp.BarcodeFormat.QRCode)
    square = np.array(code.to_image(scale=6, add_quiet_zones=False))
    page = np.full((600, 600), 255, dtype=np.uint8)
    page[150 : 150 + square.shape[0], 200 : 200 + square.shape[1]] = square
    _, (candidate, *others) = find_candidates(page)
    assert others == []
    assert math.dist(candidate.center, (200 + square.shape[1] / 2, 150 + square.shape[0] / 2)) < 16


def test_blank_paper_has_no_candidates() -> None:
    assert find_candidates(np.full((600, 400), 250, dtype=np.uint8)) == ((), ())


@pytest.mark.parametrize("part", [(0.0, 0.35), (0.3, 0.7), (0.6, 1.0)])
def test_a_piece_grows_to_the_whole_code(
    grey: NDArray[np.uint8], whole: BarcodeCandidate, part: tuple[float, float]
) -> None:
    middle = (sum(part) / 2 - 0.5) * whole.width
    piece = replace(whole, center=whole.point(middle, 0), width=(part[1] - part[0]) * whole.width)
    frame = fit(grey, piece)
    assert frame.bars == pytest.approx(whole.width, abs=8)
    assert frame.place.center == pytest.approx(whole.center, abs=8)
    assert [(s.data, s.kind) for s in read_bars(grey, frame)] == [("ABC1234567", "Code 128")]


def test_blank_paper_around_bars_does_not_count(grey: NDArray[np.uint8], whole: BarcodeCandidate) -> None:
    loose = replace(whole, width=whole.width + 120, height=whole.height * 1.8)
    frame = fit(grey, loose)
    assert frame.bars == pytest.approx(whole.width, abs=8)
    assert frame.place.height == pytest.approx(whole.height, abs=16)


@pytest.mark.parametrize("turn", [-2.0, 1.5])
def test_a_wrong_angle_is_mended(grey: NDArray[np.uint8], whole: BarcodeCandidate, turn: float) -> None:
    frame = fit(grey, replace(whole, angle=math.radians(turn)))
    assert abs(math.degrees(frame.place.angle)) < 0.5


def test_what_differs_from_row_to_row_is_not_framed() -> None:
    noise = np.random.default_rng(1).integers(0, 255, (300, 500)).astype(np.uint8)
    assert frame_bars(noise, BarcodeCandidate((250.0, 150.0), 0.0, 300.0, 100.0, 1.0)) is None
    assert (
        frame_bars(np.full_like(noise, 255), BarcodeCandidate((250.0, 150.0), 0.0, 300.0, 100.0, 1.0)) is None
    )


def test_the_quad_of_a_candidate_turns_with_it() -> None:
    quad = BarcodeCandidate((100.0, 100.0), math.pi / 2, 60.0, 20.0, 1.0).quad
    assert quad.top_left == pytest.approx((110, 70))
    assert (quad.width, quad.height) == pytest.approx((60, 20))
