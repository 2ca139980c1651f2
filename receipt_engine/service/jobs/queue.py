"""The job queue: claims jobs in turn order under leases, counts failures, stores each result once.

A worker that claims a job gets a lease, a secret that changes with every claim. Only the holder of the
current lease can store a result, so a worker that was presumed dead and comes back changes nothing.

Failures caused by the image are distinguished from workers that merely died: a `fault` (the engine raised,
ran out of time or memory, or crashed) counts against the image, a `loss` (kill -9, power failure, lost host)
only counts once there are very many. Reaching either limit ends the job with code 500.
"""

from __future__ import annotations

import re
import secrets
from dataclasses import dataclass

import sqlalchemy as sa

from receipt_engine.service.codes import Code
from receipt_engine.service.jobs.options import Options
from receipt_engine.service.storage.blobs import Blobs
from receipt_engine.service.storage.database import Database
from receipt_engine.service.storage.keyring import Keyring
from receipt_engine.service.storage.schema import images, jobs, uploads
from receipt_engine.service.storage.vault import VaultError, seal, unseal
from receipt_engine.service.webhooks.outbox import job_ended

#: Longest delay before a retry, in milliseconds.
_LONGEST_PAUSE = 30_000
#: Format of a token; anything else was never issued.
TOKEN = re.compile(r"[A-Za-z0-9]{16}")


@dataclass(frozen=True)
class JobLimits:
    """lease: milliseconds; max_faults and max_losses: counts that end a job."""

    lease: int
    max_faults: int
    max_losses: int


@dataclass(frozen=True)
class Job:
    """A claimed job: what to run, and the lease needed to finish it."""

    image_id: str
    account_id: int
    lease: str
    options: Options
    data_key: bytes


@dataclass(frozen=True)
class Held:
    """A running job as the supervisor sees it. since: milliseconds since it was claimed."""

    image_id: str
    lease: str
    expired: bool
    since: int


@dataclass(frozen=True)
class Outcome:
    """Answer of the result endpoint for a token: the code, and the result's JSON bytes when available."""

    code: Code
    result: bytes | None = None


class Jobs:
    """The queue and the results, stored in the job rows."""

    def __init__(self, database: Database, blobs: Blobs, keys: Keyring, limits: JobLimits) -> None:
        self._database = database
        self._blobs = blobs
        self._keys = keys
        self._limits = limits

    def claim(self, owner: str) -> Job | None:
        """Leases the next job in turn order to `owner`; None when no job may run now."""
        now = self._database.clock()
        with self._database.read() as connection:  # most calls end here, without a write lock
            if connection.scalar(_ANY_CLAIMABLE, {"now": now}) is None:
                return None
        with self._database.write() as connection:
            chosen = connection.scalar(_NEXT, {"now": now})
            if chosen is None:
                return None
            lease = secrets.token_hex(16)
            connection.execute(
                jobs.update()
                .where(jobs.c.image_id == chosen)
                .values(
                    state="running",
                    lease=lease,
                    lease_until=now + self._limits.lease,
                    owner=owner,
                    started_at=now,
                )
            )
            row = connection.execute(
                sa.select(images.c.options, images.c.account_id, images.c.key_id, images.c.wrapped_key).where(
                    images.c.id == chosen
                )
            ).one()
        try:
            data_key = self._keys.unwrap(row.key_id, bytes(row.wrapped_key), chosen)
        except VaultError:
            self.lose(chosen, lease)
            raise
        return Job(chosen, row.account_id, lease, Options.from_text(row.options), data_key)

    def picture(self, job: Job) -> bytes:
        """Returns the decrypted image of a claimed job; raises BlobMissing or VaultError."""
        with self._database.read() as connection:
            sealed = self._blobs.get(connection, job.image_id)
        return unseal(job.data_key, sealed, f"picture:{job.image_id}")

    def extend(self, job: Job) -> bool:
        """Extends the lease; returns False when it is no longer held."""
        until = self._database.clock() + self._limits.lease
        return self._update(job.image_id, job.lease, lease_until=until)

    def finish(self, job: Job, result: bytes) -> bool:
        """Stores the result; returns False and changes nothing when the lease is no longer held."""
        sealed = seal(job.data_key, result, f"result:{job.image_id}")
        now = self._database.clock()
        return self._end(job, now, state="done", sealed_result=sealed)

    def refuse(self, job: Job) -> bool:
        """Ends the job with code 500 because the image is unreadable and a retry would not help."""
        return self._end(job, self._database.clock(), state="failed")

    def fault(self, image_id: str, lease: str) -> None:
        """Requeues a job whose image broke its worker, or ends it with code 500 at the limit."""
        self._requeue(image_id, lease, fault=True)

    def lose(self, image_id: str, lease: str) -> None:
        """Requeues a job whose worker died of an unknown cause, or ends it with code 500 at the limit."""
        self._requeue(image_id, lease, fault=False)

    def postpone(self, image_id: str, lease: str) -> None:
        """Requeues a job for later without counting a failure: the installation is at fault."""
        later = self._database.clock() + _LONGEST_PAUSE
        self._update(image_id, lease, state="queued", not_before=later, lease=None, owner=None)

    def held_by(self, owner: str) -> list[Held]:
        """Returns the running jobs that a worker holds."""
        query = sa.select(jobs.c.image_id, jobs.c.lease, jobs.c.lease_until, jobs.c.started_at)
        with self._database.read() as connection:
            rows = connection.execute(query.where(jobs.c.owner == owner, jobs.c.state == "running")).all()
        now = self._database.clock()
        return [Held(row.image_id, row.lease, row.lease_until <= now, now - row.started_at) for row in rows]

    def recover(self, *, everything: bool = False) -> int:
        """Requeues jobs with an expired lease, as losses; returns how many.

        everything: requeue all running jobs; only safe when no worker can be alive.
        """
        query = sa.select(jobs.c.image_id, jobs.c.lease).where(jobs.c.state == "running")
        if not everything:
            query = query.where(jobs.c.lease_until <= self._database.clock())
        with self._database.read() as connection:
            lost = connection.execute(query).all()
        for image_id, lease in lost:
            self.lose(image_id, lease)
        return len(lost)

    def waiting(self, *, older_than: int) -> list[str]:
        """Returns image ids of the next 100 jobs that have been runnable for `older_than` milliseconds."""
        before = self._database.clock() - older_than
        with self._database.read() as connection:
            return list(connection.scalars(_WAITING, {"now": before}))

    def outcome(self, account_id: int, token: str) -> Outcome:
        """Returns the outcome of a token; TOKEN_UNKNOWN for expired tokens and those of other accounts."""
        if not TOKEN.fullmatch(token):
            return Outcome(Code.TOKEN_UNKNOWN)
        asked = {"token": token, "account": account_id, "now": self._database.clock()}
        with self._database.read() as connection:
            row = connection.execute(_OUTCOME, asked).one_or_none()
        if row is None:
            return Outcome(Code.TOKEN_UNKNOWN)
        if row.state == "failed":
            return Outcome(Code.OCR_FAILED)
        if row.state != "done":
            return Outcome(Code.PENDING)
        data_key = self._keys.unwrap(row.key_id, bytes(row.wrapped_key), row.id)
        return Outcome(Code.AVAILABLE, unseal(data_key, bytes(row.sealed_result), f"result:{row.id}"))

    def _end(self, job: Job, now: int, **values: object) -> bool:
        held = (jobs.c.image_id == job.image_id, jobs.c.lease == job.lease, jobs.c.state == "running")
        with self._database.write() as connection:
            ended = connection.execute(jobs.update().where(*held).values(finished_at=now, **values)).rowcount
            if ended:
                job_ended(connection, job.image_id, now)
            return bool(ended)

    def _update(self, image_id: str, held_lease: str, **values: object) -> bool:
        held = (jobs.c.image_id == image_id, jobs.c.lease == held_lease, jobs.c.state == "running")
        with self._database.write() as connection:
            return bool(connection.execute(jobs.update().where(*held).values(**values)).rowcount)

    def _requeue(self, image_id: str, lease: str, *, fault: bool) -> None:
        held = (jobs.c.image_id == image_id, jobs.c.lease == lease, jobs.c.state == "running")
        now = self._database.clock()
        with self._database.write() as connection:
            query = sa.select(jobs.c.faults, jobs.c.losses).where(*held).with_for_update()
            row = connection.execute(query).one_or_none()
            if row is None:
                return
            faults, losses = row.faults + fault, row.losses + (not fault)
            over = faults >= self._limits.max_faults or losses >= self._limits.max_losses
            values = {"faults": faults, "losses": losses, "lease": None, "owner": None, "lease_until": None}
            if over:
                values |= {"state": "failed", "finished_at": now}
            else:
                values |= {"state": "queued", "not_before": now + _pause(faults + losses)}
            connection.execute(jobs.update().where(*held).values(values))
            if over:
                job_ended(connection, image_id, now)


def _pause(tries: int) -> int:
    """Returns the milliseconds before the next attempt: 0 after the first, then 100, doubling."""
    return 0 if tries <= 1 else min(100 << min(tries - 2, 20), _LONGEST_PAUSE)


# Statements of every poll, built once because building them costs more than running them.
_ANY_CLAIMABLE = (
    sa.select(jobs.c.image_id)
    .where(jobs.c.state == "queued", jobs.c.not_before <= sa.bindparam("now"))
    .limit(1)
)
#: "+ 0" keeps the planner from using the index by time, which would make it sort all waiting jobs.
_BY_TURN = (
    sa.select(jobs.c.image_id)
    .where(jobs.c.state == "queued", jobs.c.not_before + 0 <= sa.bindparam("now"))
    .order_by(jobs.c.turn, jobs.c.queued_at)
)
_NEXT = _BY_TURN.limit(1).with_for_update(skip_locked=True)
_WAITING = _BY_TURN.limit(100)
_OUTCOME = (
    sa.select(images.c.id, images.c.key_id, images.c.wrapped_key, jobs.c.state, jobs.c.sealed_result)
    .select_from(uploads.join(images, uploads.c.image_id == images.c.id))
    .join(jobs, jobs.c.image_id == images.c.id)
    .where(
        uploads.c.token == sa.bindparam("token"),
        uploads.c.account_id == sa.bindparam("account"),
        uploads.c.expires_at > sa.bindparam("now"),
    )
)
