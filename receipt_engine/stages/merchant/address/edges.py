"""Corrects an address at its edges: removes rows of another kind and adds missed ones."""

from __future__ import annotations

import re
from collections.abc import Sequence

from receipt_engine.region import Role
from receipt_engine.stages.merchant.address.places import (
    PARTS,
    has_street,
    is_landmark,
    parts_place,
    parts_word,
    shows_place,
)
from receipt_engine.stages.merchant.segments import Segment
from receipt_engine.vocabulary import find_terms, has_term, is_term, term_at_end, term_at_start
from receipt_engine.vocabulary.legal_forms import has_legal_form
from receipt_engine.vocabulary.normalise import letters
from receipt_engine.vocabulary.trades import trade_share

#: A state's abbreviation, perhaps with a postcode.
_STATE_AND_CODE = re.compile(r"^\W*[A-Z]{2,3}\W*(?:\d{4,5}(?:-\d{4})?)?\W*$")
#: Fewest letters of a town's name of one word.
_WORD = 4
#: Above this share of trade words, a row names a shop.
_STORE_TRADE = 0.3
_TITLES: tuple[Role, ...] = ("invoice", "receipt")
_SURELY = 0.9
#: Smallest weight of a role, and smallest title share.
_SOME, _HALF = 0.6, 0.5
#: A row in brackets.
_BRACKETS = re.compile(r"\([^()\d]+\)")
#: Most words of a row that is only a place.
_WORDS_OF_PLACE = 5
#: Distance in rows of two rows with another one between them.
_PARTED = 2


def without_title(segments: Sequence[Segment], block: Sequence[int]) -> tuple[int, ...]:
    """The block without a document title at its end: "TAX INVOICE" or "SALE" below a place, or "REFUND". Or
    without a first row that has only words about the sale, or a title with other words: a shop's number ("Br.
    1183"), "Rental receipt"."""
    if len(block) < 2:
        return tuple(block)
    if _is_of_sale_alone(segments[block[0]]):
        return tuple(block[1:])
    last, above = segments[block[-1]], [segments[at] for at in block[:-1]]
    coded = any("postcode" in own.places for own in above)  # a second one is a number: "e-Ticket A 44711"
    places = last.places - {"postcode"} if coded else last.places
    ended = any(own.places or own.world for own in above) and (coded or not last.digits)
    mostly = _SURELY if has_term(last.rest, *PARTS) else _SOME
    titled = last.weight(*_TITLES) >= mostly and not last.digits
    titled = titled or (last.title_share >= _SURELY and not places)
    return tuple(block[:-1]) if titled and ended else tuple(block)


def _is_of_sale_alone(own: Segment) -> bool:
    """Whether a row has only words about the sale, with their numbers, or a document's title without any, and
    nothing of an address."""
    placed = own.places or own.world or own.weight("address") > 0 or has_term(own.rest, *PARTS)
    titled = own.weight(*_TITLES) >= _SOME and not own.digits
    return (titled or own.title_share >= _SURELY) and not placed


def without_stray_number(segments: Sequence[Segment], block: Sequence[int]) -> tuple[int, ...]:
    """The block without bare digits at its end that other rows separate from it: an article's code."""
    if len(block) < 2 or segments[block[-1]].letters:
        return tuple(block)
    apart = segments[block[-1]].run.row - segments[block[-2]].run.row > 1
    return tuple(block[:-1]) if apart else tuple(block)


def without_branch(segments: Sequence[Segment], block: Sequence[int]) -> tuple[int, ...]:
    """The block without a last row that names the branch or another place, below a row with postcode and
    city: "Hypermarket Northgate", "(Northgate Mall)". Below the country, any name is one but a building's."""
    if len(block) < 2:
        return tuple(block)
    last, above = segments[block[-1]], segments[block[-2]]
    labelled = not last.digits and term_at_start(last.rest, "store") is not None
    ended = {"postcode", "city"} <= above.places or (labelled and "postcode" in above.places)
    branch = labelled or (not last.digits and _names_shop(last))
    branch = branch or _BRACKETS.fullmatch(last.run.text) is not None
    # Or another city or state below a whole address, as of an office that licensed the shop.
    placed = len(last.places) > 0 and last.places <= {"city", "state"} and not last.digits
    branch = branch or (placed and "state" in above.places and last.run.row - above.run.row >= _PARTED)
    ends = "country" in above.places and not (last.digits or "state" in last.places)
    branch = branch or (ends and not has_term(last.rest, *PARTS))
    return tuple(block[:-1]) if ended and branch else tuple(block)


def _names_shop(own: Segment) -> bool:
    """Whether a row has trade words and no words of addresses."""
    return trade_share(own.rest) > _STORE_TRADE and not has_term(own.rest, *PARTS)


def with_place_above(
    segments: Sequence[Segment], block: Sequence[int], named: Sequence[int] = ()
) -> tuple[int, ...]:
    """The block with the row above it, if that names a landmark ("Opp. Town Hall"), shows a place and ends in
    a comma, or is only a word for a town with its name, where no town follows: "гр. Варна", "ул. Шипка 3".
    named: indices of the segments of the shop's name, when it is known with confidence."""
    at = block[0] - 1 if block else -1
    if at < 0 or at in named or segments[at].run.row != segments[block[0]].run.row - 1:
        return tuple(block)
    above = segments[at]
    town = "city" in above.places and term_at_start(above.rest, "city_label") is not None and not above.digits
    town = town and not any(segments[i].places & {"city", "postcode"} for i in block)
    return (at, *block) if town or _is_part(above, ends=above.rest.endswith(",")) else tuple(block)


def _is_part(own: Segment, *, ends: bool) -> bool:
    """Whether a row of the header beside an address names a landmark, or shows a place where a comma (`ends`)
    says that the address goes on."""
    plain = not (own.amount or own.entities) and own.run.zone == "header" and own.title_share < _HALF
    plain = plain and not has_legal_form(own.rest)  # "c/o Kettle Ltd"
    return plain and (is_landmark(own.rest) or (ends and shows_place(own)))


def with_place_below(segments: Sequence[Segment], block: Sequence[int]) -> tuple[int, ...]:
    """The block with the row below it, if that is only a place: behind a comma, or of a kind that the block
    has not yet (city, state, country). Or with a landmark, with a building and its floor, or with a plain
    name and its state and postcode below a street."""
    at = block[-1] + 1 if block else 0
    if not block or at >= len(segments):
        return tuple(block)
    if town := _plain_town(segments, block):
        return (*block, *town)
    own, above = segments[at], [segments[i] for i in block]
    ended = any("city" in row.places for row in above) and _BRACKETS.fullmatch(own.run.text) is not None
    beside = own.run.row == above[-1].run.row + 1 and not ended  # "(beside the station)" below the town
    rest = _is_floor(own, above[-1]) or _is_road(own, above[-1]) or _ends_place(own, above[-1])
    goes_on = is_term(above[-1].rest.rpartition(",")[2], "landmark")  # "KM 18, FRENTE A"
    rest = rest or (parts_word(above[-1].rest, own.rest) and not own.entities)
    if rest or (beside and (goes_on or _is_part(own, ends=above[-1].rest.endswith(",")))):
        return (*block, at)
    known = own.places & {"city", "state", "country"}
    parted = own.whole_place and "city" in known and own.run.zone == "header"  # by a telephone
    apart = own.run.row - above[-1].run.row > 1 + parted
    if (
        not known
        or apart
        or own.digits
        or own.amount
        or own.entities
        or len(own.rest.split()) > _WORDS_OF_PLACE
    ):
        return tuple(block)
    open_end = above[-1].rest.endswith(",")
    new = open_end or not any(row.places & known for row in above)
    return (*block, at) if new and own.whole_place else tuple(block)


def _ends_place(own: Segment, above: Segment) -> bool:
    """Whether a row without numbers has only the end of a place's name that begins in the row right above."""
    plain = not (own.digits or own.amount or own.entities) and own.run.row == above.run.row + 1
    return plain and len(own.rest.split()) <= _WORDS_OF_PLACE and parts_place(above.rest, own.rest)


def _is_floor(own: Segment, above: Segment) -> bool:
    """Whether a row right below an address without other parts is the floor of a building, as in Japan, or a
    room behind it, as in Korea: its number and a sign."""
    plain = not (own.amount or own.entities) and own.run.zone == "header" and own.title_share < _HALF
    beside = own.run.row == above.run.row + 1 and above.digits > 0
    room = not own.rest.isascii() and term_at_end(own.rest, "place_sign", "unit") is not None
    floor = has_term(own.rest, "floor") and (has_term(own.rest, "building") or room)
    return plain and beside and own.digits > 0 and (floor or (room and own.letters > 2))


def _is_road(own: Segment, above: Segment) -> bool:
    """Whether a row right below a town without a number is its road or quarter with the house number, as in
    East Asia: "테헤란로 44" below "서울특별시 강남구"."""
    plain = own.digits > 0 and not (own.amount or own.entities) and own.run.zone == "header"
    beside = own.run.row == above.run.row + 1 and not above.digits
    name = re.split(r"\d", own.rest)[0].rstrip()
    return plain and beside and all(term_at_end(text, "place_sign") for text in (above.rest, name))


def _plain_town(segments: Sequence[Segment], block: Sequence[int]) -> tuple[int, ...]:
    """Indices of a plain name below the block's last row, a street, with the state beside or below it. A name
    of one word needs none where the row below is no text, but that of a telephone, tax number or the like."""
    street, first = segments[block[-1]], block[-1] + 1
    if first + 1 >= len(segments):
        return ()
    name, below = segments[first], segments[first + 1]
    rows = below.run.row - name.run.row
    if name.run.row - street.run.row != 1 or not _is_name(name):
        return ()
    ends = not street.places and street.numbered
    if ends and rows <= 1 and "state" in below.places and _STATE_AND_CODE.match(below.rest) is not None:
        return (first, first + 1)
    placed = any(segments[at].places & {"city", "postcode"} for at in block)
    open_end = has_street(street) and (street.rest.endswith(",") or not placed)
    ended = rows > 1 or (rows == 1 and bool(below.entities))
    own = name.run.zone == "header" and _is_one_word(name) and _differs(name, segments[: block[0]])
    return (first,) if open_end and ended and own else ()


def _is_name(own: Segment) -> bool:
    return own.letters > 2 and not (own.digits or own.amount or own.entities or own.title_share)


def _differs(own: Segment, above: Sequence[Segment]) -> bool:
    """Whether texts stand above the address, one of which may be the shop's name, and none has the word."""
    return bool(above) and not any(letters(own.rest) in letters(other.rest) for other in above)


def _is_one_word(own: Segment) -> bool:
    """Whether a segment is one capitalised word without a meaning on receipts or in trade."""
    word = own.run.text.strip(" ,.")
    unknown = not own.roles and not find_terms(word) and not trade_share(word)
    return word.isalpha() and len(word) >= _WORD and not word[0].islower() and unknown
