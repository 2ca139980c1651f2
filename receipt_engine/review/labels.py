"""Writes corrected receipts as a labelled folder, in the format of `python -m benchmarks run --data`."""

from __future__ import annotations

import json
import shutil
from decimal import Decimal
from pathlib import Path
from typing import Any

from receipt_engine.batch.journal import read_rows
from receipt_engine.review.corrections import Answer, Corrections, corrections_path, parse_amount
from receipt_engine.review.pictures import Pictures

#: Field of the interface → its name in labels; lists are not labelled entry by entry.
_LABELS = {"phoneNumber": "phone"}
_TEXTS = frozenset(("establishment", "address", "phoneNumber", "currency", "paymentMethod"))


def write_labels(results: Path, folder: Path) -> int:
    """Writes the receipts that a person has reviewed, with their images; returns how many.

    Only fields with an answer are labelled. A file with several receipts is left out: a label is of an image.
    Raises OSError; FileExistsError when the folder already has `images`.
    """
    corrections = Corrections(corrections_path(results))
    pictures = Pictures((results.parent,))
    images = folder / "images"
    images.mkdir(parents=True)
    lines: dict[str, dict[str, Any]] = {}
    for row in read_rows(results):
        answers = corrections.of(row)
        fields = _fields(list(answers.values()))
        if not fields or row.receipts > 1 or row.sha256 is None:
            continue
        source = pictures.path(row)
        number = row.sha256[:16]  # one label for files with the same bytes
        name = f"{number}{source.suffix.lower()}"
        shutil.copyfile(source, images / name)
        lines[number] = {"id": number, "image": f"images/{name}", "fields": fields}
    text = "".join(f"{json.dumps(line, ensure_ascii=False, default=float)}\n" for line in lines.values())
    (folder / "labels.jsonl").write_text(text, encoding="utf-8")
    return len(lines)


def _fields(answers: list[Answer]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for answer in answers:
        if answer.value is None or "[" in answer.field:
            continue
        if answer.field == "date":
            found |= _moment(answer.value)
        elif answer.field in _TEXTS:
            found[_LABELS.get(answer.field, answer.field)] = answer.value
        elif isinstance(amount := _amount(answer), Decimal):
            found[answer.field] = float(amount)
    return found


def _amount(answer: Answer) -> Decimal | None:
    return None if answer.field == "expenseType" else parse_amount(answer.value)


def _moment(text: str) -> dict[str, str]:
    day, _, time = text.replace("T", " ").partition(" ")
    seconds = f"{time}:00" if time.count(":") == 1 else time
    return {"date_iso": day, **({"time_iso": seconds} if seconds.strip("0:") else {})}
