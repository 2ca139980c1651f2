"""Builds the parser of all commands, and handles what they have in common: errors, pipes, exit codes."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from receipt_engine import __version__, assets
from receipt_engine.cli.exit_codes import BROKEN_PIPE, FAILED, INTERRUPTED, OK, WRONG_USAGE
from receipt_engine.cli.explain import add_explain
from receipt_engine.cli.extract import add_extract
from receipt_engine.cli.regions import add_regions
from receipt_engine.cli.review import add_review
from receipt_engine.cli.summary import add_summary
from receipt_engine.errors import OptionError, ReceiptEngineError, in_words


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; returns its exit code, see `receipt_engine.cli.exit_codes`."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")  # as JSON is, even where the console is not
    try:
        code: int = options.run(options)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        # The reader of the output has what it wanted. Python would report the error again on exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except KeyboardInterrupt:
        return INTERRUPTED
    except (ReceiptEngineError, OSError) as error:
        print(f"receipt-engine: {in_words(error)}", file=sys.stderr)
        return WRONG_USAGE if isinstance(error, OptionError) else FAILED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="receipt-engine", description="Reads receipts and invoices, offline."
    )
    parser.add_argument("--version", action="version", version=f"receipt-engine {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    add_extract(commands)
    add_review(commands)
    add_summary(commands)
    add_explain(commands)
    models = commands.add_parser("models", help="list the model files and check their digests")
    models.set_defaults(run=_models)
    _add_merchants(commands)
    add_regions(commands)

    # Service commands import nothing until they run; without the extra they say how to install it.
    from receipt_engine.service.commands import add_commands

    add_commands(commands)
    return parser


def _add_merchants(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    merchants = commands.add_parser("merchants", help="manage the table of known merchants")
    actions = merchants.add_subparsers(required=True, metavar="ACTION")
    add = actions.add_parser("import", help="import merchants from a CSV file into a table")
    add.add_argument("csv", type=Path, metavar="CSV")
    add.add_argument("table", type=Path, metavar="TABLE.sqlite")
    add.set_defaults(run=_import_merchants)


def _models(options: argparse.Namespace) -> int:
    for entry in assets.model_manifest():
        assets.model_file(entry["name"])
        print(entry["name"])
        for key in ("sha256", "licence", "source"):
            print(f"  {key:8}{entry[key]}")
    return OK


def _import_merchants(options: argparse.Namespace) -> int:
    from receipt_engine.merchants import import_merchants

    print(f"{import_merchants(options.csv, options.table)} merchants in {options.table}")
    return OK
