"""The networks as the engine uses them: loaded once a process, whatever the number of engines."""

from __future__ import annotations

import threading
import weakref
from dataclasses import replace

from receipt_engine import assets
from receipt_engine.pipeline import Models
from receipt_engine.runtime.onnx import Graph, OnnxGraph
from receipt_engine.runtime.stopping import Stop
from receipt_engine.stages.recognize import LearnedHead, LinearHead, LineScripts, Recognizer

_lock = threading.Lock()
#: Number of threads → the networks, as long as an engine has them.
_loaded: weakref.WeakValueDictionary[int, Models] = weakref.WeakValueDictionary()


def load_models(threads: int) -> Models:
    """The networks for so many threads, shared with other engines of the process. Raises ModelError."""
    with _lock:
        models = _loaded.get(threads)
        if models is None:
            models = _loaded[threads] = _load(threads)
        return models


def stoppable(models: Models, stop: Stop) -> Models:
    """The same networks for one extraction, whose long calls end when `stop` says so."""
    return Models(
        _stopped(models.detector, stop),
        replace(models.recognizer, backbone=_stopped(models.recognizer.backbone, stop)),
    )


def _stopped(graph: Graph, stop: Stop) -> Graph:
    return graph.stopped_by(stop) if isinstance(graph, OnnxGraph) else graph


def _load(threads: int) -> Models:
    projection = OnnxGraph(assets.model_file("text-recognizer-projection.onnx"))
    whole = LinearHead.load(
        assets.model_file("text-recognizer-classes.txt"),
        assets.model_file("text-recognizer-weights.npz"),
        projection,
    )
    recognizer = Recognizer(
        backbone=OnnxGraph(assets.model_file("text-recognizer.onnx")),
        heads={
            "latin": whole.restrict("latin"),
            "cjk": whole.restrict("cjk"),
            "greek": _learned_head("greek"),
            "vietnamese": _learned_head("vietnamese"),
        },
        whole=whole,
        threads=threads,
        scripts=LineScripts.load(assets.model_file("line-scripts.npz")),
    )
    return Models(OnnxGraph(assets.model_file("text-detector.onnx"), threads), recognizer)


def _learned_head(script: str) -> LearnedHead:
    graph = OnnxGraph(assets.model_file(f"text-recognizer-{script}.onnx"))
    return LearnedHead.load(assets.model_file(f"text-recognizer-{script}-classes.txt"), graph)
