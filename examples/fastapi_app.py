"""Upload endpoint: `fastapi run examples/fastapi_app.py`, `curl --data-binary @receipt.jpg …/receipts`.

The package's own HTTP service (`receipt-engine serve`) has accounts, a queue and retention.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI, HTTPException, Request, Response

from receipt_engine import Cancellation, DeadlineError, Engine, ImageError, OptionError

MOST_BYTES = 20_000_000


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    app.state.engine = await asyncio.to_thread(Engine)
    await asyncio.to_thread(app.state.engine.warm_up)
    yield


app = FastAPI(lifespan=lifespan)


@app.post("/receipts")
async def read_receipt(request: Request, region: str | None = None) -> Response:
    """Extracts the image in the request body and returns the Result as JSON."""
    picture = bytearray()
    async for part in request.stream():
        picture += part
        if len(picture) > MOST_BYTES:
            raise HTTPException(413, "The picture is too large.")
    cancel = Cancellation()
    try:
        result = await asyncio.to_thread(
            request.app.state.engine.extract, bytes(picture), region=region, deadline=30, cancel=cancel
        )
    except asyncio.CancelledError:
        cancel.cancel()  # the client has gone: stop the extraction in the thread
        raise
    except (ImageError, OptionError) as error:
        raise HTTPException(422, str(error)) from error
    except DeadlineError as error:
        raise HTTPException(503, str(error)) from error
    return Response(result.to_json(), media_type="application/json")
