"""No rule without a test, no test of an unknown rule, and the table says so."""

from __future__ import annotations

import re

import pytest

from tests.service.rules import KNOWN
from tests.service.rules_table import HERE, TABLE, holders, render


def test_every_rule_has_a_test() -> None:
    assert set(holders()) == KNOWN


@pytest.mark.parametrize("name", ["README.md", "security.md", "operations.md"])
def test_the_notes_name_tests_that_exist(name: str) -> None:
    text = (TABLE.parent / name).read_text(encoding="utf-8")
    named = set(re.findall(r"`(test_\w+)`", text))
    sources = "".join(path.read_text(encoding="utf-8") for path in HERE.glob("test_*.py"))
    assert not {test for test in named if f"def {test}(" not in sources}


def test_the_table_is_fresh() -> None:
    assert TABLE.read_text(encoding="utf-8") == render(), "run: python -m tests.service.rules_table"
