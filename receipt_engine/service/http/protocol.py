"""HTTP/1.1 connections that cannot be held open for nothing.

On top of uvicorn's h11 protocol: a request head must be complete in time, connections are capped, and bytes
that are no HTTP are answered with the envelope instead of a plain 400. Heads are limited to 32 KiB by h11.
"""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from receipt_engine.service.codes import Code, encode, envelope

MAX_HEAD = 32 * 1024


def guarded_protocol(idle_seconds: float, max_connections: int) -> type[asyncio.Protocol]:
    """A protocol class with these limits."""

    class GuardedProtocol(H11Protocol):
        _head_timer: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            if len(self.connections) > max_connections:
                self.send_400_response("too many connections")
                return
            self._arm()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            waiting = self.conn.our_state is h11.IDLE and not self.transport.is_closing()
            if waiting and self._head_timer is None:
                self._arm()
            elif not waiting:
                self._disarm()

        def connection_lost(self, exc: Exception | None) -> None:
            self._disarm()
            super().connection_lost(exc)

        def send_400_response(self, msg: str) -> None:
            """What h11 could not read: code 406; too many connections: code 510."""
            if self.conn.our_state in {h11.IDLE, h11.SEND_RESPONSE}:
                code = Code.SERVER_ERROR if msg.startswith("too many") else Code.BAD_FORM
                body = encode(envelope(code, detail=msg.lower().rstrip(".")))
                head = (
                    "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"
                    f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
                )
                self.transport.write(head.encode() + body)
            self.transport.close()

        def _arm(self) -> None:
            self._head_timer = self.loop.call_later(idle_seconds, self._too_slow)

        def _disarm(self) -> None:
            if self._head_timer is not None:
                self._head_timer.cancel()
                self._head_timer = None

        def _too_slow(self) -> None:
            self._head_timer = None
            if self.conn.our_state is h11.IDLE:
                self.transport.close()

    protocol: Any = GuardedProtocol
    return protocol  # type: ignore[no-any-return]
