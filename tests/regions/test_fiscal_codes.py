"""Every format of a fiscal code gives what its examples say, and says where it comes from."""

from __future__ import annotations

import re

import pytest

from receipt_engine.region.fiscal_codes import CodeExample, CodeFile, CodeFormat, code_files
from receipt_engine.stages.fiscal_codes import read_data

CASES = [
    pytest.param(file, form, example, id=f"{file.country or 'any'}-{form.name}-{number}")
    for file in code_files()
    for form in file.format
    for number, example in enumerate(form.example)
]
#: Made of bytes that no file can show; `tests/unit/stages/fiscal_codes` builds them.
BUILT = {"PAY by square", "EMV"}
PATTERNS = ("shape", "total", "tax", "date", "seller", "currency", "country")


@pytest.mark.parametrize(("file", "form", "example"), CASES)
def test_example(file: CodeFile, form: CodeFormat, example: CodeExample) -> None:
    code = read_data(example.data)
    assert code is not None
    assert code.name == form.name
    told = (code.date, code.time, code.total, code.tax, code.seller)
    assert told == (example.date, example.time, example.total, example.tax, example.seller)
    assert code.asks == form.asks
    if example.currency:
        assert code.currency == example.currency


@pytest.mark.parametrize("form", [f for file in code_files() for f in file.format], ids=lambda f: f.name)
def test_format_is_whole(form: CodeFormat) -> None:
    assert form.source
    assert form.total or form.date
    assert form.example or form.name in BUILT
    for name in PATTERNS:
        re.compile(getattr(form, name))


@pytest.mark.parametrize(
    "data",
    ["", "0" * 49, "4006381333931", "https://www.example.com/feedback", "x" * 20_000, "A" * 60, "01" * 30],
)
def test_other_codes_say_nothing(data: str) -> None:
    assert read_data(data) is None
