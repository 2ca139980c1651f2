"""Pictures in an S3-compatible bucket, against a server of this machine: moto's."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest
from moto.server import ThreadedMotoServer

from receipt_engine.service.ops.doctor import examine
from receipt_engine.service.settings import Settings, SettingsError, load_settings
from receipt_engine.service.storage import object_blobs
from receipt_engine.service.storage.blobs import BlobMissing, BlobStoreUnavailable
from receipt_engine.service.storage.erasure import NotErased, erase_account, erase_upload
from receipt_engine.service.storage.object_blobs import ObjectBlobs
from tests.service.conftest import Service
from tests.service.pictures import png
from tests.service.running import outcome, running

BUCKET = "receipts"


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    server = ThreadedMotoServer("127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture(autouse=True)
def credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("ACCESS_KEY_ID", "x"), ("SECRET_ACCESS_KEY", "y"), ("DEFAULT_REGION", "us-east-1")):
        monkeypatch.setenv(f"AWS_{name}", value)


@pytest.fixture
def bucket(endpoint: str, credentials: None) -> Iterator[Any]:
    """An empty bucket."""
    client = boto3.client("s3", endpoint_url=endpoint)
    client.create_bucket(Bucket=BUCKET)
    yield client
    for name in names(client):
        client.delete_object(Bucket=BUCKET, Key=name)
    client.delete_bucket(Bucket=BUCKET)
    client.close()


def names(client: Any) -> list[str]:
    return [each["Key"] for each in client.list_objects_v2(Bucket=BUCKET).get("Contents", ())]


@pytest.fixture
def kept_there(make_service: Any, endpoint: str, bucket: Any) -> Service:
    """A service, on either database, whose pictures lie in the bucket."""
    made: Service = make_service(blobs="s3", s3_bucket=BUCKET, s3_endpoint=endpoint)
    assert isinstance(made.parts.blobs, ObjectBlobs)
    return made


def test_a_picture_from_upload_to_deletion(kept_there: Service, bucket: Any) -> None:
    picture = png()
    token = kept_there.upload(picture)["token"]
    assert kept_there.upload(picture)["duplicateToken"] == token
    (name,) = names(bucket)
    assert name.startswith("pictures/") and name.split("/")[1] == name.split("/")[2][:4]
    stored = bucket.get_object(Bucket=BUCKET, Key=name)["Body"].read()
    assert picture[:500] not in stored and len(stored) == len(picture) + 28
    assert kept_there.work() == 1 and kept_there.result(token)["code"] == 202
    second = kept_there.upload(png())["token"]
    assert len(names(bucket)) == 2
    parts = kept_there.parts
    assert erase_upload(parts.database, parts.blobs, kept_there.account_id, second)
    assert names(bucket) == [name]
    erase_account(parts.database, parts.blobs, kept_there.account_id)
    assert names(bucket) == []


def test_retention_and_what_a_crash_leaves(
    kept_there: Service, bucket: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    blobs = kept_there.parts.blobs
    kept_there.upload(png())
    blobs.stage([("4e20" + "0" * 28, b"left by a crash")])
    with kept_there.parts.database.read() as connection:
        assert blobs.orphans(connection, time.time() - 3600) == []  # it may be booked just now
        monkeypatch.setattr(blobs, "_look_at", 0.0)
        assert blobs.orphans(connection, time.time() + 60) == ["4e20" + "0" * 28]
        assert blobs.orphans(connection, time.time() + 60) == []  # not listed again today
    monkeypatch.setattr(blobs, "_look_at", 0.0)
    kept_there.clock.forward(days=91)
    swept = kept_there.sweep()
    assert (swept.pictures, swept.orphans) == (1, 1) and names(bucket) == []


def test_many_objects_are_listed_and_deleted(
    kept_there: Service, bucket: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(object_blobs, "_MOST_DELETED", 2)
    blobs = kept_there.parts.blobs
    ids = [f"4e{day}{n:028x}" for day in (20, 21) for n in range(3)]
    blobs.stage([(image_id, b"sealed") for image_id in ids])
    monkeypatch.setattr(blobs, "_called", _small_pages(blobs))
    with kept_there.parts.database.read() as connection:
        assert blobs.orphans(connection, time.time() + 60) == ids
        assert all(blobs.holds(connection, image_id) for image_id in ids)
        blobs.delete(connection, ids)
        assert not any(blobs.holds(connection, image_id) for image_id in ids)
        with pytest.raises(BlobMissing):
            blobs.get(connection, ids[0])
    assert names(bucket) == []


def _small_pages(blobs: ObjectBlobs) -> Any:
    called = blobs._called

    def limited(operation: str, **arguments: Any) -> Any:
        return called(operation, **arguments, **({"MaxKeys": 2} if operation.startswith("list") else {}))

    return limited


def test_while_the_bucket_is_away(kept_there: Service, bucket: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Uploads are refused with 408 and cost nothing; jobs wait, and count against no picture."""
    token = kept_there.upload(png())["token"]
    monkeypatch.setattr(kept_there.parts.blobs, "_bucket", "gone")
    refused = kept_there.upload(png())
    assert refused["code"] == 408 and kept_there.credits() == 9
    assert kept_there.work() == 1 and kept_there.result(token)["code"] == 301
    parts = kept_there.parts
    with parts.database.read() as connection, pytest.raises(BlobStoreUnavailable, match="NoSuchBucket"):
        parts.blobs.orphans(connection, 0)
    with pytest.raises(NotErased, match="sweeper"):
        erase_upload(parts.database, parts.blobs, kept_there.account_id, upload_while_there(kept_there))
    monkeypatch.setattr(kept_there.parts.blobs, "_bucket", BUCKET)
    for _ in range(5):
        kept_there.clock.forward(seconds=31)
        kept_there.work()
    assert kept_there.result(token)["code"] == 202


def upload_while_there(service: Service) -> str:
    """Another upload, made while the bucket was there."""
    blobs: Any = service.parts.blobs
    away, blobs._bucket = blobs._bucket, BUCKET
    token: str = service.upload(png())["token"]
    blobs._bucket = away
    return token


def test_an_endpoint_that_does_not_answer(make_service: Any, bucket: Any) -> None:
    service = make_service(blobs="s3", s3_bucket=BUCKET, s3_endpoint="http://127.0.0.1:9")
    assert service.upload(png())["code"] == 408 and service.credits() == 10


def test_settings_name_a_bucket() -> None:
    with pytest.raises(SettingsError, match="s3_bucket"):
        load_settings(environment={"RECEIPT_ENGINE_BLOBS": "s3"})
    assert not Settings(blobs="s3", s3_bucket="b").blobs_in_files


def test_a_running_service_keeps_pictures_there(
    folder: Path, endpoint: str, bucket: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    where = {"blobs": "s3", "s3_bucket": BUCKET, "s3_endpoint": endpoint, "s3_prefix": "till/"}
    with running(folder, where) as (service, client):
        tokens = [client.upload(png())["token"] for _ in range(5)]
        assert {outcome(client, token)["code"] for token in tokens} == {202}
        assert len(names(bucket)) == 5 and all(name.startswith("till/") for name in names(bucket))
        assert not (folder / "pictures").exists()
        examine(load_settings(environment=service.environment()), dev_cert=True, behind_proxy=False)
    assert "pictures" in capsys.readouterr().out
