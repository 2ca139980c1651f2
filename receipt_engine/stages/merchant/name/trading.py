"""The trading name beside the company's: a shop is known by the name that tells its trade."""

from __future__ import annotations

import re
from collections.abc import Sequence

from receipt_engine.stages.merchant.name.candidates import TITLED, NameCandidate, NameContext
from receipt_engine.stages.merchant.name.text import clean_name, count_sentence_words, is_greeted, is_owner
from receipt_engine.vocabulary.legal_forms import has_legal_form, is_known_by, without_legal_form
from receipt_engine.vocabulary.tokens import SHORTEST_NAME, tokens
from receipt_engine.vocabulary.trades import distinctive, ends_in_trade, is_trade_word, trade_share

#: In a label with its value, and in a list of what is sold: "RESTAURANTES, CAFES Y OTROS".
_LISTED = re.compile("[:：,，、]")
#: Least size of a trading name relative to the company's beside it, and its most words.
_SMALLER = 0.8
_MOST_WORDS = 5
#: From this log-odds on a row is the address, whatever it says of a trade.
_ADDRESS = 2.5
#: Letters that tell two names apart.
_TELLING = 4
#: Character score of print that is no logo.
_CLEAR = 0.98


def trading_name(
    context: NameContext, candidates: Sequence[NameCandidate], best: NameCandidate
) -> NameCandidate | None:
    """The candidate beside a company's name that is the shop's: one that tells its trade ("KETTLE CAFE" above
    "Copper Holdings Ltd"), or one above it that begins alike ("Kettle Local", "Kettle Stores Ltd").
    None when there is none."""
    if not has_legal_form(best.text) or is_known_by(best.text):
        return None
    if single := _one_of_two(context, candidates, best):
        return single
    beside = [
        one
        for one in candidates
        if (one.last + 1 == best.first or best.last + 1 == one.first or _heads(context, one, best))
        and _is_name(context, one, best)
        and _is_trading(context, one, best)
    ]
    return max(beside, key=lambda one: (one.first < best.first, one.last - one.first), default=None)


def _one_of_two(
    context: NameContext, candidates: Sequence[NameCandidate], best: NameCandidate
) -> NameCandidate | None:
    """Of a shop's name and its company's that were joined ("Hotel Kettle", "Kettle Ltd"), the shop's; of a
    company's and a word for its trade below it, the company's. None when the rows are one name."""
    above, last = context.segments[best.first : best.last], context.segments[best.last]
    if not above or above[0].run.row == last.run.row:
        return None
    earlier = " ".join(own.rest for own in above)
    again = _own_words(last.rest) and _own_words(last.rest) <= _own_words(earlier)
    shop = has_legal_form(last.rest) and not has_legal_form(earlier) and again
    named = has_legal_form(earlier) and distinctive(earlier) >= SHORTEST_NAME
    company = named and is_trade_word(clean_name(last.rest))
    if not shop and not company:
        return None
    return next((one for one in candidates if (one.first, one.last) == (best.first, best.last - 1)), None)


def _own_words(text: str) -> set[str]:
    """The words of a name that are no legal form, as long as to tell it from others."""
    return {token.text for token in tokens(without_legal_form(text)) if len(token.text) >= _TELLING}


def _is_trading(context: NameContext, one: NameCandidate, best: NameCandidate) -> bool:
    """Whether a name tells its trade, or heads the page, and is no part of the company's; or begins as it
    does, above it."""
    if one.key[:_TELLING] == best.key[:_TELLING]:
        return one.last < best.first and one.key not in best.key
    contained = one.key in best.key or best.key in one.key
    told = trade_share(one.text) > 0 or ends_in_trade(one.text) or _heads(context, one, best)
    return told and not contained


def _heads(context: NameContext, one: NameCandidate, best: NameCandidate) -> bool:
    """Whether a name of several words stands first, above the company's with at most a slogan between, and is
    read too well for a logo: what a shop is called, whatever it sells."""
    if one.last >= best.first:
        return False
    clear = min(own.run.score for own in context.segments[one.first : one.last + 1]) >= _CLEAR
    between = context.segments[one.last + 1 : best.first]
    near = len(between) <= 1 and all(count_sentence_words(own.rest) for own in between)
    return one.first == 0 and near and clear and len(one.text.split()) > 1


def _is_name(context: NameContext, one: NameCandidate, best: NameCandidate) -> bool:
    """Whether a candidate is a plain name of its own, printed as large as the other one."""
    own = context.segments[one.first : one.last + 1]
    size = max(context.segments[at].size for at in range(best.first, best.last + 1))
    return (
        not is_trade_word(one.text)
        and not _LISTED.search(one.text)
        and distinctive(one.text) >= SHORTEST_NAME
        and not has_legal_form(one.text)
        and not count_sentence_words(one.text)
        and len(one.text.split()) <= _MOST_WORDS
        and all(_is_plain(context, at) for at in range(one.first, one.last + 1))
        and (one.first == 0 or not any(o.places or o.roles.get("company") for o in own))
        and min(o.size for o in own) >= _SMALLER * size
    )


def _is_plain(context: NameContext, at: int) -> bool:
    """Whether a row of the head is words alone, of no owner and no address."""
    own = context.segments[at]
    return (
        own.run.zone == "header"
        and not (own.digits or own.entities or own.amount or own.whole_place)
        and own.title_share < TITLED
        and context.address_scores[at] < _ADDRESS
        and not is_owner(own.rest)
        and not is_greeted(own.rest)
    )
