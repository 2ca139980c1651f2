"""Connections that fall silent or trickle, limits of connections, stopping, and certificates that change."""

from __future__ import annotations

import asyncio
import json
import shutil
import signal
import socket
import ssl
import time
from pathlib import Path
from typing import Any

import pytest

from benchmarks.service.silence import PHASES, deadline, held
from benchmarks.service.stopping import stop
from receipt_engine.service.codes import Code, Refusal
from receipt_engine.service.http.connections import Admission, ConnectionLimits, Connections
from receipt_engine.service.http.deadlines import BodyDeadlines
from receipt_engine.service.http.tls import development_certificate
from receipt_engine.service.ops.metrics import Metrics
from receipt_engine.service.settings import Settings
from tests.service.pictures import png
from tests.service.running import FAKE, Pair, running, soon, tls

IDLE = float(FAKE["idle_seconds"])
#: Seconds that a busy machine may take beyond a deadline. Without one the connections are held for ever.
SLOWNESS = 15.0


@pytest.fixture(scope="module")
def silent(standing: Pair) -> dict[str, float]:
    """Seconds that a silent connection was held, by phase; all phases at once."""
    return held(standing[0], list(PHASES), 60.0)


@pytest.mark.parametrize("phase", PHASES)
def test_a_silent_connection_is_let_go_in_time(silent: dict[str, float], phase: str) -> None:
    assert silent[phase] <= deadline(phase, IDLE) + SLOWNESS


def test_silent_connections_are_counted(silent: dict[str, float], standing: Pair) -> None:
    metrics = standing[0].ask("/metrics")
    for phase in ("tls", "head", "idle", "body", "answer"):
        assert f'connections_expired_total{{phase="{phase}"}}' in metrics, phase


def test_a_head_that_trickles_in_is_cut_off(standing: Pair) -> None:
    """Bytes do not prolong a head's deadline."""
    with tls(standing[0]) as connection:
        began = time.monotonic()
        connection.settimeout(0.2)
        with pytest.raises(OSError):
            for byte in b"GET /api/credit HTTP/1.1\r\n" + b"x: y\r\n" * 100:  # two minutes
                connection.sendall(bytes([byte]))
                try:
                    if not connection.recv(100):
                        raise ConnectionResetError
                except TimeoutError:
                    continue
        assert time.monotonic() - began < IDLE + SLOWNESS


def timed(receive: Any, **settings: float) -> tuple[BodyDeadlines, list[Any], list[Any]]:
    """The layer around an application that reads the whole body, what was sent, and the refusals."""
    sent: list[Any] = []
    refused: list[Any] = []

    async def app(_: Any, receive: Any, send: Any) -> None:
        try:
            while (await receive()).get("more_body"):
                pass
        except Refusal as refusal:
            refused.append(refusal)
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    async def send(message: Any) -> None:
        sent.append(message)

    layer = BodyDeadlines(app, Settings(**settings), Metrics())
    headers = [(b"content-length", b"1000")]
    asyncio.run(layer({"type": "http", "headers": headers}, receive, send))
    return layer, sent, refused


def test_a_body_has_a_deadline_as_a_whole() -> None:
    """A byte now and then does not keep a request alive for ever."""

    async def trickle() -> Any:
        await asyncio.sleep(0.02)
        return {"type": "http.request", "body": b"x", "more_body": True}

    _, sent, refused = timed(trickle, body_seconds=0.2, idle_seconds=5)
    assert refused[0].code is Code.SERVER_ERROR and refused[0].retry_after
    assert (b"connection", b"close") in sent[0]["headers"]


def test_the_connection_goes_on_after_a_body_that_was_read() -> None:
    async def whole() -> Any:
        return {"type": "http.request", "body": b"x" * 1000, "more_body": False}

    _, sent, refused = timed(whole, idle_seconds=5)
    assert not refused and sent[0]["headers"] == []


def test_connections_are_limited_by_address() -> None:
    doors = Connections(ConnectionLimits(total=20, per_address=3, idle=1), Metrics())
    entered = [doors.enter(("192.0.2.1", 1000 + n)) for n in range(6)]
    assert [admission for admission, _ in entered] == [
        *[Admission.ADMITTED] * 3,
        *[Admission.REFUSED] * 2,
        Admission.DROPPED,
    ]
    assert doors.enter(("192.0.2.2", 1))[0] is Admission.ADMITTED
    for _, leave in entered:
        leave()
        leave()  # once is enough, twice does no harm
    assert doors.open == 1
    assert doors.enter(("192.0.2.1", 1))[0] is Admission.ADMITTED


def test_a_network_of_ipv6_is_one_visitor() -> None:
    doors = Connections(ConnectionLimits(total=20, per_address=1, idle=1), Metrics())
    assert doors.enter(("2001:db8:1:2::1", 1, 0, 0))[0] is Admission.ADMITTED
    assert doors.enter(("2001:db8:1:2::ffff", 1, 0, 0))[0] is Admission.REFUSED
    assert doors.enter(("2001:db8:1:3::1", 1, 0, 0))[0] is Admission.ADMITTED
    assert doors.enter(("::ffff:192.0.2.1", 1, 0, 0))[0] is Admission.ADMITTED
    assert doors.enter(("192.0.2.1", 1))[0] is Admission.REFUSED
    assert [doors.enter("")[0] for _ in range(3)] == [Admission.ADMITTED] * 3  # a unix socket


def test_one_address_cannot_take_every_connection(folder: Path) -> None:
    """Silent sockets from one address; another one is served, and the first is told what is wrong."""
    settings = {"max_connections": "40", "max_connections_address": "5", "idle_seconds": "300"}
    with running(folder, settings) as (service, _):
        silent = [socket.create_connection(("127.0.0.1", service.port), 60) for _ in range(5)]
        context = ssl.create_default_context(cafile=str(service.certificate))
        ask = b"GET /api/credit HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        codes = []
        for source in ("127.0.0.1", "127.0.0.2"):
            raw = socket.create_connection(("127.0.0.1", service.port), 60, (source, 0))
            with context.wrap_socket(raw, server_hostname="localhost") as connection:
                connection.sendall(ask)
                answer = b""
                while chunk := connection.recv(65536):
                    answer += chunk
            codes.append(json.loads(answer.partition(b"\r\n\r\n")[2])["code"])
        assert codes == [510, 400]
        metrics = service.ask("/metrics")
        assert 'connections_refused_total{reason="address"} 1' in metrics
        for connection in silent:
            connection.close()


def test_stopping_waits_for_the_busy_and_not_for_the_idle(folder: Path) -> None:
    """Waiting for one of the idle would take five minutes. In seconds: `benchmarks.service.stopping`."""
    with running(folder, {"idle_seconds": "300"}) as (service, client):
        client.close()
        stopped = stop(service, client.key, idle=50, busy=5)
        assert stopped.status == 0 and stopped.answered == 5
        assert stopped.seconds < SLOWNESS


def test_a_new_certificate_needs_no_restart(folder: Path) -> None:
    """A connection that stands goes on, new ones see the new certificate; a broken file changes nothing."""
    (folder / "data").mkdir()
    (folder / "new").mkdir()
    data = folder / "data"
    with running(data, {}) as (service, client):
        assert client.credits() == 1000
        before = ssl.get_server_certificate(("localhost", service.port))
        development_certificate(folder / "new", "localhost")
        for name in ("dev-key.pem", "dev-cert.pem"):
            shutil.copy(folder / "new" / name, data / name)
        assert service.process is not None
        service.process.send_signal(signal.SIGHUP)
        assert soon(lambda: ssl.get_server_certificate(("localhost", service.port)) != before)
        assert client.upload(png())["code"] == 200
        (data / "dev-cert.pem").write_text("no certificate", encoding="ascii")
        service.process.send_signal(signal.SIGHUP)
        refused = "the certificate was not renewed"
        assert soon(lambda: refused in (data / "server.log").read_text(encoding="utf-8"))
        after = ssl.get_server_certificate(("localhost", service.port))
        assert after not in {before, ""}
