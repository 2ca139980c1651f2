"""The errors that calls of the service raise. The tree is drawn in the package's docstring."""

from __future__ import annotations

from receipt_engine.errors import ReceiptEngineError


class ServiceError(ReceiptEngineError):
    """An unsuccessful answer; `code` is the interface's, 0 when there was no answer."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class KeyRefusedError(ServiceError):
    """The key is missing or unknown (400)."""


class NoCreditError(ServiceError):
    """The account has no credit left (401)."""


class TokenUnknownError(ServiceError):
    """The token was never issued, or its retention period is over (402)."""


class UploadRefusedError(ServiceError):
    """The same upload will be refused again (403 to 408); the message says what is wrong with it."""


class UnreadableError(ServiceError):
    """The image could not be read (500); the same bytes will fail again."""


class StillPendingError(ServiceError):
    """The result was not ready in time (301). `token` stays valid: ask again later."""

    def __init__(self, token: str, seconds: float) -> None:
        super().__init__(
            301, f"The result of {token} is not available after {seconds:g} seconds; ask again later."
        )
        self.token = token


class UnavailableError(ServiceError):
    """The service or its database failed, or did not answer, in every attempt."""


def error_for(code: int, message: str) -> ServiceError:
    """The error that a code stands for."""
    kinds: dict[int, type[ServiceError]] = {
        400: KeyRefusedError,
        401: NoCreditError,
        402: TokenUnknownError,
        500: UnreadableError,
        **dict.fromkeys(range(403, 409), UploadRefusedError),
        **dict.fromkeys((510, 520, 521), UnavailableError),
    }
    return kinds.get(code, ServiceError)(code, message)
