"""The options of an extraction: what is accepted, and what the refusal of the rest says."""

from __future__ import annotations

from typing import Any

import pytest

from receipt_engine.errors import OptionError
from receipt_engine.options import CUSTOM_FIELDS, ExtractOptions


def test_the_defaults_are_those_of_the_interface() -> None:
    options = ExtractOptions()
    assert (options.region, options.document_type, options.decimal_places) == (None, "receipt", None)
    assert (options.cents, options.default_date_parsing) == (False, None)
    assert (options.evidence, options.custom_fields) == (False, ())


@pytest.mark.parametrize(
    ("given", "kept"),
    [("us", "us"), ("US", "us"), (" gb ", "gb"), ("uk", "gb"), ("jp", "ja"), ("", None)],
)
def test_a_region_is_a_code_or_an_alias(given: str, kept: str | None) -> None:
    assert ExtractOptions(region=given).region == kept


@pytest.mark.parametrize(
    "accepted",
    [
        *({"document_type": kind} for kind in ("receipt", "invoice", "auto")),
        *({"decimal_places": places} for places in (0, 1, 2, 3)),
        *({"default_date_parsing": order} for order in ("d/m", "m/d")),
        {"cents": True, "decimal_places": 3},
        {"custom_fields": CUSTOM_FIELDS},
    ],
    ids=str,
)
def test_every_value_of_the_interface_is_accepted(accepted: dict[str, Any]) -> None:
    options = ExtractOptions(**accepted)
    assert {name: getattr(options, name) for name in accepted} == accepted


def test_custom_fields_may_be_a_list() -> None:
    assert ExtractOptions(custom_fields=["Country"]).custom_fields == ("Country",)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("wrong", "help"),
    [
        ({"document_type": "bill"}, "document_type is 'bill'; use 'receipt' or 'invoice' or 'auto'."),
        ({"document_type": None}, "document_type is None; use 'receipt' or 'invoice' or 'auto'."),
        ({"decimal_places": 4}, "decimal_places is 4; use 0, 1, 2, 3 or None."),
        ({"decimal_places": -1}, "decimal_places is -1; use 0, 1, 2, 3 or None."),
        ({"decimal_places": 2.0}, "decimal_places is 2.0; use 0, 1, 2, 3 or None."),
        ({"decimal_places": True}, "decimal_places is True; use 0, 1, 2, 3 or None."),
        ({"default_date_parsing": "y/m"}, "default_date_parsing is 'y/m'; use 'd/m' or 'm/d'."),
        ({"cents": "yes"}, "cents is 'yes'; use True or False."),
        ({"evidence": 1}, "evidence is 1; use True or False."),
        ({"region": 49}, "region is 49; use a two-letter code such as 'us', or None to infer it."),
        (
            {"custom_fields": ("Country", "Table")},
            "custom_fields has 'Table'; use only Country, CardLast4Digits, ReceiptNumber, VATNumber.",
        ),
        (
            {"custom_fields": ("country",)},
            "custom_fields has 'country'; use only Country, CardLast4Digits, ReceiptNumber, VATNumber."
            " Did you mean 'Country'?",
        ),
        (
            {"document_type": "reciept"},
            "document_type is 'reciept'; use 'receipt' or 'invoice' or 'auto'. Did you mean 'receipt'?",
        ),
        (
            {"custom_fields": "Country"},
            "custom_fields is 'Country'; use a tuple of Country, CardLast4Digits, ReceiptNumber, VATNumber.",
        ),
    ],
    ids=str,
)
def test_a_wrong_value_is_named_with_what_to_use_instead(wrong: dict[str, Any], help: str) -> None:
    with pytest.raises(OptionError) as refused:
        ExtractOptions(**wrong)
    assert str(refused.value) == help


def test_a_wrong_option_is_also_a_value_error() -> None:
    with pytest.raises(ValueError, match="document_type"):
        ExtractOptions(document_type="bill")  # type: ignore[arg-type]
