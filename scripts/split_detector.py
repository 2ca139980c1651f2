"""Splits the detector's graph at layers that depend on the whole image.

Between them every layer sees a small neighbourhood, so that the engine can run it on one strip of the image
after another (`receipt_engine.stages.detect.strips`); joined again they give the same bytes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
from onnx import numpy_helper
from onnx.utils import Extractor

#: Name of each part → its inputs and outputs, as PaddlePaddle's exporter names them.
_CUTS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "stem": (("x",), ("add.5.0",)),
    "stem-gate": (("add.5.0",), ("hardsigmoid.0.0",)),
    "quarter": (("add.5.0", "hardsigmoid.0.0"), ("add.14.0", "add.18.0")),
    "quarter-gate": (("add.18.0",), ("hardsigmoid.1.0",)),
    "eighth": (("add.18.0", "hardsigmoid.1.0"), ("add.27.0", "add.31.0")),
    "deep": (
        ("add.27.0", "add.31.0", "add.14.0"),
        ("add.77.0", "add.82.0", "add.86.0", "add.90.0", "hardsigmoid.8.0"),
    ),
    "fine": (("add.14.0", "hardsigmoid.8.0", "add.77.0"), ("conv2d.62.0",)),
    "fine-gate": (("conv2d.62.0",), ("hardsigmoid.12.0",)),
    "map": (
        ("conv2d.62.0", "hardsigmoid.12.0", "add.82.0", "add.86.0", "add.90.0"),
        ("fetch_name_0",),
    ),
}
#: The exporter's prefix of layer names.
_PREFIX = "p2o.pd_op."
_BARE = ("x", "fetch_name_0")


def split_detector(model: Any) -> dict[str, Any]:
    """The parts by name. The coarse inputs of "map" must be enlarged to an eighth of the image beforehand."""
    extractor = Extractor(onnx.shape_inference.infer_shapes(model))
    parts = {
        name: extractor.extract_model([_full(i) for i in inputs], [_full(o) for o in outputs])
        for name, (inputs, outputs) in _CUTS.items()
    }
    _double_all(parts["map"])
    return parts


def _full(name: str) -> str:
    return name if name in _BARE else _PREFIX + name


def _double_all(part: Any) -> None:
    """Makes every upsampling a factor of two: repeating copies gives the same copies."""
    scales = {node.input[2] for node in part.graph.node if node.op_type == "Resize"}
    for tensor in part.graph.initializer:
        if tensor.name in scales:
            tensor.CopyFrom(numpy_helper.from_array(np.array([1, 1, 2, 2], np.float32), tensor.name))
