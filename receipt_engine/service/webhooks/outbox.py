"""Stores webhook deliveries: written in the transactions that cause them, then taken to be sent.

A delivery waits from the upload on, is due when the job has ended, and ends as delivered or failed. It is
deleted with its upload.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from receipt_engine.service.storage.database import Database
from receipt_engine.service.storage.schema import deliveries, jobs, webhooks

#: Seconds before the second attempt, the third and so on; about 17 hours in total.
RETRY_AFTER = (5, 30, 120, 600, 3600, 4 * 3600, 12 * 3600)
#: Seconds without calls to a webhook after a failure, doubled with each consecutive one.
_FIRST_PAUSE, _LONGEST_PAUSE = 5, 600
#: Milliseconds after which a call is made again if its process died before recording the outcome.
_LEASE = 60_000
_GONE = 410
_ENDED = ("done", "failed")


@dataclass(frozen=True)
class Delivery:
    """One call to be made. readable: the job produced a result; event: unique id of the message."""

    id: int
    webhook_id: int
    url: str
    salt: str
    event: str
    token: str
    readable: bool
    attempts: int  # this one included


def expect(connection: sa.Connection, uploads: Sequence[dict[str, Any]], now: int) -> None:
    """Adds a waiting delivery for each upload and webhook of its account, in the accepting transaction."""
    wanted = set(connection.scalars(_LISTENING, {"accounts": sorted({row["account_id"] for row in uploads})}))
    rows = [
        {"account": row["account_id"], "image": row["image_id"], "upload_token": row["token"], "now": now}
        | {"name": f"msg_{secrets.token_hex(12)}"}
        for row in uploads
        if row["account_id"] in wanted
    ]
    if rows:
        connection.execute(_EXPECT, rows)


def job_ended(connection: sa.Connection, image_id: str, now: int) -> None:
    """Makes the deliveries that wait for a job due, in the transaction that ends the job."""
    connection.execute(_DUE, {"image": image_id, "now": now})


class Outbox:
    """Takes due deliveries and records their outcomes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def catch_up(self) -> None:
        """Makes deliveries due whose job ended while their upload was being booked."""
        with self._database.write() as connection:
            connection.execute(_CATCH_UP, {"now": self._database.clock()})

    def ready(self) -> list[int]:
        """Returns ids of webhooks with due deliveries that may be called now."""
        with self._database.read() as connection:
            return list(connection.scalars(_READY, {"now": self._database.clock()}))

    def take(self, webhook_id: int) -> Delivery | None:
        """Leases the delivery that has been due longest for a webhook; None when there is none."""
        now = self._database.clock()
        with self._database.write() as connection:
            row = connection.execute(_NEXT, {"webhook": webhook_id, "now": now}).one_or_none()
            if row is None:
                return None
            mine = (deliveries.c.id == row.id, deliveries.c.due_at == row.due_at)
            lease = {"due_at": now + _LEASE, "attempts": row.attempts + 1}
            if connection.execute(deliveries.update().where(*mine).values(lease)).rowcount != 1:
                return None  # another host was first
        return Delivery(
            row.id, webhook_id, row.url, row.salt, row.event, row.token, row.state == "done", row.attempts + 1
        )

    def delivered(self, delivery: Delivery, status: int) -> None:
        """Records a successful call."""
        self._end(delivery, status, "delivered")
        with self._database.write() as connection:
            calm = webhooks.update().where(webhooks.c.id == delivery.webhook_id)
            connection.execute(calm.values(failures=0, paused_until=0))

    def failed(self, delivery: Delivery, status: int) -> None:
        """Records a failed call, to be retried later or given up. status: 0 when there was no answer.

        A webhook that answers 410 is never called again.
        """
        now = self._database.clock()
        if delivery.attempts > len(RETRY_AFTER) or status == _GONE:
            self._end(delivery, status, "failed")
        else:
            later = now + RETRY_AFTER[delivery.attempts - 1] * 1000
            with self._database.write() as connection:
                values = {"due_at": later, "status": status}
                connection.execute(deliveries.update().where(deliveries.c.id == delivery.id).values(values))
        with self._database.write() as connection:
            mine = webhooks.c.id == delivery.webhook_id
            if status == _GONE:
                connection.execute(webhooks.update().where(mine).values(stopped_at=now))
                return
            failures = (connection.scalar(sa.select(webhooks.c.failures).where(mine)) or 0) + 1
            pause = min(_FIRST_PAUSE << min(failures - 1, 10), _LONGEST_PAUSE) * 1000
            connection.execute(
                webhooks.update().where(mine).values(failures=failures, paused_until=now + pause)
            )

    def _end(self, delivery: Delivery, status: int, state: str) -> None:
        now = self._database.clock()
        with self._database.write() as connection:
            values = {"state": state, "status": status, "ended_at": now}
            connection.execute(deliveries.update().where(deliveries.c.id == delivery.id).values(values))


# Statements used by every upload, job and check, built once because building them costs more than running
# them.
_now = sa.bindparam("now", type_=sa.BigInteger)
_LISTENING = sa.select(webhooks.c.account_id).where(
    webhooks.c.account_id.in_(sa.bindparam("accounts", expanding=True)), webhooks.c.stopped_at.is_(None)
)
_ended_job = sa.exists().where(
    jobs.c.image_id == sa.bindparam("image", type_=sa.String), jobs.c.state.in_(_ENDED)
)
_EXPECT = deliveries.insert().from_select(
    ["webhook_id", "image_id", "token", "event", "attempts", "state", "due_at"],
    sa.select(
        webhooks.c.id,
        sa.bindparam("image", type_=sa.String),
        sa.bindparam("upload_token", type_=sa.String),
        sa.bindparam("name", type_=sa.String),
        sa.literal(0),
        sa.case((_ended_job, "due"), else_="waiting"),
        _now,
    ).where(webhooks.c.account_id == sa.bindparam("account"), webhooks.c.stopped_at.is_(None)),
)
_DUE = (
    deliveries.update()
    .where(deliveries.c.image_id == sa.bindparam("image"), deliveries.c.state == "waiting")
    .values(state="due", due_at=_now)
)
_CATCH_UP = (
    deliveries.update()
    .where(
        deliveries.c.state == "waiting",
        sa.exists().where(jobs.c.image_id == deliveries.c.image_id, jobs.c.state.in_(_ENDED)),
    )
    .values(state="due", due_at=_now)
)
_something_due = sa.exists().where(
    deliveries.c.webhook_id == webhooks.c.id, deliveries.c.state == "due", deliveries.c.due_at <= _now
)
_READY = sa.select(webhooks.c.id).where(
    webhooks.c.stopped_at.is_(None), webhooks.c.paused_until <= _now, _something_due
)
_NEXT = (
    sa.select(
        deliveries.c.id,
        deliveries.c.due_at,
        deliveries.c.event,
        deliveries.c.token,
        deliveries.c.attempts,
        webhooks.c.url,
        webhooks.c.salt,
        jobs.c.state,
    )
    .select_from(deliveries.join(webhooks, webhooks.c.id == deliveries.c.webhook_id))
    .join(jobs, jobs.c.image_id == deliveries.c.image_id)
    .where(
        deliveries.c.webhook_id == sa.bindparam("webhook"),
        deliveries.c.state == "due",
        deliveries.c.due_at <= _now,
        webhooks.c.stopped_at.is_(None),
        webhooks.c.paused_until <= _now,
    )
    .order_by(deliveries.c.due_at, deliveries.c.id)
    .limit(1)
)
