"""Accepting a picture: token, image, job and charge in one transaction, durable before the answer.

Uploads that arrive together are committed together (see `acceptor`): one transaction, one sync of the log.
Each has its own savepoint, so one account without credit does not touch its neighbours.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

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
class Prepared:
    """A sealed picture with its wrapped key."""

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

    def prepare(self, upload: Upload) -> Prepared:
        """The costly part that needs no transaction: digest and sealing."""
        image_id = new_image_id(self._database.clock())
        data_key = new_key()
        key_id, wrapped = self._keys.wrap(data_key, image_id)
        sealed = seal(data_key, upload.data, f"picture:{image_id}")
        account = str(upload.account_id).encode()
        return Prepared(upload, digest(self._secret, account, upload.data), image_id, key_id, wrapped, sealed)

    def accept(self, batch: list[Prepared]) -> list[Accepted | Refusal]:
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
                        outcomes[index] = self._store_alone(connection, batch[index], work)
                    except Refusal as refusal:
                        outcomes[index] = refusal
                if work.used:
                    self._announce(connection, sorted(work.used))
        except OSError as error:
            return [Refusal(Code.STORE_FAILED, type(error).__name__)] * len(batch)
        self._discard((work.staged - work.used) | work.expired)
        return [outcomes[index] for index in range(len(batch))]

    def _store_alone(self, connection: sa.Connection, item: Prepared, work: _Batch) -> Accepted:
        """One upload in a savepoint of its own; raises Refusal with nothing of it left."""
        try:
            with connection.begin_nested():
                return self._store(connection, item, work)
        except IntegrityError:  # another host stored the same picture meanwhile: now it is there to be found
            with connection.begin_nested():
                return self._store(connection, item, work)

    def _worth_staging(self, batch: list[Prepared]) -> list[Prepared]:
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
        fresh: dict[bytes, Prepared] = {}
        for item in batch:
            if item.digest not in known and item.upload.account_id in able:
                fresh.setdefault(item.digest, item)
        return list(fresh.values())

    def _store(self, connection: sa.Connection, item: Prepared, work: _Batch) -> Accepted:
        """One upload inside its savepoint; raises Refusal to undo it."""
        now = self._database.clock()
        account_id = item.upload.account_id
        token = random_text(TOKEN_LENGTH)
        image_id = self._extend_known(connection, item, now, work)
        duplicate_of = _first_token(connection, image_id, now) if image_id else None
        if image_id is None:
            image_id = self._insert_image(connection, item, now, work)
        row = {
            "token": token,
            "account_id": account_id,
            "image_id": image_id,
            "code": int(item.upload.code),
            "duplicate_of": duplicate_of,
            "created_at": now,
            "expires_at": now + self._retention,
        }
        connection.execute(_INSERT_UPLOAD, row)
        _charge(connection, account_id, token, now)
        if duplicate_of is None:
            self._check_queue(work.waiting, account_id)
            work.waiting[account_id] = work.waiting.get(account_id, 0) + 1
            work.used.add(image_id)
        return Accepted(token, item.upload.code, duplicate_of)

    def _extend_known(self, connection: sa.Connection, item: Prepared, now: int, work: _Batch) -> str | None:
        """The id of the stored picture with these bytes, kept for as long as its newest upload."""
        same = {"account": item.upload.account_id, "same": item.digest}
        stored = connection.execute(_FIND_IMAGE, same).one_or_none()
        if stored is None:
            return None
        extended = {"image": stored.id, "now": now, "until": now + self._retention}
        if connection.execute(_EXTEND_IMAGE, extended).rowcount:
            return str(stored.id)
        connection.execute(_DELETE_IMAGE, {"image": stored.id})  # past its retention, not swept yet
        work.expired.add(stored.id)
        return None

    def _insert_image(self, connection: sa.Connection, item: Prepared, now: int, work: _Batch) -> str:
        if item.image_id not in work.staged:
            self._blobs.stage([(item.image_id, item.sealed)])
            work.staged.add(item.image_id)
        row = {
            "id": item.image_id,
            "account_id": item.upload.account_id,
            "digest": item.digest,
            "key_id": item.key_id,
            "wrapped_key": item.wrapped_key,
            "size": len(item.upload.data),
            "options": item.upload.options.to_text(),
            "expires_at": now + self._retention,
        }
        connection.execute(_INSERT_IMAGE, row)
        self._blobs.store(connection, [(item.image_id, item.sealed)])
        job = {"image_id": item.image_id, "account_id": item.upload.account_id, "now": now}
        connection.execute(_INSERT_JOB, job)
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
    return {row[0]: row[1] for row in connection.execute(_WAITING)}


def _first_token(connection: sa.Connection, image_id: str, now: int) -> str | None:
    """The oldest upload of a picture that is still known."""
    return connection.scalar(_FIRST_TOKEN, {"image": image_id, "now": now})


def _charge(connection: sa.Connection, account_id: int, token: str, now: int) -> None:
    """Takes one credit for a token; raises Refusal 401 when there is none."""
    connection.execute(_INSERT_CHARGE, {"account_id": account_id, "token": token, "at": now})
    if not connection.execute(_TAKE_CREDIT, {"account": account_id}).rowcount:
        raise Refusal(Code.NO_CREDIT)


# The statements of one upload, built once: building them anew costs more than running them.
_images, _uploads, _jobs, _accounts = schema.images, schema.uploads, schema.jobs, schema.accounts
_bind = sa.bindparam
_INSERT_UPLOAD = _uploads.insert()
_INSERT_IMAGE = _images.insert()
_INSERT_JOB = _jobs.insert().values(
    state="queued", queued_at=_bind("now"), not_before=_bind("now"), faults=0, losses=0
)
_INSERT_CHARGE = schema.ledger.insert().values(delta=-1, reason="upload")
_FIND_IMAGE = sa.select(_images.c.id).where(
    _images.c.account_id == _bind("account"), _images.c.digest == _bind("same")
)
_EXTEND_IMAGE = (
    _images.update()
    .where(_images.c.id == _bind("image"), _images.c.expires_at > _bind("now"))
    .values(expires_at=_bind("until"))
)
_DELETE_IMAGE = _images.delete().where(_images.c.id == _bind("image"))
_FIRST_TOKEN = (
    sa.select(_uploads.c.token)
    .where(_uploads.c.image_id == _bind("image"), _uploads.c.expires_at > _bind("now"))
    .order_by(_uploads.c.created_at, _uploads.c.duplicate_of.is_not(None))
    .limit(1)
)
_TAKE_CREDIT = (
    _accounts.update()
    .where(_accounts.c.id == _bind("account"), _accounts.c.credits > 0)
    .values(credits=_accounts.c.credits - 1)
)
_WAITING = (
    sa.select(_jobs.c.account_id, sa.func.count())
    .where(_jobs.c.state.in_(("queued", "running")))
    .group_by(_jobs.c.account_id)
)
