"""What each stage made and how long it took."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Step:
    """One stage's value, and its wall time in milliseconds."""

    stage: str
    value: Any
    milliseconds: float


@dataclass(slots=True)
class Trace:
    """The steps of one extraction, in order. Without `keep`, only times are recorded."""

    keep: bool = True
    steps: list[Step] = field(default_factory=list)

    def run(self, stage: str, function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
        """function(*args, **kwargs), recorded as `stage`."""
        start = time.perf_counter()
        value = function(*args, **kwargs)
        elapsed = (time.perf_counter() - start) * 1000
        self.steps.append(Step(stage, value if self.keep else None, elapsed))
        return value

    def __getitem__(self, stage: str) -> Any:
        """The value that a stage made; raises KeyError for a stage that did not run."""
        for step in self.steps:
            if step.stage == stage:
                return step.value
        raise KeyError(stage)
