"""What every way to read a line costs. The lists in readings/ say it: a country of `parse_lands`, for some
what the caller asks for ("d/m", "3 cents"), a line, and behind "=>" its places, each with its readings from
the likeliest on and what they cost.

Costs decide between readings all the way to the Result, so they are part of what `parse` promises. A rule
that is changed on purpose changes rows: `python -m tests.unit.stages.parse.test_reading_costs` writes them
anew, and the difference is part of the review.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from receipt_engine.region import Region
from receipt_engine.stages.parse import (
    AmountHints,
    find_amounts,
    find_dates,
    find_percents,
    find_quantities,
    find_times,
)
from tests.unit.stages.parse.parse_lands import LANDS


def _amounts(line: str, region: Region, hint: str) -> Iterable[str]:
    hints = AmountHints(int(hint[0]), "cents" in hint) if hint else AmountHints()
    for amount in find_amounts(line, region, hints):
        beside = "".join(f" {mark}" for mark in (amount.currency, *amount.symbols) if mark)
        readings = ", ".join(f"{m.value} {m.cost:g} {m.rule.name.lower()}" for m in amount.readings)
        yield f"[{amount.raw}]{beside}: {readings}"


def _dates(line: str, region: Region, hint: str) -> Iterable[str]:
    for date in find_dates(line, region, default_order=hint or None):
        yield f"[{date.raw}] {date.iso} {date.cost:g} {date.layout.name.lower()}"


def _times(line: str, region: Region, _: str) -> Iterable[str]:
    for time in find_times(line, region):
        clock = f"{time.hour}:{time.minute:02}" + ("" if time.second is None else f":{time.second:02}")
        yield f"[{time.raw}] {clock} {time.cost:g}"


def _quantities(line: str, region: Region, _: str) -> Iterable[str]:
    for found in find_quantities(line, region):
        each = "" if found.unit_price is None else f" at {found.unit_price} per {found.per}"
        unit = f" {found.unit}" if found.unit else ""
        rule = found.rule.name.lower()
        yield f"[{found.raw}] {found.value}{unit}{each} {found.cost:g} {found.kind}, {rule}"


def _percents(line: str, _: Region, __: str) -> Iterable[str]:
    return (f"[{found.raw}] {found.value} {found.cost:g}" for found in find_percents(line))


FINDERS: dict[str, Callable[[str, Region, str], Iterable[str]]] = {
    "amounts": _amounts,
    "dates": _dates,
    "times": _times,
    "quantities": _quantities,
    "percents": _percents,
}


def _list(kind: str) -> Path:
    return Path(__file__).parent / "readings" / f"{kind}.txt"


def _rows() -> list[tuple[str, str]]:
    lists = {kind: _list(kind).read_text(encoding="utf-8").splitlines() for kind in FINDERS}
    return [(kind, row) for kind, rows in lists.items() for row in rows if " => " in row]


def told(kind: str, row: str) -> str:
    """The row as it should stand."""
    head, _, line = row.partition(" => ")[0].partition(": ")
    land, _, hint = head.partition(" ")
    return f"{head}: {line} => " + ("; ".join(FINDERS[kind](line, LANDS[land], hint)) or "nothing")


@pytest.mark.parametrize(("kind", "row"), _rows())
def test_readings_and_their_costs(kind: str, row: str) -> None:
    assert row == told(kind, row)


if __name__ == "__main__":
    for each in FINDERS:
        lines = _list(each).read_text(encoding="utf-8").splitlines()
        told_lines = [told(each, line) if " => " in line else line for line in lines]
        _list(each).write_text("\n".join(told_lines) + "\n", encoding="utf-8")


def test_a_rate_may_stand_behind_its_sign() -> None:
    texts = ("%20 *33,32", "75,00 %10", "12 % 4,53", "% 12.00")
    assert [[str(p.value) for p in find_percents(text)] for text in texts] == [["20"], ["10"], ["12"], []]
