"""Writes docs/languages.md: the fields read right in small receipts composed from each language's words.

python -m scripts.describe_languages
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

from receipt_engine.options import ExtractOptions
from receipt_engine.pipeline import interpret
from receipt_engine.region import load_language
from receipt_engine.testing import reading
from receipt_engine.trace import Trace
from scripts.language_receipts import FIELDS, LanguageReceipt, countries_of, language_codes, receipts_in

TARGET = Path(__file__).resolve().parent.parent / "docs" / "languages.md"
#: The two wordings of each receipt: the first and the second high-confidence phrase of a role.
WORDINGS = (0, 1)
HEAD = """# What is read in each language

Written by `python -m scripts.describe_languages`; `tests/matrix` tests every cell. For each language seven
small receipts are composed from the words of `regions/languages/*.toml`, in two wordings and for two of its
countries where it has them (`scripts/language_receipts.py`): paid in cash with a discount, by card with a
tip, with a rounded total, an invoice, and three that are folded, so that no sum adds up and only the
words help. They are given as text, as a perfect recogniser would read them, with the country.

✓: right in every receipt that prints the field, and null in every receipt that does not. ✗: a known gap. –:
the language's file has no certain word for it; `✓ receipt`: it has none for an invoice.
"""


def main() -> int:
    """Writes the file; returns the exit status."""
    TARGET.write_text(describe(), encoding="utf-8")
    return 0


def describe() -> str:
    """The whole file: a row for each language, sorted by code."""
    rows: list[Iterable[str]] = [("language", "countries", *FIELDS), ["---"] * (len(FIELDS) + 2)]
    rows += [_row(code) for code in language_codes()]
    return HEAD + "".join(f"\n| {' | '.join(row)} |" for row in rows) + "\n"


def _row(code: str) -> tuple[str, ...]:
    countries = ", ".join(region.name for region in countries_of(code)[: len(WORDINGS)])
    return (load_language(code).name, countries, *(_cell(code, name) for name in FIELDS))


def _cell(code: str, name: str) -> str:
    if faults(code, name):
        return "✗"
    stated = {receipt.says[name] for receipt, _ in _read(code)} - {None}
    return "–" if not stated else "✓ receipt" if stated == {"Receipt"} else "✓"


def faults(code: str, name: str) -> list[str]:
    """The faults of a field in a language's receipts: kind of receipt, printed value and value read."""
    return [
        f"{receipt.kind}: {receipt.says[name]}, read as {found[name]}"
        for receipt, found in _read(code)
        if not _agree(name, receipt.says[name], found[name])
    ]


@cache
def _read(code: str) -> list[tuple[LanguageReceipt, dict[str, Any]]]:
    """The language's receipts, each with its Result."""
    return [(receipt, _result(receipt)) for wording in WORDINGS for receipt in receipts_in(code, wording)]


def _result(receipt: LanguageReceipt) -> dict[str, Any]:
    options = ExtractOptions(region=receipt.region, document_type="auto")
    return interpret(reading(receipt.text), options, None, Trace(keep=False)).to_dict()


def _agree(name: str, said: Decimal | str | None, found: Any) -> bool:
    if said is None or found is None:
        return said is found
    if isinstance(said, Decimal):
        return Decimal(str(found)) == said
    if name == "date":
        return str(found).startswith(said)
    # Of the printed words for a card, only the scheme's name counts.
    return str(found).upper() in said if name == "paymentMethod" else found == said


if __name__ == "__main__":
    raise SystemExit(main())
