"""The local web server of the review page: this machine only, one visitor, no external requests.

Its address carries a token that works once; it is exchanged for a cookie that other sites cannot use
(SameSite, a Host check against DNS rebinding, an Origin check on every change).
"""

from __future__ import annotations

import json
import secrets
import sys
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from receipt_engine.errors import OptionError, ReceiptEngineError, in_words, named
from receipt_engine.review.session import Session

_COOKIE = "review"
_LONGEST_ANSWER = 20_000
_FILES = {
    "/": ("page.html", "text/html; charset=utf-8"),
    "/page.js": ("page.js", "text/javascript; charset=utf-8"),
    "/page.css": ("page.css", "text/css; charset=utf-8"),
}
_POLICY = "; ".join(
    (
        *("default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'"),
        *("connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"),
    )
)
#: The explain page has its style and its image inline, and no script.
_POLICY_OF_WHY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


class ReviewServer(ThreadingHTTPServer):
    """Serves one session on 127.0.0.1. port: 0 takes any free one."""

    daemon_threads = True

    def __init__(self, session: Session, port: int = 0) -> None:
        """Raises OSError, which names the port, when another program uses it."""
        try:
            super().__init__(("127.0.0.1", port), _Handler)
        except OSError as error:
            raise named(error, Path(f"port {port}")) from error
        self.session = session
        self._token: str | None = secrets.token_urlsafe(32)
        self._secret = secrets.token_urlsafe(32)

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.server_address[1]}"

    @property
    def address(self) -> str:
        """The address that opens the page, once."""
        return f"http://{self.host}/?token={self._token}"

    def exchange(self, token: str) -> str | None:
        """The cookie's value for the token, None when the token is wrong or has been used."""
        if self._token is None or not secrets.compare_digest(token, self._token):
            return None
        self._token = None
        return self._secret

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignores a browser that closes the connection."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)

    def knows(self, cookie: str) -> bool:
        return secrets.compare_digest(cookie, self._secret)


class _Handler(BaseHTTPRequestHandler):
    """Handles one request."""

    server: ReviewServer
    server_version = "receipt-engine"
    sys_version = ""
    protocol_version = "HTTP/1.1"
    timeout = 30

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if not self._is_local():
            return
        if parts.path == "/" and "token" in query:
            self._enter(query["token"])
        elif self._is_known():
            self._answered(lambda: self._get(parts.path, query))

    def do_POST(self) -> None:
        if not self._is_local() or not self._is_known():
            return
        if self.headers.get("Origin") != f"http://{self.server.host}" or self.path != "/api/answer":
            self._send(403, b"forbidden")
            return
        length = int(self.headers.get("Content-Length") or 0)
        if not 0 < length <= _LONGEST_ANSWER:
            self._send(413, b"too long")
            return
        body = self.rfile.read(length)
        self._answered(lambda: self._post(body))

    def log_message(self, format: str, *args: Any) -> None:
        """Logs nothing: addresses and requests are private to the visitor."""

    def _get(self, path: str, query: dict[str, str]) -> None:
        session = self.server.session
        if path in _FILES:
            name, kind = _FILES[path]
            self._send(200, Path(__file__).with_name(name).read_bytes(), kind)
        elif path == "/api/state":
            self._send_json(session.state())
        elif path == "/api/receipt":
            self._send_json(session.receipt(int(query["row"])))
        elif path == "/favicon.ico":
            self._send(204, b"")
        elif path == "/crop":
            self._send(200, session.crop(int(query["question"])), "image/jpeg")
        elif path == "/picture":
            self._send(200, session.whole(int(query["row"])), "image/jpeg")
        elif path == "/why":
            page = session.why(int(query["row"])).encode()
            self._send(200, page, "text/html; charset=utf-8", {"Content-Security-Policy": _POLICY_OF_WHY})
        else:
            self._send(404, b"not found")

    def _post(self, body: bytes) -> None:
        asked = json.loads(body)
        value = asked["value"]
        self.server.session.answer(
            int(asked["row"]), str(asked["field"]), None if value is None else str(value)
        )
        self._send_json(self.server.session.receipt(int(asked["row"])))

    def _answered(self, work: Any) -> None:
        """Runs `work`; its errors are reported to the page."""
        try:
            work()
        except OptionError as error:
            self._send(422, str(error).encode())
        except (ReceiptEngineError, FileNotFoundError) as error:
            self._send(404, in_words(error).encode())
        except (KeyError, IndexError, ValueError, TypeError):
            self._send(400, b"this cannot be asked for")
        except ConnectionError:
            self.close_connection = True
        except OSError as error:
            self._send(507, in_words(error).encode())

    def _enter(self, token: str) -> None:
        secret = self.server.exchange(token)
        if secret is None:
            self._send(403, b"This address was used already. Start `receipt-engine review` again.")
            return
        cookie = f"{_COOKIE}={secret}; HttpOnly; SameSite=Strict; Path=/"
        self._send(303, b"", headers={"Location": "/", "Set-Cookie": cookie})

    def _is_local(self) -> bool:
        """Whether the request names this host: a foreign name that resolves to it is refused."""
        if self.headers.get("Host") == self.server.host:
            return True
        self._send(403, b"forbidden")
        return False

    def _is_known(self) -> bool:
        cookie = SimpleCookie(self.headers.get("Cookie", "")).get(_COOKIE)
        if cookie is not None and self.server.knows(cookie.value):
            return True
        self._send(403, b"Open the address that `receipt-engine review` printed.")
        return False

    def _send_json(self, value: object) -> None:
        self._send(200, json.dumps(value, ensure_ascii=False).encode(), "application/json")

    def _send(
        self,
        status: int,
        body: bytes,
        kind: str = "text/plain; charset=utf-8",
        headers: dict[str, str] | None = None,
    ) -> None:
        common = {
            "Content-Type": kind,
            "Content-Length": str(len(body)),
            "Cache-Control": "no-store",
            "Content-Security-Policy": _POLICY,
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Cross-Origin-Resource-Policy": "same-origin",
        }
        self.send_response(status)
        for name, value in {**common, **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
