"""Loads the fitted models of addresses and names, ``models/merchant.toml``."""

from __future__ import annotations

from functools import cache

from receipt_engine import assets
from receipt_engine.document import Record
from receipt_engine.scoring.linear import BIAS, LinearModel, load_models
from receipt_engine.stages.merchant.address.features import ADDRESS_FEATURES
from receipt_engine.stages.merchant.name.features import declared_name_features


class Weights(Record, frozen=True):
    """address: log-odds that a segment is part of the address. name: scores of the candidates; their softmax
    gives each one's probability."""

    address: LinearModel
    name: LinearModel


def declared() -> dict[str, tuple[str, ...]]:
    """Model → its features, as in the file. Names are only compared with each other, so they have no bias."""
    return {"address": (BIAS, *ADDRESS_FEATURES), "name": declared_name_features()}


@cache
def weights() -> Weights:
    """The weights shipped with the package; raises ModelError when they do not match the features."""
    return Weights(**load_models(assets.model_file("merchant.toml"), declared()))
