"""Accepting a picture: token, image, job and charge in one transaction, durable before the answer.

Uploads that arrive together are committed together (`Acceptor`): one transaction, one sync of the log.
Each has its own savepoint, so one account without credit does not touch its neighbours.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field

import sqlalchemy as sa

from receipt_engine.service import schema
from receipt_engine.service.accounts import random_text
from receipt_engine.service.blobs import Blobs, new_image_id
from receipt_engine.service.codes import Code, Refusal
from receipt_engine.service.database import Database
from receipt_engine.service.options import Options
from receipt_engine.service.secret_keys import digest
from receipt_engine.service.vault import MasterKeys, new_key, seal

TOKEN_LENGTH = 16
DAY = 86_400_000
_BATCH = 32


@dataclass(frozen=True)
class Upload:
    """A checked picture, not yet stored."""

    account_id: int
    data: bytes
    options: Options
    code: Code  # ACCEPTED or ACCEPTED_SMALL


@dataclass(frozen=True)
class Accepted:
    """What the answer to an upload carries."""

    token: str
    code: Code
    duplicate_of: str | None


@dataclass(frozen=True)
class _Prepared:
    upload: Upload
    digest: bytes
    image_id: str
    key_id: str
    wrapped_key: bytes
    sealed: bytes


@dataclass(frozen=True)
class QueueLimits:
    """Jobs waiting, in all and for one account, beyond which uploads are refused."""

    total: int
    account: int


class Uploads:
    """Stores uploads. `announce` is called inside the transaction with the image ids of new jobs."""

    def __init__(
        self,
        database: Database,
        blobs: Blobs,
        keys: MasterKeys,
        picture_secret: bytes,
        *,
        retention_days: float,
        limits: QueueLimits,
        announce: Callable[[sa.Connection, list[str]], None] = lambda _connection, _ids: None,
    ) -> None:
        self._database = database
        self._blobs = blobs
        self._keys = keys
        self._secret = picture_secret
        self._retention = int(retention_days * DAY)
        self._limits = limits
        self._announce = announce

    def prepare(self, upload: Upload) -> _Prepared:
        """The costly part that needs no transaction: digest and sealing."""
        image_id = new_image_id(self._database.clock())
        data_key = new_key()
        key_id, wrapped = self._keys.wrap(data_key, image_id)
        sealed = seal(data_key, upload.data, f"picture:{image_id}")
        account = str(upload.account_id).encode()
        return _Prepared(
            upload, digest(self._secret, account, upload.data), image_id, key_id, wrapped, sealed
        )

    def accept(self, batch: list[_Prepared]) -> list[Accepted | Refusal]:
        """Stores a batch in one transaction; one outcome each, in order.

        Raises DatabaseDown, DatabaseQueryFailed (nothing was stored). When pictures cannot be written,
        every outcome is a Refusal with code 408 and nothing was charged.
        """
        staged = self._worth_staging(batch)
        try:
            self._blobs.stage((item.image_id, item.sealed) for item in staged)
            work = _Batch({item.image_id for item in staged})
            outcomes: dict[int, Accepted | Refusal] = {}
            with self._database.write() as connection:
                work.waiting = _waiting(connection)
                # One order of accounts in every process: two batches never wait for each other.
                for index in sorted(range(len(batch)), key=lambda index: batch[index].upload.account_id):
                    try:
                        with connection.begin_nested():
                            outcomes[index] = self._store(connection, batch[index], work)
                    except Refusal as refusal:
                        outcomes[index] = refusal
                if work.used:
                    self._announce(connection, sorted(work.used))
        except OSError as error:
            return [Refusal(Code.STORE_FAILED, type(error).__name__)] * len(batch)
        self._discard((work.staged - work.used) | work.expired)
        return [outcomes[index] for index in range(len(batch))]

    def _worth_staging(self, batch: list[_Prepared]) -> list[_Prepared]:
        """Pictures that will most likely be stored: not there yet, and their account has credit."""
        images, accounts = schema.images, schema.accounts
        query = sa.select(images.c.digest).where(
            images.c.digest.in_({item.digest for item in batch}), images.c.expires_at > self._database.clock()
        )
        payers = sa.select(accounts.c.id).where(
            accounts.c.id.in_({item.upload.account_id for item in batch}), accounts.c.credits > 0
        )
        with self._database.read() as connection:
            known = {bytes(found) for found in connection.scalars(query)}
            able = set(connection.scalars(payers))
        fresh: dict[bytes, _Prepared] = {}
        for item in batch:
            if item.digest not in known and item.upload.account_id in able:
                fresh.setdefault(item.digest, item)
        return list(fresh.values())

    def _store(self, connection: sa.Connection, item: _Prepared, work: _Batch) -> Accepted:
        """One upload inside its savepoint; raises Refusal to undo it."""
        now = self._database.clock()
        account_id = item.upload.account_id
        token = random_text(TOKEN_LENGTH)
        image_id = self._extend_known(connection, item, now, work)
        duplicate_of = _first_token(connection, image_id, now) if image_id else None
        if image_id is None:
            image_id = self._insert_image(connection, item, now, work)
        connection.execute(
            schema.uploads.insert().values(
                token=token,
                account_id=account_id,
                image_id=image_id,
                code=int(item.upload.code),
                duplicate_of=duplicate_of,
                created_at=now,
                expires_at=now + self._retention,
            )
        )
        _charge(connection, account_id, token, now)
        if duplicate_of is None:
            self._check_queue(work.waiting, account_id)
            work.waiting[account_id] = work.waiting.get(account_id, 0) + 1
            work.used.add(image_id)
        return Accepted(token, item.upload.code, duplicate_of)

    def _extend_known(self, connection: sa.Connection, item: _Prepared, now: int, work: _Batch) -> str | None:
        """The id of the stored picture with these bytes, kept for as long as its newest upload."""
        images = schema.images
        same = (images.c.account_id == item.upload.account_id, images.c.digest == item.digest)
        extend = images.update().where(*same, images.c.expires_at > now)
        if connection.execute(extend.values(expires_at=now + self._retention)).rowcount:
            return str(connection.scalar(sa.select(images.c.id).where(*same)))
        stale = connection.scalar(sa.select(images.c.id).where(*same))
        if stale is not None:  # past its retention, not swept yet: a new picture
            connection.execute(images.delete().where(images.c.id == stale))
            work.expired.add(stale)
        return None

    def _insert_image(self, connection: sa.Connection, item: _Prepared, now: int, work: _Batch) -> str:
        if item.image_id not in work.staged:
            self._blobs.stage([(item.image_id, item.sealed)])
            work.staged.add(item.image_id)
        connection.execute(
            schema.images.insert().values(
                id=item.image_id,
                account_id=item.upload.account_id,
                digest=item.digest,
                key_id=item.key_id,
                wrapped_key=item.wrapped_key,
                size=len(item.upload.data),
                options=item.upload.options.to_text(),
                expires_at=now + self._retention,
            )
        )
        self._blobs.store(connection, [(item.image_id, item.sealed)])
        connection.execute(
            schema.jobs.insert().values(
                image_id=item.image_id,
                account_id=item.upload.account_id,
                state="queued",
                queued_at=now,
                not_before=now,
                faults=0,
                losses=0,
            )
        )
        return item.image_id

    def _check_queue(self, waiting: dict[int, int], account_id: int) -> None:
        """Back-pressure: refuses a new job when too many wait."""
        full = sum(waiting.values()) >= self._limits.total
        if full or waiting.get(account_id, 0) >= self._limits.account:
            raise Refusal(Code.SERVER_ERROR, "too many pictures are waiting", retry_after=10)

    def _discard(self, image_ids: set[str]) -> None:
        """Removes bytes that no row names. A crash before this leaves them to the sweeper."""
        if image_ids:
            with self._database.write() as connection:
                self._blobs.delete(connection, image_ids)


@dataclass
class _Batch:
    """What one transaction did to the pictures' bytes, and the queue's length per account."""

    staged: set[str]
    used: set[str] = field(default_factory=set)
    expired: set[str] = field(default_factory=set)
    waiting: dict[int, int] = field(default_factory=dict)


def _waiting(connection: sa.Connection) -> dict[int, int]:
    jobs = schema.jobs
    query = (
        sa.select(jobs.c.account_id, sa.func.count())
        .where(jobs.c.state.in_(("queued", "running")))
        .group_by(jobs.c.account_id)
    )
    return {row[0]: row[1] for row in connection.execute(query)}


def _first_token(connection: sa.Connection, image_id: str, now: int) -> str | None:
    """The oldest upload of a picture that is still known."""
    uploads = schema.uploads
    query = (
        sa.select(uploads.c.token)
        .where(uploads.c.image_id == image_id, uploads.c.expires_at > now)
        .order_by(uploads.c.created_at, uploads.c.duplicate_of.is_not(None))
        .limit(1)
    )
    return connection.scalar(query)


def _charge(connection: sa.Connection, account_id: int, token: str, now: int) -> None:
    """Takes one credit for a token; raises Refusal 401 when there is none."""
    connection.execute(
        schema.ledger.insert().values(account_id=account_id, token=token, delta=-1, reason="upload", at=now)
    )
    accounts = schema.accounts
    update = accounts.update().where(accounts.c.id == account_id, accounts.c.credits > 0)
    if not connection.execute(update.values(credits=accounts.c.credits - 1)).rowcount:
        raise Refusal(Code.NO_CREDIT)


class Acceptor:
    """The thread that commits uploads in batches. `submit` from any thread; `close` ends it."""

    def __init__(self, uploads: Uploads) -> None:
        self._uploads = uploads
        self._queue: queue.SimpleQueue[tuple[_Prepared, Future[Accepted]] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="acceptor", daemon=True)
        self._thread.start()

    def submit(self, upload: Upload) -> Future[Accepted]:
        """Seals the picture here and queues it for the next commit.

        The future raises Refusal, DatabaseDown or DatabaseQueryFailed; it is done when the upload is durable.
        """
        future: Future[Accepted] = Future()
        self._queue.put((self._uploads.prepare(upload), future))
        return future

    def close(self) -> None:
        """Commits what was submitted, then ends the thread."""
        self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        open_ = True
        while open_:
            batch = []
            entry = self._queue.get()
            while entry is not None:
                batch.append(entry)
                if len(batch) >= _BATCH or self._queue.empty():
                    break
                entry = self._queue.get()
            open_ = entry is not None
            if batch:
                self._commit(batch)

    def _commit(self, batch: list[tuple[_Prepared, Future[Accepted]]]) -> None:
        try:
            outcomes = self._uploads.accept([prepared for prepared, _ in batch])
        except Exception as error:  # the callers answer with the code it stands for
            for _, future in batch:
                future.set_exception(error)
            return
        for (_, future), outcome in zip(batch, outcomes, strict=True):
            if isinstance(outcome, Refusal):
                future.set_exception(outcome)
            else:
                future.set_result(outcome)
