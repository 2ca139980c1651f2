"""A small HTTPS client of the service, based on the standard library."""

from __future__ import annotations

import http.client
import json
import ssl
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_BOUNDARY = "receipt-engine-client"
#: Seconds after which an idle connection is not reused: the server may be closing it at that moment.
_KEEP = 0.25


def _part(named: str) -> bytes:
    return f"--{_BOUNDARY}\r\nContent-Disposition: form-data; {named}\r\n\r\n".encode()


class Client:
    """One connection to a service on this machine, reopened whenever it breaks.

    Calls raise OSError or http.client.HTTPException when there is no answer.
    """

    def __init__(self, port: int, certificate: Path, key: str, *, timeout: float = 60.0) -> None:
        self._certificate = certificate
        self._port = port
        self.key = key
        self._timeout = timeout
        self._connection: http.client.HTTPSConnection | None = None
        self._used_at = 0.0

    def upload(
        self,
        picture: bytes,
        name: str = "receipt.png",
        kind: str = "image/png",
        fields: Mapping[str, str] | None = None,
    ) -> dict[str, Any]:
        """Uploads an image; returns the response envelope."""
        body = b""
        for field, value in (fields or {}).items():
            body += _part(f'name="{field}"') + value.encode() + b"\r\n"
        body += _part(f'name="file"; filename="{name}"\r\nContent-Type: {kind}') + picture
        body += f"\r\n--{_BOUNDARY}--\r\n".encode()
        content_type = f"multipart/form-data; boundary={_BOUNDARY}"
        answer: dict[str, Any] = self._call("POST", "/api/2/process", body, {"content-type": content_type})
        return answer

    def result(self, token: str) -> dict[str, Any]:
        """The response envelope of a result call."""
        answer: dict[str, Any] = self._get(f"/api/result/{token}")
        return answer

    def credits(self) -> int:
        """The credit balance."""
        return int(self._get("/api/credit"))

    def close(self) -> None:
        """Closes the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _get(self, path: str) -> Any:
        """Retries once when the server closed a kept connection just as it was used (RFC 9110, 9.2.2)."""
        kept = self._connection is not None
        try:
            return self._call("GET", path)
        except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
            if not kept:
                raise
        return self._call("GET", path)

    def _call(
        self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> Any:
        if time.monotonic() - self._used_at > _KEEP:
            self.close()
        if self._connection is None:
            context = ssl.create_default_context(cafile=str(self._certificate))
            self._connection = http.client.HTTPSConnection(
                "localhost", self._port, context=context, timeout=self._timeout
            )
        try:
            self._connection.request(method, path, body, {"apikey": self.key, **(headers or {})})
            answer = self._connection.getresponse()
            text = answer.read()
            self._used_at = time.monotonic()
        except (OSError, http.client.HTTPException):
            self.close()
            raise
        if answer.status != 200:
            raise http.client.HTTPException(f"HTTP {answer.status}")
        return json.loads(text)
