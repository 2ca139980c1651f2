"""Finds labelled folders and reads each with its adapter."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

from benchmarks.datasets import (
    de_softmatic,
    folder,
    lv,
    misc,
    regions,
    srd,
    sroie,
    trainingdata20,
    wildreceipt,
)
from benchmarks.datasets.rows import LABELS, LabelError
from benchmarks.datasets.sample import ItemLabel, Label, Sample, SummaryLabel, Value

__all__ = [
    "ItemLabel",
    "Label",
    "LabelError",
    "Sample",
    "SummaryLabel",
    "Value",
    "faulty_labels",
    "find",
    "load",
]

Adapter = Callable[[Path], Iterator[Sample]]

#: Folder name → adapter, in the order of the report. Other folders get `folder.samples`.
ADAPTERS: dict[str, Adapter] = {
    "sroie": sroie.samples,
    "wildreceipt": wildreceipt.samples,
    "srd": srd.samples,
    "lv": lv.samples,
    "de_softmatic": de_softmatic.samples,
    "trainingdata20": trainingdata20.samples,
    "misc": misc.samples,
    "regions": regions.samples,
}


def find(roots: Iterable[Path]) -> dict[str, Path]:
    """Labelled folders by name: each root that is one itself, and those directly inside each root.

    Raises LabelError when a root holds none, or two folders have one name.
    """
    found: dict[str, Path] = {}
    for root in roots:
        inside = [
            path.parent for path in (root / LABELS, *sorted(root.glob(f"*/{LABELS}"))) if path.is_file()
        ]
        if not inside:
            raise LabelError(f"{root} holds no folder with a {LABELS}; pass --data DIR.")
        for path in inside:
            name = path.resolve().name
            if found.get(name, path) != path:
                raise LabelError(f"Two folders are called {name}: {found[name]} and {path}; rename one.")
            found[name] = path
    known = [name for name in ADAPTERS if name in found]
    return {name: found[name] for name in [*known, *sorted(set(found) - set(known))]}


def load(
    roots: Iterable[Path],
    sets: Sequence[str] | None = None,
    *,
    limit: int | None = None,
    unlabelled: bool = False,
) -> list[Sample]:
    """The samples below `roots`, in a fixed order.

    sets: names of folders or of report rows ("regions", "regions-photo"); all when None.
    limit: maximum number of samples per report row. unlabelled: also include images without any label.
    """
    folders = find(roots)
    samples: list[Sample] = []
    for name, path in folders.items():
        read = ADAPTERS.get(name, folder.samples)
        samples += [sample for sample in read(path.resolve()) if sample.labelled or unlabelled]
    if sets is not None:
        samples = _chosen(samples, sets, folders)
    return samples if limit is None else _first(samples, limit)


@cache
def faulty_labels() -> frozenset[tuple[str, str]]:
    """(id, field) of the labels that their image contradicts; see `faulty_labels.txt`."""
    rows = Path(__file__).with_name("faulty_labels.txt").read_text("utf-8").splitlines()
    return frozenset((row.split()[0], row.split()[1]) for row in rows if not row.startswith("#"))


def _chosen(samples: list[Sample], sets: Sequence[str], folders: dict[str, Path]) -> list[Sample]:
    rows = list(dict.fromkeys(sample.dataset for sample in samples))
    wanted: set[str] = set()
    for name in sets:
        matching = [row for row in rows if row == name or (name in folders and row.startswith(f"{name}-"))]
        if not matching:
            raise LabelError(f"There is no data set {name}; there are: {', '.join(rows)}.")
        wanted.update(matching)
    return [sample for sample in samples if sample.dataset in wanted]


def _first(samples: list[Sample], limit: int) -> list[Sample]:
    seen: dict[str, int] = {}
    kept: list[Sample] = []
    for sample in samples:
        seen[sample.dataset] = seen.get(sample.dataset, 0) + 1
        if seen[sample.dataset] <= limit:
            kept.append(sample)
    return kept
