"""Deletes rows, wrapped keys, results, images and their copies on disk after the retention time.

Queries check the expiry time themselves, so an expired token is unknown even before this runs.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

import sqlalchemy as sa

from receipt_engine.service.storage.blobs import Blobs
from receipt_engine.service.storage.database import Database
from receipt_engine.service.storage.schema import audit, images, sessions, uploads, workers

_BATCH = 500
#: Pause in seconds between batches, so that waiting uploads and results can take the write lock.
_BREATH = 0.005
_HOUR = 3_600_000
_DAY = 24 * _HOUR


@dataclass(frozen=True)
class Swept:
    """Counts of what one sweep removed."""

    tokens: int
    pictures: int
    orphans: int


def sweep(database: Database, blobs: Blobs, *, audit_ms: int, session_ms: int = _DAY) -> Swept:
    """Deletes everything past its retention. Safe to run in several processes and to interrupt.

    audit_ms, session_ms: milliseconds after which audit events and sessions are deleted.
    """
    now = database.clock()
    tokens = 0
    while removed := _sweep_tokens(database, now):
        tokens += removed
    with database.write() as connection:
        connection.execute(sessions.delete().where(sessions.c.created_at <= now - session_ms))
        connection.execute(audit.delete().where(audit.c.at <= now - audit_ms))
        connection.execute(workers.delete().where(workers.c.seen_at <= now - _HOUR))
    pictures = 0
    while removed := _sweep_pictures(database, blobs, now):
        pictures += removed
    orphans = _sweep_orphans(database, blobs, now)
    if tokens or pictures or orphans:
        database.truncate_log()
    return Swept(tokens, pictures, orphans)


def _sweep_tokens(database: Database, now: int) -> int:
    """Deletes one batch of expired uploads and returns its size.

    Done in batches because uploads that are being accepted wait for the same tables.
    """
    expired = sa.select(uploads.c.token).where(uploads.c.expires_at <= now).limit(_BATCH)
    with database.write() as connection:
        removed = connection.execute(uploads.delete().where(uploads.c.token.in_(expired))).rowcount
    time.sleep(_BREATH if removed else 0)
    return removed


def _sweep_pictures(database: Database, blobs: Blobs, now: int) -> int:
    """Deletes one batch of expired images and returns its size.

    Rows go first: without the wrapped key, bytes left by a crash are unreadable and become orphans.
    """
    with database.write() as connection:
        query = sa.select(images.c.id).where(images.c.expires_at <= now).limit(_BATCH)
        expired = list(connection.scalars(query.with_for_update(skip_locked=True)))
        connection.execute(images.delete().where(images.c.id.in_(expired)))
    if expired:
        with database.write() as connection:
            blobs.delete(connection, expired)
        time.sleep(_BREATH)
    return len(expired)


def _sweep_orphans(database: Database, blobs: Blobs, now: int) -> int:
    with database.read() as connection:
        found = blobs.orphans(connection, (now - _HOUR) / 1000)
    for start in range(0, len(found), _BATCH):
        with database.write() as connection:
            blobs.delete(connection, found[start : start + _BATCH])
    return len(found)
