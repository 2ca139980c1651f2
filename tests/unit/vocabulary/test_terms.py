"""Terms: words found wherever they stand, by an invented vocabulary."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from receipt_engine.errors import RegionDataError
from receipt_engine.vocabulary import (
    behind_leading,
    find_terms,
    has_term,
    is_made_of,
    phrase_terms,
    term_at_end,
    term_at_start,
    terms,
)

PHRASES = {
    "customer": ("kund*", "bill to", "köpare", "t/a"),
    "street": ("gata", "*gatan", "c"),
    "unit": ("室", "room*", "호실"),
}


@pytest.fixture(autouse=True)
def invented(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    book = terms._bound((term, phrase) for term, phrases in PHRASES.items() for phrase in phrases)  # type: ignore[misc]
    monkeypatch.setattr(terms, "_book", lambda: book)
    _forget()
    yield
    _forget()


def _forget() -> None:
    for remembered in (find_terms, phrase_terms, terms._at_start, terms._heads, terms._word):
        remembered.cache_clear()
    is_made_of.cache_clear()
    behind_leading.cache_clear()


def found(text: str) -> list[tuple[str, str]]:
    return [(match.term, text[match.start : match.end]) for match in find_terms(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Kundnummer 12", [("customer", "Kundnummer")]),
        ("BILL TO:", [("customer", "BILL TO")]),
        ("BILLTO Paul", [("customer", "BILLTO")]),
        ("Bill 2 to", []),
        ("KOEPARE", [("customer", "KOEPARE")]),
        ("Kopare", [("customer", "Kopare")]),
        ("T/A Corner Deli", [("customer", "T/A")]),
        ("TA Corner Deli", []),
        ("Storgatan 5", [("street", "Storgatan")]),
        ("gatans", []),
        ("12室", [("unit", "室")]),
        ("호 실 3", [("unit", "호 실")]),
        ("C 12", [("street", "C")]),
        ("", []),
    ],
)
def test_phrases_are_found_where_they_stand(text: str, expected: list[tuple[str, str]]) -> None:
    assert found(text) == expected


def test_the_longest_phrase_of_a_term_stays() -> None:
    assert found("Kund Kundnummer") == [("customer", "Kund"), ("customer", "Kundnummer")]
    assert len(find_terms("bill to")) == 1


def test_only_signs_may_stand_before_or_behind() -> None:
    assert term_at_start("** Bill to: Paul", "customer", "street") is not None
    assert term_at_start("1 Bill to", "customer") is None
    assert term_at_start("Bill to", "street") is None
    assert term_at_end("12 Storgatan.", "street") is not None
    assert term_at_end("Storgatan 5", "street") is None
    assert has_term("Storgatan 5", "customer", "street")
    assert not has_term("Storgatan 5", "customer")


def test_the_terms_of_a_phrase_by_its_letters() -> None:
    assert phrase_terms("kundnummer") == {"customer"}
    assert phrase_terms("storgatan") == {"street"}
    assert phrase_terms("total") == frozenset()


def test_a_phrase_may_be_nothing_but_phrases_of_terms() -> None:
    assert is_made_of("billtogata", "customer", "street")
    assert not is_made_of("billtogata", "customer")
    assert not is_made_of("billtogatan", "customer", "street")


def test_what_is_left_behind_the_phrases_that_begin_one() -> None:
    assert behind_leading("gatabillto", "street") == ("billto",)
    assert behind_leading("billto", "street") == ()
    assert behind_leading("gata", "street") == ()


def test_a_phrase_without_letters_is_refused() -> None:
    with pytest.raises(RegionDataError, match="no letters"):
        terms._bound([("customer", "#12")])


@given(st.text(max_size=60))
def test_offsets_lie_in_the_text(text: str) -> None:
    for match in find_terms(text):
        assert 0 <= match.start < match.end <= len(text)
        assert text[match.start : match.end].strip()
