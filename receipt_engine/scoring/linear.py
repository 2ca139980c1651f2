"""Linear models over declared features: one weight a feature and perhaps a bias, read from ``models/*.toml``.

A model and its file agree on the features or the model is not loaded: a feature without a weight would
silently count for nothing, a weight without a feature would hide that something is no longer measured.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from receipt_engine.document import Record
from receipt_engine.errors import ModelError

#: The key of the weight that counts whatever the features are.
BIAS = "bias"
#: Log-odds beyond this are certainty in all but name.
_MOST = 30.0


class Contribution(Record, frozen=True):
    """What one feature adds to a score: value × weight. share: its part of all that was added and taken
    off, -1 to 1, negative when it speaks against."""

    feature: str
    value: float
    weight: float
    share: float


class LinearModel(Record, frozen=True):
    """name: as in the file. bias: nought where the model has none. weights: of every declared feature, in the
    declared order."""

    name: str
    bias: float
    weights: dict[str, float]

    def score(self, features: Mapping[str, float]) -> float:
        """The bias and the weighted sum, as log-odds; raises ModelError for an undeclared feature."""
        try:
            return self.bias + sum([self.weights[name] * value for name, value in features.items()])
        except KeyError as error:
            raise ModelError(f"The model {self.name!r} declares no feature {error}.") from error

    def probability(self, features: Mapping[str, float]) -> float:
        """The logistic function of the score, 0 to 1."""
        return 1 / (1 + math.exp(-max(-_MOST, min(_MOST, self.score(features)))))

    def contributions(self, features: Mapping[str, float]) -> tuple[Contribution, ...]:
        """What moved the score, the bias left out, the strongest first."""
        added = {name: self.weights[name] * value for name, value in features.items()}
        whole = sum(map(abs, added.values())) or 1.0
        moved = sorted((name for name in added if added[name]), key=lambda name: (-abs(added[name]), name))
        return tuple(
            Contribution(name, features[name], self.weights[name], added[name] / whole) for name in moved
        )


def declared_features(kind: type[msgspec.Struct]) -> tuple[str, ...]:
    """The features of a model whose inputs are the fields of a struct."""
    return kind.__struct_fields__


def by_kind(**kinds: Iterable[object]) -> tuple[str, ...]:
    """Names of features that are measured for each of several kinds.

    >>> by_kind(zone=("header", "items"), at=range(2))
    ('zone:header', 'zone:items', 'at:0', 'at:1')
    """
    return tuple(f"{feature}:{kind}" for feature, found in kinds.items() for kind in found)


def load_models(path: Path, declared: Mapping[str, tuple[str, ...]]) -> dict[str, LinearModel]:
    """The models of a file. declared: model → its features, `BIAS` among them if it has one.

    Raises ModelError when the file is damaged, or has other models or other features than are declared.
    """
    try:
        tables = msgspec.convert(
            tomllib.loads(path.read_text(encoding="utf-8")), dict[str, dict[str, float]], strict=False
        )
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as error:
        raise ModelError(f"{path}: {error}. Install the package again, or fit the models anew.") from error
    _agree(path, "models", set(declared), set(tables))
    for name, features in declared.items():
        _agree(path, f"features of {name!r}", set(features), set(tables[name]))
    return {
        name: LinearModel(
            name,
            tables[name].get(BIAS, 0.0),
            {feature: tables[name][feature] for feature in features if feature != BIAS},
        )
        for name, features in declared.items()
    }


def _agree(path: Path, what: str, expected: set[str], found: set[str]) -> None:
    """Raises ModelError when two sets of names differ."""
    missing, unknown = sorted(expected - found), sorted(found - expected)
    if missing or unknown:
        raise ModelError(
            f"{path}: the {what} do not match: missing {missing}, unknown {unknown}. Fit the models anew."
        )
