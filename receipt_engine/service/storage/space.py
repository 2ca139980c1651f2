"""A reserve of disk space: uploads are refused before the disk is full, while everything else still works."""

from __future__ import annotations

import shutil
import threading
import time
from pathlib import Path

_LOOK_EVERY = 1.0


class DiskSpace:
    """Free bytes where `folder` lies, looked at once a second. reserve: bytes that uploads may not touch."""

    def __init__(self, folder: Path, reserve: int) -> None:
        self._folder = folder
        self._reserve = reserve
        self._free = 0
        self._looked = float("-inf")
        self._lock = threading.Lock()

    def free(self) -> int:
        """Bytes that are free; raises OSError."""
        with self._lock:
            now = time.monotonic()
            if now - self._looked >= _LOOK_EVERY:
                self._free = shutil.disk_usage(self._folder).free
                self._looked = now
            return self._free

    def room(self) -> bool:
        """Whether uploads may be stored."""
        try:
            return self.free() > self._reserve
        except OSError:
            return False
