"""Classifies why a field came out wrong, as far as the recognised text shows.

Causes: ``ocr`` the expected value is nowhere in the text; ``reading`` its digits are there, but as they
stand they form no such amount or date; ``classify`` it is there, but another value or none was chosen;
``spurious`` the receipt has no such field; ``failed`` there was no Result at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

from rapidfuzz import fuzz

from benchmarks.datasets import Value
from benchmarks.outcome import Outcome
from benchmarks.protocols.fields import field_names
from benchmarks.scoring import matching, text
from benchmarks.scoring.fields import Verdict

Cause = Literal["failed", "ocr", "reading", "classify", "spurious"]
CAUSES: tuple[Cause, ...] = ("failed", "ocr", "reading", "classify", "spurious")

_NUMBER = re.compile(r"\d(?:[\d.,'’ ]*\d)?")
_PARTLY = 80.0
_CONTEXT = 100


@dataclass(frozen=True, slots=True)
class Failure:
    """One wrong value. expected, got, context: texts for display."""

    sample: str
    dataset: str
    field: str
    cause: Cause
    expected: str
    got: str
    confidence: float | None
    context: str


def failures(outcomes: Sequence[Outcome]) -> list[Failure]:
    """Every field, product line and summary line that the lenient score counts as wrong."""
    found: list[Failure] = []
    for outcome in outcomes:
        for field in field_names([outcome]):
            if outcome.judge(field) is not Verdict.RIGHT:
                found.append(_field(outcome, field))
        found += _items(outcome)
        found += _summary(outcome)
    return found


def _field(outcome: Outcome, field: str) -> Failure:
    label = outcome.sample.fields[field]
    given = outcome.answer(field)
    if outcome.error is not None:
        cause: Cause = "failed"
    elif not label.printed:
        cause = "spurious"
    else:
        printed = [value for value in label.accepted if value is not None and value != ()]
        causes = [cause_of(value, field, given, outcome.rows) for value in printed]
        cause = max(causes, key=CAUSES.index)
    context = ": ".join(outcome.error) if outcome.error else context_of(label.accepted[0], outcome.rows)
    expected = " | ".join(shown(value) for value in label.accepted)
    return Failure(
        outcome.sample.id,
        outcome.sample.dataset,
        field,
        cause,
        expected,
        shown(given),
        outcome.confidence(field),
        context,
    )


def cause_of(expected: Value, field: str, given: Value, rows: Sequence[str]) -> Cause:
    """The cause of a wrong or missing value: where the expected value was lost."""
    if isinstance(expected, Decimal):
        return "classify" if field == "itemCount" else _amount_cause(expected, rows)
    if isinstance(expected, tuple):
        causes = [_amount_cause(entry, rows) for entry in expected if isinstance(entry, Decimal)]
        return min(causes, key=CAUSES.index, default="classify")
    if field in {"date", "dateTime"}:
        if not any(date_in(str(expected), row) for row in rows):
            return "ocr"
        return "classify" if given else "reading"
    if field == "time":
        return "classify" if any(time_in(str(expected), row) for row in rows) else "ocr"
    if field == "phoneNumber" or field.startswith("customFields."):
        wanted = text.digits(str(expected))
        return "classify" if wanted in text.digits("".join(rows)) else "ocr"
    if field in {"establishment", "address"} or field.startswith("addressNorm."):
        found = fuzz.partial_ratio(text.letters(str(expected)), text.letters("".join(rows)))
        return "classify" if found >= _PARTLY else "ocr"
    return "classify"


def _amount_cause(expected: Decimal, rows: Sequence[str]) -> Cause:
    if any(abs(expected) in amounts_in(row) for row in rows):
        return "classify"
    return "reading" if any(_digits_in(expected, row) for row in rows) else "ocr"


def amounts_in(row: str) -> set[Decimal]:
    """Every amount that a number in a row could be, under any interpretation of its separators."""
    found: set[Decimal] = set()
    for match in _NUMBER.finditer(row):
        for piece in {match.group(), *match.group().split()}:
            joined = re.sub(r"\D", "", piece)
            if not joined:
                continue
            found.add(Decimal(joined))
            point = max(piece.rfind("."), piece.rfind(","))
            whole, fraction = (
                re.sub(r"\D", "", part) for part in (piece[: max(point, 0)], piece[point + 1 :])
            )
            if whole and len(fraction) <= 3:
                found.add(Decimal(f"{whole}.{fraction}"))
    return found


def _digits_in(expected: Decimal, row: str) -> bool:
    forms = {text.digits(f"{abs(expected):.2f}")}
    if expected == expected.to_integral_value() and abs(expected) >= 10:
        forms.add(text.digits(f"{abs(expected):.0f}"))
    return any(form in text.digits(row) for form in forms)


def date_in(iso: str, row: str) -> bool:
    """Whether the row holds the numbers of a date, separate or joined, with a numeric or named month."""
    year, month, day = iso[:4], iso[5:7], iso[8:10]
    numbers = {int(number) for number in re.findall(r"\d+", row)}
    named = any(len(word) >= 3 and word.isalpha() for word in re.findall(r"[^\W\d_]+", row))
    years = {int(year), int(year[2:])}
    if int(day) in numbers and years & numbers and (int(month) in numbers or named):
        return True
    joined = text.digits(row)
    forms = [day + month, month + day]
    return any(form + y in joined for form in forms for y in (year, year[2:])) or year + month + day in joined


def time_in(clock: str, row: str) -> bool:
    """Whether the row holds the hour and minute side by side, in 24-hour or 12-hour form."""
    hour, minute = int(clock[:2]), clock[3:5]
    pairs = {(int(h), m) for h, m in re.findall(r"(?<!\d)(?=(\d{1,2})\D{0,2}(\d{2}))", row)}
    return bool(pairs & {(hour, minute), (hour % 12 or 12, minute)})


def context_of(expected: Value, rows: Sequence[str]) -> str:
    """The rows that hold the amount, else the row most similar to the value."""
    if not rows:
        return ""
    entries = expected if isinstance(expected, tuple) else (expected,)
    amounts = [entry for entry in entries if isinstance(entry, Decimal)]
    if amounts:
        close = [row for row in rows if any(_digits_in(amount, row) for amount in amounts)]
        return " / ".join(close[:3])[:_CONTEXT]
    wanted = text.squeezed(str(expected))
    return max(rows, key=lambda row: fuzz.partial_ratio(wanted, text.squeezed(row)))[:_CONTEXT]


def shown(value: Value) -> str:
    """A value as text for display."""
    if isinstance(value, tuple):
        return ", ".join(shown(entry) if not isinstance(entry, tuple) else ":".join(entry) for entry in value)
    return "-" if value is None else str(value)


def _items(outcome: Outcome) -> Iterator[Failure]:
    """Failures of product lines: labelled but not in the Result, and in the Result but not labelled."""
    labels, lines = outcome.sample.items, outcome.lines("lineItems")
    if labels is None:
        return
    matched = matching.match_items(labels, lines)
    extra = [line for at, line in enumerate(lines) if at not in set(matched.values())]
    for at, label in enumerate(labels):
        if at not in matched:
            near = next((line for line in extra if _near(label.line_total, label.descs, line)), None)
            if near is not None:
                extra.remove(near)
            expected = f"{label.descs[0]} {label.line_total}"
            cause = "failed" if outcome.error else _amount_cause(label.line_total, outcome.rows)
            yield _line(outcome, "lineItems", cause, expected, near, label.line_total)
    for line in extra:
        yield _line(outcome, "lineItems", "spurious", "-", line, matching.line_total(line))


def _near(amount: Decimal, descs: Sequence[str], line: dict[str, Any]) -> bool:
    given = text.squeezed(str(line.get("descClean") or line.get("desc") or ""))
    alike = any(fuzz.ratio(text.squeezed(desc), given) >= _PARTLY for desc in descs)
    return alike or matching.line_total(line) == amount


def _summary(outcome: Outcome) -> Iterator[Failure]:
    """Failures of summary lines: labelled but not in the Result, and in the Result but not labelled."""
    labels, lines = outcome.sample.summary, outcome.lines("summaryItems")
    if labels is None:
        return
    left = list(lines)
    for label in labels:
        wanted = (label.line_type, label.amount)
        same = next((ln for ln in left if (ln.get("lineType"), matching.line_total(ln)) == wanted), None)
        if same is not None:
            left.remove(same)
            continue
        cause = "failed" if outcome.error else _amount_cause(label.amount, outcome.rows)
        yield _line(
            outcome,
            "summaryItems",
            cause,
            f"{label.line_type} {label.desc} {label.amount}",
            None,
            label.amount,
        )
    for line in left:
        yield _line(outcome, "summaryItems", "spurious", "-", line, matching.line_total(line))


def _line(
    outcome: Outcome, field: str, cause: Cause, expected: str, line: dict[str, Any] | None, amount: Value
) -> Failure:
    got = "-"
    if line is not None:
        kind = f"{line.get('lineType')} " if field == "summaryItems" else ""
        got = f"{kind}{line.get('descClean') or line.get('desc')} {line.get('lineTotal')}"
    context = context_of(amount, outcome.rows)
    return Failure(outcome.sample.id, outcome.sample.dataset, field, cause, expected, got, None, context)
