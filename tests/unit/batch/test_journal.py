"""The results file, cut off at every place where a kill may cut it off."""

from __future__ import annotations

import os
from decimal import Decimal
from io import FileIO
from pathlib import Path

import pytest

from receipt_engine.batch import Extracted, Failure, Journal, JournalError, Row, journal, read_rows
from receipt_engine.batch.appending import claim
from receipt_engine.batch.row import rows_of
from receipt_engine.result import Result


def _rows(name: str, count: int = 1) -> tuple[Row, ...]:
    found = tuple(Extracted(Result(total=Decimal(f"{i}.50")), 1, i) for i in range(1, count + 1))
    return rows_of(name, f"digest of {name}", found)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A results file of three files, the middle one with two receipts."""
    journal = Journal(tmp_path / "out.jsonl")
    for name, count in (("a", 1), ("b", 2), ("c", 1)):
        journal.append(_rows(name, count))
    journal.close()
    return tmp_path / "out.jsonl"


def test_rows_come_back_as_they_were(path: Path) -> None:
    assert list(read_rows(path)) == [*_rows("a"), *_rows("b", 2), *_rows("c")]


def test_after_a_kill_at_any_byte_every_file_is_whole_or_missing(path: Path) -> None:
    whole = path.read_bytes()
    for length in range(len(whole) + 1):
        path.write_bytes(whole[:length])
        journal = Journal(path, resume=True)
        kept = [name for name in "abc" if journal.has(name, f"digest of {name}")]
        assert kept == list("abc")[: len(kept)]
        for name in kept:
            assert journal.rows(name) == _rows(name, 2 if name == "b" else 1)
        for name, count in (("a", 1), ("b", 2), ("c", 1)):
            if name not in kept:
                journal.append(_rows(name, count))
        journal.finish("abc")
        assert path.read_bytes() == whole
    assert kept == ["a", "b", "c"]


def test_the_end_is_in_the_order_of_the_files_with_those_of_other_runs_first(path: Path) -> None:
    journal = Journal(path, resume=True)
    journal.append(_rows("d"))
    journal.finish(["d", "c", "missing"])
    assert [row.file for row in read_rows(path)] == ["a", "b", "b", "d", "c"]


def test_a_file_that_was_read_again_has_its_last_rows(path: Path) -> None:
    journal = Journal(path, resume=True)
    journal.append(rows_of("b", "other digest", (Extracted(Result()),)))
    assert not journal.has("b", "digest of b") and journal.has("b", "other digest")
    journal.finish("abc")
    assert [row.sha256 for row in read_rows(path) if row.file == "b"] == ["other digest"]


def test_only_failures_of_the_picture_are_final(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "out.jsonl")
    for name in ("NoTextError", "UnreadableImageError", "OSError", "WorkerDiedError", "ModelError"):
        journal.append(rows_of(name, "digest", Failure(name, "why")))
        assert journal.has(name, "digest") == (name in ("NoTextError", "UnreadableImageError"))
    journal.close()


def test_an_empty_run_leaves_no_file(tmp_path: Path) -> None:
    Journal(tmp_path / "out.jsonl").finish([])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="it has no such locks")
def test_two_runs_do_not_write_one_file(path: Path) -> None:
    first = Journal(path, resume=True)
    for resume in (True, False):
        with pytest.raises(JournalError, match="another run is writing"):
            Journal(path, resume=resume)
    first.append(_rows("d"))
    first.finish("abcd")
    assert [row.file for row in read_rows(path)] == ["a", "b", "b", "c", "d"]
    Journal(path, resume=True).close()  # the file is free again


@pytest.mark.skipif(os.name == "nt", reason="it has no such locks")
def test_a_file_that_a_run_has_just_replaced_is_not_written(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(file: FileIO) -> bool:
        first.finish("abc")
        return claim(file)

    first = Journal(path, resume=True)
    monkeypatch.setattr(journal, "claim", late)
    with pytest.raises(JournalError, match="another run is writing"):
        Journal(path, resume=True)
    assert [row.file for row in read_rows(path)] == ["a", "b", "b", "c"]


@pytest.mark.parametrize("text", ['{"name": "shopping list"}\n', "milk\n", '{"file": 1}\n'])
def test_another_file_is_not_taken_for_results(tmp_path: Path, text: str) -> None:
    path = tmp_path / "list.jsonl"
    path.write_text(text)
    with pytest.raises(JournalError, match=r"list\.jsonl, line 1"):
        Journal(path, resume=True)
    with pytest.raises(JournalError, match=r"list\.jsonl, line 1"):
        list(read_rows(path))
    assert path.read_text() == text
