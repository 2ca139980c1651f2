"""Telling an account's server of results: what is called, how it is signed, what is repeated and given up."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import http.server
import ipaddress
import json
import ssl
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from receipt_engine.service.accounts.audit import events
from receipt_engine.service.accounts.store import AccountError
from receipt_engine.service.assembly import open_parts
from receipt_engine.service.http.tls import development_certificate
from receipt_engine.service.settings import SettingsError, load_settings
from receipt_engine.service.storage.erasure import erase_account, erase_upload
from receipt_engine.service.storage.schema import deliveries, webhooks
from receipt_engine.service.webhooks import addresses
from receipt_engine.service.webhooks.addresses import (
    AddressRefused,
    Target,
    is_allowed,
    look_up,
    parse_networks,
    parse_target,
)
from receipt_engine.service.webhooks.outbox import RETRY_AFTER, Outbox
from receipt_engine.service.webhooks.sender import WebhookSender
from receipt_engine.service.webhooks.signature import signed_headers, signing_secret
from receipt_engine.service.webhooks.subscriptions import MOST
from tests.service.conftest import Service, one_store
from tests.service.pictures import png
from tests.service.running import outcome, running, soon
from tests.service.test_dashboard import hidden, inside, stored_password, visitor

__all__ = ["inside", "stored_password", "visitor"]  # fixtures

LOOPBACK = parse_networks("127.0.0.0/8,::1/128")


@dataclass
class Receiver:
    """An HTTPS server that keeps what it is told. status: what it answers; location: where it sends on."""

    port: int
    certificate: Path
    status: int = 204
    location: str = ""
    calls: list[tuple[dict[str, str], bytes]] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"https://localhost:{self.port}/told?from=here"


@pytest.fixture
def receiver(folder: Path) -> Iterator[Receiver]:
    """Listens on this machine, with a certificate of its own."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            kept.calls.append(({"path": self.path, **{k.lower(): v for k, v in self.headers.items()}}, body))
            self.send_response(kept.status)
            if kept.location:
                self.send_header("Location", kept.location)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    (folder / "receiver").mkdir()
    development_certificate(folder / "receiver", "localhost")
    certificate = folder / "receiver" / "dev-cert.pem"
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, folder / "receiver" / "dev-key.pem")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.socket = context.wrap_socket(server.socket, server_side=True)
    kept = Receiver(server.server_address[1], certificate)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield kept
    server.shutdown()
    server.server_close()


def sender(service: Service, receiver: Receiver, **more: Any) -> WebhookSender:
    trust = ssl.create_default_context(cafile=str(receiver.certificate))
    given = {"private": LOOPBACK, "context": trust} | more
    return WebhookSender(Outbox(service.parts.database), service.parts.secrets.webhook, **given)


def send(service: Service, receiver: Receiver, **more: Any) -> list[bool]:
    """Makes every call that is due, one after the other; which were taken."""
    outbox, taken = Outbox(service.parts.database), []
    making = sender(service, receiver, **more)
    for webhook_id in outbox.ready():
        while (delivery := outbox.take(webhook_id)) is not None:
            taken.append(asyncio.run(making.deliver(delivery)))
    return taken


def states(service: Service) -> list[tuple[str, int, int | None]]:
    with service.parts.database.read() as connection:
        rows = connection.execute(sa.select(deliveries).order_by(deliveries.c.id)).all()
    return [(row.state, row.attempts, row.status) for row in rows]


@pytest.fixture
def listening(make_service: Any, receiver: Receiver) -> Service:
    """A service whose account wants to be told at the receiver."""
    service: Service = make_service(credits=50, webhooks=True)
    service.parts.subscriptions().add(service.account_id, receiver.url)
    return service


def test_a_result_is_told_once_and_signed(listening: Service, receiver: Receiver) -> None:
    token = listening.upload(png())["token"]
    assert send(listening, receiver) == []  # nothing is known yet
    listening.work()
    assert send(listening, receiver) == [True]
    assert send(listening, receiver) == []
    ((headers, body),) = receiver.calls
    told = json.loads(body)
    assert told["type"] == "receipt.available" and told["data"] == {"token": token, "code": 202}
    assert set(told) == {"type", "timestamp", "data"}
    assert headers["path"] == "/told?from=here" and headers["host"] == f"localhost:{receiver.port}"
    assert headers["content-type"] == "application/json"
    (webhook,) = listening.parts.subscriptions().all(listening.account_id)
    key = base64.b64decode(webhook.secret.removeprefix("whsec_"))
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    expected = base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
    assert headers["webhook-signature"] == f"v1,{expected}"
    assert states(listening) == [("delivered", 1, 204)]


def test_the_signature_is_that_of_the_specification() -> None:
    """The example of the specification's reference libraries."""
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    body = b'{"test": 2432232314}'
    headers = signed_headers(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, body)
    assert headers["webhook-signature"] == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_unreadable_pictures_and_duplicates_are_told_too(listening: Service, receiver: Receiver) -> None:
    bad = listening.upload(png(order=b"unreadable"))["token"]
    broken = listening.upload(png(order=b"bug"))["token"]
    picture = png()
    good = listening.upload(picture)["token"]
    listening.work()
    assert soon(lambda: listening.work() or listening.result(broken)["code"] == 500)
    again = listening.upload(picture)["token"]  # of a picture that is read already
    assert send(listening, receiver) == [True] * 4
    told = {json.loads(body)["data"]["token"]: json.loads(body) for _, body in receiver.calls}
    assert {token: each["data"]["code"] for token, each in told.items()} == {
        **{bad: 500, broken: 500},
        **{good: 202, again: 202},
    }
    assert told[bad]["type"] == "receipt.failed"
    assert len({headers["webhook-id"] for headers, _ in receiver.calls}) == 4


def test_a_refused_call_is_repeated_then_given_up(listening: Service, receiver: Receiver) -> None:
    receiver.status = 500
    listening.upload(png())
    listening.work()
    for tries, wait in enumerate(RETRY_AFTER, 1):
        assert send(listening, receiver) == [False]
        assert states(listening) == [("due", tries, 500)]
        assert send(listening, receiver) == []  # not before its time
        listening.clock.forward(seconds=wait + 601)
    assert send(listening, receiver) == [False]
    assert states(listening) == [("failed", len(RETRY_AFTER) + 1, 500)]
    assert len({headers["webhook-id"] for headers, _ in receiver.calls}) == 1  # the receiver can tell


def test_a_call_that_is_taken_at_last(listening: Service, receiver: Receiver) -> None:
    receiver.status = 503
    listening.upload(png())
    listening.work()
    send(listening, receiver)
    receiver.status = 200
    listening.clock.forward(seconds=6)
    assert send(listening, receiver) == [True]
    assert states(listening) == [("delivered", 2, 200)]


def test_an_address_that_is_gone_is_left_alone(listening: Service, receiver: Receiver) -> None:
    receiver.status = 410
    for _ in range(2):
        listening.upload(png())
    listening.work()
    assert send(listening, receiver) == [False]
    assert send(listening, receiver) == [] and len(receiver.calls) == 1
    (webhook,) = listening.parts.subscriptions().all(listening.account_id)
    assert webhook.stopped_at is not None
    listening.upload(png())
    assert len(states(listening)) == 2  # nothing more is noted for it


def test_a_call_whose_process_died_is_made_again(listening: Service, receiver: Receiver) -> None:
    listening.upload(png())
    listening.work()
    outbox = Outbox(listening.parts.database)
    (webhook_id,) = outbox.ready()
    assert outbox.take(webhook_id) is not None
    assert outbox.take(webhook_id) is None and outbox.ready() == []
    listening.clock.forward(seconds=61)
    assert send(listening, receiver) == [True]


def test_what_ended_while_it_was_booked_is_caught_up_with(listening: Service, receiver: Receiver) -> None:
    listening.upload(png())
    listening.work()
    with listening.parts.database.write() as connection:
        connection.execute(deliveries.update().values(state="waiting"))
    assert send(listening, receiver) == []
    Outbox(listening.parts.database).catch_up()
    assert send(listening, receiver) == [True]


def test_redirects_are_not_followed(listening: Service, receiver: Receiver) -> None:
    receiver.status, receiver.location = 302, "https://127.0.0.1/inside"
    listening.upload(png())
    listening.work()
    assert send(listening, receiver) == [False]
    assert states(listening) == [("due", 1, 302)] and len(receiver.calls) == 1


def test_private_addresses_are_refused_before_every_call(listening: Service, receiver: Receiver) -> None:
    """The name was public when it was entered, and leads inside now."""
    outcomes: list[str] = []
    listening.upload(png())
    listening.work()
    assert send(listening, receiver, private=(), count=outcomes.append) == [False]
    assert outcomes == ["refused"] and receiver.calls == []
    assert states(listening) == [("due", 1, 0)]


def test_a_receiver_without_a_right_certificate_is_told_nothing(
    listening: Service, receiver: Receiver
) -> None:
    listening.upload(png())
    listening.work()
    assert send(listening, receiver, context=ssl.create_default_context()) == [False]
    assert receiver.calls == []


def test_nothing_is_noted_while_webhooks_are_off(make_service: Any, receiver: Receiver) -> None:
    assert load_settings(environment={}).webhooks is False
    service = make_service()
    service.parts.subscriptions().add(service.account_id, receiver.url)
    service.upload(png())
    service.work()
    assert states(service) == []


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0"),
        *("224.0.0.1", "255.255.255.255", "240.0.0.1", "192.0.2.1", "198.18.0.1"),
        *("::1", "::", "fe80::1", "fd00::1", "ff02::1", "2001:db8::1", "::ffff:10.0.0.1", "::ffff:127.0.0.1"),
        *("64:ff9b::a00:1", "64:ff9b:1::7f00:1", "2002:a00:1::", "2002:7f00:1::1", "::127.0.0.1"),
    ],
)
def test_private_addresses_are_no_target(address: str) -> None:
    assert not is_allowed(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:4700::1111", "64:ff9b::5db8:d822", "8.8.8.8"])
def test_public_addresses_are(address: str) -> None:
    assert is_allowed(ipaddress.ip_address(address))


def test_a_network_that_the_operator_names_is() -> None:
    assert is_allowed(ipaddress.ip_address("10.1.2.3"), parse_networks("10.1.0.0/16, fd00::/8"))
    assert not is_allowed(ipaddress.ip_address("10.2.2.3"), parse_networks("10.1.0.0/16, fd00::/8"))
    with pytest.raises(SettingsError, match="webhook_networks"):
        load_settings(environment={"RECEIPT_ENGINE_WEBHOOK_NETWORKS": "10.0.0.1/8"})


def test_a_host_with_one_private_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [(0, 0, 0, "", ("93.184.216.34", 443)), (0, 0, 0, "", ("127.0.0.1", 443))]

    async def resolved(*_: Any, **__: Any) -> Any:
        return found

    async def asked() -> str:
        monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", resolved)
        return await look_up(Target("example.com", 443, "/"))

    with pytest.raises(AddressRefused, match="private"):
        asyncio.run(asked())
    del found[1]
    assert asyncio.run(asked()) == "93.184.216.34"


def test_the_connection_goes_to_the_address_that_was_checked(
    listening: Service, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No second look-up, whose answer could be another one."""
    hosts: list[Any] = []
    opened = asyncio.open_connection

    async def noted(host: Any = None, *rest: Any, **named: Any) -> Any:
        hosts.append((host, named["server_hostname"]))
        return await opened(host, *rest, **named)

    monkeypatch.setattr(asyncio, "open_connection", noted)
    listening.upload(png())
    listening.work()
    send(listening, receiver)
    assert [(str(ipaddress.ip_address(host)), name) for host, name in hosts] == [(hosts[0][0], "localhost")]


@pytest.mark.parametrize(
    "url",
    [
        *(
            "http://example.com/",
            "ftp://example.com",
            "https://",
            "https://user:pw@example.com/",
            "javascript:1",
        ),
        *("https://example.com/#part", "https://example.com:99999/", "https://exa mple.com/", "https://[::1"),
        "https://example.com/" + "a" * 500,
    ],
)
def test_odd_addresses_are_refused(url: str) -> None:
    with pytest.raises(AddressRefused):
        parse_target(url)


def test_an_account_has_a_few_webhooks(make_service: Any) -> None:
    service: Service = make_service(webhooks=True)
    mine = service.parts.subscriptions()
    made = [mine.add(service.account_id, f"https://example.com/{n}") for n in range(MOST)]
    with pytest.raises(AccountError, match="at most"):
        mine.add(service.account_id, "https://example.com/more")
    assert len({webhook.secret for webhook in mine.all(service.account_id)}) == MOST
    other = service.parts.accounts.create("other", 1)
    mine.remove(other, made[0])
    assert len(mine.all(service.account_id)) == MOST and mine.all(other) == []
    mine.remove(service.account_id, made[0])
    assert len(mine.all(service.account_id)) == MOST - 1
    names = [event.name for event in events(service.parts.database, service.account_id)]
    assert names.count("webhook.made") == MOST and names[-1] == "webhook.deleted"


def test_secrets_are_derived_and_not_stored(listening: Service, receiver: Receiver) -> None:
    (webhook,) = listening.parts.subscriptions().all(listening.account_id)
    with listening.parts.database.read() as connection:
        row = connection.execute(sa.select(webhooks)).one()
    assert webhook.secret not in map(str, row)
    assert webhook.secret == signing_secret(listening.parts.secrets.webhook, row.id, row.salt)


def test_deliveries_go_with_their_upload_and_account(listening: Service, receiver: Receiver) -> None:
    tokens = [listening.upload(png())["token"] for _ in range(2)]
    listening.work()
    parts = listening.parts
    assert erase_upload(parts.database, parts.blobs, listening.account_id, tokens[0])
    assert len(states(listening)) == 1
    erase_account(parts.database, parts.blobs, listening.account_id)
    assert states(listening) == [] and parts.subscriptions().all(listening.account_id) == []


@one_store
def test_the_page_of_webhooks(
    inside: Service, make_service: Any, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert inside.client.get("/dashboard/webhooks").status_code == 404  # switched off
    assert "/dashboard/webhooks" not in inside.client.get("/dashboard").text
    service: Service = make_service(webhooks=True, webhook_networks="127.0.0.0/8,::1/128")
    service.client.follow_redirects = False
    service.client.cookies = inside.client.cookies
    assert 'href="/dashboard/webhooks"' in service.client.get("/dashboard").text

    def add(url: str) -> Any:
        page = service.client.get("/dashboard/webhooks").text
        return service.client.post("/dashboard/webhooks", data={"csrf": hidden(page), "url": url})

    assert add(receiver.url).status_code == 303
    page = service.client.get("/dashboard/webhooks").text
    assert receiver.url in page and "whsec_" in page
    for url in (
        "https://10.0.0.1/",
        "https://[::ffff:10.0.0.1]/",
        "https://169.254.169.254/latest",
        "http://a.b/",
    ):
        answer = add(url)
        assert answer.status_code == 400 and 'role="alert"' in answer.text, url
    monkeypatch.setattr(addresses.socket, "getaddrinfo", _unknown)
    assert "is not known" in add("https://nowhere.example/").text
    service.upload(png(), key=inside.key)
    service.work()
    assert "due" in service.client.get("/dashboard/webhooks").text
    form = {"csrf": hidden(page)}
    assert service.client.post("/dashboard/webhooks/1/delete", data=form).status_code == 303
    assert receiver.url not in service.client.get("/dashboard/webhooks").text
    assert service.client.post("/dashboard/webhooks", data={"url": receiver.url}).status_code == 403


def _unknown(*_: Any, **__: Any) -> Any:
    raise OSError("unknown host")


def test_a_running_service_tells(folder: Path, receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(receiver.certificate))
    data = folder / "data"
    data.mkdir()
    with running(data, {"webhooks": "true", "webhook_networks": "127.0.0.0/8,::1/128"}) as (service, client):
        parts = open_parts(load_settings(environment=service.environment()))
        account = parts.accounts.find("clients")
        parts.subscriptions().add(account.id, receiver.url)
        parts.close()
        tokens = [client.upload(png())["token"] for _ in range(3)]
        assert {outcome(client, token)["code"] for token in tokens} == {202}
        assert soon(lambda: len(receiver.calls) == 3)
        assert {json.loads(body)["data"]["token"] for _, body in receiver.calls} == set(tokens)
        assert 'receipt_engine_webhook_calls_total{outcome="delivered"} 3' in service.ask("/metrics")
    assert receiver.url not in (data / "server.log").read_text(encoding="utf-8")
