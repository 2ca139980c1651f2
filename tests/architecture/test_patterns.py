"""Patterns that every supported Python reads alike."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import receipt_engine
from receipt_engine import assets

#: A possessive or atomic group. Python 3.11.0 to 3.11.4 forget to step back when one fails half way.
_POSSESSIVE_GROUP = re.compile(r"\)(?:[*+?]|\{[\d,]+\})\+|\(\?>")
_PACKAGE = Path(receipt_engine.__file__).parent


@pytest.mark.parametrize(
    "folder",
    [_PACKAGE, assets.folder("regions")],
    ids=["code", "data"],
)
def test_no_pattern_has_a_possessive_group(folder: Path) -> None:
    files = [f for f in folder.rglob("*") if f.suffix in (".py", ".toml")]
    assert files
    assert [f.name for f in files if _POSSESSIVE_GROUP.search(f.read_text(encoding="utf-8"))] == []
