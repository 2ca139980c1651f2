"""The engine: models are loaded once, then pictures are read from any number of threads."""

from __future__ import annotations

import hashlib
import os

from receipt_engine import assets
from receipt_engine.document import Reading
from receipt_engine.pipeline import Models, Source, read
from receipt_engine.runtime.onnx import OnnxGraph
from receipt_engine.stages.recognize import Classes, Recognizer, Script
from receipt_engine.trace import Trace

#: Changes whenever the same picture may give another `Reading`.
READING_VERSION = 1


class Engine:
    """Reads receipts. Safe to share between threads; loading takes about half a second.

    threads: how many text lines are read at once; all processors when None. Results do not depend on it.
    Raises ModelError when a model file is missing or damaged.
    """

    def __init__(self, *, threads: int | None = None) -> None:
        self._models = _load_models(threads or len(os.sched_getaffinity(0)))
        self.fingerprint = _fingerprint()

    def read(self, source: Source) -> Reading:
        """The slow half of `extract`: everything the picture gives, before any rule of a country."""
        return read(source, self._models, Trace(keep=False))


def _load_models(threads: int) -> Models:
    classes = Classes.load(
        assets.model_file("text-recognizer-classes.txt"), assets.model_file("text-recognizer-weights.npz")
    )
    scripts: tuple[Script, ...] = ("latin", "greek", "cjk")
    recognizer = Recognizer(
        backbone=OnnxGraph(assets.model_file("text-recognizer.onnx")),
        projection=OnnxGraph(assets.model_file("text-recognizer-projection.onnx")),
        sets={script: classes.restrict(script) for script in scripts},
        whole=classes.whole,
        threads=threads,
    )
    return Models(OnnxGraph(assets.model_file("text-detector.onnx")), recognizer)


def _fingerprint() -> str:
    """Identifies the models and the reading code: equal fingerprints give equal readings."""
    digests = "".join(entry["sha256"] for entry in assets.model_manifest())
    return hashlib.sha256(f"{READING_VERSION}:{digests}".encode()).hexdigest()[:16]
