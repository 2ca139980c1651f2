"""Reads untrusted requests: the key header, and the upload form within its size limits.

Time limits for bodies are enforced in `deadlines`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from starlette.requests import Request

from receipt_engine.service.codes import Code, Refusal
from receipt_engine.service.http.form import Form, FormReader
from receipt_engine.service.http.limits import MemoryBudget
from receipt_engine.service.settings import Settings


def key_header(request: Request) -> bytes | None:
    """Returns the `apikey` header, or None when it is missing or sent more than once."""
    values = [value for name, value in request.scope["headers"] if name == b"apikey"]
    return values[0].strip() if len(values) == 1 else None


def declared_length(request: Request) -> int | None:
    """Returns the Content-Length, or None when there is no valid one."""
    text = request.headers.get("content-length", "")
    return int(text) if text.isascii() and text.isdigit() else None


@asynccontextmanager
async def received_form(
    request: Request, settings: Settings, budget: MemoryBudget, most_files: int = 1
) -> AsyncIterator[Form]:
    """Yields the upload form; its bytes count against `budget` until the block ends.

    With several files the body may be `most_files` times as long, but at most a quarter of the budget. Raises
    Refusal: 406 when the body is too large or is not a form, 510 when it arrives too slowly or the budget is
    spent.
    """
    shared = max(settings.max_body, settings.memory_budget // 4)
    largest = min(most_files * settings.max_body, shared)
    too_large = Refusal(Code.BAD_FORM, f"the body is larger than {largest >> 20} MiB")
    if (declared_length(request) or 0) > largest:
        raise too_large
    taken = received = 0

    def reserve(amount: int) -> None:
        nonlocal taken
        budget.take(amount)
        taken += amount

    try:
        reader = FormReader(
            request.headers.get("content-type", ""),
            max_file=settings.max_picture,
            reserve=reserve,
            most_files=most_files,
        )
        async for chunk in request.stream():
            received += len(chunk)
            if received > largest:
                raise too_large
            reader.feed(chunk)
        yield reader.finish()
    finally:
        budget.give_back(taken)
