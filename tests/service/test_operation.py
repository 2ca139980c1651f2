"""What an operator relies on: the trail of events, ids in the log, the disk's reserve, readiness."""

from __future__ import annotations

import io
import json
import logging
import os
import re
import shutil
import signal
from pathlib import Path
from typing import Any

import pytest

from receipt_engine.service import logs
from receipt_engine.service.accounts.audit import acting_from, events
from receipt_engine.service.accounts.passwords import hash_password
from receipt_engine.service.accounts.sessions import Sessions
from receipt_engine.service.jobs.heartbeat import heartbeat_timeout_ms
from receipt_engine.service.ops.probes import Probes
from receipt_engine.service.settings import Settings
from tests.service.conftest import Service
from tests.service.fake_engine import HOLD
from tests.service.pictures import png
from tests.service.running import running, soon


@pytest.fixture
def lines() -> Any:
    """The log of this process as JSON objects, collected in a list."""
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    stream = io.StringIO()
    logs.configure("INFO", stream)
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    root.handlers[:] = before
    root.setLevel(level)


def test_a_request_is_found_by_its_id(service: Service, lines: Any) -> None:
    answer = service.client.get("/api/credit", headers={"apikey": service.key})
    request_id = answer.headers["x-request-id"]
    assert re.fullmatch("[0-9a-f]{16}", request_id)
    other = service.client.get("/api/credit", headers={"apikey": "x"}).headers["x-request-id"]
    assert other != request_id
    mine = [line for line in lines() if line.get("request") == request_id and line["event"] == "request"]
    assert len(mine) == 1 and mine[0]["account"] == service.account_id
    assert mine[0]["key"] == service.key[:16] and mine[0]["code"] == 0
    stranger = next(line for line in lines() if line.get("request") == other)
    assert "account" not in stranger and "key" not in stranger
    service.upload(png())
    service.work()
    job = next(line for line in lines() if line["event"] == "job")
    assert job["account"] == service.account_id and len(job["picture"]) == 32


def test_every_change_leaves_an_event(service: Service, lines: Any) -> None:
    accounts = service.parts.accounts
    made = accounts.create("Trail Ltd", 5)
    with acting_from("dashboard 192.0.2.7"):
        key = accounts.new_key(made)
    accounts.rotate(made, key[:16], grace=0)
    accounts.set_profile(made, key[:16], "classic")
    accounts.add_credits(made, 3, "gift")
    accounts.set_limits(made, 1, 2)
    accounts.set_password(made, hash_password("a long password"))
    sessions = Sessions(service.parts.database, service.parts.secrets.login)
    assert sessions.login("Trail Ltd", "wrong password") is None
    cookie = sessions.login("Trail Ltd", "a long password")
    assert cookie
    sessions.logout(cookie)
    accounts.set_disabled(made, True)
    trail = events(service.parts.database, made)
    assert [event.name for event in trail] == [
        *("account.made", "key.made", "key.made", "key.revoked", "key.profile", "credits.booked"),
        *("limits.set", "password.set", "login.refused", "login", "logout", "account.disabled"),
    ]
    assert trail[1].origin == "dashboard 192.0.2.7" and trail[0].origin == "command line"
    assert trail[1].detail == key[:16]
    logged = [line for line in lines() if line["event"] == "audit"]
    assert [line["what"] for line in logged] == [event.name for event in trail]
    text = json.dumps(logged)
    assert key not in text and "Trail" not in text and "192.0.2.7" not in text
    service.clock.forward(days=401)
    service.sweep()
    assert events(service.parts.database, made) == []


def test_the_use_of_a_key_is_noted(service: Service) -> None:
    key = service.parts.accounts.keys(service.account_id)[0]
    assert key.used_at is None
    service.credits()
    first = service.parts.accounts.keys(service.account_id)[0].used_at
    service.credits()
    assert first and service.parts.accounts.keys(service.account_id)[0].used_at == first
    service.clock.forward(seconds=1000)
    service.credits()
    assert (service.parts.accounts.keys(service.account_id)[0].used_at or 0) > first


def test_a_reserve_of_disk_is_left(make_service: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Uploads are refused while all else works, and nothing is charged."""
    service = make_service(disk_reserve=10 << 30)
    if not service.settings.embedded:
        assert service.upload(png())["code"] == 200  # the database is elsewhere
        return
    token = service.upload(png())
    assert token["code"] in {200, 408}
    usage = shutil.disk_usage("/")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=9 << 30))
    monkeypatch.setattr("receipt_engine.service.storage.space._LOOK_EVERY", 0.0)
    before = service.credits()
    refused = service.client.post(
        "/api/2/process", files={"file": ("a.png", png(), "image/png")}, headers={"apikey": service.key}
    )
    assert refused.json()["code"] == 408 and "disk space" in refused.json()["message"]
    assert refused.headers["retry-after"] == "60" and service.credits() == before
    assert any("reserve" in problem for problem in Probes(service.parts, service.http_limits).problems())
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=11 << 30))
    assert service.upload(png())["code"] == 200


def test_a_worker_host_that_is_gone_is_missed_within_five_seconds() -> None:
    many = Settings(data_dir="/x", database_url="postgresql+psycopg://db/receipts")
    assert heartbeat_timeout_ms(many) < 5000


def test_readiness_follows_the_last_worker(folder: Path) -> None:
    """The engine loads again only when it may; until then nobody reads."""
    with running(folder, {"workers": "1", "engine": "tests.service.fake_engine:HeldStart"}) as (server, _):
        hold = folder / HOLD
        hold.touch()
        for pid in server.workers():
            os.kill(pid, signal.SIGKILL)
        assert soon(lambda: "no worker" in server.ask("/ready"))
        hold.unlink()
        server.wait_until_ready()
