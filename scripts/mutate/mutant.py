"""Defines a small change to one file's source."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "receipt_engine" / "stages"


@dataclass(frozen=True)
class Mutant:
    """One expression or statement of a file, and its replacement.

    path: relative to the checkout; first, last: lines, from 1; start, end: offsets into the UTF-8 bytes;
    name: that of the changed module-level constant, "" elsewhere.
    """

    path: str
    first: int
    last: int
    start: int
    end: int
    instead: str
    kind: str
    name: str = ""

    @cached_property
    def before(self) -> str:
        return (ROOT / self.path).read_text(encoding="utf-8")

    @cached_property
    def after(self) -> str:
        """The file's source with the change."""
        source = self.before.encode()
        return (source[: self.start] + self.instead.encode() + source[self.end :]).decode()

    @property
    def module(self) -> str:
        return self.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    @property
    def room(self) -> str:
        """The folder of the tests that mirror the file's folder."""
        return "tests/unit/" + str(Path(self.path).parent.relative_to("receipt_engine")) + "/"

    @property
    def stage(self) -> str:
        """The folder of the tests of the whole stage."""
        return "/".join(self.room.split("/")[:4]) + "/"

    def diff(self) -> str:
        """The changed lines, without context."""
        lines = difflib.unified_diff(self.before.splitlines(), self.after.splitlines(), lineterm="", n=0)
        return "\n".join(line for line in lines if not line.startswith(("---", "+++", "@@")))
