"""Shared by all pages: templates and headers, the session check, and error pages."""

from __future__ import annotations

import datetime
import logging
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from receipt_engine.service.accounts.audit import acting_from
from receipt_engine.service.accounts.sessions import COOKIE, Session, Sessions
from receipt_engine.service.accounts.store import AccountError
from receipt_engine.service.assembly import HttpLimits, Parts
from receipt_engine.service.codes import Refusal
from receipt_engine.service.dashboard.forms import (
    FormError,
    same_origin,
    small_form,
    token_fits,
    visitor_address,
)
from receipt_engine.service.logs import bind
from receipt_engine.service.storage.blobs import BlobStoreUnavailable
from receipt_engine.service.storage.database import DatabaseDown, DatabaseQueryFailed
from receipt_engine.service.storage.erasure import NotErased

log = logging.getLogger(__name__)

TEMPLATES = Path(__file__).resolve().parent / "templates"
POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self'; frame-src 'self'; form-action 'self'; "
    "frame-ancestors 'none'; base-uri 'none'"
)

#: Template, path and title of the pages in the navigation.
_SECTIONS = (
    ("overview.html", "", "Overview"),
    ("history.html", "/uploads", "Uploads"),
    ("try.html", "/try", "Try it out"),
    ("keys.html", "/keys", "Keys"),
    ("credits.html", "/credits", "Credits"),
    ("webhooks.html", "/webhooks", "Webhooks"),
    ("password.html", "/password", "Password"),
    ("help.html", "/help", "Documentation"),
)

Plain = Callable[[Request], Awaitable[Response]]
Page = Callable[[Request, Session], Awaitable[Response]]


class Site:
    """Renders pages and checks sessions. proxied: all requests come from a proxy on this machine."""

    def __init__(self, parts: Parts, http_limits: HttpLimits, *, proxied: bool) -> None:
        self.parts = parts
        self.http_limits = http_limits
        self.sessions = Sessions(parts.database, parts.secrets.login)
        self._proxied = proxied
        self._sections = tuple(row for row in _SECTIONS if row[1] != "/webhooks" or parts.settings.webhooks)
        self._templates = Environment(
            loader=FileSystemLoader(TEMPLATES), autoescape=select_autoescape(), undefined=StrictUndefined
        )
        self._templates.filters |= {"moment": _moment, "day": _day}

    def inside(self, page: Page) -> Plain:
        """Wraps a handler so that it needs a session; without one, redirects to the login page."""

        async def within(request: Request) -> Response:
            cookie = request.cookies.get(COOKIE, "")
            session = await run_in_threadpool(self.sessions.find, cookie) if cookie else None
            if session is None:
                return RedirectResponse("/dashboard/login", 303)
            bind(account=session.account_id)
            return await page(request, session)

        return self.guard(within)

    def guard(self, page: Plain) -> Plain:
        """Wraps a handler so that known exceptions become error pages."""

        async def guarded(request: Request) -> Response:
            with acting_from(f"dashboard {self.visitor(request)}"):
                answer = await self._answered(page, request)
            log.info("page", extra={"fields": {"method": request.method, "status": answer.status_code}})
            return answer

        return guarded

    async def _answered(self, page: Plain, request: Request) -> Response:
        try:
            return await page(request)
        except FormError:
            return self.plain("The form has expired or came from another site. Go back and try again.", 403)
        except AccountError as error:
            return self.plain(str(error), 400)
        except Refusal as refusal:  # the body did not arrive in time
            return self.plain(f"Refused: {refusal}.", 408)
        except ClientDisconnect:
            return Response(status_code=400)  # the client has gone
        except NotErased as error:
            return self.plain(str(error), 503)
        except BlobStoreUnavailable as error:
            log.error("a picture cannot be fetched", extra={"fields": {"reason": str(error)}})
            return self.plain("The picture cannot be fetched. Try again in a moment.", 503)
        except (DatabaseDown, DatabaseQueryFailed) as error:
            log.error("database trouble", extra={"fields": {"reason": str(error)}})
            return self.plain("The database is not available. Try again in a moment.", 503)

    async def checked_form(self, request: Request, session: Session) -> dict[str, str]:
        """Returns the fields of a form that came from our page in this session; raises FormError."""
        form = await small_form(request)
        if not same_origin(request) or not token_fits(session, form):
            raise FormError
        return form

    def visitor(self, request: Request) -> str:
        """Returns the address for which limits count a request."""
        return visitor_address(request, proxied=self._proxied)

    def plain(self, problem: str, status: int) -> Response:
        """Returns a page that shows a problem."""
        return self.render("page.html", None, {"problem": problem}, status)

    def render(
        self, template: str, session: Session | None, values: Mapping[str, Any], status: int = 200
    ) -> Response:
        """Renders a template with `values`, with a strict content policy and no caching."""

        def csrf() -> Markup:
            assert session is not None
            return Markup('<input type="hidden" name="csrf" value="{}">').format(session.csrf)

        common: dict[str, Any] = {
            "session": session,
            "csrf": csrf,
            "notice": "",
            "problem": "",
            "here": template,
        }
        common["sections"] = self._sections
        text = self._templates.get_template(template).render(common | dict(values))
        headers = {"Content-Security-Policy": POLICY, "Cache-Control": "no-store"}
        return HTMLResponse(text, status, headers)


def _moment(milliseconds: int) -> str:
    return datetime.datetime.fromtimestamp(milliseconds / 1000, datetime.UTC).strftime("%Y-%m-%d %H:%M:%S")


def _day(milliseconds: int) -> str:
    return _moment(milliseconds)[:10]
