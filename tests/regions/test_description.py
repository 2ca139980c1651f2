"""docs/regions.md is what the script writes."""

from __future__ import annotations

from scripts.describe_regions import TARGET, describe


def test_the_table_of_regions_is_fresh() -> None:
    assert TARGET.read_text(encoding="utf-8") == describe(), "run python -m scripts.describe_regions"
