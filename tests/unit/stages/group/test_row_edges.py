"""Where rows, words and columns begin and end: spans that move step by step, and the rows that they make.

edges.txt lists them: `what moves: step | step | … => the rows`, "/" between two.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np
import pytest

from receipt_engine.document import Char, Quad, Span
from receipt_engine.stages.group import group
from receipt_engine.stages.group.frame import Block, align_columns
from tests.unit.stages.row_lists import RowList

HIGH = 20.0


def span(text: str, left: float, top: float, height: float = HIGH, turn: float = 0.0) -> Span:
    """Text of ten pixels a letter. turn: in degrees about the page's corner."""
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    right, bottom = left + 10 * len(text), top + height
    corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
    quad = Quad(*((x * c - y * s, x * s + y * c) for x, y in corners))
    step = 1 / len(text)
    chars = tuple(Char(letter, 0.99, k * step, (k + 1) * step) for k, letter in enumerate(text))
    return Span(text, 0.99, quad, chars)


def rows(*spans: Span) -> str:
    return " / ".join(line.text for line in group(spans))


def around(*spans: Span) -> str:
    """With level rows above and below."""
    return rows(*(span(f"ROW{k}", 0, 200 + 40 * k) for k in range(4)), *spans).removesuffix(
        " / ROW0 / ROW1 / ROW2 / ROW3"
    )


def blank(chance: float, before: str = "MAPLE", behind: str = "BAKERY") -> str:
    """A row with a blank that "nothing" beat."""
    letters = [*before, "", *behind]
    step = 1 / len(letters)
    doubted = (("", 1 - chance), (" ", chance))
    chars = tuple(
        Char(letter, 0.99, k * step, (k + 1) * step, () if letter else doubted)
        for k, letter in enumerate(letters)
    )
    (line,) = group([Span(before + behind, 0.99, Quad((0, 0), (200, 0), (200, 20), (0, 20)), chars)])
    return line.text


def letters(gap: float, wide: float, at: int = 3) -> str:
    """Eight spaced letters, one gap among them wider."""
    lefts = np.cumsum([0, *(10 + (gap * wide if k == at else gap) for k in range(1, 8))])
    return rows(*(span(letter, float(left), 0) for letter, left in zip("BLUEDOOR", lefts, strict=True)))


def column(
    shift: float = 0.0, stretch: float = 0.0, count: int = 8, pitch: float = 24.0, left: float = 330.0
) -> str:
    """How far an amount column beside names comes back, in tenths of a text height: first and last row."""
    high = 18.0
    names = [Block(0.0, 200.0, pitch * k, high, False) for k in range(count)]
    middle = pitch * (count - 1) / 2
    amounts = [
        Block(left, 400.0, pitch * k - shift * high + stretch * (pitch * k - middle), high, True)
        for k in range(count)
    ]
    moved = align_columns([*names, *amounts])[count:] / high * 10
    return f"{moved[0] + 0:.0f} {moved[-1] + 0:.0f}"


def some(met: int) -> str:
    """The same when so many of eight amounts meet their names and the others stand half a row high."""
    names = [Block(0.0, 200.0, 40.0 * k, 18.0, False) for k in range(8)]
    amounts = [Block(330.0, 400.0, 40.0 * k - 9 * (k >= met), 18.0, True) for k in range(8)]
    return f"{align_columns([*names, *amounts])[-1] / 1.8 + 0:.0f}"


EDGES: dict[str, Callable[[float], str]] = {
    "neighbour hangs low": lambda d: around(span("BREAD", 0, 0), span("2.50", 100, d)),
    "neighbour hangs high": lambda d: around(span("BREAD", 0, 60), span("2.50", 100, 60 - d)),
    "neighbour is larger": lambda h: around(span("BREAD", 0, 40), span("2.50", 100, 50 - h / 2, height=h)),
    "neighbour covers": lambda d: around(span("BREAD", 0, 0), span("2.50", 50 - d, 8)),
    "far off, one nearer in height": lambda x: around(
        span("BREAD", 0, 0), span("2.50", 60 + x, 4), span("A", 60, 9)
    ),
    "turn of the page": lambda a: rows(
        *(span(f"BREAD{k}", 0, 40 * k, turn=a) for k in range(4)),
        *(span(f"{k}.50", 300, 40 * k, turn=a) for k in range(4)),
    ),
    "chance of a blank": lambda p: blank(p),
    "chance of a blank behind a mark": lambda p: blank(p, "MAPLE,", "BAKERY"),
    "letters before a blank": lambda n: blank(0.4, "MAPLE"[: int(n)], "BAKERY"),
    "letters behind a blank": lambda n: blank(0.4, "MAPLE", "BAKERY"[: int(n)]),
    "letters with a wide gap": lambda w: letters(10, w),
    "letters with a gap of a row": lambda w: letters(10, w, at=7),
    "number of spaced letters": lambda n: rows(
        *(span(letter, 20 * k, 0) for k, letter in enumerate("BLUEDOOR"[: int(n)]))
    ),
    "amounts hang": lambda d: column(shift=d),
    "amounts hang in wide rows": lambda d: column(shift=d, pitch=40),
    "amounts lean": lambda d: column(stretch=d, pitch=40),
    "rows of a leaning column": lambda n: column(shift=0.5, count=int(n), pitch=40),
    "left edge of the amounts": lambda x: column(shift=0.5, left=x, pitch=40),
    "amounts that meet": lambda n: some(int(n)),
}


def _describe(name: str, steps: Sequence[str]) -> Iterable[str]:
    return (EDGES[name](float(step)) for step in steps)


LIST = RowList(Path(__file__).parent / "edges.txt", _describe)


@pytest.mark.parametrize("row", LIST.rows)
def test_where_rows_begin_and_end(row: str) -> None:
    assert LIST.result_of(row) == row


if __name__ == "__main__":
    LIST.write()
