"""The page on which a person corrects the extracted values."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from receipt_engine.service.accounts.sessions import Session
from receipt_engine.service.dashboard.corrections import FIELDS, CorrectionError, Corrections, parse
from receipt_engine.service.dashboard.outcome import amount_text
from receipt_engine.service.dashboard.site import Site


class CorrectionPages:
    """Request handlers; all need a session."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._corrections = Corrections(site.parts)

    async def page(self, request: Request, session: Session) -> Response:
        """Shows the form, filled with corrected or else extracted values."""
        result = await self._result(request, session)
        if result is None:
            return self._site.plain("There is no result.", 404)
        corrected = await self._corrected(request, session)
        values = {name: corrected.get(name, result.get(name)) for name in FIELDS}
        shown = {
            name: amount_text(value) if isinstance(value, int | float) else value or ""
            for name, value in values.items()
        }
        return self._form(request, session, shown)

    async def save(self, request: Request, session: Session) -> Response:
        """Stores the values that differ from the result, replacing earlier corrections."""
        form = await self._site.checked_form(request, session)
        result = await self._result(request, session)
        if result is None:
            return self._site.plain("There is no result.", 404)
        try:
            corrected = parse(form, result)
        except CorrectionError as error:
            shown = {name: form.get(name, "") for name in FIELDS}
            return self._form(request, session, shown, str(error))
        token = request.path_params["token"]
        await run_in_threadpool(self._corrections.save, session.account_id, token, corrected)
        return RedirectResponse(f"/dashboard/uploads/{token}", 303)

    async def corrected(self, request: Request, session: Session) -> Response:
        """Answers with the Result object as JSON, with the corrected values in it."""
        result = await self._result(request, session)
        if result is None:
            return self._site.plain("There is no result.", 404)
        merged = {**result, **await self._corrected(request, session)}
        text = json.dumps(merged, ensure_ascii=False, separators=(",", ":"))
        return Response(text, media_type="application/json", headers={"Cache-Control": "no-store"})

    def _form(
        self, request: Request, session: Session, shown: Mapping[str, str], problem: str = ""
    ) -> Response:
        values = {"token": request.path_params["token"], "values": shown, "problem": problem}
        return self._site.render("correct.html", session, values, 400 if problem else 200)

    async def _result(self, request: Request, session: Session) -> dict[str, Any] | None:
        jobs, token = self._site.parts.jobs, request.path_params["token"]
        outcome = await run_in_threadpool(jobs.outcome, session.account_id, token)
        return None if outcome.result is None else json.loads(outcome.result)

    async def _corrected(self, request: Request, session: Session) -> dict[str, Any]:
        token = request.path_params["token"]
        return await run_in_threadpool(self._corrections.of, session.account_id, token)
