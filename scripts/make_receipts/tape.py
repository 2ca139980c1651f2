"""Represents the printed strip as rows of text on a grid of columns, for drawing."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Row:
    """One printed row: text, a ruled line, a logo or a barcode.

    style: any of bold, big (twice as wide and high), tall (twice as high), small, center, right, invert.
    """

    text: str = ""
    style: tuple[str, ...] = ()
    rule: str = ""
    logo: str = ""
    barcode: tuple[str, str] | None = None

    def label(self) -> dict[str, Any]:
        """The row as labels.jsonl writes it."""
        if self.rule:
            return {"rule": self.rule}
        if self.logo:
            return {"logo": self.logo}
        if self.barcode:
            data, kind = self.barcode
            return {"barcode": kind, "data": data}
        return {"t": self.text, "s": " ".join(self.style)} if self.style else {"t": self.text}


def columns(text: str) -> int:
    """Width of a text in columns: East Asian wide characters take two, combining marks none.

    >>> columns("合計 A")
    6
    """
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.category(char) == "Mn" else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in text
    )


def cut(text: str, width: int) -> str:
    """As much of the text as fits."""
    while text and columns(text) > width:
        text = text[:-1]
    return text.rstrip()


def pad(text: str, width: int, *, right: bool = False) -> str:
    """The text padded with spaces on the right, or on the left for right-aligned text."""
    blanks = " " * max(0, width - columns(text))
    return blanks + text if right else text + blanks


def wrap(text: str, width: int) -> list[str]:
    """Lines of whole words where they fit, cut words where they do not."""
    width = max(width, 2)
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if columns(longer) <= width:
            line = longer
            continue
        if line:
            lines.append(line)
        while columns(word) > width:
            head = cut(word, width)
            lines.append(head)
            word = word[len(head) :]
        line = word
    return [*lines, line] if line else lines


@dataclass(slots=True)
class Tape:
    """Collects rows. width: in columns of normal size."""

    width: int
    rows: list[Row] = field(default_factory=list)

    def room(self, style: str = "") -> int:
        """Columns of a row in that style."""
        return self.width // 2 if "big" in style.split() else self.width

    def line(self, text: str, style: str = "") -> None:
        """Adds a row of text; longer ones are wrapped."""
        for part in wrap(text, self.room(style)) or [""]:
            self.rows.append(Row(part, tuple(style.split())))

    def raw(self, text: str, style: str = "") -> None:
        """Adds a row exactly as given, except trailing spaces."""
        self.rows.append(Row(text.rstrip(), tuple(style.split())))

    def pair(self, left: str, right: str, style: str = "") -> str:
        """Adds left text and an amount at the right edge; returns the left text that fitted."""
        room = self.room(style)
        left = cut(left, max(0, room - columns(right) - 1))
        self.raw(left + pad(right, room - columns(left), right=True), style)
        return left

    def rule(self, mark: str) -> None:
        """Adds a ruled line, or an empty row for ""; never two equal ones in a row."""
        row = Row(rule=mark) if mark else Row()
        if self.rows and self.rows[-1] != row:
            self.rows.append(row)

    def blank(self) -> None:
        if self.rows and self.rows[-1] != Row():
            self.rows.append(Row())

    def barcode(self, data: str, kind: str) -> None:
        self.rows.append(Row(barcode=(data, kind)))

    def logo(self, text: str) -> None:
        self.rows.append(Row(logo=text))
