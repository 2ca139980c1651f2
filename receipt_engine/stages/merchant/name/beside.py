"""Compares a name with the rows beside it.

Finds a fuller print of a chosen name: the rows that it is cut from, the name above a line that describes the
trade, the name below a greeting, below its initials or below the end of a logo. Recognises rows above a
shop's name that say where or through whom it sells: a mall, a market, a stall, the bank of the card
terminal.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from receipt_engine.stages.merchant.name.candidates import (
    LARGER,
    TITLED,
    NameCandidate,
    NameContext,
    continues,
)
from receipt_engine.stages.merchant.name.text import clean_name, count_sentence_words, is_greeted
from receipt_engine.stages.merchant.row_kinds import is_list, is_slogan
from receipt_engine.stages.merchant.segments import Segment
from receipt_engine.vocabulary import has_term, term_at_end, term_at_start
from receipt_engine.vocabulary.brands import brand_of_branch
from receipt_engine.vocabulary.legal_forms import has_legal_form, without_legal_form
from receipt_engine.vocabulary.normalise import letters
from receipt_engine.vocabulary.tokens import SHORTEST_NAME
from receipt_engine.vocabulary.trades import count_distinctive, is_description, trade_share

#: Fewest letters of a word for a trade that begins a name.
_LONG_TRADE = 8
#: Between the trades of a list.
_LISTED = re.compile("[-–·•|*/,]")
#: Fewest and most letters of a logo with initials.
_FEWEST, _MOST = 2, 4
#: Distance, in segments, of a shop's name below such a row.
_BELOW = 3
#: Behind a word for a stall: its number.
_NUMBER = re.compile(r"[ .:#]{0,3}(?:n[ro°º][.:]? ?)?[A-Z]?-?\d{1,4}[A-Z]?(?!\w)", re.IGNORECASE)
#: Fewest letters of a word for a mall or a market that begins its name.
_LONG = 8


def in_full(
    context: NameContext, found: Sequence[NameCandidate], best: NameCandidate
) -> NameCandidate | None:
    """The candidate that prints the best one in full; None when there is none."""
    plain = [one for one in found if one.first == best.last + 1 and _is_plain(context, one)]
    above = context.segments[best.last]
    below = [one for one in plain if continues(above, context.segments[one.first])]
    greeted = is_greeted(context.segments[best.first].rest)
    return (
        _joined(context, found, best)
        or _behind_trade(context, found, best)
        or _described(context, found, best)
        or next((one for one in below if greeted and _goes_on(best, one)), None)
        or next((one for one in below if best.first == 0 and _is_initials_of(best, one)), None)
        or next((one for one in plain if _is_end_of(best, one)), None)
    )


def _joined(
    context: NameContext, found: Sequence[NameCandidate], best: NameCandidate
) -> NameCandidate | None:
    """The candidate that joins the best one to the rows above it, where another row prints the two as one:
    "Old" above "KETTLE" and "Old Kettle Bistro" below."""
    longer = [one for one in found if one.first < best.first and one.last == best.last]
    return next(
        (
            one
            for one in longer
            for at, key in enumerate(context.keys)
            if key.startswith(one.key) and not one.first <= at <= one.last
        ),
        None,
    )


def _behind_trade(
    context: NameContext, found: Sequence[NameCandidate], best: NameCandidate
) -> NameCandidate | None:
    """The candidate that joins a best one without a trade or article to the row right above, which is only
    its trade, in a long word and no list: "TRATTORIA" above "AL RAMO", but not "BAR" above "The Kettle"."""
    at = best.first - 1
    if at < 0 or trade_share(best.text) or not context.plain(at):
        return None
    own, below = context.segments[at], context.segments[best.first]
    trade = clean_name(own.rest)
    alike = max(own.size, below.size) < LARGER * min(own.size, below.size)
    whole = (
        len(letters(trade)) >= _LONG_TRADE
        and is_description(trade)
        and not own.digits
        and not _LISTED.search(trade)
    )
    if not whole or not alike or not continues(own, below) or term_at_start(best.text, "determiner"):
        return None
    return next((one for one in found if (one.first, one.last) == (at, best.last)), None)


def _described(
    context: NameContext, found: Sequence[NameCandidate], best: NameCandidate
) -> NameCandidate | None:
    """The plain row above a best one that only describes the trade: "Sorrel's" above "Mexican Restaurant &
    Cantina". With a legal form, the two rows are one name."""
    at = best.first - 1
    words = without_legal_form(best.text)
    if at < 0 or " " not in words or not is_description(words) or not context.plain(at):
        return None
    if count_distinctive(context.segments[at].rest) < SHORTEST_NAME:
        return None
    last = at if letters(words) == best.key else best.last
    return next((one for one in found if (one.first, one.last) == (at, last)), None)


def _is_plain(context: NameContext, one: NameCandidate) -> bool:
    """Whether a candidate is one plain row, and no company."""
    return one.first == one.last and context.plain(one.first) and not has_legal_form(one.text)


def _goes_on(best: NameCandidate, one: NameCandidate) -> bool:
    """Whether a name begins with another one: "KETTLE GARDEN CENTRE" below "Welcome to Kettle"."""
    return len(best.key) >= SHORTEST_NAME and one.key != best.key and one.key.startswith(best.key)


def _is_end_of(best: NameCandidate, one: NameCandidate) -> bool:
    """Whether a word is the end of the first word of a name, however far below, as in a curved logo of which
    the rest was not read: "haven" above "Millhaven Grocery"."""
    first = letters(one.text.split()[0])
    return len(best.key) >= SHORTEST_NAME and first != best.key and first.endswith(best.key)


def _is_initials_of(best: NameCandidate, one: NameCandidate) -> bool:
    """Whether a word is the initials of a name, as in a logo: "BHT" above "BLUE HERON TAVERN"."""
    initials = "".join(letters(word)[:1] for word in one.text.split())
    return _FEWEST <= len(initials) <= _MOST and best.key == initials


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
