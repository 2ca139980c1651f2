"""Queries an account's uploads for the dashboard: pages filtered by state or text, one image, the ledger.

Results are encrypted, so a text search decrypts one after the other: newest first, at most `_MOST_SCANNED`
per page; the next page continues where the search stopped.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa

from receipt_engine.service.assembly import Parts
from receipt_engine.service.dashboard.corrections import unsealed
from receipt_engine.service.jobs.options import Options
from receipt_engine.service.jobs.queue import TOKEN
from receipt_engine.service.storage.schema import corrections, images, jobs, ledger, uploads
from receipt_engine.service.storage.vault import VaultError, unseal

STATES = {"queued": "pending", "running": "pending", "done": "available", "failed": "unreadable"}
_BATCH = 100
_MOST_SCANNED = 3000
_CURSOR = re.compile(r"(\d{1,15})-([A-Za-z0-9]{16})")
_DAY = 86_400_000


@dataclass(frozen=True)
class UploadRow:
    """One row of the list; times in milliseconds. result: the Result object, empty until available."""

    token: str
    created_at: int
    state: str
    size: int
    duplicate: bool
    result: Mapping[str, Any] = field(default_factory=dict)
    corrected: Mapping[str, Any] = field(default_factory=dict)  # corrected values; already in result

    @property
    def merchant(self) -> str:
        """The merchant's name; empty when none was found."""
        return self.result.get("establishment") or ""

    @property
    def day(self) -> str:
        """The date on the receipt; empty when none was found."""
        return (self.result.get("date") or "")[:10]

    @property
    def amount(self) -> str:
        """The total with its currency; empty when no total was found."""
        total = self.result.get("total")
        return "" if total is None else f"{total:.2f} {self.result.get('currency') or ''}".strip()


@dataclass(frozen=True)
class UploadFilter:
    """A filter for uploads. state: empty for any; text: contained in token, merchant, date or total."""

    state: str = ""
    text: str = ""

    def fits(self, row: UploadRow) -> bool:
        """Returns whether an upload passes the filter."""
        if self.state and row.state != self.state:
            return False
        shown = (row.token, *(row.result.get(name) for name in ("establishment", "date", "total")))
        return not self.text or any(
            self.text.casefold() in str(value).casefold() for value in shown if value is not None
        )


@dataclass(frozen=True)
class UploadPage:
    """One page of uploads. following: the cursor of the next page, empty at the end."""

    rows: list[UploadRow]
    following: str


def upload_page(
    parts: Parts, account_id: int, uploads_filter: UploadFilter, after: str = "", limit: int = 50
) -> UploadPage:
    """Returns the newest uploads that match the filter, or the next ones after the cursor `after`."""
    rows: list[UploadRow] = []
    for scanned, row in enumerate(_uploads(parts, account_id, after), 1):
        if uploads_filter.fits(row):
            rows.append(row)
        if len(rows) >= limit or scanned >= _MOST_SCANNED:
            return UploadPage(rows, f"{row.created_at}-{row.token}")
    return UploadPage(rows, "")


def _uploads(parts: Parts, account_id: int, after: str) -> Iterator[UploadRow]:
    """Yields every upload that has not expired, newest first."""
    query = (
        sa.select(
            uploads.c.token,
            uploads.c.created_at,
            uploads.c.duplicate_of,
            images.c.id,
            images.c.size,
            images.c.key_id,
            images.c.wrapped_key,
            jobs.c.state,
            jobs.c.sealed_result,
            corrections.c.sealed.label("sealed_correction"),
        )
        .select_from(uploads.join(images, uploads.c.image_id == images.c.id))
        .join(jobs, jobs.c.image_id == images.c.id)
        .outerjoin(corrections, corrections.c.image_id == images.c.id)
        .where(uploads.c.account_id == account_id, uploads.c.expires_at > parts.database.clock())
        .order_by(uploads.c.created_at.desc(), uploads.c.token.desc())
        .limit(_BATCH)
    )
    while True:
        batch = query
        found = _CURSOR.fullmatch(after)
        if found:
            moment, token = int(found[1]), found[2]
            batch = query.where(
                uploads.c.created_at <= moment,
                sa.or_(uploads.c.created_at < moment, uploads.c.token < token),
            )
        with parts.database.read() as connection:
            rows = connection.execute(batch).all()
        for row in rows:
            after = f"{row.created_at}-{row.token}"
            state, duplicate = STATES[row.state], row.duplicate_of is not None
            result, corrected = _opened(parts, row)
            yield UploadRow(
                row.token, row.created_at, state, row.size, duplicate, {**result, **corrected}, corrected
            )
        if len(rows) < _BATCH:
            return


def _opened(parts: Parts, row: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Decrypts a row's result and corrections; each is empty when there is none."""
    if row.sealed_result is None:
        return {}, {}
    try:
        data_key = parts.keys.unwrap(row.key_id, bytes(row.wrapped_key), row.id)
        result: dict[str, Any] = json.loads(unseal(data_key, bytes(row.sealed_result), f"result:{row.id}"))
        if row.sealed_correction is None:
            return result, {}
        return result, unsealed(data_key, bytes(row.sealed_correction), row.id)
    except VaultError:  # show the list anyway; the upload's own page reports the error
        return {}, {}


def stored_picture(parts: Parts, account_id: int, token: str) -> tuple[bytes, Options] | None:
    """Returns the decrypted image of an account's token and its options; None for unknown tokens."""
    if not TOKEN.fullmatch(token):
        return None
    query = (
        sa.select(images.c.id, images.c.key_id, images.c.wrapped_key, images.c.options)
        .join(uploads, uploads.c.image_id == images.c.id)
        .where(
            uploads.c.token == token,
            uploads.c.account_id == account_id,
            uploads.c.expires_at > parts.database.clock(),
        )
    )
    with parts.database.read() as connection:
        row = connection.execute(query).one_or_none()
        if row is None:
            return None
        sealed = parts.blobs.get(connection, row.id)
    data_key = parts.keys.unwrap(row.key_id, bytes(row.wrapped_key), row.id)
    return unseal(data_key, sealed, f"picture:{row.id}"), Options.from_text(row.options)


@dataclass(frozen=True)
class LedgerEntry:
    """A change of the balance. at: milliseconds; uploads: number of uploads it covers."""

    at: int
    delta: int
    reason: str
    uploads: int


@dataclass(frozen=True)
class Day:
    """Number of uploads on one day. at: milliseconds; height: of the bar, 0 to 100 (the busiest day)."""

    at: int
    uploads: int
    height: int


def ledger_entries(parts: Parts, account_id: int, days: int = 90) -> list[LedgerEntry]:
    """Returns the ledger of the last `days` days, newest first; each day's uploads are one entry."""
    day = ledger.c.at - ledger.c.at % _DAY
    mine = (ledger.c.account_id == account_id, ledger.c.at > parts.database.clock() - days * _DAY)
    used = (
        sa.select(day.label("day"), sa.func.sum(ledger.c.delta), sa.func.count())
        .where(*mine, ledger.c.reason == "upload")
        .group_by(day)
    )
    others = sa.select(ledger).where(*mine, ledger.c.reason != "upload").limit(500)
    with parts.database.read() as connection:
        found = [
            LedgerEntry(at, int(delta), "uploads", count) for at, delta, count in connection.execute(used)
        ]
        found += [LedgerEntry(row.at, row.delta, row.reason, 0) for row in connection.execute(others)]
    return sorted(found, key=lambda entry: -entry.at)


def usage(parts: Parts, account_id: int, days: int = 30) -> list[Day]:
    """Returns the uploads per day, oldest first, including days without any."""
    counts = {entry.at: entry.uploads for entry in ledger_entries(parts, account_id, days) if entry.uploads}
    today = parts.database.clock() // _DAY * _DAY
    shown = [today - back * _DAY for back in range(days - 1, -1, -1)]
    most = max((counts.get(at, 0) for at in shown), default=0) or 1
    return [Day(at, counts.get(at, 0), round(100 * counts.get(at, 0) / most)) for at in shown]
