"""The median of weighted numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def weighted_median(values: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    """The smallest value up to which the sorted values have half of all weight."""
    order = np.argsort(values, kind="stable")
    cumulated = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(cumulated, cumulated[-1] / 2)])
