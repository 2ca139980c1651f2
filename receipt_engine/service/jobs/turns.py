"""Orders jobs fairly between accounts: each new job gets a turn number, and jobs run in turn order.

Start-time fair queueing (Goyal, Vin, Cheng 1996): the first job of an account with none in flight gets the
turn that is being served now, and each further one comes one step after the account's last. So accounts with
waiting jobs are served in rotation, however many jobs one of them has queued. The step grows with the number
of jobs the account has in flight, so a few images overtake those of a large batch. A turn is a number in an
indexed column, so finding the next job takes the same time in a queue of ten and of a hundred thousand.
"""

from __future__ import annotations

import sqlalchemy as sa

from receipt_engine.service.storage.schema import accounts, jobs

#: Jobs in flight from which an account's step grows, by one for each doubling.
_FEW = 8


def step(in_flight: int) -> int:
    """Returns the distance in turns between an account's last job and its next one."""
    return max(1, (in_flight // _FEW).bit_length() + 1)


class Turns:
    """Assigns turns to the new jobs of one batch of uploads. The accounts must be locked."""

    def __init__(self, connection: sa.Connection, account_ids: list[int]) -> None:
        self._served = 0
        self._last: dict[int, int] = {}
        for row in connection.execute(_TURNS, {"accounts": account_ids}):
            self._served = _least(row.running, row.queued)
            last = [turn for turn in (row.own_queued, row.own_running) if turn is not None]
            if last:
                self._last[row.id] = max(last)

    def take(self, account_id: int, in_flight: int) -> int:
        """Returns the turn of an account's next job. in_flight: its queued and running jobs."""
        last = self._last.get(account_id)
        turn = self._served if last is None else max(self._served, last + step(in_flight))
        self._last[account_id] = turn
        return turn


def _least(running: int | None, queued: int | None) -> int:
    """Returns the turn being served: the highest running one, or the lowest queued one if that is lower."""
    known = [turn for turn in (running, queued) if turn is not None]
    return min(known, default=0)


def _own(state: str) -> sa.ScalarSelect[int]:
    query = sa.select(sa.func.max(jobs.c.turn))
    return query.where(jobs.c.account_id == accounts.c.id, jobs.c.state == state).scalar_subquery()


# Each value is one lookup at the end of an index.
_TURNS = sa.select(
    accounts.c.id,
    sa.select(sa.func.max(jobs.c.turn)).where(jobs.c.state == "running").scalar_subquery().label("running"),
    sa.select(sa.func.min(jobs.c.turn)).where(jobs.c.state == "queued").scalar_subquery().label("queued"),
    _own("queued").label("own_queued"),
    _own("running").label("own_running"),
).where(accounts.c.id.in_(sa.bindparam("accounts", expanding=True)))
