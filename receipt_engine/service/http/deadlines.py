"""Enforces time limits on request bodies, and drains or closes connections whose body was not read.

It is one ASGI layer around all routes, so no route can forget it.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from receipt_engine.service.codes import Code, Refusal
from receipt_engine.service.ops.metrics import Metrics
from receipt_engine.service.settings import Settings

#: Limits for draining an unread body: seconds, and its size in multiples of `max_body`.
_DRAIN_SECONDS = 5.0
_DRAIN_FACTOR = 4


class BodyDeadlines:
    """ASGI middleware: a body that arrives too slowly raises Refusal 510 where it is read."""

    def __init__(self, app: ASGIApp, settings: Settings, metrics: Metrics) -> None:
        self._app = app
        self._settings = settings
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            timed = _TimedBody(scope, receive, send, self._settings, self._metrics)
            await self._app(scope, timed.receive, timed.send)
        else:
            await self._app(scope, receive, send)


class _TimedBody:
    """One request's body: received in time, drained before the answer, or the connection is closed."""

    def __init__(
        self, scope: Scope, receive: Receive, send: Send, settings: Settings, metrics: Metrics
    ) -> None:
        headers = dict(scope["headers"])
        length = headers.get(b"content-length", b"")
        self._declared = int(length) if length.isdigit() else 0
        self._ended = not self._declared and b"transfer-encoding" not in headers
        self._hesitates = headers.get(b"expect", b"").lower() == b"100-continue"
        self._receive, self._send = receive, send
        self._settings, self._metrics = settings, metrics
        self._received = 0
        self._deadline: float | None = None
        self._given_up = False

    async def receive(self) -> Message:
        """Returns the next part of the body. Raises Refusal 510 when it does not arrive in time."""
        if self._ended:  # the caller waits for the client to disconnect: no deadline
            return await self._receive()
        now = asyncio.get_running_loop().time()
        if self._deadline is None:
            self._deadline = now + self._settings.body_seconds
        try:
            async with asyncio.timeout(min(self._settings.idle_seconds, self._deadline - now)):
                return await self._next()
        except TimeoutError as error:
            self._metrics.count("connections_expired_total", "phase", "body")
            self._given_up = True
            raise Refusal(Code.SERVER_ERROR, "the request body came too slowly", retry_after=1) from error

    async def send(self, message: Message) -> None:
        """Passes an answer on.

        The unread rest of the body is discarded first, so that clients that send everything before they read
        still get the answer. If too much is left, the connection is closed after the answer.
        """
        if message["type"] == "http.response.start" and not self._ended:
            await self._drain()
            if not self._ended:
                message = {**message, "headers": [*message["headers"], (b"connection", b"close")]}
        await self._send(message)

    async def _next(self) -> Message:
        message = await self._receive()
        self._received += len(message.get("body", b""))
        if message["type"] != "http.request" or not message.get("more_body", False):
            self._ended = True
        return message

    async def _drain(self) -> None:
        enough = _DRAIN_FACTOR * self._settings.max_body
        unasked = self._hesitates and not self._received  # the client waits for a 100 that nobody sent
        if self._given_up or unasked or self._declared > enough:
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(min(_DRAIN_SECONDS, self._settings.idle_seconds)):
                while not self._ended and self._received < enough:
                    await self._next()
