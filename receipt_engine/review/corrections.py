"""Stores a person's corrections of receipts, beside the results and never inside them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

import msgspec

from receipt_engine.batch.appending import append, open_to_append
from receipt_engine.batch.journal import read_rows
from receipt_engine.batch.row import Row
from receipt_engine.errors import OptionError
from receipt_engine.result import VALIDATED, Result

#: Field of the interface → attribute of `Result`.
_TEXTS = {
    "establishment": "establishment",
    "address": "address",
    "phoneNumber": "phone_number",
    "currency": "currency",
    "paymentMethod": "payment_method",
    "expenseType": "expense_type",
}
_AMOUNTS = {
    "total": "total",
    "subTotal": "sub_total",
    "tax": "tax",
    "tip": "tip",
    "rounding": "rounding",
    "cash": "cash",
    "change": "change",
}
_LISTS = {
    "taxes": ("taxes", "taxes_confidence"),
    "serviceCharges": ("service_charges", "service_charge_confidences"),
    "discounts": ("discounts", "discount_confidences"),
}
_ENTRY = re.compile(r"(\w+)\[(\d+)\]")
_DATES = ("%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%d", "%Y-%m-%dT%H:%M:%S")


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """A person's answer about one field. value: the right value, None for "there is none"; was: the engine's
    value. Both as text, amounts with a point, dates as in the interface."""

    file: str
    sha256: str | None
    page: int
    receipt: int
    field: str
    value: str | None
    was: str | None = None
    at: str = ""

    @property
    def key(self) -> tuple[str | None, int, int]:
        """Identifies the receipt: by the bytes of its file, wherever that is now."""
        return (self.sha256, self.page, self.receipt)


def key_of(row: Row) -> tuple[str | None, int, int]:
    """The receipt of a row, as `Answer.key`."""
    return (row.sha256, row.page, row.receipt)


def corrections_path(results: Path) -> Path:
    """The file of the answers about a results file: ``shoebox.corrections.jsonl``."""
    return results.with_name(f"{results.stem}.corrections.jsonl")


class Corrections:
    """The answers about a results file, each written as soon as it is given. A field's last answer counts."""

    def __init__(self, path: Path) -> None:
        """Raises OptionError when the file holds something else; a last line that was cut off is skipped."""
        self.path = path
        self._answers: dict[tuple[str | None, int, int], dict[str, Answer]] = {}
        text = path.read_bytes() if path.exists() else b""
        #: Size of the file, and of its complete lines, in bytes; equal unless its last line was cut off.
        self._found = self._whole = len(text)
        for number, line in enumerate(lines := text.splitlines(keepends=True), 1):
            try:
                self._keep(msgspec.json.decode(line, type=Answer))
            except msgspec.DecodeError as error:
                if number == len(lines) and not line.endswith(b"\n"):
                    self._whole -= len(line)
                else:
                    raise OptionError(
                        f"{path}, line {number}: this is not a correction ({error})."
                    ) from error

    def __len__(self) -> int:
        return sum(map(len, self._answers.values()))

    def of(self, row: Row) -> Mapping[str, Answer]:
        """field → answer, for one receipt."""
        return self._answers.get(key_of(row), {})

    def add(self, answer: Answer) -> None:
        """Stores an answer. Raises OptionError when its value is invalid for its field, and OSError when it
        cannot be written: it is then not stored, and all earlier ones are kept."""
        corrected(Result(), [answer])
        with open_to_append(self.path) as file:
            end = file.seek(0, os.SEEK_END)
            if end == self._found:
                end = self._whole
                file.truncate(end)
            file.seek(max(0, end - 1))
            # A file that a person has edited may lack its last line break.
            before = b"" if file.read(1) in (b"", b"\n") else b"\n"
            append(file, before + msgspec.json.encode(answer) + b"\n", end, self.path)
            self._found = self._whole = file.seek(0, os.SEEK_END)
        self._keep(answer)

    def _keep(self, answer: Answer) -> None:
        self._answers.setdefault(answer.key, {})[answer.field] = answer


def corrected_rows(results: Path) -> Iterator[Row]:
    """The rows of a results file with their corrections."""
    corrections = Corrections(corrections_path(results))
    for row in read_rows(results):
        answers = corrections.of(row).values()
        if not answers:
            yield row
            continue
        result = corrected(row.found or Result(), answers)
        yield msgspec.structs.replace(row, result=result, error=msgspec.UNSET)


def corrected(result: Result, answers: Iterable[Answer]) -> Result:
    """The result with a person's answers, which count as certain. Raises OptionError for a value that is
    invalid for its field."""
    changes: dict[str, Any] = {}
    for answer in answers:
        entry = _ENTRY.fullmatch(answer.field)
        if entry:
            _change_list(changes, result, entry.group(1), int(entry.group(2)), answer)
        elif answer.field == "date":
            changes |= _date(answer.value)
        elif answer.field in _AMOUNTS:
            changes[_AMOUNTS[answer.field]] = parse_amount(answer.value)
        elif answer.field in _TEXTS:
            changes[_TEXTS[answer.field]] = answer.value or None
        else:
            raise OptionError(f"{answer.field!r} is not a field that can be corrected.")
    return msgspec.structs.replace(result, **_sure(changes))


def _change_list(changes: dict[str, Any], result: Result, name: str, index: int, answer: Answer) -> None:
    if name not in _LISTS:
        raise OptionError(f"{answer.field!r} is not a field that can be corrected.")
    values, sureness = _LISTS[name]
    amounts = list(changes.get(values, getattr(result, values)))
    sure = list(changes.get(sureness, getattr(result, sureness)))
    if index < len(amounts):
        amounts[index], sure[index] = parse_amount(answer.value) or Decimal(0), 1.0
    changes |= {values: tuple(amounts), sureness: tuple(sure)}


def _sure(changes: dict[str, Any]) -> dict[str, Any]:
    """The changes with the confidences of what was changed: 1, or None where there is no value."""
    found = dict(changes)
    for name, value in changes.items():
        confidence = f"{name}_confidence"
        if confidence in Result.__struct_fields__ and not isinstance(value, tuple):
            found[confidence] = None if value is None else 1.0
    for name in ("total", "sub_total"):
        if name in changes:
            found[f"validated_{name}"] = (found[f"{name}_confidence"] or 0) >= VALIDATED
    return found


def parse_amount(text: str | None) -> Decimal | None:
    """An amount as a person types it, with a point or a comma. Raises OptionError."""
    plain = (text or "").replace(" ", "")
    if not plain:
        return None
    if "," in plain and "." not in plain:
        plain = plain.replace(",", ".")
    try:
        value = Decimal(plain.replace(",", ""))
    except InvalidOperation:
        raise OptionError(f"{text!r} is not an amount; write it as 1234.50.") from None
    if not value.is_finite():
        raise OptionError(f"{text!r} is not an amount; write it as 1234.50.")
    return value


def _date(text: str | None) -> dict[str, Any]:
    if not text:
        return {"date": None, "date_iso": None}
    for form in _DATES:
        try:
            moment = datetime.strptime(text.strip(), form)
        except ValueError:
            continue
        return {"date": moment.isoformat(sep=" "), "date_iso": moment.isoformat()}
    raise OptionError(f"{text!r} is not a date; write it as 2024-03-15 or 2024-03-15 18:20.")
