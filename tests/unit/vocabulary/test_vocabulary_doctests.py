"""The examples in the vocabulary's documentation."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import receipt_engine.vocabulary as vocabulary

MODULES = [module.name for module in pkgutil.iter_modules(vocabulary.__path__)]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    failed, _ = doctest.testmod(importlib.import_module(f"{vocabulary.__name__}.{name}"))
    assert failed == 0
