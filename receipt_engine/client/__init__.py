"""A client of the HTTP service, of this package or of another one with the same interface (extra `client`).

    with ReceiptClient("https://receipts.example", key) as client:
        result = client.read("receipt.jpg", region="us")  # uploads, waits, returns a Result

`AsyncReceiptClient` has the same methods as coroutines. Both wait and retry as the interface asks: two
seconds before the first poll, one between polls, 1, 2, 4 and 8 seconds between attempts after a temporary
failure. Every failure is a `ServiceError`, whose subclasses say what to do; its `code` is the interface's.

    ServiceError
    ├── KeyRefusedError        400  check the key
    ├── NoCreditError          401  top up
    ├── UploadRefusedError     403 to 408  change the upload; the message says what is wrong
    ├── TokenUnknownError      402  never issued, or past its 90 days
    ├── UnreadableError        500  send a clearer image
    ├── StillPendingError      301  not ready in time; the token stays valid
    └── UnavailableError       510, 520, 521, or no answer after every attempt
"""

from receipt_engine.client.conversation import Pending, Upload
from receipt_engine.client.errors import (
    KeyRefusedError,
    NoCreditError,
    ServiceError,
    StillPendingError,
    TokenUnknownError,
    UnavailableError,
    UnreadableError,
    UploadRefusedError,
)
from receipt_engine.client.http import AsyncReceiptClient, ReceiptClient

__all__ = [
    "AsyncReceiptClient",
    "KeyRefusedError",
    "NoCreditError",
    "Pending",
    "ReceiptClient",
    "ServiceError",
    "StillPendingError",
    "TokenUnknownError",
    "UnavailableError",
    "UnreadableError",
    "Upload",
    "UploadRefusedError",
]
