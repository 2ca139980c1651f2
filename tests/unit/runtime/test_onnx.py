"""What comes out of a graph, however it is run."""

from __future__ import annotations

import numpy as np

from receipt_engine import assets
from receipt_engine.runtime.onnx import DeferredGraph, OnnxGraph
from receipt_engine.runtime.stopping import Stop


def test_all_outputs_come_in_the_order_of_the_file() -> None:
    graph = OnnxGraph(assets.model_file("text-detector-quarter.onnx"))
    random = np.random.default_rng(5)
    inputs = [random.random((1, 48, 8, 16), np.float32), random.random((1, 48, 1, 1), np.float32)]
    assert [array.shape for array in graph.run_all(inputs)] == [(1, 48, 8, 16), (1, 96, 4, 8)]
    stoppable = graph.stopped_by(Stop())
    for one, other in zip(stoppable.run_all(inputs), graph.run_all(inputs), strict=True):
        assert one.tobytes() == other.tobytes()


def test_a_large_graph_gives_the_same_bytes_whatever_it_ran_before() -> None:
    path = assets.model_file("text-detector-stem.onnx")
    plain, large = OnnxGraph(path), OnnxGraph(path, large=True)
    random = np.random.default_rng(5)
    for height, width in ((96, 64), (160, 128), (64, 64), (96, 64)):
        picture = random.standard_normal((1, 3, height, width)).astype(np.float32)
        assert large.run({"x": picture}).tobytes() == plain.run({"x": picture}).tobytes()


def test_a_graph_that_is_opened_when_it_is_run_gives_the_same() -> None:
    path = assets.model_file("text-recognizer-greek.onnx")
    features = np.random.default_rng(6).standard_normal((1, 9, 504)).astype(np.float32)
    expected = OnnxGraph(path).run({"x": features}).tobytes()
    deferred = DeferredGraph(path)
    assert [deferred.run({"x": features}).tobytes() for _ in range(2)] == [expected] * 2
