"""Back-pressure: how many jobs wait, and whether one more may."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import sqlalchemy as sa

from receipt_engine.service.storage.schema import jobs

#: Milliseconds for which a count of waiting jobs is good enough to accept by.
_COUNT_EVERY = 1000


@dataclass(frozen=True)
class QueueLimits:
    """Jobs waiting, in all and for one account, beyond which uploads are refused."""

    total: int
    account: int


class Backlog:
    """How many jobs wait. Counted once a second, added to in between, counted anew before a refusal.

    Other hosts' uploads of the last second may be missing, so together they can go over a limit by those.
    """

    def __init__(self, limits: QueueLimits) -> None:
        self._limits = limits
        self._waiting: Counter[int] = Counter()
        self._counted_at = -_COUNT_EVERY

    def room(self, connection: sa.Connection, account_id: int, now: int) -> bool:
        """Whether one more job of this account may wait."""
        if not 0 <= now - self._counted_at < _COUNT_EVERY:
            self._count(connection, now)
        if self._full(account_id) and self._counted_at != now:
            self._count(connection, now)
        return not self._full(account_id)

    def in_flight(self, account_id: int) -> int:
        """How many jobs of an account wait or run, as of the last count."""
        return self._waiting[account_id]

    def add(self, account_id: int) -> None:
        """One more waits."""
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
