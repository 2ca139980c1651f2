"""Builds the service's shared objects from its settings: the first step of every process."""

from __future__ import annotations

import time
from dataclasses import dataclass

from receipt_engine.service.accounts.store import Accounts
from receipt_engine.service.http.connections import ConnectionLimits, Connections
from receipt_engine.service.http.limits import MemoryBudget, RateLimiter
from receipt_engine.service.jobs.backlog import QueueLimits
from receipt_engine.service.jobs.broker import Broker, open_broker
from receipt_engine.service.jobs.queue import JobLimits, Jobs
from receipt_engine.service.jobs.uploads import Uploads
from receipt_engine.service.ops.metrics import Metrics
from receipt_engine.service.settings import Settings
from receipt_engine.service.storage.blobs import Blobs, open_blobs
from receipt_engine.service.storage.database import Clock, Database, milliseconds
from receipt_engine.service.storage.keyring import Keyring
from receipt_engine.service.storage.secret_keys import Secrets, check_keys, keys_in_use, load_secrets
from receipt_engine.service.storage.space import DiskSpace
from receipt_engine.service.webhooks.subscriptions import Subscriptions


@dataclass(frozen=True)
class Parts:
    """Shared objects that every process needs: database, image store, keys and queue, opened and checked."""

    settings: Settings
    database: Database
    blobs: Blobs
    keys: Keyring
    space: DiskSpace
    secrets: Secrets
    broker: Broker
    accounts: Accounts
    jobs: Jobs

    def uploads(self) -> Uploads:
        """Returns the object that accepts and stores uploads."""
        return Uploads(
            self.database,
            self.blobs,
            self.keys,
            self.secrets.picture,
            retention_days=self.settings.retention_days,
            limits=QueueLimits(self.settings.max_queue, self.settings.max_queue_account),
            announce=self.broker.announce,
            webhooks=self.settings.webhooks,
            room=self.space.room if self.settings.blobs_in_files or self.settings.embedded else lambda: True,
        )

    def subscriptions(self) -> Subscriptions:
        """Returns the store of the accounts' webhooks."""
        return Subscriptions(self.database, self.secrets.webhook)

    def close(self) -> None:
        """Closes all connections."""
        self.broker.close()
        self.database.dispose()


@dataclass(frozen=True)
class HttpLimits:
    """In-memory limits and counters of the HTTP side."""

    limiter: RateLimiter  # by account
    logins: RateLimiter  # by address and by name; separate, because anonymous visitors fill this one
    budget: MemoryBudget
    metrics: Metrics
    connections: Connections


def open_parts(settings: Settings, *, pool: int = 12, clock: Clock = milliseconds) -> Parts:
    """Opens data directory, database and keys, and creates what does not exist yet.

    pool: number of database connections. Raises VaultError, DatabaseDown or DatabaseQueryFailed; the message
    says what to do.
    """
    settings.data.mkdir(parents=True, exist_ok=True, mode=0o700)
    database = Database(settings, pool=pool, clock=clock)
    try:
        return _open(settings, database)
    except BaseException:
        database.dispose()
        raise


def _open(settings: Settings, database: Database) -> Parts:
    database.create()
    # A store with data needs the keys it was written with; creating new ones would only hide their loss.
    keys = Keyring(settings, create=settings.embedded and not keys_in_use(database))
    check_keys(database, keys)
    secrets = load_secrets(database, keys)
    blobs = open_blobs(settings)
    limits = JobLimits(int(settings.lease_seconds * 1000), settings.max_faults, settings.max_losses)
    return Parts(
        settings=settings,
        database=database,
        blobs=blobs,
        keys=keys,
        space=DiskSpace(settings.data, settings.disk_reserve),
        secrets=secrets,
        broker=open_broker(settings, database),
        accounts=Accounts(database, secrets.api_key),
        jobs=Jobs(database, blobs, keys, limits),
    )


def open_http_limits(settings: Settings) -> HttpLimits:
    """Returns fresh limits and counters."""
    metrics = Metrics()
    limits = ConnectionLimits(
        settings.max_connections, settings.max_connections_address, settings.idle_seconds
    )
    return HttpLimits(
        RateLimiter(time.monotonic),
        RateLimiter(time.monotonic),
        MemoryBudget(settings.memory_budget),
        metrics,
        Connections(limits, metrics),
    )
