"""Finds the number of a pump beside the name of a fuel: "Pump 3 Diesel", "Diesel pump 3"."""

from __future__ import annotations

import re

from receipt_engine.region import Role
from receipt_engine.vocabulary import find_terms, term_at_start
from receipt_engine.vocabulary.normalise import count_letters

#: Roles that a word for a pump or a till may have.
PUMP_ROLES: frozenset[Role] = frozenset(("header", "cashier"))
#: Fewest letters of a fuel.
_FUEL = 3
_PUMP_NUMBER = re.compile(r"\.?:? ?\d{1,2}(?!\d)")
#: Text between the number of a pump and the product or its volume: "Pump 3 Diesel", "ТРК 3 АИ-95", "Pump 3
#: 98E10", "Pump 3 41.20 L".
_BEFORE_FUEL = re.compile(r"[ :.-]+(?=[^\W\d_]{3}|[^\W\d_]{2}-?\d{2}\b|\d{2}E\d|\d{1,3}[.,]\d{2})")
#: A short name of a fuel before a pump: "АИ-95".
_GRADE = re.compile(r"\W*[^\W\d_]{1,2}-?\d{2}\W*")


def is_pump(text: str) -> bool:
    """Whether a row only says where fuel was sold ("Pump 03").

    >>> is_pump("Pump 03"), is_pump("Pump 03 Diesel")
    (True, False)
    """
    end = _pump_end(text)
    return end is not None and not any(map(str.isalnum, text[end:]))


def pump_beside_fuel(text: str) -> tuple[int, int] | None:
    """The offsets of a pump and its number before a fuel or its volume, or behind it at the row's end.

    >>> pump_beside_fuel("Pump 3 Diesel"), pump_beside_fuel("Diesel pump 3"), pump_beside_fuel("Pump 3")
    ((0, 6), (7, 13), None)
    """
    end = _pump_end(text)
    if end is not None:
        return (0, end) if _BEFORE_FUEL.match(text, end) else None
    for word in find_terms(text):
        number = _PUMP_NUMBER.fullmatch(text, word.end) if word.term == "pump" else None
        before = text[: word.start]
        if number is not None and (count_letters(before) >= _FUEL or _GRADE.fullmatch(before)):
            return word.start, number.end()
    return None


def _pump_end(text: str) -> int | None:
    """The end offset of a pump's number at the start of a row, or None."""
    pump = term_at_start(text, "pump")
    number = _PUMP_NUMBER.match(text, pump.end) if pump is not None else None
    return number.end() if number is not None else None
