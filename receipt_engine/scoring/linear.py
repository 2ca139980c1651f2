"""Linear models over declared features: a weight per feature and an optional bias, from ``models/*.toml``.

A model is loaded only if its file has exactly the declared features: a feature without a weight would
silently count as zero, and a weight without a feature would hide that something is no longer measured.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from receipt_engine.document import Record
from receipt_engine.errors import ModelError

#: The key of the bias in a model file.
BIAS = "bias"
#: Log-odds are clipped to ± this value, where the probability is practically 0 or 1.
_MOST = 30.0


class Contribution(Record, frozen=True):
    """The contribution of one feature to a score, value × weight.

    share: the contribution over the sum of all absolute contributions, -1 to 1.
    """

    feature: str
    value: float
    weight: float
    share: float


class LinearModel(Record, frozen=True):
    """name: as in the file. bias: zero where the model has none. weights: of every declared feature, in the
    declared order."""

    name: str
    bias: float
    weights: dict[str, float]

    def score(self, features: Mapping[str, float]) -> float:
        """The bias plus the weighted sum, in log-odds; raises ModelError for an undeclared feature."""
        try:
            return self.bias + sum([self.weights[name] * value for name, value in features.items()])
        except KeyError as error:
            raise ModelError(f"The model {self.name!r} declares no feature {error}.") from error

    def probability(self, features: Mapping[str, float]) -> float:
        """The logistic function of the score, 0 to 1."""
        return 1 / (1 + math.exp(-max(-_MOST, min(_MOST, self.score(features)))))

    def contributions(self, features: Mapping[str, float]) -> tuple[Contribution, ...]:
        """The non-zero contributions to the score, the strongest first; the bias is left out."""
        added = {name: self.weights[name] * value for name, value in features.items()}
        whole = sum(map(abs, added.values())) or 1.0
        moved = sorted((name for name in added if added[name]), key=lambda name: (-abs(added[name]), name))
        return tuple(
            Contribution(name, features[name], self.weights[name], added[name] / whole) for name in moved
        )


def declared_features(kind: type[msgspec.Struct]) -> tuple[str, ...]:
    """The feature names of a model whose inputs are the fields of a struct."""
    return kind.__struct_fields__


def by_kind(**kinds: Iterable[object]) -> tuple[str, ...]:
    """Feature names of the form "feature:kind", one for each kind of each feature.

    >>> by_kind(zone=("header", "items"), at=range(2))
    ('zone:header', 'zone:items', 'at:0', 'at:1')
    """
    return tuple(f"{feature}:{kind}" for feature, found in kinds.items() for kind in found)


def load_models(path: Path, declared: Mapping[str, tuple[str, ...]]) -> dict[str, LinearModel]:
    """The models of a file by name. declared: model → its features, including `BIAS` if it has one.

    Raises ModelError when the file is damaged, or when its models or features differ from those declared.
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
