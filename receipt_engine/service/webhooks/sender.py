"""Makes the webhook calls: one at a time per webhook, many webhooks in parallel, ten seconds per call.

Of the answer only the status is used; redirects are not followed.
"""

from __future__ import annotations

import asyncio
import datetime
import json
import logging
import ssl
from collections.abc import Callable
from typing import Any

import h11

from receipt_engine.service.codes import Code
from receipt_engine.service.storage.database import DatabaseDown, DatabaseQueryFailed
from receipt_engine.service.webhooks.addresses import AddressRefused, Network, Target, look_up, parse_target
from receipt_engine.service.webhooks.outbox import Delivery, Outbox
from receipt_engine.service.webhooks.signature import signed_headers, signing_secret

log = logging.getLogger(__name__)

_SECONDS = 10.0
_LOOK_EVERY = 1.0
_CATCH_UP_EVERY = 60.0
_MOST_AT_ONCE = 32
_MOST_ANSWER = 64 * 1024
_NO_CALL = (OSError, TimeoutError, UnicodeError, h11.ProtocolError)


class WebhookSender:
    """Sends due deliveries. count: called with "delivered", "failed" or "refused" after each call.

    secret: the installation's; private: networks that may be called although they are not public.
    """

    def __init__(
        self,
        outbox: Outbox,
        secret: bytes,
        private: tuple[Network, ...] = (),
        count: Callable[[str], None] = lambda _: None,
        context: ssl.SSLContext | None = None,
    ) -> None:
        self._outbox = outbox
        self._secret = secret
        self._private = private
        self._count = count
        self._context = context or ssl.create_default_context()
        self._busy: dict[int, asyncio.Task[None]] = {}

    async def run(self) -> None:
        """Sends due deliveries, checking once a second, until cancelled."""
        loop = asyncio.get_running_loop()
        catch_up_at = loop.time()
        try:
            while True:
                try:
                    if loop.time() >= catch_up_at:
                        catch_up_at = loop.time() + _CATCH_UP_EVERY
                        await asyncio.to_thread(self._outbox.catch_up)
                    await self._start_all()
                except (DatabaseDown, DatabaseQueryFailed) as error:
                    log.error("database trouble", extra={"fields": {"reason": str(error)}})
                await asyncio.sleep(_LOOK_EVERY)
        finally:
            for task in self._busy.values():
                task.cancel()

    async def _start_all(self) -> None:
        for webhook_id in await asyncio.to_thread(self._outbox.ready):
            if webhook_id not in self._busy and len(self._busy) < _MOST_AT_ONCE:
                self._busy[webhook_id] = asyncio.create_task(self._serve(webhook_id))

    async def _serve(self, webhook_id: int) -> None:
        """Sends everything that is due for one webhook, until a call fails."""
        try:
            while (delivery := await asyncio.to_thread(self._outbox.take, webhook_id)) is not None:
                if not await self.deliver(delivery):
                    return
        except (DatabaseDown, DatabaseQueryFailed) as error:  # retried when the lease ends
            log.error("database trouble", extra={"fields": {"reason": str(error)}})
        finally:
            self._busy.pop(webhook_id, None)

    async def deliver(self, delivery: Delivery) -> bool:
        """Makes one call and records its outcome; returns whether it was delivered."""
        outcome, status = "failed", 0
        try:
            status = await self._post(parse_target(delivery.url), delivery)
            outcome = "delivered" if 200 <= status < 300 else "failed"
        except AddressRefused:
            outcome = "refused"
        except _NO_CALL as error:
            log.info("no answer", extra={"fields": {"reason": type(error).__name__}})
        note = self._outbox.delivered if outcome == "delivered" else self._outbox.failed
        await asyncio.to_thread(note, delivery, status)
        self._count(outcome)
        fields = {"webhook": delivery.webhook_id, "outcome": outcome, "status": status}
        log.info("webhook", extra={"fields": fields | {"attempt": delivery.attempts}})
        return outcome == "delivered"

    async def _post(self, target: Target, delivery: Delivery) -> int:
        """Returns the answer's status; raises AddressRefused, OSError, TimeoutError or h11.ProtocolError."""
        body = message(delivery)
        secret = signing_secret(self._secret, delivery.webhook_id, delivery.salt)
        now = int(datetime.datetime.now(datetime.UTC).timestamp())
        headers = {
            "Host": target.authority,
            "User-Agent": "receipt-engine",
            "Content-Type": "application/json",
            "Content-Length": str(len(body)),
            "Connection": "close",
            **signed_headers(secret, delivery.event, now, body),
        }
        async with asyncio.timeout(_SECONDS):
            address = await look_up(target, self._private)
            reader, writer = await asyncio.open_connection(
                address, target.port, ssl=self._context, server_hostname=target.host
            )
            try:
                return await _exchange(reader, writer, target.path, headers, body)
            finally:
                writer.transport.abort()


async def _exchange(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    path: str,
    headers: dict[str, str],
    body: bytes,
) -> int:
    connection = h11.Connection(h11.CLIENT)
    request = h11.Request(method="POST", target=path, headers=list(headers.items()))
    parts: list[Any] = [request, h11.Data(data=body), h11.EndOfMessage()]
    writer.write(b"".join(connection.send(part) or b"" for part in parts))
    await writer.drain()
    received = 0
    while True:
        event = connection.next_event()
        if isinstance(event, h11.Response):
            return event.status_code
        if event is h11.NEED_DATA:
            chunk = await reader.read(4096)
            received += len(chunk)
            if received > _MOST_ANSWER:
                raise h11.RemoteProtocolError("the answer's head is too long")
            connection.receive_data(chunk)
        elif isinstance(event, h11.ConnectionClosed):
            raise h11.RemoteProtocolError("there was no answer")


def message(delivery: Delivery) -> bytes:
    """Returns the body of a call as JSON: token and outcome code, no extracted data."""
    code = Code.AVAILABLE if delivery.readable else Code.OCR_FAILED
    moment = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    content = {
        "type": "receipt.available" if delivery.readable else "receipt.failed",
        "timestamp": moment,
        "data": {"token": delivery.token, "code": int(code)},
    }
    return json.dumps(content, separators=(",", ":")).encode()
