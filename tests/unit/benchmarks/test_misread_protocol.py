"""The damages of readings do what they say, and a damaged total is not proved."""

from __future__ import annotations

import random
from decimal import Decimal

from benchmarks.protocols.misread import DAMAGES, digits, lost_texts, one_digit_of_the_total, right_edge
from receipt_engine.document import Reading
from receipt_engine.options import ExtractOptions
from receipt_engine.pipeline import interpret
from receipt_engine.testing import reading
from receipt_engine.trace import Trace

RECEIPT = """
      COPPER KETTLE
Loaf                 4.10
Mug                 12.40
TOTAL               16.50
CASH                20.00
CHANGE               3.50
"""
TOTAL = Decimal("16.50")


def texts(page: Reading | None) -> list[str]:
    assert page is not None
    return [span.text for span in page.spans]


def test_one_digit_of_the_total_and_nothing_else_is_misread() -> None:
    before, after = (
        texts(reading(RECEIPT)),
        texts(one_digit_of_the_total(reading(RECEIPT), TOTAL, random.Random(3))),
    )
    changed = [(old, new) for old, new in zip(before, after, strict=True) if old != new]
    assert [old for old, _ in changed] == ["16.50"]
    assert sum(a != b for a, b in zip(*changed[0], strict=True)) == 1


def test_a_total_that_is_not_printed_cannot_be_misread() -> None:
    assert one_digit_of_the_total(reading(RECEIPT), Decimal("99.99"), random.Random(3)) is None


def test_letters_stay_and_some_digits_do_not() -> None:
    many = reading("Loaf 4.10  12.40\n" * 40)
    pairs = list(zip(texts(many), texts(digits(many, TOTAL, random.Random(3))), strict=True))
    assert all(
        a == b or (a.isdigit() and b.isdigit()) for old, new in pairs for a, b in zip(old, new, strict=True)
    )
    assert 0 < sum(old != new for old, new in pairs) < len(pairs) / 2


def test_some_texts_are_lost() -> None:
    many = reading("Loaf  12.40\n" * 40)
    assert 40 < len(texts(lost_texts(many, TOTAL, random.Random(3)))) < 80


def test_the_right_edge_takes_the_last_digits() -> None:
    cut = right_edge(reading(RECEIPT), TOTAL, random.Random(3))
    assert cut is not None and cut.width < reading(RECEIPT).width
    assert "Loaf" in texts(cut) and "16.50" not in texts(cut)


def test_no_damaged_total_is_proved() -> None:
    for seed in range(20):
        for damage in DAMAGES.values():
            page = damage(reading(RECEIPT), TOTAL, random.Random(seed))
            assert page is not None
            found = interpret(page, ExtractOptions(region="us"), None, Trace(keep=False))
            assert found.total == TOTAL or not found.validated_total
