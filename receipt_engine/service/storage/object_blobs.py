"""Stores encrypted images in a bucket of S3 or a compatible service (extra `s3`).

The objects are encrypted, so the bucket reveals only sizes and times. An object is written before the row
that names it is committed, so a crash leaves at most an object without a row, which the sweeper removes.
boto3 finds credentials and region as usual: environment, shared configuration, role of the host.

A versioned bucket keeps deleted objects: switch versioning off, or let lifecycle rules expire old versions.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import sqlalchemy as sa

from receipt_engine.service.settings import Settings, SettingsError
from receipt_engine.service.storage.blobs import DAY_DIGITS, BlobMissing, BlobStoreUnavailable, rows_of_day

_AT_ONCE = 8
_MOST_DELETED = 1000  # S3's limit for one request
#: Seconds between searches for objects without a row; each one lists the whole bucket.
_ORPHANS_EVERY = 86_400.0
_MISSING = frozenset({"NoSuchKey", "404", "NotFound"})


class ObjectBlobs:
    """Stores one object per image, named prefix/day/id like the files of `FileBlobs`.

    Every call raises BlobStoreUnavailable when the object storage cannot be reached or refuses.
    """

    def __init__(self, client: Any, bucket: str, prefix: str) -> None:
        self._client = client
        self._bucket = bucket
        self._prefix = prefix
        self._look_at = 0.0
        self._senders = ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="s3")

    def name(self, image_id: str) -> str:
        """Returns the object's key."""
        return f"{self._prefix}{image_id[:DAY_DIGITS]}/{image_id}"

    def stage(self, pictures: Iterable[tuple[str, bytes]]) -> None:
        sent = [self._senders.submit(self._put, image_id, sealed) for image_id, sealed in pictures]
        errors = [future.exception() for future in sent]  # waits for all of them
        for error in filter(None, errors):
            raise error

    def _put(self, image_id: str, sealed: bytes) -> None:
        self._called("put_object", Key=self.name(image_id), Body=sealed)

    def store(self, connection: sa.Connection, pictures: Iterable[tuple[str, bytes]]) -> None:
        """Does nothing: `stage` has written the objects."""

    def get(self, connection: sa.Connection, image_id: str) -> bytes:
        found = self._called("get_object", Key=self.name(image_id), missing=image_id)
        sealed: bytes = found["Body"].read()
        return sealed

    def delete(self, connection: sa.Connection, image_ids: Iterable[str]) -> None:
        names = [{"Key": self.name(image_id)} for image_id in image_ids]
        for start in range(0, len(names), _MOST_DELETED):
            wanted = {"Objects": names[start : start + _MOST_DELETED], "Quiet": True}
            if errors := self._called("delete_objects", Delete=wanted).get("Errors"):
                raise BlobStoreUnavailable(f"{len(errors)} objects were not deleted: {errors[0].get('Code')}")

    def holds(self, connection: sa.Connection, image_id: str) -> bool:
        try:
            self._called("head_object", Key=self.name(image_id), missing=image_id)
        except BlobMissing:
            return False
        return True

    def orphans(self, connection: sa.Connection, before: float) -> list[str]:
        now = time.monotonic()
        if now < self._look_at:
            return []
        self._look_at = now + _ORPHANS_EVERY
        found: list[str] = []
        day, named = "", frozenset[str]()
        for image_id, written in self._all():
            if image_id[:DAY_DIGITS] != day:
                day = image_id[:DAY_DIGITS]
                named = frozenset(rows_of_day(connection, day))
            if image_id not in named and written < before:
                found.append(image_id)
        return found

    def _all(self) -> Iterator[tuple[str, float]]:
        """Yields every object's image id and time (seconds since the epoch), sorted by name."""
        more: dict[str, str] = {}
        while True:
            page = self._called("list_objects_v2", Prefix=self._prefix, **more)
            for each in page.get("Contents", ()):
                yield each["Key"].rpartition("/")[2], each["LastModified"].timestamp()
            if not page.get("IsTruncated"):
                return
            more = {"ContinuationToken": page["NextContinuationToken"]}

    def _called(self, operation: str, missing: str = "", **arguments: Any) -> Any:
        from botocore.exceptions import BotoCoreError, ClientError

        try:
            return getattr(self._client, operation)(Bucket=self._bucket, **arguments)
        except ClientError as error:
            code = error.response.get("Error", {}).get("Code", "")
            if missing and code in _MISSING:
                raise BlobMissing(missing) from error
            raise BlobStoreUnavailable(f"the object storage refused {operation}: {code}") from error
        except BotoCoreError as error:
            raise BlobStoreUnavailable(
                f"the object storage cannot be reached: {type(error).__name__}"
            ) from error


def open_object_blobs(settings: Settings) -> ObjectBlobs:
    """Opens the bucket that the settings name; raises SettingsError without the extra `s3`."""
    try:
        import boto3
        from botocore.config import Config
    except ImportError as error:
        raise SettingsError("Pictures in S3 need boto3: pip install 'receipt-engine[s3]'.") from error
    config = Config(
        connect_timeout=5,
        read_timeout=20,
        retries={"mode": "standard", "max_attempts": 3},
        max_pool_connections=2 * _AT_ONCE,
        s3={"addressing_style": "path"} if settings.s3_endpoint else {},
        request_checksum_calculation="when_required",
        response_checksum_validation="when_required",
    )
    client = boto3.client("s3", endpoint_url=settings.s3_endpoint or None, config=config)
    return ObjectBlobs(client, settings.s3_bucket, settings.s3_prefix)
