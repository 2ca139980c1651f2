"""`receipt-engine summary`: sums over a results file."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING

from receipt_engine.cli.exit_codes import OK

if TYPE_CHECKING:
    from receipt_engine.summary import Group, Grouping, Summary

_GROUPINGS: tuple[Grouping, ...] = ("month", "merchant", "expense", "currency", "rate")
_TITLES = {
    "month": "By month",
    "merchant": "By merchant",
    "expense": "By type of expense",
    "currency": "By currency",
    "rate": "By tax rate",
}


def add_summary(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command to the parser."""
    summary = commands.add_parser("summary", help="sum up a results file by month, merchant, tax rate …")
    summary.add_argument("file", type=Path, metavar="RESULTS.jsonl")
    summary.add_argument(
        "--by", action="append", choices=_GROUPINGS, help="sum up only by this; may be repeated"
    )
    summary.add_argument("--json", action="store_true", help="print JSON")
    summary.set_defaults(run=_summary)


def _summary(options: argparse.Namespace) -> int:
    from receipt_engine.review.corrections import corrected_rows
    from receipt_engine.summary import summarise

    summary = summarise(corrected_rows(options.file), options.by or _GROUPINGS)
    if options.json:
        print(json.dumps(summary.to_dict(), ensure_ascii=False))
    else:
        print(_text(summary))
    return OK


def _text(summary: Summary) -> str:
    head = (
        f"{summary.receipts} receipts, {summary.to_check} of them to check; left out: "
        f"{summary.duplicates} duplicates, {summary.failed} that could not be read"
    )
    parts = [head]
    for grouping, groups in summary.groups.items():
        table = _rates(groups) if grouping == "rate" else _totals(groups)
        parts.append(f"{_TITLES[grouping]}\n{table}")
    return "\n\n".join(parts)


def _totals(groups: Sequence[Group]) -> str:
    lines = [("", "receipts", "total", "tax", "", "to check")]
    lines += [
        (g.name or "unknown", str(g.receipts), _money(g.total), _money(g.tax), g.currency, _some(g.to_check))
        for g in groups
    ]
    return _aligned(lines)


def _rates(groups: Sequence[Group]) -> str:
    lines = [("", "receipts", "base", "tax", "", "without base")]
    lines += [
        (
            f"{g.name} %" if g.name else "unknown",
            str(g.receipts),
            "" if g.base is None else _money(g.base),
            _money(g.tax),
            g.currency,
            _some(g.without_total),
        )
        for g in groups
    ]
    return _aligned(lines)


def _some(count: int) -> str:
    return str(count) if count else ""


def _money(value: Decimal) -> str:
    return f"{value:,}"


def _aligned(lines: Sequence[tuple[str, ...]]) -> str:
    """Aligns names and currencies to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  "
        + "  ".join(
            text.ljust(width) if at in (0, 4) else text.rjust(width)
            for at, (text, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )
