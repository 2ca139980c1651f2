"""Generates texts that match a pattern of the region data: postcodes, tax numbers with check digits."""

from __future__ import annotations

import importlib
import re
import string
from collections.abc import Callable, Iterator
from functools import cache
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

from receipt_engine.region import Identifier
from scripts.make_receipts.dice import Dice
from scripts.make_receipts.errors import DrawingError

_CATEGORIES = {
    op.CATEGORY_DIGIT: string.digits,
    op.CATEGORY_SPACE: " ",
    op.CATEGORY_WORD: string.ascii_uppercase,
    op.CATEGORY_NOT_DIGIT: string.ascii_uppercase,
    op.CATEGORY_NOT_SPACE: string.ascii_uppercase,
    op.CATEGORY_NOT_WORD: " ",
}
_TRIES = 3000
_POOL = 48


def matching(pattern: str, dice: Dice) -> str:
    """A random text that `pattern` matches from end to end; look-arounds are satisfied by retrying."""
    parsed = _parser.parse(pattern)
    for _ in range(200):
        text = _sample(parsed, dice)
        found = re.search(pattern, text)
        if found is not None and found.group() == text:
            return text
    raise DrawingError(f"No text could be drawn for the pattern {pattern!r}; write a simpler pattern.")


def number(identifier: Identifier, dice: Dice) -> str:
    """A number of the kind described by the region data, with valid check digits."""
    return _from_pool(identifier.pattern, identifier.stdnum, True, dice.whole(0, _POOL - 1))


def checked(pattern: str, checker: str, dice: Dice) -> str:
    """A number of a `Dice.digits` pattern that a module of python-stdnum ("de.vat") accepts.

    checker: "" accepts all. Raises DrawingError when no number passes.
    """
    if not checker:
        return dice.digits(pattern)
    return _from_pool(pattern, checker, False, dice.whole(0, _POOL - 1))


@cache
def _from_pool(pattern: str, checker: str, regular: bool, at: int) -> str:
    """One of a small pool of numbers per pattern, cached because a valid one takes many tries."""
    dice = Dice(pattern, at)
    if not checker:
        return matching(pattern, dice)
    valid: Callable[[str], bool] = importlib.import_module(f"stdnum.{checker}").is_valid
    for _ in range(_TRIES):
        text = matching(pattern, dice) if regular else dice.digits(pattern)
        if valid(text):
            return text
        found = next(filter(valid, _other_endings(text)), None) if not regular else None
        if found:
            return found
    raise DrawingError(f"No number that was drawn passes stdnum.{checker}; correct its pattern {pattern!r}.")


def _other_endings(text: str) -> Iterator[str]:
    """The text with every value of its last two digits, where check digits usually are."""
    first, last = [place for place, char in enumerate(text) if char.isdigit()][-2:]
    for value in range(100):
        yield f"{text[:first]}{value // 10}{text[first + 1 : last]}{value % 10}{text[last + 1 :]}"


def _sample(parsed: Any, dice: Dice) -> str:
    return "".join(_piece(kind, value, dice) for kind, value in parsed)


def _piece(kind: Any, value: Any, dice: Dice) -> str:
    if kind is op.LITERAL:
        return chr(value)
    if kind is op.IN:
        return _one_of(value, dice)
    if kind is op.ANY:
        return dice.pick(string.ascii_uppercase)
    if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
        low, high, inner = value
        high = min(int(high), low + 3)
        # Optional parts (a space, a dash) are omitted more often than not, as people do.
        count = low if high == low or dice.chance(0.6) else dice.whole(low, high)
        return "".join(_sample(inner, dice) for _ in range(count))
    if kind is op.SUBPATTERN:
        return _sample(value[-1], dice)
    if kind is op.ATOMIC_GROUP:
        return _sample(value, dice)
    if kind is op.BRANCH:
        return _sample(dice.pick(value[1]), dice)
    return ""  # anchors and look-arounds print nothing


def _one_of(choices: Any, dice: Dice) -> str:
    if choices and choices[0][0] is op.NEGATE:
        excluded = {chr(value) for kind, value in choices if kind is op.LITERAL}
        return dice.pick([char for char in string.ascii_uppercase + string.digits if char not in excluded])
    kind, value = dice.pick(choices)
    if kind is op.RANGE:
        low, high = value
        return chr(dice.whole(low, min(high, low + 200)))
    if kind is op.CATEGORY:
        return dice.pick(_CATEGORIES[value])
    return chr(value)
