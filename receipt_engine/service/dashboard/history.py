"""What the dashboard shows of an account's uploads."""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa

from receipt_engine.service.jobs.options import Options
from receipt_engine.service.jobs.queue import TOKEN
from receipt_engine.service.storage.blobs import Blobs
from receipt_engine.service.storage.database import Database
from receipt_engine.service.storage.keyring import Keyring
from receipt_engine.service.storage.schema import images, jobs, uploads
from receipt_engine.service.storage.vault import unseal

_STATES = {"queued": "pending", "running": "pending", "done": "available", "failed": "unreadable"}


@dataclass(frozen=True)
class UploadRow:
    """One line of the list; times in milliseconds."""

    token: str
    created_at: int
    state: str
    size: int
    duplicate: bool


def recent_uploads(database: Database, account_id: int, limit: int = 50) -> list[UploadRow]:
    """The newest uploads that are still known."""
    query = (
        sa.select(uploads.c.token, uploads.c.created_at, jobs.c.state, images.c.size, uploads.c.duplicate_of)
        .select_from(uploads.join(images, uploads.c.image_id == images.c.id))
        .join(jobs, jobs.c.image_id == images.c.id)
        .where(uploads.c.account_id == account_id, uploads.c.expires_at > database.clock())
        .order_by(uploads.c.created_at.desc())
        .limit(limit)
    )
    with database.read() as connection:
        rows = connection.execute(query).all()
    return [
        UploadRow(row.token, row.created_at, _STATES[row.state], row.size, row.duplicate_of is not None)
        for row in rows
    ]


def stored_picture(
    database: Database, blobs: Blobs, keys: Keyring, account_id: int, token: str
) -> tuple[bytes, Options] | None:
    """The plain picture behind an account's token, with its options; None for unknown tokens."""
    if not TOKEN.fullmatch(token):
        return None
    query = (
        sa.select(images.c.id, images.c.key_id, images.c.wrapped_key, images.c.options)
        .join(uploads, uploads.c.image_id == images.c.id)
        .where(
            uploads.c.token == token,
            uploads.c.account_id == account_id,
            uploads.c.expires_at > database.clock(),
        )
    )
    with database.read() as connection:
        row = connection.execute(query).one_or_none()
        if row is None:
            return None
        sealed = blobs.get(connection, row.id)
    data_key = keys.unwrap(row.key_id, bytes(row.wrapped_key), row.id)
    return unseal(data_key, sealed, f"picture:{row.id}"), Options.from_text(row.options)
