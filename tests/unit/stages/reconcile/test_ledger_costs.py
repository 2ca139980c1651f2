"""What closes around a total, and by how much it is believed. ledgers.txt lists hand-made sheets, a row each:

    country: products; role amount; … => what each amount is; equations; how much dearer the best rival is

A role may carry how surely its words say so (`total~0.6`), what its reading costs (`total!2`), and a
percentage (`tax@10`); `?` is an amount without words, 9.72/9.12 one with a second reading. Rows stand in
printed order.

Bonuses and costs decide which total is right, so they are part of what `reconcile` promises. A rule that is
changed on purpose changes rows: `python -m tests.unit.stages.reconcile.test_ledger_costs` writes them anew,
and the difference is part of the review.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from receipt_engine.document import Chosen, Entry, Item, Ledger
from tests.unit.stages.reconcile.sheets import decide, product, row

LIST = Path(__file__).parent / "ledgers.txt"
LINES = LIST.read_text(encoding="utf-8").splitlines()
ENTRY = re.compile(
    r"(?P<role>[a-z_?]+)(?:~(?P<weight>[\d.]+))?(?:!(?P<cost>[\d.]+))?(?:@(?P<percent>[\d.]+))?"
)
FIELDS = ("total", "subtotal", "tip", "rounding", "cash", "change", "card")
LISTS = ("taxes", "services", "discounts")


def _entry(line: int, words: str, values: list[str]) -> Entry:
    match = ENTRY.fullmatch(words)
    assert match is not None, words
    role = None if match["role"] == "?" else match["role"]
    weight, cost = float(match["weight"] or 1.0), float(match["cost"] or 0.0)
    return row(line, role, *values, weight=weight, cost=cost, percent=match["percent"])  # type: ignore[arg-type]


def _sheet(text: str) -> tuple[list[Entry], list[Item]]:
    entries: list[Entry] = []
    items: list[Item] = []
    for line, part in enumerate(text.split("; ")):
        words, _, printed = part.partition(" ")
        if printed:
            entries.append(_entry(line, words, printed.split("/")))
        else:
            items.append(product(line, *words.split("/")))
    return entries, items


def _told(ledger: Ledger) -> Iterable[str]:
    for name in FIELDS:
        found: Chosen | None = getattr(ledger, name)
        if found is not None:
            yield f"{name} {found.value}" + (f" ({found.cost:.2f})" if name == "total" else "")
    for name in LISTS:
        if values := [str(found.value) for found in getattr(ledger, name)]:
            yield f"{name} {' '.join(values)}"
    if ledger.tax is not None and not ledger.taxes:
        yield f"tax {ledger.tax}"
    for equation in ledger.equations:
        terms = " ".join(f"{term.value:+}" for term in equation.terms)
        yield f"{equation.verdict}: {equation.kind.value} [{terms}]"
    yield f"margin {ledger.margin:.2f}"


def told(line: str) -> str:
    """The row as it should stand."""
    sheet = line.partition(" => ")[0]
    country, _, text = sheet.partition(": ")
    entries, items = _sheet(text)
    return f"{sheet} => " + "; ".join(_told(decide(entries, items, region=country)))


@pytest.mark.parametrize("line", [line for line in LINES if " => " in line])
def test_what_closes_and_how_much_it_is_believed(line: str) -> None:
    assert line == told(line)


if __name__ == "__main__":
    rows = [told(line) if " => " in line else line for line in LINES]
    LIST.write_text("\n".join(rows) + "\n", encoding="utf-8")
