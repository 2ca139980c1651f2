"""The signature of a call, by which its receiver knows that it came from here (Standard Webhooks, v1)."""

from __future__ import annotations

import base64
import hashlib
import hmac

_PREFIX = "whsec_"
_BYTES = 32


def signing_secret(master: bytes, webhook_id: int, salt: str) -> str:
    """The secret of one webhook: derived, so that nothing but the salt is stored of it."""
    made = hmac.digest(master, f"webhook:{webhook_id}:{salt}".encode(), hashlib.sha256)
    return _PREFIX + base64.b64encode(made[:_BYTES]).decode()


def signed_headers(secret: str, event: str, seconds: int, body: bytes) -> dict[str, str]:
    """The three headers of a call. seconds: since the epoch."""
    key = base64.b64decode(secret.removeprefix(_PREFIX))
    made = hmac.digest(key, f"{event}.{seconds}.".encode() + body, hashlib.sha256)
    signature = f"v1,{base64.b64encode(made).decode()}"
    return {"webhook-id": event, "webhook-timestamp": str(seconds), "webhook-signature": signature}
