"""Bent rows: their crop is straight, and their text stands where it is printed."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from receipt_engine.document import Char, Page, Quad, Span, TextBox
from receipt_engine.stages.recognize.crop import crop, straight_pieces
from receipt_engine.stages.recognize.orientation import make_upright

LEFT, RIGHT, TOP, HEIGHT = 100, 500, 200, 30
QUAD = Quad((LEFT, TOP), (RIGHT, TOP), (RIGHT, TOP + HEIGHT), (LEFT, TOP + HEIGHT))


def bent(depth: float) -> TextBox:
    return TextBox(QUAD, 0.9, middle=((LEFT + RIGHT) / 2, TOP + HEIGHT / 2 + depth))


def picture(depth: float) -> Page:
    """A page with a row of bars in the box, bent by the depth."""
    image = np.full((480, 640, 3), 255, np.uint8)
    for x in range(LEFT, RIGHT):
        y = TOP + round(depth * (1 - (2 * (x - LEFT) / (RIGHT - LEFT) - 1) ** 2))
        image[y + 5 : y + HEIGHT - 5, x] = 0 if x // 7 % 2 else 255
    return Page(image, (640, 480))


@pytest.mark.parametrize("depth", [-40.0, -12.0, 12.0, 40.0])
def test_the_crop_of_a_bent_row_is_straight(depth: float) -> None:
    straight = crop(picture(0), TextBox(QUAD, 0.9)).astype(float)
    found = crop(picture(depth), bent(depth)).astype(float)
    assert found.shape == straight.shape
    assert np.abs(found - straight).mean() < 12
    assert np.abs(crop(picture(depth), TextBox(QUAD, 0.9)).astype(float) - straight).mean() > 40


def test_the_crop_of_a_bent_row_at_the_edge_of_the_page() -> None:
    page = Page(picture(40).image[: TOP + 30], (640, TOP + 30))
    assert crop(page, bent(40)).shape == (HEIGHT, RIGHT - LEFT, 3)


def test_the_crop_of_a_bent_row_that_runs_downwards() -> None:
    page = picture(12)
    turned = Page(np.rot90(page.image).copy(), (480, 640))
    # Counterclockwise, (x, y) moves to (y, 640 - x).
    points = [(y, 640 - x) for x, y in QUAD.points]
    box = bent(12)
    assert box.middle is not None
    x, y = box.middle
    sideways = TextBox(Quad(points[1], points[2], points[3], points[0]), 0.9, middle=(y, 640 - x))
    upright = crop(page, box).astype(float)
    assert np.abs(cv2.rotate(crop(turned, sideways), cv2.ROTATE_180).astype(float) - upright).mean() < 12


def span(text: str) -> Span:
    step = 1 / len(text)
    chars = tuple(Char(letter, 0.9, k * step, (k + 1) * step) for k, letter in enumerate(text))
    return Span(text, 0.9, QUAD, chars)


def test_a_bent_row_falls_into_pieces_at_its_blanks() -> None:
    pieces = straight_pieces(span("Kettle House 14 Mill Lane"), bent(30))
    assert [piece.text for piece in pieces] == ["Kettle", "House 14", "Mill Lane"]
    first, second, third = (piece.quad for piece in pieces)
    assert first.top_left[1] < TOP + 5 < first.top_right[1]
    assert second.center[1] == pytest.approx(TOP + HEIGHT / 2 + 30, abs=5)
    assert third.top_left[1] > TOP + 5 > third.top_right[1] - 2
    assert first.top_right[0] <= second.top_left[0] + 1 <= third.top_left[0]


def test_the_characters_of_a_piece_stand_where_they_stood() -> None:
    whole = span("Kettle House 14 Mill Lane")
    places = {}
    for piece in straight_pieces(whole, bent(30)):
        for char in piece.chars:
            if char.text.strip():
                places[round(piece.quad.slice(char.start, char.end).center[0])] = char.text
    for char in whole.chars:
        if char.text.strip():
            place = round(QUAD.slice(char.start, char.end).center[0])
            assert any(places.get(place + off) == char.text for off in (-1, 0, 1))


def test_a_single_word_is_one_piece_where_it_lies_on_average() -> None:
    (piece,) = straight_pieces(span("KETTLEHOUSE"), bent(30))
    assert piece.text == "KETTLEHOUSE"
    assert piece.quad.center[1] == pytest.approx(TOP + HEIGHT / 2 + 20, abs=1)


def test_a_straight_row_is_left_as_it_is() -> None:
    whole = span("Kettle House 14 Mill Lane")
    assert straight_pieces(whole, TextBox(QUAD, 0.9)) == (whole,)


def test_text_from_right_to_left_is_one_piece() -> None:
    whole = span("Kettle House 14")
    backwards = Span(whole.text, whole.score, QUAD, whole.chars[::-1])
    assert len(straight_pieces(backwards, bent(30))) == 1


def test_the_middle_of_a_bent_row_turns_with_its_page() -> None:
    class Reads:
        def read(self, page: Page, boxes: tuple[TextBox, ...]) -> tuple[Span, ...]:
            score = 0.95 if page.rotation == 180 else 0.4
            return tuple(Span("Kettle House", score, box.quad) for box in boxes)

    rows = [
        TextBox(Quad((100, y), (500, y), (500, y + 15), (100, y + 15)), 0.9, middle=(300.0, y + 30.0))
        for y in range(40, 440, 40)
    ]
    page, turned = make_upright(picture(0), tuple(rows), Reads())
    assert page.rotation == 180
    assert {box.middle for box in turned} == {(340.0, 450.0 - y) for y in range(40, 440, 40)}
