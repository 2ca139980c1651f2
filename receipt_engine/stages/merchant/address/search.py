"""Finds the address block: the likeliest run of segments, then corrected for the ways in which tills print
addresses."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import chain, pairwise

from receipt_engine.scoring.certainty import POSSIBLE, SURE
from receipt_engine.stages.merchant.address.block import (
    PLACE_AND_CODE,
    best_block,
    is_code,
    with_house,
    with_postcode,
    with_row_begin,
    with_street,
)
from receipt_engine.stages.merchant.address.edges import (
    with_place_above,
    with_place_below,
    without_branch,
    without_stray_number,
    without_title,
)
from receipt_engine.stages.merchant.address.heading import (
    without_branch_above,
    without_heading,
    without_owner,
    without_person,
    without_shop_above,
)
from receipt_engine.stages.merchant.address.kinds import (
    below_name,
    from_label,
    label_gains,
    of_places,
    without_other_kinds,
)
from receipt_engine.stages.merchant.address.other_rows import is_labelled
from receipt_engine.stages.merchant.address.places import (
    ends_in_street,
    is_letterhead,
    is_street,
    is_unbroken,
    shows_place,
)
from receipt_engine.stages.merchant.address.two_addresses import of_branch, of_phone_row, shop_of_two
from receipt_engine.stages.merchant.name.text import count_sentence_words, is_owner
from receipt_engine.stages.merchant.segments import Segment
from receipt_engine.stages.merchant.store_numbers import marks_store
from receipt_engine.vocabulary import has_term
from receipt_engine.vocabulary.legal_forms import has_legal_form
from receipt_engine.vocabulary.trades import trade_share

#: Log-odds that a city's row below a street gains for each segment above it, and at most.
_PER_SEGMENT = 0.3
_MOST_FOR_CITY = 1.5
#: Distance in rows of two rows with another one between them, and the log-odds that such rows lose.
_PARTED = 2
_FAR = 3.0
#: Log-odds that a street printed without a city gains, and its minimum number of letters.
_PLACE_ALONE = 0.5
#: Most rows above a postcode that end with its street, and the log-odds that they gain.
_MOST_ABOVE_CODE = 5
_UP_TO_CODE = 3.0
#: Log-odds that a sender's address behind its company in the same row gains, as at the foot of an e-mail.
_OF_COMPANY = 4.0
#: Lowest log-odds of a street far down the header.
_LEAST = -8.0
_WORD = 5


def find_block(
    segments: Sequence[Segment], scores: Sequence[float], name: range, *, named: bool
) -> tuple[int, ...]:
    """Indices of the address's segments, in order; empty when none is likely.

    scores: log-odds of every segment. name: indices of the name's segments. named: whether the name is known
    with confidence, so that its segments are excluded by their scores.
    """
    block = _likeliest(segments, scores, name, named=named)
    block = tuple(at for at in block if not is_labelled(segments[at]))
    for correct in (
        of_phone_row,
        from_label,
        partial(without_owner, scores=scores),
        partial(without_person, scores=scores),
        without_shop_above,
        shop_of_two,
        without_branch_above,
        without_heading,
        partial(of_branch, scores=scores),
        without_title,
        without_stray_number,
        without_branch,
        with_row_begin,
        with_house,
        with_postcode,
        with_street,
        partial(with_place_above, named=name if named else ()),
        with_place_below,
    ):
        block = correct(segments, block)
    block = of_places(segments, without_other_kinds(segments, block, name))
    return block or far_down(segments, scores)


def _likeliest(
    segments: Sequence[Segment], scores: Sequence[float], name: range, *, named: bool
) -> tuple[int, ...]:
    """The likeliest run of segments, uncorrected: by its scores, else with a place or behind a label, below
    the name, or far down the header. Arguments as of `find_block`."""
    coded = _to_postcode(segments, name if named else ())
    gained = zip(scores, coded, _behind_company(segments), strict=True)
    scores = [sum(parts) for parts in gained]
    behind = [city_below_street(segments, at) + _separated(segments, at) for at in range(len(segments))]
    block = best_block(scores, behind=behind, named=named) or best_block(
        scores, [_of_place(own) for own in segments], behind, named=named
    )
    if not any(segments[at].places or has_term(segments[at].rest, "street") for at in block):
        labelled = [gain * (own > _LEAST) for own, gain in zip(scores, label_gains(segments), strict=True)]
        block = best_block(scores, labelled, behind, named=named) or block
    if not block:
        gains = below_name(segments, name[-1])
        block = best_block([own + gain for own, gain in zip(scores, gains, strict=True)], behind=behind)
    return block or far_down(segments, scores)


def _to_postcode(segments: Sequence[Segment], named: Sequence[int]) -> list[float]:
    """The log-odds that the rows from a street, or the shop's name, down to a postcode alone in its row gain,
    where they are plain names, as British tills print addresses: street, village, town, postcode. named:
    indices of the name's segments, when it is known with confidence."""
    gains = [0.0] * len(segments)
    for code, own in enumerate(segments):
        coded = is_code(own)
        town = own.run.zone == "header" and PLACE_AND_CODE.fullmatch(own.rest) is not None
        if not (coded or town) or own.run.zone not in ("header", "after"):
            continue
        for at in range(code - 1, max(-1, code - _MOST_ABOVE_CODE - 1), -1):
            row = segments[at]
            if row.run.row != segments[at + 1].run.row - 1 or row.entities or row.amount:
                break
            if is_street(row) or ends_in_street(row.rest):
                gains[at : code + 1] = [_UP_TO_CODE] * (code + 1 - at)
                break
            # A company, trade, slogan or words about the sale name no place.
            other = has_legal_form(row.rest) or trade_share(row.rest) or count_sentence_words(row.rest)
            if row.digits or other or row.title_share or is_owner(row.rest):
                break
            if coded and at - 1 in named:
                gains[at : code + 1] = [_UP_TO_CODE] * (code + 1 - at)
    return gains


def _behind_company(segments: Sequence[Segment]) -> list[float]:
    """The log-odds that each segment gains as an address with its town and postcode right behind a company's
    name in its row."""
    sent = (
        below.run.row == own.run.row and {"postcode", "city"} <= below.places and has_legal_form(own.rest)
        for own, below in pairwise(segments)
    )
    return [0.0, *(_OF_COMPANY * found for found in sent)][: len(segments)]


def far_down(segments: Sequence[Segment], scores: Sequence[float]) -> tuple[int, ...]:
    """The first street with its number right above its postcode and city, however many rows precede it, such
    as an advertisement in the header, or at the receipt's end; or a sender's whole address in one row at the
    end. Empty without any."""
    streets = (
        (at, at + 1)
        for at, (street, city) in enumerate(pairwise(segments))
        if city.run.row == street.run.row + 1
        and city.run.zone in ("header", "after")
        and scores[at] > _LEAST
        and is_street(street)
        and {"postcode", "city"} <= city.places
        and scores[at + 1] > _LEAST
    )
    feet = (
        (at,)
        for at, own in enumerate(segments)
        if scores[at] > _LEAST
        and (
            (own.run.zone == "after" and is_letterhead(own) and not own.rest[:1].isdigit())
            or (own.run.zone in ("header", "after") and is_unbroken(own))
        )
    )
    return next(chain(streets, feet), ())


def city_below_street(segments: Sequence[Segment], at: int) -> float:
    """The log-odds that a row with a city, state or country right below a street gains.

    The scores fall with a row's distance from the top, which means nothing once the address has begun above.
    """
    if at == 0:
        return 0.0
    street, city = segments[at - 1], segments[at]
    named = bool((city.places | city.world) & {"city", "state", "country"})
    ended = "country" in street.places or {"postcode", "state"} <= street.places
    begun = street.numbered or street.unit_first or street.weight("address") > POSSIBLE
    if not named or not begun or ended or marks_store(street.rest):
        return 0.0
    return min(_MOST_FOR_CITY, _PER_SEGMENT * at)


def _separated(segments: Sequence[Segment], at: int) -> float:
    """The log-odds, negative, of an item row that other rows separate from the header's last row; else 0."""
    if at == 0:
        return 0.0
    above, own = segments[at - 1].run, segments[at].run
    separated = own.row - above.row >= _PARTED and above.zone == "header" and own.zone == "items"
    return -_FAR if separated else 0.0


def _of_place(own: Segment) -> float:
    """Log-odds that a header segment with a place gains when no block is likely: a street printed alone."""
    in_header = own.run.zone == "header" and own.letters >= _WORD and own.weight("cashier") < SURE
    return _PLACE_ALONE if in_header and shows_place(own) else 0.0
