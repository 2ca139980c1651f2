"""Deleting an upload or an account: every byte of it, in whatever is kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from receipt_engine.service.ops.backup import backup
from receipt_engine.service.storage import erasure
from receipt_engine.service.storage.erasure import NotErased, erase_account, erase_upload
from receipt_engine.service.storage.schema import accounts, images, jobs, ledger, uploads
from tests.service.conftest import Service
from tests.service.fake_engine import CANARY
from tests.service.pictures import png
from tests.service.rules import rule
from tests.service.test_at_rest import stored_bytes


def traces(service: Service, token: str) -> list[bytes]:
    """What an upload left in the store: its token, picture's id, wrapped key, sealed bytes and result."""
    with service.parts.database.read() as connection:
        row = connection.execute(
            sa.select(uploads.c.image_id, images.c.wrapped_key, images.c.digest, jobs.c.sealed_result)
            .select_from(uploads.join(images, uploads.c.image_id == images.c.id))
            .join(jobs, jobs.c.image_id == images.c.id)
            .where(uploads.c.token == token)
        ).one()
        sealed = service.parts.blobs.get(connection, row.image_id)
    found = [token.encode(), row.image_id.encode(), bytes(row.wrapped_key), bytes(row.digest), sealed]
    return [*found, *([bytes(row.sealed_result)] if row.sealed_result else [])]


def kept_bytes(service: Service, folder: Path) -> bytes:
    """The store, and a backup that is made now."""
    kept = stored_bytes(service)
    if service.settings.embedded:
        backup(service.settings, str(folder))
        kept += b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
    return kept


@rule("deleted-after-90-days")
def test_a_deleted_upload_leaves_nothing(service: Service, folder: Path) -> None:
    other = service.upload(png())["token"]
    token = service.upload(png())["token"]
    waiting = service.upload(png())["token"]
    service.work()
    left = traces(service, token) + traces(service, waiting)
    before = stored_bytes(service)
    assert all(trace in before for trace in left)
    for deleted in (token, waiting):
        erased = erase_upload(service.parts.database, service.parts.blobs, service.account_id, deleted)
        assert erased is not None and (erased.uploads, erased.pictures) == (1, 1)
    kept = kept_bytes(service, folder / "backup")
    assert not any(trace in kept for trace in left)
    assert service.result(token)["code"] == 402 and service.result(other)["code"] == 202
    assert service.credits() == 7 and service.parts.accounts.balances_disagree() == []
    assert erase_upload(service.parts.database, service.parts.blobs, service.account_id, token) is None


def test_a_later_upload_of_the_same_picture_keeps_it(service: Service) -> None:
    picture = png()
    first = service.upload(picture)["token"]
    second = service.upload(picture)["token"]
    service.work()
    erased = erase_upload(service.parts.database, service.parts.blobs, service.account_id, first)
    assert erased is not None and erased.pictures == 0
    assert service.result(first)["code"] == 402 and service.result(second)["code"] == 202
    assert first.encode() not in stored_bytes(service)
    third = service.upload(picture)
    assert third["duplicateToken"] == second
    for token in (second, third["token"]):
        erase_upload(service.parts.database, service.parts.blobs, service.account_id, token)
    assert service.upload(picture)["duplicate"] is False


def test_uploads_of_others_are_out_of_reach(service: Service) -> None:
    token = service.upload(png())["token"]
    other = service.parts.accounts.create("other", 1)
    assert erase_upload(service.parts.database, service.parts.blobs, other, token) is None
    assert service.result(token)["code"] == 301


def test_a_job_that_runs_while_its_upload_is_deleted(service: Service) -> None:
    token = service.upload(png())["token"]
    job = service.parts.jobs.claim("w")
    assert job is not None
    erase_upload(service.parts.database, service.parts.blobs, service.account_id, token)
    assert not service.parts.jobs.finish(job, b"{}") and service.work() == 0


@rule("deleted-after-90-days")
def test_a_deleted_account_leaves_nothing(
    service: Service, folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: Any
) -> None:
    monkeypatch.setattr(erasure, "_BATCH", 2)
    name = "Erasable Customer Ltd"
    mine = service.parts.accounts.create(name, 20)
    key = service.parts.accounts.new_key(mine, name="their till")
    tokens = [service.upload(png(), key=key)["token"] for _ in range(5)]
    service.work()
    waiting = service.upload(png(), key=key)["token"]
    stays = service.upload(png())["token"]
    left = [trace for token in (*tokens, waiting) for trace in traces(service, token)]
    left += [name.encode(), key[:16].encode(), b"their till", CANARY.encode()]
    erased = erase_account(service.parts.database, service.parts.blobs, mine)
    assert (erased.uploads, erased.pictures) == (6, 6)
    kept = kept_bytes(service, folder / "backup")
    assert not any(trace in kept for trace in left)
    assert service.client.get("/api/credit", headers={"apikey": key}).json()["code"] == 400
    with service.parts.database.read() as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(accounts)) == 1
        assert connection.scalar(sa.select(sa.func.count()).where(ledger.c.account_id == mine)) == 0
    assert service.work() == 1 and service.result(stays)["code"] == 202
    assert erase_account(service.parts.database, service.parts.blobs, mine).uploads == 0


def test_what_is_left_is_noticed(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bytes that could not be removed are an error, not a success."""
    token = service.upload(png())["token"]
    monkeypatch.setattr(type(service.parts.blobs), "delete", lambda *_: None)
    with pytest.raises(NotErased, match=r"bytes of the picture|Rows of blobs"):
        erase_upload(service.parts.database, service.parts.blobs, service.account_id, token)
