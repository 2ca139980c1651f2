"""Encryption, key rotation, deletion: what lies on the disk, byte by byte."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from receipt_engine.service.assembly import open_parts
from receipt_engine.service.ops import key_commands
from receipt_engine.service.settings import Settings, SettingsError, sole_server
from receipt_engine.service.storage.blobs import FileBlobs
from receipt_engine.service.storage.retention import sweep
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
    swept = sweep(service.parts.database, service.parts.blobs)
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
        assert sweep(service.parts.database, blobs_).orphans == 1
        return
    token = service.upload(png())["token"]
    blobs_.stage([("aaaa" + "0" * 28, b"never committed")])
    assert sweep(service.parts.database, blobs_).orphans == 0  # it may be about to be committed
    service.clock.forward(seconds=2 * 3600)
    assert sweep(service.parts.database, blobs_).orphans == 1
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
    assert sweep(service.parts.database, service.parts.blobs).orphans == 0
    assert 0 < len(statements) < 8


def test_rotation_keeps_everything_readable(service: Service) -> None:
    if not service.settings.embedded:
        Path(service.settings.data / "master.keys").write_text("k1:" + "A" * 43 + "=\n", encoding="ascii")
    picture = png()
    done = service.upload(picture)["token"]
    service.work()
    pending = service.upload(png())["token"]
    old = service.parts.keys.active
    assert key_commands.rotate(service.settings) == 0
    assert old not in keys_in_use(service.parts.database)
    assert key_commands.list_keys(service.settings) == 0
    assert key_commands.drop_old(service.settings) == 0
    assert list(load_master_keys(service.settings).keys) != [old]
    before, parts = service.parts, open_parts(service.settings)
    try:
        service.parts = parts
        assert parts.jobs.outcome(service.account_id, done).result is not None
        assert parts.accounts.caller(service.key.encode()) is not None
        assert service.work() == 1
        assert parts.jobs.outcome(service.account_id, pending).result is not None
    finally:
        service.parts = before
        parts.close()


def test_old_keys_are_not_dropped_while_needed(service: Service) -> None:
    service.upload(png())
    path = service.settings.data / "master.keys"
    rotated = load_master_keys(service.settings).with_new()
    path.write_text(rotated.text(), encoding="ascii")
    with pytest.raises(VaultError, match="still in use"):
        key_commands.drop_old(service.settings)
    assert key_commands.rewrap_all(service.settings) == 0
    if service.settings.embedded:
        with sole_server(service.settings), pytest.raises(SettingsError, match="Another server"):
            key_commands.drop_old(service.settings)
    assert key_commands.drop_old(service.settings) == 0


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
        sweep(service.parts.database, service.parts.blobs)
    monkeypatch.setattr(type(service.parts.blobs), "delete", real)
    service.clock.forward(seconds=2 * 3600)
    assert sweep(service.parts.database, service.parts.blobs).orphans == 1
    with service.parts.database.read() as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(uploads)) == 0
