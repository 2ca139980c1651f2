"""Describes one sample for people: the recognised text, the labels and the Result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchmarks.failures import shown
from benchmarks.outcome import Outcome
from benchmarks.protocols.fields import field_names
from benchmarks.scoring import matching
from benchmarks.scoring.fields import FIELDS, Verdict, answer

_MARKS = {Verdict.RIGHT: " ", Verdict.WRONG: "✗", Verdict.MISSING: "–", Verdict.SPURIOUS: "+"}


def describe(outcome: Outcome) -> str:
    """The whole description as text. Marks: ✗ wrong, – missing, + not on the receipt, ? unlabelled."""
    return "\n".join(
        [*_head(outcome), *_text(outcome), *_fields(outcome), *_items(outcome), *_summary(outcome)]
    )


def _head(outcome: Outcome) -> Iterator[str]:
    sample = outcome.sample
    yield f"{sample.id}  set {sample.dataset}  region {sample.region or 'unknown'}  {sample.image}"
    yield from (f"note: {note}" for note in sample.notes)
    if outcome.error:
        yield "no Result: " + ": ".join(outcome.error)


def _text(outcome: Outcome) -> Iterator[str]:
    yield "\n--- text"
    yield from (f"{number:3}  {row}" for number, row in enumerate(outcome.rows))


def _fields(outcome: Outcome) -> Iterator[str]:
    yield "\n--- fields: label → Result"
    labelled = field_names([outcome])
    for field in labelled:
        verdict = outcome.judge(field)
        mark = _MARKS[verdict] if verdict else " "
        accepted = " | ".join(shown(value) for value in outcome.sample.fields[field].accepted)
        given = shown(outcome.answer(field))
        yield f"{mark} {field:22} {accepted}" + (
            f"  →  {given}{_sure(outcome, field)}" if mark != " " else ""
        )
    if outcome.result is not None:
        for field in FIELDS:
            value = answer(outcome.result, field)
            if field not in labelled and value not in (None, ()):
                yield f"? {field:22} {shown(value)}{_sure(outcome, field)}"


def _sure(outcome: Outcome, field: str) -> str:
    confidence = outcome.confidence(field)
    return "" if confidence is None else f"  ({confidence:.2f})"


def _items(outcome: Outcome) -> Iterator[str]:
    labels, lines = outcome.sample.items, outcome.lines("lineItems")
    matched = matching.match_items(labels or (), lines)
    of_line = {found: at for at, found in matched.items()}
    yield "\n--- product lines" + ("" if labels is not None else " (unlabelled)")
    for at, line in enumerate(lines):
        mark = "?" if labels is None else " " if at in of_line else "+"
        yield f"{mark} {_line(line)}"
    for at, label in enumerate(labels or ()):
        if at not in matched:
            yield f"– {label.line_total:>10}  {label.descs[0]}"


def _summary(outcome: Outcome) -> Iterator[str]:
    labels, left = outcome.sample.summary, list(outcome.sample.summary or ())
    yield "\n--- summary lines" + ("" if labels is not None else " (unlabelled)")
    for line in outcome.lines("summaryItems"):
        key = (line.get("lineType"), matching.line_total(line))
        same = next((label for label in left if (label.line_type, label.amount) == key), None)
        if same is not None:
            left.remove(same)
        mark = "?" if labels is None else " " if same else "+"
        yield f"{mark} {line.get('lineType') or '-':14}{_line(line)}"
    for label in left:
        yield f"– {label.line_type or '-':14}{label.amount:>10}  {label.desc}"


def _line(line: dict[str, Any]) -> str:
    extras = [
        f"{key} {line[key]}" for key in ("qty", "price", "unit", "productCode", "symbols") if line.get(key)
    ]
    name = line.get("descClean") or line.get("desc") or ""
    return f"{matching.line_total(line) or '-':>10}  {name}" + (f"  [{', '.join(extras)}]" if extras else "")
