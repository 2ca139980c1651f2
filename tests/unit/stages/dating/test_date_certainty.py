"""How surely a date is that of the purchase: dates.txt lists receipts of invented countries.

A row begins with the order that its country prints, behind "+" one that it also prints, and behind "?" the
one that the caller asks for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from receipt_engine.document import RegionGuess
from tests.unit.stages.dating.dating_lands import choose
from tests.unit.stages.row_lists import RowList

LAND = re.compile(r"(?P<order>\w+)(?:\+(?P<also>\w+))?(?:\?(?P<asked>./.))?(?:~(?P<rivals>[\w.~]+))?")
SALE = ("bread    2.50", "rolls    1.10", "grand sum    3.60")


def _describe(country: str, rows: Sequence[str]) -> Iterable[str]:
    """A row "---" parts what stands above the products from what stands below the total; behind "~" stand
    orders with the probability of the country that prints so."""
    land = LAND.fullmatch(country)
    assert land is not None, country
    at = rows.index("---") if "---" in rows else len(rows)
    rivals = [tuple(rival.split(".", 1)) for rival in (land["rivals"] or "").split("~") if rival]
    guesses = [RegionGuess(order, float(f".{share}"), order) for order, share in rivals]  # type: ignore[arg-type]
    choice = choose(
        "\n".join(("BAKERY", *rows[:at], *SALE, *rows[at + 1 :])),
        land["order"],
        land["asked"],
        guesses,
        (land["also"],) if land["also"] else (),  # type: ignore[arg-type]
    )
    if choice is not None:
        others = "".join(f", or {day} {share:.3f}" for day, share in choice.runners_up)
        undecided = " undecided" if choice.undecided else ""
        yield f"{choice.date} {choice.time or 'no time'} {choice.confidence:.3f}{undecided}{others}"


DATES = RowList(Path(__file__).parent / "dates.txt", _describe)


@pytest.mark.parametrize("row", DATES.rows)
def test_how_surely_it_is_the_day_of_purchase(row: str) -> None:
    assert row == DATES.result_of(row)


if __name__ == "__main__":
    DATES.write()
