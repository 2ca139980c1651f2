"""Draws lines and converts them to the recogniser's features, with their text."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from multiprocessing import get_context

import cv2
import numpy as np
from numpy.typing import NDArray

from receipt_engine import assets
from receipt_engine.runtime.onnx import OnnxGraph
from receipt_engine.stages.recognize.crop import tensor
from receipt_engine.stages.recognize.writing import printed
from scripts.fit_heads.languages import LANGUAGES
from scripts.fit_heads.pictures import picture
from scripts.fit_heads.texts import as_set, row
from scripts.make_receipts.dice import Dice

Half = NDArray[np.float16]


@dataclass(frozen=True)
class Drawn:
    """features: (steps, 504). text: the line's characters from left to right. left_out: of the fit, to test
    it."""

    features: Half
    text: str
    left_out: bool


def draw_lines(script: str, count: int, processes: int) -> list[Drawn]:
    """The drawn lines; the same for the same count, whatever the number of processes."""
    with get_context("spawn").Pool(processes, _load) as pool:
        jobs = ((script, number) for number in range(count))
        found = []
        for line in pool.imap(_draw, jobs, chunksize=50):
            found.append(line)
            if len(found) % 1000 == 0:
                print(f"{script}: {len(found)}/{count} lines drawn", file=sys.stderr, flush=True)
        return found


#: Every Nth line is left out to test the fit.
_TEST = 16
_backbone: OnnxGraph


def _load() -> None:
    global _backbone
    cv2.setNumThreads(1)
    _backbone = OnnxGraph(assets.model_file("text-recognizer.onnx"))


def _draw(job: tuple[str, int]) -> Drawn:
    script, number = job
    language = LANGUAGES[script]
    dice = Dice("fit", script, str(number))
    above, text, below = (row(language, dice) for _ in range(3))
    left_out = number % _TEST == 0
    if language.tills and not left_out:
        above, text, below = (as_set(given, language, dice) for given in (above, text, below))
    drawn = picture((above, text, below), language, dice, left_out)
    features = _backbone.run({"x": tensor(drawn)[0]})
    return Drawn(features[0].astype(np.float16), printed(text), left_out)
