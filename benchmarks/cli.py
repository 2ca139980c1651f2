"""Defines the commands of ``python -m benchmarks``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks import copied, failure_list, gate, machine, reliability_chart, report
from benchmarks.compare import charts, systems, tables
from benchmarks.datasets import LabelError, Sample, load
from benchmarks.failures import failures
from benchmarks.outcome import Outcome
from benchmarks.protocols import (
    fields,
    inference,
    items,
    regions,
    selective,
    speed,
    sroie_task3,
    strings,
    summary,
)
from benchmarks.reading_cache import DEFAULT_FOLDER
from benchmarks.runner import Setup, run
from benchmarks.show import describe
from benchmarks.study import Study
from benchmarks.table import Table
from receipt_engine.region import region_codes

Protocol = Callable[[Study], list[Table]]
PROTOCOLS: dict[str, Protocol] = {
    "fields": fields.measure,
    "items": items.measure,
    "summary": summary.measure,
    "selective": selective.measure,
    "sroie_task3": sroie_task3.measure,
    "regions": regions.measure,
    "inference": inference.measure,
}
DEFAULT_PROTOCOLS = "fields,items,summary,selective,sroie_task3"


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command; returns the exit status: 0, 1 when the gate fails, 2 for a usage error."""
    options = _parser().parse_args(arguments)
    try:
        status: int = options.command(options)
    except LabelError as error:
        print(error, file=sys.stderr)
        return 2
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure the engine.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    scoring = _command(commands, "run", _run, "read, interpret and score labelled pictures")
    scoring.add_argument("--sets", help="names of data sets, with commas; all by default")
    scoring.add_argument("--limit", type=int, help="at most so many pictures of each data set")
    scoring.add_argument("--no-region", action="store_true", help="do not pass the labelled region")
    scoring.add_argument("--protocols", default=DEFAULT_PROTOCOLS, help=f"of {', '.join(PROTOCOLS)}; or all")
    scoring.add_argument("--report", type=Path, help="write the tables as Markdown")
    scoring.add_argument("--json", type=Path, help="write the tables as JSON")
    scoring.add_argument("--errors", type=Path, help="write every failure, by field and cause")
    scoring.add_argument("--title", default="Benchmark", help="heading of the report")
    _reading_options(scoring)

    filling = _command(commands, "read", _read, "read pictures into the cache, without interpreting them")
    filling.add_argument("--sets", help="names of data sets, with commas; all by default")
    filling.add_argument("--unlabelled", action="store_true", help="also pictures without any label")
    _reading_options(filling)

    comparing = _command(commands, "compare", _compare, "score several systems on the same pictures")
    comparing.add_argument("--sets", help="names of data sets, with commas; all by default")
    comparing.add_argument("--every", action="append", default=[], metavar="SET=N", help="every Nth of a set")
    comparing.add_argument(
        "--systems", default=systems.DEFAULT_SYSTEMS, help=f"of {', '.join(systems.SYSTEMS)}; none with ''"
    )
    comparing.add_argument(
        "--predictions", action="append", default=[], metavar="NAME=DIR", help="a folder of predictions"
    )
    comparing.add_argument("--timed", type=int, default=0, metavar="N", help="read N pictures anew for time")
    comparing.add_argument("--cache", type=Path, default=DEFAULT_FOLDER, metavar="DIR", help="of readings")
    comparing.add_argument("--other-cache", type=Path, metavar="DIR", help="of other readers' output")
    comparing.add_argument("--report", type=Path, help="write the tables as Markdown, the plots beside it")
    comparing.add_argument("--json", type=Path, help="write the tables as JSON")
    comparing.set_defaults(title="Comparison")

    showing = _command(commands, "show", _show, "print the text, the truth and the Result of samples")
    showing.add_argument("ids", nargs="+", metavar="ID")
    showing.add_argument("--no-region", action="store_true", help="do not pass the labelled region")
    _reading_options(showing)

    gating = _command(commands, "gate", _gate, "fail when a fixed sample scores below the baseline")
    gating.add_argument("--baseline", type=Path, default=gate.BASELINE)
    gating.add_argument("--update", action="store_true", help="write the baseline instead")
    _reading_options(gating, cached=False)

    timing = _command(commands, "speed", _speed, "time the engine against rapidocr, in turns")
    timing.add_argument("--sets", help="names of data sets, with commas; all by default")
    timing.add_argument("--limit", type=int, default=4, help="pictures of each data set")
    timing.add_argument("--report", type=Path, help="write the tables as Markdown")
    timing.add_argument("--json", type=Path, help="write the tables as JSON")
    timing.set_defaults(title="Speed")

    spelling = _command(commands, "strings", _strings, "read printed dates and amounts, and refuse others")
    spelling.add_argument("--report", type=Path, help="write the table as Markdown")
    spelling.add_argument("--json", type=Path, help="write the table as JSON")
    spelling.set_defaults(title="Strings")

    copying = _command(commands, "copied", _copied, "list the lines of the project that copy one of the data")
    copying.add_argument("--project", type=Path, default=Path(), metavar="DIR", help="the project's folder")
    copying.add_argument(
        "--cache", type=Path, metavar="DIR", help="also compare what was read from the pictures, kept here"
    )
    return parser


def _command(
    commands: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    function: Callable[[argparse.Namespace], int],
    description: str,
) -> argparse.ArgumentParser:
    parser = commands.add_parser(name, help=description, description=description.capitalize() + ".")
    parser.set_defaults(command=function)
    help_text = "a folder with labels.jsonl, or one that holds such folders; may be repeated"
    parser.add_argument("--data", type=Path, action="append", required=True, metavar="DIR", help=help_text)
    return parser


def _reading_options(parser: argparse.ArgumentParser, *, cached: bool = True) -> None:
    default = DEFAULT_FOLDER if cached else None
    parser.add_argument("--cache", type=Path, default=default, metavar="DIR", help="where readings are kept")
    parser.add_argument("--refresh", action="store_true", help="read again what the cache has")
    parser.add_argument("--retry", action="store_true", help="read again what could not be read")
    parser.add_argument("--workers", type=int, default=min(2, machine.cores()), help="processes")


def _setup(options: argparse.Namespace) -> Setup:
    return Setup(
        cache=options.cache,
        refresh=options.refresh,
        retry=options.retry,
        use_region=not getattr(options, "no_region", False),
        workers=options.workers,
    )


def _names(listed: str | None) -> list[str] | None:
    return None if listed is None else [name.strip() for name in listed.split(",") if name.strip()]


def _run(options: argparse.Namespace) -> int:
    wanted = list(PROTOCOLS) if options.protocols == "all" else _names(options.protocols) or []
    unknown = [name for name in wanted if name not in PROTOCOLS]
    if unknown:
        print(f"There is no protocol {unknown[0]}; there are: {', '.join(PROTOCOLS)}.", file=sys.stderr)
        return 2
    samples = load(options.data, _names(options.sets), limit=options.limit)
    setup = _setup(options)
    facts = machine.facts()
    outcomes = run(samples, setup)
    study = Study(outcomes, lambda: _again(samples, setup))
    tables = [table for name in wanted for table in PROTOCOLS[name](study)]
    failed = failures(outcomes)
    tables.append(failure_list.summary_table(failed))
    facts |= machine.changed_since(facts) | report.health(outcomes)
    facts["region"] = "given where it is labelled" if setup.use_region else "not given"
    print(report.text(facts, tables))
    _write(options, facts, tables)
    if options.report and "selective" in wanted:
        _draw_reliability(options.report, outcomes)
    if options.errors:
        options.errors.write_text(failure_list.write(failed), encoding="utf-8")
    return 0


def _draw_reliability(written: Path, outcomes: list[Outcome]) -> None:
    picture = written.with_suffix(".svg")
    picture.write_text(reliability_chart.draw(selective.curves(outcomes)), encoding="utf-8")
    with written.open("a", encoding="utf-8") as file:
        file.write(f"\n![Stated confidence against share right, all data sets]({picture.name})\n")


def _again(samples: list[Sample], setup: Setup) -> list[Outcome]:
    """Runs the same samples without their region hint; images just read come from the cache."""
    return run(samples, replace(setup, use_region=False, refresh=False, retry=False))


def _write(options: argparse.Namespace, facts: dict[str, str], tables: list[Table]) -> None:
    title = getattr(options, "title", "Benchmark")
    if options.report:
        options.report.write_text(report.markdown(title, facts, tables), encoding="utf-8")
    if options.json:
        options.json.write_text(report.to_json(facts, tables), encoding="utf-8")


def _read(options: argparse.Namespace) -> int:
    samples = load(options.data, _names(options.sets), unlabelled=options.unlabelled)
    outcomes = run(samples, replace(_setup(options), interpret=False))
    print("\n".join(f"{key}: {value}" for key, value in report.health(outcomes).items()))
    return 0


def _show(options: argparse.Namespace) -> int:
    samples = {sample.id: sample for sample in load(options.data, unlabelled=True)}
    missing = [identifier for identifier in options.ids if identifier not in samples]
    if missing:
        close = [known for known in samples if missing[0] in known][:8]
        hint = f" Did you mean: {', '.join(close)}?" if close else ""
        print(f"There is no sample {missing[0]}.{hint}", file=sys.stderr)
        return 2
    for outcome in run([samples[identifier] for identifier in options.ids], _setup(options)):
        print(describe(outcome))
    return 0


def _compare(options: argparse.Namespace) -> int:
    names = systems.parsed(options.systems)
    folders = {name: Path(folder) for name, _, folder in (p.partition("=") for p in options.predictions)}
    samples = _thinned(load(options.data, _names(options.sets)), options.every)
    other = options.other_cache or options.cache.parent
    caches = {"engine": options.cache, "tesseract": other / "tesseract", "rapidocr": other / "rapidocr"}
    facts = machine.facts()
    compared = systems.compare(names, folders, samples, caches, timed=options.timed)
    if not compared:
        print("Name a system with --systems, or a folder with --predictions.", file=sys.stderr)
        return 2
    found = tables.tables(compared)
    facts |= machine.changed_since(facts) | {"pictures": str(len(samples))}
    print(report.text(facts, found))
    _write(options, facts, found)
    if options.report:
        for name, picture in charts.charts(compared).items():
            path = options.report.with_name(f"{options.report.stem}-{name}")
            path.write_text(picture, encoding="utf-8")
    return 0


def _thinned(samples: list[Sample], every: list[str]) -> list[Sample]:
    """Keeps every Nth sample, starting with the first, of each data set named in `every` ("SET=N")."""
    steps: dict[str, int] = {}
    for name, _, step in (choice.partition("=") for choice in every):
        if not step.isdigit() or int(step) < 1:
            raise LabelError(f"--every takes SET=N, as in sroie=4, not {name}={step}.")
        steps[name] = int(step)
    seen: dict[str, int] = {}
    kept = []
    for sample in samples:
        at = seen[sample.dataset] = seen.get(sample.dataset, -1) + 1
        if at % steps.get(sample.dataset, 1) == 0:
            kept.append(sample)
    return kept


def _gate(options: argparse.Namespace) -> int:
    facts = machine.facts()
    outcomes = run(gate.draw(load(options.data)), _setup(options))
    scores, sizes = gate.score(outcomes)
    changed = machine.changed_since(facts)
    facts |= changed | report.health(outcomes)
    print("\n".join(f"{key}: {value}" for key, value in facts.items()))
    crashes = [
        f"{o.sample.id} crashed: {o.error[0]}: {o.error[1]}"
        for o in outcomes
        if o.error and not o.expected_error
    ]
    if options.update and changed:
        print("The code changed during the run; no baseline was written. Run again.", file=sys.stderr)
        return 2
    if options.update:
        gate.write_baseline(options.baseline, scores)
        print(f"wrote {options.baseline}")
        return 1 if crashes else 0
    if not options.baseline.is_file():
        print(f"{options.baseline} does not exist; write it with --update.", file=sys.stderr)
        return 2
    problems = [*crashes, *map(str, gate.falls(gate.read_baseline(options.baseline), scores, sizes))]
    print("\n".join(problems) if problems else "no score fell")
    return 1 if problems else 0


def _strings(options: argparse.Namespace) -> int:
    readings = [
        reading
        for folder in options.data
        for reading in strings.read_folder(folder, strings.product_parsers(), region_codes())
    ]
    tables = strings.measure(readings)
    facts = machine.facts()
    print(report.text(facts, [*tables, strings.wrong(readings)]))
    _write(options, facts, tables)
    return 0


def _copied(options: argparse.Namespace) -> int:
    texts = [labelled for folder in options.data for labelled in copied.labelled_texts(folder)]
    if options.cache:
        texts += copied.read_texts(options.data, options.cache)
    found = copied.copies(options.project, copied.Originals(texts))
    print("\n".join([*map(str, found), f"{len(found)} lines of the project copy one of the data"]))
    return 1 if found else 0


def _speed(options: argparse.Namespace) -> int:
    samples = load(options.data, _names(options.sets), unlabelled=True)
    drawn = gate.draw(samples, {sample.dataset: options.limit for sample in samples})
    facts = machine.facts()
    tables = speed.measure([sample.image for sample in drawn])
    facts |= machine.changed_since(facts)
    print(report.text(facts, tables))
    _write(options, facts, tables)
    return 0
