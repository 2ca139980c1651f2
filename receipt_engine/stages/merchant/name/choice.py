"""Chooses the merchant's name among the candidates."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from rapidfuzz import fuzz

from receipt_engine.document import Found
from receipt_engine.region import SUMS, Role
from receipt_engine.scoring.certainty import LIKELY
from receipt_engine.scoring.linear import LinearModel
from receipt_engine.stages.merchant.address.other_rows import has_hours, is_staff
from receipt_engine.stages.merchant.address.places import is_street
from receipt_engine.stages.merchant.name.beside import in_full, is_host
from receipt_engine.stages.merchant.name.candidates import HEAD, NameCandidate, NameContext
from receipt_engine.stages.merchant.name.features import absent_features, name_features
from receipt_engine.stages.merchant.name.repair import repaired
from receipt_engine.stages.merchant.name.text import (
    count_sentence_words,
    ends_in_trading_sign,
    is_announced,
    names_shop,
)
from receipt_engine.stages.merchant.name.trading import trading_name
from receipt_engine.stages.merchant.row_kinds import (
    is_document_number,
    is_guest_seat,
    is_list,
    is_note,
    is_registration,
    is_slogan,
    is_staffed,
    is_terminal,
    is_word_alone,
    names_customer,
    states_activity,
)
from receipt_engine.stages.merchant.segments import Segment
from receipt_engine.vocabulary import has_term, is_term, term_at_end, term_at_start
from receipt_engine.vocabulary.brands import brand_of_branch, telling_brand
from receipt_engine.vocabulary.legal_forms import has_legal_form
from receipt_engine.vocabulary.trades import count_distinctive, is_trade_word, trade_share

#: From this similarity on (0 to 100), two candidates are the same name.
_SAME = 80
#: Score added to a candidate that is only the town, or the building where the shop is.
_TOWN = -4.0
#: Score added to a candidate behind a label for a shop's name: "Merchant name: Kettle"; twice behind "trading
#: as", unless the row is likelier a part of the address.
_ANNOUNCED = 4.0
#: Score added to a candidate that is staff, is made of words of sentences, or has a row of another kind.
_OTHER_KIND = -6.0
#: Score added to a trade with its name in quotation marks, which stands below its owner's name.
_QUOTED = 2.0
_QUOTED_NAME = re.compile(r"""([^"„“«»]*[^\W\d_]) *["„“«][^"„”“«»]+["”“»]""")
#: Score added to a chain of the country.
_CHAIN = 2.0
#: Fewest letters of a building's name.
_SHORTEST_BUILDING = 8
#: A state's abbreviation and a Canadian postcode.
_STATE_AND_CODE = re.compile(r"[\s,]+[A-Z]{2}[\s,]+[A-Z]\d[A-Z] ?\d[A-Z]\d")
#: One capital, three words or more, and a full stop behind a word that is too long for an abbreviation.
_SENTENCE = re.compile(r"[^\W\d_]+(?: [^\W\d_]+)+ [^\W\d_]{6,}\.")
#: A label of one to three words, a colon and a value; and how many others make a form.
_FIELD = re.compile(r"[^\W\d_]{2,15}(?: [^\W\d_]{1,12}){0,2} ?: ?\S")
_FIELDS = 2
#: From this share of words about the sale on, a row is a label.
_SURELY = 0.9
_TITLES: tuple[Role, ...] = ("footer", "header", "invoice", "receipt")
#: A character score below this lowers the confidence.
_CLEAR = 0.95


def choose_name(context: NameContext, model: LinearModel) -> tuple[Found, NameCandidate] | None:
    """The name and its candidate: the likeliest one, or the trading name beside it. None without candidates.

    The confidence is the probability of the candidate and of those similar to it, lowered where the text is
    badly read. That no candidate is the name has a probability, too.
    """
    found = context.candidates
    if not found:
        return None
    scores = [
        model.score(name_features(context, at))
        + _TOWN * ((_is_town(context, one) or _is_building(context, one)) and not _is_chain(context, one))
        + _ANNOUNCED * (_is_announced(context, one) - _is_above_shop(context, one))
        + _ANNOUNCED * (_is_shop(context, one) and context.plain(one.first))
        + _QUOTED * _is_quoted(one.text)
        + _OTHER_KIND * (is_staff(context.segments, one.first) or _is_slogan(one.text))
        + _OTHER_KIND * (_is_other_kind(context, one) or is_host(context, one.first))
        for at, one in enumerate(found)
    ]
    scores = _with_chains(context, scores)
    shares = _softmax([*scores, model.score(absent_features(context))])[:-1]
    printed: dict[str, float] = {}
    for share, one in zip(shares, found, strict=True):
        printed[one.key] = printed.get(one.key, 0.0) + share
    order = sorted(range(len(found)), key=lambda at: (-printed[found[at].key], -shares[at], at))
    best = found[order[0]]
    named = [one for one in found if not _is_other_kind(context, one)]
    best = trading_name(context, named, best) or best
    best = in_full(context, named, best) or _company_of_branch(context, named, best) or best
    together = sum(
        share
        for share, other in zip(shares, found, strict=True)
        if _same(best, other) or other is found[order[0]]
    )
    others = tuple((found[at].text, round(shares[at], 3)) for at in order[:6] if not _same(best, found[at]))
    text, rule = repaired(context, best)
    rows = tuple(context.segments[i].run.row for i in range(best.first, best.last + 1))
    legible = min(context.segments[i].run.score for i in range(best.first, best.last + 1))
    confidence = together * min(1.0, legible / _CLEAR)
    return Found(text, round(min(0.99, confidence), 3), rows, rule, others), best


def _with_chains(context: NameContext, scores: Sequence[float]) -> list[float]:
    """The candidates' scores, raised for the country's chains and lowered for those that join rows to one.

    Unchanged where a company is the likeliest: `trading_name` looks for the chain beside it."""
    found = context.candidates
    best = found[max(range(len(found)), key=scores.__getitem__)]
    chains = [_is_chain(context, one) for one in found]
    keys = [one.key for one, chain in zip(found, chains, strict=True) if chain]
    if has_legal_form(best.text) and not any(best.key.startswith(key) for key in keys):
        return list(scores)
    heads = {one.first for one, chain in zip(found, chains, strict=True) if chain and one.first == one.last}
    return [
        score + _CHAIN * (chain - (not chain and one.first < one.last and one.first in heads))
        for score, chain, one in zip(scores, chains, found, strict=True)
    ]


def _is_chain(context: NameContext, one: NameCandidate) -> bool:
    """Whether a candidate in the header is a chain of the country, or is the first segment and has a chain's
    name with the branch behind it: "KETTLE NORTHGATE"."""
    if one.first >= HEAD or context.segments[one.first].run.zone != "header":
        return False
    if telling_brand(one.text, context.country) is not None:
        return True
    if one.first > 0 or one.last > 0 or any(map(str.isdigit, one.text)):
        return False
    return brand_of_branch(one.text, context.country) is not None


def _is_town(context: NameContext, one: NameCandidate) -> bool:
    """Whether a candidate is the town of the address, as in the name of a branch: "ELKO NV STORE 0882" above
    "ELKO, NV 89801", "Sorrel" above "Sorrel AB T4X 0B6"; or only the country."""
    first = context.segments[one.first]
    if one.first == one.last and first.whole_place and first.places == {"country"}:
        return True
    return any(
        "postcode" in own.places
        and (own.places != {"postcode"} or "#" not in own.rest)  # "Kettle#23418-0" is a shop
        and own.digits > 0
        and (key == one.key or (key.startswith(one.key) and _stands_before_state(one.text, own.rest)))
        for at, (key, own) in enumerate(zip(context.keys, context.segments, strict=True))
        if at in context.address or not one.first <= at <= one.last  # "KIOSK 0447 LEEDS" is a shop
    )


def _stands_before_state(town: str, text: str) -> bool:
    """Whether a state's abbreviation and a postcode follow a town in a text, and nothing else."""
    return text.lower().startswith(town.lower()) and _STATE_AND_CODE.fullmatch(text, len(town)) is not None


def _is_building(context: NameContext, one: NameCandidate) -> bool:
    """Whether a candidate is the building that a row of the address names behind a unit: "HARBOUR POINT"
    above "#02-14 Harbour Point Shopping Centre"."""
    if len(one.key) < _SHORTEST_BUILDING:
        return False
    others = (at for at in context.address if not one.first <= at <= one.last)
    return any(context.segments[at].unit_first and context.keys[at].find(one.key) > 0 for at in others)


def _is_announced(context: NameContext, one: NameCandidate) -> bool:
    """Whether words for a shop's name stand before a candidate, in its row or alone beside or above it,
    "trading as", or a greeting with a word for the document or the order: "Your receipt
    from Kettle"."""
    own = context.segments[one.first].rest
    welcome = term_at_start(own, "welcome")
    sent = welcome is not None and has_term(own[: welcome.end], "document_number", "order_number")
    labelled = _is_labelled(context, context.segments[one.first])
    return is_announced(own) or sent or labelled or _is_shop(context, one)


def _is_shop(context: NameContext, one: NameCandidate) -> bool:
    """Whether "trading as" stands before a candidate of the header, or at the end of the row above it."""
    own, above = context.segments[one.first].rest, context.segments[one.first - 1].rest if one.first else ""
    return one.first < HEAD and names_shop(own, above)


def _is_labelled(context: NameContext, own: Segment) -> bool:
    """Whether a label for a shop's name stands alone on the left of a row, or right above it."""
    near = (
        other.run
        for other in context.segments
        if (other.run.row == own.run.row and other.run.end < own.run.start)
        or (other.run.row == own.run.row - 1 and other.run.start == own.run.start == 0)
    )
    return any(is_term(run.text.rstrip(" :："), "name_label") or _says_of(run.text) for run in near)


def _says_of(text: str) -> bool:
    """Whether a text is only a greeting with a word for the document or the order, "Your order from", or says
    that a sum was paid to someone: "You paid £12.60 to"."""
    sum_paid = any(map(str.isdigit, text)) and has_term(text, "paid")
    if sum_paid and term_at_end(text, "addressee") is not None:
        return True
    return is_term(text.rstrip(" :："), "welcome") and has_term(text, "document_number", "order_number")


def _is_above_shop(context: NameContext, one: NameCandidate) -> bool:
    """Whether "trading as" begins the row below a candidate, a company, before the shop's name."""
    rows = [own.rest for own in context.segments[one.last : one.last + 2]]
    return len(rows) > 1 and one.last + 1 < HEAD and names_shop(rows[1], rows[0])


def _is_other_kind(context: NameContext, one: NameCandidate) -> bool:
    """Whether one of a candidate's rows gives the shop's line of business, staff, a terminal, a registration,
    a guest's seat, a note, a greeting by name, a document, a slogan, a label, a sum, the street, an end of a
    trip or the registered office."""
    return any(
        states_activity(own.rest)
        or is_staffed(own)
        or (at > 0 and is_list(own.rest))
        or has_hours(own.run.text)
        or names_customer(own.rest)
        or is_document_number(own.rest)
        or is_word_alone(own.rest)
        or is_terminal(own)
        or (bool({"email", "url"} & own.entities) and own.rest.rstrip().endswith(":"))
        or is_registration(own)
        or is_guest_seat(own.rest)
        or is_note(own)
        or ends_in_trading_sign(own.rest)
        or _is_sentences(own)
        or _is_label(own)
        or _is_field(context, own)
        or (own.run.zone == "summary" and own.weight(*SUMS) >= LIKELY)
        or (at in context.address[:1] and _is_first_street(context))
        or at in context.elsewhere
        for at, own in enumerate(context.segments[one.first : one.last + 1], one.first)
    )


def _is_quoted(name: str) -> bool:
    """Whether a name is a word for a shop or its trade and a name in quotation marks: BAKERY "KETTLE"."""
    found = _QUOTED_NAME.fullmatch(name)
    return found is not None and (is_trade_word(found[1]) or is_term(found[1], "store"))


def _is_first_street(context: NameContext) -> bool:
    """Whether an address of several rows begins with its street. A name with a number behind it is none above
    a row that begins with the house number, and the town: "Kettle Square 13" above "12 Mill St"."""
    first, *others = (context.segments[at] for at in context.address)
    if not others or not is_street(first):
        return False
    street = others[0].number_first and "postcode" not in others[0].places
    return bool(first.number_first or not (street and any("postcode" in own.places for own in others[1:])))


def _is_slogan(text: str) -> bool:
    """Whether a text consists of two or more words, all of them words of sentences: "Keep this"."""
    words = text.split()
    return len(words) > 1 and count_sentence_words(text) == len(words)


def _is_sentences(own: Segment) -> bool:
    """Whether a row is one or two sentences of a slogan, "It pays to save." and "Sip slowly. Smile.", and no
    abbreviated company; or a question below the sale ("Questions?")."""
    text = own.rest.rstrip()
    if text.endswith("?") and own.run.zone == "after":
        return True
    sentence = _SENTENCE.fullmatch(text) is not None and text[1:].islower()
    return (sentence or (text.endswith(".") and is_slogan(text))) and not has_legal_form(text)


def _is_label(own: Segment) -> bool:
    """Whether a row has only words of the sale and a number, or only a document's title: "ORDER 118", "SALE",
    "VOID". Not a word for a kind of business ("BAR", which is cash in German)."""
    label = own.title_share >= _SURELY and (own.weight(*_TITLES) >= LIKELY or own.digits > 0)
    return (label or own.weight("void") >= _SURELY) and not trade_share(own.rest)


def _is_field(context: NameContext, own: Segment) -> bool:
    """Whether a row of the header, not its first, is a label with its value behind a colon, among several
    such rows, and the label is none for a shop: "Event: Harbour Jazz", "Place: Mill Hall", "Order: HJ"."""
    label = own.run.text.partition(":")[0]
    if _FIELD.match(own.run.text) is None or is_announced(own.rest) or own is context.segments[0]:
        return False
    if trade_share(label) > 0 or has_term(label, "building", "store"):
        return False  # "Restaurant: Kettle", "Plaza: Larch Bridge"
    others = (other.run for other in context.segments if other.run.zone == "header" and other is not own)
    return sum(_FIELD.match(run.text) is not None for run in others) >= _FIELDS


def _company_of_branch(
    context: NameContext, found: Sequence[NameCandidate], best: NameCandidate
) -> NameCandidate | None:
    """The company right below or above a best one that only numbers a shop: "PETROL STATION NO 4417"."""
    numbered = context.segments[best.first].digits > 0 and best.first == best.last
    if not numbered or count_distinctive(best.text):
        return None
    beside = (best.first - 1, best.last + 1)
    return next((one for one in found if one.first in beside and has_legal_form(one.text)), None)


def _same(one: NameCandidate, other: NameCandidate) -> bool:
    return one.key == other.key or fuzz.ratio(one.key, other.key) >= _SAME


def _softmax(scores: Sequence[float]) -> list[float]:
    top = max(scores)
    powers = [math.exp(s - top) for s in scores]
    total = sum(powers)
    return [p / total for p in powers]
