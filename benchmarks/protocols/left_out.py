"""Measures reading of a country whose region file is missing, for each country in turn.

    python -m benchmarks.protocols.left_out [--countries hu,tr] [--seed N] [--rounds N] [--report FILE]

Receipts of every kind are composed as text by `scripts.make_receipts`. Each country's are interpreted without
a region hint, twice: with all region files, and without the country's own. In the second case the engine
knows of it only what `regions/elsewhere` has for any country of the world: names, three cities, currency,
calling code, number separators, date order, languages, tax number check digits. Language files stay.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks import failure_list, machine, report
from benchmarks.datasets import Sample
from benchmarks.datasets.truth_form import sample
from benchmarks.failures import failures
from benchmarks.outcome import Outcome, text_rows
from benchmarks.product import Call, ProductReader
from benchmarks.protocols.fields import tally
from benchmarks.protocols.inference import inferred_region
from benchmarks.protocols.items import item_counts, labelled
from benchmarks.protocols.selective import answers
from benchmarks.scoring.matching import Counts
from benchmarks.study import POOLED
from benchmarks.table import Cell, Kind, Table
from receipt_engine import assets
from receipt_engine.document import Quality, Reading
from receipt_engine.region import Region, load_region, region_codes
from receipt_engine.runtime import caches
from scripts.composed_lines import composed_spans
from scripts.make_receipts import compose_receipt
from scripts.make_receipts.sale import KINDS

FIELDS = ("total", "currency", "taxes", "date", "establishment", "address")
_SURE = 0.9
#: Number of large cities listed for any country of the world.
_CITIES = 3
_PAGE = (1000, 4000)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A composed receipt: its truth as a row of labels.jsonl, and its text as a reading."""

    label: dict[str, Any]
    reading: Reading


def main(arguments: Sequence[str] | None = None) -> int:
    """Composes, interprets, scores and prints; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--countries", default="all", help="region codes with commas")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=1, help="receipts of each kind for each country")
    parser.add_argument("--workers", type=int, default=min(2, machine.cores()), help="processes")
    parser.add_argument("--report", type=Path, help="write the tables as Markdown")
    parser.add_argument("--errors", type=Path, help="write every failure of the countries left out")
    options = parser.parse_args(arguments)
    codes = region_codes() if options.countries == "all" else tuple(options.countries.split(","))
    facts = machine.facts()
    drawn = {code: draw(code, options.seed, options.rounds) for code in codes}
    with ProcessPoolExecutor(options.workers) as pool:
        left_out = list(pool.map(read_left_out, codes, drawn.values()))
        present = list(pool.map(interpret, codes, drawn.values()))
    facts |= machine.changed_since(facts)
    tables = [_table("left out", left_out), _table("its file present", present)]
    sys.stdout.write(report.text(facts, tables))
    if options.report:
        written = report.markdown("Countries left out", facts, tables)
        options.report.write_text(written, encoding="utf-8")
    if options.errors:
        failed = failures([outcome for outcomes in left_out for outcome in outcomes])
        options.errors.write_text(failure_list.write(failed), encoding="utf-8")
    return 0


def draw(code: str, seed: int, rounds: int) -> list[Drawn]:
    """`rounds` receipts of every kind of one country."""
    found = []
    for number in range(rounds * len(KINDS)):
        kind = KINDS[number % len(KINDS)]
        composed = compose_receipt(code, kind=kind, seed=seed * 1_000_000 + number)
        name = f"{code}-{kind}-{seed}-{number:04d}"
        label = {"id": name, "region": composed.region, "truth": composed.truth}
        found.append(Drawn(label, Reading(*_PAGE, _PAGE, 0, Quality(), composed_spans(composed))))
    return found


def read_left_out(code: str, drawn: Sequence[Drawn]) -> list[Outcome]:
    """The receipts' outcomes while the country's region file is missing."""
    with left_out(code):
        return interpret(code, drawn)


def interpret(code: str, drawn: Sequence[Drawn]) -> list[Outcome]:
    """The receipts' outcomes with the current region files, without a hint; code: names the data set."""
    reader = ProductReader()
    return [
        Outcome(
            _scored(sample(one.label, code, Path())),
            reader.interpret(one.reading, Call(document_type="auto")),
            rows=text_rows(one.reading),
        )
        for one in drawn
    ]


def _scored(labelled: Sample) -> Sample:
    """The sample with only the labels of `FIELDS` and the product lines."""
    fields = {name: label for name, label in labelled.fields.items() if name in FIELDS}
    return replace(labelled, fields=fields, summary=None)


@contextmanager
def left_out(code: str) -> Iterator[None]:
    """Removes a country's region file while the block lasts, adding an ``elsewhere`` entry in its place."""
    region = load_region(code)
    entry = _entry(region)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path in assets.shipped("regions").iterdir():
            if path.name not in {f"{code}.toml", "elsewhere"}:
                (folder / path.name).symlink_to(path)
        (folder / "elsewhere").mkdir()
        for path in (assets.shipped("regions") / "elsewhere").iterdir():
            added = entry if path.name == "countries.toml" else ""
            text = path.read_text(encoding="utf-8") + added
            (folder / "elsewhere" / path.name).write_text(text, encoding="utf-8")
        assets.use_regions(folder)
        caches.clear()
        try:
            yield
        finally:
            assets.use_regions(None)
            caches.clear()


def _entry(region: Region) -> str:
    """This country's entry for ``elsewhere/countries.toml``, as TOML text."""
    habit = region.numbers.habits[0]
    told: dict[str, object] = {
        "code": region.phone.region.lower(),
        "names": list(dict.fromkeys((region.name, region.address.country))),
        "languages": region.languages,
        "currency": region.currency.code,
        "signs": region.currency.symbols,
        "decimals": region.currency.decimals,
        "calling_code": region.phone.calling_code,
        "decimal": habit.decimal,
        "group": (habit.groups or ("," if habit.decimal == "." else ".",))[0],
        "order": region.dates.order,
        "words": region.address.cities[:_CITIES],
        "stdnum": next((known.stdnum for known in region.identifiers if known.stdnum), ""),
    }
    # Lists, strings and numbers have the same syntax in JSON and TOML.
    written = (f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in told.items())
    return "\n".join(("\n[[country]]", *written, ""))


def _table(title: str, countries: Sequence[Sequence[Outcome]]) -> Table:
    columns: dict[str, Kind] = {"country": "text", "n": "count"}
    columns |= {f"{field} %": "share" for field in FIELDS}
    columns |= {"items F1": "score", "region %": "share"}
    columns |= {f"≥{_SURE} cover %": "share", f"≥{_SURE} right %": "share"}
    rows = [_row(outcomes[0].sample.dataset, outcomes) for outcomes in countries]
    everyone = [outcome for outcomes in countries for outcome in outcomes]
    note = f"cover, right: totals with a confidence of {_SURE} or more, and how many of these are right."
    return Table(f"Countries: {title}", columns, [*rows, _row(POOLED, everyone)], note)


def _row(name: str, outcomes: Sequence[Outcome]) -> list[Cell]:
    row: list[Cell] = [name, len(outcomes)]
    for field in FIELDS:
        counts = tally(outcomes, field)
        row.append(counts.accuracy if counts.n else None)
    row.append(sum((item_counts(outcome) for outcome in labelled(outcomes)), Counts()).f1)
    row.append(sum(inferred_region(o) == o.sample.region for o in outcomes) / len(outcomes))
    sure = [right for confidence, right in answers(outcomes, "total").given if confidence >= _SURE]
    return [*row, len(sure) / len(outcomes), sum(sure) / len(sure) if sure else None]


if __name__ == "__main__":
    raise SystemExit(main())
