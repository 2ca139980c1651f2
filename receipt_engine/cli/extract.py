"""`receipt-engine extract`: one image to standard output, or many files into a table."""

from __future__ import annotations

import argparse
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from receipt_engine import export
from receipt_engine.cli.exit_codes import FAILED, INTERRUPTED, NOTHING_READ, OK
from receipt_engine.cli.reading_options import (
    add_reading_options,
    engine_maker,
    extract_options,
    load_engine,
)
from receipt_engine.documents import main_receipt
from receipt_engine.errors import OptionError, ReceiptEngineError, in_words

if TYPE_CHECKING:
    from receipt_engine.batch import Input, Row

_EPILOG = """\
For a single file, its Result is printed as one JSON object. With several files, a folder, a pattern or -o,
each receipt is one line of JSON: {file, sha256, page, receipt, receipts, result | error}.

exit codes: 0 all files were read; 1 some could not be read, or an output could not be written; 2 wrong usage;
3 no file could be read; 130 stopped by Ctrl-C (the output holds what was read so far; --resume continues)
"""


def add_extract(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command to the parser."""
    extract = commands.add_parser(
        "extract",
        help="read receipts from pictures: JSON on standard output, or a table of all of them",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    extract.add_argument(
        "paths", nargs="+", metavar="PATH", help="files, folders or patterns; - is standard input"
    )
    extract.add_argument("-r", "--recursive", action="store_true", help="include subfolders")
    extract.add_argument(
        "-o",
        "--output",
        action="append",
        default=[],
        type=Path,
        metavar="FILE",
        help=f"write a file instead: {', '.join(export.ENDINGS)}; may be repeated",
    )
    extract.add_argument(
        "-j",
        "--jobs",
        type=_jobs,
        metavar="N",
        help="number of reading processes (default: as many as the machine can take)",
    )
    extract.add_argument(
        "--deadline", type=_seconds, metavar="SECONDS", help="give up on a file that takes longer"
    )
    existing = extract.add_mutually_exclusive_group()
    existing.add_argument("--resume", action="store_true", help="resume the output of an earlier run")
    existing.add_argument("--overwrite", action="store_true", help="replace the output of an earlier run")
    add_reading_options(extract)
    form = extract.add_mutually_exclusive_group()
    form.add_argument("--pretty", action="store_true", help="indent the JSON")
    form.add_argument("--json", action="store_true", help="one JSON object per line (the default)")
    extract.add_argument(
        "--evidence",
        action=argparse.BooleanOptionalAction,
        help="include where each value was read and why (in files by default; --no-evidence leaves it out)",
    )
    extract.set_defaults(run=_extract)


def _jobs(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of processes; use 1 or more")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < threading.TIMEOUT_MAX:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds above 0")
    return seconds


def _extract(options: argparse.Namespace) -> int:
    from receipt_engine.batch import find_inputs

    if not options.output and (options.resume or options.overwrite):
        raise OptionError("--resume and --overwrite need an earlier output; name it with -o FILE.")
    single = len(options.paths) == 1 and not options.output and not Path(options.paths[0]).is_dir()
    inputs = find_inputs(options.paths, recursive=options.recursive)
    if not inputs:
        return no_pictures(options)
    if single and len(inputs) == 1:
        return _print_one(inputs[0], options)
    if not options.output:
        with tempfile.TemporaryDirectory(prefix="receipt-engine-") as folder:
            return _read(inputs, options, Path(folder) / "rows.jsonl", printed=True)
    tables = [path for path in options.output if export.ending(path) not in export.JSON_LINES]
    given = [path for path in options.output if path not in tables]
    if len(given) > 1:
        raise OptionError(f"The rows go to one file: name {given[0]} or {given[1]}, not both.")
    # Tables are made from a results file, which is kept beside them: to resume, to review, to sum up.
    return _run(inputs, options, given[0] if given else tables[0].with_suffix(".jsonl"), tables)


def no_pictures(options: argparse.Namespace) -> int:
    """Reports that the named folders hold no images; returns the exit code."""
    more = "." if options.recursive else "; add -r to include subfolders."
    print(f"receipt-engine: {', '.join(options.paths)}: no pictures found{more}", file=sys.stderr)
    return NOTHING_READ


def _print_one(file: Input, options: argparse.Namespace) -> int:
    wanted = extract_options(options, evidence=bool(options.evidence))
    engine = load_engine(options)
    try:
        results = engine.extract_all(file.source, wanted, deadline=options.deadline)
    except (ReceiptEngineError, OSError) as error:
        print(f"receipt-engine: {file.name}: {in_words(error, with_file=False)}", file=sys.stderr)
        return FAILED
    if len(results) > 1:
        print(
            f"receipt-engine: {file.name}: it shows {len(results)} receipts, of which this is the main one; "
            "-o FILE writes a row for each.",
            file=sys.stderr,
        )
    _print(main_receipt(results).to_json(), options)
    return OK


def _print(text: str, options: argparse.Namespace) -> None:
    print(msgspec.json.format(text, indent=2) if options.pretty else text, flush=True)


def _run(
    inputs: Sequence[Input], options: argparse.Namespace, path: Path, tables: Sequence[Path] = ()
) -> int:
    """Runs `_read`; when an output cannot be written, as on a full disk, says what has been kept."""
    try:
        return _read(inputs, options, path, tables)
    except OSError as error:
        if error.filename == str(path) and path.exists():
            kept = "The results so far are kept in it; continue with --resume once it can be written."
        elif error.filename in map(str, tables):
            again = f"receipt-engine export {path} -o {error.filename}"
            kept = f"All rows are in {path}; once the table can be written, do so with `{again}`."
        else:
            raise
        print(f"receipt-engine: {in_words(error)} {kept}", file=sys.stderr)
        return FAILED


def _read(
    inputs: Sequence[Input],
    options: argparse.Namespace,
    path: Path,
    tables: Sequence[Path] = (),
    *,
    printed: bool = False,
) -> int:
    """Reads `inputs` into the results file `path`, then writes the tables or prints the rows."""
    from receipt_engine.batch import EngineReader, Journal, default_jobs, extract_files
    from receipt_engine.batch.progress import Tally, progress
    from receipt_engine.review.corrections import corrected_rows

    _check_output(path, tables, options)
    evidence = not printed if options.evidence is None else options.evidence
    wanted = extract_options(options, evidence=evidence)
    reader = EngineReader(engine_maker(options, threads=1), wanted, options.deadline)
    journal = Journal(path, resume=options.resume)
    tally = Tally(len(inputs))
    output = _InOrder([file.name for file in inputs], lambda row: _print(row.to_json(), options))
    interrupted = False
    jobs = options.jobs or default_jobs(len(inputs))
    try:
        with progress(len(inputs)) as shown:
            for rows in extract_files(inputs, reader, journal, jobs=jobs):
                tally.add(rows)
                for row in rows:
                    _report(row)
                if printed:
                    output.add(rows)
                shown.show(tally)
    except KeyboardInterrupt:
        interrupted = True
    finally:
        journal.finish(file.name for file in inputs)
    for table in tables:
        export.write(table, lambda: corrected_rows(path))
    written = ", ".join(map(str, [path, *tables]))
    print(f"{tally.files} files: {tally}{'' if printed else f' → {written}'}", file=sys.stderr)
    if interrupted:
        return INTERRUPTED
    return OK if tally.read == tally.files else FAILED if tally.read else NOTHING_READ


def read_into(path: Path, results: Path, options: argparse.Namespace) -> None:
    """Reads an image or a folder into a results file, resuming an existing one."""
    from receipt_engine.batch import find_inputs

    settings = {"jobs": None, "evidence": None, "deadline": None, "resume": True, "overwrite": False}
    inputs = find_inputs([path], recursive=True)
    if not inputs:
        raise OptionError(f"{path}: no pictures found.")
    _run(inputs, argparse.Namespace(**{**vars(options), **settings}), results)


def _check_output(path: Path, tables: Sequence[Path], options: argparse.Namespace) -> None:
    for table in tables:
        export.check(table)
    there = next((p for p in (path, *tables) if p.exists()), None)
    if there is not None and not (options.resume or options.overwrite):
        raise OptionError(f"{there} already exists: continue it (--resume) or replace it (--overwrite).")


def _report(row: Row) -> None:
    if row.failure is not None:
        print(f"receipt-engine: {row.file}: {row.failure.message}", file=sys.stderr)


class _InOrder:
    """Passes rows on in the order of the files, in whatever order they arrive."""

    def __init__(self, names: Sequence[str], give: Callable[[Row], None]) -> None:
        from receipt_engine.batch import Duplicates

        self._names: Iterator[str] = iter(names)
        self._next = next(self._names, None)
        self._waiting: dict[str, Sequence[Row]] = {}
        self._give = give
        self._duplicates = Duplicates()

    def add(self, rows: Sequence[Row]) -> None:
        self._waiting[rows[0].file] = rows
        while self._next in self._waiting:
            for row in self._waiting.pop(self._next):
                self._give(self._duplicates.marked(row))
            self._next = next(self._names, None)
