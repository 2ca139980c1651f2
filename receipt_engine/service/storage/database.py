"""Provides connections and transactions on SQLite or PostgreSQL; maps errors to two exception types."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from receipt_engine.service.settings import Settings
from receipt_engine.service.storage import migrations, schema

_TABLES = str(migrations.VERSION).encode()
BUSY_SECONDS = 10
#: SQLite's primary result code for a statement it cannot run. The other codes (busy, full, I/O error, not a
#: database) mean that the file cannot be used.
_SQLITE_ERROR = 1
#: SQLSTATE prefixes of PostgreSQL's temporary failures: connection, rollback, resources, lock, shutdown,
#: system.
_NOT_NOW = ("08", "40", "53", "55P", "57P", "58")
Clock = Callable[[], int]


def milliseconds() -> int:
    """Returns the current time in milliseconds since the epoch."""
    return time.time_ns() // 1_000_000


class DatabaseDown(Exception):
    """The database cannot be reached (code 520)."""


class DatabaseQueryFailed(Exception):
    """The database refused a statement (code 521)."""


class Database:
    """A pool of connections. `read` and `write` yield a connection inside a transaction.

    On SQLite a writing transaction takes the write lock when it begins, so it never has to be retried; a
    commit returns when the write-ahead log is on disk. Errors are raised as DatabaseDown or
    DatabaseQueryFailed.
    """

    def __init__(self, settings: Settings, *, pool: int = 12, clock: Clock = milliseconds) -> None:
        self.clock = clock
        self.embedded = settings.embedded
        self.engine = _sqlite(settings, pool) if self.embedded else _postgresql(settings, pool)

    @contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """Opens a transaction that only reads."""
        with self._transaction(write=False) as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[sa.Connection]:
        """Opens a transaction that commits when the block ends and rolls back when it raises."""
        with self._transaction(write=True) as connection:
            yield connection

    @contextmanager
    def _transaction(self, *, write: bool) -> Iterator[sa.Connection]:
        try:
            with self.engine.connect() as connection:
                connection.execution_options(service_write=write)
                with connection.begin():
                    yield connection
        except SQLAlchemyError as error:
            raise translate(error) from error

    def create(self) -> None:
        """Creates missing tables and migrates those of an earlier release.

        Raises DatabaseQueryFailed for tables of a later release.
        """
        with self.write() as connection:
            if not self.embedded:  # several hosts may start at once
                connection.execute(sa.text("SELECT pg_advisory_xact_lock(7303014)"))
            schema.metadata.create_all(connection)
            found = connection.scalar(sa.select(schema.facts.c.value).where(schema.facts.c.name == "schema"))
            if found is None:
                connection.execute(schema.facts.insert().values(name="schema", value=_TABLES))
            elif bytes(found) != _TABLES:
                self._migrate(connection, bytes(found).decode(errors="replace"))

    def _migrate(self, connection: sa.Connection, found: str) -> None:
        if not found.isdigit() or int(found) > migrations.VERSION:
            raise DatabaseQueryFailed(
                f"The database has tables of version {found}, but this release uses those of version "
                f"{migrations.VERSION}; use the release that created it, or a later one."
            )
        migrations.migrate(connection, int(found))
        connection.execute(schema.facts.update().where(schema.facts.c.name == "schema").values(value=_TABLES))

    def truncate_log(self) -> None:
        """Checkpoints and empties SQLite's write-ahead log, so that no copy of deleted rows is left."""
        if self.embedded:
            with self.engine.connect() as connection:
                raw = connection.connection.driver_connection
                assert raw is not None
                raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def dispose(self) -> None:
        """Closes the pool."""
        self.engine.dispose()


def translate(error: SQLAlchemyError) -> DatabaseDown | DatabaseQueryFailed:
    """Maps a SQLAlchemy error to one of the two database errors."""
    lost = isinstance(error, DBAPIError) and error.connection_invalidated
    if lost or isinstance(error, PoolTimeout | InterfaceError):
        return DatabaseDown(_brief(error))
    if isinstance(error, OperationalError) and not _refused(error.orig):
        return DatabaseDown(_brief(error))
    return DatabaseQueryFailed(_brief(error))


def _refused(original: object) -> bool:
    """Returns whether an operational error concerns the statement, not access to the database."""
    state = getattr(original, "sqlstate", None)
    if state:
        return not str(state).startswith(_NOT_NOW)
    return getattr(original, "sqlite_errorcode", 0) & 0xFF == _SQLITE_ERROR


def _brief(error: SQLAlchemyError) -> str:
    """Returns the driver's message without statement and parameters, so that no data reaches the logs."""
    original = getattr(error, "orig", None)
    return f"{type(error).__name__}: {original}".splitlines()[0][:200] if original else type(error).__name__


def _sqlite(settings: Settings, pool: int) -> sa.Engine:
    path = Path(sa.make_url(settings.url).database or "")
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    path.touch(mode=0o600)
    engine = sa.create_engine(
        settings.url,
        pool_size=pool,
        max_overflow=0,
        pool_timeout=BUSY_SECONDS,
        poolclass=sa.QueuePool,
        connect_args={"check_same_thread": False, "timeout": BUSY_SECONDS},
    )

    @sa.event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: object) -> None:
        connection.isolation_level = None  # `begin` below starts transactions, with the right lock
        for pragma in (
            "journal_mode = WAL",
            "synchronous = FULL",
            "secure_delete = ON",
            "foreign_keys = ON",
            "temp_store = MEMORY",
            "journal_size_limit = 16777216",
        ):
            connection.execute(f"PRAGMA {pragma}")

    @sa.event.listens_for(engine, "begin")
    def begin(connection: sa.Connection) -> None:
        statement = "BEGIN IMMEDIATE" if connection.get_execution_options().get("service_write") else "BEGIN"
        raw: Any = connection.connection.driver_connection
        try:
            raw.execute(statement)
        except sqlite3.Error as error:
            raise OperationalError(statement, None, error) from error

    return engine


def _postgresql(settings: Settings, pool: int) -> sa.Engine:
    return sa.create_engine(
        settings.url,
        pool_size=pool,
        max_overflow=0,
        pool_timeout=BUSY_SECONDS,
        pool_pre_ping=True,
        connect_args={"connect_timeout": 5, "options": "-c synchronous_commit=on -c lock_timeout=10s"},
    )
