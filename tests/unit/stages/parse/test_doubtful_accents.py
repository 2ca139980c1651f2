"""Accents that the recogniser is not sure of, in languages with and without them."""

from __future__ import annotations

import pytest

from receipt_engine.document import Char, Quad, Span
from receipt_engine.region import load_region
from receipt_engine.stages.group import group
from receipt_engine.stages.parse import AmountHints, parse


def read(region: str, text: str, score: float, plain: float) -> str:
    """The row as parsed; letters with accents have that score, and the plain letter that probability."""
    step = 1 / len(text)
    chars = tuple(
        Char(c, 0.99, i * step, (i + 1) * step)
        if c.isascii()
        else Char(c, score, i * step, (i + 1) * step, (("A", plain), ("e", plain)))
        for i, c in enumerate(text)
    )
    quad = Quad((0, 0), (10 * len(text), 0), (10 * len(text), 20), (0, 20))
    (row,) = parse(group([Span(text, 0.95, quad, chars)]), load_region(region), AmountHints())
    assert row.text == row.line.text
    return row.text


@pytest.mark.parametrize("region", ["my", "us", "gb", "in"])
def test_a_doubtful_accent_is_dust_where_none_is_printed(region: str) -> None:
    assert read(region, "TAMAN ÁYER", 0.7, 0.2) == "TAMAN AYER"


@pytest.mark.parametrize(
    ("region", "text", "score", "plain"),
    [
        ("my", "Café Ayer", 0.99, 0.005),
        ("my", "Café Ayer", 0.97, 0.03),
        ("my", "Café Ayer", 0.7, 0.0),
        ("es", "CALLE ÁVILA", 0.7, 0.2),
        ("ca", "Café Ayer", 0.7, 0.2),
    ],
)
def test_a_sure_accent_stays_and_so_does_any_where_they_are_printed(
    region: str, text: str, score: float, plain: float
) -> None:
    assert read(region, text, score, plain) == text
