"""The dashboard's pages. Every form carries the session's token; every page forbids scripts and framing."""

from __future__ import annotations

import datetime
import json
import logging
import math
import secrets
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from receipt_engine.service.accounts.audit import acting_from
from receipt_engine.service.accounts.sessions import COOKIE, LOGIN_COOKIE, LONGEST, Session, Sessions
from receipt_engine.service.accounts.store import AccountError
from receipt_engine.service.assembly import Gate, Parts
from receipt_engine.service.codes import MESSAGES, Code, Refusal
from receipt_engine.service.dashboard.explain import ExplainFailed, explain
from receipt_engine.service.dashboard.forms import (
    FormError,
    same_origin,
    small_form,
    token_fits,
    visitor_address,
)
from receipt_engine.service.dashboard.history import recent_uploads, stored_picture
from receipt_engine.service.dashboard.outcome import field_rows, line_rows
from receipt_engine.service.http.api import Api, any_method, check_upload
from receipt_engine.service.http.body import received_form
from receipt_engine.service.jobs.options import REGIONS
from receipt_engine.service.logs import bind
from receipt_engine.service.storage.database import DatabaseDown, DatabaseQueryFailed

log = logging.getLogger(__name__)

TEMPLATES = Path(__file__).resolve().parent / "templates"
GRACE = 24 * 3_600_000
POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self'; frame-src 'self'; form-action 'self'; "
    "frame-ancestors 'none'; base-uri 'none'"
)
#: The explain view brings its own styles and pictures; it runs no script and has no origin.
EXPLAIN_POLICY = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
    "frame-ancestors 'self'; base-uri 'none'"
)

Page = Callable[[Request, Session], Awaitable[Response]]


class Dashboard:
    """Login, overview, keys, try and the view of one upload."""

    def __init__(self, parts: Parts, api: Api, gate: Gate, *, proxied: bool = False) -> None:
        self._parts = parts
        self._proxied = proxied
        self._api = api
        self._gate = gate
        self._sessions = Sessions(parts.database, parts.secrets.login)
        self._templates = Environment(
            loader=FileSystemLoader(TEMPLATES), autoescape=select_autoescape(), undefined=StrictUndefined
        )
        self._templates.filters["moment"] = _moment

    def routes(self) -> list[Route]:
        """Routes below /dashboard."""
        post, get = ["POST"], ["GET"]
        return [
            Route("/dashboard/style.css", _style, methods=get),
            Route("/favicon.ico", lambda _: Response(status_code=204), methods=get),
            Route("/dashboard/login", self._guard(self.login_page), methods=get),
            Route("/dashboard/login", self._guard(self.login), methods=post),
            Route("/dashboard/logout", self._page(self.logout), methods=post),
            Route("/dashboard", self._page(self.overview), methods=get),
            Route("/dashboard/keys", self._page(self.keys), methods=get),
            Route("/dashboard/keys", self._page(self.new_key), methods=post),
            Route("/dashboard/keys/{key}/rotate", self._page(self.rotate), methods=post),
            Route("/dashboard/keys/{key}/revoke", self._page(self.revoke), methods=post),
            Route("/dashboard/try", self._page(self.try_page), methods=get),
            Route("/dashboard/try", self._page(self.try_upload), methods=post),
            Route("/dashboard/uploads/{token}", self._page(self.upload), methods=get),
            Route("/dashboard/uploads/{token}/explain", self._page(self.explain), methods=get),
            any_method(Route("/dashboard/{rest:path}", self._guard(self.nowhere))),
        ]

    async def login_page(self, request: Request, problem: str = "", status: int = 200) -> Response:
        """The login form, bound to this browser."""
        nonce = secrets.token_urlsafe(24)
        page = self._render(
            "login.html", None, {"login_token": self._sessions.login_token(nonce), "problem": problem}, status
        )
        page.set_cookie(LOGIN_COOKIE, nonce, max_age=3600, secure=True, httponly=True, samesite="strict")
        return page

    async def login(self, request: Request) -> Response:
        """Checks name and password; ten tries a quarter of an hour for one name and for one address."""
        form = await small_form(request)
        nonce = request.cookies.get(LOGIN_COOKIE, "")
        if not same_origin(request) or not self._sessions.login_token_fits(nonce, form.get("csrf", "")):
            return await self.login_page(request, "The form was out of date. Try again.", 403)
        name = form.get("name", "").replace("\0", "")[:200]
        client = visitor_address(request, proxied=self._proxied)
        try:
            # The address first: one that has no tries left makes no entry for another name.
            self._gate.logins.take("from", client, 30 / 900, 30)
            self._gate.logins.take("name", name, 10 / 900, 10)
        except Refusal as refusal:
            page = await self.login_page(request, "Too many tries. Wait a few minutes.", 429)
            page.headers["Retry-After"] = str(math.ceil(refusal.retry_after or 1))
            return page
        cookie = await run_in_threadpool(self._sessions.login, name, form.get("password", ""))
        if cookie is None:
            log.warning("login refused")
            return await self.login_page(request, "Account or password is wrong.", 403)
        old = request.cookies.get(COOKIE)
        if old:
            await run_in_threadpool(self._sessions.logout, old)
        answer = RedirectResponse("/dashboard", 303)
        answer.set_cookie(
            COOKIE, cookie, max_age=LONGEST // 1000, secure=True, httponly=True, samesite="strict"
        )
        answer.delete_cookie(LOGIN_COOKIE, secure=True, httponly=True, samesite="strict")
        return answer

    async def logout(self, request: Request, session: Session) -> Response:
        """Ends the session here and in the browser."""
        await self._checked_form(request, session)
        await run_in_threadpool(self._sessions.logout, request.cookies[COOKIE])
        answer = RedirectResponse("/dashboard/login", 303)
        answer.delete_cookie(COOKIE, secure=True, httponly=True, samesite="strict")
        return answer

    async def overview(self, request: Request, session: Session) -> Response:
        """Credits and recent uploads."""
        rows = await run_in_threadpool(recent_uploads, self._parts.database, session.account_id)
        credits = await run_in_threadpool(self._parts.accounts.credits, session.account_id)
        return self._render("overview.html", session, {"credits": credits, "uploads": rows})

    async def keys(self, request: Request, session: Session, new_key: str = "") -> Response:
        """The keys; a new one is shown this one time."""
        keys = await run_in_threadpool(self._parts.accounts.keys, session.account_id)
        values = {"keys": keys, "new_key": new_key, "now": self._parts.database.clock()}
        return self._render("keys.html", session, values)

    async def new_key(self, request: Request, session: Session) -> Response:
        """Makes a key."""
        form = await self._checked_form(request, session)
        profile = form.get("profile", "contract")
        key = await run_in_threadpool(self._parts.accounts.new_key, session.account_id, profile)
        return await self.keys(request, session, key)

    async def rotate(self, request: Request, session: Session) -> Response:
        """A new key; the old one works for a day more."""
        await self._checked_form(request, session)

        def rotated() -> str:
            return self._parts.accounts.rotate(session.account_id, request.path_params["key"], grace=GRACE)

        return await self.keys(request, session, await run_in_threadpool(rotated))

    async def revoke(self, request: Request, session: Session) -> Response:
        """Refuses a key from now on."""
        await self._checked_form(request, session)
        await run_in_threadpool(self._parts.accounts.revoke, session.account_id, request.path_params["key"])
        return RedirectResponse("/dashboard/keys", 303)

    async def try_page(self, request: Request, session: Session, problem: str = "") -> Response:
        """The form to try an upload."""
        values = {"regions": sorted(REGIONS), "problem": problem}
        return self._render("try.html", session, values, 400 if problem else 200)

    async def try_upload(self, request: Request, session: Session) -> Response:
        """The same checks and the same charge as the API."""
        settings = self._parts.settings
        try:
            rate, burst = await run_in_threadpool(self._parts.accounts.limits, session.account_id)
            self._api.take_upload(session.account_id, rate, burst)
            async with received_form(request, settings, self._gate.budget) as form:
                if not same_origin(request) or not token_fits(session, dict(form.fields)):
                    raise FormError
                fields = await run_in_threadpool(self._parts.accounts.custom_fields, session.account_id)
                upload = check_upload(form, session.account_id, settings, fields)
                accepted = await self._api.accept(upload)
        except Refusal as refusal:
            message = MESSAGES[refusal.code] + (f": {refusal.detail}" if refusal.detail else "")
            return await self.try_page(request, session, message)
        return RedirectResponse(f"/dashboard/uploads/{accepted.token}", 303)

    async def upload(self, request: Request, session: Session) -> Response:
        """The outcome of one upload, its fields and lines."""
        token = request.path_params["token"]
        outcome = await run_in_threadpool(self._parts.jobs.outcome, session.account_id, token)
        result = json.loads(outcome.result) if outcome.result else {}
        values = {
            "token": token,
            "code": int(outcome.code),
            "message": MESSAGES[outcome.code],
            "fields": field_rows(result),
            "lines": line_rows(result),
        }
        return self._render(
            "upload.html", session, values, 404 if outcome.code is Code.TOKEN_UNKNOWN else 200
        )

    async def explain(self, request: Request, session: Session) -> Response:
        """How a picture was read, as the engine tells it."""
        parts = self._parts
        found = await run_in_threadpool(
            stored_picture,
            parts.database,
            parts.blobs,
            parts.keys,
            session.account_id,
            request.path_params["token"],
        )
        if found is None:
            return HTMLResponse(
                "<p>This upload is unknown.</p>", 404, {"Content-Security-Policy": EXPLAIN_POLICY}
            )
        try:
            self._gate.limiter.take("explain", session.account_id, 0.5, 5)
            page = await explain(parts.settings, *found)
        except (ExplainFailed, Refusal) as error:
            page = f"<p>{Markup.escape(str(error))}</p>".encode()
        headers = {"Content-Security-Policy": EXPLAIN_POLICY, "Cache-Control": "no-store"}
        return HTMLResponse(page, headers=headers)

    async def nowhere(self, request: Request) -> Response:
        """Any other address below /dashboard."""
        return self._plain("There is no such page.", 404)

    async def _checked_form(self, request: Request, session: Session) -> dict[str, str]:
        form = await small_form(request)
        if not same_origin(request) or not token_fits(session, form):
            raise FormError
        return form

    def _page(self, page: Page) -> Callable[[Request], Awaitable[Response]]:
        async def inside(request: Request) -> Response:
            cookie = request.cookies.get(COOKIE, "")
            session = await run_in_threadpool(self._sessions.find, cookie) if cookie else None
            if session is None:
                return RedirectResponse("/dashboard/login", 303)
            bind(account=session.account_id)
            return await page(request, session)

        return self._guard(inside)

    def _guard(
        self, page: Callable[[Request], Awaitable[Response]]
    ) -> Callable[[Request], Awaitable[Response]]:
        async def guarded(request: Request) -> Response:
            address = visitor_address(request, proxied=self._proxied)
            try:
                with acting_from(f"dashboard {address}"):
                    answer = await page(request)
                log.info("page", extra={"fields": {"method": request.method, "status": answer.status_code}})
                return answer
            except FormError:
                return self._plain(
                    "The form was out of date or came from elsewhere. Go back and try again.", 403
                )
            except AccountError as error:
                return self._plain(str(error), 400)
            except Refusal as refusal:  # of a body that did not come in time
                return self._plain(f"Refused: {refusal}.", 408)
            except ClientDisconnect:
                return Response(status_code=400)  # nobody reads it
            except (DatabaseDown, DatabaseQueryFailed) as error:
                log.error("database trouble", extra={"fields": {"reason": str(error)}})
                return self._plain("The database is away. Try again in a moment.", 503)

        return guarded

    def _plain(self, problem: str, status: int) -> Response:
        return self._render("page.html", None, {"problem": problem}, status)

    def _render(
        self, template: str, session: Session | None, values: Mapping[str, Any], status: int = 200
    ) -> Response:
        def csrf() -> Markup:
            assert session is not None
            return Markup('<input type="hidden" name="csrf" value="{}">').format(session.csrf)

        common = {"session": session, "csrf": csrf, "notice": "", "problem": "", "here": template}
        text = self._templates.get_template(template).render(common | dict(values))
        headers = {"Content-Security-Policy": POLICY, "Cache-Control": "no-store"}
        return HTMLResponse(text, status, headers)


def _style(_: Request) -> Response:
    return FileResponse(TEMPLATES / "style.css", media_type="text/css")


def _moment(milliseconds: int) -> str:
    return datetime.datetime.fromtimestamp(milliseconds / 1000, datetime.UTC).strftime("%Y-%m-%d %H:%M:%S")
