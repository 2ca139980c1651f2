"""A batch with real worker processes, which read text: nothing is lost, nothing is read twice."""

from __future__ import annotations

from multiprocessing.context import SpawnProcess
from pathlib import Path

import pytest

from receipt_engine.batch import EngineReader, Journal, Row, extract_files, find_inputs, read_rows, workers
from receipt_engine.batch.row import Failure
from receipt_engine.errors import ModelError
from receipt_engine.options import ExtractOptions
from receipt_engine.result import Result
from tests.unit.batch.text_reader import RECEIPT, TextReader


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the files to be read lie."""
    folder = tmp_path / "receipts"
    folder.mkdir()
    return folder


def _file(folder: Path, name: str, text: str = "") -> Path:
    file = folder / f"{name}.png"
    file.write_text(text or RECEIPT.replace("12 Mill Lane", f"12 {name} Lane"), encoding="utf-8")
    return file


def _run(folder: Path, jobs: int = 2, *, resume: bool = False, log: str = "") -> list[Row]:
    inputs = find_inputs([folder])
    journal = Journal(folder / "out.jsonl", resume=resume)
    reader = TextReader(log=log or str(folder / "log.txt"))
    try:
        given = list(extract_files(inputs, reader, journal, jobs=jobs))
    finally:
        journal.finish(file.name for file in inputs)
    rows = list(read_rows(folder / "out.jsonl"))
    assert sorted(rows[0].file for rows in given) == sorted({row.file for row in rows})
    return rows


def _log(folder: Path) -> list[str]:
    return [Path(line).name for line in (folder / "log.txt").read_text().splitlines()]


def test_every_file_gives_a_row_in_the_order_of_the_files(folder: Path) -> None:
    _file(folder, "a", f"!wait 0.3\n{RECEIPT}")
    _file(folder, "b")
    _file(folder, "c", "# not a picture")
    _file(folder, "d", "!bug")
    rows = _run(folder)
    assert [Path(row.file).name for row in rows] == ["a.png", "b.png", "c.png", "d.png"]
    assert [row.found is not None and str(row.found.total) for row in rows] == ["7.30", "7.30", False, False]
    assert [row.failure and row.failure.type for row in rows[2:]] == ["NotAnImageError", "ZeroDivisionError"]
    assert all(row.sha256 and (row.page, row.receipt, row.receipts) == (1, 1, 1) for row in rows)


def test_a_file_that_is_not_there_is_a_row(folder: Path) -> None:
    inputs = find_inputs([folder / "missing.png"])
    journal = Journal(folder / "out.jsonl")
    ((row,),) = extract_files(inputs, TextReader(), journal, jobs=1)
    assert row.sha256 is None
    assert row.failure is not None and row.failure.type == "FileNotFoundError"
    journal.close()


def test_a_process_that_dies_is_replaced_and_its_file_tried_again(folder: Path) -> None:
    _file(folder, "a", f"!die once {folder / 'died'}\n{RECEIPT}")
    _file(folder, "b", "!die")
    _file(folder, "c")
    rows = _run(folder)
    assert rows[0].found is not None and str(rows[0].found.total) == "7.30"
    assert rows[1].failure is not None and rows[1].failure.type == "WorkerDiedError"
    assert "signal 9" in rows[1].failure.message
    assert rows[2].found is not None


def test_a_process_that_has_read_its_share_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "_FILES_EACH", 3)
    started: list[SpawnProcess] = []
    start = SpawnProcess.start
    monkeypatch.setattr(SpawnProcess, "start", lambda process: (started.append(process), start(process)))
    with workers.Workers(TextReader(), 2) as pool:
        outcomes = dict(pool.run((number, RECEIPT.encode()) for number in range(10)))
    assert list(range(10)) == sorted(outcomes)
    assert not any(isinstance(outcome, Failure) for outcome in outcomes.values())
    assert len(started) >= 4
    assert all(process.exitcode == 0 for process in started)


def test_same_bytes_are_read_once_and_marked(folder: Path) -> None:
    _file(folder, "a", f"!wait 0.2\n{RECEIPT}")
    _file(folder, "b", f"!wait 0.2\n{RECEIPT}")  # while the first is being read
    _file(folder, "c", "# not a picture")
    _file(folder, "d", f"!wait 0.2\n{RECEIPT}")
    rows = _run(folder)
    assert sorted(_log(folder)) == ["a.png", "c.png"]
    assert [row.duplicate and row.duplicate.why for row in rows] == [
        *(rows[0].duplicate, "same bytes", rows[2].duplicate, "same bytes"),
    ]
    assert not rows[0].duplicate and not rows[2].duplicate
    assert rows[3].found == rows[0].found


def test_several_receipts_of_a_file_are_rows_of_their_own(folder: Path) -> None:
    _file(folder, "a", f"{RECEIPT}\f{RECEIPT.replace('7.30', '7.31')}")
    rows = _run(folder)
    assert [(row.page, row.receipt, row.receipts) for row in rows] == [(1, 1, 2), (1, 2, 2)]


def test_resume_reads_only_what_is_missing_or_changed(folder: Path) -> None:
    for name in "abc":
        _file(folder, name)
    first = _run(folder)
    _file(folder, "b", RECEIPT.replace("Scone", "Toast"))
    _file(folder, "d")
    again = _run(folder, resume=True)
    assert _log(folder)[3:] in (["b.png", "d.png"], ["d.png", "b.png"])
    assert [Path(row.file).name for row in again] == ["a.png", "b.png", "c.png", "d.png"]
    assert again[0] == first[0] and again[1] != first[1]


def test_resume_goes_by_the_bytes_where_names_are_used_again(folder: Path) -> None:
    old = {name: _file(folder, name) for name in ("a", "b", "c")}
    first = _run(folder)
    old["c"].unlink()  # each picture now has the next one's name, and the first is new
    old["b"].rename(old["c"])
    old["a"].rename(old["b"])
    _file(folder, "a", RECEIPT.replace("12 Mill Lane", "99 New Lane"))
    rows = _run(folder, resume=True)
    assert [row.found and row.found.address for row in rows[1:]] == [
        row.found and row.found.address for row in first[:2]
    ]
    assert [row.sha256 for row in rows[1:]] == [row.sha256 for row in first[:2]]
    assert rows[0].sha256 not in {row.sha256 for row in first}
    assert _log(folder)[3:] == ["a.png"]


def test_resume_tries_again_what_may_succeed_now(folder: Path) -> None:
    _file(folder, "a", f"!die once {folder / 'died'}\n{RECEIPT}")
    _file(folder, "b", "# not a picture")
    inputs = find_inputs([folder, folder / "c.png"])
    journal = Journal(folder / "out.jsonl")
    rows = list(extract_files(inputs, TextReader(log=str(folder / "log.txt")), journal, jobs=1))
    journal.close()
    assert len(rows) == 3
    _file(folder, "c")
    again = _run(folder, resume=True)
    assert [row.failure and row.failure.type for row in again] == [None, "NotAnImageError", None]
    assert _log(folder).count("b.png") == 1


def test_models_that_cannot_be_loaded_end_the_run(folder: Path) -> None:
    _file(folder, "a")
    for trouble, message in (("no models", "missing"), ("no memory", "before it could read anything")):
        with pytest.raises(ModelError, match=message):
            _run(folder, log=trouble)


def test_the_results_do_not_depend_on_the_number_of_processes(folder: Path) -> None:
    for name in "abcd":
        _file(folder, name)
    assert _run(folder, jobs=1) == _run(folder, jobs=3)


def test_the_engine_reader_numbers_the_receipts_of_each_page() -> None:
    class Several:
        def extract_all(
            self, source: object, options: ExtractOptions, *, deadline: float
        ) -> tuple[Result, ...]:
            assert (source, options.evidence, deadline) == ("a.pdf", True, 5.0)
            return tuple(Result(evidence={"page": {"number": page}}) for page in (1, 1, 3))

    found = EngineReader(Several, ExtractOptions(), 5.0)()("a.pdf")  # type: ignore[arg-type]
    assert [(e.page, e.receipt) for e in found] == [(1, 1), (1, 2), (3, 1)]
    assert all(not e.result.evidence for e in found)
