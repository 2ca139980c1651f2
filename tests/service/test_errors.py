"""Codes 5xx, messages, unknown addresses and methods, rate limits: always the envelope, always 200."""

from __future__ import annotations

import io
import json
import logging
from typing import Any

import pytest
import sqlalchemy as sa

from receipt_engine.service import logs
from receipt_engine.service.accounts.store import Accounts
from receipt_engine.service.codes import MESSAGES, Code
from receipt_engine.service.storage.database import DatabaseDown, DatabaseQueryFailed, translate
from tests.service.conftest import Service, one_store
from tests.service.fake_engine import CANARY
from tests.service.pictures import png
from tests.service.rules import rule
from tests.service.test_upload import ENVELOPE


@rule("code-messages")
def test_every_code_of_the_interface_has_a_message() -> None:
    numbers = {200, 202, 300, 301, 400, 401, 402, 403, 404, 405, 406, 407, 408, 500, 510, 520, 521}
    assert {int(code) for code in Code} == numbers
    assert all(MESSAGES[code] for code in Code)
    assert MESSAGES[Code.KEY_UNKNOWN].endswith("API key not found")
    assert "process request submitted successfully" in MESSAGES[Code.ACCEPTED]


def failing(error: Exception) -> Any:
    def fail(*_: object, **__: object) -> None:
        raise error

    return fail


@rule("code-510", "http-200")
def test_server_error(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Accounts, "credits", failing(RuntimeError("boom")))
    answer = service.client.get("/api/credit", headers={"apikey": service.key})
    assert answer.status_code == 200
    assert answer.json()["code"] == 510 and set(answer.json()) == ENVELOPE
    assert "boom" not in answer.text


@rule("code-520", "code-5xx-passing", "http-200")
def test_database_away(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    error = sa.exc.OperationalError("select", {}, Exception("gone"))
    monkeypatch.setattr(sa.Engine, "connect", failing(error))
    for method, path in (("GET", "/api/credit"), ("GET", "/api/result/x"), ("POST", "/api/2/process")):
        answer = service.client.request(method, path, headers={"apikey": service.key})
        assert answer.status_code == 200
        assert answer.json()["code"] == 520 and set(answer.json()) == ENVELOPE
    monkeypatch.undo()
    assert service.upload(png())["code"] == 200


class DriverError(Exception):
    """An error as the drivers raise them."""

    def __init__(self, **attributes: object) -> None:
        vars(self).update(attributes)


@rule("code-520", "code-521")
@pytest.mark.parametrize(
    ("attributes", "code"),
    [
        *(({"sqlite_errorcode": number}, 520) for number in (5, 6, 10, 11, 13, 14, 26, 266)),
        *(({"sqlite_errorcode": number}, 521) for number in (1, 257)),
        *(
            ({"sqlstate": state}, 520)
            for state in ("08006", "53300", "57P01", "40P01", "55P03", "58030", None)
        ),
        *(({"sqlstate": state}, 521) for state in ("57014", "42P01", "22P02")),
    ],
)
def test_which_database_code_a_drivers_error_is(attributes: dict[str, object], code: int) -> None:
    """Busy, full, unreachable, shutting down: 520. A statement that cannot be run: 521."""
    error = sa.exc.OperationalError("select", {}, DriverError(**attributes))
    assert type(translate(error)) is (DatabaseDown if code == 520 else DatabaseQueryFailed)


@rule("code-521", "code-5xx-passing", "http-200")
def test_database_query_error(service: Service) -> None:
    with service.parts.database.write() as connection:
        connection.execute(sa.text("ALTER TABLE ledger RENAME TO elsewhere"))
    answer = service.upload(png())
    with service.parts.database.write() as connection:
        connection.execute(sa.text("ALTER TABLE elsewhere RENAME TO ledger"))
    assert answer["code"] == 521
    assert service.credits() == 10
    assert service.upload(png())["code"] == 200


@rule("code-521")
def test_a_refused_statement_is_521(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    error = sa.exc.IntegrityError("insert", {}, Exception("constraint"))
    monkeypatch.setattr(sa.Connection, "execute", failing(error))
    answer = service.client.get("/api/credit", headers={"apikey": service.key})
    assert answer.json()["code"] == 521


@rule("events-none", "http-200")
@pytest.mark.parametrize(
    "path",
    ["/api", "/api/", "/api/2", "/api/3/process", "/api/webhook", "/api/2/process/x", "/2/process", "/x.php"],
)
@one_store
def test_other_addresses(service: Service, path: str) -> None:
    answer = service.client.get(path, headers={"apikey": service.key})
    assert answer.status_code == 200
    assert answer.json()["code"] == 406 and set(answer.json()) == ENVELOPE


@rule("http-200")
@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "GET"])
@one_store
def test_other_methods(service: Service, method: str) -> None:
    answer = service.client.request(method, "/api/2/process", headers={"apikey": service.key})
    assert answer.status_code == 200 and answer.json()["code"] == 406
    if method != "GET":
        answer = service.client.request(method, "/api/credit", headers={"apikey": service.key})
        assert answer.status_code == 200 and answer.json()["code"] == 406


@rule("limit-rate", "key-per-account")
def test_rate_limits_are_per_account(make_service: Any) -> None:
    service = make_service(upload_rate=0.001, upload_burst=2)
    second = service.parts.accounts.new_key(service.account_id)
    assert service.upload(png())["code"] == 200
    assert service.upload(png(), key=second)["code"] == 200
    answer = service.client.post("/api/2/process", headers={"apikey": second})
    assert answer.json()["code"] == 510 and int(answer.headers["retry-after"]) > 0
    other = service.parts.accounts.create("another", 5)
    assert service.upload(png(), key=service.parts.accounts.new_key(other))["code"] == 200


@rule("limit-rate")
def test_an_account_may_have_its_own_rate(make_service: Any) -> None:
    service = make_service(upload_rate=0.001, upload_burst=1)
    service.parts.accounts.set_limits(service.account_id, 1000, 1000)
    assert [service.upload(png())["code"] for _ in range(5)] == [200] * 5


@rule("limit-rate")
def test_polling_is_limited_too(make_service: Any) -> None:
    service = make_service(read_rate=0.001, read_burst=3)
    assert [service.result("x")["code"] for _ in range(4)] == [402, 402, 402, 510]


@rule("server-only")
@pytest.mark.parametrize("path", ["/api/credit", "/api/2/process", "/openapi.json"])
@one_store
def test_pages_of_other_sites_are_let_nowhere(service: Service, path: str) -> None:
    """A browser asks before it lets a page of another site send the key; nobody tells it yes."""
    ask = {"origin": "https://elsewhere.example", "access-control-request-headers": "apikey"}
    for method in ("OPTIONS", "GET"):
        answer = service.client.request(method, path, headers={**ask, "apikey": service.key})
        assert not [name for name in answer.headers if name.startswith("access-control")]
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"


def test_answers_forbid_caching_and_sniffing(service: Service) -> None:
    headers = service.client.get("/api/credit", headers={"apikey": service.key}).headers
    assert headers["cache-control"] == "no-store" and headers["x-content-type-options"] == "nosniff"
    assert "max-age" in headers["strict-transport-security"] and "server" not in headers


def test_logs_hold_no_contents_keys_tokens_or_names(service: Service) -> None:
    stream = io.StringIO()
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    try:
        logs.configure("DEBUG", stream)
        logging.getLogger("httpx2").setLevel(logging.WARNING)  # the test's own client
        tokens = [
            service.upload(png(), name=f"{CANARY}.png")["token"],
            service.upload(png(order=b"bug"))["token"],
            service.upload(png(order=b"unreadable"))["token"],
        ]
        service.work()
        for token in tokens:
            service.result(token)
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert any(line.get("error") == "ValueError" and line["at"] for line in lines)
    assert {"time", "level", "logger", "event"} <= set(lines[0])
    for line in lines:
        del line["time"]
        line.pop("ms", None)  # as the clock, it may show any digits, those of a total among them
    said = json.dumps(lines)
    for secret in (CANARY, service.key, *tokens, "12.30"):
        assert secret not in said
