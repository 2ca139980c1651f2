"""Reports the outcomes of mutants as Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from scripts.mutate.trial import Outcome, Trial


def mutants_report(
    trials: Sequence[Trial], rooms: Sequence[str], seed: int, every: int, commit: str
) -> tuple[str, float]:
    """The page, and the share of mutants noticed."""
    killed = sum(trial.outcome is Outcome.KILLED for trial in trials)
    share = killed / len(trials)
    head = (
        f"{len(trials)} of {every} mutants of {', '.join(rooms)}, seed {seed}, commit {commit}: "
        f"{killed} noticed, {share:.1%}."
    )
    return "\n".join([head, "", *map(_told, trials)]) + "\n", share


def constants_report(trials: Sequence[Trial], seed: int, every: int, commit: str) -> tuple[str, float]:
    """The same for constants, doubled and halved alternately; the share is that of all changes."""
    killed = [trial.outcome is Outcome.KILLED for trial in trials]
    pairs = list(zip(killed[::2], killed[1::2], strict=True))
    share = sum(killed) / len(killed)
    head = (
        f"{len(pairs)} of {every} constants, seed {seed}, commit {commit}: of {len(killed)} changes "
        f"{sum(killed)} noticed, {share:.1%}; {sum(map(any, pairs))} constants noticed when doubled or "
        f"halved, {sum(map(all, pairs))} both ways."
    )
    return "\n".join([head, "", *map(_told, trials)]) + "\n", share


def _told(trial: Trial) -> str:
    mutant = trial.mutant
    head = f"- {trial.outcome.value}: `{mutant.path}:{mutant.first}`, {mutant.kind}"
    if trial.outcome is Outcome.KILLED:
        return head
    return f"{head}, {trial.tests} tests\n\n  ```diff\n" + _indented(mutant.diff()) + "\n  ```\n"


def _indented(text: str) -> str:
    return "\n".join("  " + line for line in text.splitlines())
