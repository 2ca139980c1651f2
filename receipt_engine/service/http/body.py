"""Reading a request without trusting it: the key header, and the body within time and memory limits."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from starlette.requests import ClientDisconnect, Request

from receipt_engine.service.codes import Code, Refusal
from receipt_engine.service.http.form import Form, FormReader
from receipt_engine.service.http.limits import MemoryBudget
from receipt_engine.service.settings import Settings

_DRAIN_SECONDS = 5.0
_DRAIN_FACTOR = 4


def key_header(request: Request) -> bytes | None:
    """The `apikey` header, or None when it is missing or sent more than once."""
    values = [value for name, value in request.scope["headers"] if name == b"apikey"]
    return values[0].strip() if len(values) == 1 else None


def declared_length(request: Request) -> int | None:
    """Content-Length, when the client states one."""
    text = request.headers.get("content-length", "")
    return int(text) if text.isascii() and text.isdigit() else None


class Body:
    """A request body that is read at most once, in time. `drain` throws the rest away."""

    def __init__(self, request: Request, settings: Settings) -> None:
        self._request = request
        self._settings = settings
        self._stream = request.stream()
        self._received = 0
        self._ended = False

    async def chunks(self) -> AsyncIterator[bytes]:
        """The body; raises Refusal 510 when it comes too slowly and 406 when it is too large."""
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._settings.body_seconds
        while not self._ended:
            patience = min(self._settings.idle_seconds, deadline - loop.time())
            try:
                async with asyncio.timeout(patience):
                    chunk = await self._next()
            except TimeoutError as error:
                self._ended = True
                raise Refusal(Code.SERVER_ERROR, "the request body came too slowly") from error
            if self._received > self._settings.max_body:
                raise Refusal(Code.BAD_FORM, f"the body is larger than {self._settings.max_body >> 20} MiB")
            yield chunk

    async def drain(self) -> None:
        """Reads on without keeping anything, so that the client gets to read the answer."""
        declared = declared_length(self._request) or 0
        enough = _DRAIN_FACTOR * self._settings.max_body
        waits = self._request.headers.get("expect", "").lower() == "100-continue" and not self._received
        if waits or declared > enough:
            return
        with suppress(TimeoutError, ClientDisconnect):
            async with asyncio.timeout(_DRAIN_SECONDS):
                while not self._ended and self._received < enough:
                    await self._next()

    async def _next(self) -> bytes:
        try:
            chunk = await anext(self._stream)
        except StopAsyncIteration:
            self._ended = True
            return b""
        self._received += len(chunk)
        return chunk


@asynccontextmanager
async def received_form(
    request: Request, body: Body, settings: Settings, budget: MemoryBudget
) -> AsyncIterator[Form]:
    """The upload form; its bytes count against `budget` until the block ends. Raises Refusal."""
    if (declared_length(request) or 0) > settings.max_body:
        raise Refusal(Code.BAD_FORM, f"the body is larger than {settings.max_body >> 20} MiB")
    taken = 0

    def reserve(amount: int) -> None:
        nonlocal taken
        budget.take(amount)
        taken += amount

    try:
        reader = FormReader(
            request.headers.get("content-type", ""), max_file=settings.max_picture, reserve=reserve
        )
        async for chunk in body.chunks():
            reader.feed(chunk)
        yield reader.finish()
    finally:
        budget.give_back(taken)
