"""Manages the webhooks of an account: the URLs that are notified of its results."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from receipt_engine.service.accounts.audit import note
from receipt_engine.service.accounts.store import AccountError
from receipt_engine.service.storage.database import Database
from receipt_engine.service.storage.schema import deliveries, webhooks
from receipt_engine.service.webhooks.addresses import parse_target
from receipt_engine.service.webhooks.signature import signing_secret

#: Most webhooks of one account.
MOST = 5
#: Deliveries listed on the dashboard.
_SHOWN = 50


@dataclass(frozen=True)
class Webhook:
    """One webhook. created_at, stopped_at: milliseconds; stopped_at: when it answered 410 Gone."""

    id: int
    url: str
    secret: str
    created_at: int
    stopped_at: int | None


@dataclass(frozen=True)
class DeliveryRecord:
    """One delivery. status: of the last answer, 0: none; due_at: time of the next attempt, milliseconds."""

    webhook_id: int
    token: str
    state: str
    attempts: int
    status: int | None
    due_at: int


class Subscriptions:
    """Adds, removes and lists webhooks. secret: the installation's; signing secrets are derived from it."""

    def __init__(self, database: Database, secret: bytes) -> None:
        self._database = database
        self._secret = secret

    def add(self, account_id: int, url: str) -> int:
        """Creates a webhook; returns its id. Raises AddressRefused, or AccountError at the limit."""
        parse_target(url)
        with self._database.write() as connection:
            mine = webhooks.c.account_id == account_id
            if (connection.scalar(sa.select(sa.func.count()).where(mine)) or 0) >= MOST:
                raise AccountError(f"An account can have at most {MOST} webhooks.")
            now = self._database.clock()
            values = {"account_id": account_id, "url": url, "salt": secrets.token_hex(16), "created_at": now}
            made = connection.scalar(webhooks.insert().values(values).returning(webhooks.c.id))
            assert made is not None
            note(connection, now, account_id, "webhook.made", str(made))
        return int(made)

    def remove(self, account_id: int, webhook_id: int) -> None:
        """Deletes a webhook and its deliveries; unknown ids are ignored."""
        with self._database.write() as connection:
            mine = (webhooks.c.account_id == account_id, webhooks.c.id == webhook_id)
            if connection.execute(webhooks.delete().where(*mine)).rowcount:
                note(connection, self._database.clock(), account_id, "webhook.deleted", str(webhook_id))

    def all(self, account_id: int) -> list[Webhook]:
        """Returns the webhooks of an account with their secrets."""
        query = sa.select(webhooks).where(webhooks.c.account_id == account_id).order_by(webhooks.c.id)
        with self._database.read() as connection:
            rows = connection.execute(query).all()
        return [self._webhook(row) for row in rows]

    def _webhook(self, row: sa.Row[Any]) -> Webhook:
        secret = signing_secret(self._secret, row.id, row.salt)
        return Webhook(row.id, row.url, secret, row.created_at, row.stopped_at)

    def deliveries(self, account_id: int) -> list[DeliveryRecord]:
        """Returns the newest deliveries of an account, newest first."""
        query = (
            sa.select(deliveries)
            .join(webhooks, webhooks.c.id == deliveries.c.webhook_id)
            .where(webhooks.c.account_id == account_id)
            .order_by(deliveries.c.id.desc())
            .limit(_SHOWN)
        )
        with self._database.read() as connection:
            rows = connection.execute(query).all()
        return [
            DeliveryRecord(row.webhook_id, row.token, row.state, row.attempts, row.status, row.due_at)
            for row in rows
        ]
