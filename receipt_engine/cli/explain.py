"""`receipt-engine explain`: writes pages that show how images were read."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from receipt_engine.cli.exit_codes import FAILED, NOTHING_READ, OK
from receipt_engine.cli.extract import no_pictures
from receipt_engine.cli.reading_options import add_reading_options, extract_options, load_engine
from receipt_engine.errors import OptionError, ReceiptEngineError, in_words, refuse_to_replace

if TYPE_CHECKING:
    from receipt_engine.batch.inputs import Input
    from receipt_engine.explain.index import Entry
    from receipt_engine.options import ExtractOptions

_INDEX = "index.html"
#: Characters of a file's name that are kept in the name of its page: few enough for any file system.
_STEM = 50


def add_explain(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command to the parser."""
    explain = commands.add_parser(
        "explain",
        help="write a page that shows how pictures were read",
        description="Writes a page that shows how a picture was read, or why it could not be. "
        "For several files, or a folder, it writes a folder of pages with an index.",
    )
    explain.add_argument("paths", nargs="+", metavar="PATH", help="files, folders or patterns")
    explain.add_argument("-r", "--recursive", action="store_true", help="include subfolders")
    explain.add_argument("-o", "--output", type=Path, required=True, metavar="OUT.html|FOLDER")
    add_reading_options(explain)
    explain.set_defaults(run=_explain)


def _explain(options: argparse.Namespace) -> int:
    from receipt_engine.batch.inputs import find_inputs

    files = find_inputs(options.paths, recursive=options.recursive)
    if not files:
        return no_pictures(options)
    single = len(files) == 1 and not Path(options.paths[0]).is_dir()
    _check_output(options.output, single=single)
    engine, asked = load_engine(options), extract_options(options, evidence=True)
    if single:
        page = options.output
        if page.is_dir():
            page /= f"{Path(files[0].name).stem}.html"
        refuse_to_replace(page, [files[0].name])
        html, _, error = _page(engine, files[0], asked)
        page.write_text(html, encoding="utf-8")
        print(page)
        return FAILED if error else OK
    return _folder(engine, files, asked, options.output)


def _check_output(output: Path, *, single: bool) -> None:
    """Raises OptionError when the pages cannot be written to `output`: before reading, not after."""
    if single and not output.absolute().parent.is_dir():
        raise OptionError(f"{output}: its folder does not exist; create it first.")
    if not single and (output.is_file() or output.suffix.lower() in (".html", ".htm")):
        raise OptionError(f"{output}: the pages of several pictures need a folder: -o FOLDER.")


def _folder(engine: Any, files: tuple[Input, ...], asked: ExtractOptions, output: Path) -> int:
    from receipt_engine.explain.index import Entry, index_html

    output.mkdir(parents=True, exist_ok=True)
    entries: list[Entry] = []
    for number, file in enumerate(files, 1):
        html, found, error = _page(engine, file, asked)
        page = f"{number:04}-{Path(file.name).stem[:_STEM]}.html"
        (output / page).write_text(html, encoding="utf-8")
        entries.append(Entry(file.name, page, found, error))
    (output / _INDEX).write_text(index_html(entries), encoding="utf-8")
    print(output / _INDEX)
    failed = sum(bool(entry.error) for entry in entries)
    return OK if not failed else NOTHING_READ if failed == len(entries) else FAILED


def _page(engine: Any, file: Input, asked: ExtractOptions) -> tuple[str, tuple[Any, ...], str]:
    """The HTML of a file's page, its Results, and the error message, "" without one."""
    from receipt_engine.explain.failure import decoded, failure_html
    from receipt_engine.explain.page import to_html

    try:
        explanations = engine.explain_all(file.source, asked)
    except (ReceiptEngineError, OSError) as error:
        why = in_words(error, with_file=False)
        print(f"receipt-engine: {file.name}: {why}", file=sys.stderr)
        return failure_html(file.name, error, decoded(file.source)), (), why
    return to_html(explanations), tuple(one.result for one in explanations), ""
