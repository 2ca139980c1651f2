"""The examples of regions/brands."""

from __future__ import annotations

import pytest

from receipt_engine.vocabulary import domains


@pytest.mark.parametrize("example", domains.domains().example, ids=lambda example: example.text)
def test_domains(example: domains.Example) -> None:
    assert domains.domain_kind(example.text) == example.kind


@pytest.mark.parametrize("example", domains.domains().not_example, ids=lambda example: example.text)
def test_no_such_domains(example: domains.Example) -> None:
    assert domains.domain_kind(example.text) != example.kind
