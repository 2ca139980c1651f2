"""The merchant's name, address and telephone number of receipts with headers of many kinds."""

from __future__ import annotations

import re

import pytest
from rapidfuzz import fuzz

from receipt_engine import Engine, ExtractOptions
from receipt_engine.testing import fake_models, reading
from scripts.written_headers import WrittenHeader, written_headers

#: Smallest similarity of an address, in per cent of its letters and digits.
_ALIKE = 90

HEADERS = written_headers()
ENGINE = Engine(models=fake_models("x"))


def letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


def digits(text: str) -> str:
    return re.sub(r"\D", "", text)


def wrong(header: WrittenHeader) -> set[str]:
    """The fields that differ from what is written down."""
    result = ENGINE.interpret(reading(header.text), ExtractOptions(region=header.region))
    name, address, phone = result.establishment or "", result.address or "", result.phone_number or ""
    found = set()
    if letters(name) not in [letters(accepted) for accepted in header.name or ("",)]:
        found.add("name")
    alike = [fuzz.ratio(letters(address), letters(accepted)) for accepted in header.address or ("",)]
    if max(alike) < _ALIKE:
        found.add("address")
    if digits(phone) not in [digits(accepted) for accepted in header.phone or ("",)]:
        found.add("phone")
    return found


@pytest.mark.parametrize("identifier", HEADERS)
def test_a_written_header(identifier: str) -> None:
    assert wrong(HEADERS[identifier]) == set(HEADERS[identifier].missed)
