"""docs/licences.md names every file of models, data and pictures, and no file that is gone."""

from __future__ import annotations

import re
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "licences.md"
#: Folders whose files come from somewhere, and the endings of what is written here as code or prose.
FOLDERS = ("models", "regions", "examples", "tests", "docs", "benchmarks", "receipt_engine", "scripts")
OURS = {".py", ".md", ".pyc", ".typed", ".sh", ".mjs", ".yaml", ".yml", ".service"}
#: Settings of the project's own tests.
SETTINGS = {"benchmarks/gate.toml", "tests/architecture/readme.toml"}


def patterns() -> list[tuple[str, str]]:
    """(pattern of file names, licence) of every row of the table."""
    rows = re.findall(r"^\| (`.*?) \|.*\| (.+?) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return [(pattern, licence) for files, licence in rows for pattern in re.findall(r"`([^`]+)`", files)]


def files() -> list[str]:
    found = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.is_file()]
    names = [path.relative_to(ROOT).as_posix() for path in found if path.suffix not in OURS]
    return [name for name in names if "__pycache__" not in name and "/_data/" not in name]


def fits(name: str, pattern: str) -> bool:
    """A star stands for no slash."""
    return name.count("/") == pattern.count("/") and fnmatch(name, pattern)


def test_every_file_has_a_row() -> None:
    known = [pattern for pattern, _ in patterns()]
    missing = [n for n in files() if n not in SETTINGS and not any(fits(n, pattern) for pattern in known)]
    assert missing == [], "add them to docs/licences.md, with their source and licence"


def test_every_row_has_a_file() -> None:
    there = files()
    assert [p for p, _ in patterns() if not any(fits(name, p) for name in there)] == []


def test_the_manifest_says_the_same() -> None:
    manifest = tomllib.loads((ROOT / "models" / "manifest.toml").read_text(encoding="utf-8"))
    for entry in manifest["file"]:
        licences = [licence for p, licence in patterns() if fits(f"models/{entry['name']}", p)]
        assert licences and all(licence.startswith(entry["licence"]) for licence in licences), entry["name"]


@pytest.mark.parametrize(
    ("work", "licence"),
    [
        ("PP-OCRv6", "Apache License"),
        ("Common Locale Data", "LICENSES/Unicode-3.0.txt"),
        ("GeoNames", "LICENSES/CC-BY-4.0.txt"),
        ("Name Suggestion Index", "LICENSES/BSD-3-Clause-name-suggestion-index.txt"),
        ("wordfreq", "CC BY-SA 4.0"),
    ],
)
def test_the_notice_names_what_is_not_ours(work: str, licence: str) -> None:
    notice = (ROOT / "NOTICE").read_text(encoding="utf-8")
    assert work in notice and licence in notice


def test_the_licence_of_geonames_is_whole() -> None:
    text = (ROOT / "LICENSES" / "CC-BY-4.0.txt").read_text(encoding="utf-8")
    assert text.startswith("Creative Commons Attribution 4.0 International") and "Section 8" in text


def test_the_unicode_licence_is_whole() -> None:
    text = (ROOT / "LICENSES" / "Unicode-3.0.txt").read_text(encoding="utf-8")
    assert text.startswith("UNICODE LICENSE V3") and "AS IS" in text and "Unicode, Inc." in text
