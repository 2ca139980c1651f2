"""Samples the lines' texts before anything is drawn, so that drawing needs no word lists."""

from __future__ import annotations

from multiprocessing import get_context
from pathlib import Path

from scripts.fit_heads.languages import LANGUAGES
from scripts.fit_heads.texts import row
from scripts.fit_scripts.classes import SHARES, letters
from scripts.fit_scripts.slips import slip
from scripts.make_receipts.dice import Dice

#: Share of rows of `slips`, and the most letters of a row.
_SLIPS, _WIDTH = 0.4, 46
#: Share of rows without a letter of the script that are kept.
_FOREIGN = 0.5


def throw_texts(path: Path, count: int, processes: int) -> None:
    """Samples `count` texts of each script and writes those whose characters all have a class: script and
    text, separated by a tab."""
    with get_context("spawn").Pool(processes) as pool:
        thrown = pool.map(_throw, [(script, count) for script in SHARES])
    path.write_text("\n".join(line for lines in thrown for line in lines), encoding="utf-8")


def _throw(job: tuple[str, int]) -> list[str]:
    script, count = job
    known, own = set(letters(script)) | {" "}, set(LANGUAGES[script].letters)
    dice = Dice("texts", script)
    rows = (
        slip(script, dice)[:_WIDTH].strip() if dice.chance(_SLIPS) else row(LANGUAGES[script], dice)
        for _ in range(count)
    )
    return [
        f"{script}\t{text}"
        for text in rows
        if text and set(text) <= known and (own & set(text) or dice.chance(_FOREIGN))
    ]
