"""Runs `python -m scripts.fit_heads`; see the package."""

from __future__ import annotations

import argparse
from collections import Counter
from functools import partial

import numpy as np
import onnx

from receipt_engine import assets
from scripts.fit_heads.fitting import RATE, fit, spread
from scripts.fit_heads.languages import LANGUAGES
from scripts.fit_heads.lines import Drawn, draw_lines
from scripts.fit_heads.network import Weights, go_on, halved, start, to_onnx
from scripts.model_manifest import MODELS, record

#: The other scripts have a separate recogniser that runs on images: `scripts.fit_scripts`.
_HEADS = ("cyrillic", "greek", "hangul", "vietnamese")
#: Further characters become classes when printed at least this often.
_MIN_PRINTED = 3


def main() -> None:
    """Draws, fits and writes the heads of the scripts named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("scripts", nargs="+", choices=_HEADS)
    parser.add_argument("--lines", type=int, default=12_000, help="how many lines are drawn for a script")
    parser.add_argument("--rounds", type=int, default=5, help="how often the fit sees every line")
    parser.add_argument("--rate", type=float, default=RATE, help="of learning, at its highest")
    parser.add_argument("--go-on", action="store_true", help="from the head that is there, not anew")
    parser.add_argument("--processes", type=int, default=2)
    given = parser.parse_args()
    for script in given.scripts:
        lines = draw_lines(script, given.lines, given.processes)
        features = spread(lines)
        if given.go_on:
            characters = _written(script)
            head = onnx.load(str(assets.model_file(f"text-recognizer-{script}.onnx")))
            weights = go_on(head, characters, features, seed=1)
        else:
            official = _official()
            characters = _characters(script, lines, set(official))
            weights = start(characters, official, features, seed=1)
        fit(lines, characters, weights, given.rounds, partial(_write, script, characters), given.rate)


def _written(script: str) -> tuple[str, ...]:
    """The classes of the existing head."""
    names = assets.model_file(f"text-recognizer-{script}-classes.txt").read_text(encoding="utf-8")
    return ("", *names.split("\n"), " ")


def _write(script: str, characters: tuple[str, ...], weights: Weights) -> None:
    """Writes the head after a round, so that a fit that is stopped early leaves a usable one."""
    graph, names = (MODELS / f"text-recognizer-{script}{end}" for end in (".onnx", "-classes.txt"))
    onnx.save(halved(to_onnx(weights)), str(graph))
    names.write_text("\n".join(characters[1:-1]), encoding="utf-8")
    for path in (graph, names):
        record(path, licence="Apache-2.0", source=LANGUAGES[script].source)


def _official() -> dict[str, tuple[np.ndarray, float]]:
    """Column and bias of every character of the official last layer."""
    names = assets.model_file("text-recognizer-classes.txt").read_text(encoding="utf-8").split("\n")
    with np.load(assets.model_file("text-recognizer-weights.npz")) as layer:
        weight, bias = layer["weight"].astype(np.float32), layer["bias"].astype(np.float32)
    return {c: (weight[i], float(bias[i])) for i, c in enumerate(("", *names, " "))}


def _characters(script: str, lines: list[Drawn], official: set[str]) -> tuple[str, ...]:
    """The classes: blank, ASCII, the script's characters, others that are printed, space."""
    printed = Counter("".join(line.text for line in lines))
    common = {c for c, count in printed.items() if count >= _MIN_PRINTED and c in official}
    ascii_ = {chr(code) for code in range(33, 127)}
    chosen = ascii_ | set(LANGUAGES[script].letters + LANGUAGES[script].signs) | common | set("€£°–’“”«»·•")
    return ("", *sorted(chosen - {" "}), " ")


if __name__ == "__main__":
    main()
