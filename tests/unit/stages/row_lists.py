"""Lists of small prints and what a stage says of them: how sure a finder is, and what else it may be, decide
further down, so they are part of what a stage promises.

A row of a list is `country: row | row | … => what is found`; a line that begins with "#" says which rule the
rows below it show. A rule that is changed on purpose changes rows: `python -m tests.unit.stages.renew_lists`
writes the lists anew, and the difference is part of the review.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from receipt_engine.document import Found


class RowList:
    """One list. describe: what is found in a print of a country, by its code and its rows."""

    def __init__(self, path: Path, describe: Callable[[str, Sequence[str]], Iterable[str]]) -> None:
        self._path = path
        self._describe = describe
        self._lines = path.read_text(encoding="utf-8").splitlines()

    @property
    def rows(self) -> list[str]:
        return [line for line in self._lines if " =>" in line]

    def result_of(self, row: str) -> str:
        """The row as it should stand."""
        print_ = row.partition(" =>")[0]
        country, _, text = print_.partition(": ")
        return f"{print_} => " + ("; ".join(self._describe(country, text.split(" | "))) or "nothing")

    def write(self) -> None:
        """The list anew, each row as it should stand."""
        lines = [self.result_of(line) if " =>" in line else line for line in self._lines]
        self._path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def sure(name: str, found: Found | None) -> Iterable[str]:
    """What was found, how surely, and what else it may be."""
    if found is None:
        return
    others = "".join(f", or {value} {score:g}" for value, score in found.runners_up)
    yield f"{name} {found.value} {found.confidence:g}{others}".lstrip()
