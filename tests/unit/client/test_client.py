"""The client of the service: what it says, when it waits and repeats, and what it makes of each answer."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import httpx2
import pytest

import receipt_engine.client
from receipt_engine import Result
from receipt_engine.client import (
    AsyncReceiptClient,
    KeyRefusedError,
    NoCreditError,
    Pending,
    ReceiptClient,
    ServiceError,
    StillPendingError,
    TokenUnknownError,
    UnavailableError,
    UnreadableError,
    Upload,
    UploadRefusedError,
    conversation,
)
from receipt_engine.client.conversation import Answer, Request, Wait

TOKEN = "abcdefghijklmnop"
FOUND = Result(total=Decimal("12.30"), establishment="Corner Shop")


def envelope(code: int, **more: Any) -> Answer:
    body = {"success": code in {200, 202, 300}, "status": "x", "status_code": code, "code": code}
    return Answer(json.dumps({**body, "message": f"message {code}", **more}).encode())


ACCEPTED = envelope(200, token=TOKEN, duplicate=False, duplicateToken=None)
AVAILABLE = envelope(202, result=json.loads(FOUND.to_json()))


def hold(held: Any, answers: list[Answer]) -> tuple[Any, list[Request], list[float]]:
    """Runs a conversation against prepared answers; what it returned, asked and waited."""
    asked: list[Request] = []
    waited: list[float] = []
    left = iter(answers)
    answer = None
    try:
        while True:
            step = held.send(answer)
            if isinstance(step, Wait):
                waited.append(step.seconds)
                answer = None
            else:
                asked.append(step)
                answer = next(left)
    except StopIteration as end:
        return end.value, asked, waited


def test_reading_a_picture_waits_as_the_interface_says() -> None:
    pending = envelope(301)
    held = conversation.read(b"\xff\xd8\xffpicture", None, 60.0, {"region": "us", "cents": True})
    result, asked, waited = hold(held, [ACCEPTED, pending, pending, AVAILABLE])
    assert result == FOUND
    assert waited == pytest.approx([2, 1, 1], abs=0.1)
    assert asked[0].file == ("receipt.jpg", b"\xff\xd8\xffpicture", "image/jpeg")
    assert asked[0].fields == {"region": "us", "cents": "true"}
    assert [request.path for request in asked[1:]] == [f"/api/result/{TOKEN}"] * 3


def test_a_file_is_sent_under_its_name(tmp_path: Path) -> None:
    path = tmp_path / "till.png"
    path.write_bytes(b"\x89PNG...")
    again = envelope(300, token=TOKEN, duplicate=True, duplicateToken="first")
    uploaded, asked, _ = hold(conversation.upload(path, None, {"decimal_places": 0}), [again])
    assert uploaded == Upload(TOKEN, small=True, duplicate_of="first")
    assert asked[0].file == ("till.png", b"\x89PNG...", "image/png")
    assert asked[0].fields == {"decimalPlaces": "0"}


@pytest.mark.parametrize(
    ("code", "error"),
    [
        (400, KeyRefusedError),
        (401, NoCreditError),
        (402, TokenUnknownError),
        *((code, UploadRefusedError) for code in range(403, 409)),
        (500, UnreadableError),
        (999, ServiceError),
    ],
)
def test_a_failure_that_stays_is_told_at_once(code: int, error: type[ServiceError]) -> None:
    with pytest.raises(error, match=f"message {code}") as raised:
        hold(conversation.fetch(TOKEN), [envelope(code)])
    assert raised.value.code == code


@pytest.mark.parametrize(
    "failed", [envelope(510), envelope(520), envelope(521), Answer(failure="reset"), Answer(b"<html>")]
)
def test_a_passing_failure_is_tried_again(failed: Answer) -> None:
    result, asked, waited = hold(conversation.fetch(TOKEN), [failed, failed, AVAILABLE])
    assert result == FOUND and len(asked) == 3 and waited == [1, 2]
    with pytest.raises(UnavailableError):
        hold(conversation.fetch(TOKEN), [failed] * 5)


def test_the_service_says_how_long_to_wait() -> None:
    busy = Answer(envelope(510).body, retry_after=7.0)
    _, _, waited = hold(conversation.fetch(TOKEN), [busy, busy, busy, busy, AVAILABLE])
    assert waited == [7, 7, 7, 8]
    forever = Answer(envelope(510).body, retry_after=86_400.0)
    assert hold(conversation.fetch(TOKEN), [forever, AVAILABLE])[2] == [60]


def test_patience_ends_and_the_token_stays() -> None:
    now = 0.0

    def clock() -> float:
        nonlocal now
        now += 2.0
        return now

    with pytest.raises(StillPendingError) as raised:
        hold(conversation.wait(TOKEN, 10.0, clock), [envelope(301)] * 20)
    assert raised.value.token == TOKEN and raised.value.code == 301


def test_credits_are_a_bare_number() -> None:
    assert hold(conversation.credit(), [Answer(b"42")])[0] == 42
    assert hold(conversation.credit(), [Answer(b"0")])[0] == 0


def test_unknown_options_are_refused() -> None:
    with pytest.raises(TypeError, match="colour"):
        hold(conversation.upload(b"x", None, {"colour": "red"}), [])  # type: ignore[typeddict-unknown-key]


def served(request: httpx2.Request) -> httpx2.Response:
    """A service in one function."""
    assert request.headers["apikey"] == "key"
    if request.url.path == "/api/credit":
        return httpx2.Response(200, content=b"7")
    if request.method == "POST":
        assert b'filename="a.png"' in request.content and b'name="documentType"' in request.content
        return httpx2.Response(200, content=ACCEPTED.body)
    if request.url.path.endswith(TOKEN):
        return httpx2.Response(200, content=AVAILABLE.body)
    return httpx2.Response(200, content=envelope(301).body)


@pytest.fixture
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conversation, "_FIRST_POLL", 0.0)
    monkeypatch.setattr(conversation, "_PAUSES", (0.0, 0.0))


@pytest.mark.usefixtures("no_waiting")
def test_both_clients_say_the_same() -> None:
    transport = httpx2.MockTransport(served)
    with ReceiptClient("https://receipts.example", "key", transport=transport) as client:
        assert client.read(b"\x89PNG", filename="a.png", document_type="invoice") == FOUND
        assert client.credit() == 7 and client.result("other") == Pending("other")

    async def run() -> None:
        async with AsyncReceiptClient("https://receipts.example", "key", transport=transport) as later:
            assert await later.read(b"\x89PNG", filename="a.png", document_type="invoice") == FOUND
            accepted = await later.upload(b"\x89PNG", filename="a.png", document_type="auto")
            assert await later.wait(accepted.token) == FOUND
            assert await later.credit() == 7 and await later.result("other") == Pending("other")

    asyncio.run(run())


@pytest.mark.usefixtures("no_waiting")
def test_a_connection_that_fails_is_an_unavailable_service() -> None:
    def refused(_: httpx2.Request) -> httpx2.Response:
        raise httpx2.ConnectError("refused")

    transport = httpx2.MockTransport(refused)
    with (
        ReceiptClient("https://receipts.example", "key", transport=transport) as client,
        pytest.raises(UnavailableError, match="refused"),
    ):
        client.credit()

    async def run() -> None:
        async with AsyncReceiptClient("https://receipts.example", "key", transport=transport) as later:
            await later.credit()

    with pytest.raises(UnavailableError, match="refused"):
        asyncio.run(run())


def test_exported_names_are_exactly_those_listed() -> None:
    names: list[str] = receipt_engine.client.__all__
    assert names == sorted(names)
    exported: Callable[[str], Any] = lambda name: getattr(receipt_engine.client, name)  # noqa: E731
    assert all(exported(name).__doc__ for name in names)
