"""The two clients, blocking and asynchronous: run the generators of `conversation` over httpx2."""

from __future__ import annotations

import asyncio
import ssl
import time
from types import TracebackType
from typing import Any, Self, TypeVar, Unpack

import httpx2

from receipt_engine.client import conversation
from receipt_engine.client.conversation import (
    Answer,
    Conversation,
    Options,
    Pending,
    Request,
    Source,
    Upload,
    Wait,
)
from receipt_engine.result import Result

T = TypeVar("T")

_PATIENCE = 60.0
_TIMEOUT = 30.0


class ReceiptClient:
    """Blocking client; safe to use from several threads.

    base_url: for instance `https://receipts.example`. key: the API key. verify: a TLS context, when the
    service's certificate is not signed by a public authority. Every method raises ServiceError.
    """

    def __init__(
        self,
        base_url: str,
        key: str,
        *,
        verify: ssl.SSLContext | bool = True,
        timeout: float = _TIMEOUT,
        transport: httpx2.BaseTransport | None = None,
    ) -> None:
        self._http = httpx2.Client(
            base_url=base_url,
            headers={"apikey": key},
            verify=verify,
            timeout=timeout,
            transport=transport,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def read(
        self,
        picture: Source,
        *,
        filename: str | None = None,
        patience: float = _PATIENCE,
        **options: Unpack[Options],
    ) -> Result:
        """Uploads an image (a path or its bytes) and waits for the result, at most `patience` seconds."""
        return self._hold(conversation.read(picture, filename, patience, options))

    def upload(self, picture: Source, *, filename: str | None = None, **options: Unpack[Options]) -> Upload:
        """Uploads an image and returns at once; costs a credit."""
        return self._hold(conversation.upload(picture, filename, options))

    def wait(self, token: str, *, patience: float = _PATIENCE) -> Result:
        """Waits for the result of an upload."""
        return self._hold(conversation.wait(token, patience))

    def result(self, token: str) -> Result | Pending:
        """Asks once for the result of an upload."""
        return self._hold(conversation.fetch(token))

    def credit(self) -> int:
        """The remaining credits."""
        return self._hold(conversation.credit())

    def _hold(self, held: Conversation[T]) -> T:
        answer: Answer | None = None
        try:
            while True:
                step = held.send(answer)
                if isinstance(step, Wait):
                    time.sleep(step.seconds)
                    answer = None
                else:
                    answer = self._ask(step)
        except StopIteration as end:
            value: T = end.value
            return value

    def _ask(self, request: Request) -> Answer:
        try:
            return _answer(self._http.request(request.method, request.path, **_body(request)))
        except httpx2.TransportError as error:
            return Answer(failure=f"{type(error).__name__}: {error}")


class AsyncReceiptClient:
    """Like ReceiptClient, with coroutines; for use in one event loop."""

    def __init__(
        self,
        base_url: str,
        key: str,
        *,
        verify: ssl.SSLContext | bool = True,
        timeout: float = _TIMEOUT,
        transport: httpx2.AsyncBaseTransport | None = None,
    ) -> None:
        self._http = httpx2.AsyncClient(
            base_url=base_url,
            headers={"apikey": key},
            verify=verify,
            timeout=timeout,
            transport=transport,
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connections."""
        await self._http.aclose()

    async def read(
        self,
        picture: Source,
        *,
        filename: str | None = None,
        patience: float = _PATIENCE,
        **options: Unpack[Options],
    ) -> Result:
        """Uploads an image (a path or its bytes) and waits for the result, at most `patience` seconds."""
        return await self._hold(conversation.read(picture, filename, patience, options))

    async def upload(
        self, picture: Source, *, filename: str | None = None, **options: Unpack[Options]
    ) -> Upload:
        """Uploads an image and returns at once; costs a credit."""
        return await self._hold(conversation.upload(picture, filename, options))

    async def wait(self, token: str, *, patience: float = _PATIENCE) -> Result:
        """Waits for the result of an upload."""
        return await self._hold(conversation.wait(token, patience))

    async def result(self, token: str) -> Result | Pending:
        """Asks once for the result of an upload."""
        return await self._hold(conversation.fetch(token))

    async def credit(self) -> int:
        """The remaining credits."""
        return await self._hold(conversation.credit())

    async def _hold(self, held: Conversation[T]) -> T:
        answer: Answer | None = None
        try:
            while True:
                step = held.send(answer)
                if isinstance(step, Wait):
                    await asyncio.sleep(step.seconds)
                    answer = None
                else:
                    answer = await self._ask(step)
        except StopIteration as end:
            value: T = end.value
            return value

    async def _ask(self, request: Request) -> Answer:
        try:
            return _answer(await self._http.request(request.method, request.path, **_body(request)))
        except httpx2.TransportError as error:
            return Answer(failure=f"{type(error).__name__}: {error}")


def _body(request: Request) -> dict[str, Any]:
    return {"data": dict(request.fields), "files": {"file": request.file}} if request.file else {}


def _answer(response: httpx2.Response) -> Answer:
    try:
        retry_after = float(response.headers.get("retry-after", ""))
    except ValueError:  # none, or a date
        retry_after = None
    return Answer(response.content, retry_after)
