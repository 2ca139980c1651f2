"""Reproducible randomness: the same key gives the same samples on every machine and Python version."""

from __future__ import annotations

import random
import re
import string
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import TypeVar

T = TypeVar("T")

_DRAWN = {
    "#": string.digits,
    "@": string.ascii_uppercase,
    "%": string.digits + "ABCDEF",
    "~": string.digits + string.ascii_uppercase,
}


class Dice:
    """Random choices seeded by a key of any printable parts."""

    def __init__(self, *key: object) -> None:
        self._random = random.Random("|".join(map(str, key)))

    def chance(self, probability: float) -> bool:
        """True with that probability."""
        return self._random.random() < probability

    def pick(self, choices: Sequence[T]) -> T:
        """One of a non-empty sequence."""
        return choices[self._random.randrange(len(choices))]

    def weighted(self, weights: Mapping[T, float]) -> T:
        """A key, by weight."""
        keys = list(weights)
        return self._random.choices(keys, [weights[key] for key in keys])[0]

    def several(self, choices: Sequence[T], count: int) -> list[T]:
        """Up to `count` different elements, in random order."""
        return self._random.sample(list(choices), min(count, len(choices)))

    def whole(self, low: int, high: int) -> int:
        """An integer, both ends included."""
        return self._random.randint(low, high)

    def real(self, low: float, high: float) -> float:
        return self._random.uniform(low, high)

    def decimal(self, low: Decimal, high: Decimal, step: Decimal) -> Decimal:
        """A multiple of `step` between the two."""
        first, last = int(low / step), int(high / step)
        return step * self.whole(first, max(first, last))

    def digits(self, pattern: str) -> str:
        r"""A pattern with # replaced by a digit, @ by a capital, % by a hexadecimal digit, ~ by a digit or
        capital; one of these after a backslash is printed as it is.

        >>> Dice(1).digits("T-##")[:2]
        'T-'
        >>> Dice(1).digits(r"\#B")
        '#B'
        """
        marks = re.findall(r"\\.|.", pattern)
        return "".join(mark[1] if len(mark) > 1 else self._drawn(mark) for mark in marks)

    def _drawn(self, char: str) -> str:
        return self.pick(_DRAWN[char]) if char in _DRAWN else char
