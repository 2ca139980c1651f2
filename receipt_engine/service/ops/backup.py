"""Backs up and restores the embedded store. Everything stays encrypted; master keys are not included.

The database is copied first and the images after it, so every image that a copied row names is in the
backup. With PostgreSQL use its own tools (see the operations notes).
"""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import sqlalchemy as sa

from receipt_engine.service.assembly import open_parts
from receipt_engine.service.settings import Settings
from receipt_engine.service.storage.blobs import FileBlobs
from receipt_engine.service.storage.retention import sweep
from receipt_engine.service.storage.schema import images

DATABASE = "service.db"
PICTURES = "pictures"


class BackupError(Exception):
    """A backup that cannot be made or used; the message says why."""


def backup(settings: Settings, folder: str) -> str:
    """Writes database and images into a new folder; returns a line that says what was copied."""
    _only_embedded(settings)
    target = Path(folder)
    if target.exists() and any(target.iterdir()):
        raise BackupError(f"{target} is not empty; name a new folder.")
    target.mkdir(parents=True, exist_ok=True, mode=0o700)
    parts = open_parts(settings, pool=2)
    try:
        _copy_database(_database_file(settings), target / DATABASE)
        copied = 0
        if isinstance(parts.blobs, FileBlobs):
            copy = FileBlobs(target / PICTURES)
            for image_id in _image_ids(target / DATABASE):
                source = parts.blobs.path(image_id)
                if source.exists():  # else swept meanwhile: its token has expired in the copy as well
                    copy.stage([(image_id, source.read_bytes())])
                    copied += 1
    finally:
        parts.close()
    return f"Copied the database and {copied} pictures to {target}. The master keys are not included."


def restore(settings: Settings, folder: str) -> str:
    """Restores a backup into an empty data directory and deletes what is past its retention.

    Returns a line that says what was done.
    """
    _only_embedded(settings)
    source, target = Path(folder), _database_file(settings)
    if not (source / DATABASE).is_file():
        raise BackupError(f"{source} is not a backup: {DATABASE} is missing.")
    if target.exists():
        raise BackupError(f"{target} already exists; restore into an empty data directory.")
    settings.data.mkdir(parents=True, exist_ok=True, mode=0o700)
    shutil.copyfile(source / DATABASE, target)
    target.chmod(0o600)
    if (source / PICTURES).is_dir():
        shutil.copytree(source / PICTURES, settings.data / PICTURES, dirs_exist_ok=True)
    parts = open_parts(settings, pool=2)
    try:
        swept = sweep(parts.database, parts.blobs, audit_ms=settings.audit_ms)
    finally:
        parts.close()
    return f"Restored from {source}; {swept.tokens} uploads were past their retention and were deleted."


def _only_embedded(settings: Settings) -> None:
    if not settings.embedded:
        raise BackupError("With PostgreSQL use pg_dump and pg_restore; the pictures are in the database.")


def _database_file(settings: Settings) -> Path:
    return Path(sa.make_url(settings.url).database or "")


def _copy_database(source: Path, target: Path) -> None:
    """Copies with SQLite's online backup, which is consistent even while the service writes."""
    target.touch(mode=0o600)
    origin, copy = sqlite3.connect(source), sqlite3.connect(target)
    try:
        origin.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")
    finally:
        copy.close()
        origin.close()


def _image_ids(database: Path) -> list[str]:
    connection = sqlite3.connect(database)
    try:
        return [row[0] for row in connection.execute(f"SELECT id FROM {images.name}")]
    finally:
        connection.close()
