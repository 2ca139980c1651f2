"""Records who did what to accounts, keys and sessions, and when: a database row and a log line per event.

Rows name the account by its id and keys by their first characters. The log line omits the origin, so that no
personal data stays in the logs after an account is deleted.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

import sqlalchemy as sa

from receipt_engine.service.storage.database import Database
from receipt_engine.service.storage.schema import audit

log = logging.getLogger("receipt_engine.audit")

_origin: ContextVar[str] = ContextVar("origin", default="command line")


@dataclass(frozen=True)
class Event:
    """One audit event. at: milliseconds; origin: "command line", or "dashboard" and the visitor's address."""

    at: int
    name: str
    detail: str
    origin: str


@contextmanager
def acting_from(origin: str) -> Iterator[None]:
    """Sets the origin of events recorded inside the block, in this task or thread."""
    token = _origin.set(origin[:100])
    try:
        yield
    finally:
        _origin.reset(token)


def note(connection: sa.Connection, now: int, account_id: int | None, event: str, detail: str = "") -> None:
    """Records an event in the transaction that causes it. detail: ids and numbers only."""
    connection.execute(
        audit.insert().values(
            at=now, account_id=account_id, event=event, detail=detail[:200], origin=_origin.get()
        )
    )
    fields = {"account": account_id, "what": event} | ({"detail": detail} if detail else {})
    log.info("audit", extra={"fields": fields})


def events(database: Database, account_id: int, limit: int = 200) -> list[Event]:
    """Returns an account's newest `limit` events, oldest first."""
    query = sa.select(audit).where(audit.c.account_id == account_id).order_by(audit.c.id.desc()).limit(limit)
    with database.read() as connection:
        rows = connection.execute(query).all()
    return [Event(row.at, row.event, row.detail, row.origin) for row in reversed(rows)]
