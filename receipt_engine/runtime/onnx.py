"""Wraps onnxruntime sessions. The only module that imports onnxruntime.

onnxruntime divides a layer's outputs among threads but never a sum, so results do not depend on the number of
threads; a test checks that for the shipped models.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Any, Protocol, runtime_checkable

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from receipt_engine.errors import ModelError
from receipt_engine.runtime.stopping import Stop

# The package turns telemetry off before onnxruntime is loaded; this is for programs that load it earlier.
ort.disable_telemetry_events()

Array = NDArray[np.float32]


class Graph(Protocol):
    """A function from named float32 arrays to one float32 array; safe to call from several threads."""

    def run(self, inputs: Mapping[str, Array]) -> Array:
        """The graph's first output."""
        ...


#: Run option that returns the arena's memory when a call ends.
_SHRINK = ("memory.enable_memory_arena_shrinkage", "cpu:0")
#: Without this option an arena doubles whenever it grows.
_ARENA = {"arena_extend_strategy": "kSameAsRequested"}


class OnnxGraph:
    """A `Graph` read from a file; raises ModelError when the file is no usable ONNX model.

    threads: how many one call may use. large: the layers take megabytes, so they share an arena in which a
    layer reuses the memory of earlier ones instead of new pages from the system; it is returned after the
    call, which leaves no holes in the heap. Small layers are as fast without an arena and hold less memory.
    """

    def __init__(self, path: Path, threads: int = 1, *, large: bool = False) -> None:
        options = ort.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.enable_cpu_mem_arena = large
        options.enable_mem_pattern = not large  # one block for a whole call exceeds the memory in use
        options.log_severity_level = 3
        provider = ("CPUExecutionProvider", _ARENA if large else {})
        try:
            self._session: Any = ort.InferenceSession(str(path), options, providers=[provider])
        except Exception as error:  # onnxruntime raises a class of its own for each of a dozen causes
            raise ModelError(f"{path} cannot be loaded as an ONNX model: {error}") from error
        self._large = large
        self._inputs = [value.name for value in self._session.get_inputs()]

    def run(self, inputs: Mapping[str, Array]) -> Array:
        return self._run(inputs, ort.RunOptions())[0]

    def run_all(self, inputs: Sequence[Array]) -> list[Array]:
        """All outputs, for the inputs in the file's order."""
        return self._run(self._named(inputs), ort.RunOptions())

    def stopped_by(self, stop: Stop) -> StoppableGraph:
        """A copy whose calls `stop` can end, even while they run."""
        return StoppableGraph(self, stop)

    def _named(self, inputs: Sequence[Array]) -> dict[str, Array]:
        return dict(zip(self._inputs, inputs, strict=True))

    def _run(self, inputs: Mapping[str, Array], run_options: Any) -> list[Array]:
        if self._large:
            run_options.add_run_config_entry(*_SHRINK)
        outputs: list[Array] = self._session.run(None, dict(inputs), run_options)
        return outputs


class DeferredGraph:
    """A `Graph` that is loaded when it is first run, since most pages never need it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._graph: OnnxGraph | None = None
        self._opening = Lock()

    def run(self, inputs: Mapping[str, Array]) -> Array:
        with self._opening:
            if self._graph is None:
                self._graph = OnnxGraph(self._path)
        return self._graph.run(inputs)


@runtime_checkable
class _Interruptible(Protocol):
    def stopped_by(self, stop: Stop) -> Graph: ...


def stoppable(graph: Graph, stop: Stop) -> Graph:
    """The graph for one extraction: its calls can be ended by `stop` if the graph supports that."""
    return graph.stopped_by(stop) if isinstance(graph, _Interruptible) else graph


class StoppableGraph:
    """A graph that `stop` can end: onnxruntime checks the flag `terminate` before each node."""

    def __init__(self, graph: OnnxGraph, stop: Stop) -> None:
        self._graph = graph
        self._stop = stop

    def run(self, inputs: Mapping[str, Array]) -> Array:
        return self._run(inputs)[0]

    def run_all(self, inputs: Sequence[Array]) -> list[Array]:
        """See `OnnxGraph.run_all`."""
        return self._run(self._graph._named(inputs))

    def stopped_by(self, stop: Stop) -> StoppableGraph:
        """The graph with another `Stop`."""
        return StoppableGraph(self._graph, stop)

    def _run(self, inputs: Mapping[str, Array]) -> list[Array]:
        options = ort.RunOptions()

        def terminate() -> None:
            options.terminate = True

        with self._stop.interruptible(terminate):
            return self._graph._run(inputs, options)
