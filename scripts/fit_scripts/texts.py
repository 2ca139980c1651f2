"""Samples the lines' texts before anything is drawn, so that drawing needs no word lists."""

from __future__ import annotations

from multiprocessing import get_context
from pathlib import Path

from scripts.fit_heads.languages import LANGUAGES
from scripts.fit_heads.texts import row
from scripts.fit_scripts.classes import SHARES, letters
from scripts.make_receipts.dice import Dice


def throw_texts(path: Path, count: int, processes: int) -> None:
    """Samples `count` texts of each script and writes those whose characters all have a class: script and
    text, separated by a tab."""
    with get_context("spawn").Pool(processes) as pool:
        thrown = pool.map(_throw, [(script, count) for script in SHARES])
    path.write_text("\n".join(line for lines in thrown for line in lines), encoding="utf-8")


def _throw(job: tuple[str, int]) -> list[str]:
    script, count = job
    known = set(letters(script)) | {" "}
    dice = Dice("texts", script)
    rows = (row(LANGUAGES[script], dice) for _ in range(count))
    return [f"{script}\t{text}" for text in rows if set(text) <= known]
