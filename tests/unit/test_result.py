"""The contract object: its fields, their JSON and their schema."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import jsonschema
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from receipt_engine.result import AddressNorm, LineItem, Result, Supplementary, json_schema

#: The Result table of the interface: every field with its type, in its order.
RESULT = """
    establishment               string?
    establishmentConfidence     share?
    validatedEstablishment      boolean
    date                        string?
    dateISO                     string?
    dateConfidence              share?
    total                       number?
    totalConfidence             share?
    validatedTotal              boolean
    subTotal                    number?
    subTotalConfidence          share?
    validatedSubTotal           boolean
    tax                         number?
    taxes                       number*
    taxesConfidence             share*
    tip                         number?
    tipConfidence               share?
    serviceCharges              number*
    serviceChargeConfidences    share*
    discount                    number?
    discounts                   number*
    discountConfidences         share*
    rounding                    number?
    roundingConfidence          share?
    cash                        number?
    cashConfidence              share?
    change                      number?
    changeConfidence            share?
    currency                    string?
    paymentMethod               string?
    address                     string?
    addressNorm                 AddressNorm?
    phoneNumber                 string?
    url                         string?
    barcodes                    pair*
    expenseType                 string?
    documentType                document?
    customFields                strings
    lineItems                   LineItem*
    summaryItems                LineItem*
"""
LINE_ITEM = """
    desc                        string?
    descClean                   string?
    lineTotal                   number?
    price                       number?
    qty                         number?
    unit                        number?
    productCode                 string?
    symbols                     string*
    supplementaryLineItems      Supplementary?
    lineType                    line?
"""
ADDRESS = """
    building    string?
    number      string?
    street      string?
    suburb      string?
    city        string?
    state       string?
    postcode    string?
    country     string?
"""
SUPPLEMENTARY = """
    above   string*
    below   string*
"""
LINE_TYPES = {
    "Total",
    "SubTotal",
    "Tax",
    "TotalTax",
    "Cash",
    "Change",
    "Tip",
    "ServiceCharge",
    "Product",
}
SCALARS: dict[str, Any] = {
    "string": {"type": "string"},
    "number": {"type": "number"},
    "boolean": {"type": "boolean"},
    "share": {"type": "number", "minimum": 0, "maximum": 1},
    "strings": {"type": "object", "additionalProperties": {"type": "string"}},
    "document": {"enum": ["Invoice", "Receipt"]},
    "line": {"enum": sorted(LINE_TYPES)},
    "pair": {
        "type": "array",
        "minItems": 2,
        "maxItems": 2,
        "prefixItems": [{"type": "string"}, {"type": "string"}],
        "items": False,
    },
}
FULL = Result(
    establishment="THE COPPER KETTLE",
    establishment_confidence=0.93,
    validated_establishment=True,
    date="2024-03-14 18:42:00",
    date_iso="2024-03-14T18:42:00",
    date_confidence=0.97,
    total=Decimal("31.05"),
    total_confidence=0.999,
    validated_total=True,
    sub_total=Decimal("28.75"),
    sub_total_confidence=0.98,
    tax=Decimal("2.30"),
    taxes=(Decimal("2.30"),),
    taxes_confidence=(0.95,),
    currency="USD",
    address="12 Harbor Street, Portland, OR 97201",
    address_norm=AddressNorm(number="12", street="Harbor Street", city="Portland"),
    barcodes=(("4006381333931", "EAN-13/UPC-A"),),
    document_type="Receipt",
    custom_fields={"ReceiptNumber": "4711"},
    line_items=(
        LineItem(
            desc="2 Clam Chowder",
            desc_clean="Clam Chowder",
            line_total=Decimal("17.00"),
            qty=Decimal(2),
            symbols=("T",),
            supplementary_line_items=Supplementary(below=("no onions",)),
            line_type="Product",
        ),
    ),
    summary_items=(LineItem(desc="TOTAL", line_total=Decimal("31.05"), line_type="Total"),),
)


def fields(table: str) -> dict[str, str]:
    return dict(row.split() for row in table.strip().splitlines())  # type: ignore[misc]


def described(kind: str) -> dict[str, Any]:
    """The JSON Schema of a type as the tables here write it."""
    base = kind.rstrip("?*")
    schema = SCALARS.get(base, {"$ref": f"#/$defs/{base}"})
    if kind.endswith("*"):
        return {"type": "array", "items": schema}
    return {"anyOf": [schema, {"type": "null"}]} if kind.endswith("?") else schema


def without_default(schema: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in schema.items() if key != "default"}


def is_valid(document: object) -> bool:
    return bool(jsonschema.Draft202012Validator(json_schema()).is_valid(document))


@pytest.mark.parametrize("result", [Result(), FULL], ids=["empty", "full"])
def test_every_field_is_there_in_the_order_of_the_interface(result: Result) -> None:
    assert list(json.loads(result.to_json())) == list(fields(RESULT))


def test_nothing_found_is_null_empty_or_false() -> None:
    empty = {"?": None, "*": [], "n": False, "s": {}}
    assert Result().to_dict() == {name: empty[kind[-1]] for name, kind in fields(RESULT).items()}


def test_every_part_is_written_whole() -> None:
    document = FULL.to_dict()
    assert list(document["lineItems"][0]) == list(fields(LINE_ITEM))
    assert list(document["summaryItems"][0]) == list(fields(LINE_ITEM))
    assert list(document["addressNorm"]) == list(fields(ADDRESS))
    assert document["lineItems"][0]["supplementaryLineItems"] == {"above": [], "below": ["no onions"]}
    assert document["barcodes"] == [["4006381333931", "EAN-13/UPC-A"]]


@pytest.mark.parametrize(
    ("name", "table"),
    [
        ("Result", RESULT),
        ("LineItem", LINE_ITEM),
        ("AddressNorm", ADDRESS),
        ("Supplementary", SUPPLEMENTARY),
    ],
)
def test_the_schema_says_what_the_interface_says(name: str, table: str) -> None:
    definition = json_schema()["$defs"][name]
    properties = {
        key: without_default(schema) for key, schema in definition["properties"].items() if key != "evidence"
    }
    assert properties == {key: described(kind) for key, kind in fields(table).items()}
    assert definition["required"] == list(fields(table))
    assert definition.get("additionalProperties", True) is True


def test_the_schema_is_one_and_accepts_what_is_written() -> None:
    jsonschema.Draft202012Validator.check_schema(json_schema())
    assert is_valid(Result().to_dict())
    assert is_valid(FULL.to_dict())
    assert is_valid(msgspec.structs.replace(FULL, evidence={"fields": {}}).to_dict())
    assert is_valid(FULL.to_dict() | {"added later": 1})


@pytest.mark.parametrize(
    "wrong",
    [
        {"total": "31.05"},
        {"totalConfidence": 1.01},
        {"validatedTotal": None},
        {"taxes": None},
        {"barcodes": [["4006381333931"]]},
        {"documentType": "Bill"},
        {"summaryItems": [{"desc": "TOTAL"}]},
        {"addressNorm": {"city": 7}},
    ],
)
def test_the_schema_refuses_what_is_never_written(wrong: dict[str, Any]) -> None:
    assert not is_valid(FULL.to_dict() | wrong)


def test_the_schema_asks_for_every_field() -> None:
    for name in fields(RESULT):
        assert not is_valid({key: value for key, value in FULL.to_dict().items() if key != name})


@given(st.decimals("-9999999999", "9999999999", places=2) | st.decimals("-999", "999", places=3))
def test_an_amount_is_written_with_the_digits_that_were_printed(value: Decimal) -> None:
    text = Result(total=value, taxes=(value,), line_items=(LineItem(line_total=value),)).to_json()
    document = json.loads(text, parse_float=str, parse_int=str)
    assert document["total"] == document["taxes"][0] == document["lineItems"][0]["lineTotal"] == str(value)
    assert Result.from_json(text).total == value


def test_sums_carry_no_binary_noise() -> None:
    assert '"total":0.30,' in Result(total=Decimal("0.10") + Decimal("0.20")).to_json()


shares = st.none() | st.floats(0, 1)
amounts = st.none() | st.decimals("-99999", "99999", places=2)
texts = st.none() | st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
items = st.builds(
    LineItem,
    desc=texts,
    line_total=amounts,
    qty=amounts,
    symbols=st.lists(st.sampled_from(["A", "*", "β"])).map(tuple),
    supplementary_line_items=st.none() | st.just(Supplementary(above=("a",))),
    line_type=st.none() | st.sampled_from(sorted(LINE_TYPES)),
)
results = st.builds(
    Result,
    establishment=texts,
    establishment_confidence=shares,
    total=amounts,
    total_confidence=shares,
    taxes=st.lists(st.decimals("0", "999", places=2)).map(tuple),
    address_norm=st.none() | st.builds(AddressNorm, city=texts, street=texts),
    barcodes=st.lists(st.tuples(st.text(max_size=5), st.just("QR Code"))).map(tuple),
    line_items=st.lists(items, max_size=3).map(tuple),
)


@given(results)
def test_what_is_written_reads_back_the_same_and_fits_the_schema(result: Result) -> None:
    text = result.to_json()
    assert Result.from_json(text) == result
    assert Result.from_json(text).to_json() == text
    assert is_valid(json.loads(text))


@pytest.mark.parametrize(
    "text", ['{"total": [1]}', '{"totalConfidence": 2}', '{"lineItems": [{"lineType": "Sum"}]}', "[]", "{"]
)
def test_what_is_no_result_is_refused(text: str) -> None:
    with pytest.raises(msgspec.DecodeError):
        Result.from_json(text)


def test_evidence_is_a_key_only_when_asked_for() -> None:
    assert "evidence" not in FULL.to_dict()
    with_evidence = msgspec.structs.replace(FULL, evidence={"repairs": []})
    assert with_evidence.to_dict() == FULL.to_dict() | {"evidence": {"repairs": []}}
