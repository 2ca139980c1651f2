"""Celery task: `celery -A celery_tasks worker --pool prefork`, then `read_receipt.delay(path)`.

Prefork workers fork before they run tasks, so each process loads its engine in its first task.
"""

from __future__ import annotations

import os
from functools import cache
from typing import Any

from celery import Celery

from receipt_engine import DeadlineError, Engine, ImageError

app = Celery("receipts", broker=os.environ.get("BROKER", "redis://localhost"), backend="rpc://")


@cache
def engine() -> Engine:
    return Engine(threads=1)


@app.task(autoretry_for=(DeadlineError,), retry_backoff=True, max_retries=2, acks_late=True)
def read_receipt(path: str, region: str | None = None) -> dict[str, Any]:
    """Returns the Result as a dict, or {"error": …} for an image that no retry will make readable."""
    try:
        return engine().extract(path, region=region, deadline=60).to_dict()
    except ImageError as error:
        return {"error": type(error).__name__, "message": str(error)}
