"""The real thing: `serve` with TLS and worker processes, slow and rude clients, kills, draining."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import ssl
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.service import changes, kills
from benchmarks.service.client import Client
from benchmarks.service.process import ServiceProcess
from receipt_engine.service.server import open_certificate
from receipt_engine.service.settings import Settings, SettingsError
from tests.service import conftest
from tests.service.pictures import png
from tests.service.rules import rule
from tests.service.running import FAKE, Pair, alive, exchange, outcome, running, soon


@pytest.fixture(params=conftest.STORES)
def store(request: pytest.FixtureRequest, folder: Path) -> dict[str, str]:
    """Settings that name a fresh store."""
    if request.param == "sqlite":
        return {}
    shared: Settings = request.getfixturevalue("shared_database")
    conftest.empty(shared)
    keys = folder / "shared.keys"
    keys.write_text("k1:" + "A" * 43 + "=\n", encoding="ascii")
    keys.chmod(0o600)
    return {"database_url": shared.url, "master_key_file": str(keys)}


@rule("async-upload", "state-available", "state-failed")
def test_a_service_from_start_to_drain(folder: Path, store: dict[str, str]) -> None:
    """One service through its whole life; a fresh one for each part would take minutes."""
    with running(folder, {**store, "worker_memory": str(400 << 20), "max_faults": "2"}) as (service, client):
        welcome = (folder / "welcome.txt").read_text(encoding="utf-8")
        assert f"https://localhost:{service.port}/api/2/process" in welcome
        assert str(service.certificate) in welcome and "--profile classic" in welcome
        tokens = [client.upload(png())["token"] for _ in range(5)]
        assert [outcome(client, token)["code"] for token in tokens] == [202] * 5
        _poison_ends_as_500_and_the_rest_goes_on(client, greedy=not store)
        assert outcome(client, client.upload(png())["token"])["code"] == 202
        assert service.ask("/health") == '{"status":"ok"}'
        metrics = service.ask("/metrics")
        assert 'receipt_engine_requests_total{route="process",code="200"}' in metrics
        assert 'receipt_engine_jobs{state="done"}' in metrics and "receipt_engine_workers_ready" in metrics
        _draining_ends_the_current_job(service, client)
    log = [json.loads(line) for line in (folder / "server.log").read_text(encoding="utf-8").splitlines()]
    assert {"listening", "request", "job", "draining"} <= {line["event"] for line in log}
    assert client.key not in json.dumps(log)


def _poison_ends_as_500_and_the_rest_goes_on(client: Client, *, greedy: bool) -> None:
    orders = [b"crash", b"greedy"] if greedy else [b"crash"]
    poison = [client.upload(png(order=order))["token"] for order in orders]
    fine = client.upload(png())["token"]
    assert outcome(client, fine)["code"] == 202
    assert {outcome(client, token)["code"] for token in poison} == {500}


@rule("https-only")
def test_plain_http_is_not_answered(standing: Pair) -> None:
    with socket.create_connection(("localhost", standing[0].port), 5) as connection:
        connection.sendall(b"GET /api/credit HTTP/1.1\r\nHost: localhost\r\n\r\n")
        with contextlib.suppress(ConnectionError):
            assert b"HTTP/1.1" not in connection.recv(1000)


@rule("http-200", "limit-size")
@pytest.mark.parametrize(
    "request_",
    [
        b"GARBAGE\r\n\r\n",
        b"GET /api/credit HTTP/1.1\r\n" + b"x: " + b"y" * 100_000 + b"\r\n\r\n",
        b"POST /api/2/process HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nZZZ\r\n",
        b"POST /api/2/process HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
        b"POST /api/2/process HTTP/1.1\r\nContent-Length: 999999999999\r\nHost: a\r\n\r\n",
        b"GET /api/credit HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
    ],
    ids=["no http", "long head", "bad chunk", "negative length", "huge length", "no key"],
)
def test_rude_clients_get_envelopes(standing: Pair, request_: bytes) -> None:
    head, _, body = exchange(standing[0], request_).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200"), head
    assert json.loads(body)["code"] in {400, 406}


@pytest.mark.parametrize("sent", [b"GET /api/credit HTTP/1.1\r\nHost: a\r\nx: ", b""])
def test_slow_clients_are_cut_off(standing: Pair, sent: bytes) -> None:
    assert exchange(standing[0], sent) == b""  # within its patience of a minute


def _draining_ends_the_current_job(service: ServiceProcess, client: Client) -> None:
    assert soon(lambda: len(service.workers()) == 2), "a worker that died has no successor"
    workers = service.workers()
    token = client.upload(png(order=b"sleep=1"))["token"]
    service.wait_until_running()
    assert service.stop() == 0
    assert not any(alive(pid) for pid in workers)
    client.close()
    service.start()
    service.wait_until_listening()
    assert client.result(token)["code"] == 202


@rule("form-multipart")
@pytest.mark.parametrize("sizes", [(1, 50), (1000, 3), (7, 4096)])
def test_rechunked_bodies_over_the_wire(standing: Pair, sizes: tuple[int, int]) -> None:
    service, client = standing
    picture = png(size=3000)
    body = (
        b'--XX\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n'
        + picture
        + b"\r\n--XX--\r\n"
    )
    chunks, position, turn = b"", 0, 0
    while position < len(body):
        piece = body[position : position + sizes[turn % 2]]
        chunks += b"%x\r\n%b\r\n" % (len(piece), piece)
        position, turn = position + len(piece), turn + 1
    head = (
        "POST /api/2/process HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=XX\r\n"
        f"apikey: {client.key}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    )
    answer = exchange(service, head.encode() + chunks + b"0\r\n\r\n")
    assert json.loads(answer.partition(b"\r\n\r\n")[2])["code"] == 200


@rule("limit-size")
@pytest.mark.parametrize("size", [4 << 20, 40 << 20])
def test_an_oversized_upload_is_told_so(standing: Pair, size: int) -> None:
    service, client = standing
    before = service.forget_peak()
    with contextlib.suppress(OSError):  # far too large: the server may hang up while it is sent
        assert client.upload(png(size=size))["code"] == 406
    assert service.peak() - before < 32 << 20
    assert client.upload(png())["code"] == 200


def test_a_slow_body_is_refused_in_time(standing: Pair) -> None:
    service, client = standing
    head = (
        "POST /api/2/process HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=XX\r\n"
        f"apikey: {client.key}\r\nContent-Length: 5000\r\nConnection: close\r\n\r\n--XX\r\n"
    )
    answer = exchange(service, head.encode())
    assert json.loads(answer.partition(b"\r\n\r\n")[2])["code"] == 510


def test_kill_nine_while_a_job_runs(folder: Path) -> None:
    """First the workers, then the server: each time the job is read by those that come after."""
    with running(folder, {}) as (service, client):
        first = client.upload(png(order=b"sleep=1.5"))["token"]
        service.wait_until_running()
        for pid in service.workers():
            os.kill(pid, signal.SIGKILL)
        assert outcome(client, first)["code"] == 202
        second = client.upload(png(order=b"sleep=1.5"))["token"]
        service.wait_until_running()
        orphans = service.workers()
        service.kill()
        assert soon(lambda: not any(alive(pid) for pid in orphans))
        client.close()
        service.start()
        service.wait_until_listening()
        assert outcome(client, second)["code"] == 202
        assert client.credits() == 998


@rule("state-available", "credit-per-upload", "state-immutable")
def test_random_kills(folder: Path, store: dict[str, str]) -> None:
    """The short form of `python -m benchmarks.service.kills`; see there for what is checked."""
    verdict = kills.run(folder, 8, seed=3, settings=store)
    assert verdict.accepted > 0
    assert verdict.clean, verdict


def test_only_one_server_uses_a_data_directory(standing: Pair) -> None:
    service, _ = standing
    second = ServiceProcess(service.folder, FAKE)
    second.start()
    assert second.process is not None and second.process.wait(120) == 1
    assert service.process is not None and service.process.poll() is None
    assert "Another server uses" in (service.folder / "server.log").read_text(encoding="utf-8")


@rule("https-only")
def test_there_is_no_plain_endpoint(folder: Path) -> None:
    base = {"data_dir": str(folder)}
    with pytest.raises(SettingsError, match="HTTPS only"):
        open_certificate(Settings(**base), dev_cert=False, behind_proxy=False)
    with pytest.raises(SettingsError, match="loopback"):
        open_certificate(Settings(**base, host="0.0.0.0"), dev_cert=False, behind_proxy=True)
    with pytest.raises(SettingsError, match="cannot be used"):
        open_certificate(
            Settings(**base, certificate="/none", private_key="/none"), dev_cert=False, behind_proxy=False
        )
    certificate = open_certificate(Settings(**base), dev_cert=True, behind_proxy=False)
    assert certificate is not None and certificate.context.minimum_version == ssl.TLSVersion.TLSv1_2


@pytest.mark.needs("PostgreSQL")
def test_two_hosts_share_one_postgresql(shared_database: Settings, folder: Path) -> None:
    """A front without workers and a host with workers only, each with a data directory of its own."""
    conftest.empty(shared_database)
    keys = folder / "shared.keys"
    keys.write_text("k1:" + "A" * 43 + "=\n", encoding="ascii")
    keys.chmod(0o600)
    settings = {**FAKE, "database_url": shared_database.url, "master_key_file": str(keys)}
    (folder / "front").mkdir()
    (folder / "back").mkdir()
    front = ServiceProcess(folder / "front", {**settings, "workers": "0"})
    back = ServiceProcess(folder / "back", {**settings, "workers": "1"})
    back.settings["operations_port"] = str(back.operations_port)
    key = front.account("clients", 10)
    command = [sys.executable, "-m", "receipt_engine.service", "worker"]
    with (folder / "worker.log").open("wb") as log:
        worker = subprocess.Popen(command, env=back.environment(), stderr=log)
    try:
        front.start()
        front.wait_until_ready()
        client = front.client(key)
        tokens = [client.upload(png())["token"] for _ in range(4)]
        assert [outcome(client, token)["code"] for token in tokens] == [202] * 4
        client.close()
        back.wait_until_ready()
        assert "receipt_engine_workers_ready 1" in back.ask("/metrics")
    finally:
        front.kill()
        worker.terminate()
        assert worker.wait(120) == 0


@rule("state-available", "credit-per-upload")
def test_nothing_becomes_unreadable_while_keys_and_certificates_change(
    folder: Path, store: dict[str, str]
) -> None:
    """The short form of `python -m benchmarks.service.changes`; see there for what is checked."""
    seen = changes.run(folder, 40, store)
    assert seen.rotations and seen.certificates and seen.kills
    assert len(seen.accepted) == 40 and seen.clean, seen
