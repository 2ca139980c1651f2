"""Where one paper ends and another begins: papers that are laid apart step by step, and how many are found;
and when two results are one purchase.

edges.txt lists them: `what changes: step | step | … => what is found`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

from receipt_engine.result import LineItem, Result
from receipt_engine.stages.papers import choose_receipts, find_papers
from receipt_engine.stages.papers.cut import cut_out
from receipt_engine.stages.papers.separate import separate
from tests.unit.stages.papers.laid import HEIGHT, MARGIN, PITCH, ROWS, WIDTH, Laid, picture
from tests.unit.stages.row_lists import RowList

Rows = Sequence[tuple[str, str]]
DATED: Rows = (("CORNER SHOP", ""), ("05/06/2024", ""), *ROWS[1:])
LONG: Rows = (*ROWS, *ROWS)
LONG_DATED: Rows = (*DATED, *ROWS)
#: Where a second paper's text begins right behind the first one's.
BESIDE = 20 + WIDTH - 2 * MARGIN


def papers(*laid: Laid, surface: int = 250, paper: int = 250, size: tuple[int, int] = (800, 800)) -> str:
    page, spans = picture(laid, surface=surface, paper=paper, size=size)
    return " ".join(
        f"{len(g.members)}{'' if g.has_edge else '~'}" for g in separate(page.image, spans).groups
    )


def beside(gap: float, rows: Rows, tone: int | None = None, turn: float = 0.0) -> str:
    return papers(Laid(20, 20, rows=rows), Laid(BESIDE + gap, 20, rows=rows, tone=tone, turn=turn))


def below(gap: float, rows: Rows, tone: int | None = None) -> str:
    top = 20 + PITCH * (len(rows) - 1) + HEIGHT + gap
    return papers(Laid(20, 20, rows=rows), Laid(20, top, rows=rows, tone=tone))


def on_table(level: int, apart: float = 60) -> str:
    """Two white papers on a surface of a level."""
    return papers(Laid(20, 20), Laid(20 + WIDTH + apart, 20), surface=level, paper=235)


def noisy(sigma: float) -> str:
    page, spans = picture([Laid(20, 20), Laid(320, 20)], surface=90, paper=235)
    noise = np.random.default_rng(2).normal(0, sigma, page.image.shape[:2])[:, :, None]
    grey = np.clip(page.image + noise, 0, 255).astype(np.uint8)
    return " ".join(str(len(g.members)) for g in separate(grey, spans).groups)


def judged(count: int, amounts: int, score: float = 0.98) -> str:
    """A second paper of so many rows, some with amounts."""
    rows = [(f"Article {k}", "1.20" if k < amounts else "") for k in range(count)]
    page, spans = picture([Laid(20, 20), Laid(320, 20, rows=rows)], surface=90, paper=235)
    first = sum(len([t for t in row if t]) for row in ROWS)
    spans = tuple(replace(s, score=score) if k >= first else s for k, s in enumerate(spans))
    return " ".join(str(len(g.members)) for g in separate(page.image, spans).groups)


def askew(degrees: float) -> str:
    page, spans = picture([Laid(300, 300, turn=degrees)])
    return str(len(find_papers(page, spans).cuts))


def cut(turn: float) -> str:
    """Size of the page that a turned paper becomes."""
    page, spans = picture([Laid(300, 300, turn=turn)])
    found, _ = cut_out(page, spans, range(len(spans)))
    return f"{4 * round(found.width / 4)}x{4 * round(found.height / 4)}"


def result(
    total: str = "7.00",
    *,
    time: str = "12:00:00",
    items: int = 3,
    sure: float = 0.95,
    date: bool = True,
    tip: str | None = None,
    shop: float | None = None,
    valid: bool = False,
) -> Result:
    return Result(
        total=Decimal(total),
        total_confidence=sure,
        validated_total=valid,
        date=f"2024-05-06 {time}" if date else None,
        tip=None if tip is None else Decimal(tip),
        establishment=None if shop is None else "CORNER SHOP",
        establishment_confidence=shop,
        line_items=(LineItem(line_total=Decimal(1)),) * items,
    )


def chosen(*results: Result, has_edge: bool = True) -> str:
    return " ".join("+".join(map(str, one)) for one in choose_receipts(results, [has_edge] * len(results)))


EDGES: dict[str, Callable[[float], str]] = {
    "gap beside, without days": lambda g: beside(g, LONG),
    "gap beside, with days": lambda g: beside(g, LONG_DATED),
    "gap beside, with days and a seam": lambda g: beside(g, LONG_DATED, tone=220),
    "gap below, without days": lambda g: below(g, LONG),
    "gap below, with days": lambda g: below(g, LONG_DATED),
    "gap below, with days and a seam": lambda g: below(g, LONG_DATED, tone=220),
    "tone behind a seam": lambda t: beside(14, LONG_DATED, tone=int(t)),
    "turn beside a gap": lambda a: beside(40, LONG, turn=a),
    "turn beside a gap, with days": lambda a: beside(90, LONG_DATED, turn=a),
    "rows beside a wide gap": lambda n: beside(60, LONG[: int(n)]),
    "level of the table": lambda level: on_table(int(level)),
    "strip of table between": lambda d: on_table(90, apart=d),
    "noise of the picture": noisy,
    "rows of the second paper": lambda n: judged(int(n), 4),
    "amounts of the second paper": lambda n: judged(8, int(n)),
    "score of the second paper": lambda s: judged(8, 0, s),
    "turn of one paper": askew,
    "size of a turned paper": cut,
    "minutes apart": lambda m: chosen(result("7.00"), result("8.00", time=f"12:{int(m):02}:00")),
    "minutes apart, one total": lambda m: chosen(result(), result(time=f"12:{int(m):02}:00")),
    "tip on the slip": lambda t: chosen(
        result("10.00"), result(str(10 + t), items=0, tip=str(t), time="18:00:00")
    ),
    "sure of the total": lambda s: chosen(result(), result("8.00", sure=s, items=0)),
    "products without a date": lambda n: chosen(result(), result("8.00", items=int(n), date=False)),
    "one product, a shop so sure": lambda s: chosen(
        result(), result("8.00", items=1, date=False, shop=s, sure=0.95)
    ),
    "products that prove a total": lambda n: chosen(
        result(), result("8.00", items=int(n), date=False, sure=0.99, shop=0.5, valid=True), has_edge=False
    ),
}


def _describe(name: str, steps: Sequence[str]) -> Iterable[str]:
    return (EDGES[name](float(step)) or "-" for step in steps)


LIST = RowList(Path(__file__).parent / "edges.txt", _describe)


@pytest.mark.parametrize("row", LIST.rows)
def test_where_a_paper_ends(row: str) -> None:
    assert LIST.result_of(row) == row


if __name__ == "__main__":
    LIST.write()
