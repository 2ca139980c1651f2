"""Checks the dashboard's forms: small URL-encoded bodies, the session's CSRF token, and the origin."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from urllib.parse import parse_qsl, urlsplit

from starlette.requests import Request

from receipt_engine.service.accounts.sessions import Session
from receipt_engine.service.http.connections import visitor

_MAX_BYTES = 16 * 1024


class FormError(Exception):
    """A body that is not a form, or a form that did not come from our own page in this session."""


async def small_form(request: Request) -> dict[str, str]:
    """Returns the fields of a URL-encoded body; raises FormError when it is something else or too long."""
    if request.headers.get("content-type", "").split(";")[0].strip() != "application/x-www-form-urlencoded":
        raise FormError
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > _MAX_BYTES:
            raise FormError
    try:
        return dict(parse_qsl(body.decode("utf-8"), keep_blank_values=True, max_num_fields=20))
    except ValueError as error:
        raise FormError from error


def token_fits(session: Session, form: Mapping[str, str]) -> bool:
    """Returns whether the form carries this session's CSRF token."""
    return hmac.compare_digest(session.csrf.encode(), form.get("csrf", "").encode())


def visitor_address(request: Request, *, proxied: bool) -> str:
    """Returns the address for which limits count a request.

    Behind a proxy, it is the last address in X-Forwarded-For.
    """
    forwarded = request.headers.getlist("x-forwarded-for")
    if proxied and forwarded:
        return visitor(forwarded[-1].rpartition(",")[2].strip())
    return visitor(request.client.host) if request.client else ""


def same_origin(request: Request) -> bool:
    """Returns False when the browser's headers say that the form was sent from another site."""
    site = request.headers.get("sec-fetch-site", "same-origin")
    origin = request.headers.get("origin", "")
    ours = not origin or urlsplit(origin).netloc == request.headers.get("host", "")
    return ours and site in {"same-origin", "none"}
