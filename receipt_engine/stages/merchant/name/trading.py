"""The trading name beside the company's: a shop is known by the name that tells its trade."""

from __future__ import annotations

from collections.abc import Sequence

from receipt_engine.stages.merchant.name.candidates import NameCandidate, NameContext
from receipt_engine.stages.merchant.name.text import count_sentence_words, is_greeted, is_owner
from receipt_engine.vocabulary.legal_forms import has_legal_form, is_known_by
from receipt_engine.vocabulary.trades import distinctive, is_trade_word, trade_share

#: Letters of a name that are neither trade words nor legal form.
_OWN_NAME = 3
#: Least size of a trading name relative to the company's beside it, and its most words.
_SMALLER = 0.8
_MOST_WORDS = 5
#: From this log-odds on a row is the address, whatever it says of a trade.
_ADDRESS = 2.5
#: Letters that tell two names apart.
_TELLING = 4


def trading_name(
    context: NameContext, candidates: Sequence[NameCandidate], best: NameCandidate
) -> NameCandidate | None:
    """The candidate right above or below a company's name that names the shop by its trade: "KETTLE CAFE"
    above "Copper Holdings Ltd"; None when there is none, or when both are one name."""
    if not has_legal_form(best.text) or is_known_by(best.text):
        return None
    beside = [
        one
        for one in candidates
        if (one.last + 1 == best.first or best.last + 1 == one.first)
        and _names_shop(context, one, best)
        and not _alike(one.key, best.key)
    ]
    return max(beside, key=lambda one: (one.first < best.first, one.last - one.first), default=None)


def _names_shop(context: NameContext, one: NameCandidate, best: NameCandidate) -> bool:
    """Whether a candidate has a word for a trade and a name of its own, printed as large as the company's."""
    own = context.segments[one.first : one.last + 1]
    size = max(context.segments[at].size for at in range(best.first, best.last + 1))
    named = trade_share(one.text) > 0 and not is_trade_word(one.text) and distinctive(one.text) >= _OWN_NAME
    return (
        named
        and not has_legal_form(one.text)
        and not count_sentence_words(one.text)
        and len(one.text.split()) <= _MOST_WORDS
        and all(_is_plain(context, at) for at in range(one.first, one.last + 1))
        and min(o.size for o in own) >= _SMALLER * size
    )


def _is_plain(context: NameContext, at: int) -> bool:
    """Whether a row of the head is words alone, of no owner and no address."""
    own = context.segments[at]
    return (
        own.run.zone == "header"
        and not (own.digits or own.entities or own.amount or own.places)
        and own.title_share == 0
        and context.address_scores[at] < _ADDRESS
        and not is_owner(own.rest)
        and not is_greeted(own.rest)
    )


def _alike(one: str, other: str) -> bool:
    """Whether two names begin alike, so that both are one: with its legal form and without."""
    return one[:_TELLING] == other[:_TELLING] or one in other or other in one
