"""Every command line that the README and the documentation show is run as it stands there.

Console blocks are `test_page_examples`' own. Here are the others: lines of plain blocks, and commands within
a text. Words that stand for something, such as FOLDER, become it; the commands of a page share a folder. What
cannot be run here is tested elsewhere, which `ELSEWHERE` tells. A command without what it works on is a
mention: then what it names must be there.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from receipt_engine.batch import Row
from receipt_engine.result import Result
from receipt_engine.review import Answer, Corrections, corrections_path

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\S*).*?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMAND = r"(?:receipt-engine|python -m|pip|bash|pytest|time) \S.*"
#: How a command begins → what runs it.
ELSEWHERE = {
    "pip install .": "scripts/run_readme.py",
    "bash .ci/run": ".ci/run",
    "pytest tests/regions": "tests/regions",
    "receipt-engine serve": "tests/service/test_commands.py",
    # They need programs and packages of others.
    "python -m benchmarks compare": "tests/unit/benchmarks/test_benchmark_compare.py",
    "python -m benchmarks speed": "tests/unit/benchmarks/test_benchmark_protocols.py",
    # It needs the receipts that the project was developed on.
    "python -m benchmarks copied": "tests/unit/benchmarks/test_benchmark_copied.py",
    "python -m scripts.paddle_folders": "tests/unit/test_paddle.py",
}
#: A word in capitals → what it stands for, unless what stands before it tells otherwise.
STANDS_FOR = {
    "PATH…": "receipt.jpg",
    "FILE": "receipt.jpg",
    "FOLDER": "shoebox",
    "DIR": "shoebox",
    "OUT": "drawn",
}
BEHIND = {"check DIR": "check my-regions", "--labels DIR": "--labels corrected", "show ID": "show 0001"}
#: Of as many drawn receipts one is enough.
FEWER = {"--count 50": "--count 1"}


def commands(page: Path) -> list[str]:
    """The command lines of a page, in their order, as they are shown but for what is said behind them."""
    text = page.read_text(encoding="utf-8")
    found: dict[int, str] = {}
    for block in BLOCK.finditer(text):
        for line in re.finditer(rf"^{COMMAND}$", block[2], re.MULTILINE) if block[1] in ("", "sh") else ():
            words, *behind = re.split(r"\s{2,}|\s+#\s", line[0])
            options = (part for part in behind if part.startswith("["))
            found[block.start(2) + line.start()] = re.sub(r"[][]", "", " ".join([words, *options]))
    prose = BLOCK.sub(lambda block: " " * len(block[0]), text)
    found |= {
        quoted.start(): quoted[1] for quoted in re.finditer(rf"`({COMMAND.replace('.*', '[^`]*')})`", prose)
    }
    return [found[at] for at in sorted(found)]


def is_mention(command: str) -> bool:
    """Whether a command stands for all of its uses: "receipt-engine review", "python -m scripts.refit"."""
    program, *rest = command.removeprefix("python -m ").split()
    return len(rest) == (program == "receipt-engine") and command != "receipt-engine models"


def run_elsewhere(command: str) -> str | None:
    return next((where for start, where in ELSEWHERE.items() if command.startswith(start)), None)


EVERY = [(page, command) for page in PAGES for command in commands(page)]
RUN = {
    page: own
    for page in PAGES
    if (own := [c for p, c in EVERY if p == page and not is_mention(c) and not run_elsewhere(c)])
}


def as_typed(command: str) -> str:
    for shown, typed in (BEHIND | FEWER).items():
        command = command.replace(shown, typed)
    return " ".join(STANDS_FOR.get(word, word) for word in command.split())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A labelled shoebox with one receipt, a folder of regions, a list of merchants, the command."""
    for name in ("receipt.jpg", "examples/receipt.jpg", "shoebox/1.jpg"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / "examples" / "receipt.jpg", tmp_path / name)
    total = json.loads((ROOT / "examples" / "receipt.json").read_text("utf-8"))["total"]
    label = {"id": "0001", "image": "1.jpg", "fields": {"total": total}}
    (tmp_path / "shoebox" / "labels.jsonl").write_text(json.dumps(label) + "\n", encoding="utf-8")
    (tmp_path / "my-regions").mkdir()
    shutil.copy(ROOT / "regions" / "nz.toml", tmp_path / "my-regions")
    (tmp_path / "merchants.csv").write_text("name\nCorner Deli\n", encoding="utf-8")
    (tmp_path / "bin").mkdir()
    for name, words in (("receipt-engine", "-m receipt_engine"), ("python", "")):
        command = tmp_path / "bin" / name
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}" {words} "$@"\n')
        command.chmod(0o755)
    return tmp_path


def _reviewed(results: Path) -> None:
    """Results of the shoebox, one field of which a person has looked at."""
    digest = hashlib.sha256((ROOT / "examples" / "receipt.jpg").read_bytes()).hexdigest()
    row = Row(file="shoebox/1.jpg", sha256=digest, result=Result(establishment="Cafe", total=None))
    results.write_text(f"{row.to_json()}\n", encoding="utf-8")
    named = {"file": row.file, "sha256": row.sha256, "page": 1, "receipt": 1}
    Corrections(corrections_path(results)).add(
        msgspec.convert({**named, "field": "total", "value": "7.30"}, Answer)
    )


def _run(folder: Path, command: str) -> None:
    own = {
        "PYTHONPATH": str(ROOT),
        "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(folder),
        "XDG_DATA_HOME": str(folder / "data"),
        "BROWSER": "true",
    }
    running = subprocess.Popen(
        ["bash", "-c", f"exec {command}" if command.startswith("receipt-engine review") else command],
        cwd=folder,
        env={**os.environ, **own},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        # What a shell runs in the background inherits that Ctrl-C is ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert running.stdout is not None
    if command.startswith("receipt-engine review"):
        assert any("http://127.0.0.1" in line for line in running.stdout), command
        running.send_signal(signal.SIGINT)
    said, _ = running.communicate(timeout=600)
    assert running.returncode == 0, f"{command}\n{said}"


@pytest.mark.skipif(os.name == "nt", reason="commands are written for a shell")
@pytest.mark.parametrize("page", RUN, ids=lambda page: page.stem)
def test_commands_run_as_they_stand(page: Path, folder: Path) -> None:
    for command in RUN[page]:
        typed = as_typed(command)
        read = re.search(r"(?:review|summary|export) (\S+\.jsonl)", typed)
        if read is not None and not (folder / read[1]).exists():
            _reviewed(folder / read[1])
        _run(folder, typed)


def test_what_runs_elsewhere_is_there() -> None:
    used = {run_elsewhere(command) for _, command in EVERY} - {None}
    assert used == set(ELSEWHERE.values())
    assert all((ROOT / where).exists() for where in ELSEWHERE.values())


def test_mentions_name_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    from receipt_engine.cli import main

    for _, command in EVERY:
        program, *rest = command.removeprefix("python -m ").split()
        if not is_mention(command) or run_elsewhere(command):
            continue
        if program == "receipt-engine":
            with pytest.raises(SystemExit) as ended:
                main([*rest, "--help"])
            assert ended.value.code == 0, command
        else:
            assert importlib.util.find_spec(program) is not None, command


def test_the_readme_and_the_pages_have_their_commands() -> None:
    assert len(EVERY) > 50
    assert {"README", "batch", "review", "benchmarks", "scale"} <= {page.stem for page in RUN}
