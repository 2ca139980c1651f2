"""The description is true: generated requests get answers that fit its schemas, and HTTP 200."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given
from hypothesis import settings as quickly
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from receipt_engine.result import json_schema
from receipt_engine.service.codes import Code
from receipt_engine.service.http.openapi import document
from receipt_engine.service.settings import Settings
from tests.service.conftest import Service, base_settings
from tests.service.rules import rule


@pytest.fixture
def settings(folder: Path) -> Settings:
    """SQLite only."""
    return base_settings(folder)


CHECKS = [content_type_conformance, response_schema_conformance, status_code_conformance]


def test_the_description_is_served(service: Service) -> None:
    answer = service.client.get("/openapi.json")
    assert answer.status_code == 200 and answer.json() == json.loads(json.dumps(document()))
    assert set(answer.json()["paths"]) == {"/api/2/process", "/api/result/{token}", "/api/credit"}


def test_every_code_and_field_is_described() -> None:
    schemas = document()["components"]["schemas"]
    described = [
        schema["properties"]["code"]["enum"] for schema in schemas.values() if "code" in schema["properties"]
    ]
    assert {number for numbers in described for number in numbers} == {int(code) for code in Code}
    assert schemas["Result"]["properties"].keys() == json_schema()["$defs"]["Result"]["properties"].keys()


@rule("code-scope")
def test_each_call_has_the_codes_of_the_document() -> None:
    """The column `applies to` of the document's table of codes."""
    everywhere = {400, 406, 510, 520, 521}  # 406 besides: requests that are no HTTP, odd methods
    upload = {200, 300, 401, 403, 404, 405, 407, 408} | everywhere
    expected = {
        "/api/2/process": upload,
        "/api/result/{token}": {202, 301, 402, 500} | everywhere,
        "/api/credit": everywhere,
    }
    assert {path: codes(path) for path in expected} == expected


@rule("result-schema")
def test_further_fields_are_allowed() -> None:
    """Within a version changes are additive, so no object of the description is closed."""
    schemas = document()["components"]["schemas"]
    assert {"Result", "LineItem", "Available"} <= set(schemas)
    assert all(schema.get("additionalProperties", True) is not False for schema in schemas.values())


def codes(path: str) -> set[int]:
    """The codes that the description gives to a call."""
    (operation,) = document()["paths"][path].values()
    choices = operation["responses"]["200"]["content"]["application/json"]["schema"]["oneOf"]
    named = [choice["$ref"].rpartition("/")[2] for choice in choices if "$ref" in choice]
    schemas = document()["components"]["schemas"]
    return {number for name in named for number in schemas[name]["properties"]["code"]["enum"]}


def send(operation: Any, headers: dict[str, str], examples: int) -> set[int]:
    """Generated requests of one operation; the codes of the answers, -1 for a bare number."""
    seen: set[int] = set()

    @given(case=operation.as_strategy())
    @quickly(max_examples=examples, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    def run(case: Any) -> None:
        response = case.call(headers=headers)
        case.validate_response(response, checks=CHECKS, headers=headers)
        assert response.status_code == 200
        body = response.json()
        seen.add(body["code"] if isinstance(body, dict) else -1)

    run()
    return seen


@rule("http-200", "envelope-fields", "envelope-status-code")
def test_generated_requests_get_described_answers(service: Service) -> None:
    """Schemathesis against the application in this process, with and without a key."""
    schema = schemathesis.openapi.from_asgi("/openapi.json", service.client.app)
    operations = {found.ok().label: found.ok() for found in schema.get_all_operations()}
    seen = {label: send(item, {"apikey": service.key}, 25) for label, item in operations.items()}
    assert seen["GET /api/credit"] == {-1} and 402 in seen["GET /api/result/{token}"]
    assert seen["POST /api/2/process"] <= {200, 300, 403, 404, 405, 406, 407}
    for operation in operations.values():
        assert send(operation, {"apikey": "x" * 64}, 5) == {400}
