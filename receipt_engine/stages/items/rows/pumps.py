"""Finds the number of a pump before the name of a fuel: "Pump 3 Diesel"."""

from __future__ import annotations

import re

from receipt_engine.region import Role
from receipt_engine.vocabulary import term_at_start

#: Roles that a word for a pump or a till may have.
PUMP_ROLES: frozenset[Role] = frozenset(("header", "cashier"))
_PUMP_NUMBER = re.compile(r"\.?:? ?\d{1,2}(?!\d)")
#: Text between the number of a pump and the product: "Pump 3 Diesel", "ТРК 3 АИ-95".
_BEFORE_FUEL = re.compile(r"[ :.-]+(?=[^\W\d_]{3}|[^\W\d_]{2}-?\d{2}\b)")


def is_pump(text: str) -> bool:
    """Whether a row only says where fuel was sold ("Pump 03").

    >>> is_pump("Pump 03"), is_pump("Pump 03 Diesel")
    (True, False)
    """
    end = _pump_end(text)
    return end is not None and not any(map(str.isalnum, text[end:]))


def pump_before_fuel(text: str) -> int | None:
    """The end offset of a pump's number before a fuel ("Pump 3 Diesel"), or None."""
    end = _pump_end(text)
    return end if end is not None and _BEFORE_FUEL.match(text, end) else None


def _pump_end(text: str) -> int | None:
    """The end offset of a pump's number at the start of a row, or None."""
    pump = term_at_start(text, "pump")
    number = _PUMP_NUMBER.match(text, pump.end) if pump is not None else None
    return number.end() if number is not None else None
