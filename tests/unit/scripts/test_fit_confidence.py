"""The fit of the confidence models, on values whose true probability is known."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from benchmarks.datasets.sample import Label, Sample
from benchmarks.outcome import Outcome
from benchmarks.scoring.statistics import calibration_error
from scripts.fit_confidence import Observation, curve_table, fit, judged, leave_one_out, worse

FEATURES = ("support",)


def invented(bias: float, weight: float, count: int, dataset: str, seed: int) -> list[Observation]:
    """Values that are right with the probability of a known logistic function."""
    generator = np.random.default_rng(seed)
    support = generator.uniform(-2, 2, count)
    right = generator.uniform(size=count) < 1 / (1 + np.exp(-(bias + weight * support)))
    return [Observation(dataset, {"support": float(s)}, bool(r)) for s, r in zip(support, right, strict=True)]


def test_the_fit_recovers_the_weights_that_made_the_data() -> None:
    names, weights = fit(invented(0.5, 1.5, 8000, "drawn", seed=1), FEATURES)
    assert names == ["bias", "support"]
    assert weights == pytest.approx([0.5, 1.5], abs=0.12)


def test_a_feature_that_is_always_absent_does_no_harm() -> None:
    observations = [Observation("a", {"support": 0.0}, right) for right in (True, True, True, False)]
    _, weights = fit(observations, FEATURES)
    assert 1 / (1 + np.exp(-weights[0])) == pytest.approx(0.75, abs=1e-3)


def test_support_that_seems_to_speak_against_a_value_gets_no_weight() -> None:
    names, weights = fit(invented(0.5, -1.5, 2000, "drawn", seed=5), FEATURES)
    assert names == ["bias", "support"]
    assert weights[1] == 0.0


def test_every_value_is_judged_by_a_fit_without_its_data_set() -> None:
    trusted = invented(0.0, 2.0, 4000, "one", seed=2)
    others = invented(0.0, 2.0, 4000, "two", seed=3)
    assert calibration_error(leave_one_out(trusted + others, FEATURES)) < 0.03
    contrary = invented(0.0, -2.0, 4000, "two", seed=4)
    assert calibration_error(leave_one_out(trusted + contrary, FEATURES)) > 0.3


def test_one_data_set_leaves_nothing_to_learn_from() -> None:
    answers = leave_one_out(invented(0.5, 1.5, 20, "only", seed=6), FEATURES)
    assert {stated for stated, _ in answers} == {0.5}


def test_a_label_that_its_picture_contradicts_teaches_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    fields = {"total": Label.of(9.5), "date": Label.of("2024-03-14")}
    confidence = {name: {"features": {"support": 1.0}, "probability": 0.9} for name in fields}
    result = {"total": 9.5, "date": "2024-03-14", "evidence": {"confidence": confidence}}
    outcome = Outcome(Sample("a", "set", Path("a.jpg"), fields=fields), result)
    assert len([*judged([outcome], fields)]) == 2
    monkeypatch.setattr("scripts.fit_confidence.faulty_labels", lambda: {("a", "date")})
    assert [one.right for one in judged([outcome], fields)] == [True]


def test_the_curve_lists_stated_against_right() -> None:
    table = curve_table({"total": [(0.95, True), (0.97, True), (0.91, False), (0.25, False)]})
    assert table.splitlines() == [
        "model,values,stated,right",
        "total,1,0.2500,0.0000",
        "total,3,0.9433,0.6667",
    ]


def sizes(path: Path) -> tuple[int, int]:
    with Image.open(path) as picture:
        return picture.size


def test_pictures_are_made_worse_in_turn_and_written_once(tmp_path: Path) -> None:
    samples = []
    for name in ("one.png", "two.png", "three.pdf"):
        path = tmp_path / name
        Image.new("RGB", (40, 60), "white").save(path, "PDF" if path.suffix == ".pdf" else "PNG")
        samples.append(Sample(id=name, dataset="drawn", image=path))
    found = worse(samples, tmp_path / "worse")
    assert [sample.id for sample in found] == ["one.png", "two.png"]
    assert [sizes(sample.image) for sample in found] == [(40, 60), (20, 30)]
    written = [sample.image.stat().st_mtime_ns for sample in found]
    assert [sample.image.stat().st_mtime_ns for sample in worse(samples, tmp_path / "worse")] == written
