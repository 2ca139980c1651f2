"""Fits the head that reads lines of worn print a second time.

    python -m scripts.fit_worn_head --data FOLDER --cache FOLDER --rounds 9

It uses the lines of the images in FOLDER with cached readings: as they are, and in two degraded states each
(smaller, blurred, faded, noisy, compressed). A line's text is the official classes' reading of the undegraded
image, where they are confident of every character; elsewhere it is the line's label. The fit is that of
`scripts.fit_heads`; needs the extras `dev` and `fit`. Writes `models/text-recognizer-worn.onnx`.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import onnx
from PIL import Image
from rapidfuzz.distance import Levenshtein

from benchmarks.datasets import load
from benchmarks.product import ProductReader
from benchmarks.reading_cache import ReadingCache, picture_key
from receipt_engine import assets
from receipt_engine.document import Page, Quad, Span, TextBox
from receipt_engine.runtime.onnx import OnnxGraph
from receipt_engine.stages.preprocess.decode import decode
from receipt_engine.stages.recognize import Feature, LinearHead
from receipt_engine.stages.recognize.crop import crop, tensor
from receipt_engine.stages.recognize.spans import read_line
from scripts.fit_heads.fitting import fit, spread
from scripts.fit_heads.lines import Drawn
from scripts.fit_heads.network import Weights, halved, start, to_onnx
from scripts.make_receipts.dice import Dice
from scripts.make_receipts.drawing import Pixels
from scripts.model_manifest import MODELS, record

_GRAPH = MODELS / "text-recognizer-worn.onnx"
_SOURCE = "scripts/fit_worn_head.py, on features of PP-OCRv6 small of real and drawn receipts"
#: Maximum lines per image, and degraded states per image; the share of each state's lines that is skipped.
_LINES = 45
_STATES = 2
_LEFT_AWAY = 0.4
#: Least score of each character of an unlabelled line; the score below which a label corrects a character;
#: the score from which the reading wins over the label. A difference between the last two discards the line.
_PLAIN, _OPEN, _SETTLED = 0.75, 0.9, 0.99
#: Minimum intersection over union of a line's box and its label's.
_SAME_BOX = 0.6
#: Maximum share of characters that differ from the label; beyond it, the label belongs to another line.
_OTHER_LINE = 0.25
#: A line with a larger share of misread characters is not used.
_HOPELESS = 0.45
#: Every Nth image tests the fit.
_TEST = 4


@dataclass(frozen=True)
class _Label:
    """A line's text, without spaces and in capitals, and the corners of its upright box."""

    text: str
    box: tuple[float, float, float, float]


def main() -> None:
    """Gathers the lines, fits the head and writes it after every round."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, nargs="+")
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--test", action="store_true", help="leave a quarter of the pictures out, to test it")
    given = parser.parse_args()
    latin = _latin()
    lines = list(_lines(given.data, given.cache, latin, test=given.test))
    official = {c: (latin.weight[i], float(latin.bias[i])) for i, c in enumerate(latin.characters)}
    weights = start(latin.characters, official, spread(lines), seed=1)
    fit(lines, latin.characters, weights, given.rounds, _write)


def _write(weights: Weights) -> None:
    onnx.save(halved(to_onnx(weights)), str(_GRAPH))
    record(_GRAPH, licence="Apache-2.0", source=_SOURCE)


def _latin() -> LinearHead:
    names, layer, graph = (
        assets.model_file(f"text-recognizer-{part}")
        for part in ("classes.txt", "weights.npz", "projection.onnx")
    )
    return LinearHead.load(names, layer, OnnxGraph(graph)).restrict("latin")


def _lines(roots: Sequence[Path], cache: Path, latin: LinearHead, *, test: bool) -> Iterator[Drawn]:
    """The lines of all upright images, with their text."""
    backbone = OnnxGraph(assets.model_file("text-recognizer.onnx"))
    readings = ReadingCache(cache, ProductReader().fingerprint)
    labels = _labels(roots)

    def look(page: Page, quad: Quad) -> Feature:
        picture, share = tensor(crop(page, TextBox(quad, 1.0)))
        return Feature(backbone.run({"x": picture}), share)

    for number, sample in enumerate(load(roots)):
        entry = readings.get(picture_key(sample.image.read_bytes()))
        if entry is None or entry.error is not None or sample.image.suffix == ".pdf":
            continue
        reading, page = entry.decode(), decode(sample.image)
        if reading.rotation or (page.width, page.height) != (reading.width, reading.height):
            continue
        dice = Dice("worn", sample.id)
        left_out = test and int(hashlib.sha256(sample.id.encode()).hexdigest(), 16) % _TEST == 0
        quads = dice.several([span.quad for span in reading.spans if not span.script], _LINES)
        if not quads:
            continue
        seen = {quad: look(page, quad) for quad in quads}
        texts = {
            quad: text
            for quad, feature in seen.items()
            if (text := _said(read_line(quad, feature, latin), _label_of(quad, labels.get(sample.image, ()))))
        }
        found = [(quad, seen[quad], text) for quad, text in texts.items()]
        for _ in range(_STATES):
            worse, scale = _worn(page.image, float(np.median([quad.height for quad in quads])), dice)
            poor = Page(worse, source_size=(worse.shape[1], worse.shape[0]))
            found += [
                (quad, look(poor, _scaled(quad, scale)), text)
                for quad, text in texts.items()
                if not dice.chance(_LEFT_AWAY)
            ]
        for quad, feature, text in found:
            if not _is_hopeless(read_line(quad, feature, latin).text, text):
                yield Drawn(feature.values[0].astype(np.float16), text, left_out)
        if number % 50 == 0:
            print(f"{number} pictures", file=sys.stderr, flush=True)


def _scaled(quad: Quad, scale: float) -> Quad:
    return Quad(*((x * scale, y * scale) for x, y in quad.points))


def _is_hopeless(read: str, text: str) -> bool:
    return Levenshtein.distance(_plain(read), _plain(text)) > max(1.0, _HOPELESS * len(text))


def _plain(text: str) -> str:
    return "".join(text.split()).upper()


def _labels(roots: Sequence[Path]) -> dict[Path, list[_Label]]:
    """The labelled lines of every image that has some."""
    found: dict[Path, list[_Label]] = {}
    for path in (path for root in roots for path in sorted(root.rglob("labels.jsonl"))):
        for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
            if not row.get("lines"):
                continue
            found[path.parent / row["image"]] = [
                _Label(text, (min(box[0::2]), min(box[1::2]), max(box[0::2]), max(box[1::2])))
                for text, box in ((_plain(line["text"]), line["box"]) for line in row["lines"])
                if text
            ]
    return found


def _label_of(quad: Quad, labels: Sequence[_Label]) -> str | None:
    """The text of the label in the same place, or None."""
    left, top = np.min(quad.points, axis=0)
    right, bottom = np.max(quad.points, axis=0)
    for label in labels:
        x0, y0, x1, y1 = label.box
        shared = max(0.0, min(right, x1) - max(left, x0)) * max(0.0, min(bottom, y1) - max(top, y0))
        both = (right - left) * (bottom - top) + (x1 - x0) * (y1 - y0) - shared
        if shared >= _SAME_BOX * both:
            return label.text
    return None


def _said(span: Span, label: str | None) -> str | None:
    """A line's text; None when neither reading nor label is certain."""
    chars = [char for char in span.chars if char.text]
    if label is None:
        return span.text if chars and min(char.score for char in chars) >= _PLAIN else None
    printed = [n for n, char in enumerate(chars) if not char.text.isspace()]
    read = "".join(upper if len(upper := chars[n].text.upper()) == 1 else chars[n].text for n in printed)
    if Levenshtein.distance(read, label) > max(1.0, _OTHER_LINE * len(label)):
        return None
    small = any(char.text.islower() for char in chars)
    said, before = [char.text for char in chars], dict[int, str]()
    for edit in Levenshtein.opcodes(read, label):
        places = printed[edit.src_start : edit.src_end]
        told = label[edit.dest_start : edit.dest_end]
        told = told.lower() if small else told
        scores = [chars[n].score for n in places]
        if edit.tag == "replace" and len(told) == len(places):
            if any(_OPEN <= score < _SETTLED for score in scores):
                return None
            for n, score, character in zip(places, scores, told, strict=True):
                said[n] = character if score < _OPEN else said[n]
        elif edit.tag == "insert":
            beside = printed[max(0, edit.src_start - 1) : edit.src_start + 1]
            if min((chars[n].score for n in beside), default=1.0) >= _OPEN:
                return None
            before[printed[edit.src_start] if edit.src_start < len(printed) else len(chars)] = told
        elif edit.tag == "delete" and min(scores) < _OPEN:
            for n in places:
                said[n] = ""
    text = "".join(before.get(n, "") + character for n, character in enumerate(said))
    return " ".join((text + before.get(len(chars), "")).split()) or None


def _worn(image: Pixels, height: float, dice: Dice) -> tuple[Pixels, float]:
    """A degraded image, and its scale. height: of its text, in pixels."""
    scale = 1.0
    if height > 9 and dice.chance(0.7):
        scale = min(1.0, max(0.25, dice.real(8.5, 18) / height))
        image = _pixels(cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))
    if dice.chance(0.3):
        image = _pixels(cv2.GaussianBlur(image, (0, 0), dice.real(0.05, 0.11) * height * scale))
    if dice.chance(0.25):
        image = _pixels(205 + dice.real(0.2, 0.6) * (image.astype(np.float32) - 205))
    if dice.chance(0.25):
        noise = np.random.default_rng(dice.whole(0, 2**30)).normal(0, dice.real(4, 18), image.shape)
        image = _pixels(image + noise)
    if dice.chance(0.6):
        buffer = io.BytesIO()
        Image.fromarray(image).save(buffer, "JPEG", quality=dice.pick((14, 18, 18, 22, 30, 40, 60)))
        image = np.array(Image.open(buffer).convert("RGB"))
    return np.ascontiguousarray(image), scale


def _pixels(values: np.ndarray) -> Pixels:
    return np.asarray(np.clip(values, 0, 255), np.uint8)


if __name__ == "__main__":
    main()
