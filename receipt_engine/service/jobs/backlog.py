"""Back-pressure: counts unfinished jobs and decides whether one more may be queued."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import sqlalchemy as sa

from receipt_engine.service.storage.schema import jobs

#: Milliseconds for which a count may be reused to accept uploads.
_COUNT_EVERY = 1000


@dataclass(frozen=True)
class QueueLimits:
    """Unfinished jobs, in total and for one account, at which uploads are refused."""

    total: int
    account: int


class Backlog:
    """Number of queued and running jobs per account.

    Counted in the database once a second, incremented in between, and recounted before a refusal. Uploads
    that other hosts accepted within the last second may be missing, so a limit can be exceeded by those.
    """

    def __init__(self, limits: QueueLimits) -> None:
        self._limits = limits
        self._waiting: Counter[int] = Counter()
        self._counted_at = -_COUNT_EVERY

    def room(self, connection: sa.Connection, account_id: int, now: int) -> bool:
        """Returns whether one more job of this account may be queued. now: milliseconds."""
        if not 0 <= now - self._counted_at < _COUNT_EVERY:
            self._count(connection, now)
        if self._full(account_id) and self._counted_at != now:
            self._count(connection, now)
        return not self._full(account_id)

    def in_flight(self, account_id: int) -> int:
        """Returns the number of an account's queued and running jobs, as of the last count."""
        return self._waiting[account_id]

    def add(self, account_id: int) -> None:
        """Counts one more queued job."""
        self._waiting[account_id] += 1

    def _full(self, account_id: int) -> bool:
        full = self._waiting.total() >= self._limits.total
        return full or self._waiting[account_id] >= self._limits.account

    def _count(self, connection: sa.Connection, now: int) -> None:
        self._waiting = Counter({row[0]: row[1] for row in connection.execute(_WAITING)})
        self._counted_at = now


_WAITING = (
    sa.select(jobs.c.account_id, sa.func.count())
    .where(jobs.c.state.in_(("queued", "running")))
    .group_by(jobs.c.account_id)
)
