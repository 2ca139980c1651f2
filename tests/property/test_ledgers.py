"""Reconciliation of generated ledgers: the sums close, and no input takes long."""

from __future__ import annotations

import random
import time
from decimal import ROUND_HALF_UP, Decimal

from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.protocols.ledgers import draw
from receipt_engine.options import ExtractOptions
from receipt_engine.pipeline import interpret
from receipt_engine.region import load_region
from receipt_engine.stages.reconcile import reconcile
from receipt_engine.trace import Trace
from tests.printed import read, reading

CENT = Decimal("0.01")
NAMES = ("BREAD", "MILK", "APPLES", "RICE", "SOAP", "TEA", "EGGS", "PASTA", "BEANS", "OIL")
prices = st.decimals("0.10", "99.99", places=2)


@st.composite
def ledgers(draw: st.DrawFn) -> tuple[str, Decimal, Decimal, list[Decimal]]:
    values = draw(st.lists(prices, min_size=1, max_size=9))
    rate = draw(st.sampled_from(["5", "7.25", "8.875", "10"]))
    subtotal = sum(values, Decimal(0))
    tax = (subtotal * Decimal(rate) / 100).quantize(CENT, ROUND_HALF_UP)
    total = subtotal + tax
    cash = (total // 20 + 1) * 20
    rows = [f"{name:<18}{value:>9}" for name, value in zip(NAMES, values, strict=False)]
    rows += [
        f"{'SUBTOTAL':<18}{subtotal:>9}",
        f"{'TAX ' + rate + '%':<18}{tax:>9}",
        f"{'TOTAL':<18}{total:>9}",
        f"{'CASH':<18}{cash:>9}",
        f"{'CHANGE':<18}{cash - total:>9}",
    ]
    return "CORNER STORE\n12 Main Street\n\n" + "\n".join(rows), total, tax, values


@settings(max_examples=60, deadline=None)
@given(ledgers())
def test_what_was_printed_comes_back(ledger: tuple[str, Decimal, Decimal, list[Decimal]]) -> None:
    text, total, tax, values = ledger
    result = read(text, "us")
    assert result.total == total
    assert result.tax == tax
    assert [item.line_total for item in result.line_items] == values
    assert result.validated_total == (result.total_confidence is not None and result.total_confidence >= 0.99)


lines = st.lists(
    st.text(alphabet="TOALSUBX CHNGE0123456789.,-%*$€", min_size=1, max_size=28).filter(str.strip),
    min_size=1,
    max_size=60,
)


@settings(max_examples=40, deadline=None)
@given(lines)
def test_no_text_takes_long_or_fails(rows: list[str]) -> None:
    start = time.process_time()
    result = interpret(reading("\n".join(rows)), ExtractOptions(), None, Trace(keep=False))
    assert time.process_time() - start < 5
    assert (result.total is None) == (result.total_confidence is None)
    assert len(result.taxes) == len(result.taxes_confidence)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(["us", "de", "in", "my"]))
def test_the_largest_and_most_ambiguous_ledgers_are_decided_in_bounded_time(seed: int, code: str) -> None:
    sheet = draw(random.Random(seed), hostile=True)
    start = time.process_time()
    ledger = reconcile(sheet, load_region(code))
    assert time.process_time() - start < 2
    assert ledger == reconcile(sheet, load_region(code))
    for equation in ledger.equations:
        assert equation.residual == sum(t.value for t in equation.terms)


@settings(max_examples=60, deadline=None)
@given(ledgers())
def test_what_closes_is_proved_and_nothing_contradicts_it(
    ledger: tuple[str, Decimal, Decimal, list[Decimal]],
) -> None:
    text, total, tax, _ = ledger
    result = interpret(reading(text), ExtractOptions(region="us", evidence=True), None, Trace(keep=False))
    found = result.to_dict()["evidence"]
    verdicts = {equation["name"]: equation["verdict"] for equation in found["equations"]}
    assert verdicts["cash − change = total"] == "proved"
    assert "contradicted" not in verdicts.values()
    assert result.sub_total == total - tax
