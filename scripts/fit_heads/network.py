"""Defines the head: residual blocks in parallel with the official last layer, to whose logits they add."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import numpy_helper

Real = NDArray[np.float32]
Weights = dict[str, Any]

OFFICIAL, FEATURES = 120, 504
WIDTH, REACH = 160, 7
#: Number of residual blocks, and that for a script of thousands of syllables.
_BLOCKS, _BLOCKS_OF_SYLLABLES = 2, 4
#: Initial logit bias of a class that the official layer lacks.
_UNKNOWN = -4.0


def start(
    characters: tuple[str, ...],
    official: Mapping[str, tuple[Real, float]],
    spread: tuple[Real, Real],
    seed: int,
) -> Weights:
    """Weights before the fit: the official layer's columns for the characters that it has."""
    dice = np.random.default_rng(seed)
    known = [official.get(c, (np.zeros(OFFICIAL, np.float32), _UNKNOWN)) for c in characters]
    weights: Weights = {
        "mean": spread[0],
        "deviation": spread[1],
        "in": dice.normal(0, FEATURES**-0.5, (FEATURES, WIDTH)),
        "in_bias": np.zeros(WIDTH),
        "official": np.stack([column for column, _ in known], axis=1),
        "out": dice.normal(0, 0.01, (WIDTH, len(characters))),
        "out_bias": np.array([bias for _, bias in known]),
    }
    syllables = any(map(is_syllable, characters))
    if syllables:
        weights |= {"parts": np.zeros((WIDTH, _PARTS)), "spelled": _spelled(characters)}
    for block in range(_BLOCKS_OF_SYLLABLES if syllables else _BLOCKS):
        weights |= _block(block, dice)
    return {name: np.asarray(value, np.float32) for name, value in weights.items()}


def _block(number: int, dice: np.random.Generator) -> Weights:
    return {
        f"along{number}": dice.normal(0, 0.3, (REACH, WIDTH)),
        f"up{number}": dice.normal(0, WIDTH**-0.5, (WIDTH, 2 * WIDTH)),
        f"up_bias{number}": np.zeros(2 * WIDTH),
        f"down{number}": dice.normal(0, 0.3 * (2 * WIDTH) ** -0.5, (2 * WIDTH, WIDTH)),
    }


def go_on(model: Any, characters: tuple[str, ...], spread: tuple[Real, Real], seed: int) -> Weights:
    """Weights of a head that `to_onnx` wrote, for features of that mean and deviation: the same function.
    Blocks that a new head has in addition are included, and initially add nothing."""
    given = iter(numpy_helper.to_array(constant).astype(np.float32) for constant in model.graph.initializer)
    scaled, bias = next(given), next(given)
    mean, deviation = spread
    weights: Weights = {"mean": mean, "deviation": deviation}
    weights |= {"in": scaled * deviation[:, None], "in_bias": bias + mean @ scaled}
    written = sum(node.op_type == "Conv" for node in model.graph.node)
    for block in range(written):
        weights[f"along{block}"] = next(given)[:, 0].T
        weights |= {f"{name}{block}": next(given) for name in ("up", "up_bias", "down")}
    for _ in ("first", "last", "axis"):
        next(given)
    weights |= {name: next(given) for name in ("official", "out", "out_bias")}
    dice = np.random.default_rng(seed)
    if any(map(is_syllable, characters)):
        weights |= {"parts": np.zeros((WIDTH, _PARTS)), "spelled": _spelled(characters)}
        for block in range(written, _BLOCKS_OF_SYLLABLES):
            weights |= _block(block, dice) | {f"down{block}": np.zeros((2 * WIDTH, WIDTH))}
    return {name: np.asarray(value, np.float32) for name, value in weights.items()}


#: Numbers of initial consonants, vowels and final consonants of Hangul, in the order of Unicode's syllables.
_INITIALS, _VOWELS, _FINALS = 19, 21, 28
_PARTS = _INITIALS + _VOWELS + _FINALS


def is_syllable(character: str) -> bool:
    """Whether it is a syllable of Hangul."""
    return "\uac00" <= character <= "\ud7a3"


def _spelled(characters: tuple[str, ...]) -> Real:
    """(parts, classes): 1 where a syllable has the letter in that position, so that syllables share what is
    learned about their letters."""
    spelled = np.zeros((_PARTS, len(characters)), np.float32)
    for i, character in enumerate(characters):
        if is_syllable(character):
            number = ord(character) - 0xAC00
            spelled[number // (_VOWELS * _FINALS), i] = 1
            spelled[_INITIALS + number // _FINALS % _VOWELS, i] = 1
            spelled[_INITIALS + _VOWELS + number % _FINALS, i] = 1
    return spelled


def out_of(weights: Weights) -> Any:
    """(WIDTH, classes), the last matrix: each class's own column plus those of its letters."""
    return weights["out"] + weights["parts"] @ weights["spelled"] if "parts" in weights else weights["out"]


def logits(weights: Weights, features: Any, inside: Any, np_: Any) -> Any:
    """(lines, steps, classes). inside: (lines, steps), 1 on the line, 0 on padding. np_: numpy or jax's."""
    state = (features - weights["mean"]) / weights["deviation"]
    state = _swish(state @ weights["in"] + weights["in_bias"], np_) * inside[..., None]
    steps = state.shape[1]
    for block in _blocks(weights):
        padded = np_.pad(state, ((0, 0), (REACH // 2, REACH // 2), (0, 0)))
        along = sum(padded[:, i : i + steps] * weights[f"along{block}"][i] for i in range(REACH))
        more = _swish(along @ weights[f"up{block}"] + weights[f"up_bias{block}"], np_)
        state = (state + more @ weights[f"down{block}"]) * inside[..., None]
    official = features[..., :OFFICIAL] @ weights["official"]
    return official + state @ out_of(weights) + weights["out_bias"]


def _blocks(weights: Mapping[str, Any]) -> range:
    return range(sum(name.startswith("along") for name in weights))


def _swish(x: Any, np_: Any) -> Any:
    return x / (1 + np_.exp(-x))


class _Writer:
    """Collects the nodes of a graph whose values are named in order."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def add(self, operation: str, *inputs: str | NDArray[Any], **attributes: Any) -> str:
        names = [given if isinstance(given, str) else self._constant(given) for given in inputs]
        output = f"value{len(self.nodes)}"
        self.nodes.append(onnx.helper.make_node(operation, names, [output], **attributes))
        return output

    def linear(self, value: str, weight: Real, bias: Real) -> str:
        return self.add("Add", self.add("MatMul", value, weight), bias)

    def swish(self, value: str) -> str:
        return self.add("Mul", value, self.add("Sigmoid", value))

    def _constant(self, value: NDArray[Any]) -> str:
        name = f"constant{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name


def to_onnx(weights: Mapping[str, Real]) -> Any:
    """The same function as a graph: x (1, steps, 504) → probabilities (1, steps, classes)."""
    w = {name: np.asarray(value, np.float32) for name, value in weights.items()}
    graph = _Writer()
    scaled = w["in"] / w["deviation"][:, None]
    state = graph.swish(graph.linear("x", scaled, w["in_bias"] - w["mean"] @ scaled))
    for block in _blocks(w):
        across = graph.add("Transpose", state, perm=[0, 2, 1])
        kernel = w[f"along{block}"].T[:, None, :]
        along = graph.add("Conv", across, kernel, group=WIDTH, pads=[REACH // 2, REACH // 2])
        more = graph.swish(
            graph.linear(graph.add("Transpose", along, perm=[0, 2, 1]), w[f"up{block}"], w[f"up_bias{block}"])
        )
        state = graph.add("Add", state, graph.add("MatMul", more, w[f"down{block}"]))
    first, last, axis = (np.array([number]) for number in (0, OFFICIAL, 2))
    official = graph.add("MatMul", graph.add("Slice", "x", first, last, axis), w["official"])
    learned = graph.linear(state, out_of(w), w["out_bias"])
    graph.add("Softmax", graph.add("Add", official, learned), axis=-1)
    graph.nodes[-1].output[0] = "probabilities"
    value, kind = onnx.helper.make_tensor_value_info, onnx.TensorProto.FLOAT
    made = onnx.helper.make_graph(
        graph.nodes,
        "head",
        [value("x", kind, ["batch", "steps", FEATURES])],
        [value("probabilities", kind, ["batch", "steps", "classes"])],
        graph.constants,
    )
    return onnx.helper.make_model(made, ir_version=8, opset_imports=[onnx.helper.make_opsetid("", 13)])


def halved(model: Any) -> Any:
    """The same graph with its large weights in half precision; they are cast back when it is loaded."""
    made = onnx.ModelProto()
    made.CopyFrom(model)
    casts = []
    for constant in made.graph.initializer:
        values = numpy_helper.to_array(constant)
        if values.dtype == np.float32 and values.ndim > 1:
            name, kept = constant.name, f"half_{constant.name}"
            constant.CopyFrom(numpy_helper.from_array(values.astype(np.float16), kept))
            casts.append(onnx.helper.make_node("Cast", [kept], [name], to=onnx.TensorProto.FLOAT))
    nodes = [*casts, *made.graph.node]
    del made.graph.node[:]
    made.graph.node.extend(nodes)
    return made
