"""Runs `receipt-engine keys …`: adds new master keys and removes old ones while the service runs.

    rotate      add a key that is active at once: for one host, whose processes follow the file
    add         add a key that is not active yet: with several hosts, copy the file to each, then
    activate    wrap with it from now on, on each host
    rewrap      wrap everything with the active key; may be stopped and repeated
    drop-old    remove the keys that nothing is wrapped with

Every process can unwrap every row at any time: a key is in the file before anything is wrapped with it, and
is removed only when nothing has been wrapped with it for a while.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from receipt_engine.service.settings import Settings
from receipt_engine.service.storage.database import Database
from receipt_engine.service.storage.secret_keys import check_keys, keys_in_use, rewrap
from receipt_engine.service.storage.vault import (
    MasterKeys,
    VaultError,
    key_file,
    load_master_keys,
    save_master_keys,
)

#: Seconds during which an upload wrapped with the old key may still be on its way into the database.
_SETTLED = 120


def rotate(settings: Settings) -> int:
    """Adds a new active key to the file. With PostgreSQL only adds it, because other hosts do not see it."""
    _only_from_file(settings)
    if not settings.embedded:
        print("With PostgreSQL every host must have a new key before any host uses it, so it is only added.")
        return add(settings)
    keys = load_master_keys(settings, create=True).with_new()
    _save(settings, keys)
    print(f"The active master key is {keys.active}. Running processes pick it up; no restart is needed.")
    print("Next: receipt-engine keys rewrap, and a few minutes later: receipt-engine keys drop-old")
    return 0


def add(settings: Settings) -> int:
    """Adds a new key to the file that is not active yet."""
    _only_from_file(settings)
    before = load_master_keys(settings, create=settings.embedded)
    keys = before.with_added()
    _save(settings, keys)
    (new,) = keys.keys.keys() - before.keys.keys()
    print(
        f"The key file {key_file(settings)} contains the new master key {new}; {keys.active} is still active."
    )
    print(f"Next: copy the file to every host, then on each: receipt-engine keys activate {new}")
    return 0


def activate(settings: Settings, key_id: str) -> int:
    """Makes another key of the file the one that wraps from now on."""
    _only_from_file(settings)
    keys = load_master_keys(settings).with_active(key_id)
    _save(settings, keys)
    print(f"The active master key is {key_id}. Once it is on every host: receipt-engine keys rewrap")
    return 0


def rewrap_all(settings: Settings) -> int:
    """Wraps everything with the active key."""
    with _opened(settings) as database:
        changed = rewrap(
            database,
            load_master_keys(settings),
            lambda count: print(f"{count} data keys rewrapped so far", flush=True),
        )
    print(f"{changed} data keys were rewrapped.")
    return 0


def list_keys(settings: Settings) -> int:
    """Prints the ids of the loaded keys, and which are active and in use."""
    with _opened(settings) as database:
        used = keys_in_use(database)
    keys = load_master_keys(settings)
    for key_id in keys.keys:
        print(f"{key_id}{' active' if key_id == keys.active else ''}{' in use' if key_id in used else ''}")
    return 0


def drop_old(settings: Settings) -> int:
    """Removes all keys but the active one from the file; raises VaultError while others are still needed."""
    if settings.master_keys:
        raise VaultError("The master keys come from the setting master_keys: remove old entries there.")
    path = key_file(settings)
    settled = path.stat().st_mtime + _SETTLED - time.time() if path.exists() else 0.0
    if settled > 0:
        raise VaultError(
            f"The keys changed a moment ago, and an upload in progress may still use an old one. "
            f"Try again in {settled:.0f} seconds."
        )
    with _opened(settings) as database:
        keys = load_master_keys(settings).only_active()
        check_keys(database, keys)
        _save(settings, keys)
    print(f"The key file now contains only {keys.active}.")
    return 0


def _only_from_file(settings: Settings) -> None:
    if settings.master_keys:
        raise VaultError(
            "The master keys come from the setting master_keys, which running processes do not read again: "
            "put a new id:base64 entry before the last one there and restart every process, then move it to "
            "the end and restart again, then run: receipt-engine keys rewrap"
        )


def _save(settings: Settings, keys: MasterKeys) -> None:
    path: Path = key_file(settings)
    try:
        save_master_keys(path, keys)
    except OSError as error:
        raise VaultError(
            f"{path} cannot be written ({error.strerror}). Change the keys at the source of this file: the "
            "last entry is the active one, and a new key must be on every host before it is the last."
        ) from error


@contextmanager
def _opened(settings: Settings) -> Iterator[Database]:
    database = Database(settings, pool=2)
    try:
        database.create()
        yield database
    finally:
        database.dispose()
