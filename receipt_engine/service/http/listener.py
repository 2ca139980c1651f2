"""A uvicorn server that accepts through `HandshakeProtocol` and leaves signal handling to its caller."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from socket import socket
from typing import Any

import uvicorn

from receipt_engine.service.http.connections import Connections
from receipt_engine.service.http.handshake import HandshakeProtocol
from receipt_engine.service.http.protocol import MAX_HEAD, GuardedProtocol
from receipt_engine.service.http.tls import Certificate

_SOCKET_MODE = 0o666  # access is controlled by the permissions of the socket's folder


class ListenError(OSError):
    """Listening on an address failed; the message names it."""


class Listener(uvicorn.Server):
    """Listens on one address or unix socket. certificate: for TLS; None for plain HTTP on loopback, a unix
    socket or the operations address."""

    def __init__(
        self,
        app: Any,
        connections: Connections,
        *,
        host: str,
        port: int,
        unix_socket: str = "",
        certificate: Certificate | None = None,
        drain_seconds: float,
    ) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                host=host,
                port=port,
                uds=unix_socket or None,
                http=GuardedProtocol,
                h11_max_incomplete_event_size=MAX_HEAD,
                timeout_graceful_shutdown=max(1, int(drain_seconds)),
                ws="none",
                lifespan="off",
                log_config=None,
                access_log=False,
                server_header=False,
                proxy_headers=False,
            )
        )
        self._admitted = connections
        self._certificate = certificate

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leaves signals to the caller."""
        yield

    def addresses(self) -> list[Any]:
        """Returns the socket addresses it listens on, once `started`."""
        return [listening.getsockname() for server in self.servers for listening in server.sockets]

    async def startup(self, sockets: list[socket] | None = None) -> None:
        """Starts listening. Raises ListenError."""
        config = self.config
        loop = asyncio.get_running_loop()
        try:
            if config.uds:
                server = await loop.create_unix_server(self._handshake, config.uds, backlog=config.backlog)
                Path(config.uds).chmod(_SOCKET_MODE)
            else:
                server = await loop.create_server(
                    self._handshake, config.host, config.port, backlog=config.backlog
                )
        except OSError as error:
            where = config.uds or f"{config.host}:{config.port}"
            raise ListenError(f"Cannot listen on {where}: {error.strerror or error}") from error
        self.servers = [server]
        self.started = True

    async def shutdown(self, sockets: list[socket] | None = None) -> None:
        """Shuts down like uvicorn, then aborts the connections that are still open."""
        await super().shutdown(sockets)
        for connection in list(self.server_state.connections):
            if isinstance(connection, GuardedProtocol):
                connection.transport.abort()

    def _handshake(self) -> HandshakeProtocol:
        def make_http(leave: Callable[[], None], refused: bool) -> GuardedProtocol:
            return GuardedProtocol(
                self._admitted,
                leave,
                refused,
                config=self.config,
                server_state=self.server_state,
                app_state={},
            )

        return HandshakeProtocol(self._admitted, make_http, self._certificate)
