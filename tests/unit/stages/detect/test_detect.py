"""Boxes from a text map that a fake graph gives."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from receipt_engine.document import Image, Page
from receipt_engine.stages.detect import LONG_SIDE, detect


class Bright:
    """Calls bright pixels text."""

    def __init__(self) -> None:
        self.sizes: list[tuple[int, int]] = []

    def run(self, picture: Image) -> NDArray[np.float32]:
        self.sizes.append(picture.shape[:2])
        return (picture.mean(axis=2) > 170).astype(np.float32) * np.float32(0.9)


def page(height: int, width: int, *bars: tuple[int, int, int, int]) -> Page:
    image = np.zeros((height, width, 3), dtype=np.uint8)
    for left, top, right, bottom in bars:
        image[top:bottom, left:right] = 255
    return Page(image, (width, height))


def test_a_bar_becomes_a_box_a_little_larger() -> None:
    (box,) = detect(page(400, 600, (100, 200, 400, 224)), Bright())
    assert 80 < box.quad.top_left[0] < 100 and 400 < box.quad.top_right[0] < 420
    assert 180 < box.quad.top_left[1] < 200
    assert box.score > 0.5


def test_a_blank_page_has_no_boxes() -> None:
    assert detect(page(300, 300), Bright()) == ()


def test_a_large_page_is_reduced_and_its_boxes_are_in_page_pixels() -> None:
    graph = Bright()
    (box,) = detect(page(2560, 1600, (200, 1200, 1200, 1280)), graph)
    assert max(graph.sizes[0]) == LONG_SIDE
    assert abs(box.quad.center[0] - 700) < 20 and abs(box.quad.center[1] - 1240) < 20


def test_a_long_page_is_read_in_tiles_and_no_box_twice() -> None:
    graph = Bright()
    bars = [(100, y, 500, y + 30) for y in range(100, 5800, 200)]
    boxes = detect(page(6000, 700, *bars), graph)
    assert len(graph.sizes) > 1
    assert len(boxes) == len(bars)


def test_rows_close_together_on_a_tilted_page_are_all_kept() -> None:
    image = np.zeros((600, 600, 3), dtype=np.uint8)
    for k in range(5):
        for x in range(60, 500):
            y = 100 + 40 * k + int(0.35 * x)
            image[y : y + 16, x] = 255
    assert len(detect(Page(image, (600, 600)), Bright())) == 5


class Blurred(Bright):
    """As a detector does, runs rows together that are less than eight of its pixels apart."""

    def run(self, picture: Image) -> NDArray[np.float32]:
        return np.asarray(cv2.morphologyEx(super().run(picture), cv2.MORPH_CLOSE, np.ones((9, 1))))


def test_rows_that_run_together_are_looked_at_again_from_closer() -> None:
    graph = Blurred()
    names = [(100, y, 260, y + 8) for y in range(100, 400, 20)]
    prices = [(400, y, 430, y + 8) for y in range(100, 400, 14)]
    boxes = detect(page(1200, 800, *names, *prices), graph)
    assert len(graph.sizes) == 2
    assert len(boxes) == len(names) + len(prices)


def test_of_a_page_with_one_short_stack_only_its_surroundings_are_looked_at_again() -> None:
    graph = Blurred()
    names = [(100, y, 260, y + 8) for y in range(100, 400, 20)]
    counts = [(300, y, 309, y + 8) for y in (100, 114, 128)]
    boxes = detect(page(1200, 800, *names, *counts), graph)
    assert len(boxes) == len(names) + len(counts)
    whole, around = graph.sizes
    assert max(around) < max(whole) / 4


def test_a_short_stack_that_a_closer_look_does_not_part_stays_one_box() -> None:
    graph = Blurred()
    names = [(100, y, 260, y + 8) for y in range(100, 400, 20)]
    boxes = detect(page(1200, 800, *names, (300, 100, 309, 136)), graph)
    assert len(boxes) == len(names) + 1
    assert len(graph.sizes) == 2


def test_rows_that_stand_apart_are_looked_at_once() -> None:
    graph = Blurred()
    rows = [(100, y, 430, y + 8) for y in range(100, 400, 20)]
    assert len(detect(page(1200, 800, *rows), graph)) == len(rows)
    assert len(graph.sizes) == 1


def test_a_small_receipt_with_tight_rows_is_looked_at_again_at_its_own_scale() -> None:
    graph = Blurred()
    rows = [(700, y, 1000, y + 14) for y in (*range(200, 1700, 32), *range(1720, 1860, 28))]
    boxes = detect(page(2400, 1800, *rows), graph)
    assert len(graph.sizes) > 1 and min(graph.sizes[1]) > 300 * 0.9
    assert len(boxes) == len(rows)


def test_a_small_receipt_with_wide_rows_is_looked_at_once() -> None:
    graph = Blurred()
    rows = [(700, y, 1000, y + 14) for y in range(200, 2200, 60)]
    assert len(detect(page(2400, 1800, *rows), graph)) == len(rows)
    assert len(graph.sizes) == 1


def test_what_only_the_first_look_at_a_small_receipt_finds_is_kept() -> None:
    graph = Blinking()
    rows = [(700, y, 1000, y + 14) for y in range(200, 1400, 30)]
    assert len(detect(page(2400, 1800, *rows), graph)) == len(rows)
    assert len(graph.sizes) > 1


class Blinking(Bright):
    """Misses the upper half of a picture after the first."""

    def run(self, picture: Image) -> NDArray[np.float32]:
        found = super().run(picture)
        if len(self.sizes) > 1:
            found[: len(found) // 2] = 0
        return found


class Words(Bright):
    """Calls bright pixels text, and grey ones faintly so."""

    def run(self, picture: Image) -> NDArray[np.float32]:
        brightness = picture.mean(axis=2)
        return np.where(brightness > 170, 0.9, np.where(brightness > 60, 0.2, 0.0)).astype(np.float32)


def with_spots(page: Page, *spots: tuple[int, int, int, int]) -> Page:
    for left, top, right, bottom in spots:
        page.image[top:bottom, left:right] = 90
    return page


_ROWS = [(200, y, 500, y + 20) for y in (200, 260, 320)]


def test_faint_spots_in_a_column_beside_rows_are_lone_boxes_as_high_as_the_rows() -> None:
    spots = [(150, 204, 156, 216), (150, 324, 156, 336)]
    boxes = detect(with_spots(page(600, 700, *_ROWS), *spots), Words())
    lone = sorted((b for b in boxes if b.faint), key=lambda b: b.quad.center[1])
    rows = [b for b in boxes if not b.faint]
    assert len(rows) == 3
    assert [round(b.quad.center[1], -1) for b in lone] == [210, 330]
    assert all(abs(b.quad.height - rows[0].quad.height) < 4 and abs(b.quad.center[0] - 153) < 4 for b in lone)


class Trailing(Bright):
    """Calls bright pixels text, and grey ones hardly so."""

    def run(self, picture: Image) -> NDArray[np.float32]:
        brightness = picture.mean(axis=2)
        return np.where(brightness > 170, 0.9, np.where(brightness > 60, 0.35, 0.0)).astype(np.float32)


def test_a_character_with_a_trail_to_its_row_is_a_lone_box_without_the_trail() -> None:
    trailed = page(600, 700, *_ROWS)
    for _, top, _, _ in _ROWS:
        trailed.image[top + 4 : top + 16, 150:190] = 90
        trailed.image[top + 4 : top + 16, 150:158] = 255
    lone = [box for box in detect(trailed, Trailing()) if box.faint]
    assert [round(box.quad.center[0]) for box in lone] == pytest.approx([154] * 3, abs=2)


def test_a_faint_spot_without_another_in_its_column_or_between_rows_is_nothing() -> None:
    boxes = detect(with_spots(page(600, 700, *_ROWS), (150, 204, 156, 216), (100, 294, 106, 300)), Words())
    assert not any(b.faint for b in boxes)


class Sure(Bright):
    """Calls bright pixels text, as surely as told."""

    def __init__(self, probability: float) -> None:
        super().__init__()
        self.probability = probability

    def run(self, picture: Image) -> NDArray[np.float32]:
        return (picture.mean(axis=2) > 150).astype(np.float32) * np.float32(self.probability)


@pytest.mark.parametrize(("probability", "found"), [(0.95, 1), (0.85, 0)])
def test_a_thin_character_that_is_sure_needs_no_other_in_its_column(probability: float, found: int) -> None:
    thin = page(600, 700, *_ROWS, (150, 204, 151, 216))
    assert sum(box.faint for box in detect(thin, Sure(probability))) == found


def test_a_small_page_is_enlarged() -> None:
    graph = Bright()
    (box,) = detect(page(300, 200, (20, 100, 120, 110)), graph)
    assert max(graph.sizes[0]) >= 576
    assert abs(box.quad.center[0] - 70) < 5 and abs(box.quad.center[1] - 105) < 5


def bow(depth: float, thickness: int = 12, left: int = 100, right: int = 500, top: int = 200) -> Page:
    """A page with a row that hangs down `depth` pixels in its middle."""
    image = np.zeros((480, 640, 3), dtype=np.uint8)
    for x in range(left, right):
        sag = depth * (1 - ((2 * x - left - right) / (right - left)) ** 2)
        y = top + round(sag)
        image[y : y + thickness, x] = 255
    return Page(image, (640, 480))


@pytest.mark.parametrize("depth", [-25.0, -10.0, 10.0, 25.0])
def test_a_bent_row_has_the_box_between_its_ends_and_its_middle(depth: float) -> None:
    (box,) = detect(bow(depth), Bright())
    assert box.middle is not None
    assert box.middle == pytest.approx((300, 206 + depth), abs=2)
    assert box.quad.height == pytest.approx(12 + 2 * 0.8 * 12, abs=4)
    ends = (box.quad.slice(0, 0).center, box.quad.slice(1, 1).center)
    # It reaches beyond the ends of the row, where the bow would have gone on rising or falling.
    assert all(abs(y - 206 + 0.1 * depth) < 2 + 0.1 * abs(depth) for _, y in ends)


def test_a_bent_row_of_a_tilted_page() -> None:
    upright = bow(25.0)
    turn = cv2.getRotationMatrix2D((320, 240), 15, 1)
    image = np.asarray(cv2.warpAffine(upright.image, turn, (640, 480)), np.uint8)
    (box,) = detect(Page(image, (640, 480)), Bright())
    assert box.middle == pytest.approx(tuple(turn @ (300, 231, 1)), abs=3)


@pytest.mark.parametrize("depth", [0.0, 3.0])
def test_a_row_that_hardly_bends_has_an_ordinary_box(depth: float) -> None:
    (box,) = detect(bow(depth), Bright())
    assert box.middle is None


def test_the_neighbours_of_a_bent_row_are_kept() -> None:
    curled = bow(30.0)
    curled.image[180:192, 270:330] = 255  # above its middle, where the box between its ends is
    assert sum(box.middle is None for box in detect(curled, Bright())) == 1


class Stamped(Bright):
    """Sees a row and the stroke across it as one blob, unless it looks from close by."""

    def run(self, picture: Image) -> NDArray[np.float32]:
        found = super().run(picture)
        if len(self.sizes) > 1:
            found[picture[:, :, 2] < 220] = 0
        return found


def test_a_row_and_the_stamp_across_it_are_looked_at_again() -> None:
    rows = [(100, y, 500, y + 14) for y in range(100, 420, 40)]
    stamped = page(480, 640, *rows)
    cv2.line(stamped.image, (150, 10), (300, 107), (255, 255, 200), 10)
    boxes = detect(stamped, Stamped())
    assert len(boxes) == len(rows)
    assert min(box.quad.center[1] for box in boxes) == pytest.approx(107, abs=3)


class Scrawled(Bright):
    """Sees rows and the thin strokes between them as one blob, unless it looks from close by."""

    def run(self, picture: Image) -> NDArray[np.float32]:
        found = super().run(picture)
        if len(self.sizes) > 1:
            found[picture[:, :, 2] < 0.9 * picture[:, :, 0]] = 0
        return found


def test_rows_with_handwriting_between_them_are_looked_at_again() -> None:
    rows = [(100, y, 300, y + 16) for y in range(40, 440, 30)]
    scrawled = page(480, 640, *rows)
    for x in (110, 190, 280):
        scrawled.image[116:130, x : x + 6] = (255, 255, 200)
    first = detect(scrawled, Bright())
    again = detect(scrawled, Scrawled())
    assert sum(box.quad.width > 200 for box in first) < len(rows)
    assert sum(box.quad.width > 200 and box.quad.height < 44 for box in again) == len(rows)


def test_a_logo_is_looked_at_once() -> None:
    graph = Bright()
    rows = [(100, y, 300, y + 16) for y in range(140, 440, 30)]
    assert len(detect(page(480, 640, (100, 20, 400, 100), *rows), graph)) == 1 + len(rows)
    assert len(graph.sizes) == 1


def test_a_row_and_a_blob_beside_it_where_tiles_overlap_are_two_boxes() -> None:
    row, upright, foot = (40, 1200, 540, 1236), (600, 1190, 660, 1330), (470, 1260, 660, 1330)
    graph = Bright()
    boxes = detect(page(6000, 700, row, upright, foot), graph)
    assert len(graph.sizes) > 1
    assert len(boxes) == 2


def test_a_row_that_crosses_two_tiles_is_one_box() -> None:
    row = (100, 300, 2300, 340)
    graph = Bright()
    boxes = detect(page(700, 2400, row, (1100, 500, 1300, 540)), graph)
    assert len(graph.sizes) == 2
    (long,) = (box for box in boxes if box.quad.center[1] < 400)
    assert long.quad.width == pytest.approx(2200 + 2 * 0.8 * 40, abs=20)
    assert len(boxes) == 2
