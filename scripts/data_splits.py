"""Which receipts must stand on one side of a split, so that a fit is tested on receipts it has not seen."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchmarks.datasets import Sample
from benchmarks.scoring.text import letters

#: Letters that tell one merchant from another.
_TELLING = 10


def data_set(sample: Sample) -> str:
    """The data set; its clean and photographed halves hold the same receipts and are one."""
    return sample.dataset.partition("-")[0]


def merchant(sample: Sample) -> str:
    """Who sold, by the labelled name; receipts without one are merchants of their own."""
    label = sample.fields.get("establishment")
    return (
        letters(str(label.accepted[0]))[:_TELLING] if label is not None else f"{data_set(sample)} {sample.id}"
    )


def folds(samples: Sequence[Sample], count: int) -> list[int]:
    """A fold, 0 to count - 1, for each sample; all receipts of a merchant are in one.

    So are two pictures of one receipt, also where the name is labelled on one of them only: they have the id
    and the data set in common.
    """
    root: dict[str, str] = {}

    def find(key: str) -> str:
        while root.setdefault(key, key) != key:
            key = root[key]
        return key

    for sample in samples:
        one, other = sorted((find(merchant(sample)), find(f"{data_set(sample)} {sample.id}")))
        root[other] = one
    groups = sorted({find(merchant(sample)) for sample in samples})
    drawn = (np.random.default_rng(0).permutation(len(groups)) % count).tolist()
    fold = dict(zip(groups, drawn, strict=True))
    return [fold[find(merchant(sample))] for sample in samples]
