"""Writes model cards (Mitchell et al. 2019), `docs/models/*.md`, one for each fitted model, from its fit."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CARDS = ROOT / "docs" / "models"
#: Decimals of a weight.
_DECIMALS = 3


@dataclass(frozen=True, slots=True)
class LeftOut:
    """One data set: the number of its observations in the fit, and the results of a fit without it.

    results: in the order of the card's `measures`, as printed; empty when it was not tried.
    """

    observations: int
    results: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Card:
    """The content of a model card.

    name: also names its page; file: the weights' file; gives: the model's output and input; script: the one
    that fits it; observation: describes one. penalties: regularisation of the weights. measures: of the
    data sets left out. weights: feature → weight, including the bias.
    """

    name: str
    title: str
    file: str
    gives: str
    script: str
    observation: str
    penalties: str
    measures: tuple[str, ...]
    data_sets: Mapping[str, LeftOut]
    weights: Mapping[str, float]
    notes: Sequence[str] = ()


def write(card: Card) -> Path:
    """Writes the card's page; returns its path."""
    CARDS.mkdir(exist_ok=True)
    path = CARDS / f"{card.name}.md"
    path.write_text(page(card, commit()), encoding="utf-8")
    return path


def page(card: Card, fitted_at: str) -> str:
    """The card as Markdown. fitted_at: the commit whose code computed the features."""
    counted = {name: weight for name, weight in card.weights.items() if weight}
    observations = sum(one.observations for one in card.data_sets.values())
    lines = [
        f"# {card.title}",
        "",
        f"<!-- Written by {card.script}. -->",
        card.gives,
        "",
        "| | |",
        "|---|---|",
        f"| weights | `models/{card.file}`: {len(card.weights)}, of which {len(counted)} are not zero |",
        f"| fitted by | `python -m {card.script}`, or all models by `python -m scripts.refit` |",
        f"| one observation | {card.observation} |",
        f"| observations | {observations} |",
        f"| penalties | {card.penalties} |",
        f"| code | {fitted_at} |",
        "",
        *(line for note in card.notes for line in (note, "")),
        "## Data, and each data set left out",
        "",
        "The last columns are from a fit without that data set; clean and photographed pictures of the same",
        "receipts count as one data set.",
        "",
        _row("data set", "observations", *card.measures),
        _row(*("---" for _ in range(2 + len(card.measures)))),
    ]
    for name, one in sorted(card.data_sets.items()):
        lines.append(_row(name, str(one.observations), *(one.results or ("–",) * len(card.measures))))
    lines += ["", "## Weights", "", _row("feature", "weight"), _row("---", "---")]
    order = sorted(card.weights.items(), key=lambda entry: (-abs(entry[1]), entry[0]))
    lines += [_row(f"`{name}`", f"{weight:.{_DECIMALS}f}") for name, weight in order]
    return "\n".join(lines) + "\n"


def commit() -> str:
    """The commit that is checked out, and whether files were changed since."""
    head = _git("rev-parse", "--short=10", "HEAD")
    changed = _git("status", "--porcelain", "--", "receipt_engine", "regions", "scripts", "benchmarks")
    return f"`{head}`" + (" with changes" if changed else "")


def _git(*arguments: str) -> str:
    return subprocess.run(
        ("git", *arguments), cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.strip()


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"
