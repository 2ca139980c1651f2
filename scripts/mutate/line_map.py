"""Records which test runs which line of the stages, and its duration: measured once, stored in build/."""

from __future__ import annotations

import ast
import json
import sys
import time
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scripts.mutate.mutant import ROOT, Mutant

if TYPE_CHECKING:
    from coverage import CoverageData

TARGET = ROOT / "build" / "mutation" / "tests.json"
#: Tests that need neither a server nor labelled receipts.
TESTS = (
    *("tests/unit/stages", "tests/golden", "tests/property", "tests/matrix"),
    *("tests/regions/test_examples.py", "tests/unit/test_evidence.py"),
    *("tests/images/test_decode.py", "tests/images/test_formats.py"),
    *("tests/images/test_damaged.py", "tests/images/test_pdf.py"),
)

#: Of these, the tests from rows to a Result.
WHOLE = ("tests/golden", "tests/matrix", "tests/unit/test_evidence.py")


#: Prefix of tests that cover several stages together.
SEVERAL = "tests/unit/stages/test_"


class LineMap:
    """lines: file → line → tests; seconds: test → duration of its call."""

    def __init__(self, lines: dict[str, dict[int, list[str]]], seconds: dict[str, float]) -> None:
        self._lines = lines
        self.seconds = seconds

    @classmethod
    def load(cls) -> LineMap:
        """Loads the map; raises SystemExit where none was made."""
        if not TARGET.exists():
            raise SystemExit("No test map: run `python -m scripts.mutate map` first.")
        kept = json.loads(TARGET.read_text(encoding="utf-8"))
        names = kept["tests"]
        lines = {
            path: {int(line): [names[i] for i in tests] for line, tests in of_file.items()}
            for path, of_file in kept["lines"].items()
        }
        return cls(lines, dict(zip(names, kept["seconds"], strict=True)))

    def add(self, data: CoverageData, seconds: dict[str, float]) -> None:
        """Adds measured tests, replacing earlier data of the same tests."""
        for of_file in self._lines.values():
            for line, tests in of_file.items():
                of_file[line] = [test for test in tests if test not in seconds]
        self.seconds.update(seconds)
        for file in sorted(data.measured_files()):
            of_file = self._lines.setdefault(Path(file).relative_to(ROOT).as_posix(), {})
            for line, contexts in data.contexts_by_lineno(file).items():
                of_file.setdefault(line, []).extend(sorted(seconds.keys() & set(contexts)))

    def save(self) -> None:
        """Writes the map, with each test's name stored once."""
        names = sorted(self.seconds)
        numbers = {name: number for number, name in enumerate(names)}
        lines = {
            path: {line: [numbers[test] for test in tests] for line, tests in of_file.items()}
            for path, of_file in self._lines.items()
        }
        seconds = [round(self.seconds[name], 4) for name in names]
        TARGET.parent.mkdir(parents=True, exist_ok=True)
        TARGET.write_text(json.dumps({"tests": names, "seconds": seconds, "lines": lines}), encoding="utf-8")

    def tests_of(self, mutant: Mutant, budget: float) -> list[str]:
        """Tests that run the changed lines, and all others in their files within the mutant's test folder.
        That folder comes first, then the stage's tests, then those of whole receipts, then the rest, each by
        duration; up to `budget` seconds in all, but always all tests of the folder."""
        tests = {test for line in self._lines_of(mutant) for test in self._at(mutant.path, line)}
        near = {test.partition("::")[0] for test in tests if test.startswith(mutant.room)}
        tests |= {test for test in self.seconds if test.partition("::")[0] in near}
        chosen = []
        for test in sorted(tests, key=lambda test: (self._place(mutant, test), self.seconds[test])):
            budget -= self.seconds[test]
            if budget > 0 or test.startswith(mutant.room):
                chosen.append(test)
        return chosen

    def _place(self, mutant: Mutant, test: str) -> int:
        nearest: tuple[str | tuple[str, ...], ...] = (mutant.room, (mutant.stage, SEVERAL), WHOLE)
        return next((place for place, prefix in enumerate(nearest) if test.startswith(prefix)), len(nearest))

    def _at(self, path: str, line: int) -> list[str]:
        return self._lines.get(path, {}).get(line, [])

    def _lines_of(self, mutant: Mutant) -> Iterator[int]:
        """A module constant matters where its name is read, or anywhere if only other modules read it."""
        if not mutant.name:
            yield from range(mutant.first, mutant.last + 1)
            return
        uses = list(_uses(ast.parse(mutant.before), mutant.name))
        yield from uses or self._lines.get(mutant.path, {})


def _uses(tree: ast.Module, name: str) -> Iterator[int]:
    """Lines of functions that read a module-level name, directly or through other such names."""
    names = {name}
    for statement in tree.body:
        if isinstance(statement, ast.Assign | ast.AnnAssign) and statement.value is not None:
            target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
            if _reads(statement.value, names):
                names.add(ast.unparse(target))
    for statement in tree.body:
        if not isinstance(statement, ast.Assign | ast.AnnAssign):
            yield from (n.lineno for n in ast.walk(statement) if isinstance(n, ast.Name) and n.id in names)


def _reads(node: ast.AST, names: set[str]) -> bool:
    return any(isinstance(n, ast.Name) and n.id in names for n in ast.walk(node))


class _Watch:
    """A pytest plugin that records the lines run by each test under the test's name."""

    def __init__(self, switch: Callable[[str], object]) -> None:
        self.switch = switch
        self.file = ""
        self.seconds: dict[str, float] = {}

    @cached_property
    def _caches(self) -> list[Any]:
        """Caches of the stages; cleared per test file, so that one test of each file runs the cached code."""
        modules = [m for name, m in sys.modules.items() if name.startswith("receipt_engine.stages")]
        return [v for m in modules for v in vars(m).values() if hasattr(v, "cache_clear")]

    def pytest_runtest_protocol(self, item: Any) -> None:
        file = item.nodeid.partition("::")[0]
        if file != self.file:
            self.file = file
            for cache in self._caches:
                cache.cache_clear()
        self.switch(item.nodeid)

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.when == "call":
            self.seconds[report.nodeid] = report.duration


def make_map(tests: list[str], add: bool) -> int:
    """Runs the tests under coverage and writes the map, or adds them to it; returns pytest's exit status."""
    import coverage
    import pytest

    started = time.monotonic()
    watching = coverage.Coverage(data_file=None, source=[str(ROOT / "receipt_engine" / "stages")])
    watching.start()
    watch = _Watch(watching.switch_context)
    status = int(pytest.main(["-q", "-p", "no:cacheprovider", *tests], plugins=[watch]))
    watching.stop()
    known = LineMap.load() if add else LineMap({}, {})
    known.add(watching.get_data(), watch.seconds)
    known.save()
    print(f"{len(watch.seconds)} tests, {time.monotonic() - started:.0f} s")
    return status
