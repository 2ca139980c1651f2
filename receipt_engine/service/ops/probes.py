"""Serves health, readiness and metrics on a separate port for operators."""

from __future__ import annotations

from dataclasses import dataclass, field

import sqlalchemy as sa
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from receipt_engine.service.assembly import HttpLimits, Parts
from receipt_engine.service.jobs.heartbeat import heartbeat_timeout_ms, ready_workers
from receipt_engine.service.storage.database import DatabaseDown, DatabaseQueryFailed
from receipt_engine.service.storage.schema import jobs

#: Milliseconds back over which job durations are summarised.
_RECENT = 300_000


@dataclass
class Probes:
    """Handlers of the probes. draining: the server is stopping, so it is not ready."""

    parts: Parts
    http_limits: HttpLimits
    draining: bool = field(default=False)

    def routes(self) -> list[Route]:
        """Returns the routes /health, /ready and /metrics."""
        return [
            Route("/health", self.health),
            Route("/ready", self.ready),
            Route("/metrics", self.metrics),
        ]

    async def health(self, _: Request) -> Response:
        """Answers 200 as long as the process runs."""
        return JSONResponse({"status": "ok"})

    async def ready(self, _: Request) -> Response:
        """Answers 200 when uploads can be accepted and processed, else 503 with the reasons."""
        problems = ["draining"] if self.draining else await run_in_threadpool(self.problems)
        status = {"status": "unready" if problems else "ready", "problems": problems}
        return JSONResponse(status, 503 if problems else 200)

    async def metrics(self, _: Request) -> Response:
        """Answers with counters and gauges as Prometheus text."""
        try:
            gauges = await run_in_threadpool(self._gauges)
        except (DatabaseDown, DatabaseQueryFailed):
            gauges = {"database_up": [("", 0.0)]}
        text = self.http_limits.metrics.render(gauges)
        return PlainTextResponse(text, media_type="text/plain; version=0.0.4")

    def problems(self) -> list[str]:
        """Returns the reasons why the service cannot do its work; empty when there are none."""
        settings = self.parts.settings
        try:
            with self.parts.database.write() as connection:  # proves that a commit is possible
                unfinished = connection.scalar(_UNFINISHED) or 0
            workers = ready_workers(self.parts.database, heartbeat_timeout_ms(settings))
        except (DatabaseDown, DatabaseQueryFailed) as error:
            return [f"database: {error}"]
        problems = []
        if not workers:
            problems.append("no worker has loaded its engine")
        if not self.parts.space.room():
            problems.append("the disk's reserve is used up")
        if unfinished >= settings.max_queue:
            problems.append("the queue is full")
        return problems

    def _gauges(self) -> dict[str, list[tuple[str, float]]]:
        database = self.parts.database
        now = database.clock()
        oldest = sa.select(sa.func.min(jobs.c.queued_at)).where(jobs.c.state == "queued")
        recent = sa.select(jobs.c.queued_at, jobs.c.started_at, jobs.c.finished_at).where(
            jobs.c.finished_at > now - _RECENT, jobs.c.started_at.is_not(None)
        )
        by_state = sa.select(jobs.c.state, sa.func.count()).group_by(jobs.c.state)
        with database.read() as connection:
            states = [(f'{{state="{state}"}}', float(n)) for state, n in connection.execute(by_state)]
            first = connection.scalar(oldest)
            rows = connection.execute(recent.limit(10_000)).all()
        total = sorted((row.finished_at - row.queued_at) / 1000 for row in rows)
        engine = sorted((row.finished_at - row.started_at) / 1000 for row in rows)
        return {
            "database_up": [("", 1.0)],
            "jobs": states,
            "oldest_job_seconds": [("", (now - first) / 1000 if first else 0.0)],
            "workers_ready": [
                ("", float(ready_workers(database, heartbeat_timeout_ms(self.parts.settings))))
            ],
            "upload_to_result_seconds_5m": _quantiles(total),
            "engine_seconds_5m": _quantiles(engine),
            "bodies_in_flight_bytes": [("", float(self.http_limits.budget.used))],
            "connections_open": [("", float(self.http_limits.connections.open))],
        }


def _quantiles(values: list[float]) -> list[tuple[str, float]]:
    if not values:
        return []
    return [(f'{{quantile="{q}"}}', values[min(len(values) - 1, int(q * len(values)))]) for q in (0.5, 0.95)]


#: What `max_queue` limits: uploads are refused from the same count on.
_UNFINISHED = sa.select(sa.func.count()).select_from(jobs).where(jobs.c.state.in_(("queued", "running")))
