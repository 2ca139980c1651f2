"""Keeps a reserve of disk space: uploads are refused early, so that everything else still works."""

from __future__ import annotations

import shutil
import threading
import time
from pathlib import Path

_LOOK_EVERY = 1.0


class DiskSpace:
    """Free bytes on the disk of `folder`, measured at most once a second. reserve: bytes kept free."""

    def __init__(self, folder: Path, reserve: int) -> None:
        self._folder = folder
        self._reserve = reserve
        self._free = 0
        self._looked = float("-inf")
        self._lock = threading.Lock()

    def free(self) -> int:
        """Returns the free bytes; raises OSError."""
        with self._lock:
            now = time.monotonic()
            if now - self._looked >= _LOOK_EVERY:
                self._free = shutil.disk_usage(self._folder).free
                self._looked = now
            return self._free

    def room(self) -> bool:
        """Returns whether uploads may be stored; False when the free space is unknown."""
        try:
            return self.free() > self._reserve
        except OSError:
            return False
