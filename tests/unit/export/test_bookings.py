"""What accounting programs import, checked by beancount itself and by the rules of the other formats."""

from __future__ import annotations

import csv
import re
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from beancount import loader
from beancount.core.data import Open, Transaction

from receipt_engine import export
from receipt_engine.batch import Duplicate, Failure, Row
from receipt_engine.cli import main
from receipt_engine.export.bookings import FIREFLY_ROLES, ODOO_FIELDS
from receipt_engine.result import Result


def _row(name: str, **fields: object) -> Row:
    sure = {"establishment_confidence": 0.97, "date_confidence": 0.97, "total_confidence": 0.97}
    first = {"establishment": "Café Mikro", "date_iso": "2024-03-14T18:20:00", "total": Decimal("7.30")}
    given = {**sure, **first, "date": "2024-03-14 18:20:00", "currency": "EUR", **fields}
    return Row(file=name, sha256="ab" * 32, result=Result(**given))  # type: ignore[arg-type]


ROWS = [
    _row("a.png", expense_type="Meals/Coffee & cake", payment_method="CASH"),
    _row('b "x".png', establishment='The "Shop"; =1+1 | Ltd\n2', total=Decimal("-1200"), currency="RMB"),
    _row("c.png", total_confidence=0.3, date_iso="2024-03-01T00:00:00", expense_type="Travel/Taxi"),
    _row("d.png", total=None, total_confidence=None),
    _row("e.png", currency=None),
    Row(
        file="f.png",
        sha256="f",
        result=_row("f.png").result,
        duplicate=Duplicate("a.png", 1, 1, "same bytes"),
    ),
    Row(file="g.png", sha256="g", error=Failure("NoTextError", "No text.")),
]


def _written(tmp_path: Path, name: str, form: str | None = None) -> Path:
    export.write(tmp_path / name, lambda: ROWS, form)
    return tmp_path / name


def test_beancount_takes_the_file(tmp_path: Path) -> None:
    entries, errors, _ = loader.load_file(str(_written(tmp_path, "out.beancount")))
    assert errors == []
    booked = [entry for entry in entries if isinstance(entry, Transaction)]
    assert [(t.date, t.flag, t.payee) for t in booked] == [
        (date(2024, 3, 1), "!", "Café Mikro"),
        (date(2024, 3, 14), "*", "Café Mikro"),
        (date(2024, 3, 14), "*", 'The "Shop"; =1+1 | Ltd 2'),
    ]
    cost, paid = booked[1].postings
    assert (cost.account, cost.units.number, cost.units.currency) == (
        *("Expenses:Meals:Coffee-cake", Decimal("7.30")),
        "EUR",
    )
    assert paid.account == "Assets:Cash"
    assert booked[2].postings[0].units.currency == "CNY"
    assert booked[2].meta["file"] == 'b "x".png'
    assert {entry.account for entry in entries if isinstance(entry, Open)} >= {"Liabilities:Card"}


def test_what_is_not_booked_is_said(tmp_path: Path) -> None:
    for name in ("out.beancount", "out.journal"):
        text = _written(tmp_path, name).read_text(encoding="utf-8")
        left = re.findall(r"^; not booked: (\w)\.png: (.*)$", text, re.MULTILINE)
        assert [file for file, _ in left] == ["d", "e", "f", "g"]
        assert "same bytes as a.png" in left[2][1]


def test_the_journal_has_the_form_of_hledger(tmp_path: Path) -> None:
    text = _written(tmp_path, "out.journal").read_text(encoding="utf-8")
    entry = re.compile(
        r"^\d{4}-\d\d-\d\d [*!] [^;|\n]+  ; file: [^\n]+, receipt: [0-9a-f]{16}-1-1\n"
        r"    Expenses(?::[A-Z0-9][A-Za-z0-9-]*)+  -?\d+(?:\.\d+)? [A-Z]{3}\n"
        r"    (?:Assets:Cash|Liabilities:Card)\n\n",
        re.MULTILINE,
    )
    assert len(entry.findall(text)) == 3
    assert entry.sub("", text).replace("\n", "").count("; not booked") == 4


def _records(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_firefly_gets_withdrawals(tmp_path: Path) -> None:
    records = _records(_written(tmp_path, "firefly.csv", "firefly"))
    assert list(records[0]) == list(FIREFLY_ROLES)
    assert [(r["date"], r["amount"], r["currency"]) for r in records] == [
        ("2024-03-14", "-7.30", "EUR"),
        ("2024-03-14", "1200", "CNY"),
        ("2024-03-01", "-7.30", "EUR"),
    ]
    assert records[2]["notes"] == "c.png (to check)"
    assert all(re.fullmatch(r"[0-9a-f]{16}-1-1", r["receipt"]) for r in records)


def test_odoo_gets_expenses(tmp_path: Path) -> None:
    records = _records(_written(tmp_path, "odoo.csv", "odoo"))
    assert list(records[0]) == list(ODOO_FIELDS)
    assert all(re.fullmatch(r"receipt_engine\.receipt_\w+", r["id"]) for r in records)
    assert [r["payment_mode"] for r in records] == ["own_account", "company_account", "company_account"]
    assert records[0]["total_amount_currency"] == "7.30"


@pytest.mark.parametrize("form", ["firefly", "odoo"])
def test_the_command_writes_them(tmp_path: Path, form: str, capsys: pytest.CaptureFixture[str]) -> None:
    results = tmp_path / "results.jsonl"
    results.write_text("".join(f"{row.to_json()}\n" for row in ROWS), encoding="utf-8")
    out = tmp_path / "out.csv"
    assert main(["export", str(results), "--format", form, "-o", str(out)]) == 0
    printed = capsys.readouterr()
    assert printed.out == f"{out}\n"
    assert len(_records(out)) == 3
    assert printed.err.count("receipt-engine: not booked: ") == len(ROWS) - 3 > 0
