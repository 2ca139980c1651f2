"""What closes around a total, and by how much it is believed. ledgers.txt lists hand-made sheets, a row each:

    country: products; role amount; … => what each amount is; equations; how much dearer the best rival is

`written_sheets` says how a sheet is written.

Bonuses and costs decide which total is right, so they are part of what `reconcile` promises. A rule that is
changed on purpose changes rows: `python -m tests.unit.stages.reconcile.test_ledger_costs` writes them anew,
and the difference is part of the review.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from receipt_engine.document import Chosen, Ledger
from tests.unit.stages.reconcile.written_sheets import ledger

LIST = Path(__file__).parent / "ledgers.txt"
LINES = LIST.read_text(encoding="utf-8").splitlines()
FIELDS = ("total", "subtotal", "tip", "rounding", "cash", "change", "card")
LISTS = ("taxes", "services", "discounts")


def _amount(found: Chosen, always: bool = False) -> str:
    """What was chosen, what its reading costs, and as what it stands there."""
    cost = f" ({found.cost:.2f})" if found.cost or always else ""
    read = "" if found.printed is None else f" read {found.printed}"
    read += "" if found.entry is not None else " not printed"
    return f"{found.value}{cost}{read}" + (
        "" if found.unrounded is None else f" rounded from {found.unrounded}"
    )


def _told(decided: Ledger) -> Iterable[str]:
    for name in FIELDS:
        found: Chosen | None = getattr(decided, name)
        if found is not None:
            yield f"{name} {_amount(found, always=name == 'total')}"
    for name in LISTS:
        if values := [_amount(found) for found in getattr(decided, name)]:
            yield f"{name} {' '.join(values)}"
    if decided.tax is not None and not decided.taxes:
        yield f"tax {decided.tax}"
    for equation in decided.equations:
        terms = " ".join(f"{term.value:+}" for term in equation.terms)
        yield f"{equation.verdict}: {equation.kind.value} [{terms}]"
    yield f"margin {decided.margin:.2f}"
    yield from (f"or {_amount(rival, always=True)}" for rival in decided.runners_up)
    if decided.items:
        yield f"products {' '.join(str(item.total.value) for item in decided.items)}"


def told(line: str) -> str:
    """The row as it should stand."""
    sheet = line.partition(" => ")[0]
    country, _, text = sheet.partition(": ")
    return f"{sheet} => " + "; ".join(_told(ledger(text, country)))


@pytest.mark.parametrize("line", [line for line in LINES if " => " in line])
def test_what_closes_and_how_much_it_is_believed(line: str) -> None:
    assert line == told(line)


if __name__ == "__main__":
    rows = [told(line) if " => " in line else line for line in LINES]
    LIST.write_text("\n".join(rows) + "\n", encoding="utf-8")
