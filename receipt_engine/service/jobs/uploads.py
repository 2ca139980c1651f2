"""Accepts uploads: encrypts the images and makes them durable, then writes their rows in one transaction.

Uploads that arrive together are stored together (see `acceptor`): one transaction, one log sync.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import sqlalchemy as sa

from receipt_engine.service.codes import Code, Refusal
from receipt_engine.service.jobs.backlog import Backlog, QueueLimits
from receipt_engine.service.jobs.booking import (
    Accepted,
    Booking,
    Prepared,
    Upload,
    worth_staging,
)
from receipt_engine.service.storage.blobs import Blobs, new_image_id
from receipt_engine.service.storage.database import Database
from receipt_engine.service.storage.keyring import Keyring
from receipt_engine.service.storage.secret_keys import digest
from receipt_engine.service.storage.vault import new_key, seal

DAY = 86_400_000


class Uploads:
    """Stores uploads. `prepare` may be called from any thread, `accept` from one at a time.

    picture_secret: keys the digests that find duplicates; announce: called in the transaction with the ids of
    new jobs; room: whether there is disk space for uploads.
    """

    def __init__(
        self,
        database: Database,
        blobs: Blobs,
        keys: Keyring,
        picture_secret: bytes,
        *,
        retention_days: float,
        limits: QueueLimits,
        webhooks: bool = False,
        announce: Callable[[sa.Connection, list[str]], None] = lambda _connection, _ids: None,
        room: Callable[[], bool] = lambda: True,
    ) -> None:
        self._database = database
        self._blobs = blobs
        self._keys = keys
        self._secret = picture_secret
        self._room = room
        retention = int(retention_days * DAY)
        self._booking = Booking(blobs, Backlog(limits), retention, announce, webhooks=webhooks)

    def prepare(self, upload: Upload) -> Prepared:
        """Computes the digest and encrypts the image: the costly part that needs no transaction."""
        image_id = new_image_id(self._database.clock())
        data_key = new_key()
        key_id, wrapped = self._keys.wrap(data_key, image_id)
        sealed = seal(data_key, upload.data, f"picture:{image_id}")
        account = str(upload.account_id).encode()
        return Prepared(upload, digest(self._secret, account, upload.data), image_id, key_id, wrapped, sealed)

    def accept(self, batch: list[Prepared]) -> list[Accepted | Refusal]:
        """Stores a batch in one transaction; returns one outcome per upload, in order.

        Raises DatabaseDown or DatabaseQueryFailed; nothing was stored then. When images cannot be written,
        every outcome is a Refusal with code 408 and nothing is charged.
        """
        if not self._room():
            return [Refusal(Code.STORE_FAILED, "too little disk space is left", retry_after=60)] * len(batch)
        with self._database.read() as connection:
            staged = worth_staging(connection, batch, self._database.clock())
        try:
            self._blobs.stage([(item.image_id, item.sealed) for item in staged])
            with self._database.write() as connection:
                booked = self._booking.book(connection, batch, staged, self._database.clock())
        except OSError as error:
            return [Refusal(Code.STORE_FAILED, type(error).__name__)] * len(batch)
        unused = {item.image_id for item in staged} - {item.image_id for item in booked.new}
        self._discard(unused.union(booked.expired))
        return booked.outcomes

    def _discard(self, image_ids: set[str]) -> None:
        """Removes bytes that no row refers to; the sweeper removes what fails here."""
        if image_ids:
            with suppress(OSError), self._database.write() as connection:
                self._blobs.delete(connection, image_ids)
