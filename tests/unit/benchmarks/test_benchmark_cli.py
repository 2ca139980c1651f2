"""The commands, on an invented folder and an engine that reads what it is told."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from invented import FakeReader

from benchmarks import cli, machine, report, runner
from benchmarks.table import Table, interval, show

WriteLabels = Callable[..., Path]


@pytest.fixture
def data(write_labels: WriteLabels, reader: FakeReader, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two receipts, the second misread; the commands use the invented engine."""
    monkeypatch.setattr(runner.Setup.__init__, "__defaults__", _with_reader(reader))
    rows = [
        {
            "id": "one",
            "image": "1.png",
            "region": "de",
            "truth": {"total": 5, "currency": "EUR"},
            "shown": "TOTAL 5",
        },
        {
            "id": "two",
            "image": "2.png",
            "region": "fr",
            "truth": {"total": 7.5, "tip": None},
            "shown": "TOTAL 1.5",
        },
    ]
    return write_labels("drawn", *rows)


def _with_reader(reader: FakeReader) -> tuple[object, ...]:
    defaults = runner.Setup.__init__.__defaults__
    assert defaults is not None
    return (*defaults[:-1], lambda: reader)


def call(*arguments: object) -> int:
    return cli.main([str(argument) for argument in arguments])


def test_run_prints_and_writes_everything(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    outputs = {name: tmp_path / name for name in ("report.md", "numbers.json", "errors.txt")}
    status = call(
        *("run", "--data", data, "--cache", tmp_path / "cache", "--protocols", "all", "--title", "Invented"),
        *(
            "--report",
            outputs["report.md"],
            "--json",
            outputs["numbers.json"],
            "--errors",
            outputs["errors.txt"],
        ),
    )
    assert status == 0
    printed = capsys.readouterr().out
    assert re.search(r"^total +50\.0 /2$", printed, re.MULTILINE)
    written = outputs["report.md"].read_text()
    assert written.startswith("# Invented\n")
    assert "- commit: " in written and "- machine: " in written
    assert str(tmp_path) not in written
    assert written.endswith("(report.svg)\n")
    chart = ElementTree.parse(tmp_path / "report.svg")
    captions = [element.text for element in chart.iter("{http://www.w3.org/2000/svg}text")]
    assert "total, 2 values" in captions
    numbers = json.loads(outputs["numbers.json"].read_text())
    details = next(table for table in numbers["tables"] if table["title"] == "Fields in detail")
    assert {"set": "drawn", "field": "total", "n": 2, "right": 1}.items() <= details["rows"][0].items()
    assert "two\t7.5\t1.5\t0.95\t" in outputs["errors.txt"].read_text()


def test_region_is_withheld_on_request(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    common = ("run", "--data", data, "--cache", tmp_path, "--protocols", "fields")
    call(*common)
    assert re.search(r"^currency +100\.0 /1$", capsys.readouterr().out, re.MULTILINE)
    call(*common, "--no-region")
    assert re.search(r"^currency +0\.0 /1$", capsys.readouterr().out, re.MULTILINE)


def test_unknown_names_are_told(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("run", "--data", data, "--protocols", "none") == 2
    assert "no protocol none" in capsys.readouterr().err
    assert call("run", "--data", data, "--sets", "none") == 2
    assert "no data set none" in capsys.readouterr().err
    assert call("show", "on", "--data", data) == 2
    assert "Did you mean: one?" in capsys.readouterr().err


def test_show_prints_a_sample(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("show", "two", "--data", data, "--cache", tmp_path) == 0
    assert "✗ total                  7.5  →  1.5  (0.95)" in capsys.readouterr().out


def test_read_fills_the_cache(data: Path, tmp_path: Path, reader: FakeReader) -> None:
    call("read", "--data", data, "--cache", tmp_path)
    assert len(reader.reads) == 2 and not reader.calls
    call("show", "one", "--data", data, "--cache", tmp_path)
    assert len(reader.reads) == 2


def test_gate_fails_when_a_score_falls(
    data: Path, tmp_path: Path, write_labels: WriteLabels, capsys: pytest.CaptureFixture[str]
) -> None:
    baseline = tmp_path / "gate.toml"
    assert call("gate", "--data", data, "--baseline", baseline) == 2
    assert "write it with --update" in capsys.readouterr().err
    assert call("gate", "--data", data, "--baseline", baseline, "--update") == 0
    assert call("gate", "--data", data, "--baseline", baseline) == 0
    assert "no score fell" in capsys.readouterr().out
    (data / "1.png").write_text("one\nTOTAL 9")
    (data / "2.png").write_text("BUG")
    assert call("gate", "--data", data, "--baseline", baseline) == 1
    assert "two crashed: KeyError" in capsys.readouterr().out


def test_the_report_names_what_to_distrust(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (data / "1.png").write_text("")
    (data / "2.png").write_text("BUG")
    call("run", "--data", data, "--cache", tmp_path, "--protocols", "fields")
    printed = capsys.readouterr().out
    assert "without a Result: 1 (NoTextError 1)" in printed
    assert "CRASHED: 1 (KeyError 1)" in printed


def test_facts_hold_no_host_and_no_path() -> None:
    facts = machine.facts()
    assert set(facts) == {"date", "commit", "code", "machine", "Python"}
    assert re.fullmatch(r"[0-9a-f]{10}\+?|unknown", facts["commit"])
    assert not re.search(r"(?:^|\s)/", " ".join(facts.values()))


def test_the_code_digest_sees_what_git_does_not(tmp_path: Path) -> None:
    (tmp_path / "receipt_engine").mkdir()
    (tmp_path / "regions").mkdir()
    before = machine.code(tmp_path)
    (tmp_path / "receipt_engine" / "new.py").write_text("A = 1")
    with_code = machine.code(tmp_path)
    (tmp_path / "regions" / "xx.toml").write_text("a = 1")
    with_data = machine.code(tmp_path)
    assert len({before, with_code, with_data}) == 3
    (tmp_path / "receipt_engine" / "note.txt").write_text("no code")
    assert machine.code(tmp_path) == with_data


def test_a_run_whose_code_changed_says_so(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    common = ("--data", data, "--cache", tmp_path / "cache")
    call("run", *common, "--protocols", "fields")
    assert "CODE CHANGED" not in capsys.readouterr().out
    digests = iter(f"digest{number}" for number in range(9))
    monkeypatch.setattr(machine, "code", lambda: next(digests))
    call("run", *common, "--protocols", "fields")
    assert "CODE CHANGED DURING THE RUN: from digest0 to digest1" in capsys.readouterr().out
    baseline = tmp_path / "gate.toml"
    assert call("gate", *common, "--baseline", baseline, "--update") == 2
    assert not baseline.exists()


def test_tables() -> None:
    table = Table(
        "Shares", {"name": "text", "n": "count", "share": "share"}, [["a|b", 2, 0.5], ["茶", 10, None]], "N."
    )
    assert table.to_text() == "Shares\nname   n  share\na|b    2   50.0\n茶    10      -\nN.\n"
    assert "| a\\|b | 2 | 50.0 |" in table.to_markdown()
    assert table.to_dict()["rows"][1] == {"name": "茶", "n": 10, "share": None}
    assert (show(0.12345, "score"), show(12.34, "number")) == ("0.123", "12.3")
    assert interval((0.5, 1.0)) == "50.0–100.0"


def test_a_report_without_pictures() -> None:
    assert report.health([]) == {"pictures": "0"}
