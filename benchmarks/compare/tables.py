"""Builds the tables of the comparison."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchmarks.compare.systems import Compared
from benchmarks.protocols.fields import tally
from benchmarks.protocols.selective import answers
from benchmarks.scoring.fields import Verdict
from benchmarks.scoring.statistics import calibration_error, wilson
from benchmarks.study import POOLED
from benchmarks.table import Cell, Kind, Table, interval

FIELDS = ("total", "date", "establishment", "subTotal", "tax")
_THRESHOLD = 0.9
_RESAMPLES = 2000
_SEED = 20240229


def tables(systems: Sequence[Compared]) -> list[Table]:
    """Accuracy over all receipts and by data set, differences of the total, confidence and cost."""
    return [_overview(systems), _by_set(systems), _differences(systems), _confidence(systems)]


def _overview(systems: Sequence[Compared]) -> Table:
    columns: dict[str, Kind] = {"system": "text"}
    for field in FIELDS:
        columns |= {field: "share", f"{field} 95 %": "text"}
    columns |= {"seconds": "score", "MB": "number"}
    rows: list[list[Cell]] = []
    for system in systems:
        row: list[Cell] = [system.name]
        for field in FIELDS:
            counts = tally(system.outcomes, field)
            row += [counts.accuracy, interval(wilson(counts.right, counts.n))] if counts.n else [None, None]
        rows.append([*row, system.seconds, system.memory / 1e6 if system.memory else None])
    note = (
        "% right, any accepted value; seconds: median processor time a picture; MB: of the reading process."
    )
    return Table(f"Systems over {len(systems[0].outcomes)} receipts", columns, rows, note)


def _by_set(systems: Sequence[Compared]) -> Table:
    """The total's accuracy by data set."""
    sets = list(dict.fromkeys(outcome.sample.dataset for outcome in systems[0].outcomes))
    columns: dict[str, Kind] = {"system": "text", **dict.fromkeys((*sets, POOLED), "text")}
    rows: list[list[Cell]] = []
    for system in systems:
        row: list[Cell] = [system.name]
        for name in (*sets, POOLED):
            counts = tally([o for o in system.outcomes if name in (POOLED, o.sample.dataset)], "total")
            row.append(f"{100 * counts.accuracy:.1f} /{counts.n}" if counts.n else None)
        rows.append(row)
    return Table("Total by data set: % right / labelled", columns, rows)


def _differences(systems: Sequence[Compared]) -> Table:
    """How much more accurate each system's total is than each less accurate one's, paired by receipt."""
    columns: dict[str, Kind] = {"system": "text", "against": "text", "points": "number", "95 %": "text"}
    rows: list[list[Cell]] = []
    for first in systems:
        for second in systems:
            if first is second or not _accuracy(first) > _accuracy(second):
                continue
            mine, other = (np.array(_right(system), dtype=float) for system in (first, second))
            difference = mine - other
            picks = np.random.default_rng(_SEED).integers(
                0, len(difference), size=(_RESAMPLES, len(difference))
            )
            low, high = np.percentile(100 * difference[picks].mean(axis=1), [2.5, 97.5])
            points = float(100 * difference.mean())
            rows.append([first.name, second.name, points, interval((float(low), float(high)), "number")])
    return Table("Total: difference in points on the same receipts", columns, rows)


def _right(system: Compared) -> list[bool]:
    labelled = [outcome for outcome in system.outcomes if "total" in outcome.sample.fields]
    return [outcome.judge("total") is Verdict.RIGHT for outcome in labelled]


def _accuracy(system: Compared) -> float:
    return tally(system.outcomes, "total").accuracy


def _confidence(systems: Sequence[Compared]) -> Table:
    columns: dict[str, Kind] = {
        "system": "text",
        "totals with a confidence": "count",
        f"≥{_THRESHOLD} cover %": "share",
        f"≥{_THRESHOLD} error %": "share",
        "proved %": "share",
        "proved right %": "share",
        "ECE": "score",
    }
    rows: list[list[Cell]] = []
    for system in systems:
        found = answers(system.outcomes, "total")
        if not found.given:
            continue
        above = [right for confidence, right in found.given if confidence >= _THRESHOLD]
        proved = found.validated
        rows.append(
            [
                system.name,
                len(found.given),
                len(above) / found.labelled,
                1 - sum(above) / len(above) if above else None,
                len(proved) / found.labelled,
                sum(proved) / len(proved) if proved else None,
                calibration_error(found.given),
            ]
        )
    return Table("Confidence of the total", columns, rows, "ECE: expected calibration error, ten bins.")
