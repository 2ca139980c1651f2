"""Records the output of each stage and the time it took."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Step:
    """One stage's output, and its wall time in milliseconds."""

    stage: str
    value: Any
    milliseconds: float


@dataclass(slots=True)
class Trace:
    """The steps of one extraction, in order. Without `keep`, only times are recorded.

    before_step: called before each step; an exception that it raises ends the extraction there.
    """

    keep: bool = True
    before_step: Callable[[], None] | None = None
    steps: list[Step] = field(default_factory=list)

    def run(self, stage: str, function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        """Calls function(*args, **kwargs), records it as `stage` and returns its value."""
        self.check()
        start = time.perf_counter()
        value = function(*args, **kwargs)
        elapsed = (time.perf_counter() - start) * 1000
        self.steps.append(Step(stage, value if self.keep else None, elapsed))
        return value

    def check(self) -> None:
        """Ends the extraction if it is to be stopped; called within long steps."""
        if self.before_step is not None:
            self.before_step()

    def quiet(self) -> Trace:
        """A trace for work outside the pipeline's own steps: stops when this one stops, and keeps nothing."""
        return Trace(keep=False, before_step=self.before_step)

    def times(self, start: int = 0) -> str:
        """The times of the steps from number `start` on, for a log; nothing of their output."""
        return ", ".join(f"{step.stage} {step.milliseconds:.0f} ms" for step in self.steps[start:])

    def __getitem__(self, stage: str) -> Any:
        """The output of a stage; raises KeyError for a stage that did not run."""
        for step in self.steps:
            if step.stage == stage:
                return step.value
        raise KeyError(stage)
