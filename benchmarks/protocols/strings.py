"""Scores parsing of printed strings: dates and amounts are read right, and lookalikes refused.

    python -m benchmarks strings --data FOLDER

FOLDER holds ``dates.jsonl`` and ``amounts.jsonl``: objects with ``text``, ``region``, ``iso`` or ``value``
(null when nothing may be read) and ``kind``. The best reading of the text counts if the parser accepts it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from benchmarks.datasets import LabelError
from benchmarks.scoring.statistics import wilson
from benchmarks.table import Cell, Kind, Table, interval

Parse = Callable[[str, str], str | None]
#: File → key of the expected value.
FILES = {"dates.jsonl": "iso", "amounts.jsonl": "value"}


@dataclass(frozen=True, slots=True)
class Reading:
    """One string. given: the parsed value, None for none; known: whether the region has rules."""

    file: str
    kind: str
    text: str
    region: str | None
    expected: str | None
    given: str | None
    known: bool = True

    @property
    def right(self) -> bool:
        return self.expected == self.given


def read_folder(folder: Path, parsers: Mapping[str, Parse], regions: Iterable[str]) -> list[Reading]:
    """Every string of the folder, read with the parser of its file. Raises LabelError without files."""
    known = set(regions)
    found: list[Reading] = []
    for name, key in FILES.items():
        path = folder / name
        if not path.is_file():
            raise LabelError(f"{path} does not exist; name the folder that holds {' and '.join(FILES)}.")
        for line in path.read_text(encoding="utf-8").splitlines():
            found.append(_read(name, json.loads(line, parse_float=Decimal), key, parsers[name], known))
    return found


def _read(name: str, row: Mapping[str, Any], key: str, parse: Parse, known: set[str]) -> Reading:
    region = row.get("region")
    expected = _normal(row[key])
    given = parse(row["text"], region) if region in known else None
    return Reading(name, row["kind"], row["text"], region, expected, given, region in known)


def _normal(value: Any) -> str | None:
    """A timestamp with seconds, an amount without trailing zeros."""
    if value is None:
        return None
    if isinstance(value, str):
        return value if len(value) != len("YYYY-MM-DDThh:mm") else f"{value}:00"
    return amount_text(Decimal(str(value)))


def amount_text(value: Decimal) -> str:
    return f"{value.normalize():f}"


def measure(readings: Sequence[Reading]) -> list[Table]:
    """Counts by file and kind."""
    columns: dict[str, Kind] = {
        "file": "text",
        "kind": "text",
        "n": "count",
        "right": "count",
        "right %": "share",
        "95 % interval": "text",
    }
    known = [reading for reading in readings if reading.known]
    rows: list[list[Cell]] = []
    for file in FILES:
        kinds = list(dict.fromkeys(reading.kind for reading in readings if reading.file == file))
        for kind in [*kinds, "all"]:
            chosen = [r for r in known if r.file == file and kind in (r.kind, "all")]
            right = sum(reading.right for reading in chosen)
            share = right / len(chosen) if chosen else None
            rows.append([file, kind, len(chosen), right, share, interval(wilson(right, len(chosen)))])
    note = f"{len(readings) - len(known)} strings of regions without rules are left out."
    return [Table("Strings", columns, rows, note)]


def wrong(readings: Sequence[Reading]) -> Table:
    """Every string that is read wrong: for the terminal only, as reports must hold no labels."""
    columns: dict[str, Kind] = dict.fromkeys(("region", "kind", "text", "expected", "given"), "text")
    rows = [[r.region, r.kind, r.text, r.expected, r.given] for r in readings if r.known and not r.right]
    return Table("Strings read wrong", columns, rows)


def product_parsers() -> dict[str, Parse]:
    """The package's own parsers; readings with costs above `ACCEPTED` count as no reading."""
    from receipt_engine.region import load_region
    from receipt_engine.stages.parse import ACCEPTED, find_amounts, find_dates

    def date(text: str, region: str) -> str | None:
        readings = [r for r in find_dates(text, load_region(region)) if r.cost <= ACCEPTED]
        return min(readings, key=lambda reading: reading.cost).iso if readings else None

    def amount(text: str, region: str) -> str | None:
        best = [place.readings[0] for place in find_amounts(text, load_region(region))]
        accepted = [money for money in best if money.cost <= ACCEPTED]
        return amount_text(min(accepted, key=lambda money: money.cost).value) if accepted else None

    return {"dates.jsonl": date, "amounts.jsonl": amount}
