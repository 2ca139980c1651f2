"""The check digits of tax numbers and the like, by the rules of python-stdnum."""

from __future__ import annotations

import importlib
from functools import cache
from types import ModuleType


def is_valid_number(module: str, number: str) -> bool:
    """Whether a number satisfies the rules of a module of python-stdnum ("my.nric"); False without one."""
    rule = _rule(module)
    return rule is not None and bool(rule.is_valid(number))


@cache
def _rule(module: str) -> ModuleType | None:
    """The module, imported on first use: most receipts need few countries' rules."""
    try:
        return importlib.import_module(f"stdnum.{module}") if module else None
    except ImportError:
        return None
