"""The detector's network, one strip of the picture after another.

A layer of a whole picture is many megabytes, which have to be fetched from memory again for the next layer;
one of a strip stays in the processor's cache, and half of the memory will do. The graph is cut where a layer
looks at the whole picture (the means of its gates, see `scripts/split_detector.py`); between those places a
strip is run with a few rows more than are wanted of it, so that the rows in its middle are, byte for byte,
those of the whole.

    x ─ stem ─ quarter ─ eighth ─ deep ─ fine ─ map ─ text probability
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from enum import StrEnum, auto
from typing import Protocol, Self

import numpy as np

from receipt_engine.runtime.onnx import Array
from receipt_engine.runtime.stopping import Stop


class Piece(StrEnum):
    """The parts by the names of their files."""

    STEM = auto()
    STEM_GATE = auto()
    QUARTER = auto()
    QUARTER_GATE = auto()
    EIGHTH = auto()
    DEEP = auto()
    FINE = auto()
    FINE_GATE = auto()
    MAP = auto()


#: The parts that are run in strips, and how many of the picture's pixels a strip has about: smaller ones
#: repeat more rows, larger ones leave the processor's cache. The first part has the largest layers.
_STRIP = {
    Piece.STEM: 60_000,
    Piece.QUARTER: 120_000,
    Piece.EIGHTH: 240_000,
    Piece.FINE: 80_000,
    Piece.MAP: 80_000,
}
#: Heights of strips are multiples of this.
_ROWS = 16
STRIP_PARTS = tuple(_STRIP)
#: The parts that see all of their inputs.
WHOLE_PARTS = (Piece.STEM_GATE, Piece.QUARTER_GATE, Piece.DEEP, Piece.FINE_GATE)


class Part(Protocol):
    """A piece of the graph."""

    def run_all(self, inputs: Sequence[Array]) -> list[Array]:
        """All outputs, for the inputs in their order."""
        ...

    def stopped_by(self, stop: Stop) -> Part:
        """The same one for one extraction."""
        ...


@dataclass(frozen=True)
class _Input:
    """What a strip takes of an array: so many rows for each of its units, all of it with None."""

    array: Array
    rows: int | None

    def between(self, low: int, high: int) -> Array:
        """What the units from `low` to `high` need."""
        if self.rows is None:
            return self.array
        return np.ascontiguousarray(self.array[:, :, low * self.rows : high * self.rows])


@dataclass(frozen=True)
class StripGraph:
    """The detector's `Graph`. threads: how many strips are run at once."""

    parts: Mapping[Piece, Part]
    threads: int = 1

    def stopped_by(self, stop: Stop) -> Self:
        """The same graph, whose calls end when `stop` says so, also in the middle."""
        return replace(self, parts={name: part.stopped_by(stop) for name, part in self.parts.items()})

    def run(self, inputs: Mapping[str, Array]) -> Array:
        """The text probability (1, 1, height, width) of a picture x (1, 3, height, width) whose sides are
        multiples of 32."""
        picture = inputs["x"]
        (stem,) = self._strips(Piece.STEM, 4, 3, (_Input(picture, 4),), (4,))
        gate = self._whole(Piece.STEM_GATE, stem)
        quarter, half_done = self._strips(Piece.QUARTER, 8, 2, (_Input(stem, 2), gate), (4, 8))
        del stem
        gate = self._whole(Piece.QUARTER_GATE, half_done)
        eighth, deep = self._strips(Piece.EIGHTH, 16, 2, (_Input(half_done, 2), gate), (8, 16))
        del half_done
        summed, *levels, fine_gate = self.parts[Piece.DEEP].run_all((eighth, deep, quarter))
        del eighth, deep
        inputs_of_fine = (_Input(quarter, 2), _Input(fine_gate, None), _Input(summed, 1))
        (fine,) = self._strips(Piece.FINE, 8, 2, inputs_of_fine, (4,))
        del quarter, summed, inputs_of_fine
        gate = self._whole(Piece.FINE_GATE, fine)
        coarse = [_Input(_enlarged(level, fine.shape[2] // 2), 1) for level in levels]
        (probability,) = self._strips(Piece.MAP, 8, 1, (_Input(fine, 2), gate, *coarse), (1,))
        return probability

    def _whole(self, name: Piece, array: Array) -> _Input:
        (gate,) = self.parts[name].run_all((array,))
        return _Input(gate, None)

    def _strips(
        self, name: Piece, unit: int, margin: int, inputs: Sequence[_Input], scales: Sequence[int]
    ) -> list[Array]:
        """The outputs of a part, strip by strip.

        unit: rows of the picture that the strips' edges are multiples of; margin: units that a strip is given
        on either side besides its own. scales: rows of the picture for one row of each output.
        """
        first = inputs[0]
        assert first.rows is not None
        units = first.array.shape[2] // first.rows
        columns = first.array.shape[3] * unit // first.rows
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
    """The rows and columns of a coarse level repeated up to that height."""
    times = height // level.shape[2]
    return level.repeat(times, axis=2).repeat(times, axis=3) if times > 1 else level


def _each(function: Callable[[int], None], starts: Sequence[int], threads: int) -> None:
    if threads <= 1 or len(starts) <= 1:
        for start in starts:
            function(start)
        return
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(function, starts))
