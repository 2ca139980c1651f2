"""What the fit of names takes for right, and what it expects of weights beforehand."""

from __future__ import annotations

from pathlib import Path

from benchmarks.datasets import Label, Sample
from receipt_engine.region import load_region
from scripts.merchant_examples import Receipt, accepted_candidates
from scripts.name_expectations import AGAINST, EXPECTED, FOR
from tests.unit.stages.merchant.merchant_contexts import context_of, segments_of

TAIL = """      12 Harbor Street
     Portland, OR 97201

2 Clam Chowder          17.00
TOTAL                   17.00
"""


def receipt(head: str, *names: str) -> Receipt:
    segments, domains = segments_of(head + TAIL)
    label = Label.of(*names)
    sample = Sample("invented", "drawn", Path(), load_region("us").code, {"establishment": label})
    found = Receipt(sample, segments, domains, [], None, [])
    found.candidates = context_of(head + TAIL).candidates
    return found


def right(one: Receipt) -> list[str]:
    return [c.text for c, ok in zip(one.candidates, accepted_candidates(one), strict=False) if ok]


def test_no_feature_speaks_both_ways() -> None:
    assert not FOR & AGAINST
    assert all(EXPECTED[name] > 0 for name in FOR & EXPECTED.keys())
    assert all(EXPECTED[name] < 0 for name in AGAINST & EXPECTED.keys())


def test_a_label_with_its_greeting_is_the_name_without() -> None:
    assert right(receipt("   Welcome to Copper Kettle\n", "Welcome to Copper Kettle")) == ["Copper Kettle"]


def test_of_a_name_in_parts_with_its_trade_only_the_whole_is_right() -> None:
    one = receipt("     COPPER\n     TAVERN\n", "COPPER TAVERN", "COPPER", "TAVERN")
    assert right(one) == ["COPPER TAVERN"]


def test_of_two_names_either_is_right() -> None:
    one = receipt("     COPPER\n     Harbor Foods\n", "COPPER", "Harbor Foods")
    assert {"COPPER", "Harbor Foods"} <= set(right(one))
