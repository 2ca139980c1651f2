"""Text recognition: boxes in, spans with per-character scores and alternatives out.

Lines are read one at a time at their exact width: padding a batch to its widest line costs 1.8 times
the work. Several lines are read at once on a pool of threads, each on a one-thread graph, so results
do not depend on the number of threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

from receipt_engine.document import Page, Quad, Span, TextBox
from receipt_engine.runtime.onnx import Array, Graph
from receipt_engine.stages.recognize.classes import Classes, ClassSet
from receipt_engine.stages.recognize.crop import crop, tensor
from receipt_engine.stages.recognize.ctc import decode
from receipt_engine.stages.recognize.scripts import Script

@dataclass(frozen=True)
class Recognizer:
    """backbone: x (1, 3, 48, width) → features (1, steps, 120). projection: one layer and softmax.
    sets: the classes of each script. threads: how many lines are read at once."""

    backbone: Graph
    projection: Graph
    sets: dict[Script, ClassSet]
    whole: ClassSet
    threads: int = 1


def read_boxes(
    page: Page, boxes: Iterable[TextBox], recognizer: Recognizer, script: Script | None = None
) -> tuple[Span, ...]:
    """One span per box, in the order of boxes. script None: found out from the page itself."""
    boxes = tuple(boxes)
    quads = [box.quad for box in boxes]
    features = _each(lambda quad: _features(page, quad, recognizer), quads, recognizer.threads)
    chosen = recognizer.sets[script or find_script(features, recognizer)]
    return tuple(
        _each(
            lambda pair: _span(pair[0], pair[1][0], pair[1][1], chosen, recognizer),
            list(zip(quads, features, strict=True)),
            recognizer.threads,
        )
    )


def find_script(features: list[tuple[Array, float]], recognizer: Recognizer) -> Script:
    """The script whose own letters win most often when every class may compete, on the widest lines."""
    probes = sorted(features, key=lambda f: -f[0].shape[1])[:8]
    counts: dict[Script, int] = {"latin": 0, "greek": 0, "cjk": 0}
    for feature, _ in probes:
        best = _project(feature, recognizer.whole, recognizer).argmax(axis=1)
        for index in best:
            character = recognizer.whole.characters[index]
            if 0x370 <= ord(character or " ") < 0x3D0:
                counts["greek"] += 1
            elif ord(character or " ") >= 0x3040 and character.isalpha():
                counts["cjk"] += 1
            elif character.isalpha():
                counts["latin"] += 1
    total = sum(counts.values())
    # Latin text yields a stray ideograph now and then, a page in another script many. Most Greek
    # capitals look Latin and are read so: the few that do not are enough.
    if counts["cjk"] > 0.2 * total:
        return "cjk"
    return "greek" if counts["greek"] > 0.02 * total else "latin"


def _features(page: Page, quad: Quad, recognizer: Recognizer) -> tuple[Array, float]:
    picture, share = tensor(crop(page, quad))
    return recognizer.backbone.run({"x": picture}), share


def _project(feature: Array, classes: ClassSet, recognizer: Recognizer) -> Array:
    """Probabilities (steps, classes)."""
    result: Array = recognizer.projection.run({"x": feature, "weight": classes.weight, "bias": classes.bias})[0]
    return result


def _span(quad: Quad, feature: Array, share: float, classes: ClassSet, recognizer: Recognizer) -> Span:
    chars = decode(_project(feature, classes, recognizer), classes, share)
    printed = [c for c in chars if c.text]
    score = sum(c.score for c in printed) / len(printed) if printed else 0.0
    return Span("".join(c.text for c in printed), round(score, 5), quad, chars)


T = TypeVar("T")
R = TypeVar("R")


def _each(function: Callable[[T], R], items: list[T], threads: int) -> list[R]:
    """map() that reads `threads` items at once and keeps their order."""
    if threads <= 1 or len(items) <= 1:
        return [function(item) for item in items]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(function, items))
