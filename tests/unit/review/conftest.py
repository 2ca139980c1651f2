"""A results file of three drawn pictures, as a batch writes it."""

from __future__ import annotations

import hashlib
from decimal import Decimal
from pathlib import Path

import cv2
import numpy as np
import pytest

from receipt_engine.batch import Failure, Row
from receipt_engine.result import LineItem, Result

BOX = [100.0, 200.0, 300.0, 230.0]


def picture(path: Path, text: str) -> str:
    """Draws a picture; returns the digest of its bytes."""
    image = np.full((400, 400, 3), 255, np.uint8)
    cv2.putText(image, text, (100, 225), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (0, 0, 0), 2)
    cv2.imwrite(str(path), image)
    return hashlib.sha256(path.read_bytes()).hexdigest()


def receipt() -> Result:
    """7.80 was read for 7.30: neither the products nor the cash agree."""
    return Result(
        establishment="CAFE MIKR0",
        establishment_confidence=0.7,
        date="2024-03-14 18:20:00",
        date_iso="2024-03-14T18:20:00",
        date_confidence=0.97,
        total=Decimal("7.80"),
        total_confidence=0.4,
        taxes=(Decimal("0.50"), Decimal("0.71")),
        taxes_confidence=(0.99, 0.8),
        phone_number="020 7946 0018",
        line_items=(LineItem(line_total=Decimal("7.30")),),
        evidence={
            "page": {"number": 1, "pages": 1, "rotation": 0},
            "fields": {
                "total": {"boxes": [BOX], "text": "TOTAL 7.80", "runnersUp": [[7.3, 1.2], [7.8, 2.0]]},
                "taxes": [{"boxes": [], "text": "A"}, {"boxes": [BOX], "text": "B", "runnersUp": []}],
            },
            "equations": [
                {
                    "name": "items + adjustments = total",
                    "terms": [["items", 7.3], ["total", -7.8]],
                    "residual": -0.5,
                    "verdict": "contradicted",
                }
            ],
        },
    )


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """A doubtful receipt, a file without text, and a sure receipt."""
    sure = Result(
        establishment="Bakery",
        establishment_confidence=0.985,
        date="2024-03-15 00:00:00",
        date_confidence=0.985,
        total=Decimal(3),
        total_confidence=0.999,
    )
    rows = [
        Row(file="a.png", sha256=picture(tmp_path / "a.png", "TOTAL 7.30"), result=receipt()),
        Row(file="b.png", sha256=picture(tmp_path / "b.png", ""), error=Failure("NoTextError", "No text.")),
        Row(file="c.png", sha256=picture(tmp_path / "c.png", "TOTAL 3"), result=sure),
    ]
    path = tmp_path / "results.jsonl"
    path.write_text("".join(f"{row.to_json()}\n" for row in rows), encoding="utf-8")
    return path
