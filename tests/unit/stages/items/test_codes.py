"""Product codes told from names, sizes, dates and quantities."""

from __future__ import annotations

import doctest

import pytest

from receipt_engine.stages.items.rows import codes, words
from receipt_engine.stages.items.rows.codes import Code, find_code, has_check_digit


@pytest.mark.parametrize("module", [codes, words])
def test_the_examples_hold(module: object) -> None:
    result = doctest.testmod(module)  # type: ignore[arg-type]
    assert result.attempted and not result.failed


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("4006381333931 PEN", "4006381333931"),
        ("PEN BLUE 4006381333931", "4006381333931"),
        ("T374417 JUMPER", "T374417"),
        ("73519264-2045-L", "73519264-2045-L"),
        ("Art 0638157", "0638157"),
        ("12345 4006381333931", "4006381333931"),
    ],
)
def test_a_code_is_found(text: str, code: str) -> None:
    found = find_code(text)
    assert found is not None and found.text == code and text[found.start : found.end] == code


@pytest.mark.parametrize(
    "text",
    ["WATER 500ML", "GAUZE 10X10", "KIDS 4-5Y", "JEANS 32/34", "SUN SPF50", "SOAP 08/26", "1200GR BREAD"],
)
def test_sizes_and_dates_are_no_codes(text: str) -> None:
    assert find_code(text) is None


@pytest.mark.parametrize("code", ["96385074", "036000291452", "4006381333931", "10012345678902"])
def test_check_digits_of_every_length(code: str) -> None:
    wrong = code[:-1] + str((int(code[-1]) + 1) % 10)
    assert has_check_digit(code) and not has_check_digit(wrong)


def test_a_check_digit_may_stand_behind_a_point() -> None:
    assert find_code("318204.7 ORANGENSAFT 1L") == Code("318204.7", 0, 8)
    assert find_code("1318.5 ORANGENSAFT 1L") is None
