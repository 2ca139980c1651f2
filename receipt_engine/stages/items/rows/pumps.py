"""Finds the number of a pump before the name of a fuel: "Pump 3 Diesel"."""

from __future__ import annotations

import re

from receipt_engine.vocabulary import term_at_start

_PUMP_NUMBER = re.compile(r"\.?:? ?\d{1,2}(?!\d)")


def is_pump(text: str) -> bool:
    """Whether a row only says where fuel was sold ("Pump 03").

    >>> is_pump("Pump 03"), is_pump("Pump 03 Diesel")
    (True, False)
    """
    end = pump_end(text)
    return end is not None and not any(map(str.isalnum, text[end:]))


def pump_end(text: str) -> int | None:
    """The end offset of a pump's number at the start of a row, or None."""
    pump = term_at_start(text, "pump")
    number = _PUMP_NUMBER.match(text, pump.end) if pump is not None else None
    return number.end() if number is not None else None
