"""Defines the recogniser: convolutions that reduce the height, then mixing along the line, a class per step.

A line 48 pixels high gives a step every 4 columns: the narrow letters of Arabic and the marks of Thai need
twice the steps of the shipped recogniser.
"""

from __future__ import annotations

from itertools import pairwise

from torch import Tensor, nn

#: Image columns per step.
STRIDE = 4
_STEM = 32
#: Channels, number of blocks and expansion factor of their middle, at a height of 12, 6 and 3 pixels.
_STAGES = ((64, 3, 3), (128, 4, 3), (192, 4, 3))
_WIDTH = 256
_ALONG, _ATTENTIVE, _HEADS = 3, 2, 8
_REACH = 11


class Block(nn.Module):
    """A residual block: a depthwise convolution, then two pointwise ones."""

    def __init__(self, channels: int, kernel: tuple[int, int], widened: int) -> None:
        super().__init__()
        around = (kernel[0] // 2, kernel[1] // 2)
        self.layers = nn.Sequential(
            nn.Conv2d(channels, channels, kernel, padding=around, groups=channels, bias=False),
            nn.BatchNorm2d(channels),
            nn.Conv2d(channels, widened * channels, 1, bias=False),
            nn.BatchNorm2d(widened * channels),
            nn.ReLU(inplace=True),
            nn.Conv2d(widened * channels, channels, 1, bias=False),
            nn.BatchNorm2d(channels),
        )
        nn.init.zeros_(self.layers[-1].weight)

    def forward(self, x: Tensor) -> Tensor:
        return x + self.layers(x)


class Attention(nn.Module):
    """Self-attention over the steps of a line. x: (lines, steps, channels)."""

    def __init__(self, channels: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.before, self.between = nn.LayerNorm(channels), nn.LayerNorm(channels)
        self.project, self.join = nn.Linear(channels, 3 * channels), nn.Linear(channels, channels)
        self.up, self.down = nn.Linear(channels, 2 * channels), nn.Linear(2 * channels, channels)

    def forward(self, x: Tensor) -> Tensor:
        lines, steps, channels = x.shape
        split = self.project(self.before(x)).reshape(lines, steps, 3, self.heads, channels // self.heads)
        query, key, value = split.permute(2, 0, 3, 1, 4).unbind(0)
        weights = (query @ key.transpose(-1, -2) * (channels // self.heads) ** -0.5).softmax(dim=-1)
        x = x + self.join((weights @ value).transpose(1, 2).reshape(lines, steps, channels))
        return x + self.down(self.up(self.between(x)).relu())


class Reader(nn.Module):
    """x (lines, 3, 48, width) in -1..1 → logits (lines, width / 4, classes). Colour is ignored."""

    def __init__(self, classes: int) -> None:
        super().__init__()
        first = _STAGES[0][0]
        layers: list[nn.Module] = [_conv(1, _STEM, 3, (2, 2)), _conv(_STEM, first, 3, (2, 2))]
        for (channels, number, widened), (following, _, _) in pairwise((*_STAGES, (_WIDTH, 0, 0))):
            layers += [Block(channels, (5, 5), widened) for _ in range(number)]
            last = following == _WIDTH
            layers.append(
                nn.Sequential(nn.Conv2d(channels, following, (3, 1), bias=False), nn.BatchNorm2d(following))
                if last
                else _conv(channels, following, 3, (2, 1))
            )
        layers += [Block(_WIDTH, (1, _REACH), 2) for _ in range(_ALONG)]
        self.look = nn.Sequential(*layers)
        self.attend = nn.Sequential(*(Attention(_WIDTH, _HEADS) for _ in range(_ATTENTIVE)))
        self.end, self.out = nn.LayerNorm(_WIDTH), nn.Linear(_WIDTH, classes)

    def forward(self, x: Tensor) -> Tensor:
        seen = self.look(x.mean(dim=1, keepdim=True)).squeeze(2).transpose(1, 2)
        logits: Tensor = self.out(self.end(self.attend(seen)))
        return logits


def _conv(given: int, channels: int, kernel: int, stride: tuple[int, int]) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(given, channels, kernel, stride=stride, padding=kernel // 2, bias=False),
        nn.BatchNorm2d(channels),
        nn.ReLU(inplace=True),
    )
