"""The command line: extract, explain, models, merchants; serve and account with the extra `service`."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from receipt_engine import assets
from receipt_engine.errors import ReceiptEngineError
from receipt_engine.options import CUSTOM_FIELDS, ExtractOptions

if TYPE_CHECKING:
    from receipt_engine.engine import Engine

#: Exit codes: a usage error is 2, argparse's own.
_OK, _FAILED = 0, 1


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; returns the exit code (0, 1 when a file failed, 2 for wrong usage)."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")  # JSON is, wherever the console is not
    try:
        code: int = options.run(options)
        return code
    except (ReceiptEngineError, OSError) as error:
        print(f"receipt-engine: {error}", file=sys.stderr)
        return _FAILED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="receipt-engine", description="Reads receipts and invoices, offline."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    extract = commands.add_parser("extract", help="print the Result of each picture as JSON, one a line")
    extract.add_argument("files", nargs="+", type=Path, metavar="FILE")
    _add_options(extract)
    form = extract.add_mutually_exclusive_group()
    form.add_argument("--pretty", action="store_true", help="indent the JSON")
    form.add_argument("--json", action="store_true", help="one JSON object a line (the default)")
    extract.add_argument("--evidence", action="store_true", help="add where each value was read and why")
    extract.set_defaults(run=_extract)

    explain = commands.add_parser("explain", help="write a page that shows how one picture was read")
    explain.add_argument("file", type=Path, metavar="FILE")
    explain.add_argument("-o", "--output", type=Path, required=True, metavar="OUT.html")
    _add_options(explain)
    explain.set_defaults(run=_explain)

    models = commands.add_parser("models", help="list the model files and check their digests")
    models.set_defaults(run=_models)

    merchants = commands.add_parser("merchants", help="manage the table that validates merchants")
    actions = merchants.add_subparsers(required=True, metavar="ACTION")
    add = actions.add_parser("import", help="read merchants from a CSV file into a table")
    add.add_argument("csv", type=Path, metavar="CSV")
    add.add_argument("table", type=Path, metavar="TABLE.sqlite")
    add.set_defaults(run=_import_merchants)

    # They import nothing until they run; without the extra they say how to install it.
    from receipt_engine.service.commands import add_commands

    add_commands(commands)
    return parser


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--region", help="two-letter country of the receipt; inferred when absent")
    parser.add_argument("--document-type", default="receipt", choices=("receipt", "invoice", "auto"))
    parser.add_argument("--decimal-places", type=int, choices=range(4), help="decimals printed on amounts")
    parser.add_argument("--cents", action="store_true", help="with 3 decimals: a printed 245 is 0.245")
    parser.add_argument("--default-date-parsing", choices=("d/m", "m/d"), help="order of ambiguous dates")
    parser.add_argument("--custom-field", action="append", default=[], choices=CUSTOM_FIELDS)
    parser.add_argument(
        "--merchants", type=Path, metavar="TABLE.sqlite", help="table that validates merchants"
    )


def _options(options: argparse.Namespace, *, evidence: bool) -> ExtractOptions:
    return ExtractOptions(
        region=options.region,
        document_type=options.document_type,
        decimal_places=options.decimal_places,
        cents=options.cents,
        default_date_parsing=options.default_date_parsing,
        evidence=evidence,
        custom_fields=tuple(options.custom_field),
    )


def _extract(options: argparse.Namespace) -> int:
    engine = _engine(options)
    wanted = _options(options, evidence=options.evidence)
    code = _OK
    for file in options.files:
        try:
            result = engine.interpret(engine.read(file), wanted)
        except (ReceiptEngineError, OSError) as error:
            # The other files are still read.
            print(f"receipt-engine: {file}: {error}", file=sys.stderr)
            code = _FAILED
            continue
        text = result.to_json()
        print(msgspec.json.format(text, indent=2) if options.pretty else text, flush=True)
    return code


def _explain(options: argparse.Namespace) -> int:
    explanation = _engine(options).explain(options.file, _options(options, evidence=True))
    options.output.write_text(explanation.to_html(), encoding="utf-8")
    print(options.output)
    return _OK


def _models(options: argparse.Namespace) -> int:
    for entry in assets.model_manifest():
        assets.model_file(entry["name"])
        print(entry["name"])
        for key in ("sha256", "licence", "source"):
            print(f"  {key:8}{entry[key]}")
    return _OK


def _import_merchants(options: argparse.Namespace) -> int:
    from receipt_engine.merchants import import_merchants

    print(f"{import_merchants(options.csv, options.table)} merchants in {options.table}")
    return _OK


def _engine(options: argparse.Namespace) -> Engine:
    # Imported here: --help and usage errors need no models.
    from receipt_engine.engine import Engine
    from receipt_engine.merchants import MerchantTable

    table = MerchantTable(options.merchants) if options.merchants else None
    return Engine(merchants=table)
