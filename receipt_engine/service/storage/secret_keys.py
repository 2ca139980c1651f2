"""Stores secrets that survive a rotation of the master keys: wrapped, in `facts`, created on first use.

`api-key` keys the digests of API keys, `picture` the digests that find duplicates, `login` signs the login
form, and the webhooks' signing secrets are derived from `webhook`. A rotation rewraps them and every image's
data key, so nothing that was issued changes.
"""

from __future__ import annotations

import hashlib
import hmac
import time
from collections.abc import Callable
from dataclasses import dataclass

import sqlalchemy as sa

from receipt_engine.service.storage.database import Database
from receipt_engine.service.storage.keyring import Keyring
from receipt_engine.service.storage.schema import facts, images
from receipt_engine.service.storage.vault import MasterKeys, VaultError, new_key

_NAMES = ("api-key", "picture", "login", "webhook")
_BATCH = 500
#: Pause in seconds between batches, because the service writes to the same database.
_BREATH = 0.01


@dataclass(frozen=True)
class Secrets:
    """The installation's secrets, unwrapped."""

    api_key: bytes
    picture: bytes
    login: bytes
    webhook: bytes


def digest(key: bytes, *parts: bytes) -> bytes:
    """Returns HMAC-SHA256 over the parts, joined by a zero byte."""
    made = hmac.new(key, digestmod=hashlib.sha256)
    for index, part in enumerate(parts):
        made.update(b"\0" if index else b"")
        made.update(part)  # not joined first, which would copy the image
    return made.digest()


def load_secrets(database: Database, keys: Keyring) -> Secrets:
    """Reads the secrets, creating missing ones; raises VaultError when a master key is missing or wrong."""
    with database.read() as connection:
        found = _read(connection)
    if len(found) < len(_NAMES):
        with database.write() as connection:
            if not database.embedded:
                connection.execute(sa.text("SELECT pg_advisory_xact_lock(7303014)"))
            found = _read(connection)
            for name in _NAMES:
                if name not in found:
                    key_id, wrapped = keys.wrap(new_key(), name)
                    connection.execute(facts.insert().values(name=name, key_id=key_id, value=wrapped))
            found = _read(connection)
    plain = {name: keys.unwrap(key_id, wrapped, name) for name, (key_id, wrapped) in found.items()}
    return Secrets(plain["api-key"], plain["picture"], plain["login"], plain["webhook"])


def _read(connection: sa.Connection) -> dict[str, tuple[str, bytes]]:
    rows = connection.execute(sa.select(facts.c.name, facts.c.key_id, facts.c.value))
    return {row.name: (row.key_id, bytes(row.value)) for row in rows if row.name in _NAMES}


def rewrap(database: Database, keys: MasterKeys, progress: Callable[[int], None] = lambda _: None) -> int:
    """Wraps every data key and secret with the active master key; returns the number of changed ones.

    Each batch is one transaction that leaves every row readable, so this may be stopped and repeated at any
    point while the service runs. progress: called with the count so far.
    """
    changed = 0
    with database.write() as connection:
        for name, (key_id, wrapped) in _read(connection).items():
            if key_id != keys.active:
                new_id, new = keys.wrap(keys.unwrap(key_id, wrapped, name), name)
                connection.execute(
                    facts.update().where(facts.c.name == name).values(key_id=new_id, value=new)
                )
                changed += 1
    while batch := _rewrap_images(database, keys):
        changed += batch
        progress(changed)
        time.sleep(_BREATH)
    return changed


def _rewrap_images(database: Database, keys: MasterKeys) -> int:
    query = (
        sa.select(images.c.id, images.c.key_id, images.c.wrapped_key)
        .where(images.c.key_id != keys.active)
        .limit(_BATCH)
    )
    with database.write() as connection:
        rows = connection.execute(query).all()
        for row in rows:
            key_id, wrapped = keys.wrap(keys.unwrap(row.key_id, bytes(row.wrapped_key), row.id), row.id)
            update = images.update().where(images.c.id == row.id, images.c.key_id == row.key_id)
            connection.execute(update.values(key_id=key_id, wrapped_key=wrapped))
    return len(rows)


def keys_in_use(database: Database) -> set[str]:
    """Returns the ids of master keys that still wrap something."""
    with database.read() as connection:
        used = set(connection.scalars(sa.select(images.c.key_id).distinct()))
        used |= set(connection.scalars(sa.select(facts.c.key_id).where(facts.c.key_id.is_not(None))))
    return {key_id for key_id in used if key_id}


def check_keys(database: Database, keys: MasterKeys | Keyring) -> None:
    """Raises VaultError when a master key that is still in use is not loaded."""
    missing = sorted(keys_in_use(database) - set(keys.keys))
    if missing:
        raise VaultError(f"Master keys still in use are not loaded: {', '.join(missing)}.")
