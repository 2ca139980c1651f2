"""Restores the network from the graph that `exporting` wrote, so that a fit can go on from shipped weights.

The graph has batch norms folded into convolutions. `restore` gives the same network with norms that do
nothing; `settle` gives those the statistics of drawn lines, again without a change to the output, so that the
network can be trained.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import Tensor, nn

_SLIGHT = 1e-12


def restore(model: nn.Module, graph: Path) -> None:
    """Gives the model the graph's weights."""
    loaded = onnx.load(str(graph)).graph
    stored = weights(loaded)
    used = {kind: [node for node in loaded.node if node.op_type == kind] for kind in ("Conv", "MatMul")}
    state: dict[str, NDArray[np.float32]] = {
        name: value for name, value in stored.items() if name in model.state_dict()
    }
    products = (stored[node.input[1]] for node in used["MatMul"] if node.input[1] in stored)
    names = [name for name, module in model.named_modules() if isinstance(module, nn.Linear)]
    # Modules are listed in the order of their definition; those of `Attention` are used in the same.
    for name, product in zip(names, products, strict=True):
        state[f"{name}.weight"] = product.T
    for (conv, norm), node in zip(_pairs(model), used["Conv"], strict=True):
        state[f"{conv}.weight"] = stored[node.input[1]]
        state[f"{norm}.bias"] = stored[node.input[2]]
        channels = len(stored[node.input[2]])
        state[f"{norm}.weight"] = np.ones(channels, np.float32)
        state[f"{norm}.running_mean"] = np.zeros(channels, np.float32)
        state[f"{norm}.running_var"] = np.full(channels, 1 - _norm(model, norm).eps, np.float32)
    given = {name: torch.from_numpy(np.array(value, np.float32)) for name, value in state.items()}
    left = model.load_state_dict(given, strict=False).missing_keys
    assert all(name.endswith("num_batches_tracked") for name in left), left


def weights(graph: onnx.GraphProto) -> dict[str, NDArray[np.float32]]:
    """All weights of a graph by name, those stored in 8 bits multiplied by their scales."""
    stored = {weight.name: numpy_helper.to_array(weight) for weight in graph.initializer}
    for name in [name for name in stored if name.endswith("_whole")]:
        plain = name.removesuffix("_whole")
        stored[plain] = stored[name].astype(np.float32) * stored[f"{plain}_scales"]
    return stored


@torch.no_grad()
def settle(model: nn.Module, batches: Sequence[Tensor]) -> None:
    """Gives norms the statistics of their inputs on the batches; the output in evaluation stays the same.
    Convolutions get weights as large as new ones have, for the optimiser's sake."""
    was_training = model.training
    model.eval()
    sums: dict[str, list[Tensor]] = {norm: [] for _, norm in _pairs(model)}
    hooks = [
        _norm(model, norm).register_forward_pre_hook(
            lambda _, given, kept=sums[norm]: kept.append(
                torch.stack([given[0].mean((0, 2, 3)), given[0].square().mean((0, 2, 3))])
            )
        )
        for _, norm in _pairs(model)
    ]
    for batch in batches:
        model(batch)
    for hook in hooks:
        hook.remove()
    for conv_name, norm_name in _pairs(model):
        conv, norm = model.get_submodule(conv_name), _norm(model, norm_name)
        mean, square = torch.stack(sums[norm_name]).mean(dim=0)
        spread = (square - mean.square()).clamp_min(_SLIGHT)
        weight = conv.weight
        usual = (1 / (3 * weight[0].numel())) ** 0.5
        shrink = weight.square().mean(dim=(1, 2, 3)).sqrt().clamp_min(_SLIGHT) / usual
        weight.div_(shrink[:, None, None, None])
        norm.running_mean.copy_(mean / shrink)
        norm.running_var.copy_(spread / shrink.square())
        norm.weight.copy_((norm.running_var + norm.eps).sqrt() * shrink)
        norm.bias.add_(mean)
    model.train(was_training)


def _pairs(model: nn.Module) -> list[tuple[str, str]]:
    """Names of the convolutions and of the norm behind each, in the order of their use."""
    names = [n for n, module in model.named_modules() if isinstance(module, nn.Conv2d | nn.BatchNorm2d)]
    return list(zip(names[::2], names[1::2], strict=True))


def _norm(model: nn.Module, name: str) -> nn.BatchNorm2d:
    norm = model.get_submodule(name)
    assert isinstance(norm, nn.BatchNorm2d)
    return norm
