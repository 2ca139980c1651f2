"""Builds the files in `models/` from the official ONNX exports in the `rapidocr` wheel.

    python -m scripts.build_models            # needs the extras dev and bench

The detector's graph is split into parts that can be run in strips. The recogniser's is cut before its last
projection: the engine multiplies only the classes that the page's script can print, which saves most of that
layer's cost, and keeps the alternatives.
"""

from __future__ import annotations

import importlib.resources
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import numpy_helper
from onnx.utils import Extractor

from scripts.model_manifest import MODELS, record
from scripts.split_detector import split_detector

#: SHA-256 of the official detector, from whose bytes the parts are made.
DETECTOR = "090f04abcd9d9a7498bc4ebf677e4cb9bdce1fe4197ddb7e529f1ef44e1ff94f"
#: Domains of operators and their versions. The last layer's weights are used as they are stored, transposed.
_OPERATORS = {"": 13, "com.microsoft": 1}
SOURCE = "PP-OCRv6 small, PaddlePaddle, as packaged in the wheel rapidocr 3.10.0"


def main() -> None:
    """Writes the graphs, the last layer's weights, the class list and the manifest."""
    package = importlib.resources.files("rapidocr") / "models"
    detector = onnx.load(str(package / "PP-OCRv6_det_small.onnx"))
    recognizer = onnx.load(str(package / "PP-OCRv6_rec_small.onnx"))
    parts = split_detector(detector)
    written = [
        *(_save_graph(part, f"text-detector-{name}.onnx") for name, part in parts.items()),
        _save_graph(cut(recognizer), "text-recognizer.onnx"),
        _save_weights(recognizer, "text-recognizer-weights.npz"),
        _save_graph(projection(), "text-recognizer-projection.onnx"),
        _save_classes(recognizer, "text-recognizer-classes.txt"),
    ]
    for path in written:
        whole = DETECTOR if "detector" in path.name else None
        record(path, licence="Apache-2.0", source=SOURCE, whole=whole)


def cut(model: Any) -> Any:
    """The recogniser up to its features (batch, steps, 504): the 120 inputs of its last layer, then the 384
    outputs of its convolutions, from which heads for other scripts can distinguish more letters."""
    last = next(n for n in reversed(model.graph.node) if n.op_type == "MatMul")
    (neck,) = [i for i in last.input if i not in {t.name for t in model.graph.initializer}]
    (pool,) = [n.output[0] for n in model.graph.node if n.op_type == "AveragePool"]
    inferred = onnx.shape_inference.infer_shapes(model)
    part = Extractor(inferred).extract_model([model.graph.input[0].name], [neck, pool])
    node = onnx.helper.make_node
    part.graph.node.extend(
        [
            node("Squeeze", [pool], ["convolved"], axes=[2]),
            node("Transpose", ["convolved"], ["convolved_steps"], perm=[0, 2, 1]),
            node("Concat", [neck, "convolved_steps"], ["features"], axis=2),
        ]
    )
    del part.graph.output[:]
    kind = onnx.TensorProto.FLOAT
    part.graph.output.append(onnx.helper.make_tensor_value_info("features", kind, ["batch", "steps", 504]))
    return part


def projection() -> Any:
    """A graph of one layer whose weights are inputs: probabilities = softmax(x @ weight.T + bias)."""
    value = onnx.helper.make_tensor_value_info
    kind = onnx.TensorProto.FLOAT
    graph = onnx.helper.make_graph(
        [
            onnx.helper.make_node(
                "FusedMatMul", ["x", "weight"], ["product"], domain="com.microsoft", transB=1
            ),
            onnx.helper.make_node("Add", ["product", "bias"], ["logits"]),
            onnx.helper.make_node("Softmax", ["logits"], ["probabilities"], axis=-1),
        ],
        "projection",
        [
            value("x", kind, ["batch", "steps", 120]),
            value("weight", kind, ["classes", 120]),
            value("bias", kind, ["classes"]),
        ],
        [value("probabilities", kind, ["batch", "steps", "classes"])],
    )
    operators = [onnx.helper.make_opsetid(domain, version) for domain, version in _OPERATORS.items()]
    return onnx.helper.make_model(graph, ir_version=8, opset_imports=operators)


def _last_layer(model: Any) -> tuple[Any, Any]:
    matmul = next(n for n in reversed(model.graph.node) if n.op_type == "MatMul")
    add = next(n for n in model.graph.node if matmul.output[0] in n.input)
    tensors = {t.name: numpy_helper.to_array(t) for t in model.graph.initializer}
    weight = next(tensors[i] for i in matmul.input if i in tensors)
    bias = next(tensors[i] for i in add.input if i in tensors)
    return weight, bias


def _save_graph(model: Any, name: str) -> Path:
    path = MODELS / name
    del model.metadata_props[:]
    onnx.save(model, str(path))
    return path


def _save_weights(model: Any, name: str) -> Path:
    weight, bias = _last_layer(model)
    path = MODELS / name
    np.savez(path, weight=np.ascontiguousarray(weight.T), bias=bias)
    return path


def _save_classes(model: Any, name: str) -> Path:
    """Writes the character classes; neither class 0, CTC's blank, nor the last, the space, is in the file."""
    (characters,) = [p.value for p in model.metadata_props if p.key == "character"]
    path = MODELS / name
    path.write_text(characters, encoding="utf-8")
    return path


if __name__ == "__main__":
    main()
