"""Which files a command means."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from receipt_engine.batch import Input, find_inputs


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("b.JPG", "a.png", "notes.txt", "._a.png", "inner/c.jpeg", ".hidden/d.png", "inner/x/e.jpg"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("paths", "recursive", "names"),
    [
        (["."], False, ["a.png", "b.JPG"]),
        (["."], True, ["a.png", "b.JPG", "inner/c.jpeg", "inner/x/e.jpg"]),
        (["inner", "a.png"], False, ["inner/c.jpeg", "a.png"]),
        (["notes.txt"], False, ["notes.txt"]),
        (["*.png"], False, ["a.png"]),
        (["**/*.jp*"], False, ["inner/c.jpeg", "inner/x/e.jpg"]),
        (["*.gif", "none.png"], False, ["*.gif", "none.png"]),
        (["a.png", "./a.png", ".", "inner/../a.png"], False, ["a.png", "b.JPG"]),
    ],
)
def test_paths_name_files(paths: list[str], recursive: bool, names: list[str]) -> None:
    assert [file.name for file in find_inputs(paths, recursive=recursive)] == names


def test_a_name_with_brackets_is_a_name(folder: Path) -> None:
    (folder / "scan[1].png").touch()
    assert find_inputs(["scan[1].png"]) == (Input("scan[1].png"),)


def test_standard_input_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"picture")))
    (file,) = find_inputs(["-", "-"])
    assert (file.name, file.source, file.read()) == ("-", b"picture", b"picture")
