"""Writes failures grouped by field and cause, the most frequent first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from benchmarks.failures import CAUSES, Failure
from benchmarks.table import Cell, Kind, Table


def summary_table(failures: Sequence[Failure]) -> Table:
    """Counts by field and cause."""
    counts = Counter((failure.field, failure.cause) for failure in failures)
    by_field = Counter(failure.field for failure in failures)
    columns: dict[str, Kind] = {"field": "text", "failures": "count", **dict.fromkeys(CAUSES, "count")}
    rows: list[list[Cell]] = [
        [field, total, *(counts[field, cause] or None for cause in CAUSES)]
        for field, total in by_field.most_common()
    ]
    note = (
        "ocr: not in the text; reading: digits there, but no value; classify: there, another or none chosen; "
        "spurious: the receipt has none; failed: no Result."
    )
    return Table("Failures by cause", columns, rows, note)


def write(failures: Sequence[Failure]) -> str:
    """The list as text, one failure per line with tab-separated columns, under a heading for each group."""
    groups: dict[tuple[str, str], list[Failure]] = {}
    for failure in failures:
        groups.setdefault((failure.field, failure.cause), []).append(failure)
    parts = [summary_table(failures).to_text()]
    for (field, cause), group in sorted(groups.items(), key=lambda entry: -len(entry[1])):
        parts.append(f"=== {field} / {cause}: {len(group)}\nid\texpected\tgot\tconfidence\tcontext")
        parts += [
            "\t".join(_columns(failure)) for failure in sorted(group, key=lambda f: (f.dataset, f.sample))
        ]
        parts.append("")
    return "\n".join(parts)


def _columns(failure: Failure) -> list[str]:
    confidence = "-" if failure.confidence is None else f"{failure.confidence:.2f}"
    columns = [failure.sample, failure.expected, failure.got, confidence, failure.context]
    return [" ".join(column.split()) for column in columns]
