"""Writes a batch of uploads in one transaction: tokens, images, jobs and charges.

The number of statements does not grow with the batch, except for one per charged account and one per
announced job. The accounts' rows are locked first, so decisions based on the data read here stay valid until
the commit; credits are deducted last.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa

from receipt_engine.service.accounts.store import random_text
from receipt_engine.service.codes import Code, Refusal
from receipt_engine.service.jobs.backlog import Backlog
from receipt_engine.service.jobs.options import Options
from receipt_engine.service.jobs.turns import Turns
from receipt_engine.service.storage import schema
from receipt_engine.service.storage.blobs import Blobs
from receipt_engine.service.storage.database import DatabaseQueryFailed
from receipt_engine.service.webhooks import outbox

TOKEN_LENGTH = 16


@dataclass(frozen=True)
class Upload:
    """A validated image that is not stored yet."""

    account_id: int
    data: bytes
    options: Options
    code: Code  # ACCEPTED or ACCEPTED_SMALL


@dataclass(frozen=True)
class Accepted:
    """Values for the answer to an upload. duplicate_of: token of the first upload of the same image."""

    token: str
    code: Code
    duplicate_of: str | None


@dataclass(frozen=True)
class Prepared:
    """An encrypted image with its wrapped data key."""

    upload: Upload
    digest: bytes  # depends on the account too, so no two accounts share one
    image_id: str
    key_id: str
    wrapped_key: bytes
    sealed: bytes


@dataclass
class Booked:
    """Outcome of a transaction: one result per upload, and the changes to images and credits."""

    outcomes: list[Accepted | Refusal] = field(default_factory=list)
    new: list[Prepared] = field(default_factory=list)
    expired: list[str] = field(default_factory=list)  # ids of stored images past their retention
    extended: dict[str, int] = field(default_factory=dict)  # image id: new expiry time
    uploads: list[dict[str, Any]] = field(default_factory=list)  # rows for the table of uploads
    turns: dict[str, int] = field(default_factory=dict)  # image id: its job's turn
    spent: Counter[int] = field(default_factory=Counter)  # account id: credits


@dataclass(frozen=True)
class _Stored:
    """An image that is stored already. token: its oldest upload that has not expired."""

    image_id: str
    token: str
    until: int  # its expiry time


class Booking:
    """Decides the outcome of each upload and writes batches.

    retention: milliseconds; announce: called inside the transaction with the ids of new jobs; webhooks:
    whether deliveries are written for accounts that have webhooks.
    """

    def __init__(
        self,
        blobs: Blobs,
        backlog: Backlog,
        retention: int,
        announce: Callable[[sa.Connection, list[str]], None],
        *,
        webhooks: bool = False,
    ) -> None:
        self._blobs = blobs
        self._backlog = backlog
        self._retention = retention
        self._announce = announce
        self._webhooks = webhooks

    def book(
        self, connection: sa.Connection, batch: list[Prepared], staged: list[Prepared], now: int
    ) -> Booked:
        """Stores a batch. staged: the images whose bytes were made durable before the transaction."""
        self._blobs.store(connection, [(item.image_id, item.sealed) for item in staged])
        booked = Booked()
        credits = _lock_payers(connection, {item.upload.account_id for item in batch})
        pictures = self._stored(connection, batch, booked, now)
        turns: Turns | None = None  # queried only when a new image is accepted
        for item in batch:
            account_id = item.upload.account_id
            picture = pictures.get(item.digest)
            if credits.get(account_id, 0) - booked.spent[account_id] < 1:
                booked.outcomes.append(Refusal(Code.NO_CREDIT))
            elif picture is None and not self._backlog.room(connection, account_id, now):
                refusal = Refusal(Code.SERVER_ERROR, "too many pictures are waiting", retry_after=10)
                booked.outcomes.append(refusal)
            else:
                token = random_text(TOKEN_LENGTH)
                if picture is None:
                    turns = turns or Turns(connection, _accounts_of(batch))
                    booked.turns[item.image_id] = turns.take(account_id, self._backlog.in_flight(account_id))
                    pictures[item.digest] = _Stored(item.image_id, token, now + self._retention)
                    self._backlog.add(account_id)
                self._accept(booked, item, token, picture, now)
        self._write(connection, booked, {item.image_id for item in staged}, now)
        return booked

    def _stored(
        self, connection: sa.Connection, batch: list[Prepared], booked: Booked, now: int
    ) -> dict[bytes, _Stored]:
        """Returns the batch's images that are stored already, by digest.

        Adds the ids of those past their retention to `booked.expired`.
        """
        found: dict[bytes, _Stored] = {}
        for row in connection.execute(_STORED, {**_sought(batch), "now": now}):
            if row.token is not None and row.expires_at > now:
                found[bytes(row.digest)] = _Stored(row.id, row.token, row.expires_at)
            else:  # expired, but not swept yet
                booked.expired.append(row.id)
        return found

    def _accept(self, booked: Booked, item: Prepared, token: str, known: _Stored | None, now: int) -> None:
        until = now + self._retention
        first = known.token if known else None
        if known is None:
            booked.new.append(item)
        elif known.until < until:  # an image is kept as long as its newest upload
            booked.extended[known.image_id] = until
        row = {
            "token": token,
            "account_id": item.upload.account_id,
            "image_id": known.image_id if known else item.image_id,
            "code": int(item.upload.code),
            "duplicate_of": first,
            "created_at": now,
            "expires_at": until,
        }
        booked.uploads.append(row)
        booked.spent[item.upload.account_id] += 1
        booked.outcomes.append(Accepted(token, item.upload.code, first))

    def _write(self, connection: sa.Connection, booked: Booked, staged: set[str], now: int) -> None:
        late = [(item.image_id, item.sealed) for item in booked.new if item.image_id not in staged]
        if late:  # since `worth_staging`, an image expired or its account got credit
            self._blobs.stage(late)
            self._blobs.store(connection, late)
        until = now + self._retention
        kept = [{"image": name, "until": end} for name, end in booked.extended.items()]
        _each(connection, _DELETE_IMAGE, [{"image": name} for name in booked.expired])
        _each(connection, _EXTEND_IMAGE, kept)
        _each(connection, _INSERT_IMAGE, [_image_row(item, until) for item in booked.new])
        _each(
            connection, _INSERT_JOB, [_job_row(item, booked.turns[item.image_id], now) for item in booked.new]
        )
        _each(connection, _INSERT_UPLOAD, booked.uploads)
        if self._webhooks and booked.uploads:
            outbox.expect(connection, booked.uploads, now)
        _each(connection, _INSERT_CHARGE, [_charge_row(upload) for upload in booked.uploads])
        if booked.new:
            self._announce(connection, sorted(item.image_id for item in booked.new))
        for account_id, credits in sorted(booked.spent.items()):
            if connection.execute(_TAKE_CREDITS, {"account": account_id, "spent": credits}).rowcount != 1:
                raise DatabaseQueryFailed("credits changed although their row was locked")


def worth_staging(connection: sa.Connection, batch: list[Prepared], now: int) -> list[Prepared]:
    """Returns the images that will most likely be stored: not stored yet, and the account has credit."""
    rows = connection.execute(_LOOK, {**_sought(batch), "now": now}).all()
    known = {bytes(row.digest) for row in rows if row.digest is not None}
    payers = {row.id for row in rows if row.credits > 0}
    fresh: dict[bytes, Prepared] = {}
    for item in batch:
        if item.digest not in known and item.upload.account_id in payers:
            fresh.setdefault(item.digest, item)
    return list(fresh.values())


def _accounts_of(batch: Iterable[Prepared]) -> list[int]:
    return sorted({item.upload.account_id for item in batch})


def _sought(batch: list[Prepared]) -> dict[str, Any]:
    """Query parameters: digests, and also accounts, because the index begins with the account."""
    return {"accounts": _accounts_of(batch), "digests": sorted({item.digest for item in batch})}


def _lock_payers(connection: sa.Connection, account_ids: set[int]) -> dict[int, int]:
    """Locks the accounts' rows and returns their credits by id.

    The locking order is the same everywhere, so two batches cannot deadlock.
    """
    rows = connection.execute(_CREDITS, {"accounts": sorted(account_ids)})
    return {row.id: row.credits for row in rows}


def _each(connection: sa.Connection, statement: sa.Executable, rows: list[dict[str, Any]]) -> None:
    if rows:
        connection.execute(statement, rows)


def _image_row(item: Prepared, until: int) -> dict[str, Any]:
    return {
        "id": item.image_id,
        "account_id": item.upload.account_id,
        "digest": item.digest,
        "key_id": item.key_id,
        "wrapped_key": item.wrapped_key,
        "size": len(item.upload.data),
        "options": item.upload.options.to_text(),
        "expires_at": until,
    }


def _job_row(item: Prepared, turn: int, now: int) -> dict[str, Any]:
    return {"image_id": item.image_id, "account_id": item.upload.account_id, "now": now, "turn": turn}


def _charge_row(upload: dict[str, Any]) -> dict[str, Any]:
    return {"account_id": upload["account_id"], "token": upload["token"], "at": upload["created_at"]}


# The statements of a batch, built once because building them costs more than running them.
_images, _uploads, _jobs, _accounts = schema.images, schema.uploads, schema.jobs, schema.accounts
_bind = sa.bindparam
_ACCOUNTS: sa.BindParameter[int] = _bind("accounts", expanding=True)
_HERE = (_images.c.account_id.in_(_ACCOUNTS), _images.c.digest.in_(_bind("digests", expanding=True)))
_CREDITS = (
    sa.select(_accounts.c.id, _accounts.c.credits)
    .where(_accounts.c.id.in_(_ACCOUNTS))
    .order_by(_accounts.c.id)
    .with_for_update(key_share=True)
)
_LOOK = (
    sa.select(_accounts.c.id, _accounts.c.credits, _images.c.digest)
    .outerjoin_from(
        _accounts,
        _images,
        sa.and_(_images.c.account_id == _accounts.c.id, *_HERE, _images.c.expires_at > _bind("now")),
    )
    .where(_accounts.c.id.in_(_ACCOUNTS))
)
_FIRST_TOKEN = (
    sa.select(_uploads.c.token)
    .where(_uploads.c.image_id == _images.c.id, _uploads.c.expires_at > _bind("now"))
    .order_by(_uploads.c.created_at, _uploads.c.duplicate_of.is_not(None))
    .limit(1)
    .scalar_subquery()
)
_STORED = (
    sa.select(_images.c.id, _images.c.digest, _images.c.expires_at, _FIRST_TOKEN.label("token"))
    .where(*_HERE)
    .with_for_update(of=_images)
)
_INSERT_UPLOAD = _uploads.insert().inline()
_INSERT_IMAGE = _images.insert().inline()
_INSERT_JOB = (
    _jobs.insert()
    .values(state="queued", queued_at=_bind("now"), not_before=_bind("now"), faults=0, losses=0)
    .inline()
)
_INSERT_CHARGE = schema.ledger.insert().values(delta=-1, reason="upload").inline()
_EXTEND_IMAGE = _images.update().where(_images.c.id == _bind("image")).values(expires_at=_bind("until"))
_DELETE_IMAGE = _images.delete().where(_images.c.id == _bind("image"))
_TAKE_CREDITS = (
    _accounts.update()
    .where(_accounts.c.id == _bind("account"), _accounts.c.credits >= _bind("spent"))
    .values(credits=_accounts.c.credits - _bind("spent"))
)
