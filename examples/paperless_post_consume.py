#!/usr/bin/env python3
"""Post-consume script for Paperless-ngx: sets title, date and correspondent from the extracted receipt.

Set PAPERLESS_POST_CONSUME_SCRIPT to this file, and PAPERLESS_API_TOKEN for it; PAPERLESS_API_URL defaults to
http://localhost:8000. Paperless passes DOCUMENT_ID and DOCUMENT_SOURCE_PATH. Values with low confidence are
not used, and a document without a confident total is left unchanged.
"""

from __future__ import annotations

import json
import os
import sys
import urllib.parse
import urllib.request
from typing import Any

from receipt_engine import Engine, ReceiptEngineError, Result

#: Least confidence of a value to be used.
SURE = 0.9


def main() -> int:
    try:
        result = Engine().extract(os.environ["DOCUMENT_SOURCE_PATH"], document_type="auto", deadline=120)
    except (ReceiptEngineError, OSError) as error:
        print(f"receipt-engine: {error}", file=sys.stderr)
        return 0  # the document stays as Paperless has it
    changes = changes_of(result)
    if changes:
        call("PATCH", f"/api/documents/{os.environ['DOCUMENT_ID']}/", changes)
    return 0


def changes_of(result: Result) -> dict[str, Any]:
    """Returns the document's fields to change in Paperless; empty without a confident total."""
    if result.total is None or (result.total_confidence or 0) < SURE:
        return {}
    changes: dict[str, Any] = {}
    sure_name = result.establishment if (result.establishment_confidence or 0) >= SURE else None
    changes["title"] = f"{sure_name or 'Receipt'} {result.total} {result.currency or ''}".strip()
    if result.date_iso is not None and (result.date_confidence or 0) >= SURE:
        changes["created"] = result.date_iso[:10]
    if sure_name is not None:
        changes["correspondent"] = correspondent(sure_name)
    return changes


def correspondent(name: str) -> int:
    """Returns the id of the correspondent with this name, creating it when there is none."""
    query = urllib.parse.urlencode({"name__iexact": name})
    found = call("GET", f"/api/correspondents/?{query}")["results"]
    return int((found[0] if found else call("POST", "/api/correspondents/", {"name": name}))["id"])


def call(method: str, path: str, body: dict[str, Any] | None = None) -> Any:
    """Sends one request to Paperless; raises urllib.error.HTTPError, which Paperless logs."""
    request = urllib.request.Request(
        os.environ.get("PAPERLESS_API_URL", "http://localhost:8000") + path,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={
            "Authorization": f"Token {os.environ['PAPERLESS_API_TOKEN']}",
            "Content-Type": "application/json",
            "Accept": "application/json",
        },
    )
    with urllib.request.urlopen(request, timeout=30) as response:
        return json.load(response)


if __name__ == "__main__":
    sys.exit(main())
