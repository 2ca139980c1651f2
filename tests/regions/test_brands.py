"""The examples of regions/brands."""

from __future__ import annotations

import pytest

from receipt_engine.vocabulary import card_schemes, domains


@pytest.mark.parametrize("example", domains.domains().example, ids=lambda example: example.text)
def test_domains(example: domains.Example) -> None:
    assert domains.domain_kind(example.text) == example.kind


@pytest.mark.parametrize("example", domains.domains().not_example, ids=lambda example: example.text)
def test_no_such_domains(example: domains.Example) -> None:
    assert domains.domain_kind(example.text) != example.kind


@pytest.mark.parametrize("example", card_schemes.card_schemes().example, ids=lambda example: example.text)
def test_card_schemes(example: card_schemes.Example) -> None:
    assert example.name in [match.name for match in card_schemes.find_schemes(example.text)]


@pytest.mark.parametrize("example", card_schemes.card_schemes().not_example, ids=lambda example: example.text)
def test_no_card_schemes(example: card_schemes.Example) -> None:
    assert example.name not in [match.name for match in card_schemes.find_schemes(example.text)]
