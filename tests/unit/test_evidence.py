"""The schema of evidence describes what is written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
from msgspec.structs import replace

from receipt_engine import evidence_schema
from receipt_engine.document import Paper, Quad, Reading
from receipt_engine.documents import interpret_all
from receipt_engine.options import ExtractOptions
from tests.printed import reading

RECEIPT = """
CORNER SHOP
12 Main Street
Date: 05/06/2024 12:31
Tel 555-201-3344

2 x Milk            2.40
Bread               2.30
SUBTOTAL            4.70
TAX 10%             0.47
TOTAL               5.17
VISA                5.17
"""
SQUARE = Quad((0, 0), (9, 0), (9, 9), (0, 9))


def several() -> Reading:
    other = reading(RECEIPT.replace("12:31", "18:02"))
    return replace(reading(RECEIPT), papers=(Paper(reading(RECEIPT), SQUARE), Paper(other, SQUARE)))


@pytest.mark.parametrize("page", [reading(RECEIPT), reading("HELLO"), several()])
def test_evidence_follows_its_schema(page: Reading) -> None:
    schema = evidence_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    for result in interpret_all(page, ExtractOptions(region="us", evidence=True), None):
        evidence = json.loads(result.to_json())["evidence"]
        jsonschema.validate(evidence, schema)
        assert set(evidence) == set(schema["properties"])


def figures(value: Any, name: str = "") -> Iterator[tuple[str, float]]:
    """Every number with a fraction, with the key that it stands under; what a model was given is exact."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from figures(inner, key) if key != "features" else ()
    elif isinstance(value, list):
        for inner in value:
            yield from figures(inner, name)
    elif isinstance(value, float):
        yield name, value


def test_figures_have_four_decimals_at_most() -> None:
    page = reading(RECEIPT.replace("TEL", "12/08/2024 TEL"))
    (result,) = interpret_all(page, ExtractOptions(evidence=True), None)
    found = list(figures(json.loads(result.to_json())["evidence"]))
    assert {"probability", "share", "weight", "value", "runnersUp"} <= {name for name, _ in found}
    assert [(name, number) for name, number in found if round(number, 4) != number] == []
    assert any(round(number, 3) != number for _, number in found)


def test_a_wrong_shape_is_refused() -> None:
    (result,) = interpret_all(reading(RECEIPT), ExtractOptions(region="us", evidence=True), None)
    assert isinstance(result.evidence, dict)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**result.evidence, "quality": {}}, evidence_schema())


def test_a_product_line_has_its_row_its_rule_and_its_equation() -> None:
    page = reading("""
KIOSK
Bread                   2.30
3 @ 1.25 Apples         3.75
TOTAL                   6.05
""")
    (result,) = interpret_all(page, ExtractOptions(region="us", evidence=True), None)
    assert isinstance(result.evidence, dict)
    bread, apples = result.evidence["fields"]["lineItems"]
    assert (bread["text"].split(), bread["rule"], bread["equation"]) == (
        ["Bread", "2.30"],
        "product: as printed",
        None,
    )
    assert len(apples["boxes"]) == 1
    assert apples["equation"] == {
        "name": "quantity × price = amount",
        "terms": [["quantity", 3.0], ["price", 1.25], ["amount", 3.75]],
        "residual": 0.0,
        "verdict": "proved",
    }


def test_a_weight_may_have_been_rounded_before_it_was_printed() -> None:
    """The scale weighed 0.8123 kg: no printed weight times the price is the amount."""
    page = reading("""
KIOSK
Bread                   2.30
Beef
0.812 kg @ 61.90/kg    50.28
TOTAL                  52.58
""")
    (result,) = interpret_all(page, ExtractOptions(region="us", evidence=True), None)
    assert isinstance(result.evidence, dict)
    equation = result.evidence["fields"]["lineItems"][1]["equation"]
    assert (equation["residual"], equation["verdict"]) == (-0.0172, "proved")
