"""Arranges several papers in one image: in columns, askew, touching, overlapping, spaced like slips, or with
the edge of a neighbouring paper."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from scripts.make_receipts.backgrounds import background
from scripts.make_receipts.dice import Dice
from scripts.make_receipts.drawing import Pixels
from scripts.make_receipts.paper import Noise, Real
from scripts.make_receipts.photo import lens

Corners = tuple[tuple[float, float], ...]

#: Maximum length of the image's longer side, in pixels.
_LONGEST = 4000
#: Probability of a white surface, like a scanner's lid.
_SCANNED = 0.2
#: Visible share of the width of a neighbour that is cut off by the image's edge.
_EDGE_SEEN = (0.12, 0.4)


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper to be placed. color: (height, width, 3), 0 to 1; mask: 1 where the paper is."""

    color: Real
    mask: Real


@dataclass(slots=True)
class _Placed:
    """A paper, its rotation in degrees counter-clockwise, and its centre in pixels before shrinking."""

    paper: Paper
    turn: float
    x: float
    y: float

    def extent(self) -> tuple[float, float]:
        """Width and height of the rotated paper's bounding box."""
        height, width = self.paper.mask.shape
        cos, sin = abs(math.cos(math.radians(self.turn))), abs(math.sin(math.radians(self.turn)))
        return width * cos + height * sin, width * sin + height * cos


def columns(papers: Sequence[Paper], dice: Dice, noise: Noise) -> list[_Placed]:
    """Columns of papers, nearly level or a little askew; occasionally some lie on their sides."""
    count = _count(papers, 3, dice)
    spread = dice.weighted({0.0: 2, 3.0: 3, 8.0: 2})
    turned = dice.chance(0.12)

    def turn() -> float:
        aside = dice.pick((90, 180, 270)) if turned and dice.chance(0.5) else 0
        return float(noise.normal(0, spread)) + aside

    return _in_columns(papers, count, turn, lambda: dice.real(-0.01, 0.12), lambda: dice.real(-0.01, 0.15))


def touching(papers: Sequence[Paper], dice: Dice, noise: Noise) -> list[_Placed]:
    """Papers edge to edge, overlapping by at most a little of their margins."""
    count = _count(papers, 2, dice)
    spread = dice.weighted({0.0: 2, 1.0: 1})
    return _in_columns(
        papers,
        count,
        lambda: float(noise.normal(0, spread)),
        lambda: dice.real(-0.008, 0),
        lambda: dice.real(-0.015, 0),
    )


def askew(papers: Sequence[Paper], dice: Dice, noise: Noise) -> list[_Placed]:
    """Papers at random angles, hardly overlapping."""
    count = min(len(papers), 3)
    return _in_columns(
        papers,
        count,
        lambda: dice.real(-25, 25),
        lambda: dice.real(-0.03, 0.06),
        lambda: dice.real(-0.05, 0.05),
    )


def overlapping(papers: Sequence[Paper], dice: Dice, noise: Noise) -> list[_Placed]:
    """Papers that overlap each other's margins and ends."""
    count = _count(papers, 2, dice)
    return _in_columns(
        papers,
        count,
        lambda: float(noise.normal(0, 4)),
        lambda: dice.real(-0.05, -0.01),
        lambda: dice.real(-0.06, -0.01),
    )


def scattered(papers: Sequence[Paper], dice: Dice, noise: Noise) -> list[_Placed]:
    """Columns far apart, as slips are laid out to be scanned together."""
    count = _count(papers, 4, dice)
    return _in_columns(
        papers,
        count,
        lambda: float(noise.normal(0, 2)),
        lambda: dice.real(0.02, 0.3),
        lambda: dice.real(0.03, 0.3),
    )


ARRANGEMENTS: dict[str, Callable[[Sequence[Paper], Dice, Noise], list[_Placed]]] = {
    "columns": columns,
    "touching": touching,
    "askew": askew,
    "overlapping": overlapping,
    "slips": scattered,
    "edge": columns,
}


def _count(papers: Sequence[Paper], most: int, dice: Dice) -> int:
    """Number of columns: with at most `most` papers each, or four where three columns are not enough."""
    fitting = [count for count in (1, 2, 3) if count <= len(papers) <= most * count]
    return dice.pick(fitting) if fitting else 4


def _in_columns(
    papers: Sequence[Paper],
    count: int,
    turn: Callable[[], float],
    below: Callable[[], float],
    beside: Callable[[], float],
) -> list[_Placed]:
    """The papers in `count` columns. below, beside: gap after a paper or column, as a share of its size."""
    placed: list[_Placed] = []
    left = 0.0
    for column in range(count):
        top, widest = 0.0, 0.0
        for paper in papers[column::count]:
            laid = _Placed(paper, turn(), 0, 0)
            across, down = laid.extent()
            laid.x, laid.y = left + across / 2, top + down / 2
            top += down * (1 + below())
            widest = max(widest, across)
            placed.append(laid)
        left += widest * (1 + beside())
    order = {id(paper): i for i, paper in enumerate(papers)}
    return sorted(placed, key=lambda laid: order[id(laid.paper)])


def lay_out(
    papers: Sequence[Paper], arrangement: str, dice: Dice, noise: Noise, *, neighbor: Paper | None = None
) -> tuple[Pixels, list[Corners]]:
    """The image of the papers, and the corners of each.

    arrangement: one of `ARRANGEMENTS`. neighbor: a further paper of which only an edge is in the image.
    """
    placed = ARRANGEMENTS[arrangement](papers, dice, noise)
    border = dice.real(20, 200)
    left, top, right, bottom = _frame(placed, border)
    if neighbor is not None:
        laid = _Placed(neighbor, float(noise.normal(0, 4)), 0, 0)
        across, down = laid.extent()
        seen = dice.real(*_EDGE_SEEN) * across
        laid.y = dice.real(top + down / 3, bottom - down / 3)
        if dice.chance(0.5):
            left, laid.x = left - seen, left - across / 2
        else:
            right, laid.x = right + seen, right + across / 2
        placed = [*placed, laid]
    shrink = min(1.0, _LONGEST / max(right - left, bottom - top))
    shape = (round((bottom - top) * shrink), round((right - left) * shrink))
    white = dice.chance(_SCANNED)
    scene = np.full((*shape, 3), 0.99, np.float32) if white else background(shape, noise)
    outlines: list[Corners] = [()] * len(placed)
    for at in dice.several(range(len(placed)), len(placed)):
        laid = placed[at]
        center = ((laid.x - left) * shrink, (laid.y - top) * shrink)
        scene, outlines[at] = _laid(scene, laid, center, shrink, 0.1 if white else 0.5)
    if not white:
        scene = lens(scene, noise)
    return np.asarray(np.clip(scene * 255 + 0.5, 0, 255), np.uint8), outlines[: len(papers)]


def _frame(placed: Sequence[_Placed], border: float) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of all papers with a border."""
    extents = [laid.extent() for laid in placed]
    return (
        min(laid.x - across / 2 for laid, (across, _) in zip(placed, extents, strict=True)) - border,
        min(laid.y - down / 2 for laid, (_, down) in zip(placed, extents, strict=True)) - border,
        max(laid.x + across / 2 for laid, (across, _) in zip(placed, extents, strict=True)) + border,
        max(laid.y + down / 2 for laid, (_, down) in zip(placed, extents, strict=True)) + border,
    )


def _laid(
    scene: Real, laid: _Placed, center: tuple[float, float], shrink: float, shadow: float
) -> tuple[Real, Corners]:
    """The scene with the paper on it, and the paper's corners. shadow: darkness of its shadow, 0 to 1."""
    paper = laid.paper
    height, width = paper.mask.shape
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), laid.turn, shrink)
    matrix[:, 2] += np.array(center) - (width / 2, height / 2)
    size = (scene.shape[1], scene.shape[0])
    seen = cv2.warpAffine(paper.color, matrix, size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
    alpha = cv2.warpAffine(paper.mask, matrix, size, flags=cv2.INTER_LINEAR)
    soft = cv2.GaussianBlur(np.roll(alpha, (4, 3), axis=(0, 1)), (0, 0), 6)
    scene = np.asarray(scene * (1 - shadow * soft[..., None] * (1 - alpha[..., None])), np.float32)
    scene = np.asarray(scene * (1 - alpha[..., None]) + seen * alpha[..., None], np.float32)
    corners = np.array([(0, 0, 1), (width, 0, 1), (width, height, 1), (0, height, 1)]) @ matrix.T
    return scene, tuple((round(float(x), 1), round(float(y), 1)) for x, y in corners)
