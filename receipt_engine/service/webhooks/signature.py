"""Signs webhook calls, so that the receiver can verify their origin (Standard Webhooks, v1)."""

from __future__ import annotations

import base64
import hashlib
import hmac

_PREFIX = "whsec_"
_BYTES = 32


def signing_secret(master: bytes, webhook_id: int, salt: str) -> str:
    """Derives the secret of one webhook, so that only its salt has to be stored."""
    made = hmac.digest(master, f"webhook:{webhook_id}:{salt}".encode(), hashlib.sha256)
    return _PREFIX + base64.b64encode(made[:_BYTES]).decode()


def signed_headers(secret: str, event: str, seconds: int, body: bytes) -> dict[str, str]:
    """Returns the three headers of a call. event: the message's id; seconds: since the epoch."""
    key = base64.b64decode(secret.removeprefix(_PREFIX))
    made = hmac.digest(key, f"{event}.{seconds}.".encode() + body, hashlib.sha256)
    signature = f"v1,{base64.b64encode(made).decode()}"
    return {"webhook-id": event, "webhook-timestamp": str(seconds), "webhook-signature": signature}
