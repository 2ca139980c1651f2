"""Receipts as text with a fiscal code beside them: what the code proves, mends, leaves and makes doubtful."""

from __future__ import annotations

from decimal import Decimal

import pytest
from msgspec.structs import replace

from receipt_engine.document import Barcode, Quad
from receipt_engine.options import ExtractOptions
from receipt_engine.pipeline import interpret
from receipt_engine.result import Result
from receipt_engine.trace import Trace
from tests.printed import reading

HEAD = "BÄCKEREI BEISPIEL\nHauptstraße 12\n50667 Köln\n\n"
LINES = "Roggenbrot              4,80\nKaffee                  3,20\nKuchen                  9,10\n"
TOTAL = "SUMME EUR              17,10\n"
FOOT = "\n15.03.2024 16:05\nVielen Dank\n"
NUMBER = "A:508441188*B:999999990*C:PT*D:FS*E:N*F:20240315*G:FS A/48213*H:AB12CD34-48213*N:2.30*O:12.30*Q:aB"


def rksv(amount: str, day: str = "2024-03-15") -> str:
    return f"_R1-AT1_KASSA01_48213_{day}T16:05:09_{amount}_0,00_0,00_0,00_0,00_q83v=_4f3e_ab12=_c2ln=="


def tse(amount: str, day: str = "2024-03-15") -> str:
    start = f"{day}T15:05:00.000Z"
    return (
        f"V0;kasse-07;Kassenbeleg-V1;Beleg^{amount}_0.00_0.00_0.00_0.00^{amount}:Bar;4711;9422;{start};{start};"
        "ecdsa-plain-SHA256;unixTime;c2ln;a2V5"
    )


def extract(text: str, *codes: str, region: str | None = "de") -> Result:
    quad = Quad((0, 0), (9, 0), (9, 9), (0, 9))
    page = replace(reading(text), barcodes=tuple(Barcode(code, "QR Code", quad) for code in codes))
    return interpret(page, ExtractOptions(region=region, evidence=True), None, Trace(keep=False))


def verdict(result: Result) -> str | None:
    found = [e["verdict"] for e in result.evidence["equations"] if e["name"] == "fiscal code = total"]
    return found[0] if found else None


def test_a_code_that_agrees_proves_the_total() -> None:
    text = HEAD + TOTAL + FOOT
    alone, coded = extract(text), extract(text, tse("17.10"))
    assert alone.total == coded.total == Decimal("17.10")
    assert verdict(coded) == "proved"
    assert alone.total_confidence < 0.99 <= coded.total_confidence
    assert coded.validated_total


def test_a_misread_digit_is_mended() -> None:
    text = HEAD + TOTAL.replace("17,10", "11,10") + FOOT
    assert extract(text).total == Decimal("11.10")
    mended = extract(text, tse("17.10"))
    assert mended.total == Decimal("17.10")
    assert {"field": "total", "before": 11.1, "after": 17.1} in mended.evidence["repairs"]
    assert mended.total_confidence > 0.95


def test_an_illegible_total_is_told_by_the_code_when_the_products_bear_it_out() -> None:
    text = HEAD + LINES + "SUMME EUR              EUR\n" + FOOT
    told = extract(text, tse("17.10"))
    assert told.total == Decimal("17.10")
    assert told.total_confidence > 0.9
    assert verdict(told) == "consistent"
    assert extract(text, tse("88.00")).total != Decimal("88.00")


def test_a_total_that_the_receipt_proves_stands_against_a_code() -> None:
    text = HEAD + LINES + TOTAL + "Bar                    20,00\nRückgeld                2,90\n" + FOOT
    alone, against = extract(text), extract(text, tse("52.00"))
    assert alone.total == against.total == Decimal("17.10")
    assert verdict(against) == "contradicted"
    assert against.total_confidence < alone.total_confidence


def test_an_unproved_total_stands_against_a_code_with_less_confidence() -> None:
    text = HEAD + TOTAL + FOOT
    alone, against = extract(text), extract(text, tse("52.00"))
    assert against.total == Decimal("17.10")
    assert against.total_confidence < alone.total_confidence
    assert not against.validated_total


def test_a_rounding_is_no_contradiction() -> None:
    text = "CAFE MUSTER AG\nBahnhofstrasse 1\n8001 Zürich\n\nTOTAL CHF              17.10\n15.03.2024\n"
    assert verdict(extract(text, rksv("17,12"), region="ch")) is None


def test_the_date_is_settled_by_the_code() -> None:
    text = "CORNER CAFE\nTOTAL  17.10\n05/04/2024\n"
    told = extract(text, rksv("17,10", "2024-04-05"), region="us")
    assert (extract(text, region="us").date, told.date) == ("2024-05-04 00:00:00", "2024-04-05 16:05:09")
    assert told.date_confidence > 0.9


def test_a_date_that_is_not_legible_is_told_by_the_code() -> None:
    told = extract(HEAD + TOTAL, rksv("17,10"))
    assert told.date == "2024-03-15 16:05:09"


def test_a_printed_date_stands_against_a_code_with_less_confidence() -> None:
    text = HEAD + TOTAL + FOOT
    alone, against = extract(text), extract(text, rksv("17,10", "2024-02-01"))
    assert alone.date[:10] == against.date[:10] == "2024-03-15"
    assert against.date_confidence < alone.date_confidence


def test_the_code_tells_the_country_and_its_money() -> None:
    text = "LOJA EXEMPLO\nTOTAL  12.30\n"
    assert extract(text, region=None).currency is None
    told = extract(text, NUMBER, region=None)
    assert told.currency == "EUR"
    assert told.evidence["regions"][0]["code"] == "pt"


@pytest.mark.parametrize("printed", ["", "NIF 508 441 188\n"])
def test_the_seller(printed: str) -> None:
    quad = Quad((0, 0), (9, 0), (9, 9), (0, 9))
    page = replace(
        reading(f"LOJA EXEMPLO\n{printed}TOTAL  12.30\n"), barcodes=(Barcode(NUMBER, "QR Code", quad),)
    )
    options = ExtractOptions(region="pt", custom_fields=("VATNumber",))
    number = interpret(page, options, None, Trace(keep=False)).custom_fields["VATNumber"]
    assert number.replace(" ", "") == "508441188"


def test_a_code_that_asks_for_a_payment_proves_nothing() -> None:
    asked = extract(HEAD + TOTAL + FOOT, "SPD*1.0*ACC:CZ6508000000192000145399*AM:99.00*CC:EUR*X-VS:48213")
    assert asked.total_confidence == extract(HEAD + TOTAL + FOOT).total_confidence
    assert verdict(asked) is None
