"""The state behind the review page: the receipts of a results file, the questions, and the answers so far."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from msgspec.structs import fields

from receipt_engine.batch.doubts import confidences
from receipt_engine.batch.journal import read_rows
from receipt_engine.batch.row import Row
from receipt_engine.memory import MerchantMemory
from receipt_engine.result import Result
from receipt_engine.review.corrections import Answer, Corrections, corrected, corrections_path
from receipt_engine.review.pictures import Pictures
from receipt_engine.review.questions import Question, is_asked_about, questions

#: Fields of which the page shows the expected share of right values.
_SHOWN = ("establishment", "date", "total")
#: Fields that may be corrected beside a question, in the order of a receipt.
_EDITABLE = ("establishment", "date", "total", "subTotal", "tax", "tip", "currency", "expenseType", "address")
_ATTRIBUTES = {field.encode_name: field.name for field in fields(Result)}

Explain = Callable[[Path], str]


class Session:
    """Thread-safe. explain: makes the explain page of an image; memory: stores corrected merchants."""

    def __init__(self, results: Path, explain: Explain, memory: MerchantMemory | None = None) -> None:
        self._lock = threading.Lock()
        self.rows: list[Row] = list(read_rows(results))
        self.corrections = Corrections(corrections_path(results))
        self.pictures = Pictures((results.parent,))
        self.questions: list[Question] = questions(self.rows)
        self._explain = explain
        self._memory = memory

    def without_picture(self) -> int:
        """How many files are not asked about, since they cannot be shown."""
        return sum(not is_asked_about(row) and not row.duplicate for row in self.rows)

    def state(self) -> dict[str, Any]:
        """The questions without an answer, as plain values, and the progress."""
        with self._lock:
            asked = [
                {**question._asdict(), "id": number}
                for number, question in enumerate(self.questions)
                if question.field not in self.corrections.of(self.rows[question.row])
            ]
            answered = len(self.questions) - len(asked)
            return {"questions": asked, "answered": answered, "expected": self._expected()}

    def receipt(self, number: int) -> dict[str, Any]:
        """The data of a receipt that the page shows, and the expected share of right fields."""
        with self._lock:
            return {**self._receipt(number), "expected": self._expected()}

    def answer(self, row: int, field: str, value: str | None) -> None:
        """Stores a person's answer. Raises OptionError when the value is invalid for the field, and OSError
        when the answer cannot be saved, or the merchant cannot be remembered."""
        with self._lock:
            found = self.rows[row]
            was = self._values(found).get(field)
            self.corrections.add(
                Answer(
                    file=found.file,
                    sha256=found.sha256,
                    page=found.page,
                    receipt=found.receipt,
                    field=field,
                    value=value,
                    was=was,
                    at=datetime.now(UTC).isoformat(timespec="seconds"),
                )
            )
            answers = self.corrections.of(found)
            if (
                self._memory is not None
                and found.found is not None
                and {"establishment", "expenseType"} & set(answers)
            ):
                try:
                    self._memory.remember(found.found, corrected(found.found, answers.values()))
                except OSError as error:
                    raise OSError(
                        error.errno, f"{error.strerror}; the answer itself is saved", error.filename
                    ) from error

    def crop(self, question: int) -> bytes:
        """The crop that shows a question's field, as a JPEG."""
        asked = self.questions[question]
        return self.pictures.crop(self.rows[asked.row], asked.boxes)

    def whole(self, row: int) -> bytes:
        """A receipt as a JPEG."""
        return self.pictures.whole(self.rows[row])

    def why(self, row: int) -> str:
        """The explain page of a receipt's image."""
        return self._explain(self.pictures.path(self.rows[row]))

    def _expected(self) -> float:
        """Expected share of right merchants, dates and totals; those with an answer are certain."""
        chances = [
            1.0 if doubt.field in self.corrections.of(row) else doubt.confidence
            for row in self.rows
            for doubt in confidences(row.found or Result())
            if doubt.field in _SHOWN and is_asked_about(row)
        ]
        return sum(chances) / len(chances) if chances else 1.0

    def _receipt(self, number: int) -> dict[str, Any]:
        row = self.rows[number]
        evidence = (row.found.evidence or {}) if row.found else {}
        return {
            "file": row.file,
            "page": row.page,
            "receipt": row.receipt,
            "receipts": row.receipts,
            "error": row.failure.message if row.failure else None,
            "fields": self._values(row),
            "answers": {field: answer.value for field, answer in self.corrections.of(row).items()},
            "equations": evidence.get("equations", []),
        }

    def _values(self, row: Row) -> dict[str, str | None]:
        """field → the engine's value, as a person would type it."""
        result = row.found or Result()
        # Not `to_dict`, whose numbers have lost the printed trailing zeros.
        single = {name: getattr(result, _ATTRIBUTES[name]) for name in _EDITABLE}
        found = {d.field: d.value for d in confidences(result)}
        return {name: None if value is None else str(value) for name, value in {**single, **found}.items()}
