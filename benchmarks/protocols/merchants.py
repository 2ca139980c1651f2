"""Measures a table of invented merchants: time and size of its import, and look-ups of receipt data.

    python -m benchmarks.protocols.merchants [--count N] [--report FILE]

Names, phone numbers and addresses are random. The looked-up data has errors like the recogniser's: in 4 % of
the letters of the name, and in 2 % of those of the address and of the phone number's digits.
"""

from __future__ import annotations

import argparse
import csv
import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks import machine, report
from benchmarks.table import Cell, Kind, Table
from receipt_engine.merchants import COLUMNS, MerchantTable, import_merchants

_SEED = 7
_LOOKED_UP = 500
_NAME_SLIPS, _OTHER_SLIPS = 0.04, 0.02
_TAKEN_FOR = dict(zip("oilseanb80159", "0ll5cor8BOlSg", strict=True))
_LIST_BEGINNINGS = "B D F G H K L M N P R S T V Z Br Dr Gl Kr Pl St Tr"
_VOWELS = ("a", "e", "i", "o", "u", "ai", "ea", "ou")
_LIST_STYLES = """
Golden Royal Blue Green Old New Little Grand Corner Lucky Happy Silver Red Crystal River Village Garden
Country Harbor Hill Lake Forest North South Central Express Prime First Classic Modern Fresh
"""
_LIST_TRADES = """
Kitchen Grill Cafe Bistro Bakery Deli Pizza Diner House Restaurant Bar Market Grocery Pharmacy Hardware
Books Shoes Fuel Motors Garage Salon Hotel Inn Florist Wines Coffee Noodles
"""
_BEGINNINGS, _STYLES, _TRADES = _LIST_BEGINNINGS.split(), _LIST_STYLES.split(), _LIST_TRADES.split()
_FORMS = ["", "", " Ltd", " Inc", " LLC", " GmbH", " Sdn Bhd", " SARL"]
_STREETS = [
    f"{name} {kind}"
    for name in ("High", "Main", "Church", "Mill", "Station", "Park", "King", "Oak", "Bridge")
    for kind in ("Street", "Road", "Avenue", "Lane")
]

Row = tuple[str, ...]
Printed = tuple[list[str], list[str], str | None]


def main(arguments: Sequence[str] | None = None) -> int:
    """Generates, imports, looks up and prints; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--count", type=int, default=1_000_000, help="merchants in the table")
    parser.add_argument("--report", type=Path, help="write the tables as Markdown")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        tables = measure(options.count, Path(folder))
    facts = machine.facts()
    sys.stdout.write(report.text(facts, tables))
    if options.report:
        options.report.write_text(report.markdown("Merchant table", facts, tables), encoding="utf-8")
    return 0


def measure(count: int, folder: Path) -> list[Table]:
    """The import's table and the look-ups' table for `count` merchants; files are made in `folder`."""
    rng = random.Random(_SEED)
    source, database = folder / "merchants.csv", folder / "merchants.sqlite"
    kept = _draw(count, source, rng)
    start, busy = time.perf_counter(), time.process_time()
    import_merchants(source, database)
    wall, cpu = time.perf_counter() - start, time.process_time() - busy
    size = database.stat().st_size / 1e6
    imported = Table(
        "Import",
        {
            "merchants": "count",
            "CSV MB": "number",
            "table MB": "number",
            "CPU s": "number",
            "wall s": "number",
        },
        [(count, source.stat().st_size / 1e6, size, cpu, wall)],
    )
    return [imported, _look_ups(MerchantTable(database), kept, rng)]


def _draw(count: int, source: Path, rng: random.Random) -> list[Row]:
    """Writes the CSV; returns the merchants to be looked up."""
    places = [_word(rng) for _ in range(8_000)]
    step = max(1, count // _LOOKED_UP)
    kept: list[Row] = []
    with source.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for index in range(count):
            row = (str(index), _name(rng), "", _phone(rng), _address(rng, places), "")
            writer.writerow(row)
            if index % step == 0:
                kept.append(row)
    return kept


def _look_ups(table: MerchantTable, kept: Sequence[Row], rng: random.Random) -> Table:
    places = [_word(rng) for _ in range(1_000)]

    def slipped(row: Row) -> Printed:
        return [_slips(row[1], _NAME_SLIPS, rng)], [_digit_slips(row[3], rng)], None

    def elsewhere(row: Row) -> Printed:
        return [_slips(row[1], _NAME_SLIPS, rng)], [], _slips(row[4], _OTHER_SLIPS, rng)

    def all_of_it(row: Row) -> Printed:
        return slipped(row)[0], slipped(row)[1], elsewhere(row)[2]

    def stranger(row: Row) -> Printed:
        return [_name(rng)], [_phone(rng)], _address(rng, places)

    printed: dict[str, Callable[[Row], Printed]] = {
        "name, phone and address": all_of_it,
        "name and phone": slipped,
        "name and address": elsewhere,
        "a merchant that is not in the table": stranger,
    }
    columns: dict[str, Kind] = {
        "printed": "text",
        "look-ups": "count",
        "found %": "share",
        "another one %": "share",
        "median ms": "number",
        "95th ms": "number",
        "longest ms": "number",
    }
    rows = [(title, *_looked_up(table, kept, draw)) for title, draw in printed.items()]
    return Table("Look-ups", columns, rows, "Milliseconds of processor time.")


def _looked_up(table: MerchantTable, kept: Sequence[Row], draw: Callable[[Row], Printed]) -> tuple[Cell, ...]:
    """Number of look-ups, shares found and wrongly found, milliseconds: median, 95th percentile, maximum."""
    milliseconds: list[float] = []
    right = wrong = 0
    for row in kept:
        names, phones, address = draw(row)
        start = time.thread_time()
        found = table.find(names, phones, address, [])
        milliseconds.append(1000 * (time.thread_time() - start))
        right += found is not None and found.id == row[0]
        wrong += found is not None and found.id != row[0]
    milliseconds.sort()
    count = len(kept)
    spread = (milliseconds[count // 2], milliseconds[int(0.95 * count)], milliseconds[-1])
    return (count, right / count, wrong / count, *spread)


def _word(rng: random.Random) -> str:
    parts = (rng.choice(_BEGINNINGS).lower() + rng.choice(_VOWELS) for _ in range(rng.randint(2, 4)))
    return "".join(parts).capitalize()


def _name(rng: random.Random) -> str:
    own, trade = _word(rng), rng.choice(_TRADES)
    forms = [f"{own}'s {trade}", f"{rng.choice(_STYLES)} {trade}", f"{own} {rng.choice(_STYLES)} {trade}"]
    return rng.choice([*forms, f"{own} & {_word(rng)}"]) + rng.choice(_FORMS)


def _phone(rng: random.Random) -> str:
    return f"0{rng.randint(100, 999)} {rng.randint(100, 999)} {rng.randint(1000, 9999)}"


def _address(rng: random.Random, places: Sequence[str]) -> str:
    street = f"{rng.randint(1, 400)} {rng.choice(_STREETS)}"
    return f"{street}, {rng.choice(places)} {rng.randint(10000, 99999)}"


def _slips(text: str, share: float, rng: random.Random) -> str:
    """The text with letters confused with others, or lost."""
    return "".join(_TAKEN_FOR.get(c.lower(), "") if rng.random() < share else c for c in text)


def _digit_slips(text: str, rng: random.Random) -> str:
    return "".join(str(rng.randint(0, 9)) if c.isdigit() and rng.random() < _OTHER_SLIPS else c for c in text)


if __name__ == "__main__":
    raise SystemExit(main())
