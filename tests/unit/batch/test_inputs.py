"""Which files a command means."""

from __future__ import annotations

import io
import os
import sys
import threading
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


@pytest.mark.skipif(sys.platform != "linux", reason="other file systems have only names in Unicode")
def test_a_name_that_is_no_unicode_is_shown_with_escapes(folder: Path) -> None:
    named = os.fsdecode(b"caf\xe9.png")
    (folder / named).write_bytes(b"picture")
    file = next(file for file in find_inputs(["."]) if file.name.startswith("caf"))
    assert (file.name, file.source, file.read()) == ("caf\\xe9.png", named, b"picture")


@pytest.mark.skipif(os.name == "nt", reason="there are no pipes with a path")
def test_a_pipe_is_read_once_and_none_is_taken_from_a_folder(folder: Path) -> None:
    pipe = folder / "inner" / "pipe.png"
    os.mkfifo(pipe)
    assert [file.name for file in find_inputs(["inner"])] == ["inner/c.jpeg"]
    writer = threading.Thread(target=pipe.write_bytes, args=(b"picture",))
    writer.start()
    (file,) = find_inputs([pipe])
    writer.join()
    assert (file.source, file.read()) == (b"picture", b"picture")
