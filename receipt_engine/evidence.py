"""JSON Schema of the optional key `evidence` of a Result."""

from __future__ import annotations

from typing import Any

_NUMBER: dict[str, Any] = {"type": "number"}
_TEXT: dict[str, Any] = {"type": "string"}
_COUNT: dict[str, Any] = {"type": "integer", "minimum": 0}
_SHARE: dict[str, Any] = {"type": "number", "minimum": 0, "maximum": 1}


def _list(items: dict[str, Any], count: int | None = None) -> dict[str, Any]:
    sized = {} if count is None else {"minItems": count, "maxItems": count}
    return {"type": "array", "items": items, **sized}


def _object(properties: dict[str, Any], description: str = "") -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": sorted(properties),
        **({"description": description} if description else {}),
    }


_FIELD = _object(
    {
        "boxes": _list(_list(_NUMBER, 4)),
        "text": {"type": ["string", "null"]},
        "rule": _TEXT,
        "runnersUp": _list({"type": "array"}),
    },
    "Where a value is printed: boxes (left, top, right, bottom) in pixels of `page`, the rows' text, the "
    "rule that produced it, and the alternatives to it, each with a score or cost.",
)
_EQUATION = _object(
    {
        "name": _TEXT,
        "terms": _list({"type": "array", "minItems": 2, "maxItems": 2}),
        "residual": _NUMBER,
        "verdict": _TEXT,
    }
)
_PRODUCT = _object(
    {**_FIELD["properties"], "equation": {"anyOf": [_EQUATION, {"type": "null"}]}},
    "A product line, described like a field, with the equation count × price where both are printed.",
)
_CONFIDENCE = _object(
    {
        "probability": _SHARE,
        "features": {"type": "object", "additionalProperties": _NUMBER},
        "contributions": _list(
            _object({"feature": _TEXT, "value": _NUMBER, "weight": _NUMBER, "share": _NUMBER})
        ),
    }
)
_PROPERTIES: dict[str, Any] = {
    "fields": {
        "type": "object",
        "properties": {"lineItems": _list(_PRODUCT)},
        "additionalProperties": {"anyOf": [_FIELD, _list(_FIELD)]},
        "description": "Per field of the Result; a list for fields that are lists.",
    },
    "equations": _list(_EQUATION),
    "repairs": _list(_object({"field": {"type": ["string", "null"]}, "before": _NUMBER, "after": _NUMBER})),
    "regions": _list(_object({"code": _TEXT, "probability": _SHARE, "evidence": _list(_TEXT)})),
    "confidence": {
        "type": "object",
        "additionalProperties": {"anyOf": [_CONFIDENCE, _list(_CONFIDENCE)]},
        "description": "Per field: its confidence, the features behind it and what each contributed.",
    },
    "taxTable": _list(
        _object(
            {
                **{name: {"type": ["number", "null"]} for name in ("rate", "base", "tax", "gross")},
                "code": {"type": ["string", "null"]},
            },
            "One tax: its rate in percent, the amounts without and with it, and its code on the products.",
        )
    ),
    "quality": _object(
        {
            "read": _SHARE,
            "script": {"type": ["string", "null"]},
            "sharpness": _NUMBER,
            "contrast": _SHARE,
            "brightness": {"type": ["number", "null"]},
            "textHeight": _NUMBER,
            "smallestPrint": _NUMBER,
            "cutEdges": _list({"enum": ["left", "top", "right", "bottom"]}),
            "advice": _list(_TEXT),
        },
        "read: share of the words that could be read; script: that of most of the others, if it is one "
        "that cannot be read; heights in pixels; advice: how to take a better photo.",
    ),
    "page": _object(
        {
            "number": {"type": "integer", "minimum": 1},
            "pages": {"type": "integer", "minimum": 1},
            "width": _COUNT,
            "height": _COUNT,
            "sourceWidth": _COUNT,
            "sourceHeight": _COUNT,
            "rotation": {"enum": [0, 90, 180, 270]},
        },
        "The area that the boxes refer to, width by height pixels: the file's page, rotated clockwise by "
        "`rotation` degrees after EXIF, or one receipt cut out of it. Further pages and a card slip are "
        "placed below it.",
    ),
    "receipts": _object(
        {
            "count": {"type": "integer", "minimum": 1},
            "index": _COUNT,
            "outlines": _list(_list(_list(_list(_NUMBER, 2), 4))),
        },
        "How many receipts the file shows, which of them this is, and the corners of the pieces of paper of "
        "each receipt on the same page, in pixels of the upright page; none for a whole page.",
    ),
}


def evidence_schema() -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of `Result.evidence`. Further, undocumented keys may appear."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Evidence",
        "type": "object",
        "properties": _PROPERTIES,
        "required": sorted(_PROPERTIES),
    }
