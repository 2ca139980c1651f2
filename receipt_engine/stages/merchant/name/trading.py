"""Finds the trading name beside a company's legal name: a shop is known by the name with its trade word."""

from __future__ import annotations

import re
from collections.abc import Sequence

from receipt_engine.scoring.certainty import POSSIBLE
from receipt_engine.stages.merchant.address.places import stands_between
from receipt_engine.stages.merchant.name.candidates import HEAD, TITLED, NameCandidate, NameContext
from receipt_engine.stages.merchant.name.text import count_sentence_words, is_announced, is_greeted, is_owner
from receipt_engine.stages.merchant.segments import Segment
from receipt_engine.stages.merchant.store_numbers import chain_of_shop
from receipt_engine.vocabulary import find_terms, has_term, term_at_start
from receipt_engine.vocabulary.brands import brand_of_branch, telling_brand
from receipt_engine.vocabulary.legal_forms import has_legal_form, prefers_legal_name, without_legal_form
from receipt_engine.vocabulary.tokens import SHORTEST_NAME, tokens
from receipt_engine.vocabulary.trades import count_distinctive, ends_in_trade, is_trade_word, trade_share

#: In a label with its value, and in a list of activities: "RESTAURANTES, CAFES Y OTROS".
_LISTED = re.compile("[:：,，、]")
#: Between the trades of a list.
_TRADES = re.compile(r"[^\W\d_]{3} [-–·•|*/] [^\W\d_]{3}")
#: Smallest text size of a trading name relative to the company's beside it, and its most words.
_SMALLER = 0.8
_MOST_WORDS = 5
#: From this log-odds on, a row is part of the address, whatever trade words it has.
_ADDRESS = 2.5
#: Letters that are enough to distinguish two names.
_TELLING = 4
#: A name of one or two words with a number: "Super 99".
_NUMBERED = re.compile(r"[^\W\d_]{4,}(?: [^\W\d_]{4,})? \d{1,4}")
#: Smallest character score of text that is not a logo.
_CLEAR = 0.98
#: Fewest words of a shop's name and its branch, behind a word for the trade.
_BRANCH = 2
#: Fewest letters of a name of one word, which a shorter piece of a logo may be.
_WHOLE = 7


def trading_name(
    context: NameContext, candidates: Sequence[NameCandidate], best: NameCandidate
) -> NameCandidate | None:
    """The candidate beside a company's name that is the shop's: one with a trade word ("KETTLE CAFE" above
    "Copper Holdings Ltd"), one that heads the page, or one above it with the same beginning ("Kettle Local",
    "Kettle Stores Ltd"). None when there is none."""
    if not has_legal_form(best.text) or prefers_legal_name(best.text):
        return None
    # "Trade name: Kettle" beside "Issuer: Copper Holdings Ltd"
    rows = (one for one in candidates if one.first == one.last and not has_legal_form(one.text))
    shop = next((one for one in rows if is_announced(context.segments[one.first].rest)), None)
    shop = shop or _above_owner(context, candidates, best)
    # The company's seat above, the shop's name, its own address below, as Hungarian tills print them.
    named = (one for one in candidates if stands_between(context.segments, one.first, one.last))
    shop = shop or next(
        (one for one in named if one.first > best.last + 1 and _is_name(context, one, best)), None
    )
    if shop := shop or _begun_at_head(context, candidates, best):
        return shop
    beside = [
        one
        for one in candidates
        if (one.last + 1 == best.first or best.last + 1 == one.first or _is_shop(context, one))
        and _is_name(context, one, best)
        and _is_trading(context, one, best)
    ]
    return max(beside, key=lambda one: (one.first < best.first, one.last - one.first), default=None)


def _above_owner(
    context: NameContext, candidates: Sequence[NameCandidate], best: NameCandidate
) -> NameCandidate | None:
    """The name that heads the page where "operated by" stands before the company's, in its row or the one
    above. None without them."""
    rows = context.segments[max(0, best.first - 1) : best.first + 1]
    if not any(is_owner(own.rest) for own in rows):
        return None
    heads = (one for one in candidates if one.first == 0 and one.last < best.first)
    return next((one for one in heads if _is_name(context, one, best)), None)


def _begun_at_head(
    context: NameContext, candidates: Sequence[NameCandidate], best: NameCandidate
) -> NameCandidate | None:
    """The name in the header with which the company's at the foot of the page begins: "Kettle" above the
    sale, "Kettle Networks Ltd" below it, as apps and e-mails print them. None without it."""
    heads = [one for one in candidates if one.first == one.last < HEAD and best.key.startswith(one.key)]
    if context.segments[best.first].run.zone == "after":
        return next((one for one in heads if _is_name(context, one, best)), None)
    above = (one for one in heads if one.first == 0 and one.last + 1 == best.first)
    begun = (one for one in above if best.text.lower().startswith(f"{one.text.lower()} "))
    return next((one for one in begun if _is_plain(context, 0, one, branch=False)), None)


def _own_words(text: str) -> set[str]:
    """The words of a name, without its legal form, that are long enough to distinguish it from others."""
    return {token.text for token in tokens(without_legal_form(text)) if len(token.text) >= _TELLING}


def _is_trading(context: NameContext, one: NameCandidate, best: NameCandidate) -> bool:
    """Whether a name has a trade word or heads the page, and neither name contains the other; or whether it
    stands above the company's with the same beginning."""
    if one.last < best.first and one.first == 0 and _is_chain(context, one):
        return True
    if one.key[:_TELLING] == best.key[:_TELLING]:
        return one.last < best.first and one.key not in best.key
    contained = one.key in best.key or best.key in one.key
    named = trade_share(one.text) > 0 or ends_in_trade(one.text) or _heads(context, one, best)
    named = named or _is_chain(context, one)
    return named and not contained


def _is_chain(context: NameContext, one: NameCandidate) -> bool:
    """Whether a name is a chain's of the country, perhaps with the branch behind it, or in a row of its
    shop."""
    known = telling_brand(one.text, context.country) or brand_of_branch(one.text, context.country)
    return known is not None or _is_shop(context, one)


def _is_shop(context: NameContext, one: NameCandidate) -> bool:
    """Whether a name is a chain's in a row that numbers or quotes one of its shops."""
    row = context.segments[one.first].rest if one.first == one.last else ""
    return chain_of_shop(row, context.country) is not None


def _heads(context: NameContext, one: NameCandidate, best: NameCandidate) -> bool:
    """Whether a name of several words or a long one is the first segment, above the company's with at most a
    slogan between them, and too well read for a logo. Such a name is the shop's, even without a trade
    word."""
    if one.last >= best.first:
        return False
    clear = min(own.run.score for own in context.segments[one.first : one.last + 1]) >= _CLEAR
    between = context.segments[one.last + 1 : best.first]
    near = len(between) <= 1 and all(_is_beside_name(own.rest) for own in between)
    whole = len(one.text.split()) > 1 or len(one.key) >= _WHOLE
    return one.first == 0 and near and clear and whole


def _is_beside_name(text: str) -> bool:
    """Whether a row is a slogan, a titled person ("Familie Kettle"), a branch ("Branch Northgate"), or a
    list of trades ("Bar - Tabac")."""
    labelled = term_at_start(text, "salutation", "staff", "store") is not None
    return (
        labelled
        or count_sentence_words(text) > 0
        or (_TRADES.search(text) is not None and trade_share(text) > 0)
    )


def _is_name(context: NameContext, one: NameCandidate, best: NameCandidate) -> bool:
    """Whether a candidate is a plain name, and at least about as large as the company's."""
    own = context.segments[one.first : one.last + 1]
    size = max(context.segments[at].size for at in range(best.first, best.last + 1))
    branch = _is_branch(one, best) or _is_shop(context, one)
    return (
        not is_trade_word(one.text)
        and not _LISTED.search(one.text)
        and count_distinctive(one.text) >= SHORTEST_NAME
        and not has_legal_form(one.text)
        and not count_sentence_words(one.text)
        and len(one.text.split()) <= _MOST_WORDS
        and all(_is_plain(context, at, one, branch=branch) for at in range(one.first, one.last + 1))
        and (branch or one.first == 0 or not any(_is_elsewhere(context, one, o) for o in own))
        and min(o.size for o in own) >= _SMALLER * size
    )


def _is_elsewhere(context: NameContext, one: NameCandidate, own: Segment) -> bool:
    """Whether a row names a place or a company; a chain's shop may be named after its town."""
    places = own.places - {"city"} if _is_chain(context, one) else own.places
    return bool(places or own.roles.get("company"))


def _is_branch(one: NameCandidate, best: NameCandidate) -> bool:
    """Whether a name in one row is a trade, the shop's own words and its branch, and not the company's name
    with them: "Hotel Kettle 12" below "Copper Holdings Ltd"."""
    first, *others = one.text.split() or [""]
    company = _own_words(best.text) <= _own_words(one.text)
    whole = one.first == one.last and len(others) >= _BRANCH
    return whole and is_trade_word(first) and not company


def _is_numbered(own: Segment) -> bool:
    """Whether a row is a name with a number, and no street, seat or count: "Super 99"."""
    unknown = own.weight("address") <= POSSIBLE and not find_terms(own.rest)
    return unknown and _NUMBERED.fullmatch(own.rest) is not None


def _is_plain(context: NameContext, at: int, one: NameCandidate, *, branch: bool) -> bool:
    """Whether a row of the header is words only, without a label for the owner, a greeting, a unit or an
    address. A chain's name may have a number, and so may a branch's (`branch`) and the first row behind its
    words."""
    own = context.segments[at]
    chain = _is_chain(context, one) and not has_term(own.rest, "street")
    numbered = own.digits > 0 and not (branch or chain or (at == 0 and _is_numbered(own)))
    return (
        own.run.zone == "header"
        and not (numbered or own.entities or own.amount or own.whole_place or own.unit_first)
        and (chain or own.title_share < TITLED or trade_share(own.rest) >= TITLED)  # "Kettle Service Station"
        and (chain or context.address_scores[at] < _ADDRESS)
        and not is_owner(own.rest)
        and not is_greeted(own.rest)
    )
