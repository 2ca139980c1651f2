"""The protocol of damaged files damages all formats, the same way each time, and tells harm from refusal."""

from __future__ import annotations

import random

import pytest

from benchmarks.protocols import mutations
from benchmarks.protocols.badimages import Row
from benchmarks.protocols.mutations import fault, originals
from receipt_engine import Engine
from receipt_engine.testing import fake_models


def test_originals_are_sound() -> None:
    engine = Engine(models=fake_models("CORNER SHOP\nTOTAL   6.60"))
    for name, file in originals().items():
        assert engine.extract(file).total is not None, name


def test_every_file_is_damaged_in_its_own_way() -> None:
    files = {"a": bytes(range(256)) * 4, "b": b"%PDF-1.4 0123456789" * 20}
    first = dict(mutations.mutations(files, 60, seed=3))
    assert first == dict(mutations.mutations(files, 60, seed=3))
    assert len(set(first.values())) > 50
    assert {name[0] for name in first} == {"a", "b"}


@pytest.mark.parametrize("damage", mutations._DAMAGES)
def test_damage_to_small_files(damage: mutations.Damage) -> None:
    for seed in range(30):
        for file in (b"", b"7", b"0123456789"):
            damage(bytearray(file), [b"other"], random.Random(seed))


def test_what_is_harm() -> None:
    assert not fault(Row("a", None, "accept", megabytes=300))
    assert not fault(Row("a", None, "UnreadableImageError"))
    assert fault(Row("a", None, "accept", megabytes=1600)) == "too much memory"
    assert fault(Row("a", None, "hang", typed=False)) == "untyped hang"


def test_files_go_through_a_child(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["mutations", "--count", "6", "--real", "0"])
    assert mutations.main() == 0
    assert "6 files" in capsys.readouterr().out
