"""What `receipt-engine keys …` does: rotation of the master keys while the service runs.

The running server keeps the keys it loaded: after `rotate`, new pictures are still wrapped by the old key
until the server is restarted. `drop-old` refuses while anything is wrapped by an old key, or while the
embedded service runs; with PostgreSQL stop every host's service before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from receipt_engine.service.settings import Settings, sole_server
from receipt_engine.service.storage.database import Database
from receipt_engine.service.storage.secret_keys import check_keys, keys_in_use, rewrap
from receipt_engine.service.storage.vault import VaultError, key_file, load_master_keys, save_master_keys


def rotate(settings: Settings) -> int:
    """A new active key in the key file, then everything re-wrapped."""
    if settings.master_keys:
        raise VaultError(
            "The master keys come from the setting master_keys: append a new id:base64 entry there, "
            "restart the service, then run: receipt-engine keys rewrap"
        )
    with _opened(settings) as database:
        keys = load_master_keys(settings, create=settings.embedded).with_new()
        save_master_keys(key_file(settings), keys)  # on the disk before anything depends on it
        changed = rewrap(database, keys)
    print(f"The active master key is {keys.active}; {changed} data keys were wrapped with it.")
    print("Restart the service, run keys rewrap, then stop it, run keys drop-old and start it.")
    return 0


def rewrap_all(settings: Settings) -> int:
    """Everything wrapped with the active key."""
    with _opened(settings) as database:
        changed = rewrap(database, load_master_keys(settings))
    print(f"{changed} data keys were wrapped again.")
    return 0


def list_keys(settings: Settings) -> int:
    """Ids only."""
    with _opened(settings) as database:
        used = keys_in_use(database)
    keys = load_master_keys(settings)
    for key_id in keys.keys:
        print(f"{key_id}{' active' if key_id == keys.active else ''}{' in use' if key_id in used else ''}")
    return 0


def drop_old(settings: Settings) -> int:
    """Leaves the active key alone in the file, once nothing needs the others."""
    if settings.master_keys:
        raise VaultError("The master keys come from the setting master_keys: remove old entries there.")
    # A server that still wraps with an old key would lose pictures: none may run.
    with sole_server(settings), _opened(settings) as database:
        keys = load_master_keys(settings).only_active()
        check_keys(database, keys)
        save_master_keys(key_file(settings), keys)
    print(f"The key file holds {keys.active} only.")
    return 0


@contextmanager
def _opened(settings: Settings) -> Iterator[Database]:
    database = Database(settings, pool=2)
    try:
        database.create()
        yield database
    finally:
        database.dispose()
