"""Which papers are receipts of their own and which a card slip of one."""

from __future__ import annotations

from decimal import Decimal

import pytest
from msgspec.structs import replace

from receipt_engine.result import LineItem, Result
from receipt_engine.stages import papers


def paper(
    total: str | None, *, items: int = 2, date: str | None = "2024-05-06 00:00:00", tip: str | None = None
) -> Result:
    """The result of a paper with so many products."""
    return Result(
        total=None if total is None else Decimal(total),
        total_confidence=None if total is None else 0.95,
        date=date,
        tip=None if tip is None else Decimal(tip),
        line_items=(LineItem(line_total=Decimal(1)),) * items,
    )


def choose_receipts(results: list[Result], has_edge: bool = True) -> tuple[tuple[int, ...], ...]:
    return papers.choose_receipts(results, [has_edge] * len(results))


def test_each_paper_with_a_total_is_a_receipt() -> None:
    assert choose_receipts([paper("5.00"), paper("7.00"), paper(None)]) == ((0,), (1,))


def test_a_total_that_is_doubtful_makes_no_receipt() -> None:
    doubtful = Result(total=Decimal(3), total_confidence=0.3)
    assert choose_receipts([paper("5.00"), doubtful]) == ((0,),)


def test_a_paper_of_its_own_with_name_and_day_is_a_receipt_however_doubtful_its_total() -> None:
    doubtful = Result(
        total=Decimal(3), total_confidence=0.3, date="2024-05-09 00:00:00", establishment="CORNER SHOP"
    )
    assert choose_receipts([paper("5.00"), doubtful]) == ((0,), (1,))
    assert choose_receipts([paper("5.00"), doubtful], has_edge=False) == ((0,),)


def test_a_card_slip_belongs_to_its_receipt() -> None:
    slip = paper("7.00", items=0)
    assert choose_receipts([slip, paper("5.00"), paper("7.00")]) == ((1,), (2, 0))
    assert choose_receipts([paper("7.00"), paper("8.40", items=0, tip="1.40")]) == ((0, 1),)


def test_behind_a_mere_gap_the_same_total_without_products_is_the_same_receipt() -> None:
    products, below = paper("7.00"), paper("7.00", items=0, date="2024-06-06 00:00:00")
    assert choose_receipts([products, below], has_edge=False) == ((0, 1),)
    assert choose_receipts([products, below]) == ((0,), (1,))
    assert choose_receipts([below, replace(below, date="2024-05-09 00:00:00")], has_edge=False) == (
        (0,),
        (1,),
    )


def test_what_is_no_slip_of_it() -> None:
    other_day = paper("7.00", items=0, date="2024-05-07 00:00:00")
    assert choose_receipts([paper("7.00"), other_day]) == ((0,), (1,))
    assert choose_receipts([paper("7.00"), paper("8.40", items=0)]) == ((0,), (1,))


def test_papers_of_one_purchase() -> None:
    def at(total: str, time: str, day: str = "06") -> Result:
        return paper(total, date=f"2024-05-{day} {time}:00")

    assert choose_receipts([at("7.00", "12:30"), at("5.00", "12:31")]) == ((0, 1),)
    assert choose_receipts([at("7.00", "12:30"), at("7.00", "12:40")]) == ((0, 1),)
    assert choose_receipts([at("7.00", "12:30"), at("7.00", "17:40")]) == ((0,), (1,))
    assert choose_receipts([at("7.00", "12:30"), at("7.00", "12:30", "07")]) == ((0,), (1,))
    assert choose_receipts([at("7.00", "00:00"), at("7.00", "12:30")]) == ((0, 1),)
    assert choose_receipts([at("7.00", "00:00"), at("5.00", "12:30")]) == ((0,), (1,))


def test_behind_a_gap_a_receipt_has_a_date() -> None:
    results = [paper("5.00"), paper("7.00", date=None)]
    assert choose_receipts(results) == ((0,), (1,))
    assert choose_receipts(results, has_edge=False) == ((0,),)
    assert choose_receipts([paper("5.00"), paper("7.00", date=None, items=1)]) == ((0,),)


def test_behind_a_gap_products_that_prove_the_total_do_for_the_date() -> None:
    proved = replace(paper("7.00", date=None, items=4), validated_total=True, establishment="CORNER SHOP")
    assert choose_receipts([paper("5.00"), proved], has_edge=False) == ((0,), (1,))
    unproved = replace(proved, validated_total=False)
    assert choose_receipts([paper("5.00"), unproved], has_edge=False) == ((0,),)


@pytest.mark.parametrize(("confidence", "receipts"), [(0.5, 2), (0.49, 1)])
def test_from_which_confidence_on_a_total_and_a_day_make_a_receipt(confidence: float, receipts: int) -> None:
    other = replace(paper("7.00", date="2024-05-07 00:00:00"), total_confidence=confidence)
    assert len(choose_receipts([paper("5.00"), other])) == receipts


@pytest.mark.parametrize(("items", "receipts"), [(2, 2), (1, 1)])
def test_how_many_products_stand_for_a_date(items: int, receipts: int) -> None:
    assert len(choose_receipts([paper("5.00"), paper("7.00", items=items, date=None)])) == receipts


@pytest.mark.parametrize(("name", "total", "receipts"), [(0.8, 0.8, 2), (0.79, 1.0, 1), (1.0, 0.79, 1)])
def test_a_sure_shop_and_one_product_of_a_sure_total_stand_for_a_date(
    name: float, total: float, receipts: int
) -> None:
    single = replace(
        paper("7.00", items=1, date=None),
        establishment="SHOP",
        establishment_confidence=name,
        total_confidence=total,
    )
    assert len(choose_receipts([paper("5.00"), single])) == receipts
    assert len(choose_receipts([paper("5.00"), single], has_edge=False)) == 1


@pytest.mark.parametrize(
    ("name", "total", "items", "receipts"),
    [(0.8, 0.8, 2, 2), (0.79, 1.0, 2, 1), (1.0, 0.79, 2, 1), (1.0, 1.0, 1, 1)],
)
def test_behind_a_gap_a_sure_shop_and_products_that_prove_a_total_stand_for_a_date(
    name: float, total: float, items: int, receipts: int
) -> None:
    undated = replace(
        paper("7.00", items=items, date=None),
        establishment="SHOP",
        establishment_confidence=name,
        total_confidence=total,
        validated_total=True,
    )
    assert len(choose_receipts([paper("5.00"), undated], has_edge=False)) == receipts
    unproved = replace(undated, validated_total=False)
    assert len(choose_receipts([paper("5.00"), unproved], has_edge=False)) == 1


@pytest.mark.parametrize(("items", "receipts"), [(4, 2), (3, 1)])
def test_how_many_products_that_prove_a_total_stand_for_a_date_behind_a_gap(
    items: int, receipts: int
) -> None:
    proved = replace(paper("7.00", items=items, date=None), validated_total=True, establishment="SHOP")
    assert len(choose_receipts([paper("5.00"), proved], has_edge=False)) == receipts


@pytest.mark.parametrize(
    ("total", "minutes", "receipts"), [("7.00", 2, 1), ("7.00", 3, 2), ("5.00", 15, 1), ("5.00", 16, 2)]
)
def test_how_far_apart_papers_of_one_purchase_are_printed(total: str, minutes: int, receipts: int) -> None:
    first = paper("5.00", date="2024-05-06 10:20:00")
    second = paper(total, date=f"2024-05-06 10:{20 + minutes}:00")
    assert len(choose_receipts([first, second])) == receipts


@pytest.mark.parametrize(("total", "receipts"), [("14.00", 1), ("14.01", 2)])
def test_how_much_of_a_tip_a_slip_adds(total: str, receipts: int) -> None:
    slip = paper(total, items=0, tip="4.00")
    assert len(choose_receipts([paper("10.00"), slip])) == receipts
