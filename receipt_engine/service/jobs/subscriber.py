"""A worker's ear on PostgreSQL: it says there is a job, the worker takes the one whose turn it is.

procrastinate's row is done with as soon as the job was tried; whether the job itself is done, its own row
says. A worker that dies in between is no loss: the lease runs out and the supervisor announces it again.
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
    """Calls `take` for every announced job until `stop` is set; the current call is waited for."""
    asyncio.run(_listen(settings, take, stop))


async def _listen(settings: Settings, take: Callable[[], bool], stop: threading.Event) -> None:
    app = App(connector=PsycopgConnector(conninfo=conninfo(settings), min_size=1, max_size=4))

    @app.task(name=TASK, queue=QUEUE)
    async def read(image_id: str) -> None:
        await asyncio.to_thread(take)  # there is one job for every piece of news, not always this one

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
