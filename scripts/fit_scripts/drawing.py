"""Draws lines continuously in several processes, each in the form of the recogniser's input."""

from __future__ import annotations

import multiprocessing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from receipt_engine.stages.recognize.crop import tensor
from receipt_engine.stages.recognize.writing import printed
from scripts.fit_heads.languages import LANGUAGES
from scripts.fit_heads.pictures import picture
from scripts.fit_scripts.classes import SHARES, characters
from scripts.fit_scripts.worsening import as_photographed
from scripts.make_receipts.dice import Dice

#: Lines that a process hands over at once.
_HANDFUL = 64
#: Every Nth line is left out to test the fit.
_TEST = 40
#: Share of lines of the fit that look worse than `picture` draws them.
_WORSE = 0.4


@dataclass(frozen=True)
class Line:
    """gray: (48, width), the recogniser's input without colour. classes: of its characters, from left to
    right. left_out: in fonts that no line of the fit is drawn with."""

    script: str
    gray: NDArray[np.uint8]
    classes: NDArray[np.int16]
    left_out: bool


def read_texts(path: Path) -> dict[str, list[str]]:
    """Reads the file of `throw_texts`: a script and a text per row, separated by a tab."""
    texts: dict[str, list[str]] = {script: [] for script in SHARES}
    for row in path.read_text(encoding="utf-8").split("\n"):
        script, _, text = row.partition("\t")
        if text:
            texts[script].append(text)
    return texts


def start(texts: Path, processes: int) -> Any:
    """A queue that `processes` processes fill with batches of lines until they are killed."""
    context = multiprocessing.get_context("spawn")
    queue = context.Queue(maxsize=8 * processes)
    for number in range(processes):
        context.Process(target=_draw_on, args=(texts, number, queue), daemon=True).start()
    return queue


def _draw_on(path: Path, process: int, queue: Any) -> None:
    cv2.setNumThreads(1)
    texts = read_texts(path)
    index = {character: number for number, character in enumerate(characters())}
    count = 0
    while True:
        handful: list[Line] = []
        while len(handful) < _HANDFUL:
            count += 1
            line = _draw(texts, index, Dice("scripts", str(process), str(count)), count % _TEST == 0)
            if line is not None:
                handful.append(line)
        queue.put(handful)


def _draw(
    texts: Mapping[str, Sequence[str]], index: Mapping[str, int], dice: Dice, left_out: bool
) -> Line | None:
    """A line, or None where its text has a character without a class."""
    script = dice.weighted(dict(SHARES))
    above, text, below = (dice.pick(texts[script]) for _ in range(3))
    shown = printed(text)
    if not set(shown) <= index.keys():
        return None
    seen = picture((above, text, below), LANGUAGES[script], dice, left_out)
    if not left_out and dice.chance(_WORSE):
        seen = as_photographed(seen, dice)
    drawn, share = tensor(seen)
    gray = drawn[0, :, :, : round(drawn.shape[3] * share)].mean(axis=0) * 127.5 + 127.5
    return Line(script, gray.astype(np.uint8), np.array([index[c] for c in shown], np.int16), left_out)
