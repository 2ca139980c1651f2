"""Computes the features of a candidate for the merchant's name."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from rapidfuzz import fuzz

from receipt_engine.document import EntityKind
from receipt_engine.region import Role
from receipt_engine.scoring.certainty import SURE
from receipt_engine.scoring.linear import by_kind
from receipt_engine.stages.merchant.name.candidates import (
    HEAD,
    LOGO,
    NameCandidate,
    NameContext,
    continues,
    is_spread,
)
from receipt_engine.stages.merchant.name.greetings import name_before_programme
from receipt_engine.stages.merchant.name.joins import is_open_end, is_open_start, joined
from receipt_engine.stages.merchant.name.text import clean_name, count_sentence_words, is_greeted, is_owner
from receipt_engine.stages.merchant.segments import Segment
from receipt_engine.stages.merchant.store_numbers import has_store_number
from receipt_engine.stages.merchant.text_runs import TITLES
from receipt_engine.vocabulary.legal_forms import has_legal_form, is_legal_form, legal_kind, weighted_kinds
from receipt_engine.vocabulary.normalise import count_letters
from receipt_engine.vocabulary.tokens import SHORTEST_NAME
from receipt_engine.vocabulary.trades import count_distinctive, is_trade_word, trade_share

#: Fewest letters of a name that do not agree with another text by chance.
_TELLING = 5
#: Fewest letters of a segment that shows the character width.
_SOME_TEXT = 3
_ROLES: tuple[Role, ...] = ("company", "quantity")
_ENTITIES: tuple[EntityKind, ...] = ("phone", "date")
#: Positions from the top that have features. Farthest distance above the address, in segments, that has one.
_FIRST, _NEAR_ADDRESS = 2, 2
#: The features that the model has weights for.
_ALONE = [
    "brackets", "centred", "colon", "digit_share", "digits_first", "generic_legal", "greeting_own",
    "labelled", "legal_only", "lower_many", "lower_words", "many_words", "one_word", "open_end", "open_start",
    "owner", "poor", "poor:0.85", "programme", "sentence", "short", "title", "trade", "trade_only", "upper",
    "zone:items",
]  # fmt: skip
_SIZE = ["biggest", "broad>1.4", "same_size_above", "smaller_than_head"]
_AROUND = [
    "address_score", "after_address", "id_beside", "in_address", "legal_above", "no_address", "numbered",
    "off_centre", "owned_above", "row_goes_on", "two_rows",
]  # fmt: skip
_OTHERS = ["domain", "domain_all", "in_address_again", "logo", "trade_only_above"]
_JOINS = [
    "join:address", "join:all_broad", "join:case", "join:entity", "join:legal_last", "join:open",
    "join:open_inside", "join:place", "join:row", "join:title", "join:trade_close", "join:trade_last",
    "join:uneven", "join:uneven_breadth",
]  # fmt: skip
#: Features of the case that no candidate is the name.
_ABSENT = ["absent:address_first"]


def name_features(context: NameContext, at: int) -> dict[str, float]:
    """The features of the context's candidate `at`; missing ones are zero."""
    candidate = context.candidates[at]
    own = context.segments[candidate.first : candidate.last + 1]
    f: dict[str, float] = {"two_rows": len(own) == 2}
    if candidate.first < _FIRST:
        f[f"at:{candidate.first}"] = 1.0
    f |= _looks(own, candidate)
    f |= _size(context, candidate)
    f |= _around(context, candidate)
    f |= _agreement(context, at)
    f |= _beside_others(context, candidate)
    if len(own) > 1:
        f |= joined(context, candidate)
    return f


def _looks(own: Sequence[Segment], candidate: NameCandidate) -> dict[str, float]:
    text = candidate.text
    count = count_letters(text)
    digits = sum(map(str.isdigit, text))
    words = text.split()
    lower = text.islower()
    trade = trade_share(text)
    score = min([o.run.score for o in own])
    f: dict[str, float] = {}
    for role in _ROLES:
        f["role:" + role] = max([o.roles.get(role, 0.0) for o in own])
    f["title"] = max([o.title_share for o in own])
    entities = frozenset().union(*(o.entities for o in own))
    for kind in _ENTITIES if entities else ():
        f["entity:" + kind] = kind in entities
    f["zone:items"] = any(o.run.zone == "items" for o in own)
    form = legal_kind(text)
    if form is not None and form in weighted_kinds():
        f[f"legal:{form}"] = 1.0
    f["legal_only"] = is_legal_form(text)
    f["trade"] = trade if trade < 0.95 else 0.0
    f["trade_only"] = is_trade_word(text)
    f["greeting_own"] = is_greeted(own[0].rest)
    f["programme"] = candidate.first >= HEAD and name_before_programme(own[0].rest) != ""
    f["labelled"] = any(_is_labelled(o) and not is_greeted(o.rest) for o in own)
    f["owner"] = any(is_owner(o.rest) for o in own)
    f["short"] = count <= 3
    f["digit_share"] = digits / max(1, digits + count)
    f["digits_first"] = text[:1].isdigit()
    f["one_word"] = len(words) == 1
    f["many_words"] = max(0, len(words) - 5)
    f["lower_many"] = lower and len(words) > 1
    f["upper"] = text.isupper()
    f["lower_words"] = sum([w[:1].islower() for w in words]) / len(words) if not lower else 0.0
    spoken = count_sentence_words(text)
    if form is not None and spoken and not count_sentence_words(words[0]):
        spoken -= 1  # "KETTLE plus d.o.o."
    f["sentence"] = min(2, spoken)
    f["colon"] = ":" in text
    f["brackets"] = own[0].rest.startswith("(")
    f["open_start"] = is_open_start(text)
    f["open_end"] = is_open_end(text)
    f["poor"] = min(1.0, max(0.0, 0.995 - score) * 12)
    f["poor:0.85"] = score < 0.85
    f["generic_legal"] = count_distinctive(text) < 3 and has_legal_form(text)
    f["centred"] = 1 - 2 * abs(_center(own) - 0.5)
    return f


def _center(own: Sequence[Segment]) -> float:
    """Middle of the candidate's first row on the page, 0 to 1."""
    row = [o for o in own if o.run.row == own[0].run.row]
    return (row[0].center - row[0].share / 2 + row[-1].center + row[-1].share / 2) / 2


def _is_labelled(own: Segment) -> bool:
    """Whether a segment begins with the label of something else ("Manager", "Order no")."""
    first = min(own.run.roles, key=lambda m: m.start, default=None)
    if first is None or first.role not in TITLES or first.weight < SURE or len(first.phrase) < 3:
        return False
    return not any(c.isalnum() for c in own.run.text[: max(0, first.start - own.run.start)])


def _size(context: NameContext, candidate: NameCandidate) -> dict[str, float]:
    segments = context.segments
    own = segments[candidate.first : candidate.last + 1]
    largest = max(o.size for o in own)
    f = {
        "biggest": largest >= 0.93 * context.biggest and context.biggest > 1.25,
        "smaller_than_head": min(2.0, context.biggest / max(0.1, largest) - 1.0),
    }
    broad = min((o.breadth for o in own if o.letters >= _SOME_TEXT), default=1.0)
    f["broad>1.4"] = broad > 1.4
    if candidate.first:
        above, first = segments[candidate.first - 1], own[0]
        same = continues(above, first) and _is_of_size(context, candidate.first - 1, first)
        # Below a greeting or a trade word alone, the name is in the next row.
        named = not is_greeted(first.rest) and count_distinctive(clean_name(above.rest)) >= SHORTEST_NAME
        f["same_size_above"] = same and named
    return f


def _is_of_size(context: NameContext, at: int, edge: Segment) -> bool:
    """Whether a segment is plain text of the same size as the candidate's row beside it."""
    other = context.segments[at]
    plain = not other.entities and context.address_scores[at] < 0 and other.letters >= 3
    return plain and other.title_share < 0.6 and 0.85 < other.size / max(0.1, edge.size) < 1.18


def _around(context: NameContext, candidate: NameCandidate) -> dict[str, float]:
    segments = context.segments
    own = range(candidate.first, candidate.last + 1)
    f: dict[str, float] = {
        "address_score": max(-4.0, min(4.0, max(context.address_scores[i] for i in own))) / 4,
        "in_address": sum(i in context.address for i in own) / len(own),
    }
    if context.address:
        distance = context.address[0] - candidate.last
        if distance > 0:
            if distance <= _NEAR_ADDRESS:
                f[f"before_address:{distance}"] = 1.0
        else:
            f["after_address"] = distance != 0
    else:
        f["no_address"] = 1.0
    f["numbered"] = context.address_scores[candidate.last] < 0 and has_store_number(
        segments[candidate.last].rest
    )
    before = segments[candidate.first - 1] if candidate.first else None
    if before is not None:
        f["legal_above"] = has_legal_form(clean_name(before.rest))
        f["owned_above"] = is_owner(before.rest) and not clean_name(before.rest)
    f["row_goes_on"] = any(
        a >= 0 and b < len(segments) and is_spread(segments[a], segments[b])
        for a, b in ((candidate.first - 1, candidate.first), (candidate.last, candidate.last + 1))
    )
    nearby = [b.center for b in segments[candidate.first + 1 : candidate.first + 6]]
    if nearby:
        middle = _center(segments[candidate.first : candidate.last + 1])
        f["off_centre"] = min(0.5, abs(middle - sorted(nearby)[len(nearby) // 2])) * 2
    f["id_beside"] = any("id" in segments[i].entities and "phone" not in segments[i].entities for i in own)
    return f


def _begins(key: str, other: str) -> bool:
    """Whether another row begins with the name and continues, for example with the name of a branch."""
    return len(key) >= _TELLING and len(other) >= len(key) + SHORTEST_NAME and other.startswith(key)


def _agreement(context: NameContext, at: int) -> dict[str, float]:
    """Features of the candidate's agreement with web addresses, a logo or other rows."""
    candidate = context.candidates[at]
    key = candidate.key
    f: dict[str, float] = {}
    if len(key) < 3:
        return f
    for domain in context.domains:
        alike = fuzz.partial_ratio(domain, key) / 100 if len(domain) >= 4 else float(domain in key)
        if alike >= 0.75:
            f["domain"] = max(f.get("domain", 0.0), alike * min(1.0, 0.4 + 0.6 * len(domain) / len(key)))
            f["domain_all"] = max(f.get("domain_all", 0.0), float(fuzz.ratio(domain, key) >= 75))
    size = max(context.segments[i].size for i in range(candidate.first, candidate.last + 1))
    for index, alike in context.alike[at]:
        if candidate.first <= index <= candidate.last:
            continue
        other, there = context.segments[index], context.keys[index]
        if other.size > LOGO and size < 0.7 * other.size and len(there) >= 4:
            f["logo"] = max(f.get("logo", 0.0), alike)
    return f


def _beside_others(context: NameContext, candidate: NameCandidate) -> dict[str, float]:
    """Features of the candidate compared with other candidates and the address."""
    key = candidate.key
    f: dict[str, float] = {}
    own = range(candidate.first, candidate.last + 1)
    f["in_address_again"] = len(key) >= 6 and any(
        key in context.keys[i] and not _begins(key, context.keys[i]) for i in context.address if i not in own
    )
    last = context.segments[candidate.last]
    if candidate.last + 1 < len(context.segments) and is_trade_word(candidate.text):
        below = context.segments[candidate.last + 1]
        plain = (
            not below.entities and context.address_scores[candidate.last + 1] < 0 and below.title_share < 0.6
        )
        f["trade_only_above"] = plain and continues(last, below) and below.letters >= 3
    return f


def absent_features(context: NameContext) -> dict[str, float]:
    """Features of the case that no candidate is the name, such as a logo that was not read."""
    return {"absent:address_first": bool(context.address) and context.address[0] == 0}


@cache
def declared_name_features() -> tuple[str, ...]:
    """Features of a candidate's text, size, surroundings and joined rows, and of the name's absence."""
    return (
        *_ALONE,
        *_SIZE,
        *_AROUND,
        *_OTHERS,
        *_ABSENT,
        *_JOINS,
        *by_kind(
            role=_ROLES,
            entity=_ENTITIES,
            at=range(_FIRST),
            before_address=range(1, _NEAR_ADDRESS + 1),
            legal=sorted(weighted_kinds()),
        ),
    )
