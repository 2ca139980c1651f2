"""Tries one mutant: a child process imports the package with the change and runs tests until one fails."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import os
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from scripts.mutate.mutant import ROOT, Mutant

#: Imported once, before forking; nothing of the package, and no onnxruntime, because a child would wait for
#: its threads, which do not survive the fork.
_OTHERS = ("numpy", "cv2", "hypothesis", "pytest", "msgspec", "phonenumbers", "rapidfuzz", "PIL.Image")
#: A child counts as hanging after this multiple of its tests' duration plus this many seconds.
_SLOWER, _BESIDE = 6.0, 60.0


class Outcome(Enum):
    KILLED = "killed"
    SURVIVED = "survived"
    UNREACHED = "no test runs it"


@dataclass(frozen=True)
class Trial:
    """tests: number of tests run; by: the test that failed, or why the child ended."""

    mutant: Mutant
    outcome: Outcome
    tests: int
    by: str
    seconds: float


def warm_up() -> None:
    """Imports the modules that all children need."""
    for name in _OTHERS:
        importlib.import_module(name)
    loaded = [name for name in sys.modules if name.startswith("receipt_engine")]
    assert not loaded, f"imported before the change: {loaded}"


def attempt(mutant: Mutant, tests: Sequence[str], seconds: float) -> Trial:
    """Runs tests, which take `seconds` without the change, in a child process."""
    if not tests:
        return Trial(mutant, Outcome.UNREACHED, 0, "", 0.0)
    started = time.monotonic()
    told, tell = os.pipe()
    child = os.fork()
    if not child:
        os.close(told)
        os.setsid()
        os._exit(_run(mutant, tests, tell))
    os.close(tell)
    status = _wait(child, started + _SLOWER * seconds + _BESIDE)
    with os.fdopen(told, encoding="utf-8") as pipe:
        by = pipe.read()
    took = time.monotonic() - started
    if status is None:
        return Trial(mutant, Outcome.KILLED, len(tests), "it hangs", took)
    if status > 0 and not by:
        raise RuntimeError(f"pytest ended with {status}, and no test failed: {mutant.path}:{mutant.first}")
    outcome = Outcome.SURVIVED if status == 0 else Outcome.KILLED
    return Trial(mutant, outcome, len(tests), by or f"signal {-status}" * bool(status), took)


def _wait(child: int, until: float) -> int | None:
    """The exit status of a child; None where it had to be killed."""
    while time.monotonic() < until:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.05)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


def _run(mutant: Mutant, tests: Sequence[str], tell: int) -> int:
    """Runs the tests in the child; returns pytest's exit status."""
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    os.environ["CI"] = "1"  # hypothesis draws the same cases each time
    sys.dont_write_bytecode = True
    sys.meta_path.insert(0, _Changed(mutant))
    import pytest

    files = list(dict.fromkeys(test.partition("::")[0] for test in tests))
    options = ["-q", "-x", "-p", "no:cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning"]
    return int(pytest.main([*options, *files], plugins=[_Chosen(tests, tell)]))


class _Changed(importlib.abc.MetaPathFinder):
    """Finds the changed module before the checkout's file is found."""

    def __init__(self, mutant: Mutant) -> None:
        self.mutant = mutant

    def find_spec(self, name: str, path: Any, target: ModuleType | None = None) -> ModuleSpec | None:
        if name != self.mutant.module:
            return None
        file = str(ROOT / self.mutant.path)
        package = [str(Path(file).parent)] if file.endswith("__init__.py") else None
        loader = _ChangedLoader(name, file, self.mutant.after)
        return importlib.util.spec_from_file_location(
            name, file, loader=loader, submodule_search_locations=package
        )


class _ChangedLoader(SourceFileLoader):
    def __init__(self, name: str, file: str, source: str) -> None:
        super().__init__(name, file)
        self.changed = source

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.changed, self.path, "exec", dont_inherit=True)


class _Chosen:
    """A pytest plugin that runs only the chosen tests, in their order, and reports the one that failed."""

    def __init__(self, tests: Sequence[str], tell: int) -> None:
        self.places = {test: place for place, test in enumerate(tests)}
        self.tell = tell

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        items[:] = sorted(
            (item for item in items if item.nodeid in self.places), key=lambda item: self.places[item.nodeid]
        )

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            os.write(self.tell, report.nodeid.encode())

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            os.write(self.tell, f"collecting {report.nodeid}".encode())
