"""Which workers are alive and have loaded their engine: rows that each worker keeps fresh."""

from __future__ import annotations

import sqlalchemy as sa

from receipt_engine.service.storage.database import Database
from receipt_engine.service.storage.schema import workers


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
