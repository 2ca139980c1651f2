"""Validates and stores a person's corrections of a result, beside the result, which never changes.

Pages and tables show the corrected values; the API keeps answering with the extracted ones.
"""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

import sqlalchemy as sa

from receipt_engine.service.accounts.audit import note
from receipt_engine.service.assembly import Parts
from receipt_engine.service.jobs.queue import TOKEN
from receipt_engine.service.storage.schema import corrections, images, uploads
from receipt_engine.service.storage.vault import seal, unseal

_AMOUNTS = ("total", "subTotal", "tax", "tip", "discount", "rounding", "cash", "change")
_TEXTS = ("paymentMethod", "address", "phoneNumber", "url", "expenseType")
#: Fields that can be corrected, in the order of the form.
FIELDS = ("establishment", "date", "currency", *_AMOUNTS, *_TEXTS)
_LONGEST = 500
_LARGEST = Decimal(10) ** 12
_MOST_DECIMALS = 4
_DATES = ("%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%d")


class CorrectionError(ValueError):
    """An invalid value; the message names the field."""


def parse(form: Mapping[str, str], result: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the form's fields that differ from the result; empty text is None. Raises CorrectionError."""
    corrected = {}
    for name in FIELDS:
        text, read = form.get(name, "").strip(), result.get(name)
        if name not in form or text == ("" if read is None else str(read).strip()):
            continue
        value = _value(name, text)
        if value != read:
            corrected[name] = value
    return corrected


def _value(name: str, text: str) -> str | float | None:
    if not text:
        return None
    if len(text) > _LONGEST or not text.isprintable():
        raise CorrectionError(f"{name} must be at most {_LONGEST} characters on one line.")
    if name in _AMOUNTS:
        return _amount(name, text)
    if name == "date":
        return _date(text)
    if name == "currency" and not re.fullmatch("[A-Z]{3}", text):
        raise CorrectionError("currency must be three capital letters, such as EUR.")
    return text


def _amount(name: str, text: str) -> float:
    try:
        amount = Decimal(text)
    except InvalidOperation:
        amount = Decimal("NaN")
    exponent = amount.as_tuple().exponent
    if not amount.is_finite() or abs(amount) >= _LARGEST or -int(exponent) > _MOST_DECIMALS:
        raise CorrectionError(f"{name} must be an amount such as 12.50 or -3.")
    return float(amount)


def _date(text: str) -> str:
    for form in _DATES:
        try:
            moment = datetime.datetime.strptime(text.replace("T", " "), form)
        except ValueError:
            continue
        return moment.isoformat(" ")
    raise CorrectionError("date must be YYYY-MM-DD, followed by hh:mm or hh:mm:ss if the time is known.")


def unsealed(data_key: bytes, sealed: bytes, image_id: str) -> dict[str, Any]:
    """Decrypts stored corrections; raises VaultError."""
    corrected: dict[str, Any] = json.loads(unseal(data_key, sealed, f"correction:{image_id}"))
    return corrected


class Corrections:
    """Reads and stores the corrections of an account's uploads; uploads of the same image share them."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def of(self, account_id: int, token: str) -> dict[str, Any]:
        """Returns corrected values by field; empty when there are none."""
        with self._parts.database.read() as connection:
            row = self._picture(connection, account_id, token)
        if row is None or row.sealed is None:
            return {}
        return unsealed(self._data_key(row), bytes(row.sealed), row.id)

    def save(self, account_id: int, token: str, corrected: Mapping[str, Any]) -> bool:
        """Replaces the corrections of an upload; returns False when the account has no such upload."""
        with self._parts.database.write() as connection:
            row = self._picture(connection, account_id, token)
            if row is None:
                return False
            connection.execute(corrections.delete().where(corrections.c.image_id == row.id))
            now = self._parts.database.clock()
            if corrected:
                plain = json.dumps(corrected, ensure_ascii=False).encode()
                sealed = seal(self._data_key(row), plain, f"correction:{row.id}")
                values = {"image_id": row.id, "account_id": account_id, "sealed": sealed, "at": now}
                connection.execute(corrections.insert().values(values))
            note(connection, now, account_id, "upload.corrected", str(len(corrected)))
        return True

    def _data_key(self, row: Any) -> bytes:
        return self._parts.keys.unwrap(row.key_id, bytes(row.wrapped_key), row.id)

    def _picture(self, connection: sa.Connection, account_id: int, token: str) -> Any:
        if not TOKEN.fullmatch(token):
            return None
        query = (
            sa.select(images.c.id, images.c.key_id, images.c.wrapped_key, corrections.c.sealed)
            .select_from(uploads.join(images, uploads.c.image_id == images.c.id))
            .outerjoin(corrections, corrections.c.image_id == images.c.id)
            .where(
                uploads.c.token == token,
                uploads.c.account_id == account_id,
                uploads.c.expires_at > self._parts.database.clock(),
            )
        )
        return connection.execute(query).one_or_none()
