"""The requests and waits of each call, without any network I/O: each call is a generator.

The generator is sent an Answer for every Request it yields, and returns the result of the call. So the
blocking and the asynchronous client share every decision, and tests need neither network nor time.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any, Literal, TypedDict, TypeVar, Unpack
from urllib.parse import quote

from receipt_engine.client.errors import StillPendingError, UnavailableError, error_for
from receipt_engine.result import Result

T = TypeVar("T")
Source = str | PathLike[str] | bytes

_ACCEPTED = frozenset({200, 300})
_PENDING, _AVAILABLE = 301, 202
_PASSING = frozenset({0, 510, 520, 521})
_PAUSES = (1.0, 2.0, 4.0, 8.0)
_LONGEST_PAUSE = 60.0
_FIRST_POLL, _NEXT_POLL = 2.0, 1.0
_PNG = b"\x89PNG"


class Options(TypedDict, total=False):
    """Options of an upload; see the fields of `ExtractOptions` with the same names."""

    region: str | None
    document_type: Literal["receipt", "invoice", "auto"]
    decimal_places: int | None
    cents: bool
    default_date_parsing: Literal["d/m", "m/d"] | None


@dataclass(frozen=True)
class Upload:
    """An accepted image. small: below 720 x 1280. duplicate_of: the token of its first upload."""

    token: str
    small: bool
    duplicate_of: str | None


@dataclass(frozen=True)
class Pending:
    """A result that is not ready yet."""

    token: str


@dataclass(frozen=True)
class Request:
    """One HTTP request below the base address."""

    method: Literal["GET", "POST"]
    path: str
    fields: Mapping[str, str] = field(default_factory=dict)
    file: tuple[str, bytes, str] | None = None  # name, bytes, type


@dataclass(frozen=True)
class Wait:
    """A pause, in seconds."""

    seconds: float


@dataclass(frozen=True)
class Answer:
    """A response: its body and the seconds of Retry-After; failure: why there is no response."""

    body: bytes = b""
    retry_after: float | None = None
    failure: str = ""


Conversation = Generator[Request | Wait, Answer | None, T]


def upload(source: Source, filename: str | None, options: Options) -> Conversation[Upload]:
    """Sends one image. Costs a credit."""
    data = source if isinstance(source, bytes) else Path(source).read_bytes()
    kind, ending = ("image/png", ".png") if data.startswith(_PNG) else ("image/jpeg", ".jpg")
    name = filename or ("receipt" + ending if isinstance(source, bytes) else Path(source).name)
    request = Request("POST", "/api/2/process", _form(options), (name, data, kind))
    answer = yield from _asked(request, _ACCEPTED)
    return Upload(answer["token"], answer["code"] == 300, answer.get("duplicateToken"))


def fetch(token: str) -> Conversation[Result | Pending]:
    """Asks once for a result."""
    path = f"/api/result/{quote(token, safe='')}"
    answer = yield from _asked(Request("GET", path), frozenset({_AVAILABLE, _PENDING}))
    if answer["code"] == _PENDING:
        return Pending(token)
    return Result.from_json(json.dumps(answer["result"]))


def wait(token: str, patience: float, clock: Callable[[], float] = time.monotonic) -> Conversation[Result]:
    """Polls until the result is ready. Raises StillPendingError after `patience` seconds."""
    end = clock() + patience
    pause = _FIRST_POLL
    while True:
        yield Wait(max(0.0, min(pause, end - clock())))
        found = yield from fetch(token)
        if isinstance(found, Result):
            return found
        if clock() >= end:
            raise StillPendingError(token, patience)
        pause = _NEXT_POLL


def read(source: Source, filename: str | None, patience: float, options: Options) -> Conversation[Result]:
    """Uploads and waits."""
    accepted = yield from upload(source, filename, options)
    return (yield from wait(accepted.token, patience))


def credit() -> Conversation[int]:
    """Asks for the remaining credits."""
    answer = yield from _asked(Request("GET", "/api/credit"), frozenset())
    return int(answer["credits"])


def _form(options: Options) -> dict[str, str]:
    """The form fields of an upload; options that are not set are not sent."""
    names = {
        "region": "region",
        "document_type": "documentType",
        "decimal_places": "decimalPlaces",
        "cents": "cents",
        "default_date_parsing": "defaultDateParsing",
    }
    unknown = sorted(options.keys() - names.keys())
    if unknown:
        raise TypeError(f"An upload has no option {', '.join(unknown)}.")
    given = {names[name]: value for name, value in options.items() if value is not None}
    return {
        name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in given.items()
    }


def _asked(request: Request, wanted: frozenset[int]) -> Conversation[dict[str, Any]]:
    """Repeats a request after temporary failures until its code is in `wanted`. Raises ServiceError."""
    code, message = 0, ""
    for pause in (*_PAUSES, None):
        answer = yield request
        assert answer is not None
        body = _parsed(answer)
        code, message = body["code"], body["message"]
        if code in wanted or "credits" in body:
            return body
        if code not in _PASSING:
            raise error_for(code, message)
        if pause is not None:
            yield Wait(min(max(pause, answer.retry_after or 0.0), _LONGEST_PAUSE))
    if code:
        raise error_for(code, message)
    raise UnavailableError(0, f"The service did not answer: {message}")


def _parsed(answer: Answer) -> dict[str, Any]:
    """The envelope in a response; code 0 when there is none. A bare number is the balance."""
    if answer.failure:
        return {"code": 0, "message": answer.failure}
    try:
        body = json.loads(answer.body)
    except ValueError:
        return {"code": 0, "message": "the answer is not JSON"}
    if isinstance(body, int | float) and not isinstance(body, bool):
        return {"code": 0, "message": "", "credits": body}
    if not isinstance(body, dict) or not isinstance(body.get("code"), int):
        return {"code": 0, "message": "the answer is not an envelope"}
    return {"message": "", **body}


__all__ = ["Answer", "Conversation", "Options", "Pending", "Request", "Source", "Unpack", "Upload", "Wait"]
