"""The page of an account's webhooks: the URLs that are notified of results, and the newest deliveries."""

from __future__ import annotations

import asyncio

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from receipt_engine.service.accounts.sessions import Session
from receipt_engine.service.accounts.store import AccountError
from receipt_engine.service.dashboard.site import Site
from receipt_engine.service.webhooks.addresses import AddressRefused, look_up, parse_networks, parse_target

_LOOK_UP_SECONDS = 5.0


class WebhookPages:
    """Request handlers; all need a session."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._subscriptions = site.parts.subscriptions()

    async def page(
        self, request: Request, session: Session, problem: str = "", url: str = "", status: int = 200
    ) -> Response:
        """Shows the webhooks with their secrets, and the newest deliveries."""
        webhooks = await run_in_threadpool(self._subscriptions.all, session.account_id)
        deliveries = await run_in_threadpool(self._subscriptions.deliveries, session.account_id)
        values = {"webhooks": webhooks, "deliveries": deliveries, "problem": problem, "url": url}
        return self._site.render("webhooks.html", session, values, status)

    async def add(self, request: Request, session: Session) -> Response:
        """Adds a URL. Hosts on private networks are refused here, and checked again before every call."""
        form = await self._site.checked_form(request, session)
        url = form.get("url", "").strip()
        try:
            await self._check(url)
            await run_in_threadpool(self._subscriptions.add, session.account_id, url)
        except (AddressRefused, AccountError) as error:
            return await self.page(request, session, str(error), url, 400)
        return RedirectResponse("/dashboard/webhooks", 303)

    async def _check(self, url: str) -> None:
        target = parse_target(url)
        private = parse_networks(self._site.parts.settings.webhook_networks)
        try:
            async with asyncio.timeout(_LOOK_UP_SECONDS):
                await look_up(target, private)
        except (OSError, UnicodeError) as error:  # TimeoutError is an OSError
            raise AddressRefused("The host of this address is not known.") from error

    async def remove(self, request: Request, session: Session) -> Response:
        """Deletes a webhook; its pending deliveries are dropped."""
        await self._site.checked_form(request, session)
        identifier = request.path_params["webhook"]
        await run_in_threadpool(self._subscriptions.remove, session.account_id, identifier)
        return RedirectResponse("/dashboard/webhooks", 303)
