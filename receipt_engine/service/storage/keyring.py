"""Holds the master keys of a running process and follows the key file, so rotation needs no restart.

The file is checked for changes before a data key is wrapped, and read again when something is wrapped with an
unknown key. So once a new key is in the file every process of this host can unwrap with it, and once it is
active none wraps with another one. Keys from the setting `master_keys` never change.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping

from receipt_engine.service.settings import Settings
from receipt_engine.service.storage.vault import VaultError, key_file, load_master_keys

log = logging.getLogger(__name__)


class Keyring:
    """Wraps and unwraps data keys; thread-safe. create: create a missing key file."""

    def __init__(self, settings: Settings, *, create: bool = False) -> None:
        self._settings = settings
        self._file = None if settings.master_keys else key_file(settings)
        self._lock = threading.Lock()
        self._current = load_master_keys(settings, create=create)
        self._seen = self._state()

    @property
    def keys(self) -> Mapping[str, bytes]:
        """All keys by id."""
        return self._current.keys

    @property
    def active(self) -> str:
        """The id of the key that wraps."""
        return self._current.active

    def wrap(self, data_key: bytes, context: str) -> tuple[str, bytes]:
        """Returns (id of the master key, wrapped data key)."""
        if self._state() != self._seen:
            self.reload()
        return self._current.wrap(data_key, context)

    def unwrap(self, key_id: str, wrapped: bytes, context: str) -> bytes:
        """Returns the data key; raises VaultError when the master key is missing or wrong."""
        if key_id not in self._current.keys:
            self.reload()
        return self._current.unwrap(key_id, wrapped, context)

    def reload(self) -> None:
        """Reads the key file again; keeps the present keys when it cannot be read."""
        if self._file is None:
            return
        with self._lock:
            state = self._state()
            try:
                loaded = load_master_keys(self._settings)
            except VaultError as error:
                log.error("the master keys were not read again", extra={"fields": {"reason": str(error)}})
                return
            if loaded != self._current:
                log.info("master keys changed", extra={"fields": {"active": loaded.active}})
            self._current, self._seen = loaded, state

    def _state(self) -> tuple[int, int, int] | None:
        """Returns the file's inode, size and modification time, to detect changes; None without a file."""
        if self._file is None:
            return None
        try:
            found = self._file.stat()
        except OSError:
            return None
        return found.st_ino, found.st_size, found.st_mtime_ns

    def __repr__(self) -> str:
        return f"Keyring({self._current!r})"
