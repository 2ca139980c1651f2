"""Records of what is read from an image: the page, its barcodes, and the text of every box."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from msgspec import field
from numpy.typing import NDArray

from receipt_engine.document.record import Record

if TYPE_CHECKING:
    from receipt_engine.document.placed_text import PlacedText

Point = tuple[float, float]
Image = NDArray[np.uint8]


class Quad(Record, frozen=True):
    """Four corners, clockwise from the top left as the text is read, in page pixels."""

    top_left: Point
    top_right: Point
    bottom_right: Point
    bottom_left: Point

    @property
    def points(self) -> tuple[Point, Point, Point, Point]:
        return (self.top_left, self.top_right, self.bottom_right, self.bottom_left)

    @property
    def center(self) -> Point:
        (a, e), (b, f), (c, g), (d, h) = self.points
        return ((a + b + c + d) / 4, (e + f + g + h) / 4)

    @property
    def width(self) -> float:
        """Length of the upper edge."""
        return math.hypot(self.top_right[0] - self.top_left[0], self.top_right[1] - self.top_left[1])

    @property
    def height(self) -> float:
        """Length of the left edge."""
        return math.hypot(self.bottom_left[0] - self.top_left[0], self.bottom_left[1] - self.top_left[1])

    def slice(self, start: float, end: float) -> Quad:
        """The part between two fractions (0 to 1) of the way from the left edge to the right one."""
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = self.points
        return Quad(
            (ax + (bx - ax) * start, ay + (by - ay) * start),
            (ax + (bx - ax) * end, ay + (by - ay) * end),
            (dx + (cx - dx) * end, dy + (cy - dy) * end),
            (dx + (cx - dx) * start, dy + (cy - dy) * start),
        )


class Quality(Record, frozen=True):
    """How well the image can be read.

    sharpness: variance of the Laplacian over text, larger is sharper. contrast: 5th to 95th percentile span
    of luminance, 0 to 1. text_height: median height of text boxes in page pixels. brightness: luminance of
    the paper beside the text, 0 to 1.
    """

    sharpness: float = 0.0
    contrast: float = 0.0
    text_height: float = 0.0
    brightness: float = 0.0


class Barcode(Record, frozen=True):
    """A decoded barcode. kind: its symbology, spelled as in the interface."""

    data: str
    kind: str
    quad: Quad


class TextBox(Record, frozen=True):
    """A detected piece of text. score: mean text probability inside, 0 to 1.

    faint: too faint to be accepted by itself, but placed as a single digit would be; kept only if it is read
    as one. middle: where the middle of a bent row lies, in page pixels; its quad is on the straight line
    between its ends. None for a straight row.
    """

    quad: Quad
    score: float
    faint: bool = False
    middle: Point | None = None


class Char(Record, frozen=True):
    """One recognised character.

    text is "" where the recogniser chose no character but gave one a real chance. alternatives: every other
    reading with its probability, "" for "no character". start and end are fractions (0 to 1) of the span's
    width.
    """

    text: str
    score: float
    start: float
    end: float
    alternatives: tuple[tuple[str, float], ...] = ()


class Span(Record, frozen=True):
    """The text of one box. score: mean character score, 0 to 1 (not a probability of being right).

    script: the script that the line is printed in when no head is trained for it ("arabic"); text is then a
    misreading in another script.
    """

    text: str
    score: float
    quad: Quad
    chars: tuple[Char, ...] = ()
    script: str = ""


class Page(Record, frozen=True):
    """An upright image: RGB, uint8, shape (height, width, 3).

    source_size: (width, height) of the file as stored. rotation: quarter turns, in degrees clockwise, applied
    on top of EXIF to make the text upright. printed: the page's text layer in the file (PDF), at the places
    where it is drawn; empty for an image.
    """

    image: Image
    source_size: tuple[int, int]
    rotation: int = 0
    quality: Quality = field(default_factory=Quality)
    printed: tuple[Span, ...] = ()

    @property
    def width(self) -> int:
        return int(self.image.shape[1])

    @property
    def height(self) -> int:
        return int(self.image.shape[0])


class Reading(Record, frozen=True):
    """Everything that was read from an image: the slow half of the work, before any country's rules.

    width and height are those of the upright page; source_size (width, height) of the file as stored;
    rotation as in `Page`. papers: the same page read paper by paper, when several may be receipts or one is
    far from level. further_pages: the readings of the file's further pages.
    """

    width: int
    height: int
    source_size: tuple[int, int]
    rotation: int
    quality: Quality
    spans: tuple[Span, ...]
    barcodes: tuple[Barcode, ...] = ()
    papers: tuple[Paper, ...] = ()
    further_pages: tuple[Reading, ...] = ()

    @staticmethod
    def of(
        texts: Iterable[PlacedText],
        size: tuple[int, int] | None = None,
        *,
        barcodes: Sequence[Barcode] = (),
        further_pages: Sequence[Reading] = (),
    ) -> Reading:
        """The output of another OCR engine as a Reading, for `Engine.interpret`.

        texts: words or lines, in any order. size: (width, height) of the image in pixels; the extent of the
        texts when None. barcodes: in the same pixels. further_pages: the readings of the document's further
        pages. A page whose text is not upright is turned by quarter turns. Raises NoTextError when all texts
        are blank, and ReadingError when one has an invalid box or score.

            total = PlacedText("TOTAL", (10, 10, 90, 30)), PlacedText("4.20", (200, 10, 250, 30), score=0.97)
            Engine().interpret(Reading.of(total, (300, 400)))
        """
        from receipt_engine.document.foreign import reading_of  # it imports this module

        return reading_of(texts, size, barcodes, further_pages)


class Paper(Record, frozen=True):
    """A paper on a page, read separately. outline: its corners on the page, clockwise.

    has_edge: another surface surrounds it; otherwise only a gap separates it from its neighbour.
    """

    reading: Reading
    outline: Quad
    has_edge: bool = True
