"""Where sealed pictures lie: files in the data directory, rows of the database, or objects of a bucket.

Files suit one machine; rows let several hosts share pictures by configuration alone and are part of the
database's own backup; a bucket (`object_blobs`) keeps a large database small. In any case the bytes are
durable before the row that names them is committed.
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

DAY_DIGITS = 4


class BlobMissing(Exception):
    """A picture's bytes are not where its row says."""


class BlobsAway(OSError):
    """Where pictures are kept cannot be reached or refuses; nothing is wrong with the picture."""


class Blobs(Protocol):
    """A store of sealed pictures by image id."""

    def stage(self, pictures: Iterable[tuple[str, bytes]]) -> None:
        """What can be made durable before the transaction begins; raises OSError."""
        ...

    def store(self, connection: sa.Connection, pictures: Iterable[tuple[str, bytes]]) -> None:
        """What becomes durable when `connection` commits."""
        ...

    def get(self, connection: sa.Connection, image_id: str) -> bytes:
        """The sealed bytes; raises BlobMissing."""
        ...

    def delete(self, connection: sa.Connection, image_ids: Iterable[str]) -> None:
        """Removes pictures; unknown ids are no error."""
        ...

    def holds(self, connection: sa.Connection, image_id: str) -> bool:
        """Whether bytes of a picture are stored."""
        ...

    def orphans(self, connection: sa.Connection, before: float) -> list[str]:
        """Ids of stored pictures older than `before` (seconds) that no row names."""
        ...


class FileBlobs:
    """One file a picture, one folder a day. Written, synced and named before the row exists.

    The folder is the beginning of the image id (see `new_image_id`), so pictures that arrive together share
    one folder and one sync of it; the files themselves are synced side by side, which a journaling file
    system turns into few writes.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._syncers = ThreadPoolExecutor(8, thread_name_prefix="sync")

    def path(self, image_id: str) -> Path:
        """Where a picture lies."""
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
        """Writes all, then syncs files and folders side by side: a disk takes them together."""
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
            finally:  # no descriptor is closed while it is being synced
                errors = [done.exception() for done in others]
            for error in filter(None, errors):
                raise error

    def store(self, connection: sa.Connection, pictures: Iterable[tuple[str, bytes]]) -> None:
        """Nothing: the files are in place."""

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
        except FileNotFoundError:  # removed meanwhile
            return False


class DatabaseBlobs:
    """One row a picture, written in the accepting transaction."""

    def stage(self, pictures: Iterable[tuple[str, bytes]]) -> None:
        """Nothing: the rows belong to the transaction."""

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
    """Makes the names in a folder durable."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def new_image_id(now: int) -> str:
    """32 hexadecimal characters: the day of `now` (milliseconds), then randomness."""
    return f"{now // 86_400_000:0{DAY_DIGITS}x}" + secrets.token_hex((32 - DAY_DIGITS) // 2)


def rows_of_day(connection: sa.Connection, day: str) -> set[str]:
    """Ids of a day's pictures that have a row; one look at the index instead of one a picture."""
    ids = schema.images.c.id
    return set(connection.scalars(sa.select(ids).where(ids >= day, ids < day + "g")))  # "f" is the last digit


def open_blobs(settings: Settings) -> Blobs:
    """The store that the settings name."""
    if settings.blobs == "s3":
        from receipt_engine.service.storage.object_blobs import open_object_blobs

        return open_object_blobs(settings)
    return FileBlobs(settings.data / "pictures") if settings.blobs_in_files else DatabaseBlobs()
