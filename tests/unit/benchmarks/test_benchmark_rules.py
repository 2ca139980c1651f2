"""Each comparison rule, strict and lenient."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from benchmarks.datasets import Label, Value
from benchmarks.scoring import rules
from benchmarks.scoring.fields import Verdict, answer, confidence, judge
from receipt_engine.result import LineItem, Result

D = Decimal


@pytest.mark.parametrize(
    ("rule", "expected", "given", "strict", "right"),
    [
        (rules.same_text, "WE CHAT", "WeChat", True, True),
        (rules.same_text, "ＶＩＳＡ", "Visa", True, True),  # NFKC
        (rules.same_text, "VISA", "VISA DEBIT", False, False),
        (rules.same_code, "12.345.678/0001-90", "12345678000190", True, True),
        (rules.same_code, "A-1", "A-2", False, False),
        (rules.same_tax_number, "40003521600", "LV 40003521600", True, False),
        (rules.same_tax_number, "40003521600", "40003521601", False, False),
        (rules.same_name, "THE BLUE DOOR", "The Blue-Door!", True, True),
        (rules.same_name, "TheBlueDoor", "THE BLUE D00R", True, True),  # two letters of eleven misread
        (rules.same_name, "THE BLUE DOOR", "THE RED WINDOW", False, False),
        (rules.same_name, "THE BLUE DOOR SDN BHD", "SDN BHD", False, False),
        (rules.contains_name, "ort", "Ort Handels GmbH", False, True),
        (rules.contains_name, "ort", "Export GmbH", False, False),  # short names are whole words
        (rules.contains_name, "bigmarket", "BIG MARKET Ortsheim", False, True),
        (rules.contains_name, "bigmarket", "BIG SHOP", False, False),
        (rules.same_address, "1 Main St., Ort 12345", "1 MAIN ST\nORT 12345", True, True),
        (rules.same_address, "1 Main St., Ort 12345", "9 Other Road, Stadt 99999", False, False),
        (rules.same_phone, "(555) 010-0199", "555.010.0199", True, True),
        (rules.same_phone, "555 010 0199", "+1 555 010 0199", True, False),
        (rules.same_phone, "555 010 0199", "+1 555 010 0199", False, True),
        (rules.same_phone, "0555 010199", "+49 555 010199", False, True),  # trunk zero
        (rules.same_phone, "010199", "555 010199", False, False),  # too short to be sure
        (rules.same_phone, "٥٥٥٠١٠٠", "555 0100", True, True),
        (rules.same_amount, D("12.30"), D("12.3"), True, True),
        (rules.same_amount, D("12.30"), D("-12.3"), False, False),
        (rules.same_amounts, (D(1), D(2)), (D(2), D(1)), True, False),
        (rules.same_amounts, (D(1), D(2)), (D(2), D(1)), False, True),
        (rules.same_amounts, (D(1), D("0.00")), (D(1),), True, True),
        (rules.same_amounts, (D(1), D(1)), (D(1),), False, False),
        (rules.same_date, "2031-04-05", "2031-04-05 16:20:00", True, True),
        (rules.same_date, "2031-04-05", "2031-05-04", False, False),
        (rules.same_time, "16:20:00", "16:20:31", True, False),
        (rules.same_time, "16:20:00", "16:20:31", False, True),
        (rules.same_time, "16:20:00", "04:20:00", False, False),
        (rules.same_moment, "2031-04-05 16:20:00", "2031-04-05 16:20:00", True, True),
        (rules.same_moment, "2031-04-05 16:20:00", "2031-04-05 00:00:00", False, False),
        (rules.same_moment, "2031-04-05 16:20:00", "2031-04-06 16:20:00", False, False),
        (rules.same_barcodes, (("1", "A"), ("2", "B")), (("2", "B"), ("1", "A")), True, False),
        (rules.same_barcodes, (("1", "A"), ("2", "B")), (("2", "B"), ("1", "A")), False, True),
        (rules.same_barcodes, (("1", "A"),), (("1", "B"),), False, False),
    ],
)
def test_rule(rule: rules.Rule, expected: Value, given: Value, strict: bool, right: bool) -> None:
    assert rule(expected, given, strict) is right


@pytest.mark.parametrize(
    ("label", "given", "strict", "verdict"),
    [
        (Label.of(D(5)), D(5), False, Verdict.RIGHT),
        (Label.of(D(5)), D(6), False, Verdict.WRONG),
        (Label.of(D(5)), None, False, Verdict.MISSING),
        (Label.of(None), None, False, Verdict.RIGHT),
        (Label.of(None), D(0), False, Verdict.SPURIOUS),
        (Label.of(D(5), D(6)), D(6), False, Verdict.RIGHT),
        (Label.of(D(5), D(6)), D(6), True, Verdict.WRONG),
        (Label.of(D(5), None), None, False, Verdict.RIGHT),
        (Label.any_of((D(5), D(6))), D(6), False, Verdict.RIGHT),
        (Label.any_of((D(5), D(6))), D(7), False, Verdict.WRONG),
        (Label.any_of((D(5), D(6))), D(5), True, None),
    ],
)
def test_verdict(label: Label, given: Value, strict: bool, verdict: Verdict | None) -> None:
    assert judge(label, "total", given, strict=strict) is verdict


@pytest.mark.parametrize(
    ("label", "given", "verdict"),
    [
        ((), (), Verdict.RIGHT),
        ((), None, Verdict.RIGHT),
        ((), (D(0),), Verdict.RIGHT),
        ((), (D(1),), Verdict.SPURIOUS),
        ((D(1),), (), Verdict.MISSING),
        ((D(1), D(0)), (D(1),), Verdict.RIGHT),
    ],
)
def test_verdict_on_lists(label: Value, given: Value, verdict: Verdict) -> None:
    assert judge(Label.of(label), "taxes", given) is verdict


def test_a_contained_label_overrides_the_field_rule() -> None:
    label = Label("ort", ("ort",), contained=True)
    assert judge(label, "establishment", "Ort Handelsgesellschaft mbH") is Verdict.RIGHT
    assert judge(Label.of("ort"), "establishment", "Ort Handelsgesellschaft mbH") is Verdict.WRONG


RESULT = Result(
    establishment="Ort",
    date="2031-04-05 16:20:09",
    date_confidence=0.8,
    total=D("12.30"),
    total_confidence=0.7,
    taxes=(D("1.10"),),
    barcodes=(("123", "Code 39"),),
    custom_fields={"VATNumber": "X1"},
    line_items=(LineItem(desc="Tea"), LineItem(desc="Cake")),
).to_dict()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("establishment", "Ort"),
        ("date", "2031-04-05"),
        ("time", "16:20:09"),
        ("dateTime", "2031-04-05 16:20:09"),
        ("total", D("12.3")),
        ("taxes", (D("1.1"),)),
        ("barcodes", (("123", "Code 39"),)),
        ("customFields.VATNumber", "X1"),
        ("customFields.Other", None),
        ("addressNorm.city", None),
        ("addressNorm", None),
        ("itemCount", D(2)),
        ("tip", None),
        ("discounts", ()),
    ],
)
def test_answers_come_from_the_contract_object(field: str, value: Value) -> None:
    assert answer(RESULT, field) == value


def test_confidences_come_with_their_fields() -> None:
    assert confidence(RESULT, "total") == 0.7
    assert confidence(RESULT, "time") == 0.8
    assert confidence(RESULT, "address") is None
    empty: dict[str, Any] = Result().to_dict()
    assert confidence(empty, "total") is None
    assert answer(empty, "date") is None
