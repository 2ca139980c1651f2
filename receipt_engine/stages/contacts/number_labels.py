"""Scores the words before a number: how strongly they say that it is the receipt's own number."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from receipt_engine.document import ParsedLine, RoleMatch
from receipt_engine.region import Term, language_codes, load_language
from receipt_engine.vocabulary import behind_leading, has_term, phrase_terms
from receipt_engine.vocabulary.normalise import squeeze

#: Score penalty for a word that names an earlier sale near the label.
_EARLIER_COST = 1.2
#: Maximum distance of that word before and after the label, in characters.
_EARLIER_BEFORE, _EARLIER_BEHIND = 24, 12
#: Two rows of technical data at most this many rows apart belong to one slip.
_SLIP_GAP = 5
#: Kinds of labels, the strongest first: a word for a machine's or bank's number outweighs one for the
#: document, and that one outweighs one for an order. `_OF_KIND`: what each adds to the score.
_KINDS: tuple[Term, ...] = ("reference_number", "document_number", "order_number")
_OF_KIND: dict[Term | None, float] = {"reference_number": -0.3, "document_number": 0.3, "order_number": -0.3}


def label_score(role: RoleMatch, text: str, column: tuple[int, int]) -> float:
    """The score of a phrase as label of this receipt's own number. text: the row's text; column: start and
    end of the column that the label stands in."""
    score = role.weight * (1.0 if role.role == "receipt_number" else 0.75)
    score += _OF_KIND.get(number_kind(role.phrase), 0.0)
    before = text[max(column[0], role.start - _EARLIER_BEFORE) : role.start]
    behind = text[role.end : role.end + _EARLIER_BEHIND]
    return score - _EARLIER_COST * any(has_term(near, "earlier_document") for near in (before, behind))


def number_kind(phrase: str) -> Term | None:
    """The kind of number that a label (letters only) announces; None if unknown. A leading word for "number"
    is skipped ("n scontrino")."""
    found = phrase_terms(phrase).union(*map(phrase_terms, behind_leading(phrase, "number")))
    return next((kind for kind in _KINDS if kind in found), None)


def is_document(phrase: str) -> bool:
    """Whether a label names the document itself."""
    return number_kind(phrase) == "document_number"


def slip_rows(rows: Sequence[ParsedLine]) -> frozenset[int]:
    """Rows of card slips: technical data, the rows between, one row above and one below."""
    return _slip_rows(tuple(row.text for row in rows))


@lru_cache(maxsize=16)
def _slip_rows(texts: tuple[str, ...]) -> frozenset[int]:
    """Cached, because every number of a receipt needs them."""
    found = [index for index, text in enumerate(texts) if has_term(text, "slip_data")]
    near: set[int] = set()
    for index, following in zip(found, [*found, len(texts) + _SLIP_GAP][1:], strict=True):
        near.update(range(index - 1, following if following - index <= _SLIP_GAP else index + 2))
    return frozenset(near)


@cache
def all_labels() -> dict[str, float]:
    """Phrases for a receipt's number in every language, reduced by `squeeze` → weight."""
    found: dict[str, float] = {}
    for code in language_codes():
        for phrase in load_language(code).phrases("receipt_number"):
            key = squeeze(phrase.text)
            if len(key) >= 2:
                found[key] = max(phrase.weight, found.get(key, 0.0))
    return found
