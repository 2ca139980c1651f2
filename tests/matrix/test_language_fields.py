"""Every language × every field: receipts out of the language's own words say what the Result must hold."""

from __future__ import annotations

import pytest

from scripts.describe_languages import TARGET, describe, faults
from scripts.language_receipts import FIELDS, language_codes, receipts_in


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("code", language_codes())
def test_what_is_printed_is_read_and_nothing_else(code: str, field: str) -> None:
    assert faults(code, field) == []


@pytest.mark.parametrize("code", language_codes())
def test_receipts_state_nearly_all_fields(code: str) -> None:
    """A role without a sure word would leave its column untested."""
    stated = {
        name for receipt in receipts_in(code) for name, value in receipt.says.items() if value is not None
    }
    assert stated >= {"total", "subTotal", "tax", "cash", "change", "date", "paymentMethod", "documentType"}


def test_the_table_of_languages_is_fresh() -> None:
    assert TARGET.read_text(encoding="utf-8") == describe(), "run python -m scripts.describe_languages"
