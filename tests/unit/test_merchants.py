"""The table of known merchants: import, look-up, and what makes a merchant validated."""

from __future__ import annotations

import gc
import os
import sqlite3
from pathlib import Path

import pytest

from receipt_engine.cli import main
from receipt_engine.errors import MerchantTableError
from receipt_engine.merchants import MerchantTable, import_merchants
from receipt_engine.stages.merchant import find_merchant
from tests.unit.stages.printed_receipts import printed

_CSV = """id,name,aliases,phones,addresses,ids
7,Linden Bakery,Linden Bakery Ltd|Lindens,020 7946 0018|020 7946 0019,12 Mill Lane London N1 7AB,GB123456789
8,Linden Bakery,,0113 496 0123,40 Briggate Leeds LS3 8QN,
9,Café Übersee,Cafe Uebersee GmbH,040 1234567,"Am Kai 6, 22767 Hamburg",DE136695976
"""


@pytest.fixture
def table(tmp_path: Path) -> MerchantTable:
    csv, database = tmp_path / "merchants.csv", tmp_path / "merchants.sqlite"
    csv.write_text(_CSV, encoding="utf-8")
    assert import_merchants(csv, database) == 3
    return MerchantTable(database)


def test_the_table_knows_how_many_it_holds(table: MerchantTable) -> None:
    assert len(table) == 3


@pytest.mark.parametrize(
    ("names", "phones", "address", "ids", "found"),
    [
        (["LINDEN BAKERY"], ["+44 20 7946 0018"], None, [], "7"),
        (["Lindens"], ["(020) 7946-0019"], None, [], "7"),
        (["Linden Bakery"], [], "40 BRIGGATE, LEEDS LS3 8QN", [], "8"),
        (["LINDEN BAKERV"], ["0113 496 0128"], None, [], "8"),
        (["CAFE UBERSEE"], [], None, ["DE 136 695 976"], "9"),
    ],
)
def test_a_name_with_one_more_agreement_is_found(
    table: MerchantTable, names: list[str], phones: list[str], address: str | None, ids: list[str], found: str
) -> None:
    known = table.find(names, phones, address, ids)
    assert known is not None
    assert known.id == found


@pytest.mark.parametrize(
    ("names", "phones", "address"),
    [
        (["Linden Bakery"], [], None),
        (["Linden Bakery"], ["020 7946 9999"], "99 Other Street London E1 1AA"),
        (["Hardware Harbour"], ["020 7946 0018"], None),
        (["Linden Bakery"], [], "41 Briggate Leeds LS2 7ZZ"),
        ([], ["020 7946 0018"], None),
    ],
)
def test_a_name_or_a_phone_alone_is_not_enough(
    table: MerchantTable, names: list[str], phones: list[str], address: str | None
) -> None:
    assert table.find(names, phones, address, []) is None


_RECEIPT = (
    "LINDEN BAKERY\n12 Mill Lane\nLondon N1 7AB\nTel 020 7946 0018\n\nBread      2.00\nTOTAL      2.00\n"
)


def test_a_merchant_is_validated_by_phone_or_address(table: MerchantTable) -> None:
    receipt = printed("gb", _RECEIPT)
    merchant = find_merchant(receipt.rows, receipt.sheet, receipt.region, receipt.entities, table)
    assert merchant.validated
    assert merchant.name is not None
    assert merchant.name.value == "Linden Bakery"


def test_a_tax_number_alone_does_not_validate(table: MerchantTable) -> None:
    receipt = printed("de", "CAFE ÜBERSEE\nUSt-IdNr. DE136695976\n\nBrot      2,00\nSUMME      2,00\n")
    merchant = find_merchant(receipt.rows, receipt.sheet, receipt.region, receipt.entities, table)
    assert not merchant.validated


def test_without_a_table_nothing_is_validated() -> None:
    assert not printed("gb", _RECEIPT).merchant.validated


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("title,phones\nA,1\n", "name"),
        ("name,phone\nA,1\n", "unknown columns phone"),
        ("name,addresses\nA,1 Mill Lane, London\n", "line 2: more cells than columns. Quote cells"),
        ("name,phones\nA,1\n ,2\n", "line 3: the merchant has no name"),
        ("", "no column called name"),
    ],
)
def test_a_wrong_csv_says_what_to_do(tmp_path: Path, text: str, told: str) -> None:
    csv = tmp_path / "wrong.csv"
    csv.write_text(text, encoding="utf-8")
    with pytest.raises(MerchantTableError, match=told):
        import_merchants(csv, tmp_path / "table.sqlite")
    assert [path.name for path in tmp_path.iterdir()] == ["wrong.csv"]


def test_a_csv_in_another_encoding_says_so(tmp_path: Path) -> None:
    csv = tmp_path / "latin.csv"
    csv.write_bytes("name\nCafé\n".encode("latin-1"))
    with pytest.raises(MerchantTableError, match="UTF-8"):
        import_merchants(csv, tmp_path / "table.sqlite")


def test_a_failed_import_leaves_the_old_table(tmp_path: Path, table: MerchantTable) -> None:
    wrong = tmp_path / "wrong.csv"
    wrong.write_text("name\nA\n \n", encoding="utf-8")
    with pytest.raises(MerchantTableError):
        import_merchants(wrong, tmp_path / "merchants.sqlite")
    assert len(MerchantTable(tmp_path / "merchants.sqlite")) == 3


def test_other_files_are_no_table(tmp_path: Path) -> None:
    with pytest.raises(MerchantTableError, match="there is no such file; `receipt-engine merchants import`"):
        MerchantTable(str(tmp_path / "missing.sqlite"))
    (tmp_path / "text.sqlite").write_text("name\nA\n", encoding="utf-8")
    with pytest.raises(MerchantTableError, match="import the CSV file"):
        MerchantTable(tmp_path / "text.sqlite")


def test_no_search_reads_the_whole_table(table: MerchantTable, tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "merchants.sqlite") as connection:
        plan = connection.execute(
            "EXPLAIN QUERY PLAN SELECT row FROM keys WHERE key = 'x' LIMIT 2"
        ).fetchall()
    connection.close()
    assert all("SEARCH" in str(step) for step in plan)


def test_the_nearest_of_many_like_names_is_found(tmp_path: Path) -> None:
    csv, database = tmp_path / "many.csv", tmp_path / "many.sqlite"
    rows = [f"{n},Linden Bakery {n:03d},,0113 4{n:02d} 0{n:03d},,\n" for n in range(300)]
    csv.write_text("id,name,aliases,phones,addresses,ids\n" + "".join(rows), encoding="utf-8")
    import_merchants(csv, database)
    known = MerchantTable(database).find(["LINDEN BAKERY 171"], ["0113 4171 0171"], None, [])
    assert known is not None
    assert known.id == "171"


def test_the_command_line_imports(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    csv, database = tmp_path / "merchants.csv", tmp_path / "table.sqlite"
    csv.write_text(_CSV, encoding="utf-8")
    assert main(["merchants", "import", str(csv), str(database)]) == 0
    assert capsys.readouterr().out == f"3 merchants in {database}\n"
    csv.write_text("shop\nA\n", encoding="utf-8")
    assert main(["merchants", "import", str(csv), str(database)]) == 1
    assert "The header may contain id, name" in capsys.readouterr().err


def test_a_table_that_is_dropped_closes_its_file(tmp_path: Path) -> None:
    (tmp_path / "shops.csv").write_text("id,name,aliases,phones,addresses,ids\n1,Linden Bakery,,,,\n")
    import_merchants(tmp_path / "shops.csv", tmp_path / "shops.sqlite")
    table = MerchantTable(tmp_path / "shops.sqlite")
    table.find(["Linden Bakery"], [], None, [])
    connection = table._connection()
    del table
    gc.collect()
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        connection.execute("SELECT 1")


def test_a_table_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    csv = tmp_path / "merchants.csv"
    csv.write_text(_CSV, encoding="utf-8")
    with pytest.raises(MerchantTableError, match=r"known\.sqlite cannot be written"):
        import_merchants(csv, tmp_path / "none" / "known.sqlite")
    (tmp_path / "known.sqlite").mkdir()
    with pytest.raises(MerchantTableError, match=r"known\.sqlite cannot be written"):
        import_merchants(csv, tmp_path / "known.sqlite")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["known.sqlite", "merchants.csv"]


@pytest.mark.skipif(os.name == "nt", reason="it has no such permissions")
def test_a_table_may_be_read_by_whom_other_files_may(table: MerchantTable, tmp_path: Path) -> None:
    modes = {path.name: path.stat().st_mode for path in tmp_path.iterdir()}
    assert modes["merchants.sqlite"] == modes["merchants.csv"]
