"""Legal forms of many countries, and names that only look like one."""

from __future__ import annotations

import pytest

from receipt_engine.vocabulary.legal_forms import (
    has_legal_form,
    is_legal_form,
    legal_forms,
    legal_kind,
    with_form_repaired,
    without_legal_form,
)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Harbor Foods Inc.", "inc"),
        ("Kupfer Kessel GmbH & Co. KG", "kg"),
        ("KEDAI TEMBAGA SDN. BHD.", "bhd"),
        ("KEDAI TEMBAGA SBN BHD", "bhd"),
        ("KEDAI TEMBAGA SDN. 8HD", "bhd"),
        ("KEDAI TEMBAGA SUN", None),
        ("Chaudron de Cuivre SARL", "sarl"),
        ("Pentola di Rame S.r.l.", "l"),
        ('SIA "Vara katls"', "other"),
        ("銅鍋有限公司", "other"),
        ("Copper Kettle", None),
        ("Texas Grill", None),
    ],
)
def test_kind(name: str, kind: str | None) -> None:
    assert legal_kind(name) == kind
    assert has_legal_form(name) is (kind is not None)


def test_a_form_alone_is_no_name() -> None:
    assert is_legal_form("CO. (M) SDN BHD")
    assert is_legal_form("& Co. Ltd")
    assert not is_legal_form("Kettle Ltd")


def test_without() -> None:
    assert without_legal_form("Copper Kettle (M) Sdn Bhd") == "Copper Kettle"


def test_the_examples_in_the_data() -> None:
    data = legal_forms()
    assert data.example and data.not_example
    assert {e.text: legal_kind(e.text) for e in data.example} == {e.text: e.kind for e in data.example}
    assert not [e.text for e in data.not_example if has_legal_form(e.text)]


def test_slips_in_a_form_are_mended_and_other_words_are_not() -> None:
    assert with_form_repaired("KEDAI TEMBAGA SDN. BHI") == "KEDAI TEMBAGA SDN. BHD"
    assert with_form_repaired("Unit 5/8") == "Unit 5/8"
