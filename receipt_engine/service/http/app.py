"""Builds the two ASGI applications: public (API, its description, dashboard) and operations (loopback)."""

from __future__ import annotations

import re
import secrets

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from receipt_engine.service.assembly import HttpLimits, Parts
from receipt_engine.service.codes import Code, Refusal
from receipt_engine.service.dashboard.pages import Dashboard
from receipt_engine.service.http.api import Api, failure, respond
from receipt_engine.service.http.deadlines import BodyDeadlines
from receipt_engine.service.http.openapi import document
from receipt_engine.service.jobs.acceptor import Acceptor
from receipt_engine.service.logs import begin
from receipt_engine.service.ops.probes import Probes

_HEADERS = [
    (b"strict-transport-security", b"max-age=31536000"),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),  # with no-referrer, browsers send forms with the origin "null"
    (b"cross-origin-resource-policy", b"same-origin"),
]
#: Default policy, for answers that do not set their own.
_POLICY = (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'")


class SecurityHeaders:
    """Adds the security headers that every answer carries."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = {name for name, _ in message["headers"]}
                added = [*_HEADERS, _POLICY]
                message["headers"] = [
                    *message["headers"],
                    *(item for item in added if item[0] not in present),
                ]
            await send(message)

        await self._app(scope, receive, send_with_headers)


class RequestIds:
    """Gives every request an id, which its answer and its log lines carry."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request_id = secrets.token_hex(8)
        begin(request=request_id)

        async def send_with_id(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], (b"x-request-id", request_id.encode())]
            await send(message)

        await self._app(scope, receive, send_with_id)


class OneFraming:
    """Refuses a request that states its length both ways (request smuggling).

    A proxy in front may have used the other length (RFC 9112, section 6.3), so the rest of the connection
    cannot be trusted and is closed.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        names = {name for name, _ in scope.get("headers", ())}
        if not names >= {b"content-length", b"transfer-encoding"}:
            await self._app(scope, receive, send)
            return
        answer = respond(failure(Refusal(Code.BAD_FORM, "the body's length is stated twice"), "contract"))
        answer.headers["Connection"] = "close"
        await answer(scope, receive, send)


class TidyPaths:
    """Normalises request paths: `//api/…` from a base URL that ends in a slash, a trailing slash, and the
    absolute form that every server must accept (RFC 9112, section 3.2.2)."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            path = re.sub(r"^[A-Za-z]+://[^/]*", "", scope["path"])
            scope = {**scope, "path": re.sub("//+", "/", path).rstrip("/") or "/"}
        await self._app(scope, receive, send)


def public_app(
    parts: Parts, acceptor: Acceptor, http_limits: HttpLimits, *, proxied: bool = False
) -> ASGIApp:
    """Builds API, its description and the dashboard. proxied: all requests come from a local proxy."""
    api = Api(parts.settings, parts.accounts, acceptor, parts.jobs, http_limits)
    routes: list[BaseRoute] = [*api.routes(), Route("/openapi.json", _description)]
    if parts.settings.dashboard:
        routes += Dashboard(parts, api, http_limits, proxied=proxied).routes()
        routes.append(Route("/", lambda _: RedirectResponse("/dashboard", 303)))
    routes.append(api.elsewhere())
    app = Starlette(routes=routes, exception_handlers={Exception: _unforeseen})
    app.router.redirect_slashes = False
    timed = BodyDeadlines(TidyPaths(app), parts.settings, http_limits.metrics)
    return RequestIds(SecurityHeaders(OneFraming(timed)))


async def _description(_: Request) -> Response:
    return JSONResponse(document())


async def _unforeseen(_: Request, error: Exception) -> Response:
    return respond(failure(error, "contract"))


def operations_app(probes: Probes) -> ASGIApp:
    """Builds health, readiness and metrics."""
    return Starlette(routes=probes.routes())
