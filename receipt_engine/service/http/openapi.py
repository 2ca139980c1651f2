"""Builds the OpenAPI 3.1 description of the interface from the tables that the service itself uses."""

from __future__ import annotations

from functools import cache
from typing import Any

from receipt_engine import json_schema
from receipt_engine.service.codes import MESSAGES, Code
from receipt_engine.service.jobs.options import DATE_ORDERS, DOCUMENT_TYPES, REGIONS

_EVERYWHERE = (Code.KEY_UNKNOWN, Code.BAD_FORM, Code.SERVER_ERROR, Code.DATABASE_DOWN, Code.DATABASE_QUERY)
_UPLOAD_REFUSED = (
    Code.NO_CREDIT,
    Code.NO_FILE,
    Code.MANY_FILES,
    Code.WRONG_TYPE,
    Code.WRONG_EXTENSION,
    Code.STORE_FAILED,
)


@cache
def document() -> dict[str, Any]:
    """Returns the whole description."""
    result = json_schema()
    schemas: dict[str, Any] = _rename(result["$defs"])
    schemas |= {
        "Accepted": _envelope(
            (Code.ACCEPTED, Code.ACCEPTED_SMALL),
            success=True,
            token={"type": "string", "pattern": "^[A-Za-z0-9]{16}$"},
            duplicate={"type": "boolean"},
            duplicateToken={"type": ["string", "null"]},
        ),
        "UploadRefused": _envelope((*_EVERYWHERE, *_UPLOAD_REFUSED), success=False),
        "Available": _envelope(
            (Code.AVAILABLE,), success=True, result={"$ref": "#/components/schemas/Result"}
        ),
        "NoResult": _envelope(
            (*_EVERYWHERE, Code.PENDING, Code.TOKEN_UNKNOWN, Code.OCR_FAILED), success=False
        ),
        "Error": _envelope(_EVERYWHERE, success=False),
    }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Receipt scanning service",
            "version": "2",
            "description": "Every answer is HTTP 200; the outcome is `code`. Messages:\n\n"
            + "\n".join(f"- {int(code)}: {message}" for code, message in MESSAGES.items()),
        },
        "servers": [{"url": "/"}],
        "security": [{"apikey": []}],
        "paths": {
            "/api/2/process": {"post": _process()},
            "/api/result/{token}": {"get": _result()},
            "/api/credit": {"get": _credit()},
        },
        "components": {
            "securitySchemes": {"apikey": {"type": "apiKey", "in": "header", "name": "apikey"}},
            "schemas": schemas,
        },
    }


def _envelope(codes: tuple[Code, ...], *, success: bool, **more: Any) -> dict[str, Any]:
    numbers = sorted(int(code) for code in codes)
    properties = {
        "success": {"const": success},
        "status": {"const": "success" if success else "failed"},
        "status_code": {"type": "integer", "enum": numbers},
        "code": {"type": "integer", "enum": numbers},
        "message": {"type": "string"},
        **more,
    }
    return {"type": "object", "required": list(properties), "properties": properties}


def _answer(*names: str, bare: dict[str, Any] | None = None) -> dict[str, Any]:
    choices = [{"$ref": f"#/components/schemas/{name}"} for name in names] + ([bare] if bare else [])
    return {
        "200": {"description": "The outcome", "content": {"application/json": {"schema": {"oneOf": choices}}}}
    }


def _process() -> dict[str, Any]:
    fields: dict[str, Any] = {
        "file": {"type": "string", "format": "binary", "description": "one JPEG or PNG picture"},
        "region": {"type": "string", "enum": sorted(REGIONS)},
        "documentType": {"type": "string", "enum": list(DOCUMENT_TYPES), "default": "receipt"},
        "decimalPlaces": {"type": "integer", "minimum": 0, "maximum": 3},
        "cents": {"type": "boolean", "default": False},
        "defaultDateParsing": {"type": "string", "enum": list(DATE_ORDERS)},
    }
    form = {"type": "object", "required": ["file"], "properties": fields}
    return {
        "operationId": "process",
        "summary": "Queues one picture and returns a token; costs one credit when accepted.",
        "requestBody": {"required": True, "content": {"multipart/form-data": {"schema": form}}},
        "responses": _answer("Accepted", "UploadRefused"),
    }


def _result() -> dict[str, Any]:
    token = {"name": "token", "in": "path", "required": True, "schema": {"type": "string"}}
    return {
        "operationId": "result",
        "summary": "The outcome for a token: 301 pending, 202 with the result, 402 unknown, 500 unreadable.",
        "parameters": [token],
        "responses": _answer("Available", "NoResult"),
    }


def _credit() -> dict[str, Any]:
    return {
        "operationId": "credit",
        "summary": "Credits remaining, as a bare number.",
        "responses": _answer("Error", bare={"type": "integer", "minimum": 0}),
    }


def _rename(node: Any) -> Any:
    """Rewrites references into `$defs` as references into `components`."""
    if isinstance(node, dict):
        return {
            key: value.replace("#/$defs/", "#/components/schemas/") if key == "$ref" else _rename(value)
            for key, value in node.items()
        }
    return [_rename(item) for item in node] if isinstance(node, list) else node
