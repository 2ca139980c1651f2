"""Formats tables of numbers for the terminal, for Markdown and for JSON."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Cell = str | int | float | None
#: text: unchanged. count: a whole number. share: 0 to 1, shown in per cent. score: 0 to 1, three decimals.
#: number: one decimal.
Kind = Literal["text", "count", "share", "score", "number"]


@dataclass(frozen=True, slots=True)
class Table:
    """columns: name → kind. detail: only for reports and JSON, too long for the terminal."""

    title: str
    columns: Mapping[str, Kind]
    rows: Sequence[Sequence[Cell]]
    note: str = ""
    detail: bool = False

    def cells(self) -> list[list[str]]:
        """The rows as display text."""
        kinds = list(self.columns.values())
        return [[show(cell, kind) for cell, kind in zip(row, kinds, strict=True)] for row in self.rows]

    def to_dict(self) -> dict[str, Any]:
        return {
            "title": self.title,
            "note": self.note,
            "rows": [dict(zip(self.columns, row, strict=True)) for row in self.rows],
        }

    def to_markdown(self) -> str:
        head = "| " + " | ".join(self.columns) + " |"
        rule = "|" + "|".join("---" if kind == "text" else "---:" for kind in self.columns.values()) + "|"
        body = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in self.cells()]
        note = [self.note, ""] if self.note else []
        return "\n".join([f"## {self.title}", "", *note, head, rule, *body, ""])

    def to_text(self) -> str:
        shown = [list(self.columns), *self.cells()]
        widths = [max(_width(row[at]) for row in shown) for at in range(len(self.columns))]
        right = [kind != "text" for kind in self.columns.values()]
        lines = ["  ".join(map(_pad, row, widths, right)).rstrip() for row in shown]
        return "\n".join([self.title, *lines, *([self.note] if self.note else []), ""])


def show(cell: Cell, kind: Kind) -> str:
    """One cell as text; None becomes a dash."""
    if cell is None:
        return "-"
    if isinstance(cell, str):
        return cell
    if kind == "share":
        return f"{100 * cell:.1f}"
    if kind == "score":
        return f"{cell:.3f}"
    if kind == "number":
        return f"{cell:.1f}"
    return str(cell)


def interval(bounds: tuple[float, float], kind: Kind = "share") -> str:
    """An interval as text, formatted like a value of the kind."""
    return f"{show(bounds[0], kind)}–{show(bounds[1], kind)}"


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def _pad(text: str, width: int, flush_right: bool) -> str:
    space = " " * (width - _width(text))
    return space + text if flush_right else text + space
