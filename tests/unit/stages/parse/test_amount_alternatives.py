"""Amounts whose digits the recogniser doubts: alternatives become readings, and sums choose among them."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from receipt_engine import Engine, ExtractOptions, Result
from receipt_engine.document import AmountReading, AmountRule, Span
from receipt_engine.region import load_region
from receipt_engine.stages.group import group
from receipt_engine.stages.parse import AmountHints, parse
from receipt_engine.testing import fake_models, reading, spans

#: Place in a text → (alternative, its probability).
Doubts = dict[int, tuple[str, float]]

RECEIPT = """
    Oak Lane Bakery
    Rye loaf        6.40
    Plum cake       8.60
    Subtotal       15.00
    Tax             1.05
    Total          {total}
    Cash           20.00
    Change          {change}
"""


def doubted(span: Span, doubts: Doubts, score: float = 0.8) -> Span:
    """The span with these alternatives of its characters, each of which has the score."""
    chars = tuple(
        replace(c, score=score, alternatives=(doubts[at],)) if at in doubts else c
        for at, c in enumerate(span.chars)
    )
    return replace(span, chars=chars)


def amount_of(text: str, doubts: Doubts, score: float = 0.8) -> AmountReading:
    """The only amount of a row."""
    (span,) = spans(text)
    (row,) = parse(group([doubted(span, doubts, score)]), load_region("us"), AmountHints())
    (amount,) = row.amounts
    return amount


def extracted(text: str, doubts: dict[str, Doubts]) -> Result:
    """The Result of a page on which the recogniser doubts characters of some texts."""
    page = reading(text)
    doubtful = tuple(doubted(s, doubts[s.text]) if s.text in doubts else s for s in page.spans)
    engine = Engine(models=fake_models("alternatives"))
    return engine.interpret(replace(page, spans=doubtful), ExtractOptions(region="us", evidence=True))


def test_an_alternative_costs_what_its_digit_is_less_likely() -> None:
    amount = amount_of("18.50", {3: ("6", 0.2)})
    assert [(m.value, m.rule) for m in amount.readings] == [
        (Decimal("18.50"), AmountRule.AS_PRINTED),
        (Decimal("18.60"), AmountRule.OTHER_DIGIT),
    ]
    assert amount.readings[1].cost == pytest.approx(1.39)


@pytest.mark.parametrize(
    ("text", "doubts"),
    [
        ("18.50", {3: ("S", 0.2)}),  # a letter is no digit
        ("18.50", {3: ("6", 0.01)}),  # too unlikely
        ("18.50", {2: (",", 0.2)}),
        ("18.50", {3: ("", 0.2)}),
        ("0.01", {3: ("0", 0.2)}),  # nothing is printed as 0.00 by mistake
    ],
)
def test_other_alternatives_change_nothing(text: str, doubts: Doubts) -> None:
    assert amount_of(text, doubts) == amount_of(text, {})


@pytest.mark.parametrize("text", ["-18.50", "18.50-", "(18.50)"])
def test_a_negative_amount_stays_negative(text: str) -> None:
    at = text.index("5")
    assert Decimal("-18.60") in {m.value for m in amount_of(text, {at: ("6", 0.4)}).readings}


def test_a_sign_among_the_alternatives_was_printed() -> None:
    amount = amount_of("84.75", {0: ("$", 0.04)})
    assert (amount.value, amount.currency) == (Decimal("4.75"), "$")
    assert amount.readings[0].rule is AmountRule.SIGN_AS_DIGIT
    assert amount.readings[1].value == Decimal("84.75")


@pytest.mark.parametrize(
    ("text", "doubts"),
    [
        ("84.75", {0: ("$", 0.01)}),
        ("84.75", {1: ("$", 0.3)}),  # a sign stands before the number
        ("8.75", {0: ("$", 0.3)}),  # nothing would be left before the point
        ("$84.75", {1: ("$", 0.3)}),  # it has its sign
    ],
)
def test_no_sign_is_seen_elsewhere(text: str, doubts: Doubts) -> None:
    assert amount_of(text, doubts).value == amount_of(text, {}).value


def test_sums_choose_the_alternative() -> None:
    page = """
        Oak Lane Bakery
        Rye loaf        6.40
        Plum cake       8.50
        Subtotal       15.00
        Tax             1.05
        Total          16.05
    """
    assert extracted(page, {}).line_items[1].line_total == Decimal("8.5")
    found = extracted(page, {"8.50": {2: ("6", 0.1)}})
    assert [item.line_total for item in found.line_items] == [Decimal("6.4"), Decimal("8.6")]
    assert found.validated_total


def test_a_repaired_total_says_what_was_read() -> None:
    found = extracted(RECEIPT.format(total="16.85", change="3.95"), {"16.85": {3: ("0", 0.1)}})
    assert (found.total, found.validated_total) == (Decimal("16.05"), True)
    assert isinstance(found.evidence, dict)
    assert found.evidence["repairs"] == [{"field": "total", "before": 16.85, "after": 16.05}]


def test_two_sums_that_require_different_digits_prove_nothing() -> None:
    found = extracted(RECEIPT.format(total="16.85", change="3.05"), {"16.85": {3: ("0", 0.1)}})
    assert not found.validated_total


def test_the_sign_of_a_lone_total_is_seen() -> None:
    page = """
        Kiosk at the Quay
        Stamp book     $4.75
        Total          84.75
        Cash          $10.00
    """
    assert extracted(page, {"84.75": {0: ("$", 0.05)}}).total == Decimal("4.75")


@given(
    st.decimals("0.01", "99999.99", places=2),
    st.dictionaries(st.integers(0, 8), st.sampled_from("0123456789$€£.,")),
)
def test_the_digits_read_stay_a_reading(value: Decimal, others: dict[int, str]) -> None:
    text = str(value)
    doubts = {at: (other, 0.3) for at, other in others.items() if at < len(text) and other != text[at]}
    amount = amount_of(text, doubts)
    assert value in {m.value for m in amount.readings}
    assert amount.raw == text
    assert all(m.value for m in amount.readings)
    assert [m.cost for m in amount.readings] == sorted(m.cost for m in amount.readings)
