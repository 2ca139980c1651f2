"""Fields that a caller defines, found in printed rows."""

from __future__ import annotations

from typing import Any

import pytest

from receipt_engine.errors import OptionError
from receipt_engine.options import CustomField, ExtractOptions
from receipt_engine.pipeline import interpret
from receipt_engine.trace import Trace
from tests.printed import reading

RECEIPT = """
    CAFE MIKRO
    Order No: 4711      Table 12
    Served by
    Anna K.
    Bestell-Nr.  A-77
    Cost centre#9
    Tea             4.50
    TOTAL           4.50
"""


def _found(*fields: CustomField) -> dict[str, str]:
    options = ExtractOptions(custom_fields=fields)
    return interpret(reading(RECEIPT), options, None, Trace(keep=False)).custom_fields


@pytest.mark.parametrize(
    ("labels", "value"),
    [
        (("Order No",), "4711"),
        (("order no.",), "4711"),
        (("0rder N0",), "4711"),
        (("Ordre No",), None),  # two letters differ
        (("Table",), "12"),
        (("Served by",), "Anna K."),
        (("Bestellnr",), "A-77"),
        (("Bestellmr",), "A-77"),  # a confusion
        (("Project", "Cost centre"), "9"),
        (("Tab",), None),
        (("Room",), None),
    ],
)
def test_labels(labels: tuple[str, ...], value: str | None) -> None:
    assert _found(CustomField("Mine", labels=labels)).get("Mine") == value


@pytest.mark.parametrize(
    ("pattern", "value"),
    [
        (r"Table (\d+)", "12"),
        (r"[A-Z]-\d+", "A-77"),
        (r"(?i)table", "Table"),
        ("Room", None),
        (r"Anna|Tea +(\d)", "4"),
    ],
)
def test_patterns(pattern: str, value: str | None) -> None:
    assert _found(CustomField("Mine", pattern=pattern)).get("Mine") == value


def test_any_number_of_fields_beside_the_known_ones() -> None:
    fields = (CustomField("Order", labels=("Order No",)), CustomField("Table", pattern=r"Table (\d+)"))
    options = ExtractOptions(custom_fields=("Country", *fields))
    found = interpret(reading(RECEIPT), options, None, Trace(keep=False)).custom_fields
    assert {"Order": "4711", "Table": "12"}.items() <= found.items()


@pytest.mark.parametrize(
    ("name", "how", "why"),
    [
        ("", {"pattern": "a"}, "called ''"),
        ("Country", {"pattern": "a"}, "called 'Country'"),
        ("Mine", {}, "either a pattern or labels"),
        ("Mine", {"pattern": "a", "labels": ("b",)}, "either a pattern or labels"),
        ("Mine", {"pattern": "("}, "not a valid regular expression"),
        ("Mine", {"pattern": 7}, "not a valid regular expression"),
        ("Mine", {"labels": "Table"}, "a tuple of texts"),
        ("Mine", {"labels": ("Table", " ")}, "a tuple of texts"),
        ("Mine", {"labels": (7,)}, "a tuple of texts"),
    ],
)
def test_what_cannot_be_looked_for_is_refused(name: str, how: dict[str, Any], why: str) -> None:
    with pytest.raises(OptionError, match=why):
        CustomField(name, **how)


def test_a_name_is_used_once() -> None:
    field = CustomField("Mine", pattern="a")
    with pytest.raises(OptionError, match="'Mine' twice"):
        ExtractOptions(custom_fields=(field, field))
