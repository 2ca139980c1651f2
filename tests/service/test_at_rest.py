"""Encryption, key rotation, deletion: what lies on the disk, byte by byte."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from receipt_engine.service.assembly import open_parts
from receipt_engine.service.codes import Code
from receipt_engine.service.jobs.booking import Accepted, Upload
from receipt_engine.service.jobs.options import Options
from receipt_engine.service.ops import key_commands
from receipt_engine.service.settings import Settings
from receipt_engine.service.storage import secret_keys
from receipt_engine.service.storage.blobs import FileBlobs
from receipt_engine.service.storage.schema import blobs, images, jobs, metadata, uploads
from receipt_engine.service.storage.secret_keys import keys_in_use
from receipt_engine.service.storage.vault import (
    MasterKeys,
    VaultError,
    load_master_keys,
    new_key,
    parse_keys,
    seal,
    unseal,
)
from tests.service.conftest import Service
from tests.service.fake_engine import CANARY
from tests.service.pictures import png
from tests.service.rules import rule

SECRET = b"SECRET-INSIDE-THE-PICTURE"


def stored_bytes(service: Service) -> bytes:
    """Everything the store keeps: every file of the data directory, every value of every row."""
    kept = b"".join(path.read_bytes() for path in Path(service.settings.data).rglob("*") if path.is_file())
    with service.parts.database.read() as connection:
        for table in metadata.sorted_tables:
            for value in (value for row in connection.execute(sa.select(table)) for value in row):
                kept += bytes(value) if isinstance(value, bytes | memoryview) else str(value).encode()
    return kept


@rule("encrypted-at-rest", "key-shown-once")
def test_no_plain_bytes_are_stored(service: Service) -> None:
    picture = png() + SECRET
    token = service.upload(picture, name="my-private-name.png")["token"]
    service.work()
    assert service.result(token)["code"] == 202
    kept = stored_bytes(service)
    assert len(kept) > len(picture)
    for secret in (SECRET, CANARY.encode(), b"my-private-name", service.key[16:].encode(), picture[:64]):
        assert secret not in kept


@rule("deleted-after-90-days", "state-expired")
def test_deletion_removes_picture_result_key_and_copies(service: Service) -> None:
    old = service.upload(png())["token"]
    service.work()
    with service.parts.database.read() as connection:
        wrapped = bytes(connection.scalar(sa.select(images.c.wrapped_key)) or b"")
        sealed = service.parts.blobs.get(connection, connection.scalar(sa.select(images.c.id)) or "")
        result = bytes(connection.scalar(sa.select(jobs.c.sealed_result)) or b"")
    service.clock.forward(days=89)
    young = service.upload(png())["token"]
    service.clock.forward(days=1.1)
    swept = service.sweep()
    assert (swept.tokens, swept.pictures) == (1, 1)
    kept = stored_bytes(service)
    for deleted in (wrapped, sealed, result):
        assert len(deleted) > 20 and deleted not in kept
    assert service.result(old)["code"] == 402
    assert service.work() == 1 and service.result(young)["code"] == 202


@rule("deleted-after-90-days")
def test_leftovers_of_a_crash_are_swept(service: Service) -> None:
    """A picture whose transaction never committed, and one whose row went before its bytes."""
    blobs_ = service.parts.blobs
    if not isinstance(blobs_, FileBlobs):
        with service.parts.database.write() as connection:
            connection.execute(blobs.insert().values(image_id="f" * 32, sealed=b"x"))
        assert service.sweep().orphans == 1
        return
    token = service.upload(png())["token"]
    blobs_.stage([("aaaa" + "0" * 28, b"never committed")])
    assert service.sweep().orphans == 0  # it may be about to be committed
    service.clock.forward(seconds=2 * 3600)
    assert service.sweep().orphans == 1
    assert not blobs_.path("aaaa" + "0" * 28).exists()
    assert service.work() == 1 and service.result(token)["code"] == 202


def test_looking_for_leftovers_costs_one_look_a_day(service: Service) -> None:
    """However many pictures are stored: the table is not asked for each of them."""
    for _ in range(6):
        service.upload(png())
    service.clock.forward(days=1)
    statements: list[str] = []
    sa.event.listen(
        service.parts.database.engine,
        "before_cursor_execute",
        lambda connection, cursor, statement, *rest: statements.append(statement),
    )
    assert service.sweep().orphans == 0
    assert 0 < len(statements) < 8


def own_keys(service: Service) -> Path:
    """The key file, put back to the one key that every PostgreSQL test begins with."""
    path = Path(service.settings.data / "master.keys")
    if not service.settings.embedded:
        path.write_text("k1:" + "A" * 43 + "=\n", encoding="ascii")
    return path


def make_old(path: Path) -> None:
    """As if the key file had been written an hour ago."""
    os.utime(path, (time.time() - 3600, time.time() - 3600))


def test_rotation_keeps_everything_readable(service: Service, capsys: pytest.CaptureFixture[str]) -> None:
    """While the service runs: what was there, what comes meanwhile, and a process that starts afterwards."""
    path, keys = own_keys(service), service.parts.keys
    done = service.upload(png())["token"]
    service.work()
    pending = service.upload(png())["token"]
    old = keys.active
    assert key_commands.rotate(service.settings) == 0
    if not service.settings.embedded:
        new = next(key_id for key_id in load_master_keys(service.settings).keys if key_id != old)
        assert f"keys activate {new}" in capsys.readouterr().out and keys.active == old
        assert key_commands.activate(service.settings, new) == 0
    meanwhile = service.upload(png())["token"]
    assert keys.active != old and keys_in_use(service.parts.database) == {old, keys.active}
    assert service.work() == 2
    assert key_commands.rewrap_all(service.settings) == 0
    assert keys_in_use(service.parts.database) == {keys.active}
    assert key_commands.list_keys(service.settings) == 0
    with pytest.raises(VaultError, match="a moment ago"):
        key_commands.drop_old(service.settings)
    make_old(path)
    assert key_commands.drop_old(service.settings) == 0
    assert list(load_master_keys(service.settings).keys) == [keys.active]
    tokens = [done, pending, meanwhile]
    assert [service.result(token)["code"] for token in tokens] == [202] * 3
    later = open_parts(service.settings)
    try:
        assert all(later.jobs.outcome(service.account_id, token).result for token in tokens)
        assert later.accounts.caller(service.key.encode()) is not None
    finally:
        later.close()


def test_a_process_meets_a_key_it_does_not_know(service: Service) -> None:
    """Another host wrapped with a key that came into the file after this process had read it."""
    path = own_keys(service)
    seen = service.parts.keys.active
    path.write_text(load_master_keys(service.settings).with_new().text(), encoding="ascii")
    other = open_parts(service.settings)
    try:
        token = other.uploads().accept([other.uploads().prepare(upload(service))])[0]
        assert isinstance(token, Accepted)
        assert other.keys.active != seen
        assert service.result(token.token)["code"] == 301
        assert service.work() == 1
        assert service.result(token.token)["code"] == 202
    finally:
        other.close()


def test_a_key_file_that_is_gone_stops_nothing(service: Service) -> None:
    path = own_keys(service)
    text = path.read_text(encoding="ascii")
    path.unlink()
    token = service.upload(png())["token"]
    assert service.work() == 1 and service.result(token)["code"] == 202
    path.write_text(text, encoding="ascii")
    path.chmod(0o600)


def test_rewrapping_may_be_stopped_and_repeated(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    path = own_keys(service)
    monkeypatch.setattr(secret_keys, "_BATCH", 2)
    tokens = [service.upload(png())["token"] for _ in range(5)]
    path.write_text(load_master_keys(service.settings).with_new().text(), encoding="ascii")

    def stop(count: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        secret_keys.rewrap(service.parts.database, load_master_keys(service.settings), stop)
    assert len(keys_in_use(service.parts.database)) == 2
    assert service.work() == 5
    assert [service.result(token)["code"] for token in tokens] == [202] * 5
    assert secret_keys.rewrap(service.parts.database, load_master_keys(service.settings)) == 3
    assert len(keys_in_use(service.parts.database)) == 1
    assert [service.result(token)["code"] for token in tokens] == [202] * 5


def upload(service: Service) -> Upload:
    """A checked picture of the service's account."""
    return Upload(service.account_id, png(), Options(), Code.ACCEPTED)


def test_old_keys_are_not_dropped_while_needed(service: Service) -> None:
    service.upload(png())
    path = service.settings.data / "master.keys"
    rotated = load_master_keys(service.settings).with_new()
    path.write_text(rotated.text(), encoding="ascii")
    make_old(path)
    with pytest.raises(VaultError, match="still in use"):
        key_commands.drop_old(service.settings)
    assert key_commands.rewrap_all(service.settings) == 0
    assert key_commands.drop_old(service.settings) == 0


def test_keys_that_cannot_be_changed_here(service: Service) -> None:
    keys = load_master_keys(service.settings)
    fixed = replace(service.settings, master_keys=keys.text().replace("\n", ","))
    for command in (key_commands.rotate, key_commands.add, key_commands.drop_old):
        with pytest.raises(VaultError, match="setting master_keys"):
            command(fixed)
    with pytest.raises(VaultError, match="no master key k9"):
        key_commands.activate(service.settings, "k9")


def test_a_missing_key_is_refused_at_the_start(service: Service) -> None:
    service.upload(png())
    path = service.settings.data / "master.keys"
    path.write_text(MasterKeys({}, "").with_new().text(), encoding="ascii")
    with pytest.raises(VaultError, match="not loaded"):
        open_parts(service.settings)


def test_no_new_keys_are_made_for_a_store_in_use(service: Service) -> None:
    """A command that runs without the service's credential must not leave a key file of its own."""
    path = service.settings.data / "master.keys"
    path.unlink()
    with pytest.raises(VaultError, match="is missing"):
        open_parts(service.settings)
    assert not path.exists()


def test_changed_bytes_are_noticed() -> None:
    key = new_key()
    sealed = seal(key, b"picture", "picture:1")
    assert unseal(key, sealed, "picture:1") == b"picture"
    for changed in (sealed[:-1], sealed[:12], b"", bytes([sealed[0] ^ 1]) + sealed[1:]):
        with pytest.raises(VaultError):
            unseal(key, changed, "picture:1")
    with pytest.raises(VaultError):
        unseal(key, sealed, "result:1")
    with pytest.raises(VaultError):
        unseal(new_key(), sealed, "picture:1")


@pytest.mark.parametrize("text", ["", "k1", "k1:xx", "k1:" + "A" * 44, "k 1:" + "A" * 43 + "=", "# comment"])
def test_unusable_key_files(text: str) -> None:
    with pytest.raises(VaultError):
        parse_keys(text, "the file")


def test_a_key_file_others_can_read_is_refused(folder: Path) -> None:
    settings = Settings(data_dir=str(folder / "data"))
    load_master_keys(settings, create=True)
    assert (folder / "data" / "master.keys").stat().st_mode & 0o777 == 0o600
    (folder / "data" / "master.keys").chmod(0o644)
    with pytest.raises(VaultError, match="chmod"):
        load_master_keys(settings)


def test_keys_from_a_setting_and_from_a_credential(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = MasterKeys({}, "").with_new()
    assert load_master_keys(Settings(data_dir=str(folder), master_keys=keys.text())).active == keys.active
    (folder / "master-keys").write_text(keys.text(), encoding="ascii")
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", str(folder))
    assert load_master_keys(Settings(data_dir=str(folder / "other"))).active == keys.active
    assert keys.text().split(":")[1] not in repr(keys)


def test_sweeping_interrupted_anywhere_can_be_repeated(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    service.upload(png())
    service.clock.forward(days=91)
    real = type(service.parts.blobs).delete

    def fail(*_: Any) -> None:
        raise OSError("interrupted")

    monkeypatch.setattr(type(service.parts.blobs), "delete", fail)
    with pytest.raises(OSError, match="interrupted"):
        service.sweep()
    monkeypatch.setattr(type(service.parts.blobs), "delete", real)
    service.clock.forward(seconds=2 * 3600)
    assert service.sweep().orphans == 1
    with service.parts.database.read() as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(uploads)) == 0
