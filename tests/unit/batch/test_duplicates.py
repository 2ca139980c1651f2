"""When two rows are one receipt."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import msgspec
import pytest

from receipt_engine.batch import Duplicates, Failure, Row
from receipt_engine.result import LineItem, Result


def _result(*amounts: str, **fields: Any) -> Result:
    first = {"establishment": "Café Mikro", "date": "2024-03-14 18:20:00", "total": Decimal("7.30")}
    items = tuple(LineItem(line_total=Decimal(amount)) for amount in amounts or ("4.50", "2.80"))
    return Result(**{**first, "line_items": items, **fields})


def _row(name: str, result: Result) -> Row:
    return Row(file=name, sha256=name, result=result)


def _is_marked(first: Result, second: Result) -> bool:
    duplicates = Duplicates()
    assert not duplicates.marked(_row("a", first)).duplicate
    mark = duplicates.marked(_row("b", second)).duplicate
    if mark is msgspec.UNSET:
        return False
    assert (mark.of, mark.page, mark.receipt, mark.why) == ("a", 1, 1, "same receipt")
    return True


@pytest.mark.parametrize(
    "again",
    [
        _result(),
        _result(establishment="CAFE MIKR0"),
        _result("4.50"),
        _result(date="2024-03-14 00:00:00"),
        _result(date="2024-03-14 18:20:59"),
        _result(establishment=None),
    ],
)
def test_another_photo_of_one_receipt_is_marked(again: Result) -> None:
    assert _is_marked(_result(), again)
    assert _is_marked(again, _result())


@pytest.mark.parametrize(
    "other",
    [
        _result(total=Decimal("7.31")),
        _result(total=None),
        _result(date="2024-03-15 18:20:00"),
        _result(date=None),
        _result(date="2024-03-14 18:21:00"),
        _result(establishment="Bakery Weiß"),
        _result("3.00", "4.30"),
    ],
)
def test_another_receipt_is_not(other: Result) -> None:
    if other.establishment == "Bakery Weiß":
        other = msgspec.structs.replace(other, date="2024-03-14 00:00:00")
    assert not _is_marked(_result(), other)


def test_same_bytes_are_marked_receipt_by_receipt() -> None:
    duplicates = Duplicates()
    error = Failure("NoTextError", "no text")
    first = [Row(file="a", sha256="1", receipt=i, receipts=2, error=error) for i in (1, 2)]
    assert all(not duplicates.marked(row).duplicate for row in first)
    again = duplicates.marked(msgspec.structs.replace(first[1], file="b")).duplicate
    assert again and (again.of, again.receipt, again.why) == ("a", 2, "same bytes")


def test_an_old_mark_is_dropped() -> None:
    duplicates = Duplicates()
    duplicates.marked(_row("a", _result()))
    marked = duplicates.marked(_row("b", _result()))
    assert marked.duplicate
    assert not Duplicates().marked(marked).duplicate
