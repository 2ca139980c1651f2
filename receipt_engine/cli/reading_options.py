"""The options of every command that reads images, and the engine that they configure."""

from __future__ import annotations

import argparse
import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from receipt_engine.errors import OptionError
from receipt_engine.memory import memory_path
from receipt_engine.options import CUSTOM_FIELDS, CustomField, ExtractOptions

if TYPE_CHECKING:
    from collections.abc import Callable

    from receipt_engine.engine import Engine


def add_reading_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options of `ExtractOptions` and of `Engine`."""
    parser.add_argument("--region", help="two-letter country code of the receipt (default: inferred)")
    parser.add_argument("--document-type", default="receipt", choices=("receipt", "invoice", "auto"))
    parser.add_argument("--decimal-places", type=int, choices=range(4), help="decimals printed on amounts")
    parser.add_argument("--cents", action="store_true", help="with 3 decimals: a printed 245 means 0.245")
    parser.add_argument(
        "--default-date-parsing", choices=("d/m", "m/d"), help="order of day and month in ambiguous dates"
    )
    parser.add_argument(
        "--custom-field",
        action="append",
        default=[],
        type=_custom_field,
        metavar="FIELD",
        help=f"{', '.join(CUSTOM_FIELDS)}, or your own: NAME=LABEL|LABEL, NAME=/PATTERN/; may be repeated",
    )
    parser.add_argument(
        "--merchants", type=Path, metavar="TABLE.sqlite", help="table of known merchants to check against"
    )
    parser.add_argument(
        "--memory",
        type=Path,
        default=memory_path(),
        metavar="FILE",
        help="file of merchants that were corrected in reviews",
    )
    parser.add_argument("--no-memory", action="store_true", help="do not use the file of --memory")
    parser.add_argument("--regions", type=Path, metavar="DIR", help="folder of your own region files")


def _custom_field(text: str) -> str | CustomField:
    """A predefined field, or the definition of one: by labels, or by a pattern between slashes."""
    name, sign, how = text.partition("=")
    try:
        if not sign:
            ExtractOptions(custom_fields=(text,))
            return text
        if len(how) > 2 and how[0] == how[-1] == "/":
            return CustomField(name, pattern=how[1:-1])
        return CustomField(name, labels=tuple(filter(None, how.split("|"))))
    except OptionError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def extract_options(options: argparse.Namespace, *, evidence: bool) -> ExtractOptions:
    """The extraction options given on the command line."""
    return ExtractOptions(
        region=options.region,
        document_type=options.document_type,
        decimal_places=options.decimal_places,
        cents=options.cents,
        default_date_parsing=options.default_date_parsing,
        evidence=evidence,
        custom_fields=tuple(options.custom_field),
    )


def load_engine(options: argparse.Namespace) -> Engine:
    """Loads the engine in this process."""
    return engine_maker(options)()


def engine_maker(options: argparse.Namespace, **settings: Any) -> Callable[[], Engine]:
    """A picklable function that makes the engine, here or in another process. settings: further arguments."""
    if options.regions is not None:
        settings = {**settings, "regions": options.regions}
    return partial(_make_engine, options.merchants, _memory(options), settings)


def _memory(options: argparse.Namespace) -> Path | None:
    """The file of remembered merchants, if there is one and it is wanted."""
    if options.no_memory or options.memory is None:
        return None
    # Unlike `Path.exists`, False where the folder may not be entered, such as another user's home.
    return options.memory if os.path.exists(options.memory) else None  # noqa: PTH110


def _make_engine(merchants: Path | None, memory: Path | None, settings: dict[str, Any]) -> Engine:
    # Imported here: --help and usage errors need no models.
    from receipt_engine.engine import Engine
    from receipt_engine.memory import MerchantMemory
    from receipt_engine.merchants import MerchantTable

    if memory is not None:
        settings = {**settings, "memory": MerchantMemory(memory)}
    return Engine(merchants=MerchantTable(merchants) if merchants else None, **settings)
