"""Runs the server process: public and operations listeners in one event loop, plus the worker processes."""

from __future__ import annotations

import asyncio
import functools
import logging
import resource
import signal
import ssl
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from receipt_engine.service.assembly import HttpLimits, Parts, open_http_limits, open_parts
from receipt_engine.service.http.app import operations_app, public_app
from receipt_engine.service.http.connections import ConnectionLimits, Connections
from receipt_engine.service.http.listener import Listener, ListenError
from receipt_engine.service.http.tls import Certificate, development_certificate
from receipt_engine.service.jobs.acceptor import Acceptor
from receipt_engine.service.jobs.supervisor import Supervisor
from receipt_engine.service.jobs.worker import load_merchants
from receipt_engine.service.ops.probes import Probes
from receipt_engine.service.settings import Settings, SettingsError, sole_server
from receipt_engine.service.webhooks.addresses import parse_networks
from receipt_engine.service.webhooks.outbox import Outbox
from receipt_engine.service.webhooks.sender import WebhookSender

log = logging.getLogger(__name__)

_OPERATIONS_CONNECTIONS = 100
#: Open files needed besides connections.
_OTHER_FILES = 512
#: Seconds between checks for new certificate files.
_LOOK_FOR_CERTIFICATE = 10.0


def open_certificate(settings: Settings, *, dev_cert: bool, behind_proxy: bool) -> Certificate | None:
    """Returns the TLS certificate, or None behind a proxy.

    Raises SettingsError when there is neither, because there is no plain HTTP endpoint.
    """
    if behind_proxy:
        if not settings.unix_socket and settings.host not in {"127.0.0.1", "::1", "localhost"}:
            raise SettingsError(
                "Behind a proxy the service must listen on loopback or a unix socket: "
                "set host or unix_socket."
            )
        return None
    certificate, private_key = settings.certificate, settings.private_key
    if dev_cert:
        settings.data.mkdir(parents=True, exist_ok=True, mode=0o700)
        certificate, private_key = map(str, development_certificate(settings.data, settings.host))
    if not certificate or not private_key:
        raise SettingsError(
            "The service speaks HTTPS only: set certificate and private_key, or pass --dev-cert to try it "
            "out, or --behind-proxy when a proxy on this machine terminates TLS."
        )
    try:
        return Certificate(certificate, private_key)
    except (OSError, ssl.SSLError) as error:
        raise SettingsError(f"The certificate or key cannot be used: {error}") from error


def serve(settings: Settings, *, dev_cert: bool = False, behind_proxy: bool = False) -> int:
    """Runs until SIGTERM or SIGINT, then drains. Returns the exit status."""
    certificate = open_certificate(settings, dev_cert=dev_cert, behind_proxy=behind_proxy)
    load_merchants(settings)  # report an unusable table here, not in every worker
    settings.data.mkdir(parents=True, exist_ok=True, mode=0o700)
    _allow_files(settings)
    with sole_server(settings):
        parts = open_parts(settings)
        http_limits = open_http_limits(settings)
        acceptor = Acceptor(parts.uploads())
        probes = Probes(parts, http_limits)
        supervisor = Supervisor(parts)
        supervisor.start()
        app = public_app(parts, acceptor, http_limits, proxied=certificate is None)
        listeners = {"public": _public_listener(settings, app, http_limits, certificate)}
        listeners |= _operations_listener(settings, probes, http_limits)
        try:
            welcome = functools.partial(_welcome, settings) if dev_cert else None
            sender = _webhook_sender(parts, http_limits)
            asyncio.run(_run(_Running(listeners, probes, supervisor, certificate, sender, welcome)))
        except ListenError as error:
            raise SettingsError(str(error)) from error
        finally:
            acceptor.close()
            supervisor.drain()
            parts.close()
    return 0


def _allow_files(settings: Settings) -> None:
    """Raises the open-file limit to what the connections need: many systems default to 1024."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = settings.max_connections * 2 + _OTHER_FILES
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    if most < wanted:
        log.warning("few open files are allowed", extra={"fields": {"allowed": most, "wanted": wanted}})


def _public_listener(
    settings: Settings, app: Any, http_limits: HttpLimits, certificate: Certificate | None
) -> Listener:
    return Listener(
        app,
        http_limits.connections,
        host=settings.host,
        port=settings.port,
        unix_socket=settings.unix_socket,
        certificate=certificate,
        drain_seconds=settings.drain_seconds,
    )


def _operations_listener(settings: Settings, probes: Probes, http_limits: HttpLimits) -> dict[str, Listener]:
    """Returns the listener for health, readiness and metrics by its name; empty when switched off."""
    if settings.operations_port < 0:
        return {}
    limits = ConnectionLimits(_OPERATIONS_CONNECTIONS, 0, settings.idle_seconds)
    listener = Listener(
        operations_app(probes),
        Connections(limits, http_limits.metrics),
        host=settings.operations_host,
        port=settings.operations_port,
        drain_seconds=1,
    )
    return {"operations": listener}


def _webhook_sender(parts: Parts, http_limits: HttpLimits) -> WebhookSender | None:
    """Returns the webhook sender, or None when webhooks are switched off."""
    if not parts.settings.webhooks:
        return None
    count = functools.partial(http_limits.metrics.count, "webhook_calls_total", "outcome")
    networks = parse_networks(parts.settings.webhook_networks)
    return WebhookSender(Outbox(parts.database), parts.secrets.webhook, networks, count)


@dataclass(frozen=True)
class _Running:
    """The objects that the event loop runs. welcome: called with the public port once it listens."""

    listeners: dict[str, Listener]
    probes: Probes
    supervisor: Supervisor
    certificate: Certificate | None = None
    sender: WebhookSender | None = None
    welcome: Callable[[int], None] | None = None


async def _run(running: _Running) -> None:
    loop = asyncio.get_running_loop()
    listeners = list(running.listeners.values())
    stopping = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    loop.add_signal_handler(signal.SIGHUP, _nothing)  # without a certificate to reload, SIGHUP is ignored
    aside = [asyncio.create_task(_renew(running.certificate))] if running.certificate else []
    aside += [asyncio.create_task(running.sender.run())] if running.sender else []
    tasks = [asyncio.create_task(listener.serve()) for listener in listeners]
    while not stopping.is_set() and not any(task.done() for task in tasks):
        if all(listener.started for listener in listeners):
            addresses = {name: listener.addresses() for name, listener in running.listeners.items()}
            log.info("listening", extra={"fields": addresses})
            if running.welcome:
                running.welcome(listeners[0].addresses()[0][1])
            break
        await asyncio.sleep(0.02)
    stop = asyncio.create_task(stopping.wait())
    await asyncio.wait([stop, *tasks], return_when=asyncio.FIRST_COMPLETED)
    running.probes.draining = True
    running.supervisor.begin_drain()  # workers finish their jobs while open requests finish
    log.info("draining")
    for listener in listeners:
        listener.should_exit = True
    stop.cancel()
    for task in aside:
        task.cancel()
    await asyncio.gather(*tasks)


def _nothing() -> None:
    """Does nothing."""


async def _renew(certificate: Certificate) -> None:
    """Reloads changed certificate files: checks periodically, and at once on SIGHUP."""
    hangup = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, hangup.set)
    while True:
        with suppress(TimeoutError):
            async with asyncio.timeout(_LOOK_FOR_CERTIFICATE):
                await hangup.wait()
        hangup.clear()
        certificate.refresh()


def _welcome(settings: Settings, port: int) -> None:
    """Prints first steps for somebody trying the service out, to stdout; the log goes to stderr."""
    address = f"https://localhost:{port}"
    elsewhere = settings.data != replace(settings, data_dir="").data
    where = f" --data-dir {settings.data}" if elsewhere else ""
    print(
        f"""The service listens on {address} with a self-signed certificate. In another terminal:

  receipt-engine account create me{where}            creates an account and shows its key once
  curl --cacert {settings.data}/dev-cert.pem -H 'apikey: KEY' -F file=@receipt.jpg {address}/api/2/process
  curl --cacert {settings.data}/dev-cert.pem -H 'apikey: KEY' {address}/api/result/TOKEN

For a client that waits for the status "pending" and "done", as most existing ones do:
  receipt-engine account create me{where} --profile classic

The dashboard is at {address}/dashboard, after: receipt-engine account password me --generate{where}
""",
        flush=True,
    )


def serve_workers(settings: Settings) -> int:
    """Runs only worker processes and their probes, for additional hosts, until SIGTERM or SIGINT.

    Then drains and returns the exit status.
    """
    if settings.embedded:
        raise SettingsError("Separate workers need PostgreSQL; with SQLite, serve starts the workers.")
    load_merchants(settings)
    settings.data.mkdir(parents=True, exist_ok=True, mode=0o700)
    parts = open_parts(settings)
    http_limits = open_http_limits(settings)
    probes = Probes(parts, http_limits)
    supervisor = Supervisor(parts)
    supervisor.start()
    try:
        asyncio.run(_run(_Running(_operations_listener(settings, probes, http_limits), probes, supervisor)))
    except ListenError as error:
        raise SettingsError(f"{error}; choose another operations_port, or -1 for none.") from error
    finally:
        supervisor.drain()
        parts.close()
    return 0
