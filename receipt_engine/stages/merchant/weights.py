"""The learned weights of addresses and names, ``models/merchant.toml``, and their sums."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import msgspec

from receipt_engine import assets
from receipt_engine.region import read_table

Features = Mapping[str, float]


class Weights(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Feature → weight. address: log-odds that a segment of text is part of the address. name: a
    candidate's share among all candidates is the softmax of these sums."""

    address: dict[str, float]
    name: dict[str, float]


@cache
def weights() -> Weights:
    """The weights that come with the package; raises ModelError or RegionDataError when they are damaged."""
    return read_table(assets.model_file("merchant.toml"), Weights)


def score(features: Features, table: Mapping[str, float]) -> float:
    """The weighted sum; features without a weight do not count."""
    weight = table.get
    return sum([value * weight(name, 0.0) for name, value in features.items() if value])
