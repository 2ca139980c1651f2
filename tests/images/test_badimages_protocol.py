"""The protocol for odd pictures counts verdicts and catches every kind of fault."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

import drawn
import pytest

from benchmarks.protocols import badimages
from benchmarks.protocols.badimages import run
from receipt_engine.errors import UnreadableImageError


def faulty_reader(path: Path) -> None:
    """Misbehaves in the way that the file's text names."""
    kind = path.read_text()
    if kind == "crash":
        os._exit(3)
    if kind == "hang":
        time.sleep(60)
    if kind == "untyped":
        raise ValueError("not one of ours")
    if kind == "leak":
        os.write(2, b"decoder: warning")
    if kind == "refuse":
        raise UnreadableImageError("this one is damaged")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "good.png").write_bytes(drawn.png())
    (tmp_path / "cut.png").write_bytes(drawn.png()[:400])
    (tmp_path / "page.jpg").write_bytes(b"<html></html>")
    return tmp_path


def test_verdicts_of_the_decoder(folder: Path) -> None:
    expected = {"good.png": "accept", "cut.png": "reject", "page.jpg": None}
    manifest = [{"file": name, "expected": verdict} for name, verdict in expected.items()]
    (folder / "manifest.json").write_text(json.dumps(manifest))
    report = run(folder)
    assert report["files"] == 3
    assert report["faults"] == []
    assert report["table"] == {
        "None -> NotAnImageError": 1,
        "accept -> accept": 1,
        "reject -> UnreadableImageError": 1,
    }
    assert [row["file"] for row in report["rows"]] == list(expected)


def test_wrong_verdicts_are_faults(folder: Path) -> None:
    verdicts = [{"file": "good.png", "expected": "reject"}, {"file": "cut.png", "expected": "accept"}]
    (folder / "manifest.json").write_text(json.dumps(verdicts))
    faults = run(folder)["faults"]
    assert [fault.split(":")[0] for fault in faults] == ["good.png", "cut.png"]


def test_a_format_is_refused_by_the_service_alone(tmp_path: Path) -> None:
    drawn.page().save(tmp_path / "gif.png", "GIF")
    (tmp_path / "manifest.json").write_text(json.dumps([{"file": "gif.png", "expected": "reject"}]))
    report = run(tmp_path)
    assert report["table"] == {"reject -> accept": 1}
    assert report["rows"][0]["served"] is False
    assert report["faults"] == []


def test_crash_hang_leak_and_untyped_errors_are_faults(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(badimages, "TIME_LIMIT", 3.0)
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    for kind in ("crash", "hang", "untyped", "leak", "refuse", "fine"):
        (tmp_path / kind).write_text(kind)
    report = run(tmp_path, f"{Path(__file__).stem}:faulty_reader")
    outcomes = {row["file"]: row["outcome"] for row in report["rows"]}
    assert outcomes == {
        "crash": "crash",
        "fine": "accept",
        "hang": "hang",
        "leak": "accept",
        "refuse": "UnreadableImageError",
        "untyped": "ValueError",
    }
    assert {fault.split(":")[0] for fault in report["faults"]} == {"crash", "hang", "leak", "untyped"}


def test_command_line_tells_by_its_status(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["badimages", str(folder), "--rows"])
    assert badimages.main() == 0
    printed = capsys.readouterr().out
    assert "3 files" in printed
    assert "0 faults" in printed
    (folder / "manifest.json").write_text(json.dumps([{"file": "cut.png", "expected": "accept"}]))
    assert badimages.main() == 1
