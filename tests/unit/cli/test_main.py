"""The command line, with a stand-in for the engine: what is printed, where, and the exit codes."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from decimal import Decimal
from pathlib import Path
from typing import ClassVar

import msgspec
import numpy as np
import pytest

import receipt_engine.engine
from receipt_engine import assets
from receipt_engine.cli import main
from receipt_engine.document import Page, Reading
from receipt_engine.engine import Explanation
from receipt_engine.errors import NotAnImageError
from receipt_engine.merchants import MerchantTable
from receipt_engine.options import ExtractOptions
from receipt_engine.pipeline import interpret
from receipt_engine.result import Result
from receipt_engine.trace import Trace
from tests.printed import reading

RECEIPT = """
    ΚΑΦΕΝΕΙΟ <MIKRO>
    Τσάι            4.50
    Scone           2.80
    TOTAL           7.30
"""


#: Between the texts of two receipts in one picture.
BESIDE = "|||"


class FakeEngine:
    """Takes a file's text for what its picture shows; files that begin with # are no pictures."""

    asked: ClassVar[list[ExtractOptions]] = []

    def __init__(self, *, merchants: MerchantTable | None = None) -> None:
        self.merchants = merchants

    def read(self, file: str | Path) -> Reading:
        text = Path(file).read_text(encoding="utf-8")
        if text.startswith("#"):
            raise NotAnImageError("The file is neither JPEG nor PNG.")
        return reading(text)

    def extract_all(
        self, file: str, options: ExtractOptions, *, deadline: float | None = None
    ) -> tuple[Result, ...]:
        self.asked.append(options)
        texts = Path(file).read_text(encoding="utf-8").split(BESIDE)
        if len(texts) == 1:
            return (interpret(self.read(file), options, None, Trace(keep=False)),)
        return tuple(interpret(reading(text), options, None, Trace(keep=False)) for text in texts)

    def explain(self, file: Path, options: ExtractOptions) -> Explanation:
        self.asked.append(options)
        found, trace = self.read(file), Trace()
        page = Page(np.full((found.height, found.width, 3), 255, np.uint8), found.source_size)
        return Explanation(page, found, interpret(found, options, None, trace), trace)

    def explain_all(self, file: str, options: ExtractOptions) -> tuple[Explanation, ...]:
        return (self.explain(Path(file), options),)


@pytest.fixture
def receipt(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that the stand-in reads as a receipt; the command line uses the stand-in."""
    monkeypatch.setattr(receipt_engine.engine, "Engine", FakeEngine)
    monkeypatch.setattr(FakeEngine, "asked", [])
    file = tmp_path / "receipt.png"
    file.write_text(RECEIPT, encoding="utf-8")
    return file


def test_extract_prints_the_object(receipt: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["extract", str(receipt)]) == 0
    (out,) = capsys.readouterr().out.splitlines()
    assert json.loads(out)["total"] == 7.3
    assert list(json.loads(out)) == list(Result().to_dict())


def test_of_several_receipts_the_main_one_is_printed_and_said_to_be(
    receipt: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    receipt.write_text(RECEIPT + BESIDE + "KIOSK\nTOTAL           2.00", encoding="utf-8")
    assert main(["extract", str(receipt)]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["total"] == 7.3
    assert "shows 2 receipts" in printed.err


def test_a_broken_file_is_named(receipt: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken, missing = receipt.with_name("broken.png"), receipt.with_name("missing.png")
    broken.write_text("#")
    for file, why in ((broken, "neither JPEG nor PNG"), (missing, "No such file")):
        assert main(["extract", str(file)]) == 1
        printed = capsys.readouterr()
        assert not printed.out
        assert printed.err.count(str(file)) == 1 and why in printed.err and "Errno" not in printed.err


def test_pretty_is_the_same_object_with_the_same_digits(
    receipt: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["extract", str(receipt)]) == 0
    plain = capsys.readouterr().out
    assert main(["extract", "--pretty", str(receipt)]) == 0
    pretty = capsys.readouterr().out
    assert pretty == msgspec.json.format(plain.strip(), indent=2) + "\n"
    assert '\n  "total": 7.30,\n' in pretty


def test_evidence_is_printed_when_asked_for(receipt: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["extract", "--evidence", str(receipt)]) == 0
    assert "equations" in json.loads(capsys.readouterr().out)["evidence"]
    assert main(["extract", str(receipt)]) == 0
    assert "evidence" not in json.loads(capsys.readouterr().out)


def test_every_option_reaches_the_engine(receipt: Path) -> None:
    words = "extract --region uk --document-type auto --decimal-places 3 --cents --default-date-parsing m/d"
    fields = ["--custom-field", "Country", "--custom-field", "VATNumber"]
    assert main([*words.split(), *fields, str(receipt)]) == 0
    assert FakeEngine.asked == [
        ExtractOptions(
            region="gb",
            document_type="auto",
            decimal_places=3,
            cents=True,
            default_date_parsing="m/d",
            custom_fields=("Country", "VATNumber"),
        )
    ]


def test_explain_writes_the_page(receipt: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = receipt.with_name("page.html")
    assert main(["explain", str(receipt), "-o", str(page)]) == 0
    assert capsys.readouterr().out.strip() == str(page)
    html = page.read_text(encoding="utf-8")
    assert html.startswith("<!doctype html>")
    assert "&lt;MIKRO&gt;" in html and "<MIKRO>" not in html
    assert FakeEngine.asked == [ExtractOptions(evidence=True)]


def test_explain_of_a_broken_file_says_why(receipt: Path, capsys: pytest.CaptureFixture[str]) -> None:
    receipt.write_text("#")
    page = receipt.with_name("page.html")
    assert main(["explain", str(receipt), "-o", str(page)]) == 1
    assert "neither JPEG nor PNG" in capsys.readouterr().err
    html = page.read_text(encoding="utf-8")
    assert "neither JPEG nor PNG" in html and "NotAnImageError" in html and "What to do" in html


def test_explain_of_several_files_writes_an_index(receipt: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = receipt.with_name("broken.png")
    broken.write_text("#")
    out = receipt.with_name("pages")
    assert main(["explain", str(receipt), str(broken), "-o", str(out)]) == 1
    assert capsys.readouterr().out.strip() == str(out / "index.html")
    index = (out / "index.html").read_text(encoding="utf-8")
    assert "2 files, 1 receipts" in index and "1 not read" in index
    pages = re.findall(r"href='([^']+)'", index)
    assert sorted(pages) == ["0001-receipt.html", "0002-broken.html"]
    assert all((out / page).is_file() for page in pages)


def test_explain_writes_into_a_folder_that_is_there(
    receipt: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pages").mkdir()
    assert main(["explain", str(receipt), "-o", str(tmp_path / "pages")]) == 0
    assert capsys.readouterr().out.strip() == str(tmp_path / "pages" / "receipt.html")


def test_explain_refuses_an_output_that_does_not_fit(
    receipt: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = receipt.with_name("other.png")
    other.write_text(RECEIPT, encoding="utf-8")
    assert main(["explain", str(receipt), str(other), "-o", str(tmp_path / "out.html")]) == 2
    assert "-o FOLDER" in capsys.readouterr().err
    assert main(["explain", str(receipt), "-o", str(tmp_path / "none" / "out.html")]) == 2
    assert "its folder does not exist" in capsys.readouterr().err


def test_pages_of_files_with_very_long_names(receipt: Path, tmp_path: Path) -> None:
    for first in "ab":
        (tmp_path / "long").mkdir(exist_ok=True)
        (tmp_path / "long" / f"{first}{'名' * 80}.png").write_text(RECEIPT, encoding="utf-8")
    assert main(["explain", str(tmp_path / "long"), "-o", str(tmp_path / "pages")]) == 0
    assert len(list((tmp_path / "pages").iterdir())) == 3


def test_a_wrong_region_is_wrong_usage(receipt: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["extract", str(receipt), "--region", "germany"]) == 2
    assert "'de' (Germany)" in capsys.readouterr().err


def test_review_needs_something_to_review(receipt: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", str(receipt.with_name("gone"))]) == 1
    assert (
        capsys.readouterr().err
        == f"receipt-engine: {receipt.with_name('gone')}: No such file or directory.\n"
    )
    table = receipt.with_name("out.csv")
    table.write_text("file\n")
    assert main(["review", str(table)]) == 2
    assert ".jsonl" in capsys.readouterr().err
    assert sorted(path.name for path in receipt.parent.iterdir()) == ["out.csv", "receipt.png"]


def test_models_lists_every_file_of_the_manifest(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models"]) == 0
    out = capsys.readouterr().out
    for entry in assets.model_manifest():
        assert all(entry[key] in out for key in ("name", "sha256", "licence", "source"))


def test_merchants_are_imported_and_used(receipt: Path, capsys: pytest.CaptureFixture[str]) -> None:
    csv, table = receipt.with_name("merchants.csv"), receipt.with_name("merchants.sqlite")
    csv.write_text("name,phones\nMikro,210 555 0142\n", encoding="utf-8")
    assert main(["merchants", "import", str(csv), str(table)]) == 0
    assert capsys.readouterr().out == f"1 merchants in {table}\n"
    assert main(["extract", "--merchants", str(table), str(receipt)]) == 0


def test_a_missing_merchant_table_is_an_error(receipt: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = receipt.with_name("none.sqlite")
    assert main(["extract", "--merchants", str(table), str(receipt)]) == 1
    assert str(table) in capsys.readouterr().err


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "extract",
        "extract --pretty --json a.png",
        "extract --decimal-places 4 a.png",
        "extract --document-type bill a.png",
        "extract --custom-field Table a.png",
        "extract --jobs 0 a.png",
        "extract --jobs two a.png",
        "extract --deadline 0 a.png",
        "extract --deadline soon a.png",
        "extract --deadline nan a.png",
        "extract --resume --overwrite a.png -o out.jsonl",
        "review out.jsonl --port 65536",
        "review out.jsonl --port -1",
        "explain a.png",
        "merchants",
        "unknown",
    ],
)
def test_wrong_usage_exits_with_2(wrong: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(wrong.split())
    assert stopped.value.code == 2
    assert "usage: receipt-engine" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["", "extract", "explain", "models", "merchants"])
def test_help_needs_no_model(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(name: str) -> Path:
        raise AssertionError(f"opened {name}")

    monkeypatch.setattr(assets, "model_file", refuse)
    with pytest.raises(SystemExit) as stopped:
        main([*command.split(), "--help"])
    assert stopped.value.code == 0
    assert "usage: receipt-engine" in capsys.readouterr().out


def test_json_is_utf_8_where_the_console_is_not(receipt: Path) -> None:
    program = (
        "import sys, receipt_engine.engine as engine; from tests.unit.cli import test_main as t;"
        "engine.Engine = t.FakeEngine; sys.exit(t.main(sys.argv[1:]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "extract", str(receipt)],
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
        cwd=Path(__file__).parents[3],
        capture_output=True,
        check=True,
    )
    result = json.loads(done.stdout.decode("utf-8"), parse_float=Decimal)
    assert result["total"] == Decimal("7.30")
    assert "Τσάι".encode() in done.stdout


def test_a_user_without_a_home_reads_but_names_where_to_remember(
    receipt: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setattr(Path, "home", homeless)
    assert main(["extract", str(receipt)]) == 0
    assert main(["review", str(receipt)]) == 2
    assert "--memory FILE or --no-memory" in capsys.readouterr().err


def test_no_output_replaces_what_is_read(receipt: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows, merchants = receipt.with_name("rows.jsonl"), receipt.with_name("merchants.csv")
    link = receipt.with_name("link")
    link.symlink_to(rows)
    merchants.write_text("name\nMikro\n", encoding="utf-8")
    rows.write_text("", encoding="utf-8")
    before = {path: path.read_bytes() for path in (receipt, rows, merchants)}
    for command in (
        ["explain", str(receipt), "-o", str(receipt)],
        ["export", str(rows), "--format", "odoo", "-o", str(link)],
        ["merchants", "import", str(merchants), str(merchants)],
    ):
        assert main(command) == 2
        assert "choose another name for the output" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in before} == before
