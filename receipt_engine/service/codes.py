"""Defines every outcome code with its status and message, and builds the JSON envelope that carries it.

Messages are spelled only here. The HTTP status is always 200; the outcome is the envelope's `code`.
"""

from __future__ import annotations

import json
from enum import IntEnum
from typing import Any, Literal

Profile = Literal["contract", "classic"]
PROFILES: tuple[Profile, ...] = ("contract", "classic")


class Code(IntEnum):
    """The outcome codes of the interface."""

    ACCEPTED = 200
    AVAILABLE = 202
    ACCEPTED_SMALL = 300
    PENDING = 301
    KEY_UNKNOWN = 400
    NO_CREDIT = 401
    TOKEN_UNKNOWN = 402
    NO_FILE = 403
    MANY_FILES = 404
    WRONG_TYPE = 405
    BAD_FORM = 406
    WRONG_EXTENSION = 407
    STORE_FAILED = 408
    OCR_FAILED = 500
    SERVER_ERROR = 510
    DATABASE_DOWN = 520
    DATABASE_QUERY = 521


MESSAGES: dict[Code, str] = {
    Code.ACCEPTED: "SUCCESS: process request submitted successfully",
    Code.AVAILABLE: "SUCCESS: result available",
    Code.ACCEPTED_SMALL: "SUCCESS: image accepted, but it is smaller than the recommended 720x1280",
    Code.PENDING: "PENDING: result not yet available",
    Code.KEY_UNKNOWN: "ERROR: API key not found",
    Code.NO_CREDIT: "ERROR: not enough credit",
    Code.TOKEN_UNKNOWN: "ERROR: token not found",
    Code.NO_FILE: "ERROR: no file detected; send exactly one file part named file",
    Code.MANY_FILES: "ERROR: multiple files detected; only 1 file per call",
    Code.WRONG_TYPE: "ERROR: unsupported mimetype; send image/jpeg or image/png",
    Code.BAD_FORM: "ERROR: form parser error",
    Code.WRONG_EXTENSION: "ERROR: unsupported file extension; use .jpg, .jpeg or .png",
    Code.STORE_FAILED: "ERROR: file system error; retry once, then contact support",
    Code.OCR_FAILED: "ERROR: OCR failure, the image could not be processed; retry with a clearer image",
    Code.SERVER_ERROR: "ERROR: server error; retry with exponential backoff",
    Code.DATABASE_DOWN: "ERROR: database connection error; retry with exponential backoff",
    Code.DATABASE_QUERY: "ERROR: database query error; retry with exponential backoff",
}

_SUCCESS = frozenset({Code.ACCEPTED, Code.ACCEPTED_SMALL, Code.AVAILABLE})

#: status, status_code and success in the profile `classic`, which older clients of this API expect.
_CLASSIC: dict[Code, tuple[str, int, bool]] = {
    Code.ACCEPTED: ("success", 2, True),
    Code.ACCEPTED_SMALL: ("success", 2, True),
    Code.PENDING: ("pending", 1, True),
    Code.AVAILABLE: ("done", 3, True),
}
_CLASSIC_FAILED = ("failed", 4, False)


class Refusal(Exception):
    """A request refused with an error code.

    detail: what is wrong with this request; retry_after: seconds for the Retry-After header.
    """

    def __init__(self, code: Code, detail: str | None = None, *, retry_after: float | None = None) -> None:
        self.code = code
        self.detail = detail
        self.retry_after = retry_after
        super().__init__(detail or MESSAGES[code])


def envelope(code: Code, profile: Profile = "contract", *, detail: str | None = None) -> dict[str, Any]:
    """Returns the five fields that every JSON answer carries. detail: appended to the message."""
    success = code in _SUCCESS
    status, status_code = ("success" if success else "failed"), int(code)
    if profile == "classic":
        status, status_code, success = _CLASSIC.get(code, _CLASSIC_FAILED)
    message = MESSAGES[code] if detail is None else f"{MESSAGES[code]}: {detail}"
    return {
        "success": success,
        "status": status,
        "status_code": status_code,
        "code": int(code),
        "message": message,
    }


def encode(body: Any) -> bytes:
    """Returns `body` as compact UTF-8 JSON."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()


def encode_with_result(head: dict[str, Any], result: bytes) -> bytes:
    """Returns the envelope with `result`, whose stored JSON bytes are inserted unchanged."""
    return encode(head)[:-1] + b',"result":' + result + b"}"
