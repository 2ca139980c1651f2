"""Numbers beside the names and addresses of heads: the receipt's, the telephone's, the tax office's."""

from __future__ import annotations

import pytest

from receipt_engine.options import ExtractOptions
from receipt_engine.pipeline import interpret
from receipt_engine.result import Result
from receipt_engine.trace import Trace
from tests.printed import reading

BODY = """
12/03/2024 10:41
Hammer                  5.99
TOTAL                   5.99
"""


def read(head: str, region: str) -> Result:
    options = ExtractOptions(region=region, custom_fields=("ReceiptNumber", "VATNumber"))
    return interpret(reading(head + BODY), options, None, Trace())


@pytest.mark.parametrize(
    ("head", "region", "number"),
    [
        ("KETTLE STORE\nCASH BILL          No. CS 24/0118", "my", "24/0118"),
        ("KETTLE STORE\nNOTA SERVIS    No: SRV/24/02/0118", "id", "SRV/24/02/0118"),
        ("KETTLE STORE\nFACTURA DE VENTA POS-33812", "co", "POS-33812"),
        ("KETTLE STORE\nRG 40218   Tisch 8", "at", "40218"),
        ("好運茶餐廳\n電子發票證明聯\n113年03-04月\nAB-11822018", "tw", "AB-11822018"),
        ("ร้านกาน้ำ\nใบเสร็จรับเงิน\nเลขที่ 118220   โต๊ะ 4", "th", "118220"),
        ("KETTLE GmbH\nJahresrechnung   Nr. 4000118822", "de", "4000118822"),
    ],
)
def test_a_receipt_number(head: str, region: str, number: str) -> None:
    assert read(head, region).custom_fields.get("ReceiptNumber") == number


def test_a_number_that_is_numbered_is_no_telephone() -> None:
    assert read("KETTLE GmbH\nVertragskonto Nr. 4000118822", "de").phone_number is None


def test_letters_for_noughts_in_a_telephone_number() -> None:
    assert read("KETTLE STORE\n518-555-O133", "us").phone_number == "518-555-0133"


def test_a_tax_number_ends_at_its_column() -> None:
    head = "SARL KETTLE\nTVA FR 40 303 265 045          40990 ST PAUL LES DAX"
    assert read(head, "fr").custom_fields.get("VATNumber") == "FR 40 303 265 045"
