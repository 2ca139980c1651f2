"""Runs the detector's network on one strip of the image after another.

A layer's output for a whole image takes many megabytes, which have to be fetched from memory again for the
next layer; for a strip it stays in the processor's cache, and half of the memory is enough. The graph is cut
where a layer depends on the whole image (the global means of its gates, see `scripts/split_detector.py`).
Between the cuts each strip is run with a few extra rows on either side, so that its own rows are, byte for
byte, those of a run on the whole image.

    picture ─ stem ─ quarter ─ eighth ─ deep ─ fine ─ map ─ text probability
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from enum import StrEnum, auto
from typing import Protocol, Self

import numpy as np

from receipt_engine.document import Image
from receipt_engine.runtime.memory import release
from receipt_engine.runtime.onnx import Array
from receipt_engine.runtime.stopping import Stop


class Piece(StrEnum):
    """The parts of the graph, named as their files."""

    STEM = auto()
    STEM_GATE = auto()
    QUARTER = auto()
    QUARTER_GATE = auto()
    EIGHTH = auto()
    DEEP = auto()
    FINE = auto()
    FINE_GATE = auto()
    MAP = auto()


#: The parts that are run in strips → approximate image pixels per strip. Smaller strips repeat more rows,
#: larger ones exceed the processor's cache. The first part has the largest layers.
_STRIP = {
    Piece.STEM: 60_000,
    Piece.QUARTER: 120_000,
    Piece.EIGHTH: 240_000,
    Piece.FINE: 80_000,
    Piece.MAP: 80_000,
}
#: Strip heights are multiples of this many image rows.
_ROWS = 16
STRIP_PARTS = tuple(_STRIP)
#: The parts that are run on the whole of their inputs.
WHOLE_PARTS = (Piece.STEM_GATE, Piece.QUARTER_GATE, Piece.DEEP, Piece.FINE_GATE)
_MEAN = np.array([0.485, 0.456, 0.406], dtype=np.float32) * 255
_STD = np.array([0.229, 0.224, 0.225], dtype=np.float32) * 255


class Part(Protocol):
    """A piece of the graph."""

    def run_all(self, inputs: Sequence[Array]) -> list[Array]:
        """All outputs, for the inputs in their order."""
        ...

    def stopped_by(self, stop: Stop) -> Part:
        """A copy for a single extraction, which `stop` can end."""
        ...


class _Source(Protocol):
    """An input of a part that strips are cut from. rows: rows per unit; None when every strip needs all."""

    @property
    def rows(self) -> int | None: ...

    def size(self) -> tuple[int, int]:
        """Rows and columns."""
        ...

    def between(self, low: int, high: int) -> Array:
        """The rows of the units from `low` to `high`."""
        ...


@dataclass(frozen=True)
class _Picture:
    """The page image, converted to normalised floats strip by strip: all at once they would take four times
    the image's memory. rows: rows per unit."""

    image: Image
    rows: int

    def size(self) -> tuple[int, int]:
        """See `_Source`."""
        return self.image.shape[0], self.image.shape[1]

    def between(self, low: int, high: int) -> Array:
        """See `_Source`."""
        image = self.image[low * self.rows : high * self.rows]
        x = np.empty((1, 3, *image.shape[:2]), dtype=np.float32)
        for channel, plane in enumerate(x[0]):
            # The official export was trained on BGR images.
            np.subtract(image[:, :, 2 - channel], _MEAN[channel], out=plane)
            plane /= _STD[channel]
        return x


@dataclass(frozen=True)
class _Input:
    """An array as input of strips. rows: rows per unit; None when every strip gets the whole array."""

    array: Array
    rows: int | None

    def size(self) -> tuple[int, int]:
        """See `_Source`."""
        return self.array.shape[2], self.array.shape[3]

    def between(self, low: int, high: int) -> Array:
        """See `_Source`."""
        if self.rows is None:
            return self.array
        return np.ascontiguousarray(self.array[:, :, low * self.rows : high * self.rows])


@dataclass(frozen=True)
class StripGraph:
    """The detector's `TextMap`. threads: strips that are run in parallel."""

    parts: Mapping[Piece, Part]
    threads: int = 1

    def stopped_by(self, stop: Stop) -> Self:
        """A copy whose calls `stop` can end, even while they run."""
        return replace(self, parts={name: part.stopped_by(stop) for name, part in self.parts.items()})

    def run(self, picture: Image) -> Array:
        """See `TextMap`."""
        (stem,) = self._strips(Piece.STEM, 4, 3, (_Picture(picture, 4),), (4,))
        gate = self._whole(Piece.STEM_GATE, stem)
        quarter, half_done = self._strips(Piece.QUARTER, 8, 2, (_Input(stem, 2), gate), (4, 8))
        del stem
        gate = self._whole(Piece.QUARTER_GATE, half_done)
        eighth, deep = self._strips(Piece.EIGHTH, 16, 2, (_Input(half_done, 2), gate), (8, 16))
        del half_done
        release()  # the deep layers need as much memory as the ones before them, and so do the fine ones
        summed, *levels, fine_gate = self.parts[Piece.DEEP].run_all((eighth, deep, quarter))
        del eighth, deep
        release()
        inputs_of_fine = (_Input(quarter, 2), _Input(fine_gate, None), _Input(summed, 1))
        (fine,) = self._strips(Piece.FINE, 8, 2, inputs_of_fine, (4,))
        del quarter, summed, inputs_of_fine
        gate = self._whole(Piece.FINE_GATE, fine)
        coarse = [_Input(_enlarged(level, fine.shape[2] // 2), 1) for level in levels]
        (probability,) = self._strips(Piece.MAP, 8, 1, (_Input(fine, 2), gate, *coarse), (1,))
        return np.asarray(probability[0, 0])

    def _whole(self, name: Piece, array: Array) -> _Input:
        (gate,) = self.parts[name].run_all((array,))
        return _Input(gate, None)

    def _strips(
        self, name: Piece, unit: int, margin: int, inputs: Sequence[_Source], scales: Sequence[int]
    ) -> list[Array]:
        """The outputs of a part, strip by strip.

        unit: image rows per unit; strips begin and end at units. margin: extra units that a strip gets on
        either side. scales: image rows per row of each output.
        """
        first = inputs[0]
        assert first.rows is not None
        rows, columns = first.size()
        units, columns = rows // first.rows, columns * unit // first.rows
        outputs: list[Array] = []
        run = self.parts[name].run_all

        def strip(start: int) -> None:
            end = min(units, start + step)
            low, high = max(0, start - margin), min(units, end + margin)
            found = run([own.between(low, high) for own in inputs])
            if not outputs:
                outputs.extend(
                    np.empty((*array.shape[:2], units * unit // scale, columns // scale), np.float32)
                    for array, scale in zip(found, scales, strict=True)
                )
            for output, array, scale in zip(outputs, found, scales, strict=True):
                rows = unit // scale
                output[:, :, start * rows : end * rows] = array[
                    :, :, (start - low) * rows : (end - low) * rows
                ]

        step = _ROWS * max(2, _STRIP[name] // (_ROWS * columns)) // unit
        strip(0)
        _each(strip, range(step, units, step), self.threads)
        return outputs


def _enlarged(level: Array, height: int) -> Array:
    """A coarse level enlarged to that height by repeating its rows and columns."""
    times = height // level.shape[2]
    return level.repeat(times, axis=2).repeat(times, axis=3) if times > 1 else level


def _each(function: Callable[[int], None], starts: Sequence[int], threads: int) -> None:
    if threads <= 1 or len(starts) <= 1:
        for start in starts:
            function(start)
        return
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(function, starts))
