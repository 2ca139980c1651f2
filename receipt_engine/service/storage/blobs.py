"""Stores encrypted images: as files in the data directory, as database rows, or as objects in a bucket.

Files suit one machine. Rows let several hosts share images without further setup and are part of the
database's own backup. A bucket (`object_blobs`) keeps a large database small. In every case the bytes are
durable no later than the row that names them.
"""

from __future__ import annotations

import contextlib
import functools
import os
import secrets
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Protocol

import sqlalchemy as sa

from receipt_engine.service.settings import Settings
from receipt_engine.service.storage import schema

#: Leading hexadecimal digits of an image id that encode the day.
DAY_DIGITS = 4


class BlobMissing(Exception):
    """An image has a row, but its bytes are not in the store."""


class BlobStoreUnavailable(OSError):
    """The image store cannot be reached or refuses the request; nothing is wrong with the image."""


class Blobs(Protocol):
    """A store of encrypted images by image id."""

    def stage(self, pictures: Iterable[tuple[str, bytes]]) -> None:
        """Makes images durable before the transaction begins, where the store can; raises OSError."""
        ...

    def store(self, connection: sa.Connection, pictures: Iterable[tuple[str, bytes]]) -> None:
        """Writes images that become durable when `connection` commits."""
        ...

    def get(self, connection: sa.Connection, image_id: str) -> bytes:
        """Returns the encrypted bytes; raises BlobMissing."""
        ...

    def delete(self, connection: sa.Connection, image_ids: Iterable[str]) -> None:
        """Deletes images; unknown ids are ignored."""
        ...

    def holds(self, connection: sa.Connection, image_id: str) -> bool:
        """Returns whether an image's bytes are stored."""
        ...

    def orphans(self, connection: sa.Connection, before: float) -> list[str]:
        """Returns ids of stored images without a row. before: only older ones, in seconds since the epoch."""
        ...


class FileBlobs:
    """Stores one file per image and one folder per day. Files are written and synced before the row exists.

    The folder's name is the beginning of the image id (see `new_image_id`), so images that arrive together
    share one folder and one sync of it. The files are synced in parallel, which a journaling file system
    combines into few writes.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._syncers = ThreadPoolExecutor(8, thread_name_prefix="sync")

    def path(self, image_id: str) -> Path:
        """Returns the path of an image's file."""
        return self.folder / image_id[:DAY_DIGITS] / image_id

    def stage(self, pictures: Iterable[tuple[str, bytes]]) -> None:
        files = [(self.path(image_id), sealed) for image_id, sealed in pictures]
        folders = {path.parent for path, _ in files}
        for folder in folders:
            if not folder.is_dir():
                folder.mkdir(mode=0o700, exist_ok=True)
                sync_folder(self.folder)
        try:
            self._write(files, folders)
        except OSError:
            for path, _ in files:
                path.unlink(missing_ok=True)
            raise

    def _write(self, files: list[tuple[Path, bytes]], folders: set[Path]) -> None:
        """Writes all files, then syncs files and folders in parallel, so the disk can combine the writes."""
        with contextlib.ExitStack() as opened:
            syncs = [functools.partial(sync_folder, folder) for folder in folders]
            for path, sealed in files:
                descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                file = opened.enter_context(os.fdopen(descriptor, "wb"))
                file.write(sealed)
                file.flush()
                syncs.append(functools.partial(os.fsync, descriptor))
            others = [self._syncers.submit(sync) for sync in syncs[:-1]]
            try:
                for sync in syncs[-1:]:
                    sync()
            finally:  # wait, so that no descriptor is closed while it is being synced
                errors = [done.exception() for done in others]
            for error in filter(None, errors):
                raise error

    def store(self, connection: sa.Connection, pictures: Iterable[tuple[str, bytes]]) -> None:
        """Does nothing: `stage` has written the files."""

    def get(self, connection: sa.Connection, image_id: str) -> bytes:
        try:
            return self.path(image_id).read_bytes()
        except FileNotFoundError as error:
            raise BlobMissing(image_id) from error

    def delete(self, connection: sa.Connection, image_ids: Iterable[str]) -> None:
        for image_id in image_ids:
            self.path(image_id).unlink(missing_ok=True)

    def holds(self, connection: sa.Connection, image_id: str) -> bool:
        return self.path(image_id).exists()

    def orphans(self, connection: sa.Connection, before: float) -> list[str]:
        found = []
        for folder in self.folder.iterdir():
            there = {path.name for path in folder.iterdir()} if folder.is_dir() else set()
            found += [
                name for name in there - rows_of_day(connection, folder.name) if self._old(name, before)
            ]
        return found

    def _old(self, image_id: str, before: float) -> bool:
        try:
            return self.path(image_id).stat().st_mtime < before
        except FileNotFoundError:  # deleted meanwhile
            return False


class DatabaseBlobs:
    """Stores one database row per image, written in the accepting transaction."""

    def stage(self, pictures: Iterable[tuple[str, bytes]]) -> None:
        """Does nothing: the rows are written in the transaction."""

    def store(self, connection: sa.Connection, pictures: Iterable[tuple[str, bytes]]) -> None:
        rows = [{"image_id": image_id, "sealed": sealed} for image_id, sealed in pictures]
        if rows:
            connection.execute(schema.blobs.insert(), rows)

    def get(self, connection: sa.Connection, image_id: str) -> bytes:
        query = sa.select(schema.blobs.c.sealed).where(schema.blobs.c.image_id == image_id)
        sealed = connection.scalar(query)
        if sealed is None:
            raise BlobMissing(image_id)
        return bytes(sealed)

    def delete(self, connection: sa.Connection, image_ids: Iterable[str]) -> None:
        connection.execute(schema.blobs.delete().where(schema.blobs.c.image_id.in_(list(image_ids))))

    def holds(self, connection: sa.Connection, image_id: str) -> bool:
        query = sa.select(sa.func.count()).where(schema.blobs.c.image_id == image_id)
        return bool(connection.scalar(query))

    def orphans(self, connection: sa.Connection, before: float) -> list[str]:
        query = sa.select(schema.blobs.c.image_id).where(
            ~sa.exists().where(schema.images.c.id == schema.blobs.c.image_id)
        )
        return list(connection.scalars(query))


def sync_folder(folder: Path) -> None:
    """Syncs a folder, which makes the names of its files durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def new_image_id(now: int) -> str:
    """Returns 32 hexadecimal characters: the day of `now` (milliseconds), then random ones."""
    return f"{now // 86_400_000:0{DAY_DIGITS}x}" + secrets.token_hex((32 - DAY_DIGITS) // 2)


def rows_of_day(connection: sa.Connection, day: str) -> set[str]:
    """Returns the ids of a day's images that have a row, with one index lookup instead of one per image."""
    ids = schema.images.c.id
    return set(connection.scalars(sa.select(ids).where(ids >= day, ids < day + "g")))  # "f" is the last digit


def open_blobs(settings: Settings) -> Blobs:
    """Opens the image store that the settings select."""
    if settings.blobs == "s3":
        from receipt_engine.service.storage.object_blobs import open_object_blobs

        return open_object_blobs(settings)
    return FileBlobs(settings.data / "pictures") if settings.blobs_in_files else DatabaseBlobs()
