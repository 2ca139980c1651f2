"""Sums over results."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pytest

from receipt_engine.batch import Duplicate, Failure, Row
from receipt_engine.cli import main
from receipt_engine.result import Result
from receipt_engine.summary import GROUPINGS, Grouping, summarise


def _row(name: str, merchant: str | None, date: str | None, total: str | None, **more: object) -> Row:
    currency = str(more.pop("currency", "EUR"))
    result = Result(
        establishment=merchant,
        establishment_confidence=0.95 if merchant else None,
        date=date and f"{date} 00:00:00",
        date_confidence=0.95 if date else None,
        total=Decimal(total) if total else None,
        total_confidence=0.95 if total else None,
        currency=currency,
        **more,  # type: ignore[arg-type]
    )
    return Row(file=name, sha256=name, result=result)


ROWS = [
    _row(
        *("a", "Café Mikro", "2024-03-01", "11.90"),
        tax=Decimal("1.90"),
        taxes=(Decimal("1.90"),),
        taxes_confidence=(0.9,),
        evidence={"taxTable": [{"rate": 19.0, "base": 10.0, "tax": 1.9, "gross": 11.9, "code": "A"}]},
    ),
    _row("b", "CAFE MIKRO", "2024-03-31", "0.10", expense_type="Meals/Coffee"),
    _row("c", "Café Mikro", "2024-04-01", "0.20", taxes=(Decimal("0.03"),), taxes_confidence=(0.9,)),
    _row("d", "Bakery", "2024-03-02", "5.00", currency="GBP"),
    _row("e", None, None, None),
    Row(
        file="f",
        sha256="a",
        result=_row("f", "Café Mikro", "2024-03-01", "11.90").result,
        duplicate=Duplicate("a", 1, 1, "same bytes"),
    ),
    Row(file="g", sha256="g", error=Failure("NoTextError", "No text.")),
]


def _groups(grouping: Grouping) -> list[tuple[str, str, int, str, str]]:
    found = summarise(ROWS, [grouping]).groups[grouping]
    return [(g.name, g.currency, g.receipts, str(g.total), str(g.tax)) for g in found]


def test_what_is_counted() -> None:
    summary = summarise(ROWS)
    assert (summary.receipts, summary.duplicates, summary.failed, summary.to_check) == (5, 1, 1, 1)
    assert tuple(summary.groups) == GROUPINGS


@pytest.mark.parametrize(
    ("grouping", "groups"),
    [
        (
            "month",
            [
                ("", "EUR", 1, "0", "0"),
                ("2024-03", "EUR", 2, "12.00", "1.90"),
                ("2024-03", "GBP", 1, "5.00", "0"),
                ("2024-04", "EUR", 1, "0.20", "0.03"),
            ],
        ),
        (
            "merchant",
            [
                ("Café Mikro", "EUR", 3, "12.20", "1.93"),
                ("", "EUR", 1, "0", "0"),
                ("Bakery", "GBP", 1, "5.00", "0"),
            ],
        ),
        ("currency", [("EUR", "EUR", 4, "12.20", "1.93"), ("GBP", "GBP", 1, "5.00", "0")]),
        ("rate", [("", "EUR", 1, "0", "0.03"), ("19", "EUR", 1, "11.90", "1.90")]),
    ],
)
def test_groups(grouping: Grouping, groups: list[tuple[str, str, int, str, str]]) -> None:
    assert _groups(grouping) == groups


@pytest.fixture
def results(tmp_path: Path) -> Path:
    path = tmp_path / "results.jsonl"
    path.write_text("".join(f"{row.to_json()}\n" for row in ROWS), encoding="utf-8")
    return path


def test_the_command_prints_tables(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["summary", str(results)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("5 receipts, 1 of them to check; left out: 1 duplicates, 1 that could not be read")
    assert "  Café Mikro         3  12.20  1.93  EUR\n" in out
    assert "19 %" in out


def test_the_command_prints_json(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["summary", str(results), "--by", "currency", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["groups"]["currency"][0]["total"] == 12.2
    assert list(found["groups"]) == ["currency"]


def test_another_file_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "list.jsonl").write_text("milk\n")
    assert main(["summary", str(tmp_path / "list.jsonl")]) == 1
    assert "line 1" in capsys.readouterr().err
