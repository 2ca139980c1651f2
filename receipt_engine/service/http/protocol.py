"""HTTP/1.1 connections with a deadline for every phase, so that idle or slow clients cannot hold them open.

Extends uvicorn's h11 protocol. Bytes that are not HTTP are answered with the envelope instead of a plain 400.
h11 limits heads to 32 KiB. The phases:

    head      receiving a request's head, from the start of the connection or the head's first byte
    idle      between an answer and the next request
    unread    an answer was sent before the request's body arrived; more body bytes do not extend the deadline
    answer    the client is not reading the answer
    close     the connection was closed, but the client has not closed its side

Deadlines for request bodies are in `deadlines`, for TLS in `doorway`.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import struct
import termios
from collections.abc import Callable
from socket import SO_LINGER, SOL_SOCKET
from typing import Any, Literal

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from receipt_engine.service.codes import Code, encode, envelope
from receipt_engine.service.http.connections import Connections

MAX_HEAD = 32 * 1024
#: Seconds between checks that a client reads its answer; also the time that a closed connection with nothing
#: left to send gets to end by itself.
_STEP = 0.5
Phase = Literal["head", "idle", "unread", "answer", "close"]


class GuardedProtocol(H11Protocol):
    """One connection after TLS. leave: called at its end; refused: over a limit, so it only gets an error."""

    def __init__(self, connections: Connections, leave: Callable[[], None], refused: bool, **uvicorn: Any):
        super().__init__(**uvicorn)
        self._limits = connections
        self._leave = leave
        self._refused = refused
        self._early = b""
        self._phase: Phase | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._unsent = 0
        self._read_at = 0.0
        self._raw: asyncio.Transport | None = None
        self.lost = False

    def begin(self, transport: asyncio.Transport, raw: asyncio.Transport) -> None:
        """Takes over after TLS, with any bytes that arrived with the handshake. raw: the TCP transport."""
        self._raw = raw
        self.connection_made(transport)
        if self._early and not transport.is_closing():
            early, self._early = self._early, b""
            self.data_received(early)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._raw = self._raw or transport
        if self._refused:
            self.send_400_response("too many connections")
        else:
            self._enter("head")

    def data_received(self, data: bytes) -> None:
        if self.transport is None:
            self._early += data
            return
        if self.transport.is_closing():
            return
        super().data_received(data)
        self._follow()

    def connection_lost(self, exc: Exception | None) -> None:
        self.lost = True
        self._disarm()
        self._leave()
        if self.transport is not None:
            super().connection_lost(exc)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._unset_keepalive_if_required()  # the deadlines here replace uvicorn's
        self._follow(answered=True)

    def pause_writing(self) -> None:
        super().pause_writing()
        if not self.transport.is_closing():
            self._enter("answer")

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._phase == "answer":
            self._disarm()
            self._follow()

    def shutdown(self) -> None:
        """Closes an idle connection at once, a busy one after its answer."""
        if not self.transport.is_closing():
            super().shutdown()
        if self.transport.is_closing():
            self._enter("close")

    def send_400_response(self, msg: str) -> None:
        """Answers with code 406 when h11 could not parse the request, 510 for too many connections."""
        if self.conn.our_state in {h11.IDLE, h11.SEND_RESPONSE}:
            code = Code.SERVER_ERROR if self._refused else Code.BAD_FORM
            body = encode(envelope(code, detail=msg.lower().rstrip(".")))
            wait = "retry-after: 5\r\n" if self._refused else ""
            head = (
                f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n{wait}"
                f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
            )
            self.transport.write(head.encode() + body)
        self._close()

    def _follow(self, *, answered: bool = False) -> None:
        """Enters the phase that the connection is in now.

        Received bytes do not extend a deadline, except that a head's first byte starts a new one.
        """
        if self.transport.is_closing():
            if self._phase != "close":
                self._enter("close")
        elif self._phase == "answer":
            return
        elif self.cycle is not None and not self.cycle.response_complete:
            self._disarm()  # the application handles the request, and `deadlines` times the body
        elif self.conn.their_state is not h11.IDLE:
            if self._phase != "unread":
                self._enter("unread")
        elif answered and not self.conn.trailing_data[0]:
            self._enter("idle")
        elif self._phase != "head":
            self._enter("head")

    def _enter(self, phase: Phase) -> None:
        self._disarm()
        self._phase = phase
        if phase in {"answer", "close"}:
            self._unsent, self._read_at = self._pending(), self.loop.time()
            self._timer = self.loop.call_later(_STEP, self._look_at_reader)
        else:
            self._timer = self.loop.call_later(self._limits.limits.idle, self._expire)

    def _disarm(self) -> None:
        self._phase = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _expire(self) -> None:
        self._timer = None
        self._limits.expired(self._phase or "head")
        self._close()

    def _look_at_reader(self) -> None:
        """Keeps waiting as long as the client reads, however slowly; else aborts the connection."""
        now, pending = self.loop.time(), self._pending()
        if pending < self._unsent:
            self._unsent, self._read_at = pending, now
        if self._phase == "close" and not pending:
            self.transport.abort()
        elif now - self._read_at >= self._limits.limits.idle:
            self._limits.expired("answer")
            self._forget_unsent()
            self.transport.abort()
        else:
            self._timer = self.loop.call_later(_STEP, self._look_at_reader)

    def _close(self) -> None:
        if not self.transport.is_closing():
            self.transport.close()
        self._enter("close")

    def _forget_unsent(self) -> None:
        """Makes the kernel discard unsent data when the connection is aborted, since nobody reads it."""
        with contextlib.suppress(OSError, AttributeError):
            socket = (self._raw or self.transport).get_extra_info("socket")
            socket.setsockopt(SOL_SOCKET, SO_LINGER, struct.pack("ii", 1, 0))

    def _pending(self) -> int:
        """Returns the bytes of answers that the client's machine has not acknowledged yet."""
        raw = self._raw or self.transport
        pending = self.transport.get_write_buffer_size()
        if raw is not self.transport:
            pending += raw.get_write_buffer_size()
        socket = raw.get_extra_info("socket")
        try:
            queued = fcntl.ioctl(socket.fileno(), termios.TIOCOUTQ, b"\0" * 4)
        except (OSError, ValueError, AttributeError):  # closed meanwhile
            return pending
        return pending + int(struct.unpack("i", queued)[0])
