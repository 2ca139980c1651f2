"""Which lines of a project are taken for copies of lines of the data."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.cli import main
from benchmarks.copied import Originals, copies, labelled_texts

LINE = "VOID Pine Soap 3x 4.15"


@pytest.mark.parametrize(
    "text",
    [
        LINE,
        'text = "void  PINE SOAP 3 x 4.15"',
        "#: Such as VOID Pine Soap 3x 4.15, with a count.",
        r'"SHOP\nVOID Pine Soap 3x 4.15\nTOTAL"',
    ],
)
def test_a_line_is_found_whatever_its_case_and_white_space(text: str) -> None:
    assert Originals([("one", f"  {LINE}*")]).inside(text) == ("one", f"{LINE}*")


@pytest.mark.parametrize("text", ["AVOID Pine Soap 3x 4.15", "VOID Pine Soap 3x 4.150", "VOID Pine Soap 3x"])
def test_a_line_is_found_between_boundaries_of_words_only(text: str) -> None:
    assert Originals([("one", LINE)]).inside(text) is None


@pytest.mark.parametrize("line", ["TOTAL 4.1", "THANK YOU FOR COMING", "AID A0000000031010", ""])
def test_short_lines_and_those_without_a_number_are_nobodys(line: str) -> None:
    assert Originals([("one", line)]).inside(f"= {line} =") is None


def test_the_longest_line_inside_is_told() -> None:
    originals = Originals([("one", "Pine Soap 3x"), ("two", LINE)])
    assert originals.inside(LINE) == ("two", LINE)


def test_the_day_of_a_law_is_no_copy() -> None:
    originals = Originals([("one", "2031-03-31")])
    assert originals.inside("rate = 14, until = 2031-03-31") is None
    assert originals.inside("printed 2031-03-31") is not None


def test_only_what_is_printed_counts(tmp_path: Path) -> None:
    truth = {"barcodes": [["2001234567893", "EAN-13/UPC-A"]], "date_iso": "2024-05-17", "notes": "12345678 a"}
    row = {"id": "sample-0001", "fields": truth, "lines": [{"text": LINE, "label": "item 12345678"}]}
    (tmp_path / "labels.jsonl").write_text(json.dumps(row) + "\n\n", encoding="utf-8")
    assert {text for _, text in labelled_texts(tmp_path)} == {"2001234567893", LINE}


def test_every_text_file_of_the_project_is_looked_through(tmp_path: Path) -> None:
    for name in ("a/b.toml", "build/c.toml", ".git/d.toml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(f"[[example]]\ntext = '{LINE}'\n", encoding="utf-8")
    (tmp_path / "picture.bin").write_bytes(b"\xff\xfe" + LINE.encode())
    (found,) = copies(tmp_path, Originals([("one", LINE)]))
    assert (found.file, found.number, found.original) == (Path("a/b.toml"), 2, LINE)


def test_the_command_fails_when_there_is_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, project = tmp_path / "data", tmp_path / "project"
    data.mkdir()
    project.mkdir()
    (data / "labels.jsonl").write_text(json.dumps({"id": "1", "text": LINE}), encoding="utf-8")
    arguments = ["copied", "--data", str(data), "--project", str(project)]
    assert main(arguments) == 0
    (project / "note.md").write_text(LINE, encoding="utf-8")
    assert main(arguments) == 1
    assert "note.md:1" in capsys.readouterr().out
