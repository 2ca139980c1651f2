"""Exports the recogniser as an ONNX graph: batch norms folded into convolutions, large weights in 8 bits."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

from scripts.fit_scripts.classes import characters
from scripts.fit_scripts.network import STRIDE, Reader
from scripts.fit_scripts.restoring import weights as stored_weights
from scripts.model_manifest import MODELS, record

_GRAPH, _CLASSES = "text-recognizer-scripts.onnx", "text-recognizer-scripts-classes.txt"
_SOURCE = (
    "scripts/fit_scripts, on drawn lines; words of wordfreq 3.1 (CC BY-SA 4.0) and of PyThaiNLP 5.4 (CC0)"
)
_OPSET = 17
#: Weights with fewer elements are unchanged; the largest value per output is stored as this.
_LARGE, _HIGHEST = 4096, 127


def write(weights: Path, former: Path | None = None, share: float = 1.0) -> None:
    """Writes the graph and its list of classes, and records both in the manifest.

    former: graph that the fit began with; share: of the new weights in the mean of both. Such a mean keeps
    more of what the former graph read well (Wortsman et al. 2022, arXiv:2109.01903).
    """
    known = characters()
    model = Reader(len(known))
    with np.load(weights) as stored:
        model.load_state_dict({name: torch.from_numpy(stored[name]) for name in stored.files}, strict=False)
    written = io.BytesIO()
    torch.onnx.export(
        model.eval(),
        (torch.zeros(1, 3, 48, 64 * STRIDE),),
        written,
        input_names=["x"],
        output_names=["logits"],
        dynamic_axes={"x": {3: "width"}, "logits": {1: "steps"}},
        opset_version=_OPSET,
        dynamo=False,
    )
    exported = onnx.load_from_string(written.getvalue())
    if former is not None:
        _mix(exported.graph, onnx.load(str(former)).graph, share)
    graph, names = MODELS / _GRAPH, MODELS / _CLASSES
    onnx.save(_narrowed(exported), str(graph))
    names.write_text("\n".join(known[1:-1]), encoding="utf-8")
    for path in (graph, names):
        record(path, licence="Apache-2.0", source=_SOURCE)


def _mix(graph: onnx.GraphProto, former: onnx.GraphProto, share: float) -> None:
    """Replaces the graph's weights with the mean of both graphs' weights."""
    others = stored_weights(former)
    for weight in graph.initializer:
        values = numpy_helper.to_array(weight)
        if values.dtype == np.float32 and values.ndim:
            mean = share * values + (1 - share) * others[weight.name]
            weight.CopyFrom(numpy_helper.from_array(mean.astype(np.float32), weight.name))


def _narrowed(model: onnx.ModelProto) -> onnx.ModelProto:
    """The same graph with its large weights as integers and a scale for each output; they are multiplied on
    loading, so that computation stays in single precision."""
    made = onnx.ModelProto()
    made.CopyFrom(model)
    weights, nodes = list(made.graph.initializer), list(made.graph.node)
    kept: list[TensorProto] = []
    widened = []
    for weight in weights:
        values = numpy_helper.to_array(weight)
        if values.dtype != np.float32 or values.size < _LARGE:
            kept.append(weight)
            continue
        # Convolutions have their outputs first, matrix products last.
        inputs = tuple(range(1, values.ndim)) if values.ndim > 2 else (0,)
        scale = np.abs(values).max(axis=inputs, keepdims=True) / _HIGHEST
        whole, scales, single = (f"{weight.name}_{end}" for end in ("whole", "scales", "single"))
        kept.append(numpy_helper.from_array(np.round(values / scale).astype(np.int8), whole))
        kept.append(numpy_helper.from_array(scale.astype(np.float32), scales))
        widened.append(helper.make_node("Cast", [whole], [single], to=TensorProto.FLOAT))
        widened.append(helper.make_node("Mul", [single, scales], [weight.name]))
    kept = [TensorProto.FromString(weight.SerializeToString()) for weight in kept]
    del made.graph.initializer[:], made.graph.node[:]
    made.graph.initializer.extend(kept)
    made.graph.node.extend([*widened, *nodes])
    return made
