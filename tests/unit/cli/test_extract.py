"""`extract` over many files, with real processes that read text instead of pictures."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import receipt_engine.batch
from receipt_engine import __version__, export
from receipt_engine.batch import read_rows
from receipt_engine.cli import main
from tests.unit.batch.text_reader import RECEIPT, TextReader

#: `receipt-engine` with the stand-in, for tests that need a process of its own.
PROGRAM = """
import sys
import receipt_engine.batch
from tests.unit.batch.text_reader import TextReader
receipt_engine.batch.EngineReader = TextReader
if __name__ == "__main__":
    from receipt_engine.cli import main
    sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two receipts and no picture; the command line uses the stand-in."""
    monkeypatch.setattr(receipt_engine.batch, "EngineReader", TextReader)
    monkeypatch.chdir(tmp_path)
    for name in ("a", "b"):
        (tmp_path / f"{name}.png").write_text(RECEIPT.replace("Scone", f"Scone {name}"), encoding="utf-8")
    (tmp_path / "c.png").write_text("# not a picture", encoding="utf-8")
    return tmp_path


def test_several_files_print_a_row_each_in_their_order(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["extract", "b.png", "a.png", "c.png", "--jobs", "2"]) == 1
    printed = capsys.readouterr()
    rows = [json.loads(line) for line in printed.out.splitlines()]
    assert [row["file"] for row in rows] == ["b.png", "a.png", "c.png"]
    assert [list(row)[:5] for row in rows] == [["file", "sha256", "page", "receipt", "receipts"]] * 3
    assert rows[0]["result"]["total"] == 7.3 and "evidence" not in rows[0]["result"]
    assert rows[2]["error"]["type"] == "NotAnImageError"
    assert "c.png" in printed.err and "3 files: 2 read, 1 failed, 0 to check" in printed.err


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("paths", "code"), [(["a.png", "b.png"], 0), (["a.png", "c.png"], 1), (["c.png", "d.png"], 3)]
)
def test_the_exit_code_says_how_many_were_read(paths: list[str], code: int) -> None:
    assert main(["extract", *paths]) == code


@pytest.mark.usefixtures("folder")
def test_a_folder_becomes_tables_and_the_results_they_are_made_of() -> None:
    assert main(["extract", ".", "-o", "out.xlsx", "-o", "out.csv"]) == 1
    rows = list(read_rows(Path("out.jsonl")))
    assert [row.file for row in rows] == ["a.png", "b.png", "c.png"]
    assert rows[0].found is not None and rows[0].found.evidence
    assert Path("out.xlsx").stat().st_size and Path("out.csv").stat().st_size


@pytest.mark.usefixtures("folder")
def test_an_earlier_output_is_kept_unless_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["extract", "a.png", "-o", "out.jsonl", "--no-evidence"]) == 0
    before = Path("out.jsonl").read_text()
    assert '"evidence"' not in before
    assert main(["extract", "b.png", "-o", "out.jsonl"]) == 2
    assert "--resume" in capsys.readouterr().err
    assert Path("out.jsonl").read_text() == before
    assert main(["extract", "b.png", "-o", "out.jsonl", "--resume", "--no-evidence"]) == 0
    assert [row.file for row in read_rows(Path("out.jsonl"))] == ["a.png", "b.png"]
    assert main(["extract", "b.png", "-o", "out.jsonl", "--overwrite"]) == 0
    assert [row.file for row in read_rows(Path("out.jsonl"))] == ["b.png"]


@pytest.mark.usefixtures("folder")
def test_wrong_outputs_are_refused_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["extract", ".", "-o", "out.ods"]) == 2
    assert "the name of a table must end in" in capsys.readouterr().err
    assert main(["extract", ".", "-o", "a.jsonl", "-o", "b.jsonl"]) == 2
    assert "name a.jsonl or b.jsonl, not both" in capsys.readouterr().err
    assert not list(Path().glob("*.jsonl"))
    for again in ("--resume", "--overwrite"):
        assert main(["extract", ".", again]) == 2
        assert "-o FILE" in capsys.readouterr().err


def test_an_output_that_cannot_be_opened_is_not_said_to_hold_results(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "out.jsonl").symlink_to(folder / "none" / "out.jsonl")
    assert main(["extract", "a.png", "-o", "out.csv"]) == 1
    assert capsys.readouterr().err == "receipt-engine: out.jsonl: No such file or directory.\n"


@pytest.mark.usefixtures("folder")
def test_a_missing_file_is_told_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["extract", "a.png", "gone.png"]) == 1
    printed = capsys.readouterr()
    assert "receipt-engine: gone.png: No such file or directory.\n" in printed.err
    error = json.loads(printed.out.splitlines()[1])["error"]
    assert error == {"type": "FileNotFoundError", "message": "No such file or directory."}


def test_an_empty_folder_is_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "empty").mkdir()
    assert main(["extract", "empty"]) == 3
    assert "empty: no pictures found; add -r" in capsys.readouterr().err
    assert main(["extract", "empty", "-r"]) == 3
    assert "-r" not in capsys.readouterr().err
    assert main(["explain", "empty", "-o", "pages"]) == 3
    assert main(["review", "empty"]) == 2
    assert not (folder / "pages").exists() and not list((folder / "empty").iterdir())


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capsys.readouterr().out == f"receipt-engine {__version__}\n"


def _start(folder: Path, *arguments: str, most: int | None = None) -> subprocess.Popen[bytes]:
    """most: bytes of the largest file that the process may write, as if its disk were full then."""

    def limited() -> None:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        if most is not None:
            import resource  # not on Windows

            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    program = folder / "program.py"
    program.write_text(PROGRAM)
    # What a shell runs in the background inherits that Ctrl-C is ignored.
    return subprocess.Popen(
        [sys.executable, str(program), *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[3])},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=limited,
    )


def _finished(folder: Path, *arguments: str) -> int:
    running = _start(folder, "extract", *arguments)
    running.communicate(timeout=60)
    return running.returncode


def _until(path: Path, lines: int) -> None:
    for _ in range(600):
        if path.exists() and path.read_bytes().count(b"\n") >= lines:
            return
        time.sleep(0.05)
    raise AssertionError(f"{path} has no {lines} lines")


@pytest.fixture
def slow(folder: Path) -> Path:
    """Forty receipts that take a tenth of a second each."""
    for number in range(40):
        text = f"!wait 0.1\n{RECEIPT.replace('Scone', f'Scone {number}')}"
        (folder / f"slow-{number:02}.png").write_text(text, encoding="utf-8")
    return folder


def test_ctrl_c_keeps_what_is_done(slow: Path) -> None:
    running = _start(slow, "extract", "slow-*.png", "-o", "out.csv", "--jobs", "2")
    _until(slow / "out.jsonl", 4)
    os.killpg(running.pid, signal.SIGINT)  # as a terminal does, to all its processes
    _, said = running.communicate(timeout=30)
    assert running.returncode == 130
    assert b"Traceback" not in said and b"40 files: " in said
    names = [row.file for row in read_rows(slow / "out.jsonl")]
    assert 4 <= len(names) < 40 and names == sorted(names)
    assert len((slow / "out.csv").read_text(encoding="utf-8-sig").splitlines()) == len(names) + 1
    assert _finished(slow, "slow-*.png", "-o", "out.csv", "--resume") == 0
    assert len(list(read_rows(slow / "out.jsonl"))) == 40


def test_after_kills_nothing_is_lost_or_read_again_once_it_was_written(slow: Path) -> None:
    out = slow / "out.jsonl"
    read: list[str] = []
    for lines in (1, 9, 22):
        running = _start(slow, "extract", "slow-*.png", "-o", "out.jsonl", "--resume", "--jobs", "2")
        _until(out, lines)
        running.kill()
        running.communicate()
        time.sleep(0.3)  # the workers see that the parent has gone
        read += [line.split('"')[3] for line in out.read_text().splitlines(keepends=True) if "\n" in line]
        assert len(set(read)) == out.read_bytes().count(b"\n")
    assert _finished(slow, "slow-*.png", "-o", "out.jsonl", "--resume", "--jobs", "2") == 0
    rows = list(read_rows(out))
    assert len({row.file for row in rows}) == len(rows) == 40
    assert all(row.found is not None for row in rows)


def test_a_reader_that_goes_away_is_no_error(slow: Path) -> None:
    running = _start(slow, "extract", "slow-*.png", "--jobs", "2")
    assert running.stdout is not None and running.stderr is not None
    running.stdout.close()  # at once: on a slow machine everything could be written before it is read
    said = running.stderr.read()
    running.stderr.close()
    assert running.wait(30) == 141
    assert said == b""


def test_a_full_disk_loses_nothing_that_was_read(slow: Path) -> None:
    out = slow / "out.jsonl"
    running = _start(slow, "extract", "slow-*.png", "-o", "out.csv", "--jobs", "2", most=30_000)
    _, said = running.communicate(timeout=60)
    assert running.returncode == 1 and b"Traceback" not in said
    assert said.splitlines()[-1].decode() == (
        "receipt-engine: out.jsonl: File too large. The results so far are kept in it; continue with "
        "--resume once it can be written."
    )
    kept = list(read_rows(out))
    assert 1 <= len(kept) < 40 and all(row.found is not None for row in kept)
    assert [path.name for path in slow.iterdir() if "out" in path.name] == ["out.jsonl"]
    assert _finished(slow, "slow-*.png", "-o", "out.csv", "--resume", "--jobs", "2") == 0
    rows = list(read_rows(out))
    assert len({row.file for row in rows}) == len(rows) == 40


@pytest.mark.parametrize("table", ["out.csv", "out.xlsx"])
def test_a_table_that_cannot_be_written_leaves_the_rows(folder: Path, table: str) -> None:
    assert main(["extract", "a.png", "b.png", "-o", "out.jsonl", "--jobs", "1"]) == 0
    (folder / table).write_text("an earlier one")
    running = _start(folder, "export", "out.jsonl", "-o", table, most=100)
    _, said = running.communicate(timeout=60)
    assert (running.returncode, said.decode()) == (1, f"receipt-engine: {table}: File too large.\n")
    assert (folder / table).read_text() == "an earlier one"
    assert {path.name for path in folder.iterdir() if "out" in path.name} == {"out.jsonl", table}


def test_a_full_disk_at_the_table_is_told_with_what_to_do(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(path: Path, rows: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setitem(export._WRITERS, ".csv", full)
    assert main(["extract", "a.png", "-o", "out.csv"]) == 1
    assert capsys.readouterr().err.splitlines()[-1] == (
        "receipt-engine: out.csv: No space left on device. All rows are in out.jsonl; once the table "
        "can be written, do so with `receipt-engine export out.jsonl -o out.csv`."
    )
    assert len(list(read_rows(folder / "out.jsonl"))) == 1
