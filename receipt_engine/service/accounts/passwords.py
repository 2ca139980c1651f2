"""Hashes and verifies dashboard passwords: scrypt from the standard library, with OWASP's parameters."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets

MIN_LENGTH = 12
MAX_LENGTH = 200
_N, _R, _P = 1 << 15, 8, 3
_MEMORY = 64 * 1024 * 1024


class PasswordError(ValueError):
    """A new password that is too short or too long."""


def hash_password(password: str) -> str:
    """Returns the hash in the stored form `scrypt$salt$digest`; raises PasswordError."""
    if not MIN_LENGTH <= len(password) <= MAX_LENGTH:
        raise PasswordError(f"A password must have {MIN_LENGTH} to {MAX_LENGTH} characters.")
    salt = secrets.token_bytes(16)
    return f"scrypt${_encode(salt)}${_encode(_scrypt(password, salt))}"


def verify_password(password: str, stored: str | None) -> bool:
    """Returns whether the password matches, comparing in constant time.

    stored: None for an account without a password, which takes as long as a wrong password.
    """
    _, salt, digest = (stored or f"scrypt${_encode(bytes(16))}$").split("$")
    computed = _scrypt(password[:MAX_LENGTH], base64.b64decode(salt))
    return hmac.compare_digest(computed, base64.b64decode(digest) if digest else bytes(32))


def _scrypt(password: str, salt: bytes) -> bytes:
    return hashlib.scrypt(password.encode(), salt=salt, n=_N, r=_R, p=_P, maxmem=_MEMORY, dklen=32)


def _encode(data: bytes) -> str:
    return base64.b64encode(data).decode()
