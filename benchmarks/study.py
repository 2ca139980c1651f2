"""Defines the input of protocols: the outcomes of one run, and a way to run again without regions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from benchmarks.outcome import Outcome

#: Name of the row over all data sets.
POOLED = "all"


@dataclass(frozen=True, slots=True)
class Study:
    """outcomes: one per sample. without_region: the same samples interpreted without their region."""

    outcomes: Sequence[Outcome]
    without_region: Callable[[], Sequence[Outcome]]

    def by_dataset(self, *, pooled: bool = False) -> dict[str, list[Outcome]]:
        """Outcomes by data set, in order of appearance; with `pooled`, all of them under "all" as well."""
        grouped: dict[str, list[Outcome]] = {}
        for outcome in self.outcomes:
            grouped.setdefault(outcome.sample.dataset, []).append(outcome)
        if pooled and len(grouped) > 1:
            grouped[POOLED] = list(self.outcomes)
        return grouped
