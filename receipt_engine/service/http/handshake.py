"""Handles a connection before HTTP: counts it when accepted, then runs the TLS handshake under a deadline.

The HTTP protocol takes over when the handshake is complete. uvicorn's own listener would count connections
only after TLS, and give a silent one a minute for the handshake.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable

from receipt_engine.service.http.connections import Admission, Connections
from receipt_engine.service.http.protocol import GuardedProtocol
from receipt_engine.service.http.tls import Certificate

MakeHttp = Callable[[Callable[[], None], bool], GuardedProtocol]


class HandshakeProtocol(asyncio.Protocol):
    """The first asyncio protocol of every accepted connection.

    make_http: creates the protocol that follows, from the function to call when the connection ends and
    whether the connection is over a limit and only gets an error. certificate: for TLS; None behind a proxy.
    """

    def __init__(
        self, connections: Connections, make_http: MakeHttp, certificate: Certificate | None
    ) -> None:
        self._connections = connections
        self._make_http = make_http
        self._certificate = certificate
        self._leave: Callable[[], None] = lambda: None
        self._task: asyncio.Task[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        peer = transport.get_extra_info("peername")
        admission, self._leave = self._connections.enter(peer)
        if admission is Admission.DROPPED:
            transport.abort()
            return
        protocol = self._make_http(self._leave, admission is Admission.REFUSED)
        if self._certificate is None:
            transport.set_protocol(protocol)
            protocol.connection_made(transport)
            return
        transport.pause_reading()
        loop = asyncio.get_running_loop()
        self._task = loop.create_task(self._handshake(transport, protocol, self._certificate.context))

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()

    async def _handshake(
        self, transport: asyncio.Transport, protocol: GuardedProtocol, context: ssl.SSLContext
    ) -> None:
        idle = self._connections.limits.idle
        try:
            secured = await asyncio.get_running_loop().start_tls(
                transport,
                protocol,
                context,
                server_side=True,
                ssl_handshake_timeout=idle,
                ssl_shutdown_timeout=idle,
            )
        except (OSError, ssl.SSLError) as error:
            if isinstance(error, ConnectionAbortedError):  # asyncio raises it at the handshake's deadline
                self._connections.expired("tls")
            secured = None
        except BaseException:
            self._leave()
            raise
        if secured is None or protocol.lost:
            self._leave()
        else:
            protocol.begin(secured, transport)
