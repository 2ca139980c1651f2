"""The data folders and the digests of the model files."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from receipt_engine import assets
from receipt_engine.errors import ModelError

NAME = "text-recognizer-projection.onnx"


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with the manifest and one small file of the installed models, used in their place."""
    folder = tmp_path / "models"
    folder.mkdir()
    for name in ("manifest.toml", NAME):
        shutil.copy(assets.folder("models") / name, folder)
    monkeypatch.setattr(assets, "folder", lambda name: tmp_path / name)
    clear: list[Callable[[], None]] = [assets._manifest.cache_clear, assets.model_file.cache_clear]
    for forget in clear:
        forget()
    yield folder
    for forget in clear:
        forget()


def test_every_file_has_the_digest_of_the_manifest() -> None:
    for entry in assets.model_manifest():
        path = assets.model_file(entry["name"])
        assert assets.sha256(path) == entry["sha256"]
        assert path.parent == assets.folder("models")


def test_the_manifest_lists_every_model_file_with_licence_and_source() -> None:
    files = {path.name for path in assets.folder("models").iterdir()}
    listed = [entry["name"] for entry in assets.model_manifest()]
    assert sorted(listed) == sorted(files - {"README.md", "manifest.toml"})
    assert all(entry["licence"] and entry["source"] for entry in assets.model_manifest())


def test_the_parts_of_the_detector_count_as_the_official_file() -> None:
    parts = [e for e in assets.model_manifest() if e["name"].startswith("text-detector-")]
    assert len(parts) == 9
    assert {entry["whole"] for entry in parts} == {
        "090f04abcd9d9a7498bc4ebf677e4cb9bdce1fe4197ddb7e529f1ef44e1ff94f"
    }


def test_a_sound_file_is_found(models: Path) -> None:
    assert assets.model_file(NAME) == models / NAME


def test_a_changed_file_is_named(models: Path) -> None:
    path = models / NAME
    path.write_bytes(path.read_bytes()[:-1] + b"?")
    with pytest.raises(ModelError, match=NAME) as refused:
        assets.model_file(NAME)
    assert "install it again" in str(refused.value)


def test_a_missing_file_is_named(models: Path) -> None:
    (models / NAME).unlink()
    with pytest.raises(ModelError, match=f"{NAME} is missing; install"):
        assets.model_file(NAME)


def test_a_file_outside_the_manifest_is_not_opened(models: Path) -> None:
    (models / "other.onnx").write_bytes(b"")
    with pytest.raises(ModelError, match=r"other\.onnx is not listed"):
        assets.model_file("other.onnx")


def test_an_installation_without_data_says_what_to_do() -> None:
    with pytest.raises(ModelError, match="install receipt-engine again"):
        assets.folder("no such folder")
