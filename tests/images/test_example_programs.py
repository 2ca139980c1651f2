"""The example programs, run with the real engine."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from receipt_engine.engine import Engine
from receipt_engine.result import Result

ROOT = Path(__file__).parents[2]
RECEIPT = ROOT / "examples" / "receipt.jpg"
TRUTH = json.loads((ROOT / "examples" / "receipt.json").read_text(encoding="utf-8"))


def _example(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "examples" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_pool_of_processes(tmp_path: Path) -> None:
    (tmp_path / "notes.jpg").write_text("milk")
    done = subprocess.run(
        [sys.executable, "examples/worker_pool.py", str(RECEIPT), str(tmp_path / "notes.jpg")],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert f"{RECEIPT}: {TRUTH['total']} USD" in done.stdout, done.stderr
    assert "notes.jpg: NotAnImageError" in done.stdout


def test_fastapi() -> None:
    from starlette.testclient import TestClient

    with TestClient(_example("fastapi_app").app) as client:
        found = client.post("/receipts?region=us", content=RECEIPT.read_bytes())
        assert (found.status_code, found.json()["total"]) == (200, TRUTH["total"])
        assert client.post("/receipts", content=b"milk").status_code == 422
        wrong = client.post("/receipts?region=germany", content=RECEIPT.read_bytes())
        assert wrong.status_code == 422 and "'de'" in wrong.json()["detail"]


def test_celery(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BROKER", "memory://")
    tasks = _example("celery_tasks")
    tasks.app.conf.task_always_eager = True
    assert tasks.read_receipt.delay(str(RECEIPT), region="us").get()["total"] == TRUTH["total"]
    (tmp_path / "notes.jpg").write_text("milk")
    assert tasks.read_receipt.delay(str(tmp_path / "notes.jpg")).get()["error"] == "NotAnImageError"


class _Paperless(BaseHTTPRequestHandler):
    """As much of the API of Paperless-ngx as the script uses; remembers what it was told."""

    told: list[tuple[str, str, Any]]
    known: list[dict[str, Any]]

    def _answer(self) -> None:
        assert self.headers["Authorization"] == "Token secret"
        length = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(length)) if length else None
        self.told.append((self.command, self.path, body))
        found: Any = {"results": self.known} if self.command == "GET" else {"id": 7}
        data = json.dumps(found).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_POST = do_PATCH = _answer

    def log_message(self, format: str, *args: Any) -> None:
        """Quiet."""


@pytest.fixture
def paperless(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[_Paperless]]:
    _Paperless.told, _Paperless.known = [], []
    with ThreadingHTTPServer(("127.0.0.1", 0), _Paperless) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        monkeypatch.setenv("PAPERLESS_API_URL", f"http://127.0.0.1:{server.server_address[1]}")
        monkeypatch.setenv("PAPERLESS_API_TOKEN", "secret")
        monkeypatch.setenv("DOCUMENT_ID", "42")
        yield _Paperless
        server.shutdown()
        thread.join()


def test_paperless_is_told_what_is_sure(
    paperless: type[_Paperless], engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = _example("paperless_post_consume")
    monkeypatch.setattr(script, "Engine", lambda: engine)
    monkeypatch.setenv("DOCUMENT_SOURCE_PATH", str(RECEIPT))
    assert script.main() == 0
    name = engine.extract(RECEIPT).establishment
    assert paperless.told[0][1].startswith("/api/correspondents/?name__iexact=")
    assert paperless.told[1] == ("POST", "/api/correspondents/", {"name": name})
    method, path, changes = paperless.told[2]
    assert (method, path) == ("PATCH", "/api/documents/42/")
    assert changes["title"] == f"{name} {TRUTH['total']} USD"
    assert changes["created"] == TRUTH["dateISO"][:10]
    assert changes["correspondent"] == 7


def test_paperless_keeps_what_is_no_receipt(
    paperless: type[_Paperless], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, engine: Engine
) -> None:
    script = _example("paperless_post_consume")
    monkeypatch.setattr(script, "Engine", lambda: engine)
    (tmp_path / "letter.jpg").write_text("Dear Sir")
    monkeypatch.setenv("DOCUMENT_SOURCE_PATH", str(tmp_path / "letter.jpg"))
    assert script.main() == 0
    assert script.changes_of(Result()) == {}
    assert paperless.told == []
    paperless.known = [{"id": 3}]
    assert script.correspondent("Café Mikro") == 3
