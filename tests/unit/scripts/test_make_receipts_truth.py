"""Labels of drawn receipts: the contract's form, and nothing that is not printed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from receipt_engine.errors import RegionDataError
from receipt_engine.region import load_region, region_codes
from receipt_engine.result import Result, json_schema
from scripts.make_receipts import KINDS, Composed, DrawingError, compose_receipt
from scripts.make_receipts.__main__ import SEEDS_APART
from scripts.make_receipts.tape import columns

SCHEMA = json_schema()


@cache
def composed(region: str, kind: str, seed: int = 5) -> Composed:
    return compose_receipt(region, kind=kind, seed=seed)


def money_of(region: str, receipt: Composed) -> str:
    """The code of the region's money on the day of the sale."""
    money = load_region(region).currency
    former = money.former
    return former.code if former and receipt.sale.moment.date() <= former.until else money.code


def faults(value: Any, schema: Mapping[str, Any], path: str = "$") -> list[str]:
    """Where a label departs from the JSON Schema; it may leave out what it has no truth for."""
    if "$ref" in schema:
        schema = SCHEMA["$defs"][schema["$ref"].rpartition("/")[2]]
    if "anyOf" in schema:
        found = [faults(value, choice, path) for choice in schema["anyOf"]]
        return [] if any(not choice for choice in found) else found[0]
    wrong = []
    if "enum" in schema and value not in schema["enum"]:
        wrong.append(f"{path}: {value!r} is none of {schema['enum']}")
    kinds: dict[str, Any] = {"object": dict, "array": list, "string": str, "boolean": bool}
    kinds |= {"number": (int, float), "null": type(None), "integer": int}
    if "type" in schema and not isinstance(value, kinds[schema["type"]]):
        wrong.append(f"{path}: {value!r} is no {schema['type']}")
    elif isinstance(value, dict):
        known = schema.get("properties", {})
        for key, part in value.items():
            if key in known:
                wrong += faults(part, known[key], f"{path}.{key}")
            elif known:
                wrong.append(f"{path}: unknown key {key}")
    elif isinstance(value, list) and isinstance(schema.get("items"), dict):
        for at, part in enumerate(value):
            wrong += faults(part, schema["items"], f"{path}[{at}]")
    return wrong


#: Currencies that the interface calls otherwise than ISO 4217.
CALLED = {"CNY": "RMB"}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("region", region_codes())
def test_labels_have_the_form_of_the_contract(region: str, kind: str) -> None:
    truth = json.loads(json.dumps(composed(region, kind).truth))
    plain = {key: value for key, value in truth.items() if not key.endswith("_any")}
    # What a reader adds (confidences) is no part of the truth.
    whole = {**composed(region, kind).result.to_dict(), **plain}
    assert faults(whole, SCHEMA) == []
    assert Result.from_json(json.dumps(whole)).total == Decimal(str(truth["total"]))
    for key, values in truth.items():
        if key.endswith("_any"):
            assert values and isinstance(values, list)
            for value in values:
                assert faults({**whole, key.removesuffix("_any"): value}, SCHEMA) == []


def test_the_schema_check_finds_faults() -> None:
    assert faults({"total": "12"}, SCHEMA) and faults({"lineItems": [{"nonsense": 1}]}, SCHEMA)
    assert faults({"documentType": "Letter"}, SCHEMA)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("region", region_codes())
def test_what_is_labelled_is_printed(region: str, kind: str) -> None:
    receipt = composed(region, kind)
    rows = [row.text + row.logo for row in receipt.rows]
    text = " ".join(" ".join(rows).split())
    truth = receipt.truth
    assert truth["establishment"] in text
    for part in truth["address"].split(", "):
        assert part.strip(",") in text
    for key in ("phoneNumber", "url"):
        assert truth[key] is None or truth[key] in text
    for value in truth["customFields"].values():
        assert value in text
    for line in truth["lineItems"]:
        assert all(word in text for word in line["descClean"].split())
        assert line["productCode"] is None or line["productCode"] in text
    assert truth["currency"] == CALLED.get(money := money_of(region, receipt), money)
    assert truth["documentType"] == ("Invoice" if kind == "invoice" else "Receipt")
    codes = [list(row.barcode) for row in receipt.rows if row.barcode]
    assert codes == truth["barcodes"]


@pytest.mark.parametrize("region", region_codes())
def test_no_row_is_wider_than_the_strip(region: str) -> None:
    for kind in KINDS:
        receipt = composed(region, kind)
        for row in receipt.rows:
            room = receipt.width // 2 if "big" in row.style else receipt.width
            assert columns(row.text) <= room, row.text


def test_the_same_seed_gives_the_same_text_and_another_one_another() -> None:
    first, again, other = (compose_receipt("my", seed=seed) for seed in (3, 3, 4))
    assert first.printed == again.printed and first.truth == again.truth
    assert first.printed != other.printed


def test_layouts_and_words_vary() -> None:
    receipts = [compose_receipt("gb", kind="supermarket", seed=seed) for seed in range(40)]
    assert len({receipt.width for receipt in receipts}) >= 6
    totals = {
        line["desc"] for r in receipts for line in r.truth["summaryItems"] if line["lineType"] == "Total"
    }
    assert len(totals) >= 8
    assert {True, False} == {any(line["qty"] for line in r.truth["lineItems"]) for r in receipts}


def test_traps_are_printed_and_not_labelled() -> None:
    """Some receipts repeat amounts after the totals; no such line is in the totals block."""
    receipts = [compose_receipt("us", kind="restaurant", seed=seed) for seed in range(60)]
    offered = [r for r in receipts if any("18%:" in row.text for row in r.rows)]
    assert offered
    for receipt in offered:
        assert receipt.truth["tip"] is None
        assert not any("18%:" in (line["desc"] or "") for line in receipt.truth["summaryItems"])


def test_unknown_arguments_are_refused_with_the_known_ones() -> None:
    with pytest.raises(DrawingError, match="supermarket"):
        compose_receipt("my", kind="casino", seed=1)
    with pytest.raises(RegionDataError, match="no region"):
        compose_receipt("zz", seed=1)


def test_aliases_of_regions_work() -> None:
    assert compose_receipt("uk", seed=1).region == "gb"


def test_the_example_that_ships_is_still_what_its_command_draws() -> None:
    shipped = Path(__file__).parents[3] / "examples" / "receipt.json"
    drawn = composed("us", "supermarket", SEEDS_APART + 6)
    assert drawn.truth == json.loads(shipped.read_text(encoding="utf-8"))
