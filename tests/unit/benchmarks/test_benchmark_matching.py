"""Lines are matched one to one."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.datasets import ItemLabel, SummaryLabel
from benchmarks.scoring import matching
from benchmarks.scoring.matching import Counts

D = Decimal


def item(amount: str, *descs: str) -> ItemLabel:
    return ItemLabel(descs, D(amount))


def line(amount: float | None, desc: str | None, clean: str | None = None) -> dict[str, Any]:
    return {"lineTotal": amount, "desc": desc, "descClean": clean}


def test_amount_and_description_must_both_agree() -> None:
    labels = [item("3.00", "Green tea"), item("4.50", "Cake")]
    assert matching.count_items(labels, [line(3.0, "GREENTEA"), line(4.5, "Cake")]) == Counts(2, 2, 2)
    assert matching.count_items(labels, [line(3.1, "Green tea"), line(4.5, "Soup")]) == Counts(0, 2, 2)
    assert matching.count_amounts(labels, [line(3.1, "Green tea"), line(4.5, "Soup")]) == Counts(1, 2, 2)


def test_either_description_of_a_line_may_agree() -> None:
    labels = [item("3.00", "Green tea", "2 Green tea 1.50")]
    assert matching.count_items(labels, [line(3.0, "00712 A", "Green tea")]).matched == 1
    assert matching.count_items(labels, [line(3.0, "2 Green tea 1.50", "xyz")]).matched == 1
    assert matching.count_items(labels, [line(3.0, None, None)]).matched == 0


def test_one_line_answers_for_one_label() -> None:
    labels = [item("3.00", "Tea"), item("3.00", "Tea")]
    assert matching.count_items(labels, [line(3.0, "Tea")]) == Counts(1, 2, 1)
    assert matching.count_items(labels[:1], [line(3.0, "Tea")] * 3) == Counts(1, 1, 3)


def test_a_greedy_choice_is_undone_when_more_fit() -> None:
    # The first label fits both lines, the second only the line that the first one would take first.
    labels = [item("3.00", "Green tea", "Cola light"), item("3.00", "Green tea")]
    lines = [line(3.0, "Green tea"), line(3.0, "Cola light")]
    assert matching.match_items(labels, lines) == {0: 1, 1: 0}
    assert matching.count_items(labels, lines).matched == 2


@given(st.lists(st.sets(st.integers(0, 5)), max_size=5))
def test_the_matching_is_the_largest(edges: list[set[int]]) -> None:
    def best(at: int, taken: frozenset[int]) -> int:
        if at == len(edges):
            return 0
        without = best(at + 1, taken)
        return max([without, *(1 + best(at + 1, taken | {right}) for right in edges[at] - taken)])

    found = matching._largest_matching([sorted(rights) for rights in edges])
    assert len(set(found.values())) == len(found) == best(0, frozenset())
    assert all(right in edges[left] for left, right in found.items())


def test_summary_lines_agree_in_type_and_amount() -> None:
    labels = [SummaryLabel("Total", D(5)), SummaryLabel("Tax", D("0.4")), SummaryLabel(None, D(5))]
    lines = [{"lineType": "Total", "lineTotal": 5.0}, {"lineType": "Tax", "lineTotal": 0.5}]
    lines.append({"lineType": None, "lineTotal": 5.0})
    assert matching.count_summary(labels, lines) == Counts(2, 3, 3)
    assert matching.count_summary(labels, lines, typed_only=True) == Counts(1, 2, 2)


@pytest.mark.parametrize(
    ("counts", "precision", "recall", "f1"),
    [
        (Counts(0, 0, 0), 1.0, 1.0, 1.0),
        (Counts(0, 2, 0), 0.0, 0.0, 0.0),
        (Counts(0, 0, 2), 0.0, 1.0, 0.0),
        (Counts(2, 4, 2), 1.0, 0.5, 2 / 3),
    ],
)
def test_scores(counts: Counts, precision: float, recall: float, f1: float) -> None:
    assert (counts.precision, counts.recall, counts.f1) == pytest.approx((precision, recall, f1))
