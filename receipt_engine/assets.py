"""Finds the data folders `regions/` and `models/` in an installed wheel or in a checkout."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from receipt_engine.errors import ModelError

_PACKAGE = Path(__file__).resolve().parent


@cache
def folder(name: str) -> Path:
    """Path of a data folder ("regions" or "models")."""
    for candidate in (_PACKAGE / "_data" / name, _PACKAGE.parent / name):
        if candidate.is_dir():
            return candidate
    raise ModelError(f"The folder {name}/ is missing from this installation; install receipt-engine again.")


def sha256(path: Path) -> str:
    """Hexadecimal SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
