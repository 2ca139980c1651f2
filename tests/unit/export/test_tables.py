"""Every table, written and read again with another library."""

from __future__ import annotations

import csv
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow.parquet
import pytest

from receipt_engine import export
from receipt_engine.batch import Duplicate, Failure, Row
from receipt_engine.errors import OptionError
from receipt_engine.result import LineItem, Result

EVIL = "=HYPERLINK(1)"


@pytest.fixture
def rows(tmp_path: Path) -> list[Row]:
    picture = tmp_path / "shop #1.png"
    picture.touch()
    result = Result(
        establishment=EVIL,
        establishment_confidence=0.5,
        date="2024-03-14 18:20:00",
        date_iso="2024-03-14T18:20:00",
        date_confidence=0.95,
        total=Decimal("1234.50"),
        total_confidence=0.99,
        currency="EUR",
        phone_number="+49 30 555",
        taxes=(Decimal("19.00"), Decimal("7.00")),
        taxes_confidence=(0.95, 0.4),
        line_items=(
            LineItem(desc_clean="Tea", line_total=Decimal("4.50"), qty=Decimal(2), price=Decimal("2.25")),
            LineItem(desc="-20 Bonus", line_total=Decimal("-0.20"), qty=Decimal(0), symbols=("A", "*")),
        ),
        evidence={"taxTable": [{"rate": 19.0, "base": 100.0, "tax": 19.0, "gross": 119.0, "code": "A"}]},
    )
    yen = Result(total=Decimal(1200), currency="JPY", date_iso="2024-03-14T00:00:00")
    return [
        Row(file=str(picture), sha256="1", result=result),
        Row(file="b.png", sha256="2", result=yen, duplicate=Duplicate("a.png", 1, 1, "same receipt")),
        Row(file="c.png", sha256=None, error=Failure("NoTextError", "No text.")),
    ]


def _named(sheet: Any) -> list[dict[str, Any]]:
    head, *lines = sheet.iter_rows()
    return [{h.value: cell for h, cell in zip(head, line, strict=True)} for line in lines]


def test_workbook(tmp_path: Path, rows: list[Row]) -> None:
    export.write(tmp_path / "out.xlsx", lambda: rows)
    book = openpyxl.load_workbook(tmp_path / "out.xlsx")
    assert book.sheetnames == ["Receipts", "Items", "Taxes", "To check"]
    first, second, third = _named(book["Receipts"])
    assert first["Merchant"].value == EVIL and first["Merchant"].data_type == "s"
    assert first["Date"].value == datetime(2024, 3, 14, 18, 20)
    assert first["Date"].number_format == "yyyy-mm-dd hh:mm"
    assert (first["Total"].value, first["Total"].number_format) == (1234.5, '#,##0.00 "EUR"')
    assert first["File"].hyperlink.target == "shop%20%231.png"
    assert (second["Total"].value, second["Total"].number_format) == (1200, '#,##0 "JPY"')
    assert second["Date"].number_format == "yyyy-mm-dd"
    assert second["Duplicate of"].value == "a.png"
    assert second["File"].hyperlink is None  # there is no such picture
    assert (third["Total"].value, third["Error"].value, third["To check"].value) == (None, "No text.", "yes")
    tea, bonus = _named(book["Items"])
    assert (tea["Description"].value, tea["Quantity"].value, tea["Unit price"].value) == ("Tea", 2, 2.25)
    assert (bonus["Quantity"].value, bonus["Amount"].value, bonus["Symbols"].value) == (None, -0.2, "A *")
    (tax,) = _named(book["Taxes"])
    assert [tax[name].value for name in ("Rate %", "Base", "Tax", "Gross", "Code")] == [19, 100, 19, 119, "A"]
    # Numbers of evidence have lost the noughts that the receipt prints.
    assert {tax[name].number_format for name in ("Base", "Tax", "Gross")} == {'#,##0.00 "EUR"'}
    check = [(line["File"].value, line["Field"].value) for line in _named(book["To check"])]
    assert check[:2] == [(rows[0].file, "taxes[1]"), (rows[0].file, "establishment")]
    assert ("b.png", "duplicate") in check and check[-1] == ("c.png", "file")


def test_csv_has_a_line_a_receipt_and_no_formula(tmp_path: Path, rows: list[Row]) -> None:
    export.write(tmp_path / "out.csv", lambda: rows)
    with (tmp_path / "out.csv").open(encoding="utf-8-sig", newline="") as file:
        first, second, third = csv.DictReader(file)
    assert first["merchant"] == f"'{EVIL}"
    assert (first["date"], first["total"], first["phone"]) == (
        *("2024-03-14 18:20:00", "1234.50"),
        "+49 30 555",
    )
    assert second["total"] == "1200"
    assert third["error"] == "No text."


@pytest.mark.parametrize("text", ["+1+cmd|' /C calc'!A0", "@SUM(A1)", "-2+3+cmd|' /C calc'!A0", "\t=1"])
def test_a_text_of_a_receipt_is_no_formula(tmp_path: Path, text: str) -> None:
    row = Row(file="a.png", sha256="1", result=Result(establishment=text))
    export.write(tmp_path / "out.csv", lambda: [row])
    with (tmp_path / "out.csv").open(encoding="utf-8-sig", newline="") as file:
        (found,) = csv.DictReader(file)
    assert found["merchant"] == f"'{text}"


def test_parquet_nests_items_and_taxes(tmp_path: Path, rows: list[Row]) -> None:
    export.write(tmp_path / "out.parquet", lambda: rows)
    first, second, third = pyarrow.parquet.read_table(tmp_path / "out.parquet").to_pylist()
    assert (first["total"], first["date"]) == (Decimal("1234.5000"), datetime(2024, 3, 14, 18, 20))
    assert [item["description"] for item in first["items"]] == ["Tea", "-20 Bonus"]
    assert first["taxes"] == [
        {"rate": 19, "base": 100, "tax": 19, "gross": 119, "code": "A"},
    ]
    assert (second["currency"], second["items"]) == ("JPY", [])
    assert third["error"] == "No text."


def test_taxes_without_evidence_have_no_rate(tmp_path: Path) -> None:
    row = Row(file="a.png", sha256="1", result=Result(taxes=(Decimal("1.20"),), taxes_confidence=(0.9,)))
    export.write(tmp_path / "out.parquet", lambda: [row])
    (found,) = pyarrow.parquet.read_table(tmp_path / "out.parquet").to_pylist()
    assert [(tax["rate"], tax["tax"]) for tax in found["taxes"]] == [(None, Decimal("1.20"))]


def test_a_failure_leaves_the_old_table(tmp_path: Path, rows: list[Row]) -> None:
    table = tmp_path / "out.csv"
    table.write_text("old")

    def broken() -> list[Row]:
        raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        export.write(table, broken)
    assert [file.name for file in tmp_path.iterdir() if file.suffix == ".csv"] == ["out.csv"]
    assert table.read_text() == "old"


def test_what_cannot_be_written_is_refused_before_anything_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(OptionError, match=r"\.jsonl, \.csv, \.xlsx, \.parquet"):
        export.check(tmp_path / "out.ods")
    with pytest.raises(OptionError, match="its folder does not exist"):
        export.check(tmp_path / "none" / "out.csv")
    monkeypatch.setattr("receipt_engine.export.parquet.find_spec", lambda name: None)
    with pytest.raises(OptionError, match=r"pip install 'receipt-engine\[parquet\]'"):
        export.check(tmp_path / "out.parquet")
