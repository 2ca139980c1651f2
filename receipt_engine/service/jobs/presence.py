"""Which workers are alive and have loaded their engine: rows that each worker keeps fresh."""

from __future__ import annotations

import sqlalchemy as sa

from receipt_engine.service.settings import Settings
from receipt_engine.service.storage.database import Database
from receipt_engine.service.storage.schema import workers

_BEAT = 1.0
_MISSED = 4.5


def beat_seconds(settings: Settings) -> float:
    """How often a worker shows itself.

    On one machine the supervisor sees a worker die at once, and a row a second would be a sync of the disk a
    second; on several hosts nobody else tells that one is gone.
    """
    return settings.lease_seconds / 4 if settings.embedded else min(_BEAT, settings.lease_seconds / 4)


def presence_ms(settings: Settings) -> int:
    """Milliseconds after which a worker that has not shown itself counts as gone."""
    return int(beat_seconds(settings) * (8 if settings.embedded else _MISSED) * 1000)


def show(database: Database, owner: str, host: str) -> None:
    """Tells that this worker is ready to take jobs."""
    now = database.clock()
    mine = workers.c.owner == owner
    with database.write() as connection:
        if not connection.execute(workers.update().where(mine).values(seen_at=now)).rowcount:
            connection.execute(workers.insert().values(owner=owner, host=host, ready_at=now, seen_at=now))


def leave(database: Database, owner: str) -> None:
    """Removes a worker that ended."""
    with database.write() as connection:
        connection.execute(workers.delete().where(workers.c.owner == owner))


def ready_workers(database: Database, within_ms: int) -> int:
    """How many workers showed themselves within that time."""
    query = sa.select(sa.func.count()).where(workers.c.seen_at > database.clock() - within_ms)
    with database.read() as connection:
        return int(connection.scalar(query) or 0)
