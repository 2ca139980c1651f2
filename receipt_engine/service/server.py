"""The server process: public and operations listeners in one event loop, workers beside it."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
import signal
import ssl
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import uvicorn

from receipt_engine.service.assembly import open_gate, open_parts
from receipt_engine.service.http.app import operations_app, public_app
from receipt_engine.service.http.protocol import MAX_HEAD, guarded_protocol
from receipt_engine.service.http.tls import development_certificate, server_context
from receipt_engine.service.jobs.acceptor import Acceptor
from receipt_engine.service.jobs.supervisor import Supervisor
from receipt_engine.service.jobs.worker import load_merchants
from receipt_engine.service.ops.probes import Probes
from receipt_engine.service.settings import Settings, SettingsError, sole_server

log = logging.getLogger(__name__)


class _Listener(uvicorn.Server):
    """A uvicorn server that leaves signals to `serve`."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def tls_context(settings: Settings, *, dev_cert: bool, behind_proxy: bool) -> ssl.SSLContext | None:
    """The TLS context, or None behind a proxy. Raises SettingsError: there is no plain HTTP endpoint."""
    if behind_proxy:
        if not settings.unix_socket and settings.host not in {"127.0.0.1", "::1", "localhost"}:
            raise SettingsError(
                "Behind a proxy the service listens on loopback or a unix socket; set host or unix_socket."
            )
        return None
    certificate, private_key = settings.certificate, settings.private_key
    if dev_cert:
        settings.data.mkdir(parents=True, exist_ok=True, mode=0o700)
        certificate, private_key = map(str, development_certificate(settings.data, settings.host))
    if not certificate or not private_key:
        raise SettingsError(
            "The service speaks HTTPS only: set certificate and private_key, or pass --dev-cert to try it "
            "out, or --behind-proxy when a proxy on this machine ends TLS."
        )
    try:
        return server_context(certificate, private_key)
    except (OSError, ssl.SSLError) as error:
        raise SettingsError(f"The certificate or key cannot be used: {error}") from error


def serve(settings: Settings, *, dev_cert: bool = False, behind_proxy: bool = False) -> int:
    """Runs until SIGTERM or SIGINT, then drains. Returns the exit status."""
    context = tls_context(settings, dev_cert=dev_cert, behind_proxy=behind_proxy)
    load_merchants(settings)  # a wrong table is told here, not by every worker
    settings.data.mkdir(parents=True, exist_ok=True, mode=0o700)
    with sole_server(settings):
        parts = open_parts(settings)
        gate = open_gate(settings)
        acceptor = Acceptor(parts.uploads())
        probes = Probes(parts, gate)
        supervisor = Supervisor(parts)
        supervisor.start()
        public = _public_listener(
            settings, public_app(parts, acceptor, gate, proxied=context is None), context
        )
        listeners = [public]
        if settings.operations_port >= 0:
            listeners.append(_operations_listener(settings, operations_app(probes)))
        try:
            welcome = functools.partial(_welcome, settings) if dev_cert else None
            asyncio.run(_run(listeners, probes, welcome))
        finally:
            acceptor.close()
            supervisor.drain()
            parts.close()
    return 0


def _public_listener(settings: Settings, app: Any, context: ssl.SSLContext | None) -> _Listener:
    config = uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        uds=settings.unix_socket or None,
        http=guarded_protocol(settings.idle_seconds, settings.max_connections),
        ssl_context_factory=(lambda *_: context) if context is not None else None,
        h11_max_incomplete_event_size=MAX_HEAD,
        timeout_keep_alive=int(max(5, settings.idle_seconds)),
        timeout_graceful_shutdown=int(settings.drain_seconds),
        **_COMMON,
    )
    return _Listener(config)


def _operations_listener(settings: Settings, app: Any) -> _Listener:
    config = uvicorn.Config(
        app, host=settings.operations_host, port=settings.operations_port, http="h11", **_COMMON
    )
    return _Listener(config)


_COMMON: dict[str, Any] = {
    "ws": "none",
    "lifespan": "off",
    "log_config": None,
    "access_log": False,
    "server_header": False,
    "proxy_headers": False,
}


async def _run(
    listeners: list[_Listener], probes: Probes, welcome: Callable[[int], None] | None = None
) -> None:
    loop = asyncio.get_running_loop()
    stopping = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    tasks = [asyncio.create_task(listener.serve()) for listener in listeners]
    while not stopping.is_set() and not any(task.done() for task in tasks):
        if all(listener.started for listener in listeners):
            _tell_addresses(listeners)
            if welcome:
                welcome(listeners[0].servers[0].sockets[0].getsockname()[1])
            break
        await asyncio.sleep(0.02)
    stop = asyncio.create_task(stopping.wait())
    await asyncio.wait([stop, *tasks], return_when=asyncio.FIRST_COMPLETED)
    probes.draining = True
    log.info("draining")
    for listener in listeners:
        listener.should_exit = True
    stop.cancel()
    await asyncio.gather(*tasks)


def _tell_addresses(listeners: list[_Listener]) -> None:
    names = ("public", "operations")
    addresses = {
        name: [socket.getsockname() for server in listener.servers for socket in server.sockets]
        for name, listener in zip(names, listeners, strict=False)
    }
    log.info("listening", extra={"fields": addresses})


def _welcome(settings: Settings, port: int) -> None:
    """What somebody who tries the service out wants to know; the log goes to standard error."""
    address = f"https://localhost:{port}"
    elsewhere = settings.data != replace(settings, data_dir="").data
    where = f" --data-dir {settings.data}" if elsewhere else ""
    print(
        f"""The service listens on {address} with a self-signed certificate. In another terminal:

  receipt-engine account create me{where}            makes an account and shows its key, once
  curl --cacert {settings.data}/dev-cert.pem -H 'apikey: KEY' -F file=@receipt.jpg {address}/api/2/process
  curl --cacert {settings.data}/dev-cert.pem -H 'apikey: KEY' {address}/api/result/TOKEN

The dashboard is at {address}/dashboard, after: receipt-engine account password me --generate{where}
""",
        flush=True,
    )


def serve_workers(settings: Settings) -> int:
    """Worker processes without a listener, for further hosts; runs until SIGTERM or SIGINT, then drains."""
    if settings.embedded:
        raise SettingsError("Workers on their own need PostgreSQL; with SQLite, serve starts them.")
    load_merchants(settings)
    stopping = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stopping.set())
    parts = open_parts(settings)
    supervisor = Supervisor(parts)
    supervisor.start()
    while not stopping.wait(1.0):
        pass
    supervisor.drain()
    parts.close()
    return 0
