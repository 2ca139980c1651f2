"""Pages of uploads: the try form, the history with its exports, one upload and its explain view."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from urllib.parse import urlencode

from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from receipt_engine.service.accounts.audit import note
from receipt_engine.service.accounts.sessions import Session
from receipt_engine.service.codes import MESSAGES, Code, Refusal
from receipt_engine.service.dashboard.corrections import Corrections
from receipt_engine.service.dashboard.explain import ExplainFailed, explain
from receipt_engine.service.dashboard.forms import FormError, same_origin, token_fits
from receipt_engine.service.dashboard.history import (
    STATES,
    UploadFilter,
    UploadPage,
    UploadRow,
    stored_picture,
    upload_page,
)
from receipt_engine.service.dashboard.outcome import field_rows, line_rows
from receipt_engine.service.dashboard.site import Site
from receipt_engine.service.dashboard.tables import to_csv, to_workbook
from receipt_engine.service.http.api import Api, check_upload
from receipt_engine.service.http.body import received_form
from receipt_engine.service.http.form import Form
from receipt_engine.service.http.picture import inspect
from receipt_engine.service.jobs.options import DATE_ORDERS, DOCUMENT_TYPES, REGIONS
from receipt_engine.service.storage.erasure import erase_upload

#: The explain view contains its own styles and images; it runs no scripts and has no origin.
EXPLAIN_POLICY = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
    "frame-ancestors 'self'; base-uri 'none'"
)
#: For an untrusted image: it can only be displayed.
_PICTURE_POLICY = "sandbox; default-src 'none'; frame-ancestors 'none'"
_UNKNOWN = "<p>This upload is unknown.</p>"
#: Gives the explain view an opaque background: its frame covers the text "Being read again…".
_GROUND = b"<style>html{background:#fff}</style></head>"
_MOST_EXPORTED = 10_000
MOST_FILES = 20
_WORKBOOK = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@dataclass(frozen=True)
class TriedFile:
    """Outcome of one file of the try form: a token, or the problem."""

    name: str
    token: str = ""
    problem: str = ""
    duplicate: bool = False


class UploadPages:
    """Request handlers; all need a session."""

    def __init__(self, site: Site, api: Api) -> None:
        self._site = site
        self._api = api
        self._parts = site.parts
        self._corrections = Corrections(site.parts)

    async def try_page(self, request: Request, session: Session, problem: str = "") -> Response:
        """Shows the form to try uploads."""
        values = {
            "regions": sorted(REGIONS),
            "document_types": DOCUMENT_TYPES,
            "date_orders": DATE_ORDERS,
            "most_files": MOST_FILES,
            "problem": problem,
        }
        return self._site.render("try.html", session, values, 400 if problem else 200)

    async def try_upload(self, request: Request, session: Session) -> Response:
        """Uploads each image of the form, with the same checks and charges as the API."""
        settings = self._parts.settings
        tried: list[TriedFile] = []
        try:
            async with received_form(request, settings, self._site.http_limits.budget, MOST_FILES) as form:
                if not same_origin(request) or not token_fits(session, dict(form.fields)):
                    raise FormError
                if len(form.files) > MOST_FILES:
                    raise Refusal(Code.MANY_FILES, f"at most {MOST_FILES} pictures at a time")
                for one in form.single_files():
                    tried.append(await self._tried(one, session.account_id))
        except Refusal as refusal:
            return await self.try_page(request, session, _problem_text(refusal))
        if len(tried) > 1:
            return self._site.render("tried.html", session, {"tried": tried})
        if tried[0].problem:
            return await self.try_page(request, session, tried[0].problem)
        return RedirectResponse(f"/dashboard/uploads/{tried[0].token}", 303)

    async def _tried(self, form: Form, account_id: int) -> TriedFile:
        """Uploads one image with the form's options."""
        name = form.files[0].filename if form.files else ""
        try:
            rate, burst = await run_in_threadpool(self._parts.accounts.limits, account_id)
            self._api.take_upload(account_id, rate, burst)
            fields = await run_in_threadpool(self._parts.accounts.custom_fields, account_id)
            accepted = await self._api.accept(check_upload(form, account_id, self._parts.settings, fields))
        except Refusal as refusal:
            return TriedFile(name, problem=_problem_text(refusal))
        return TriedFile(name, accepted.token, duplicate=accepted.duplicate_of is not None)

    async def history(self, request: Request, session: Session) -> Response:
        """Shows the uploads that are kept, one page at a time."""
        uploads_filter = _filter(request)
        page: UploadPage = await run_in_threadpool(
            upload_page,
            self._parts,
            session.account_id,
            uploads_filter,
            request.query_params.get("after", ""),
        )
        asked = {"state": uploads_filter.state, "text": uploads_filter.text}
        values = {
            "uploads": page.rows,
            "following": urlencode({**asked, "after": page.following}) if page.following else "",
            "asked": urlencode(asked),
            "uploads_filter": uploads_filter,
            "states": sorted(set(STATES.values())),
        }
        return self._site.render("history.html", session, values)

    async def export_csv(self, request: Request, session: Session) -> Response:
        """Exports the uploads of the history as CSV."""
        return await self._exported(request, session, to_csv, "csv", "text/csv; charset=utf-8")

    async def export_workbook(self, request: Request, session: Session) -> Response:
        """Exports the uploads of the history as an Excel workbook."""
        return await self._exported(request, session, to_workbook, "xlsx", _WORKBOOK)

    async def _exported(
        self,
        request: Request,
        session: Session,
        write: Callable[[Iterable[UploadRow]], bytes],
        ending: str,
        media_type: str,
    ) -> Response:
        uploads_filter = _filter(request)

        def made() -> bytes:
            return write(self._all(session.account_id, uploads_filter))

        headers = {
            "Content-Disposition": f'attachment; filename="receipts.{ending}"',
            "Cache-Control": "no-store",
        }
        return Response(await run_in_threadpool(made), media_type=media_type, headers=headers)

    def _all(self, account_id: int, uploads_filter: UploadFilter) -> Iterator[UploadRow]:
        after, count = "", 0
        while count < _MOST_EXPORTED:
            page = upload_page(self._parts, account_id, uploads_filter, after, 500)
            yield from page.rows
            count += len(page.rows)
            after = page.following
            if not after:
                return

    async def upload(self, request: Request, session: Session) -> Response:
        """Shows the outcome of one upload with its fields and lines."""
        token = request.path_params["token"]
        outcome = await run_in_threadpool(self._parts.jobs.outcome, session.account_id, token)
        result = json.loads(outcome.result) if outcome.result else {}
        corrected = await run_in_threadpool(self._corrections.of, session.account_id, token)
        values = {
            "token": token,
            "code": int(outcome.code),
            "message": MESSAGES[outcome.code],
            "fields": field_rows(result, corrected),
            "lines": line_rows(result),
        }
        status = 404 if outcome.code is Code.TOKEN_UNKNOWN else 200
        return self._site.render("upload.html", session, values, status)

    async def result(self, request: Request, session: Session) -> Response:
        """Answers with the stored Result object as JSON."""
        token = request.path_params["token"]
        outcome = await run_in_threadpool(self._parts.jobs.outcome, session.account_id, token)
        if outcome.result is None:
            return self._site.plain("There is no result.", 404)
        headers = {"Cache-Control": "no-store"}
        return Response(outcome.result, media_type="application/json", headers=headers)

    async def picture(self, request: Request, session: Session) -> Response:
        """Answers with the image as it was uploaded."""
        found = await self._stored(request, session)
        if found is None:
            return self._site.plain("This upload is unknown.", 404)
        kind = inspect(found)
        headers = {"Content-Security-Policy": _PICTURE_POLICY, "Cache-Control": "no-store"}
        return Response(found, media_type=f"image/{kind.kind if kind else 'png'}", headers=headers)

    async def delete(self, request: Request, session: Session) -> Response:
        """Deletes an upload permanently, with its image and result unless another upload needs them."""
        await self._site.checked_form(request, session)
        token, account_id = request.path_params["token"], session.account_id

        def deleted() -> bool:
            if erase_upload(self._parts.database, self._parts.blobs, account_id, token) is None:
                return False
            with self._parts.database.write() as connection:
                note(connection, self._parts.database.clock(), account_id, "upload.deleted")
            return True

        if not await run_in_threadpool(deleted):
            return self._site.plain("This upload is unknown.", 404)
        return RedirectResponse("/dashboard/uploads", 303)

    async def explain(self, request: Request, session: Session) -> Response:
        """Answers with the engine's explain view of the image."""
        parts = self._parts
        headers = {"Content-Security-Policy": EXPLAIN_POLICY, "Cache-Control": "no-store"}
        token = request.path_params["token"]
        found = await run_in_threadpool(stored_picture, parts, session.account_id, token)
        if found is None:
            return HTMLResponse(_UNKNOWN, 404, headers)
        try:
            self._site.http_limits.limiter.take("explain", session.account_id, 0.5, 5)
            page = await explain(parts.settings, *found)
        except (ExplainFailed, Refusal) as error:
            page = f"<p>{Markup.escape(str(error))}</p>".encode()
        return HTMLResponse(page.replace(b"</head>", _GROUND, 1), headers=headers)

    async def _stored(self, request: Request, session: Session) -> bytes | None:
        token = request.path_params["token"]
        found = await run_in_threadpool(stored_picture, self._parts, session.account_id, token)
        return found[0] if found else None


def _problem_text(refusal: Refusal) -> str:
    return MESSAGES[refusal.code] + (f": {refusal.detail}" if refusal.detail else "")


def _filter(request: Request) -> UploadFilter:
    asked = request.query_params
    state = asked.get("state", "")
    return UploadFilter(state if state in STATES.values() else "", asked.get("text", "").strip()[:100])
