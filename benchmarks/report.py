"""Writes reports: first the facts of the run, then the tables."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from benchmarks.outcome import Outcome
from benchmarks.table import Table


def health(outcomes: Sequence[Outcome]) -> dict[str, str]:
    """Facts that qualify the numbers: errors, crashes, stale readings."""
    errors = [outcome for outcome in outcomes if outcome.error and outcome.expected_error]
    crashes = [outcome for outcome in outcomes if outcome.error and not outcome.expected_error]
    found = {"pictures": str(len(outcomes))}
    if errors:
        found["without a Result"] = _listed(errors)
    if crashes:
        found["CRASHED"] = _listed(crashes)
    stale = sum(outcome.stale for outcome in outcomes)
    if stale:
        found["stale"] = f"{stale} readings were made by other reading code; --refresh renews them"
    times = sorted(outcome.milliseconds for outcome in outcomes if outcome.result is not None)
    if times:
        median, most = times[len(times) // 2], times[int(len(times) * 0.95)]
        found["interpreting"] = f"median {median:.1f} ms of processor time, 95 % within {most:.1f} ms"
    return found


def _listed(outcomes: Sequence[Outcome]) -> str:
    kinds: dict[str, int] = {}
    for outcome in outcomes:
        if outcome.error:
            kinds[outcome.error[0]] = kinds.get(outcome.error[0], 0) + 1
    return f"{len(outcomes)} ({', '.join(f'{name} {count}' for name, count in sorted(kinds.items()))})"


def markdown(title: str, facts: Mapping[str, str], tables: Sequence[Table]) -> str:
    head = [f"# {title}", "", *(f"- {key}: {value}" for key, value in facts.items()), ""]
    return "\n".join([*head, *(table.to_markdown() for table in tables)])


def text(facts: Mapping[str, str], tables: Sequence[Table]) -> str:
    head = "  ".join(f"{key}: {value}" for key, value in facts.items())
    return "\n".join([head, "", *(table.to_text() for table in tables if not table.detail)])


def to_json(facts: Mapping[str, str], tables: Sequence[Table]) -> str:
    return json.dumps(
        {**facts, "tables": [table.to_dict() for table in tables]}, ensure_ascii=False, indent=1
    )
