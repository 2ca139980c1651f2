"""Measures whether the rows of a longer candidate for the merchant's name belong together."""

from __future__ import annotations

import itertools
import re

from receipt_engine.stages.merchant.name.candidates import NameCandidate, NameContext, is_cut
from receipt_engine.stages.merchant.name.text import clean_name
from receipt_engine.vocabulary import term_at_end, term_at_start
from receipt_engine.vocabulary.legal_forms import has_legal_form, is_legal_form
from receipt_engine.vocabulary.tokens import SHORTEST_NAME
from receipt_engine.vocabulary.trades import count_distinctive, is_description, trade_share

#: Beginnings of rows that need the row above.
_OPEN_START = re.compile(r"^(?:[&)+]|\w+\))")
_BRACKET = re.compile(r"^\([^)]*\)\s*")
#: Smallest relative character width of double-width text; letters of one font differ in width.
_BROAD = 1.4
#: Below this share of trade words, a text also has a name.
_LITTLE_TRADE = 0.65


def is_open_start(text: str) -> bool:
    """Whether a row needs the one above: it begins with "and", a closing bracket or a legal form."""
    form = _BRACKET.sub("", text) if text.startswith("(") else text
    return (
        _OPEN_START.match(text) is not None
        or term_at_start(text, "conjunction") is not None
        or (bool(form) and is_legal_form(form))
    )


def is_open_end(text: str) -> bool:
    """Whether a row needs the next one: it ends with "and", "of the", an open bracket and the like."""
    last = text.rstrip()[-1:]
    link = term_at_end(text, "link") if last.isalpha() else None
    return last in tuple("&+,(") or (link is not None and not text[link.start - 1 : link.start].strip())


def before_trade(name: str) -> bool:
    """Whether a name has distinctive letters and few trade words."""
    return count_distinctive(name) >= SHORTEST_NAME and trade_share(name) < _LITTLE_TRADE


def closes_head(context: NameContext, at: int) -> bool:
    """Whether a segment is only a description of the trade ("Family Restaurant"), with no plain text next."""
    own = context.segments[at]
    if own.entities or own.digits or not is_description(own.rest) or has_legal_form(own.rest):
        return False
    return at + 1 >= len(context.segments) or not context.plain(at + 1)


def joined(context: NameContext, candidate: NameCandidate) -> dict[str, float]:
    """Features that say whether the segments of a longer candidate belong together."""
    own = context.segments[candidate.first : candidate.last + 1]
    sizes = [o.size for o in own]
    names = [clean_name(o.rest) for o in own]
    ratio = max(sizes) / max(0.1, min(sizes))
    earlier = " ".join(names[:-1])
    closed = before_trade(earlier) and closes_head(context, candidate.last)
    return {
        "join:row": any(a.run.row == b.run.row for a, b in itertools.pairwise(own)),
        "join:uneven": ratio > 1.35 and not closed,
        "join:all_broad": min(o.breadth for o in own) > _BROAD,
        # The trade in plain letters above the name in broad ones is the usual logo.
        "join:uneven_breadth": max(o.breadth for o in own) > _BROAD * min(o.breadth for o in own)
        and not is_description(names[0]),
        "join:case": len({n.isupper() for n in names if n}) > 1,
        "join:legal_last": has_legal_form(names[-1]) and not has_legal_form(earlier),
        "join:trade_last": trade_share(names[-1]) > 0.9,
        "join:trade_close": closed,
        "join:open_inside": any(is_cut(a, b) for a, b in itertools.pairwise(own)),
        "join:open": is_open_end(earlier) or is_open_start(names[-1]),
        "join:address": max(context.address_scores[candidate.first : candidate.last + 1]) > 0,
        "join:place": any(o.world and trade_share(o.rest) < _LITTLE_TRADE for o in own[1:]),
        "join:title": max(o.title_share for o in own) > 0.6,
        "join:entity": any(o.entities - {"id"} for o in own),
    }
