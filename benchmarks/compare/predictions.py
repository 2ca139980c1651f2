"""Loads predictions of any other system, to be scored like the engine's own Results.

A folder has a ``predictions.jsonl``, one object per line:

    {"id": "receipt-17", "result": {"total": 12.5, "date": "2026-03-01", "totalConfidence": 0.93},
     "seconds": 1.8, "memory": 734003200}

``id`` is the label's id. ``result`` has keys of the Result as the API contract names them, as many as the
system gives; null when it gave none. ``seconds`` of processor time (or a service's response time) and
``memory`` in bytes are optional. Labelled receipts without a prediction count as not answered.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.datasets import LabelError
from receipt_engine.result import Result

FILE = "predictions.jsonl"
_RESULT_KEYS = frozenset(Result().to_dict()) | {"customFields", "evidence"}


@dataclass(frozen=True, slots=True)
class Prediction:
    """A system's output for one receipt. seconds, memory (bytes): None when not stated."""

    result: dict[str, Any] | None
    seconds: float | None = None
    memory: int | None = None


def load(folder: Path, ids: Iterable[str]) -> dict[str, Prediction]:
    """The predictions of a folder by id. ids: those of the labelled receipts. Raises LabelError, naming the
    line, for a malformed line, and when no prediction belongs to a labelled receipt."""
    path = folder / FILE
    if not path.is_file():
        raise LabelError(f"{path} does not exist; write one object a line: id, result.")
    found: dict[str, Prediction] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if line.strip():
            identifier, prediction = _parsed(line, f"{path}:{number}")
            found[identifier] = prediction
    labelled = set(ids)
    if not labelled & set(found):
        raise LabelError(
            f"{path}: none of its {len(found)} ids is labelled; a label's id is {min(labelled)!r}."
        )
    return found


def _parsed(line: str, place: str) -> tuple[str, Prediction]:
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        raise LabelError(f"{place}: {error}") from error
    if not isinstance(row, dict) or "id" not in row or "result" not in row:
        raise LabelError(f"{place}: expected an object with an id and a result.")
    _refuse_unknown(row, ("id", "result", "seconds", "memory"), place)
    result = row["result"]
    if result is not None:
        _refuse_unknown(result, _RESULT_KEYS, place)
        result = {"lineItems": [], "summaryItems": [], **result}
    return str(row["id"]), Prediction(result, row.get("seconds"), row.get("memory"))


def _refuse_unknown(row: dict[str, Any], known: Sequence[str] | frozenset[str], place: str) -> None:
    for key in row:
        if key not in known:
            close = difflib.get_close_matches(key, known, 1)
            hint = f" Did you mean {close[0]}?" if close else f" There are: {', '.join(sorted(known))}."
            raise LabelError(f"{place}: there is no {key}.{hint}")
