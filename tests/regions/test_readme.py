"""regions/README.md explains every key and every role."""

from __future__ import annotations

import re
from typing import get_args

import pytest

from receipt_engine import assets, region
from receipt_engine.region import Role

README = (assets.folder("regions") / "README.md").read_text(encoding="utf-8")
TABLES = (
    region.Region,
    region.Language,
    region.Currency,
    region.Separators,
    region.Dates,
    region.Era,
    region.SlipDates,
    region.Tax,
    region.TaxRate,
    region.Rounding,
    region.Phone,
    region.Address,
    region.Identifier,
    region.Words,
    region.Example,
)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.__name__)
def test_every_key_is_explained(table: type) -> None:
    keys: tuple[str, ...] = table.__struct_fields__  # type: ignore[attr-defined]
    missing = [key for key in keys if not re.search(rf"\b{key}\b(?: =|\]|`)", README)]
    assert missing == []


@pytest.mark.parametrize("role", get_args(Role))
def test_every_role_is_explained(role: str) -> None:
    assert f"`{role}`" in README
