"""Every example of the documentation, as a reader would type it.

The python blocks of a page are one program. A text block right behind one is what it prints, and what stands
below a command of a console block is what that prints; `...` stands for anything. A block with a title is a
file. Each page has a folder to itself, with a receipt and a shoebox in it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)
#: Outputs of OCR engines, as pages name them.
OUTPUTS = ROOT / "tests" / "unit" / "adapters" / "recorded"
#: Parts the output of one block from that of the next.
MARK = "\x1f"


@dataclass(frozen=True)
class Example:
    """What is run, and what it must print; None where the page does not say."""

    code: str
    printed: str | None


def blocks(page: Path) -> list[tuple[str, str, str]]:
    """(language, title, text) of each block of a page that is not the service's."""
    return [match.groups("") for match in BLOCK.finditer(page.read_text(encoding="utf-8"))]  # type: ignore[misc]


def programs(page: Path) -> list[Example]:
    text = page.read_text(encoding="utf-8")
    found = []
    for match in BLOCK.finditer(text):
        if match[1] == "python":
            follows = re.match(r"\s*^```text\n(.*?)^```$", text[match.end() :], re.MULTILINE | re.DOTALL)
            found.append(Example(match[3], follows[1] if follows else None))
    return found


def commands(page: Path) -> list[Example]:
    found = []
    for language, _, text in blocks(page):
        if language == "console":
            for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
                command, _, printed = part.partition("\n")
                found.append(Example(command, printed or None))
    return found


PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
WITH_PYTHON = [page for page in PAGES if programs(page)]
WITH_COMMANDS = [page for page in PAGES if commands(page)]


@pytest.fixture
def folder(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """Where a page is read: its files, a receipt, a shoebox, regions of one's own, the command."""
    receipt = ROOT / "examples" / "receipt.jpg"
    for name in ("receipt.jpg", "examples/receipt.jpg", "shoebox/1.jpg"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(receipt, tmp_path / name)
    (tmp_path / "shoebox" / "notes.jpg").write_text("milk, eggs")
    for output in OUTPUTS.iterdir():
        shutil.copy(output, tmp_path)
    for _, title, text in blocks(request.getfixturevalue("page")):
        if title:
            (tmp_path / title).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / title).write_text(text, encoding="utf-8")
    command = tmp_path / "bin" / "receipt-engine"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m receipt_engine "$@"\n')
    command.chmod(0o755)
    return tmp_path


def run(folder: Path, *command: str) -> str:
    own = {
        "PYTHONPATH": str(ROOT),
        "PYTHONIOENCODING": "utf-8",
        "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(folder),
        "XDG_DATA_HOME": str(folder / "data"),
    }
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **own},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=600,
    )
    assert done.returncode == 0, f"{command[-1]}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def agrees(printed: str, expected: str) -> bool:
    """Whether a text is as a page says, whose dots stand for anything."""
    pattern = ".*?".join(re.escape(part.strip("\n")) for part in expected.split("..."))
    return re.fullmatch(rf"\s*{pattern}\s*", printed, re.DOTALL) is not None


@pytest.mark.parametrize("page", WITH_PYTHON, ids=lambda page: page.stem)
def test_python(page: Path, folder: Path) -> None:
    examples = programs(page)
    file = folder / "example.py"
    file.write_text(f"print({MARK!r})\n".join(example.code for example in examples), encoding="utf-8")
    printed = run(folder, sys.executable, "-W", "error", str(file)).split(MARK)
    assert len(printed) == len(examples)
    for example, found in zip(examples, printed, strict=True):
        if example.printed is not None:
            assert agrees(found, example.printed), f"{example.code}\nprints\n{found}"


@pytest.mark.skipif(os.name == "nt", reason="commands are written for a shell")
@pytest.mark.parametrize("page", WITH_COMMANDS, ids=lambda page: page.stem)
def test_console(page: Path, folder: Path) -> None:
    for example in commands(page):
        found = run(folder, "sh", "-c", f"({example.code}) 2>&1")
        assert example.printed is None or agrees(found, example.printed), f"{example.code}\nprints\n{found}"


def test_there_are_examples() -> None:
    assert {"README", "python", "batch", "adding-a-country"} <= {page.stem for page in WITH_PYTHON}
    assert {"index", "adding-a-country"} <= {page.stem for page in WITH_COMMANDS}
