"""Wakes workers when there are new jobs. The job row is the source of truth; a broker only notifies.

With SQLite, workers poll the job table 20 times a second. With PostgreSQL, procrastinate carries the image
id: its row is part of the accepting transaction, and workers on any host are notified at once. Lost
notifications (a worker died between fetching and claiming) are repeated by `remind`.
"""

from __future__ import annotations

from typing import Any, Protocol

import sqlalchemy as sa

from receipt_engine.service.settings import Settings
from receipt_engine.service.storage.database import Database, DatabaseDown, DatabaseQueryFailed

TASK = "receipt_engine.read"
QUEUE = "receipts"


class Broker(Protocol):
    """Notifies workers of jobs."""

    def announce(self, connection: sa.Connection, image_ids: list[str]) -> None:
        """Announces new jobs inside the accepting transaction; they exist once it commits."""
        ...

    def remind(self, image_ids: list[str]) -> None:
        """Announces again jobs that are still waiting although they were announced."""
        ...

    def close(self) -> None:
        """Closes connections."""
        ...


class PollingBroker:
    """Does nothing, because workers poll the job table."""

    def announce(self, connection: sa.Connection, image_ids: list[str]) -> None:
        """Nothing to do."""

    def remind(self, image_ids: list[str]) -> None:
        """Nothing to do."""

    def close(self) -> None:
        """Nothing to close."""


class ProcrastinateBroker:
    """Announces jobs through procrastinate's tables in the same PostgreSQL database."""

    def __init__(self, settings: Settings, database: Database) -> None:
        from procrastinate import App, SyncPsycopgConnector

        self._database = database
        self.app: Any = App(
            connector=SyncPsycopgConnector(conninfo=conninfo(settings), min_size=1, max_size=2)
        )
        self.app.open()
        self._create_tables()

    def _create_tables(self) -> None:
        with self._database.write() as connection:
            connection.execute(sa.text("SELECT pg_advisory_xact_lock(7303015)"))
            if connection.scalar(sa.text("SELECT to_regclass('procrastinate_jobs')")) is None:
                self.app.schema_manager.apply_schema()

    def announce(self, connection: sa.Connection, image_ids: list[str]) -> None:
        from procrastinate.exceptions import ConnectorException

        raw = connection.connection.driver_connection
        try:
            for image_id in image_ids:
                self._task(image_id, connection=raw).defer(image_id=image_id)
        except ConnectorException as error:
            raise DatabaseQueryFailed(f"procrastinate: {type(error.__cause__).__name__}") from error

    def remind(self, image_ids: list[str]) -> None:
        from procrastinate.exceptions import AlreadyEnqueued, ConnectorException

        for image_id in image_ids:
            try:
                self._task(image_id).defer(image_id=image_id)
            except AlreadyEnqueued:
                continue
            except ConnectorException as error:
                raise DatabaseDown(f"procrastinate: {type(error.__cause__).__name__}") from error

    def _task(self, image_id: str, **options: Any) -> Any:
        return self.app.configure_task(TASK, queue=QUEUE, queueing_lock=image_id, **options)

    def close(self) -> None:
        self.app.close()


def conninfo(settings: Settings) -> str:
    """Returns the database URL in the form that libpq reads."""
    url = sa.make_url(settings.url).set(drivername="postgresql")
    return url.render_as_string(hide_password=False)


def open_broker(settings: Settings, database: Database) -> Broker:
    """Returns the broker for the configured database."""
    return PollingBroker() if settings.embedded else ProcrastinateBroker(settings, database)
