"""Recognises rows above a shop's name that say where or through whom it sells: a mall, a market, a stall, the
bank of the card terminal."""

from __future__ import annotations

import re

from receipt_engine.stages.merchant.name.candidates import TITLED, NameContext
from receipt_engine.stages.merchant.name.text import count_sentence_words
from receipt_engine.stages.merchant.row_kinds import is_list, is_slogan
from receipt_engine.stages.merchant.segments import Segment
from receipt_engine.vocabulary import has_term, term_at_end, term_at_start
from receipt_engine.vocabulary.brands import brand_of_branch
from receipt_engine.vocabulary.tokens import SHORTEST_NAME
from receipt_engine.vocabulary.trades import count_distinctive, trade_share

#: Distance, in segments, of a shop's name below such a row.
_BELOW = 3
#: Behind a word for a stall: its number.
_NUMBER = re.compile(r"[ .:#]{0,3}(?:n[ro°º][.:]? ?)?[A-Z]?-?\d{1,4}[A-Z]?(?!\w)", re.IGNORECASE)
#: Fewest letters of a word for a mall or a market that begins its name.
_LONG = 8


def is_host(context: NameContext, at: int) -> bool:
    """Whether a row says where the shop is, in a mall, on a market or in which stall, or names the bank of a
    card slip, with the shop's own name below."""
    own = context.segments[at]
    if not (_is_venue(context, own.rest) or _is_stall(own.rest)) and not (
        _is_bank(own.rest) and _is_slip(context)
    ):
        return False
    below = range(at + 1, min(len(context.segments), at + 1 + _BELOW))
    return any(_is_shop(context.segments[other]) for other in below if other not in context.address[1:])


def _is_venue(context: NameContext, text: str) -> bool:
    first = term_at_start(text, "venue")
    heads = (
        first is not None
        and first.end - first.start >= _LONG  # not "Airport Express"
        and trade_share(text[first.end :]) == 0  # not "Flughafen Apotheke"
    )
    branch = brand_of_branch(text, context.country) is not None  # "Kettle Northpoint Mall"
    return not branch and (heads or term_at_end(text, "venue") is not None)


def _is_stall(text: str) -> bool:
    """Whether a row begins with the number of a stall or another unit that is no trade: "Stall 12 Larch
    Market", but not "Kiosk 12 Larch"."""
    unit = term_at_start(text, "unit")
    numbered = unit is not None and _NUMBER.match(text, unit.end) is not None
    return unit is not None and numbered and not trade_share(text[: unit.end])


def _is_slip(context: NameContext) -> bool:
    """Whether a bank's number for a terminal or a merchant is printed, perhaps beside its label."""
    return any(term_at_start(own.run.text, "terminal_number") is not None for own in context.segments)


def _is_bank(text: str) -> bool:
    return has_term(text, "bank") and trade_share(text) == 0  # not "Riverbank Cafe"


def _is_shop(own: Segment) -> bool:
    """Whether a row of the header may be a shop's name: words only, of its own, and no sentence."""
    text = own.rest
    if own.digits or own.entities or own.amount or own.whole_place or own.title_share >= TITLED:
        return False
    named = count_distinctive(text) >= SHORTEST_NAME and not count_sentence_words(text)
    return named and own.run.zone == "header" and not is_slogan(text) and not is_list(text)
