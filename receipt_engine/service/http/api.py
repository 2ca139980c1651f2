"""Implements the three API calls: process, result, credit. Every answer is HTTP 200, errors included."""

from __future__ import annotations

import asyncio
import contextvars
import logging
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

from starlette.convertors import PathConvertor, register_url_convertor
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from receipt_engine.service.accounts.store import Accounts, Caller
from receipt_engine.service.assembly import HttpLimits
from receipt_engine.service.codes import Code, Profile, Refusal, encode, encode_with_result, envelope
from receipt_engine.service.http.body import key_header, received_form
from receipt_engine.service.http.form import FilePart, Form, single_file
from receipt_engine.service.http.picture import inspect
from receipt_engine.service.jobs.acceptor import Acceptor
from receipt_engine.service.jobs.booking import Accepted, Upload
from receipt_engine.service.jobs.options import parse_options
from receipt_engine.service.jobs.queue import Jobs
from receipt_engine.service.logs import bind
from receipt_engine.service.settings import Settings
from receipt_engine.service.storage.database import DatabaseDown, DatabaseQueryFailed

log = logging.getLogger(__name__)
T = TypeVar("T")

_THREADS = 12  # as many as the database has connections

#: Accepted content types of the file part; the bytes are checked as well. The last one says nothing about the
#: content: HTTP libraries send it when their caller names no type (RFC 2046, section 4.5.1).
ALLOWED_TYPES = frozenset({"image/jpeg", "image/png", "image/jpg", "application/octet-stream"})


@dataclass(frozen=True)
class Answer:
    """A JSON body and its outcome code. code: 0 for a bare number without an envelope."""

    body: bytes
    code: int = 0
    retry_after: float | None = None


class _Rest(PathConvertor):
    """Matches the rest of a path with any characters. Starlette's "path" stops at a line break."""

    regex = r"[\s\S]*"


register_url_convertor("rest", _Rest())

Handler = Callable[[Request, Caller], Awaitable[Answer]]


def any_method(route: Route) -> Route:
    """Makes a route accept every method, so that a wrong one gets an envelope, not a plain HTTP error."""
    route.methods = None
    return route


def check_upload(
    form: Form, account_id: int, settings: Settings, custom_fields: tuple[str, ...] = ()
) -> Upload:
    """Returns the image and options of a form; raises Refusal, in the order of checks of the interface."""
    part: FilePart = single_file(form, ALLOWED_TYPES)
    picture = inspect(part.data)
    if picture is None:
        raise Refusal(Code.WRONG_TYPE, "the file's bytes are neither a JPEG nor a PNG picture")
    if picture.pixels > settings.max_pixels:
        raise Refusal(Code.WRONG_TYPE, f"the picture has more than {settings.max_pixels // 10**6} megapixels")
    code = Code.ACCEPTED_SMALL if picture.small else Code.ACCEPTED
    return Upload(account_id, part.data, parse_options(form.fields, custom_fields), code)


class Api:
    """Handlers and routes of the API."""

    def __init__(
        self, settings: Settings, accounts: Accounts, acceptor: Acceptor, jobs: Jobs, http_limits: HttpLimits
    ) -> None:
        self._settings = settings
        self._accounts = accounts
        self._acceptor = acceptor
        self._jobs = jobs
        self._http_limits = http_limits
        self._threads = ThreadPoolExecutor(_THREADS, "api")

    async def _in_thread(self, call: Callable[..., T], *arguments: object) -> T:
        """Runs a call that is slow or waits for the database in a thread, off the event loop."""
        run = contextvars.copy_context().run  # so that its log lines carry the request's id
        return await asyncio.get_running_loop().run_in_executor(self._threads, run, call, *arguments)

    def routes(self) -> list[Route]:
        """Returns the Starlette routes of the calls; `elsewhere` handles every other path."""
        table: list[tuple[str, str, str, Handler]] = [
            ("/api/2/process", "process", "POST", self.process),
            ("/api/process", "process", "POST", self.process),
            ("/api/result/{token:rest}", "result", "GET", self.result),
            ("/api/result", "result", "GET", self.result),
            ("/api/2/result/{token:rest}", "result", "GET", self.result),
            ("/api/credit", "credit", "GET", self.credit),
            ("/api/2/credit", "credit", "GET", self.credit),
        ]
        return [
            any_method(Route(path, self._endpoint(name, method, handler)))
            for path, name, method, handler in table
        ]

    def elsewhere(self) -> Route:
        """Returns the catch-all route for every other path."""
        return any_method(Route("/{rest:rest}", self._endpoint("unknown", "", self.unknown)))

    async def process(self, request: Request, caller: Caller) -> Answer:
        """Handles POST /api/2/process."""
        self.take_upload(caller.account_id, caller.upload_rate, caller.upload_burst)
        async with received_form(request, self._settings, self._http_limits.budget) as form:
            upload = check_upload(form, caller.account_id, self._settings, caller.custom_fields)
            accepted = await self.accept(upload)
        answer = envelope(accepted.code, caller.profile)
        answer["token"] = accepted.token
        answer["duplicate"] = accepted.duplicate_of is not None
        answer["duplicateToken"] = accepted.duplicate_of
        return Answer(encode(answer), accepted.code)

    async def accept(self, upload: Upload) -> Accepted:
        """Stores an upload durably; raises Refusal, DatabaseDown or DatabaseQueryFailed."""
        future = await self._in_thread(self._acceptor.submit, upload)
        return await asyncio.shield(asyncio.wrap_future(future))

    async def result(self, request: Request, caller: Caller) -> Answer:
        """Handles GET /api/result/{token}."""
        self._take_read(caller)
        token = request.path_params.get("token") or request.query_params.get("token", "")
        outcome = await self._in_thread(self._jobs.outcome, caller.account_id, token)
        head = envelope(outcome.code, caller.profile)
        if outcome.result is None:
            return Answer(encode(head), outcome.code)
        return Answer(encode_with_result(head, outcome.result), outcome.code)

    async def credit(self, request: Request, caller: Caller) -> Answer:
        """Handles GET /api/credit."""
        self._take_read(caller)
        return Answer(str(await self._in_thread(self._accounts.credits, caller.account_id)).encode())

    async def unknown(self, request: Request, caller: Caller) -> Answer:
        """Refuses any other path."""
        raise Refusal(Code.BAD_FORM, "there is no such address; see /openapi.json")

    def take_upload(self, account_id: int, rate: float | None, burst: float | None) -> None:
        """Counts an upload against the account's rate limit; None: the default. Raises Refusal 510."""
        rate = self._settings.upload_rate if rate is None else rate
        burst = self._settings.upload_burst if burst is None else burst
        self._http_limits.limiter.take("upload", account_id, rate, burst)

    def _take_read(self, caller: Caller) -> None:
        settings = self._settings
        self._http_limits.limiter.take("read", caller.account_id, settings.read_rate, settings.read_burst)

    def _endpoint(self, name: str, method: str, handler: Handler) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            started = time.perf_counter()
            profile: Profile = "contract"
            try:
                caller = await self._in_thread(self._accounts.caller, key_header(request))
                if caller is None:
                    raise Refusal(Code.KEY_UNKNOWN)
                profile = caller.profile
                bind(account=caller.account_id, key=caller.key_id)
                if method and request.method not in (method, "HEAD" if method == "GET" else method):
                    raise Refusal(Code.BAD_FORM, f"this address takes {method} only")
                answer = await handler(request, caller)
            except ClientDisconnect:
                answer = Answer(b"", 0)  # the client has gone
            except Exception as error:
                answer = failure(error, profile)
            seconds = time.perf_counter() - started
            self._http_limits.metrics.request(name, answer.code, seconds)
            log.info(
                "request",
                extra={"fields": {"route": name, "code": answer.code, "ms": round(seconds * 1e3, 1)}},
            )
            return respond(answer)

        return endpoint


def failure(error: Exception, profile: Profile) -> Answer:
    """Maps an exception to an answer; unforeseen ones are logged and become 510."""
    if isinstance(error, Refusal):
        code, detail, wait = error.code, error.detail, error.retry_after
    elif isinstance(error, DatabaseDown):
        log.error("database unreachable", extra={"fields": {"reason": str(error)}})
        code, detail, wait = Code.DATABASE_DOWN, None, None
    elif isinstance(error, DatabaseQueryFailed):
        log.error("database query failed", extra={"fields": {"reason": str(error)}})
        code, detail, wait = Code.DATABASE_QUERY, None, None
    else:
        log.error("unforeseen error", exc_info=error)
        code, detail, wait = Code.SERVER_ERROR, None, None
    return Answer(encode(envelope(code, profile, detail=detail)), code, wait)


def respond(answer: Answer) -> Response:
    """Returns the answer as an HTTP 200 response with JSON."""
    headers = {"Cache-Control": "no-store"}
    if answer.retry_after is not None:
        headers["Retry-After"] = str(max(1, round(answer.retry_after)))
    return Response(answer.body, media_type="application/json", headers=headers)
