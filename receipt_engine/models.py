"""Loads the shipped networks: once per process and number of threads, however many engines use them."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from receipt_engine import assets
from receipt_engine.runtime.memory import share_heap
from receipt_engine.runtime.onnx import DeferredGraph, Graph, OnnxGraph
from receipt_engine.runtime.protocols import Models, Stoppable
from receipt_engine.runtime.stopping import Stop
from receipt_engine.stages.detect import NetworkDetector
from receipt_engine.stages.detect.strips import STRIP_PARTS, WHOLE_PARTS, StripGraph
from receipt_engine.stages.recognize import (
    LearnedHead,
    LinearHead,
    LineScripts,
    MeanHead,
    NetworkRecognizer,
    ScriptHead,
)
from receipt_engine.stages.recognize.scripts import Script

#: Scripts of the reader of further scripts, a separate network run on the line's image.
FURTHER: tuple[Script, ...] = ("cyrillic", "thai", "arabic", "devanagari", "hebrew", "bengali")
_lock = threading.Lock()
#: Number of threads → the networks, as long as an engine uses them.
_loaded: weakref.WeakValueDictionary[int, Models] = weakref.WeakValueDictionary()


def load_models(threads: int | None = None) -> Models:
    """The shipped networks for that many threads (as many as there are processors when None), shared with
    other engines of the process. Raises ModelError."""
    threads = threads or _processors()
    with _lock:
        models = _loaded.get(threads)
        if models is None:
            models = _loaded[threads] = _load(threads)
        return models


def stoppable(models: Models, stop: Stop) -> Models:
    """The same models for one extraction; if they support it, their long calls end when `stop` says so."""
    detector, recognizer = models.detector, models.recognizer
    return replace(
        models,
        detector=detector.stopped_by(stop) if isinstance(detector, Stoppable) else detector,
        recognizer=recognizer.stopped_by(stop) if isinstance(recognizer, Stoppable) else recognizer,
    )


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _load(threads: int) -> Models:
    projection = OnnxGraph(assets.model_file("text-recognizer-projection.onnx"))
    whole = LinearHead.load(
        assets.model_file("text-recognizer-classes.txt"),
        assets.model_file("text-recognizer-weights.npz"),
        projection,
    )
    classes = assets.model_file("text-recognizer-scripts-classes.txt")
    further = {script: ScriptHead.load(classes, script) for script in FURTHER}
    latin = whole.restrict("latin")
    worn = LearnedHead(latin.characters, DeferredGraph(assets.model_file("text-recognizer-worn.onnx")))
    recognizer = NetworkRecognizer(
        backbone=OnnxGraph(assets.model_file("text-recognizer.onnx")),
        heads={
            "latin": latin,
            "cjk": whole.restrict("cjk"),
            "greek": _learned_head("greek", OnnxGraph),
            "vietnamese": _learned_head("vietnamese", OnnxGraph),
            "cyrillic": _learned_head("cyrillic", OnnxGraph),
            "hangul": _learned_head("hangul", DeferredGraph),
            **{script: head for script, head in further.items() if script != "cyrillic"},
        },
        seconds={"cyrillic": further["cyrillic"]},
        worn=MeanHead((latin, worn)),
        whole=whole,
        threads=threads,
        scripts=LineScripts.load(assets.model_file("line-scripts.npz")),
        reader=DeferredGraph(assets.model_file("text-recognizer-scripts.onnx")),
    )
    return Models(load_detector(threads), recognizer)


def load_detector(threads: int) -> NetworkDetector:
    """The shipped detector alone. Raises ModelError."""
    share_heap()
    parts = {
        name: OnnxGraph(
            assets.model_file(f"text-detector-{name.replace('_', '-')}.onnx"),
            1 if name in STRIP_PARTS else threads,
            large=name in STRIP_PARTS,
        )
        for name in (*STRIP_PARTS, *WHOLE_PARTS)
    }
    return NetworkDetector(StripGraph(parts, threads))


def _learned_head(script: str, opened: Callable[[Path], Graph]) -> LearnedHead:
    graph = opened(assets.model_file(f"text-recognizer-{script}.onnx"))
    return LearnedHead.load(assets.model_file(f"text-recognizer-{script}-classes.txt"), graph)
