"""No rule without a test, no test of an unknown rule, and the table says so."""

from __future__ import annotations

from tests.service.rules import KNOWN
from tests.service.rules_table import TABLE, holders, render


def test_every_rule_has_a_test() -> None:
    assert set(holders()) == KNOWN


def test_the_table_is_fresh() -> None:
    assert TABLE.read_text(encoding="utf-8") == render(), "run: python -m tests.service.rules_table"
