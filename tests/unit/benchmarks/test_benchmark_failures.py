"""The cause of a failure follows from the text that was read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal

import pytest

from benchmarks import failure_list
from benchmarks.datasets import ItemLabel, Label, SummaryLabel, Value
from benchmarks.failures import amounts_in, cause_of, context_of, date_in, failures
from benchmarks.outcome import Outcome
from benchmarks.show import describe

D = Decimal
MakeOutcome = Callable[..., Outcome]


@pytest.mark.parametrize(
    ("row", "amount"),
    [
        ("TOTAL 12.50", "12.50"),
        ("SUMME 1.234,50 EUR", "1234.50"),
        ("1 234,50", "1234.50"),
        ("¥13,134", "13134"),
        ("2 x 3.00", "3.00"),
        ("Rp 175, 000", "175000"),
        ("0.567 KG", "0.567"),
        ("5 , 6.00", "6.00"),
    ],
)
def test_amounts_in_a_row(row: str, amount: str) -> None:
    assert D(amount) in amounts_in(row)


@pytest.mark.parametrize(
    ("iso", "row", "found"),
    [
        ("2031-04-05", "05/04/2031 16:20", True),
        ("2031-04-05", "5.4.31", True),
        ("2031-04-05", "05 APR 31", True),
        ("2031-04-05", "20310405162000", True),
        ("2031-04-05", "5 of 31 items", True),  # a word may be a month
        ("2031-04-05", "06/04/2031", False),
        ("2031-04-05", "05/04", False),
    ],
)
def test_dates_in_a_row(iso: str, row: str, found: bool) -> None:
    assert date_in(iso, row) is found


@pytest.mark.parametrize(
    ("expected", "field", "given", "rows", "cause"),
    [
        (D("12.50"), "total", None, ["TOTAL 12.80"], "ocr"),
        (D("12.50"), "total", None, ["TOTAL 12 5O", "1250"], "reading"),
        (D("12.50"), "total", D("2.50"), ["TOTAL 12.50"], "classify"),
        (D("-12.50"), "total", None, ["REFUND 12.50-"], "classify"),
        ((D("1.10"), D("2.20")), "taxes", (), ["A 1.10", "B 2,20"], "classify"),
        ((D("1.10"), D("2.20")), "taxes", (), ["A 1.10"], "ocr"),
        ("2031-04-05", "date", None, ["05.04.2031"], "reading"),
        ("2031-04-05", "date", "2031-05-04", ["05.04.2031"], "classify"),
        ("2031-04-05", "date", None, ["THANK YOU"], "ocr"),
        ("16:20:00", "time", None, ["16:20"], "classify"),
        ("16:20:00", "time", None, ["4:20PM"], "classify"),
        ("12:05:00", "time", None, ["05.04.31 1205"], "classify"),
        ("16:20:00", "time", None, ["18:20"], "ocr"),
        ("555-0100", "phoneNumber", None, ["TEL 555 0100"], "classify"),
        ("555-0100", "phoneNumber", None, ["TEL 555 0199"], "ocr"),
        ("Blue Door", "establishment", "Menu", ["THE BLUE DOOR"], "classify"),
        ("Blue Door", "establishment", "Menu", ["MENU"], "ocr"),
        ("EUR", "currency", None, ["TOTAL"], "classify"),
    ],
)
def test_cause(expected: Value, field: str, given: Value, rows: Sequence[str], cause: str) -> None:
    assert cause_of(expected, field, given, rows) == cause


def test_context_is_where_the_value_stands() -> None:
    rows = ["THE BLUE DOOR", "TOTAL 12.50", "CASH 20.00"]
    assert context_of(D("12.50"), rows) == "TOTAL 12.50"
    assert context_of("Blue Door", rows) == "THE BLUE DOOR"
    assert context_of("x", []) == ""


@pytest.fixture
def outcomes(outcome: MakeOutcome) -> list[Outcome]:
    labels = {"total": Label.of(D("12.50"), D("12.55")), "tip": Label.of(None), "currency": Label.of("EUR")}
    lines = [{"desc": "Tea", "lineTotal": 3.5}, {"desc": "Thanks", "lineTotal": 9.0}]
    wrong = outcome(
        labels,
        {
            "total": 9.0,
            "totalConfidence": 0.5,
            "tip": 1.0,
            "currency": "EUR",
            "lineItems": lines,
            "summaryItems": [{"lineType": "Tax", "desc": "VAT", "lineTotal": 1.0}],
            "url": "shop.example",
        },
        items=[ItemLabel(("Tea",), D("3.00")), ItemLabel(("Cake",), D("4.50"))],
        summary=[SummaryLabel("Total", D("12.50"), "SUM")],
        rows=["Tea 3.5", "SUM 12.50", "VAT 1.00"],
    )
    failed = outcome({"total": Label.of(D(1))}, identifier="two", error=("NoTextError", "No text."))
    return [wrong, failed]


def test_everything_wrong_is_listed_once(outcomes: list[Outcome]) -> None:
    found = [(f.sample, f.field, f.cause, f.expected, f.got) for f in failures(outcomes)]
    assert found == [
        ("one", "total", "classify", "12.50 | 12.55", "9.0"),
        ("one", "tip", "spurious", "-", "1.0"),
        ("one", "lineItems", "ocr", "Tea 3.00", "Tea 3.5"),
        ("one", "lineItems", "ocr", "Cake 4.50", "-"),
        ("one", "lineItems", "spurious", "-", "Thanks 9.0"),
        ("one", "summaryItems", "classify", "Total SUM 12.50", "-"),
        ("one", "summaryItems", "spurious", "-", "Tax VAT 1.0"),
        ("two", "total", "failed", "1", "-"),
    ]


def test_a_zero_that_is_printed_is_a_value(outcome: MakeOutcome) -> None:
    (failure,) = failures([outcome({"tax": Label.of(D("0.00"))}, rows=["TAX 0.00"])])
    assert (failure.cause, failure.expected, failure.got) == ("classify", "0.00", "-")


def test_what_is_right_is_not_listed(outcome: MakeOutcome) -> None:
    right = outcome({"total": Label.of(D(5))}, {"total": 5.0}, items=[], summary=[])
    assert failures([right]) == []


def test_the_list_is_grouped_and_counted(outcomes: list[Outcome]) -> None:
    text = failure_list.write(failures(outcomes))
    assert "=== total / classify: 1" in text
    assert "one\t12.50 | 12.55\t9.0\t0.50\tSUM 12.50" in text
    table = failure_list.summary_table(failures(outcomes))
    counts = {row["field"]: row for row in table.to_dict()["rows"]}
    assert counts["lineItems"]["failures"] == 3
    assert counts["total"]["failed"] == 1


def test_show_marks_right_wrong_missing_and_unlabelled(outcomes: list[Outcome]) -> None:
    page = describe(outcomes[0])
    for line in (
        "  1  SUM 12.50",
        "✗ total                  12.50 | 12.55  →  9.0  (0.50)",
        "+ tip                    -  →  1.0",
        "  currency               EUR",
        "? url                    shop.example",
        "+        3.5  Tea",
        "–       3.00  Tea",
        "–       4.50  Cake",
        "+ Tax                  1.0  VAT",
        "– Total              12.50  SUM",
    ):
        assert line in page.splitlines()
    assert "no Result: NoTextError: No text." in describe(outcomes[1])
