"""Pages of the account itself: login and logout, overview, keys, credits, password."""

from __future__ import annotations

import logging
import math
import secrets

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from receipt_engine.service.accounts.passwords import PasswordError, hash_password
from receipt_engine.service.accounts.sessions import COOKIE, LOGIN_COOKIE, LONGEST, Session
from receipt_engine.service.codes import Refusal
from receipt_engine.service.dashboard.forms import same_origin, small_form
from receipt_engine.service.dashboard.history import UploadFilter, ledger_entries, upload_page, usage
from receipt_engine.service.dashboard.site import Site

log = logging.getLogger(__name__)

#: Milliseconds that a rotated key keeps working.
GRACE = 24 * 3_600_000
#: Uploads listed on the overview.
_RECENT = 10
#: Login attempts allowed per quarter of an hour (900 s), by address and by account name.
_TRIES_AN_ADDRESS, _TRIES_A_NAME, _QUARTER = 30, 10, 900


class AccountPages:
    """Request handlers. All need a session except those that say otherwise."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._parts = site.parts

    async def login_page(self, request: Request, problem: str = "", status: int = 200) -> Response:
        """Shows the login form, bound to this browser by a cookie. Needs no session."""
        nonce = secrets.token_urlsafe(24)
        token = self._site.sessions.login_token(nonce)
        page = self._site.render("login.html", None, {"login_token": token, "problem": problem}, status)
        page.set_cookie(LOGIN_COOKIE, nonce, max_age=3600, secure=True, httponly=True, samesite="strict")
        return page

    async def login(self, request: Request) -> Response:
        """Checks name and password and opens a session; limits attempts per address and per name.

        Needs no session.
        """
        form = await small_form(request)
        nonce = request.cookies.get(LOGIN_COOKIE, "")
        fits = self._site.sessions.login_token_fits(nonce, form.get("csrf", ""))
        if not same_origin(request) or not fits:
            return await self.login_page(request, "The form has expired. Try again.", 403)
        name = form.get("name", "").replace("\0", "")[:200]
        try:
            self._count_try(self._site.visitor(request), name)
        except Refusal as refusal:
            page = await self.login_page(request, "Too many attempts. Wait a few minutes.", 429)
            page.headers["Retry-After"] = str(math.ceil(refusal.retry_after or 1))
            return page
        cookie = await run_in_threadpool(self._site.sessions.login, name, form.get("password", ""))
        if cookie is None:
            log.warning("login refused")
            return await self.login_page(request, "Wrong account or password.", 403)
        old = request.cookies.get(COOKIE)
        if old:
            await run_in_threadpool(self._site.sessions.logout, old)
        answer = RedirectResponse("/dashboard", 303)
        answer.set_cookie(
            COOKIE, cookie, max_age=LONGEST // 1000, secure=True, httponly=True, samesite="strict"
        )
        answer.delete_cookie(LOGIN_COOKIE, secure=True, httponly=True, samesite="strict")
        return answer

    def _count_try(self, client: str, name: str) -> None:
        """Counts an attempt; raises Refusal at a limit.

        The address is counted first, so that one without attempts left cannot add entries for more names.
        """
        limiter = self._site.http_limits.logins
        limiter.take("from", client, _TRIES_AN_ADDRESS / _QUARTER, _TRIES_AN_ADDRESS)
        limiter.take("name", name, _TRIES_A_NAME / _QUARTER, _TRIES_A_NAME)

    async def logout(self, request: Request, session: Session) -> Response:
        """Ends the session on the server and deletes its cookie."""
        await self._site.checked_form(request, session)
        await run_in_threadpool(self._site.sessions.logout, request.cookies[COOKIE])
        answer = RedirectResponse("/dashboard/login", 303)
        answer.delete_cookie(COOKIE, secure=True, httponly=True, samesite="strict")
        return answer

    async def overview(self, request: Request, session: Session) -> Response:
        """Shows credits, uploads per day and the newest uploads."""
        account_id = session.account_id
        page = await run_in_threadpool(upload_page, self._parts, account_id, UploadFilter(), "", _RECENT)
        credits = await run_in_threadpool(self._parts.accounts.credits, account_id)
        days = await run_in_threadpool(usage, self._parts, account_id)
        return self._site.render(
            "overview.html", session, {"credits": credits, "uploads": page.rows, "days": days}
        )

    async def credits(self, request: Request, session: Session) -> Response:
        """Shows the balance and the ledger of the last 90 days."""
        credits = await run_in_threadpool(self._parts.accounts.credits, session.account_id)
        found = await run_in_threadpool(ledger_entries, self._parts, session.account_id)
        return self._site.render("credits.html", session, {"credits": credits, "ledger_entries": found})

    async def keys(self, request: Request, session: Session, new_key: str = "") -> Response:
        """Shows the keys. new_key: a key just created, shown only this once."""
        keys = await run_in_threadpool(self._parts.accounts.keys, session.account_id)
        values = {"keys": keys, "new_key": new_key, "now": self._parts.database.clock()}
        return self._site.render("keys.html", session, values)

    async def new_key(self, request: Request, session: Session) -> Response:
        """Creates a key and shows it."""
        form = await self._site.checked_form(request, session)
        profile, name = form.get("profile", "contract"), form.get("name", "")
        key = await run_in_threadpool(self._parts.accounts.new_key, session.account_id, profile, name)
        return await self.keys(request, session, key)

    async def rotate(self, request: Request, session: Session) -> Response:
        """Replaces a key; the old one works for another 24 hours."""
        await self._site.checked_form(request, session)

        def rotated() -> str:
            return self._parts.accounts.rotate(session.account_id, request.path_params["key"], grace=GRACE)

        return await self.keys(request, session, await run_in_threadpool(rotated))

    async def revoke(self, request: Request, session: Session) -> Response:
        """Revokes a key at once."""
        await self._site.checked_form(request, session)
        await run_in_threadpool(self._parts.accounts.revoke, session.account_id, request.path_params["key"])
        return RedirectResponse("/dashboard/keys", 303)

    async def password_page(
        self, request: Request, session: Session, problem: str = "", notice: str = "", status: int = 200
    ) -> Response:
        """Shows the form to change the password."""
        return self._site.render("password.html", session, {"problem": problem, "notice": notice}, status)

    async def change_password(self, request: Request, session: Session) -> Response:
        """Sets a new password after checking the present one; ends all other sessions."""
        form = await self._site.checked_form(request, session)
        try:
            self._count_try(self._site.visitor(request), session.name)
        except Refusal:
            return await self.password_page(
                request, session, "Too many attempts. Wait a few minutes.", status=429
            )
        sessions = self._site.sessions
        if not await run_in_threadpool(sessions.password_fits, session.account_id, form.get("present", "")):
            return await self.password_page(request, session, "The current password is wrong.", status=403)
        if form.get("new", "") != form.get("again", ""):
            return await self.password_page(request, session, "The new passwords do not match.", status=400)
        try:
            stored = await run_in_threadpool(hash_password, form.get("new", ""))
        except PasswordError as error:
            return await self.password_page(request, session, str(error), status=400)
        await run_in_threadpool(self._parts.accounts.set_password, session.account_id, stored)
        await run_in_threadpool(sessions.logout_elsewhere, session.account_id, request.cookies[COOKIE])
        return await self.password_page(request, session, notice="The password has been changed.")
