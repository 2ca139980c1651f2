"""Tells sentences that mention amounts from amounts with a label."""

from __future__ import annotations

from collections.abc import Collection

from receipt_engine.document import AmountRow
from receipt_engine.region import Role
from receipt_engine.scoring.certainty import SURE
from receipt_engine.vocabulary.normalise import squeeze
from receipt_engine.vocabulary.terms import find_terms, term_at_start
from receipt_engine.vocabulary.tokens import tokens

#: Words of a notice that name no amount; a label has fewer beside those that do.
_OTHER_WORDS = 3


def is_notice(row: AmountRow, roles: Collection[Role]) -> bool:
    """Whether a row is a sentence of advertising or terms, whose amounts are none of the receipt: "Spend $40
    and get $5 off your next order", "Cards are not accepted below 10.00".

    It has words of sentences and several others that name no amount, and does not begin with the name of
    one. An amount with a minus is taken off whatever its words. roles: those that amounts can have.
    """
    if any(amount.value < 0 for amount in row.likely) or _is_labelled(row, roles):
        return False
    taken = [(m.start, m.end) for m in row.roles if m.role in roles or m.role == "header"]
    taken += [(amount.start, amount.end) for amount in row.amounts]
    others = [w.start for w in tokens(row.text) if not any(start <= w.start < end for start, end in taken)]
    spoken = any(m.term == "sentence" and m.start in others for m in find_terms(row.text))
    return spoken and len(others) >= _OTHER_WORDS


def _is_labelled(row: AmountRow, roles: Collection[Role]) -> bool:
    """Whether a row begins with the name of an amount that is no word of sentences ("GET", a tax)."""
    first = next((m for m in row.roles if m.role in roles), None)
    if first is None or first.weight < SURE or not _only_thanks(row, first.start):
        return False
    spelled = squeeze(row.text[first.start : first.end]) == first.phrase  # "Cards are", not "card sale"
    return spelled and term_at_start(row.text, "sentence") is None


def _only_thanks(row: AmountRow, end: int) -> bool:
    """Whether nothing stands before the offset `end` except a closing phrase, as in the left half of an
    invoice's sums: "Thank you for your order!   SUBTOTAL 61.40"."""
    phrases = [
        (m.start, m.end) for m in row.roles if m.role == "footer" and m.weight >= SURE and m.end <= end
    ]
    return not any(
        c.isalnum() and not any(s <= at < e for s, e in phrases) for at, c in enumerate(row.text[:end])
    )
