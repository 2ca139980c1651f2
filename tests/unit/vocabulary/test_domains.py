from __future__ import annotations

import re

import pytest

from receipt_engine.vocabulary.domains import domain_kind, domain_name, ending_pattern, without_scheme


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("www.acme-foods.co.uk/help", "acme-foods"),
        ("https://shop.linden.example", "linden"),
        ("post@linden.de", "linden"),
        ("www,linden,com", "linden"),
        ("www.blue.coffee", "blue"),
        ("", ""),
    ],
)
def test_the_name_in_an_address(address: str, name: str) -> None:
    assert domain_name(address) == name


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        ("instagram.com/linden", "network"),
        ("linden@googlemail.com", "mail_service"),
        ("e-factura.example", "portal"),
        ("www.revenue.gov.ph", "portal"),
        ("www.linden.com", None),
    ],
)
def test_whose_domain_it_is(address: str, kind: str | None) -> None:
    assert domain_kind(address) == kind


def test_endings_of_two_parts_and_the_scheme() -> None:
    assert re.fullmatch(ending_pattern(), "co.uk")
    assert re.fullmatch(ending_pattern(), "uk.co") is None
    assert without_scheme("http://www.linden.com") == "linden.com"
