"""Finds the name of what was measured, on a row near its volume and price."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from receipt_engine.document import PLAUSIBLE, AmountRow
from receipt_engine.region import SUMS, TENDERS, Role
from receipt_engine.scoring.certainty import LIKELY, POSSIBLE
from receipt_engine.stages.items.fuel.measures import Measure
from receipt_engine.stages.items.rows.codes import find_code
from receipt_engine.stages.items.rows.pumps import PUMP_ROLES
from receipt_engine.stages.items.rows.words import blank_out, repair_digits, tidy
from receipt_engine.vocabulary.normalise import weigh_letters
from receipt_engine.vocabulary.tokens import SHORTEST_NAME

#: Largest distances, in rows, from volume and price to the name above or below.
NAME_ABOVE = 4
NAME_BELOW = 2
#: Short fuel grades: a number with or without capitals, or two capitals for diesel in some languages.
_GRADE = re.compile(r"\d{2}|[^\W\d_]{1,2}-?\d{2}|[^\W\d_]{2}")
#: The number of a pump or a till after its word.
_LABEL_NUMBER = re.compile(r"[ .:#]*[0-9]{1,2}(?![0-9.,])")
#: Roles of words that label a volume, a price or a column; and roles of rows that are not a name.
_VALUE_LABELS: frozenset[Role] = frozenset(("column", "weight", "quantity"))
_NOT_NAMES: frozenset[Role] = SUMS | TENDERS | {
    "address", "phone", "date", "time", "company", "tax_id", "receipt_number", "footer", "suggested",
    "invoice",
}  # fmt: skip


def find_name(measure: Measure, rows: Sequence[AmountRow], value: Decimal) -> tuple[int, str] | None:
    """(row, name): the words after a label, before the volume on its row, or on the nearest row of words."""
    first, last = measure.rows
    around = range(max(0, first - NAME_ABOVE), min(len(rows), last + NAME_BELOW + 1))
    by_distance = sorted(around, key=lambda i: (max(first - i, i - last, 0), i))
    found: list[tuple[int, int, str]] = []
    for index in by_distance:
        row = rows[index]
        costs = [*(d.cost for d in row.dates), *(t.cost for t in row.times)]
        if min(costs, default=PLAUSIBLE) < PLAUSIBLE:
            continue
        labels, behind = _behind_label(row)
        if behind and "column" in labels:
            found.append((0, index, behind))
        elif behind and labels & PUMP_ROLES:  # may also be a car's number
            found.append((3, index, behind))
        elif behind and not row.roles and index == first - 1:
            found.append((1, index, behind))
        elif not behind and (words := _row_name(row, value)):
            found.append((2 if index <= last else 4, index, words))
    if not found:
        return None
    _, index, name = min(found, key=lambda f: f[0])
    return index, name


def _behind_label(row: AmountRow) -> tuple[set[Role], str]:
    """(roles of the label, the name behind it); an empty name if none is there."""
    label, behind = _split_label(row)
    if behind:
        behind = _without_labels(row)[len(label) + 1 :].rpartition(":")[2].strip()
        # A fuel's grade is short: "95", "E10", "ДТ".
        behind = _words(behind) or (behind if _GRADE.fullmatch(behind) and behind == behind.upper() else "")
        behind = "" if any(a.currency == behind for a in row.amounts) else behind
    return {m.role for m in row.roles if m.weight >= POSSIBLE and m.end <= len(label) + 1}, behind


def _split_label(row: AmountRow) -> tuple[str, str]:
    """(label, what follows it): up to the colon behind the last column heading of the row ("Nozzle: 3
    Product: PETROL"), else up to the first colon."""
    for match in reversed(row.roles):
        if match.role == "column" and row.text[match.end :].lstrip()[:1] == ":":
            end = row.text.index(":", match.end)
            return row.text[:end], row.text[end + 1 :]
    label, _, behind = row.text.partition(":")
    return label, behind


def _row_name(row: AmountRow, value: Decimal) -> str:
    """The words of a row without a label, up to the amount that was paid; empty if they are no name."""
    if any(m.role in _NOT_NAMES and m.weight >= LIKELY for m in row.roles):
        return ""
    text = _without_labels(row)
    if row.amount is not None and row.amount.value == value:  # its tax code follows it
        text = text[: row.amount.start]
    code = find_code(text)
    return _words(blank_out(text, [(code.start, code.end)]) if code is not None else text)


def _without_labels(row: AmountRow) -> str:
    """The row's text without words that label values, and without a pump or till and its number."""
    text = row.text
    for match in row.roles:
        if match.role in _VALUE_LABELS:
            text = blank_out(text, [(match.start, match.end)])
        elif match.role in PUMP_ROLES and match.weight >= POSSIBLE:
            number = _LABEL_NUMBER.match(text, match.end)
            text = blank_out(text, [(match.start, number.end() if number else match.end)])
    return text


def _words(text: str) -> str:
    """The words of a name, without numbers that have decimals; empty if too few letters remain."""
    text = repair_digits(tidy(re.sub(r"(?:[$€£]|\b[^\W\d_]{1,3})?\d+[.,]\d+\S*|@|/.*", " ", text)))
    return text if weigh_letters(text) >= SHORTEST_NAME else ""
