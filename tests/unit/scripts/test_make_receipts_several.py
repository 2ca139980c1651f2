"""Pictures of several receipts, and how results on them are scored."""

from __future__ import annotations

import io
from decimal import Decimal

import numpy as np
import pytest
from PIL import Image

from benchmarks.protocols.several import Row, score, summary
from receipt_engine.result import Result
from scripts.make_receipts.several import draw_several


@pytest.fixture(scope="module")
def picture() -> tuple[np.ndarray, object]:
    drawn = draw_several(3, count=2)
    return np.asarray(Image.open(io.BytesIO(drawn.file))), drawn


def test_papers_lie_where_their_outlines_say(picture) -> None:  # type: ignore[no-untyped-def]
    image, drawn = picture
    assert len(drawn.truths) == 2
    assert len(drawn.outlines) == 2 + drawn.slips
    for outline in drawn.outlines:
        x, y = np.mean(outline, axis=0)
        assert 0 < x < image.shape[1]
        assert 0 < y < image.shape[0]


LABEL = {
    "arrangement": "columns",
    "receipts": [
        {"total": 5.0, "date": "2024-01-02 10:00:00"},
        {"total": 7.0, "date": "2024-03-04 11:00:00", "total_any": [7.05]},
    ],
    "outlines": [[[0, 0], [10, 0], [10, 10], [0, 10]], [[20, 0], [30, 0], [30, 10], [20, 10]]],
}


def result(total: str, date: str, index: int, *, rotation: int = 0) -> Result:
    outlines = [[[[x + d, y] for d, y in ((1, 1), (9, 1), (9, 9), (1, 9))]] for x in (0, 20)]
    if rotation == 180:
        outlines = [[[[40 - x, 10 - y] for x, y in outline] for outline in paper] for paper in outlines]
    return Result(
        total=Decimal(total),
        total_confidence=0.95,
        date=f"{date} 00:00:00",
        evidence={
            "receipts": {"count": 2, "index": index, "outlines": outlines},
            "page": {"sourceWidth": 40, "sourceHeight": 10, "rotation": rotation},
        },
    )


@pytest.mark.parametrize("rotation", [0, 180])
def test_scores(rotation: int) -> None:
    right = [
        result("5.00", "2024-01-02", 0, rotation=rotation),
        result("7.05", "2024-03-04", 1, rotation=rotation),
    ]
    assert score("a", LABEL, right) == Row("a", "columns", 2, 2, 2, 2, 0, 0)
    mixed = [right[0], result("7.00", "2024-01-02", 1, rotation=rotation)]
    assert score("a", LABEL, mixed) == Row("a", "columns", 2, 2, 2, 2, 1, 0)
    wrong = [right[0], result("9.00", "2024-03-04", 1, rotation=rotation)]
    assert score("a", LABEL, wrong) == Row("a", "columns", 2, 2, 2, 1, 0, 1)
    assert score("a", LABEL, right[:1]) == Row("a", "columns", 2, 1, 1, 1, 0, 0)
    astray = result("5.00", "2024-01-02", 1, rotation=rotation)  # its outline reaches over the other paper
    assert score("a", LABEL, [astray, right[1]]) == Row("a", "columns", 2, 2, 2, 2, 0, 0)


def test_summary() -> None:
    found = summary([Row("a", "columns", 2, 2, 2, 2, 0, 0), Row("b", "columns", 2, 1, 1, 0, 1, 1)])
    assert found["pictures exact %"] == 50
    assert found["receipts found %"] == 75
    assert found["totals right of found %"] == pytest.approx(66.7)
