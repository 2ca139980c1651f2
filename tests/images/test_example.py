"""The picture that the README's first command reads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from receipt_engine.engine import Engine

EXAMPLES = Path(__file__).parents[2] / "examples"
#: The tables of the result, and what is compared of their rows.
COLUMNS = {
    "lineItems": ("desc", "lineTotal", "price", "qty", "unit", "symbols", "lineType"),
    "summaryItems": ("lineTotal", "lineType"),
}


@pytest.mark.parametrize("region", ["us", None])
def test_the_example_is_read_without_an_error(engine: Engine, region: str | None) -> None:
    truth = json.loads((EXAMPLES / "receipt.json").read_text(encoding="utf-8"))
    picture = EXAMPLES / "receipt.jpg"
    result = engine.extract(picture, region=region, custom_fields=tuple(truth["customFields"])).to_dict()
    assert _shown({key: result[key] for key in truth}) == _shown(truth)


def _shown(values: dict[str, Any]) -> dict[str, Any]:
    """The values with their tables cut to the columns compared."""
    return values | {
        table: [[row[column] for column in columns] for row in values[table]]
        for table, columns in COLUMNS.items()
    }
