"""Runs `receipt-engine doctor`: prints one line per check, with the remedy when it fails."""

from __future__ import annotations

import datetime
import importlib.metadata
import os
import shutil
import ssl
from collections.abc import Callable
from pathlib import Path

import sqlalchemy as sa
from cryptography import x509

from receipt_engine.service.assembly import Parts, open_parts
from receipt_engine.service.http.tls import server_context
from receipt_engine.service.jobs.worker import load_engine
from receipt_engine.service.settings import Settings
from receipt_engine.service.storage.blobs import BlobMissing, BlobStoreUnavailable
from receipt_engine.service.storage.schema import images
from receipt_engine.service.storage.vault import VaultError, key_file, unseal

#: Free disk space required beyond the reserve.
_FREE_BYTES = 1 << 30
#: Number of newest images that are decrypted as a check.
_SAMPLE = 20
Check = Callable[[Parts], str]


class _Problem(Exception):
    """A failed check; the message says what is wrong and what to do."""


def examine(settings: Settings, *, dev_cert: bool = False, behind_proxy: bool = False) -> int:
    """Checks and prints what `serve` would run with the same flags; returns 0 when all passed, else 1.

    Raises the errors of `open_parts` when database or keys cannot be opened at all.
    """
    parts = open_parts(settings, pool=2)
    print(f"ok    receipt-engine {importlib.metadata.version('receipt-engine')}, data in {settings.data}")
    failed = 0
    try:
        for name, check in (*_CHECKS, ("certificate", _certificate_check(dev_cert, behind_proxy))):
            try:
                print(f"ok    {name}: {check(parts)}")
            except _Problem as problem:
                failed += 1
                print(f"FAIL  {name}: {problem}")
    finally:
        parts.close()
    return 1 if failed else 0


def _database(parts: Parts) -> str:
    with parts.database.write() as connection:
        connection.execute(sa.select(sa.func.count()).select_from(images))
    if parts.database.embedded:
        with parts.database.read() as connection:
            verdict = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
        if verdict != "ok":
            raise _Problem(f"SQLite reports {verdict}; restore the last backup.")
    return "can be opened and written to, and is intact"


def _balances(parts: Parts) -> str:
    wrong = parts.accounts.balances_disagree()
    if wrong:
        raise _Problem(f"credits differ from the ledger: {', '.join(wrong)}; report this as a bug.")
    return "every balance matches its ledger"


def _keys(parts: Parts) -> str:
    settings = parts.settings
    if not settings.master_keys and key_file(settings).parent == settings.data:
        return f"{len(parts.keys.keys)} loaded; the key file is next to the data, so keep a copy elsewhere"
    return f"{len(parts.keys.keys)} loaded"


def _pictures(parts: Parts) -> str:
    query = sa.select(images.c.id, images.c.key_id, images.c.wrapped_key)
    with parts.database.read() as connection:
        rows = connection.execute(
            query.where(images.c.expires_at > parts.database.clock())
            .order_by(images.c.id.desc())
            .limit(_SAMPLE)
        ).all()
        for row in rows:
            try:
                data_key = parts.keys.unwrap(row.key_id, bytes(row.wrapped_key), row.id)
                unseal(data_key, parts.blobs.get(connection, row.id), f"picture:{row.id}")
            except (BlobMissing, BlobStoreUnavailable, VaultError) as error:
                raise _Problem(
                    f"the stored picture {row.id} cannot be read ({error}); restore it."
                ) from error
    return f"the newest {len(rows)} exist and can be decrypted"


def _permissions(parts: Parts) -> str:
    for path in (parts.settings.data, parts.settings.data / "service.db"):
        if path.exists() and path.stat().st_mode & 0o077:
            raise _Problem(f"{path} can be read by others; run: chmod go= {path}")
    return "the data directory is private"


def _space(parts: Parts) -> str:
    free = shutil.disk_usage(parts.settings.data).free
    if free < _FREE_BYTES + parts.settings.disk_reserve:
        raise _Problem(
            f"only {free >> 20} MiB are free under {parts.settings.data}, and uploads stop at "
            f"{parts.settings.disk_reserve >> 20} MiB; free some space."
        )
    return f"{free >> 30} GiB free"


def _certificate_check(dev_cert: bool, behind_proxy: bool) -> Check:
    def check(parts: Parts) -> str:
        if behind_proxy:
            return "none needed: the proxy has it"
        path = str(parts.settings.data / "dev-cert.pem") if dev_cert else parts.settings.certificate
        if not path:
            return "none configured: serve needs certificate and private_key, --dev-cert or --behind-proxy"
        if dev_cert and not Path(path).exists():
            return "will be created at the first start"
        key = str(parts.settings.data / "dev-key.pem") if dev_cert else parts.settings.private_key
        return _certificate(path, key)

    return check


def _certificate(path: str, key: str) -> str:
    try:
        server_context(path, key)
        certificate = x509.load_pem_x509_certificate(Path(path).read_bytes())
    except (OSError, ssl.SSLError, ValueError) as error:
        raise _Problem(f"{path} and {key or 'no private key'} cannot be used together: {error}") from error
    left = certificate.not_valid_after_utc - datetime.datetime.now(datetime.UTC)
    if left < datetime.timedelta(days=7):
        raise _Problem(f"{path} expires in {left.days} days; renew it (the service picks it up by itself).")
    return f"valid for {left.days} more days"


def _engine(parts: Parts) -> str:
    try:
        load_engine(parts.settings)
    except Exception as error:
        raise _Problem(f"{parts.settings.engine} cannot be loaded: {error}") from error
    return f"{parts.settings.engine} loads; {os.cpu_count()} processors, {parts.settings.workers} workers"


_CHECKS: tuple[tuple[str, Check], ...] = (
    ("database", _database),
    ("credits", _balances),
    ("master keys", _keys),
    ("pictures", _pictures),
    ("permissions", _permissions),
    ("disk space", _space),
    ("engine", _engine),
)
