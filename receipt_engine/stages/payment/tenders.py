"""Words that say that a card was used, but not which."""

from __future__ import annotations

from receipt_engine.region import Term
from receipt_engine.vocabulary import is_made_of, phrase_terms

_ANY_CARD: tuple[Term, ...] = ("card", "non_cash", "payment_label")


def is_generic(phrase: str) -> bool:
    """Whether a phrase (letters alone) only says that a card was used: "tarjeta", "pago con tarjeta"."""
    return is_made_of(phrase, *_ANY_CARD) or (asks_how(phrase) and is_made_of(phrase, *_ANY_CARD, "means"))


def asks_how(phrase: str) -> bool:
    """Whether a phrase (letters alone) asks how was paid: "forma de pago", "payment"."""
    return "payment_label" in phrase_terms(phrase)


def names_card(phrase: str) -> bool:
    """Whether a generic phrase (letters alone) says that it was a card: "payment card", not "payment"."""
    return is_made_of(phrase, *_ANY_CARD, "means") and not is_made_of(
        phrase, "non_cash", "payment_label", "means"
    )


def is_debit(phrase: str) -> bool:
    """Whether a phrase (letters alone) is a word for a debit card that is reported by that name."""
    return "debit" in phrase_terms(phrase)
