"""End to end with the real engine: drawn receipts through HTTPS, queue and a worker process.

What comes back has to be the library's own Result of the same bytes, options, table of merchants and custom
fields: byte for byte.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from PIL import Image, ImageDraw, ImageFont

from benchmarks.service.client import Client
from benchmarks.service.process import ServiceProcess
from receipt_engine import Engine, ExtractOptions, MerchantTable, Result, import_merchants, json_schema
from receipt_engine.service.jobs.options import REGIONS
from receipt_engine.service.jobs.result import stored_form
from tests.service.rules import rule
from tests.service.running import outcome

LINES = (
    "CORNER TEA SHOP",
    "12 High Street",
    "Springfield IL 62704",
    "(217) 555-0143",
    "",
    "03/14/2025 10:25",
    "",
    "Green tea           4.50",
    "Scone               2.75",
    "",
    "SUBTOTAL            7.25",
    "TAX                 0.58",
    "TOTAL               7.83",
    "VISA ************4242",
    "RECEIPT NO 004711",
)
MERCHANTS = "name,phones,addresses\nCorner Tea Shop,(217) 555-0143,12 High Street Springfield IL 62704\n"
CUSTOM = ("ReceiptNumber", "CardLast4Digits")


def drawn(lines: tuple[str, ...] = LINES) -> bytes:
    """A PNG of 800 x 1400 pixels."""
    image = Image.new("L", (800, 1400), 255)
    pen = ImageDraw.Draw(image)
    font = ImageFont.load_default(size=40)
    for number, line in enumerate(lines):
        left, _, right = line.partition("   ")
        pen.text((60, 100 + 80 * number), left, fill=0, font=font)
        pen.text((560, 100 + 80 * number), right.strip(), fill=0, font=font)
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


@pytest.fixture(scope="module")
def merchants(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("merchants")
    (folder / "merchants.csv").write_text(MERCHANTS, encoding="utf-8")
    assert import_merchants(folder / "merchants.csv", folder / "merchants.sqlite") == 1
    return folder / "merchants.sqlite"


@pytest.fixture(scope="module")
def real(
    tmp_path_factory: pytest.TempPathFactory, merchants: Path
) -> Iterator[tuple[ServiceProcess, Client]]:
    """A service with engine and table of merchants, and a client whose account has custom fields."""
    settings = {"workers": "1", "merchants": str(merchants)}
    service = ServiceProcess(tmp_path_factory.mktemp("service"), settings)
    key = service.account("clients", 20)
    service.command("account", "custom-fields", "clients", *CUSTOM)
    service.start()
    client = service.client(key)
    try:
        service.wait_until_ready(300)
        yield service, client
    finally:
        client.close()
        service.kill()


@pytest.fixture(scope="module")
def library(merchants: Path) -> Engine:
    """The same engine without a service around it."""
    return Engine(threads=1, merchants=MerchantTable(merchants))


@rule("async-upload", "result-object", "result-schema", "form-custom-fields")
def test_the_result_is_the_librarys(real: tuple[ServiceProcess, Client], library: Engine) -> None:
    _, client = real
    receipt = drawn()
    upload = client.upload(receipt)
    assert upload["code"] == 200
    answer = outcome(client, upload["token"], 300)
    assert answer["code"] == 202
    expected = library.extract(receipt, custom_fields=CUSTOM)
    assert answer["result"] == json.loads(stored_form(expected.to_json()))
    jsonschema.validate(answer["result"], json_schema())
    assert set(answer["result"]) == set(Result().to_dict())
    assert answer["result"]["total"] == pytest.approx(7.83)
    assert answer["result"]["validatedEstablishment"] is True
    assert answer["result"]["customFields"]["CardLast4Digits"] == "4242"


#: The document's table, written down by hand: field, and whether it is text, a number, a flag or a list.
FIELDS = """establishment:text establishmentConfidence:number validatedEstablishment:flag date:text
dateISO:text dateConfidence:number total:number totalConfidence:number validatedTotal:flag subTotal:number
subTotalConfidence:number validatedSubTotal:flag tax:number taxes:numbers taxesConfidence:numbers tip:number
tipConfidence:number serviceCharges:numbers serviceChargeConfidences:numbers discount:number discounts:numbers
discountConfidences:numbers rounding:number roundingConfidence:number cash:number cashConfidence:number
change:number changeConfidence:number currency:text paymentMethod:text address:text addressNorm:object
phoneNumber:text url:text barcodes:list expenseType:text documentType:text customFields:object lineItems:list
summaryItems:list"""
LINE_FIELDS = """desc:text descClean:text lineTotal:number price:number qty:number unit:number
productCode:text symbols:list supplementaryLineItems:object lineType:text"""
ADDRESS = ["building", "number", "street", "suburb", "city", "state", "postcode", "country"]
LINE_TYPES = {"Total", "SubTotal", "Tax", "TotalTax", "Cash", "Change", "Tip", "ServiceCharge", None}
NULLABLE = {"text": str, "number": (int, float), "object": dict}


def fits(kind: str, value: Any) -> bool:
    """Whether a value is of the table's type; only text, numbers and addressNorm may be null."""
    if kind == "flag":
        return isinstance(value, bool)
    if kind in {"list", "numbers"}:
        plain = isinstance(value, list)
        return plain and (kind == "list" or all(fits("number", item) and item is not None for item in value))
    return value is None or (isinstance(value, NULLABLE[kind]) and not isinstance(value, bool))  # type: ignore[arg-type]


@rule("object-fields", "object-types", "object-confidences", "object-validated", "object-document-type")
def test_the_result_has_the_fields_of_the_document(real: tuple[ServiceProcess, Client]) -> None:
    _, client = real
    client.close()
    result = outcome(client, client.upload(drawn())["token"], 300)["result"]
    table = [entry.split(":") for entry in FIELDS.split()]
    assert list(result) == [name for name, _ in table]
    assert [name for name, kind in table if not fits(kind, result[name])] == []
    for name, value in result.items():
        if name.endswith("Confidence") and not isinstance(value, list):
            assert (value is None) == (result[name.removesuffix("Confidence")] is None), name
            assert value is None or 0 <= value <= 1
    pairs = (("taxes", "taxesConfidence"), ("discounts", "discountConfidences"))
    for values, confidences in (*pairs, ("serviceCharges", "serviceChargeConfidences")):
        assert len(result[values]) == len(result[confidences])
        assert all(0 <= confidence <= 1 for confidence in result[confidences])
    for name, flag in (("total", "validatedTotal"), ("subTotal", "validatedSubTotal")):
        assert result[flag] is (result[f"{name}Confidence"] >= 0.99)
    assert result["documentType"] == "Receipt" and result["tip"] is None and result["barcodes"] == []


@rule("object-dates", "object-address", "object-lines", "object-sums")
def test_the_result_says_what_is_printed(real: tuple[ServiceProcess, Client]) -> None:
    _, client = real
    client.close()
    result = outcome(client, client.upload(drawn())["token"], 300)["result"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", result["date"])
    assert result["dateISO"] == result["date"].replace(" ", "T") == "2025-03-14T10:25:00"
    assert list(result["addressNorm"]) == ADDRESS
    assert all(fits("text", part) for part in result["addressNorm"].values())
    for line in (*result["lineItems"], *result["summaryItems"]):
        table = [entry.split(":") for entry in LINE_FIELDS.split()]
        assert list(line) == [name for name, _ in table]
        assert [name for name, kind in table if not fits(kind, line[name])] == []
    assert {line["lineType"] for line in result["lineItems"]} <= {"Product", None}
    assert {line["lineType"] for line in result["summaryItems"]} <= LINE_TYPES
    assert [line["qty"] for line in result["lineItems"]] == [0, 0]  # none is printed
    goods = sum(line["lineTotal"] for line in result["lineItems"])
    assert goods == pytest.approx(result["subTotal"])
    assert goods + sum(result["taxes"]) == pytest.approx(result["total"])


@rule("result-object", "form-region", "form-document-type", "form-decimal-places", "form-date-order")
def test_the_options_reach_the_engine(real: tuple[ServiceProcess, Client], library: Engine) -> None:
    """A date whose order is open, and every option: what the form says is what the library is asked."""
    _, client = real
    receipt = drawn(tuple(line.replace("03/14/2025", "02/03/2025") for line in LINES))
    fields = {"region": "us", "documentType": "auto", "decimalPlaces": "2", "defaultDateParsing": "d/m"}
    client.close()  # the server ends connections that were left alone
    answer = outcome(client, client.upload(receipt, fields=fields)["token"], 300)
    expected = library.extract(
        receipt,
        region="us",
        document_type="auto",
        decimal_places=2,
        default_date_parsing="d/m",
        custom_fields=CUSTOM,
    )
    assert answer["result"] == json.loads(expected.to_json())
    assert answer["result"]["date"] == "2025-03-02 10:25:00"
    assert answer["result"]["documentType"] == "Receipt"


@rule("state-failed")
def test_pictures_that_cannot_be_read_end_as_500(real: tuple[ServiceProcess, Client]) -> None:
    _, client = real
    client.close()
    before = client.credits()
    blank = io.BytesIO()
    Image.new("L", (800, 1400), 255).save(blank, "PNG")
    tokens = [client.upload(data)["token"] for data in (blank.getvalue(), drawn()[:6000])]
    assert [outcome(client, token, 300)["code"] for token in tokens] == [500, 500]
    assert client.credits() == before - 2


@rule("form-region-list")
def test_the_engine_knows_every_region(library: Engine) -> None:
    """A code it does not know would be taken as none; then the drawn receipt would be read as American."""
    reading = library.read(drawn())
    for code in sorted(REGIONS):
        assert ExtractOptions(region=code).region is not None, code
    assert library.interpret(reading, ExtractOptions(region="gb")).date == "2025-03-14 10:25:00"


def test_a_table_that_is_none_is_told_at_the_start(tmp_path: Path, merchants: Path) -> None:
    service = ServiceProcess(tmp_path, {"merchants": str(tmp_path / "missing.sqlite")})
    service.start()
    assert service.process is not None and service.process.wait(120) == 1
    log = (tmp_path / "server.log").read_text(encoding="utf-8")
    assert "missing.sqlite" in log and "Traceback" not in log
