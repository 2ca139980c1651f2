"""Folds, tokenises and matches words, for all stages.

Input: printed text and the words of `regions/`. Output: keys, tokens, and the roles, terms, labels, places
and legal forms found in a text, each with its offsets. It decides what a word may mean; the stages decide
what a row is.
"""

from __future__ import annotations

from receipt_engine.vocabulary.patterns import lowered, term_pattern
from receipt_engine.vocabulary.terms import (
    TermMatch,
    behind_leading,
    find_terms,
    has_term,
    is_made_of,
    is_term,
    phrase_terms,
    term_at_end,
    term_at_start,
    term_phrases,
)

__all__ = [
    "TermMatch",
    "behind_leading",
    "find_terms",
    "has_term",
    "is_made_of",
    "is_term",
    "lowered",
    "phrase_terms",
    "term_at_end",
    "term_at_start",
    "term_pattern",
    "term_phrases",
]
