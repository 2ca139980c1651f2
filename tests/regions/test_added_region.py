"""A country is added by a data file alone: the package is copied without it, then with it, never changed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

import receipt_engine
from receipt_engine import assets

HERE = Path(__file__).parent
REPOSITORY = HERE.parents[1]
CODE, COUNT = "pt", 24

Read = dict[str, dict[str, Any]]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package and of regions/ in which nobody has heard of the country."""
    folder = tmp_path_factory.mktemp("package")
    without_caches = shutil.ignore_patterns("__pycache__", "_data")
    shutil.copytree(Path(receipt_engine.__file__).parent, folder / "receipt_engine", ignore=without_caches)
    shutil.copytree(assets.folder("regions"), folder / "regions")
    (folder / "regions" / f"{CODE}.toml").unlink()
    (folder / "models").symlink_to(assets.folder("models"))
    (folder / "scripts").symlink_to(REPOSITORY / "scripts")
    return folder


@pytest.fixture(scope="module")
def read(copy: Path) -> list[Read]:
    """Receipts read as text by the copy, once the file was added."""
    refused = _python(copy, "-c", f"from receipt_engine.region import load_region; load_region({CODE!r})")
    assert refused.returncode != 0
    assert f"There is no region {CODE!r}" in refused.stderr
    shutil.copy(HERE / "added" / f"{CODE}.toml", copy / "regions")
    found = _drawn(copy, str(COUNT))
    assert len(found) == COUNT
    return found


def _drawn(copy: Path, what: str) -> list[Read]:
    done = _python(copy, str(HERE / "read_drawn.py"), CODE, what)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def _python(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PYTHONPATH": str(folder), "PYTHONIOENCODING": "utf-8"}
    return subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, text=True, timeout=300
    )


def _right(receipt: Read, field: str) -> bool:
    truth, result = receipt["truth"], receipt["result"]
    accepted = [truth[field], *truth.get(f"{field}_any", ())]
    return any(_comparable(result[field]) == _comparable(value) for value in accepted)


def _comparable(value: Any) -> Any:
    if isinstance(value, list):
        return sorted(map(_comparable, value))
    return Decimal(str(value)) if isinstance(value, int | float) else value


@pytest.mark.parametrize(
    ("field", "least"), [("currency", 1.0), ("total", 0.95), ("date", 0.95), ("taxes", 0.9)]
)
def test_receipts_of_the_new_country_are_read(read: list[Read], field: str, least: float) -> None:
    wrong = [
        (receipt["truth"][field], receipt["result"][field]) for receipt in read if not _right(receipt, field)
    ]
    assert len(wrong) <= (1 - least) * COUNT, wrong


@pytest.mark.needs("a font with accents")
@pytest.mark.usefixtures("read")  # which adds the file
def test_a_picture_from_the_new_country_is_read(copy: Path) -> None:
    (picture,) = _drawn(copy, "picture")
    assert [field for field in ("total", "date", "currency", "taxes") if not _right(picture, field)] == []
    assert len(picture["result"]["lineItems"]) == len(picture["truth"]["lineItems"])


def test_its_examples_are_run(copy: Path, read: list[Read]) -> None:
    """The file's own examples pass the one test that runs those of every file."""
    tests = copy / "tests"
    shutil.copytree(HERE, tests, ignore=shutil.ignore_patterns("__pycache__", "test_added_region.py"))
    done = _python(
        copy, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tests / "test_examples.py"), "-k", CODE
    )
    assert done.returncode == 0, done.stdout
