"""Runs python -m scripts.mutate map|count|code|constants: see the package."""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from scripts.mutate.code import code_mutants
from scripts.mutate.constants import constants
from scripts.mutate.line_map import TESTS, LineMap, make_map
from scripts.mutate.mutant import ROOT, Mutant
from scripts.mutate.report import constants_report, mutants_report
from scripts.mutate.trial import Trial, attempt, warm_up

ROOMS = ["reconcile", "assemble", "parse"]


def main() -> int:
    """Returns the exit status: 1 where the share of noticed mutants is below --floor."""
    asked = _arguments()
    if asked.what == "map":
        os.environ["CI"] = "1"
        return make_map(asked.names or list(TESTS), add=bool(asked.names))
    if asked.what == "count":
        found = constants(asked.names)
        named = sum(1 for constant in found if constant.name)
        print(f"{named} named numeric constants, {len(found) - named} floats within functions")
        return 0
    draw = random.Random(asked.seed)
    if asked.what == "code":
        rooms = asked.names or ROOMS
        every = code_mutants(rooms)
        drawn = sorted(draw.sample(every, min(asked.count, len(every))), key=lambda m: (m.path, m.start))
        trials = list(_try(drawn, asked.seconds))
        text, share = mutants_report(trials, rooms, asked.seed, len(every), _commit())
    else:
        choices = [constant for constant in constants(asked.names) if constant.changeable]
        chosen = draw.sample(choices, min(asked.count, len(choices)))
        pairs = [constant.mutants(draw.choice(constant.changeable)) for constant in chosen]
        trials = list(_try([mutant for pair in pairs for mutant in pair], asked.seconds))
        text, share = constants_report(trials, asked.seed, len(choices), _commit())
    if asked.out:
        asked.out.write_text(text, encoding="utf-8")
    print(text)
    return int(share < asked.floor)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m scripts.mutate")
    parser.add_argument("what", choices=("map", "count", "code", "constants"))
    parser.add_argument("names", nargs="*", help="rooms of the stages; tests for the map")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=40.0, help="of tests for each mutant, at most")
    parser.add_argument("--floor", type=float, default=0.0, help="share that must be noticed, 0 to 1")
    parser.add_argument("--out", type=Path, help="a file for the report")
    return parser.parse_args()


def _try(mutants: list[Mutant], budget: float) -> Iterator[Trial]:
    known = LineMap.load()
    warm_up()
    for number, mutant in enumerate(mutants, 1):
        tests = known.tests_of(mutant, budget)
        trial = attempt(mutant, tests, sum(known.seconds[test] for test in tests))
        said = f"{number}/{len(mutants)} {trial.outcome.value} {mutant.path}:{mutant.first} {mutant.kind}"
        print(f"{said} {trial.seconds:.0f} s, {trial.tests} tests, {trial.by}", file=sys.stderr, flush=True)
        yield trial


def _commit() -> str:
    command = ["git", "-C", str(ROOT), "describe", "--always", "--dirty"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


if __name__ == "__main__":
    sys.exit(main())
