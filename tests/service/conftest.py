"""Fixtures: a service in this process on either store, with a clock that the test turns."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from starlette.testclient import TestClient

from receipt_engine.service.assembly import HttpLimits, Parts, open_http_limits, open_parts
from receipt_engine.service.http.app import public_app
from receipt_engine.service.jobs.acceptor import Acceptor
from receipt_engine.service.jobs.broker import open_broker
from receipt_engine.service.jobs.worker import Worker
from receipt_engine.service.settings import Settings
from receipt_engine.service.storage.database import Database, milliseconds
from receipt_engine.service.storage.retention import Swept, sweep
from receipt_engine.service.storage.schema import facts, metadata
from tests.service import postgresql
from tests.service.fake_engine import FakeEngine
from tests.service.running import Pair, running

CURL = shutil.which("curl") or ""
#: For tests whose subject ends before the store: forms, methods, addresses.
one_store = pytest.mark.parametrize("settings", ["sqlite"], indirect=True)
STORES = ("sqlite", pytest.param("postgresql", marks=pytest.mark.needs("PostgreSQL")))


@dataclass
class Clock:
    """Milliseconds that move only when the test says so, plus real time."""

    ahead: int = 0

    def __call__(self) -> int:
        return milliseconds() + self.ahead

    def forward(self, *, days: float = 0, seconds: float = 0) -> None:
        """Moves on."""
        self.ahead += int((days * 86_400 + seconds) * 1000)


@dataclass
class Service:
    """A service without worker processes: `work` runs the queue in this process."""

    settings: Settings
    clock: Clock
    parts: Parts
    http_limits: HttpLimits
    acceptor: Acceptor
    client: TestClient
    account_id: int
    key: str
    engine: FakeEngine = field(default_factory=FakeEngine)

    def work(self) -> int:
        """Runs every job that may run; returns how many runs there were."""
        worker = Worker(self.parts, self.engine, "test")
        return sum(1 for _ in iter(worker.take, False))

    def sweep(self) -> Swept:
        """Deletes what is past its retention."""
        return sweep(self.parts.database, self.parts.blobs, audit_ms=self.settings.audit_ms)

    def post(
        self, files: Any = None, data: Any = None, key: str | None = None, path: str = "/api/2/process"
    ) -> Any:
        """The envelope of an upload."""
        answer = self.client.post(path, files=files, data=data, headers={"apikey": key or self.key})
        assert answer.status_code == 200
        return answer.json()

    def upload(self, picture: bytes, name: str = "a.png", kind: str = "image/png", **more: Any) -> Any:
        """The envelope of a plain upload."""
        return self.post({"file": (name, picture, kind)}, **more)

    def result(self, token: str, key: str | None = None) -> Any:
        """The envelope of a result call."""
        answer = self.client.get(f"/api/result/{token}", headers={"apikey": key or self.key})
        assert answer.status_code == 200
        return answer.json()

    def credits(self) -> int:
        """The balance as the API tells it."""
        return int(self.client.get("/api/credit", headers={"apikey": self.key}).json())


@pytest.fixture(scope="session")
def postgresql_url() -> Iterator[str]:
    with postgresql.running_server() as url:
        yield url


@pytest.fixture(scope="session")
def shared_database(postgresql_url: str) -> Settings:
    """A database with every table, emptied before each test."""
    engine = sa.create_engine(postgresql_url.format("postgres"), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(sa.text("CREATE DATABASE service"))
    engine.dispose()
    settings = Settings(data_dir="/nonexistent", database_url=postgresql_url.format("service"))
    database = Database(settings, pool=2)
    database.create()
    open_broker(settings, database).close()
    database.dispose()
    return settings


def empty(settings: Settings) -> None:
    """Removes every row but the schema's version."""
    engine = sa.create_engine(settings.url, poolclass=sa.NullPool)
    with engine.begin() as connection:
        names = ", ".join(table.name for table in reversed(metadata.sorted_tables) if table.name != "facts")
        connection.execute(sa.text(f"TRUNCATE {names}, procrastinate_jobs RESTART IDENTITY CASCADE"))
        connection.execute(facts.delete().where(facts.c.name != "schema"))


@pytest.fixture(scope="session")
def standing() -> Iterator[Pair]:
    """One service on SQLite, over TLS, for tests that leave it as it was."""
    settings = {
        **{"webhooks": "true", "webhook_networks": "127.0.0.0/8,::1/128"},
        **{"max_body": str(3 << 20), "max_picture": str(2 << 20), "max_queue": "100000"},
        **dict.fromkeys(("upload_rate", "upload_burst", "read_rate", "read_burst"), "100000"),
    }
    memory = Path("/dev/shm")
    with (
        tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as name,
        running(Path(name), settings, credits=1_000_000) as pair,
    ):
        yield pair


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder in memory where there is such a thing: rules need no disk."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as name:
        yield Path(name)


def base_settings(folder: Path) -> Settings:
    """Settings of a fresh SQLite store with the fake engine and no rate limit to speak of."""
    return Settings(
        data_dir=str(folder / "data"),
        engine="tests.service.fake_engine:FakeEngine",
        upload_rate=1000,
        upload_burst=1000,
        port=0,
    )


@pytest.fixture(params=STORES)
def settings(request: pytest.FixtureRequest, folder: Path) -> Settings:
    """Settings of a fresh store, on SQLite and, where installed, on PostgreSQL.

    Modules whose subject does not depend on the store override this with `base_settings`.
    """
    if request.param == "sqlite":
        return base_settings(folder)
    shared: Settings = request.getfixturevalue("shared_database")
    empty(shared)
    keys = folder / "data" / "master.keys"
    keys.parent.mkdir(mode=0o700)
    keys.write_text("k1:" + "A" * 43 + "=\n", encoding="ascii")
    keys.chmod(0o600)
    return replace(base_settings(folder), database_url=shared.url)


@pytest.fixture
def make_service(settings: Settings) -> Iterator[Any]:
    """Opens services with changed settings on the same store."""
    opened: list[Service] = []

    def make(credits: int = 10, profile: str = "contract", **changes: Any) -> Service:
        changed = replace(settings, **changes)
        clock = Clock()
        parts = open_parts(changed, clock=clock)
        http_limits = open_http_limits(changed)
        acceptor = Acceptor(parts.uploads())
        account_id = parts.accounts.create(f"account {len(opened)}", credits)
        key = parts.accounts.new_key(account_id, profile)
        client = TestClient(
            public_app(parts, acceptor, http_limits),
            base_url="https://testserver",
            raise_server_exceptions=False,
        )
        opened.append(Service(changed, clock, parts, http_limits, acceptor, client, account_id, key))
        return opened[-1]

    yield make
    for service in opened:
        service.acceptor.close()
        service.client.close()
        service.parts.close()


@pytest.fixture
def service(make_service: Any) -> Service:
    """A service with one account of ten credits."""
    made: Service = make_service()
    return made
