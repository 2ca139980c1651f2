"""Deletes an upload or an account with everything that belongs to it, and checks that nothing is left.

Rows are deleted first: without the wrapped key, image and result are unreadable wherever copies of their
bytes remain. Then the bytes and the database's remains of deleted rows are removed: SQLite overwrites them
(`secure_delete`) and its log is emptied; PostgreSQL's tables are vacuumed, but its write-ahead log and
replicas keep encrypted bytes, without a key, for as long as they are configured to.
"""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa

from receipt_engine.service.storage.blobs import Blobs, BlobStoreUnavailable
from receipt_engine.service.storage.database import Database
from receipt_engine.service.storage.schema import (
    accounts,
    api_keys,
    audit,
    blobs,
    corrections,
    deliveries,
    images,
    jobs,
    ledger,
    metadata,
    sessions,
    uploads,
    webhooks,
)

_BATCH = 200
_OF_ACCOUNT = (audit, sessions, ledger, api_keys, webhooks, uploads, images)
#: Every column that holds an image id.
_NAME_PICTURES = (
    *(images.c.id, jobs.c.image_id, uploads.c.image_id, blobs.c.image_id),
    *(corrections.c.image_id, deliveries.c.image_id),
)


class NotErased(Exception):
    """Something is left after a deletion; the message says what. The deletion can be repeated."""


@dataclass(frozen=True)
class Erased:
    """Counts of what was deleted."""

    uploads: int
    pictures: int


def erase_upload(database: Database, store: Blobs, account_id: int, token: str) -> Erased | None:
    """Deletes an upload, and its image and result unless another upload of the same image needs them.

    Returns None when the account has no such upload. The charge stays in the ledger, without the token.
    Raises NotErased.
    """
    mine = (uploads.c.account_id == account_id, uploads.c.token == token)
    with database.write() as connection:
        image_id = connection.scalar(sa.select(uploads.c.image_id).where(*mine))
        if image_id is None:
            return None
        connection.execute(uploads.delete().where(*mine))
        connection.execute(ledger.update().where(ledger.c.token == token).values(token=None))
        connection.execute(uploads.update().where(uploads.c.duplicate_of == token).values(duplicate_of=None))
        others = connection.scalar(
            sa.select(sa.func.count()).select_from(uploads).where(uploads.c.image_id == image_id)
        )
        gone = [] if others else [image_id]
        _delete_pictures(connection, gone)
    _delete_bytes(database, store, gone)
    _forget_deleted_rows(database)
    _check_pictures(database, store, gone)
    return Erased(1, len(gone))


def erase_account(database: Database, store: Blobs, account_id: int) -> Erased:
    """Deletes an account with its uploads, results, keys, sessions, ledger and events.

    Disable the account first. Safe to repeat after an interruption. Raises NotErased.
    """
    pictures = 0
    gone: list[str] = []
    with database.read() as connection:
        count = sa.select(sa.func.count()).select_from(uploads).where(uploads.c.account_id == account_id)
        tokens = connection.scalar(count) or 0
    while batch := _some_pictures(database, account_id):
        with database.write() as connection:
            _delete_pictures(connection, batch)
        _delete_bytes(database, store, batch)
        pictures += len(batch)
        gone += batch
    with database.write() as connection:
        left = list(connection.scalars(sa.select(images.c.id).where(images.c.account_id == account_id)))
        _delete_pictures(connection, left)  # accepted since the last batch
        for table in _OF_ACCOUNT:
            connection.execute(table.delete().where(table.c.account_id == account_id))
        connection.execute(accounts.delete().where(accounts.c.id == account_id))
    _delete_bytes(database, store, left)
    _forget_deleted_rows(database)
    _check_account(database, account_id)
    _check_pictures(database, store, gone + left)
    return Erased(tokens, pictures + len(left))


def _some_pictures(database: Database, account_id: int) -> list[str]:
    with database.read() as connection:
        query = sa.select(images.c.id).where(images.c.account_id == account_id).limit(_BATCH)
        return list(connection.scalars(query))


def _delete_pictures(connection: sa.Connection, image_ids: list[str]) -> None:
    """Deletes the rows of images; their jobs and uploads cascade. Also deletes the broker's pending rows."""
    if not image_ids:
        return
    connection.execute(images.delete().where(images.c.id.in_(image_ids)))
    if connection.dialect.name == "postgresql":
        statement = sa.text("DELETE FROM procrastinate_jobs WHERE queueing_lock IN :ids AND status = 'todo'")
        connection.execute(statement.bindparams(sa.bindparam("ids", expanding=True)), {"ids": image_ids})


def _delete_bytes(database: Database, store: Blobs, image_ids: list[str]) -> None:
    if not image_ids:
        return
    try:
        with database.write() as connection:
            store.delete(connection, image_ids)
    except BlobStoreUnavailable as error:
        raise NotErased(
            f"The bytes of {len(image_ids)} pictures are still stored ({error}). Nobody can read them "
            "any more; the sweeper removes them within a day."
        ) from error


def _forget_deleted_rows(database: Database) -> None:
    if database.embedded:
        database.truncate_log()
        return
    names = ", ".join(table.name for table in metadata.sorted_tables if table.name != "facts")
    with database.engine.connect() as connection:
        connection.execution_options(isolation_level="AUTOCOMMIT").execute(sa.text(f"VACUUM {names}"))


def _check_account(database: Database, account_id: int) -> None:
    with database.read() as connection:
        for table in (*_OF_ACCOUNT, corrections, jobs):
            query = sa.select(sa.func.count()).select_from(table).where(table.c.account_id == account_id)
            if left := connection.scalar(query):
                raise NotErased(f"{left} rows of {table.name} are still there.")
        if connection.scalar(sa.select(accounts.c.id).where(accounts.c.id == account_id)) is not None:
            raise NotErased("The account is still there.")


def _check_pictures(database: Database, store: Blobs, image_ids: list[str]) -> None:
    with database.read() as connection:
        for start in range(0, len(image_ids), _BATCH):
            batch = image_ids[start : start + _BATCH]
            for column in _NAME_PICTURES:
                if connection.scalar(sa.select(sa.func.count()).where(column.in_(batch))):
                    raise NotErased(f"Rows of {column.table.name} are still there.")
            for image_id in batch:
                if store.holds(connection, image_id):
                    raise NotErased(f"The bytes of the picture {image_id} are still stored.")
