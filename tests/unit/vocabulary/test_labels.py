"""What stands right before a value."""

from __future__ import annotations

import pytest

from receipt_engine.region import load_region
from receipt_engine.vocabulary.labels import is_labelled


@pytest.mark.parametrize(
    ("text", "role", "expected"),
    [
        ("Date: 04.06.2024", "date", True),
        ("DATE/TIME 04.06.2024", "date", True),
        ("Tel. 04.06.2024", "phone", True),
        ("Date 7 04.06.2024", "date", False),  # a number between
        ("Up to date deli 04.06.2024", "date", False),  # another word between
        ("04.06.2024", "date", False),
    ],
)
def test_a_label_with_nothing_but_signs_behind_it(text: str, role: str, expected: bool) -> None:
    position = text.index("04.06")
    assert is_labelled(text, position, load_region("gb"), role) is expected  # type: ignore[arg-type]
