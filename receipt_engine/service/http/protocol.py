"""HTTP/1.1 connections that cannot be held open for nothing.

On top of uvicorn's h11 protocol: whatever a connection waits for has a deadline, and bytes that are no HTTP
are answered with the envelope instead of a plain 400. Heads are limited to 32 KiB by h11.

    head      a request's head, from the first byte of the connection (or of the next request) to its last
    idle      between an answer and the next request
    unread    an answer was given before the request's body came: what still comes is no reason to wait
    answer    the client does not read what it asked for
    close     the connection was closed; the client does not follow

The body of a request has its deadline in `deadlines`, TLS in `doorway`.
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
#: Seconds between looks at whether a client reads what it is sent, and for which a closed connection with
#: nothing left to send is given to end by itself.
_STEP = 0.5
Phase = Literal["head", "idle", "unread", "answer", "close"]


class GuardedProtocol(H11Protocol):
    """One connection after TLS. leave: called at its end. told: it is over a limit and only told so."""

    def __init__(self, connections: Connections, leave: Callable[[], None], told: bool, **uvicorn: Any):
        super().__init__(**uvicorn)
        self._limits = connections
        self._leave = leave
        self._told = told
        self._early = b""
        self._phase: Phase | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._unsent = 0
        self._read_at = 0.0
        self._raw: asyncio.Transport | None = None
        self.lost = False

    def begin(self, transport: asyncio.Transport, raw: asyncio.Transport) -> None:
        """Takes over after TLS; `raw` is the transport below it. Bytes may have come with the handshake."""
        self._raw = raw
        self.connection_made(transport)
        if self._early and not transport.is_closing():
            early, self._early = self._early, b""
            self.data_received(early)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._raw = self._raw or transport
        if self._told:
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
        self._unset_keepalive_if_required()  # the deadlines here stand in for it
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
        """The service stops: an idle connection is closed, a busy one after its answer."""
        if not self.transport.is_closing():
            super().shutdown()
        if self.transport.is_closing():
            self._enter("close")

    def send_400_response(self, msg: str) -> None:
        """What h11 could not read: code 406; too many connections: code 510."""
        if self.conn.our_state in {h11.IDLE, h11.SEND_RESPONSE}:
            code = Code.SERVER_ERROR if self._told else Code.BAD_FORM
            body = encode(envelope(code, detail=msg.lower().rstrip(".")))
            wait = "retry-after: 5\r\n" if self._told else ""
            head = (
                f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n{wait}"
                f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
            )
            self.transport.write(head.encode() + body)
        self._close()

    def _follow(self, *, answered: bool = False) -> None:
        """Enters the phase that the connection is in now. A byte prolongs none but the first of a head."""
        if self.transport.is_closing():
            if self._phase != "close":
                self._enter("close")
        elif self._phase == "answer":
            return
        elif self.cycle is not None and not self.cycle.response_complete:
            self._disarm()  # the application has it, and `deadlines` the body
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
        """Waits on for as long as the client reads, however slowly."""
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
        """Nobody reads it: the kernel is not to keep it after the connection either."""
        with contextlib.suppress(OSError, AttributeError):
            socket = (self._raw or self.transport).get_extra_info("socket")
            socket.setsockopt(SOL_SOCKET, SO_LINGER, struct.pack("ii", 1, 0))

    def _pending(self) -> int:
        """Bytes of answers that the client's machine has not confirmed yet."""
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
