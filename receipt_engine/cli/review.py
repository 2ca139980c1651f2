"""`receipt-engine review` and `export`: a person corrects doubtful fields; results are written as tables."""

from __future__ import annotations

import argparse
import errno
import os
import sys
import webbrowser
from functools import partial
from pathlib import Path

from receipt_engine import export
from receipt_engine.cli.exit_codes import FAILED, OK
from receipt_engine.cli.extract import read_into
from receipt_engine.cli.reading_options import add_reading_options, extract_options, load_engine
from receipt_engine.errors import OptionError, refuse_to_replace


def add_review(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds both commands to the parser."""
    review = commands.add_parser("review", help="correct doubtful fields on a local web page")
    review.add_argument(
        "path", type=Path, metavar="PATH", help="results (.jsonl), or a picture or folder to be read first"
    )
    review.add_argument("--port", type=_port, default=0, help="port of the page (default: any free port)")
    review.add_argument(
        "--no-browser", action="store_true", help="print the address without opening a browser"
    )
    add_reading_options(review)
    review.set_defaults(run=_review)

    table = commands.add_parser("export", help="write results, with their corrections, as tables")
    table.add_argument("results", type=Path, metavar="RESULTS.jsonl")
    table.add_argument("-o", "--output", action="append", type=Path, default=[], metavar="FILE")
    table.add_argument(
        "--format",
        choices=sorted(export.FORMATS),
        help="CSV in the form that this program imports, whatever the file's ending",
    )
    table.add_argument(
        "--labels", type=Path, metavar="DIR", help="write what was reviewed as a folder of labelled pictures"
    )
    table.set_defaults(run=_export)


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port; use 0 to 65535")
    return int(text)


def _review(options: argparse.Namespace) -> int:
    from receipt_engine.memory import MerchantMemory
    from receipt_engine.review import ReviewServer
    from receipt_engine.review.session import Session

    results = options.path
    if not results.exists():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(results))
    if export.ending(results) in export.ENDINGS and export.ending(results) not in export.JSON_LINES:
        raise OptionError(f"{results} is a table; review the results file next to it (.jsonl).")
    if not options.memory and not options.no_memory:
        raise OptionError("No home folder to remember merchants in: add --memory FILE or --no-memory.")
    if export.ending(results) not in export.JSON_LINES:
        results = results / "receipts.jsonl" if results.is_dir() else results.with_suffix(".jsonl")
        read_into(options.path, results, options)
    memory = MerchantMemory(options.memory) if options.memory and not options.no_memory else None
    session = Session(results, partial(_explain, options), memory)
    if unseen := session.without_picture():
        print(f"receipt-engine: skipped {unseen} files that cannot be shown", file=sys.stderr)
    with ReviewServer(session, options.port) as server:
        try:
            print(f"{len(session.questions)} fields to check: {server.address}", flush=True)
            print(
                "The address works once. Press Ctrl-C to stop; every answer is saved as it is entered.",
                file=sys.stderr,
            )
            if not options.no_browser:
                webbrowser.open(server.address)
            server.serve_forever()
        except KeyboardInterrupt:
            print(
                f"\n{len(session.corrections)} answers saved in {session.corrections.path}", file=sys.stderr
            )
    return OK


def _explain(options: argparse.Namespace, picture: Path) -> str:
    return load_engine(options).explain(picture, extract_options(options, evidence=True)).to_html()


def _export(options: argparse.Namespace) -> int:
    from receipt_engine.review import corrected_rows, corrections_path, write_labels

    if not options.output and options.labels is None:
        raise OptionError("Say what to write: -o FILE or --labels DIR.")
    for path in options.output:
        refuse_to_replace(path, [options.results, corrections_path(options.results)])
        export.check(path, options.format)
    for path in options.output:
        export.write(path, lambda: corrected_rows(options.results), options.format)
        print(path)
    if options.output and options.format is not None:
        # These formats have no comments, so nobody would notice what is left out.
        for left_out in export.not_booked(corrected_rows(options.results)):
            print(f"receipt-engine: not booked: {left_out}", file=sys.stderr)
    if options.labels is not None:
        count = write_labels(options.results, options.labels)
        print(f"{count} labelled pictures in {options.labels}")
        return OK if count else FAILED
    return OK
