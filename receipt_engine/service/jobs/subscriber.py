"""Listens for job notifications on PostgreSQL; for each one the worker takes the next job in turn order.

procrastinate's row is deleted as soon as the job was attempted; the job's state is in its own row. If a
worker dies in between, the lease runs out and the supervisor announces the job again.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress

from procrastinate import App, PsycopgConnector

from receipt_engine.service.jobs.broker import QUEUE, TASK, conninfo
from receipt_engine.service.settings import Settings


def subscribe(settings: Settings, take: Callable[[], bool], stop: threading.Event) -> None:
    """Calls `take` for every announced job until `stop` is set, then waits for the current call."""
    asyncio.run(_listen(settings, take, stop))


async def _listen(settings: Settings, take: Callable[[], bool], stop: threading.Event) -> None:
    app = App(connector=PsycopgConnector(conninfo=conninfo(settings), min_size=1, max_size=4))

    @app.task(name=TASK, queue=QUEUE)
    async def read(image_id: str) -> None:
        await asyncio.to_thread(take)  # takes one job per notification, not necessarily this one

    async with app.open_async():
        running = asyncio.ensure_future(
            app.run_worker_async(
                queues=[QUEUE],
                concurrency=1,
                delete_jobs="always",
                install_signal_handlers=False,
                fetch_job_polling_interval=1.0,
            )
        )
        while not stop.is_set() and not running.done():
            await asyncio.sleep(0.1)
        running.cancel()  # once: procrastinate then waits for the current job
        with suppress(asyncio.CancelledError):
            await running
