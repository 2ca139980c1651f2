"""The weights of names and addresses agree with the features that are measured, or are refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from receipt_engine import assets
from receipt_engine.errors import ModelError
from receipt_engine.stages.merchant.address.block import best_block
from receipt_engine.stages.merchant.address.features import address_features, address_scores
from receipt_engine.stages.merchant.name.candidates import NameContext
from receipt_engine.stages.merchant.name.features import absent_features, name_features
from receipt_engine.stages.merchant.weights import declared, weights
from scripts.composed_lines import composed_lines
from scripts.make_receipts import compose_receipt
from tests.unit.stages.merchant.merchant_contexts import segments_in


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the file, which is read in its place."""
    copy = tmp_path / "merchant.toml"
    copy.write_text(assets.model_file("merchant.toml").read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr(assets, "model_file", lambda name: tmp_path / name)
    weights.cache_clear()
    yield copy
    weights.cache_clear()


def test_the_file_has_a_weight_for_every_declared_feature() -> None:
    for model in (weights().address, weights().name):
        assert set(model.weights) == set(declared()[model.name]) - {"bias"}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"early" = ', '"latest" = ', r"merchant\.toml.*missing \['early'\], unknown \['latest'\]"),
        ('"early" = ', '"latest" = 0.1\n"early" = ', r"merchant\.toml.*missing \[\], unknown \['latest'\]"),
        ('"bias" = ', '"bias " = ', r"merchant\.toml.*missing \['bias'\]"),
        ("[name]", "[phone]", r"merchant\.toml.*missing \['name'\], unknown \['phone'\]"),
    ],
)
def test_a_file_that_does_not_match_is_refused(shipped: Path, old: str, new: str, message: str) -> None:
    text = shipped.read_text(encoding="utf-8")
    assert text.count(old) == 1
    shipped.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(ModelError, match=message):
        weights()


@pytest.mark.parametrize("code", ["us", "my", "de", "jp", "br", "pl", "se", "gb", "vn", "gr"])
def test_what_is_measured_is_declared(code: str) -> None:
    segments, domains = segments_in(composed_lines(compose_receipt(code, seed=3)), code)
    scores = address_scores(segments, weights().address)
    context = NameContext(segments, best_block(scores), scores, domains)
    measured = {name for features in address_features(segments) for name in features}
    assert measured <= set(declared()["address"])
    named = [name_features(context, at) for at in range(len(context.candidates))]
    assert {name for features in (*named, absent_features(context)) for name in features} <= set(
        declared()["name"]
    )
