"""Chooses between two addresses in one block: the shop's, its company's, the customer's."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise, takewhile

from receipt_engine.region import Role
from receipt_engine.scoring.certainty import SURE
from receipt_engine.stages.merchant.address.features import is_customer
from receipt_engine.stages.merchant.address.other_rows import is_office
from receipt_engine.stages.merchant.address.places import (
    PARTS,
    ends_in_town,
    has_street,
    is_letterhead,
    is_street,
    shows_place,
)
from receipt_engine.stages.merchant.name.text import is_owner
from receipt_engine.stages.merchant.segments import Segment
from receipt_engine.stages.merchant.store_numbers import (
    is_branch,
    is_numbered_branch,
    is_shop_of,
    marks_store,
)
from receipt_engine.vocabulary import has_term, term_at_end, term_at_start
from receipt_engine.vocabulary.legal_forms import has_legal_form
from receipt_engine.vocabulary.trades import trade_share

#: Number of following segments that are examined.
_NEXT = 3
#: Roles of words before the sale's numbers.
_OF_SALE: tuple[Role, ...] = ("receipt_number", "date")
#: Between a company and its seat.
#: Behind a word for a branch with its address: a colon, perhaps behind the branch's name and number, or the
#: number and a dash, or the number alone in its row.
_BRANCH_LABEL = re.compile(r"[ .]*(?:[^\d:,]{0,20}\d{0,4} ?[:：][ :：]*|(?:N[°º] ?)?\d{1,5}(?:\s+[-–]\s+|$))")
#: At this log-odds or below, a row is no address below a word for a branch, unless it is surely a street; and
#: the log-odds of rows that are excluded, as the customer's.
_UNLIKELY = -3.0
_EXCLUDED = -8.0
#: Fewest letters of a chain's name.
_WORD = 4
#: Distance in rows of two rows with another one between them.
_PARTED = 2
#: Smallest share of a title's words.
_HALF = 0.5


def shop_of_two(segments: Sequence[Segment], block: Sequence[int]) -> tuple[int, ...]:
    """The rows of the shop's address where the block also holds its company's, each with street and town.

    The company's comes first when the shop's name ("Supermarket Kettle 3") or rows of other kinds stand
    between. It comes second below its own name, a title or an office label, or when nothing stands between.
    On a bill to be paid later, the second address is the customer's.
    """
    above = [own.rest for own in segments[: block[0]]] if block else []
    for end, begin in pairwise(range(len(block))):
        between = [segments[at] for at in range(block[end] + 1, block[begin])]
        headed = begin
        while headed < len(block) - 1 and _heads(segments[block[headed]], above):
            headed += 1
        between += [segments[at] for at in block[begin:headed]]
        first, second = block[:begin], block[headed:]
        apart = segments[second[0]].run.row - segments[block[end]].run.row >= _PARTED
        branch = any(_names_branch(own.rest, above) for own in between)
        parts = [[segments[at] for at in rows] for rows in (first, second)]
        streets = branch and all(any(own.digits and has_street(own) for own in part) for part in parts)
        if not streets and not (_is_whole(segments, first) and _is_whole(segments, second)):
            continue
        last = segments[second[0]]
        if _names_town(segments, first, second):
            return tuple(second)
        if last.run.row <= segments[block[end]].run.row or _is_beside(segments, first, second):
            return tuple(first)  # two columns, the seller's first
        if any(own.title_share >= _HALF or _is_company(own) for own in between):
            return tuple(first)
        company = block[0] > 0 and has_legal_form(segments[block[0] - 1].rest)
        if not branch and any(map(states_bill, segments)):
            return tuple(first)  # a bill is sent to the customer's
        if between or (apart and company and is_street(last)):
            return tuple(second)
        if term_at_start(last.rest, "store") is not None:
            return tuple(second)
        plain = not any(segments[at].digits for at in first[1:])
        if company and plain and _are_apart(segments[first[0]], last):
            return tuple(second)  # a whole row and another address below the company: its seat, then its shop
        if "postcode" in segments[block[end]].places and is_street(segments[second[0]]):
            return tuple(first)
    return tuple(block)


def states_bill(own: Segment) -> bool:
    """Whether a row of the header states what only a bill that is paid later does: "Due date 14 March"."""
    text = own.run.text
    return own.run.zone == "header" and any(
        term_at_start(text, term) is not None for term in ("due_day", "billing_detail")
    )


def _names_town(segments: Sequence[Segment], first: Sequence[int], second: Sequence[int]) -> bool:
    """Whether the first of two addresses is one row without a street that names the branch by its postcode
    and town, which the second one repeats: "Post office 1204 Elmford 3"."""
    head = segments[first[0]].rest
    again = any(segments[at].rest in head and "postcode" in segments[at].places for at in second)
    return len(first) == 1 and again and not has_term(head, "street")


def is_beside_sale(segments: Sequence[Segment], head: Sequence[Segment], rows: Sequence[int]) -> bool:
    """Whether a word for the customer, a number of the sale or its date stands right of an address or its
    head, as beside the customer's."""
    beside = {own.run.row: own.run.right for own in (*head, *(segments[at] for at in rows))}
    return any(
        own.run.left > beside.get(own.run.row, own.run.left)
        and (is_customer(own) or own.weight(*_OF_SALE) >= SURE)
        for own in segments
    )


def _names_branch(text: str, above: Sequence[str]) -> bool:
    """Whether a row names a shop of the company above: by its number and name, behind or before a word for a
    shop, or by the company's first word."""
    if is_numbered_branch(text) or is_shop_of(text, above):
        return True
    if has_term(text, *PARTS) or "," in text:
        return False
    first = text.split()[0]
    chain = len(first) >= _WORD and any(row.startswith(f"{first} ") and has_legal_form(row) for row in above)
    # "PJ PEKARA 17 - ZENICA", "0418. sz. KETTLE MARKET"
    trade = (term_at_start(text, "store") or has_term(text, "number")) and trade_share(text) > 0
    return chain or (any(map(str.isdigit, text)) and bool(trade or term_at_end(text, "store")))


def _are_apart(seat: Segment, shop: Segment) -> bool:
    """Whether two rows begin an address each: both are whole, with postcode or house number, or each begins
    with a word for a street and the upper one has a city."""
    streets = all(term_at_start(own.rest, "street") is not None for own in (seat, shop))
    whole = all("city" in own.places and has_street(own) and not own.unit_first for own in (seat, shop))
    return (
        (whole and not seat.rest.endswith(","))
        or {"postcode", "city"} <= seat.places & shop.places
        or (streets and "city" in seat.places)
    )


def _is_beside(segments: Sequence[Segment], first: Sequence[int], second: Sequence[int]) -> bool:
    """Whether two addresses stand in different columns, one right of the other."""
    left, right = sorted(
        ([segments[at].run for at in rows] for rows in (first, second)), key=lambda runs: runs[0].left
    )
    return max(run.right for run in left) < min(run.left for run in right)


def of_phone_row(segments: Sequence[Segment], block: Sequence[int]) -> tuple[int, ...]:
    """The whole address in a row with a telephone, above the town of another one, which is the customer's."""
    towns = [at for at in block if "postcode" in segments[at].places]
    head = segments[: towns[-1]] if towns else ()
    whole = (at for at, own in enumerate(head) if is_letterhead(own) and "phone" in own.entities)
    return next(((at,) for at in whole), tuple(block))


def _is_company(own: Segment) -> bool:
    return has_legal_form(own.rest) and not own.digits


def _heads(own: Segment, above: Sequence[str]) -> bool:
    """Whether a row may name a shop or a company above its address: no number except in its last word
    ("KETTLE MILL 50ZX1"), behind a word for a shop ("STORE NO. 12 AT ELKO") or one of a company above, and no
    place except a town among other words. A postcode and its town end an address, although the shop is often
    named by its town."""
    if own.number_first and {"postcode", "city"} <= own.places:
        return False
    if _names_branch(own.rest, above) or (_is_company(own) and not own.whole_place):
        return True  # a company, whatever town is in its name
    numbered = any(map(str.isdigit, own.rest.rpartition(" ")[0])) and not marks_store(own.rest)
    placed = own.whole_place or "postcode" in own.places or has_term(own.rest, *PARTS)
    goes_on = own.rest.endswith(",") and not has_legal_form(own.rest)
    return not (numbered or placed or goes_on or (own.places and own.digits))


def _is_whole(segments: Sequence[Segment], rows: Sequence[int]) -> bool:
    """Whether rows are a whole address: a street and a city or postcode, with a number in the first row."""
    own = [segments[at] for at in rows]
    placed = any("city" in row.places or "postcode" in row.places for row in own)
    return placed and own[0].digits > 0 and any(map(has_street, own))


def of_branch(segments: Sequence[Segment], block: Sequence[int], scores: Sequence[float]) -> tuple[int, ...]:
    """The rows of the branch's address where the company's stands above it: behind or below a word for a
    branch, with a number or a word for a town in its first row. Latin American tills have to print both."""
    for at in range(max(0, block[0] - 1), min(len(segments), block[-1] + 1 + _PARTED)) if block else ():
        word = term_at_start(segments[at].rest, "store")
        if word is None:
            continue
        label = _BRANCH_LABEL.match(segments[at].rest, word.end)
        behind = segments[at].rest[label.end() :] if label is not None else ""
        own = any(map(str.isdigit, behind)) and shows_place(segments[at]) and not is_branch(behind)
        own = own and not (_is_town_and_number(segments[at]) and _is_street_below(segments, at))
        whole = own and "city" in segments[at].places
        seat = any(_ends_seat_at(segments[i]) for i in block if i < at)
        office = any(is_office(above.rest) for above in segments[:at])
        if not (own and office) and (at <= block[0] or not (whole or seat or office)):
            continue
        # "SUCURSAL: PEDRO DE VALDIVIA 118" below "CASA MATRIZ: AV. ALEMANIA 4" is surely an address.
        sure = [at] if own and office else []
        begin = at if own and not office else at + 1
        below = [i for i in range(begin, len(segments)) if not is_owner(segments[i].rest)][:_NEXT]
        places = takewhile(lambda i: _may_be_place(segments[i], scores[i]), below)
        rows = [*sure, *places]
        if rows and (segments[rows[0]].digits or term_at_start(segments[rows[0]].rest, "city_label")):
            return tuple(rows)
    return tuple(block)


def _may_be_place(own: Segment, score: float) -> bool:
    """Whether a row is only a place, and likely, or with a word for a street at its start and a number ("Av.
    Larch 4to Anillo"), or a city alone."""
    street = own.digits > 0 and term_at_start(own.rest, "street") is not None
    sure = street or (own.whole_place and "city" in own.places and not own.entities)
    return (score > _UNLIKELY or (sure and score > _EXCLUDED)) and _is_place(own)


def _is_town_and_number(own: Segment) -> bool:
    """Whether a branch is named by its town and number, not by a street: "Store: Leeds 4412"."""
    placed = bool(own.places & {"city", "state"})
    return placed and own.number_last and not has_term(own.rest, "street")


def _is_street_below(segments: Sequence[Segment], at: int) -> bool:
    """Whether the row below a segment is a street with its house number."""
    below = segments[at + 1] if at + 1 < len(segments) else None
    return below is not None and below.digits > 0 and has_term(below.rest, "street")


def _ends_seat_at(own: Segment) -> bool:
    """Whether a row may end the company's address."""
    return "postcode" in own.places or ("city" in own.places and own.digits > 0)


def _is_place(own: Segment) -> bool:
    """Whether a row of the header shows a place and nothing else."""
    other = own.amount or own.entities or own.run.zone != "header" or own.title_share >= _HALF
    return not other and (shows_place(own) or ends_in_town(own.rest))
