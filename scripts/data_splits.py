"""Keeps related receipts on one side of a split, so that a fit is tested on receipts it has not seen."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from benchmarks.datasets import Sample
from benchmarks.scoring.text import letters

#: Number of leading letters and digits of the name that identify a merchant.
_TELLING = 10


def data_set(sample: Sample) -> str:
    """The data set; its clean and photographed halves hold the same receipts and count as one."""
    return sample.dataset.partition("-")[0]


def merchant(sample: Sample) -> str:
    """The merchant's key, from the labelled name; a receipt without one is a merchant of its own."""
    label = sample.fields.get("establishment")
    return (
        letters(str(label.accepted[0]))[:_TELLING] if label is not None else f"{data_set(sample)} {sample.id}"
    )


def folds(samples: Sequence[Sample], count: int) -> list[int]:
    """A fold, 0 to count - 1, for each sample; all receipts of a merchant are in the same fold.

    So are two images of one receipt, even if the name is labelled on only one: they share id and data set.
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
