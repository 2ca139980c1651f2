"""Records which workers are alive and have loaded their engine: one row per worker, refreshed regularly."""

from __future__ import annotations

import sqlalchemy as sa

from receipt_engine.service.settings import Settings
from receipt_engine.service.storage.database import Database
from receipt_engine.service.storage.schema import workers

#: Longest heartbeat interval with PostgreSQL, in seconds.
_BEAT = 1.0
#: Heartbeat intervals without a sign of life after which a worker counts as gone, with PostgreSQL.
_MISSED = 4.5


def heartbeat_seconds(settings: Settings) -> float:
    """Returns the interval in seconds at which a worker refreshes its row.

    On one machine the supervisor notices a dead worker at once, and writing every second would cost one disk
    sync per second. On several hosts the row is the only sign that a worker is gone.
    """
    return settings.lease_seconds / 4 if settings.embedded else min(_BEAT, settings.lease_seconds / 4)


def heartbeat_timeout_ms(settings: Settings) -> int:
    """Returns the milliseconds without a refresh after which a worker counts as gone."""
    return int(heartbeat_seconds(settings) * (8 if settings.embedded else _MISSED) * 1000)


def record_heartbeat(database: Database, owner: str, host: str) -> None:
    """Records that this worker is ready to take jobs."""
    now = database.clock()
    mine = workers.c.owner == owner
    with database.write() as connection:
        if not connection.execute(workers.update().where(mine).values(seen_at=now)).rowcount:
            connection.execute(workers.insert().values(owner=owner, host=host, ready_at=now, seen_at=now))


def remove_heartbeat(database: Database, owner: str) -> None:
    """Removes the row of a worker that has ended."""
    with database.write() as connection:
        connection.execute(workers.delete().where(workers.c.owner == owner))


def ready_workers(database: Database, within_ms: int) -> int:
    """Returns the number of workers that refreshed their row within that time."""
    query = sa.select(sa.func.count()).where(workers.c.seen_at > database.clock() - within_ms)
    with database.read() as connection:
        return int(connection.scalar(query) or 0)
