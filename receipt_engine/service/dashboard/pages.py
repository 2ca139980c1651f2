"""Defines the dashboard's routes. Forms carry the session's token; no page runs scripts or can be framed."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from receipt_engine.service.accounts.sessions import Session
from receipt_engine.service.assembly import HttpLimits, Parts
from receipt_engine.service.codes import MESSAGES
from receipt_engine.service.dashboard.account_pages import AccountPages
from receipt_engine.service.dashboard.correction_pages import CorrectionPages
from receipt_engine.service.dashboard.site import TEMPLATES, Site
from receipt_engine.service.dashboard.upload_pages import UploadPages
from receipt_engine.service.dashboard.webhook_pages import WebhookPages
from receipt_engine.service.http.api import Api, any_method

_ROOT = "/dashboard"


class Dashboard:
    """All pages: login, overview, history, one upload, try, keys, credits, password, webhooks, help."""

    def __init__(self, parts: Parts, api: Api, http_limits: HttpLimits, *, proxied: bool = False) -> None:
        self._site = Site(parts, http_limits, proxied=proxied)
        self._account = AccountPages(self._site)
        self._uploads = UploadPages(self._site, api)
        self._corrections = CorrectionPages(self._site)
        self._webhooks = WebhookPages(self._site)

    def routes(self) -> list[Route]:
        """Returns the routes below /dashboard, and /favicon.ico."""
        account, uploads = self._account, self._uploads
        guard = self._site.guard
        webhooks, corrections = self._webhooks, self._corrections
        behind_session = [
            ("POST", "/logout", account.logout),
            ("GET", "", account.overview),
            ("GET", "/credits", account.credits),
            ("GET", "/keys", account.keys),
            ("POST", "/keys", account.new_key),
            ("POST", "/keys/{key}/rotate", account.rotate),
            ("POST", "/keys/{key}/revoke", account.revoke),
            ("GET", "/password", account.password_page),
            ("POST", "/password", account.change_password),
            ("GET", "/try", uploads.try_page),
            ("POST", "/try", uploads.try_upload),
            ("GET", "/uploads", uploads.history),
            ("GET", "/receipts.csv", uploads.export_csv),
            ("GET", "/receipts.xlsx", uploads.export_workbook),
            ("GET", "/uploads/{token}", uploads.upload),
            ("POST", "/uploads/{token}/delete", uploads.delete),
            ("GET", "/uploads/{token}/explain", uploads.explain),
            ("GET", "/uploads/{token}/picture", uploads.picture),
            ("GET", "/uploads/{token}/result.json", uploads.result),
            ("GET", "/uploads/{token}/correct", corrections.page),
            ("POST", "/uploads/{token}/correct", corrections.save),
            ("GET", "/uploads/{token}/corrected.json", corrections.corrected),
            ("GET", "/help", self.help),
        ]
        if self._site.parts.settings.webhooks:
            behind_session += [
                ("GET", "/webhooks", webhooks.page),
                ("POST", "/webhooks", webhooks.add),
                ("POST", "/webhooks/{webhook:int}/delete", webhooks.remove),
            ]
        return [
            Route(f"{_ROOT}/style.css", _style, methods=["GET"]),
            Route("/favicon.ico", lambda _: Response(status_code=204), methods=["GET"]),
            Route(f"{_ROOT}/login", guard(account.login_page), methods=["GET"]),
            Route(f"{_ROOT}/login", guard(account.login), methods=["POST"]),
            *(
                Route(_ROOT + path, self._site.inside(page), methods=[method])
                for method, path, page in behind_session
            ),
            any_method(Route(f"{_ROOT}/{{rest:path}}", guard(self.nowhere))),
        ]

    async def help(self, request: Request, session: Session) -> Response:
        """Shows how to call the API, with the host name of this request."""
        values = {"host": request.headers.get("host", ""), "messages": MESSAGES}
        return self._site.render("help.html", session, values)

    async def nowhere(self, request: Request) -> Response:
        """Answers 404 for any other path below /dashboard."""
        return self._site.plain("There is no such page.", 404)


def _style(_: Request) -> Response:
    return FileResponse(TEMPLATES / "style.css", media_type="text/css")
