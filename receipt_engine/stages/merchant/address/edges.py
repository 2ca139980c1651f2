"""Corrects an address at its edges: removes rows of another kind, adds missed ones, and chooses between two
addresses in one block."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise, takewhile

from receipt_engine.region import Role, Term
from receipt_engine.scoring.certainty import SURE
from receipt_engine.stages.merchant.address.features import is_customer
from receipt_engine.stages.merchant.address.other_rows import is_office
from receipt_engine.stages.merchant.address.places import (
    ends_in_town,
    is_landmark,
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
from receipt_engine.vocabulary import find_terms, has_term, term_at_end, term_at_start
from receipt_engine.vocabulary.legal_forms import has_legal_form
from receipt_engine.vocabulary.normalise import letters
from receipt_engine.vocabulary.trades import trade_share

#: Words for parts of addresses.
_PARTS: tuple[Term, ...] = ("building", "plot", "street", "unit")
#: A state's abbreviation, perhaps with a postcode.
_STATE_AND_CODE = re.compile(r"^\W*[A-Z]{2,3}\W*(?:\d{4,5}(?:-\d{4})?)?\W*$")
#: Fewest letters of a chain's name.
_WORD = 4
#: Above this share of trade words, a row names a shop.
_STORE_TRADE = 0.3
#: Number of following segments that are examined.
_NEXT = 3
_TITLES: tuple[Role, ...] = ("invoice", "receipt")
#: Roles of words before the sale's numbers.
_OF_SALE: tuple[Role, ...] = ("receipt_number", "date")
_SURELY = 0.9
#: Numbers. Joined ones count as one, and so do those of a postcode: "12/4", "100 00", "LE65 2FH", "V6G 2L7",
#: "A83 YX40".
_JOINED = re.compile(
    r"(?<!\d)\d{3} \d\d(?!\d)"
    r"|\b(?:[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d|[A-Z]\d[\dW] [A-Z\d]{4})\b"
    r"|\d+(?:[/-]\d+)*"
)
#: Smallest weight of a role, and smallest title share.
_SOME, _HALF = 0.6, 0.5
#: Between a company and its seat.
_BEFORE_SEAT = re.compile(r",| [-–|·] ")
#: A row in brackets.
_BRACKETS = re.compile(r"\([^()\d]+\)")
#: Behind a word for a branch with its address: a colon, perhaps behind the branch's name and number, or the
#: number and a dash.
_BRANCH_LABEL = re.compile(r"[ .]*(?:[^\d:,]{0,20}\d{0,4} ?[:：][ :：]*|(?:N[°º] ?)?\d{1,5}\s+[-–]\s+)")
#: Most words of a row that is only a place.
_WORDS_OF_PLACE = 5
#: Distance in rows of two rows with another one between them, and the log-odds that such rows lose.
_PARTED = 2
#: At this log-odds or below, a row is no address, even below a word for a branch.
_UNLIKELY = -3.0


def without_title(segments: Sequence[Segment], block: Sequence[int]) -> tuple[int, ...]:
    """The block without a document title at its end: "TAX INVOICE" or "SALE" below a place, or "REFUND". Or
    without a first row that has only words about the sale, or a title with other words: a shop's number ("Br.
    1183"), "Rental receipt"."""
    if len(block) < 2:
        return tuple(block)
    if _is_of_sale_alone(segments[block[0]]):
        return tuple(block[1:])
    last, above = segments[block[-1]], [segments[at] for at in block[:-1]]
    ended = any(own.places or own.world for own in above) and not last.digits
    ended = ended or {"postcode", "state"} <= above[-1].places  # "Reg 14" below "Portland, OR 97201"
    mostly = _SURELY if has_term(last.rest, *_PARTS) else _SOME
    titled = max(last.roles.get(role, 0.0) for role in _TITLES) >= mostly
    titled = titled or (last.title_share >= _SURELY and not last.places)
    return tuple(block[:-1]) if titled and ended else tuple(block)


def _is_of_sale_alone(own: Segment) -> bool:
    """Whether a row has only words about the sale, with their numbers, or a document's title without any, and
    nothing of an address."""
    placed = own.places or own.world or own.roles.get("address", 0.0) > 0 or has_term(own.rest, *_PARTS)
    titled = max(own.roles.get(role, 0.0) for role in _TITLES) >= _SOME and not own.digits
    return (titled or own.title_share >= _SURELY) and not placed


def without_stray_number(segments: Sequence[Segment], block: Sequence[int]) -> tuple[int, ...]:
    """The block without bare digits at its end that other rows separate from it: an article's code."""
    if len(block) < 2 or segments[block[-1]].letters:
        return tuple(block)
    apart = segments[block[-1]].run.row - segments[block[-2]].run.row > 1
    return tuple(block[:-1]) if apart else tuple(block)


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
        streets = branch and all(any(own.digits and _has_street(own) for own in part) for part in parts)
        if not streets and not (_is_whole(segments, first) and _is_whole(segments, second)):
            continue
        last = segments[second[0]]
        if _names_town(segments, first, second):
            return tuple(second)
        if last.run.row <= segments[block[end]].run.row or _is_beside(segments, first, second):
            return tuple(first)  # two columns, the seller's first
        again = all(segments[at].rest in last.rest for at in first) or _is_seat(last)
        if again or any(own.title_share >= _HALF or _is_company(own) for own in between):
            return tuple(first)
        company = block[0] > 0 and has_legal_form(segments[block[0] - 1].rest)
        if not branch and (any(map(_states_bill, segments)) or _is_beside_sale(segments, between, second)):
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


def _is_seat(own: Segment) -> bool:
    """Whether a row is the company's seat: behind a word for it, or behind the company's name."""
    return is_office(own.run.text) or has_legal_form(_BEFORE_SEAT.split(own.rest, maxsplit=1)[0])


def _states_bill(own: Segment) -> bool:
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


def _is_beside_sale(segments: Sequence[Segment], head: Sequence[Segment], rows: Sequence[int]) -> bool:
    """Whether a word for the customer, a number of the sale or its date stands right of an address or its
    head, as beside the customer's."""
    beside = {own.run.row: own.run.right for own in (*head, *(segments[at] for at in rows))}
    return any(
        own.run.left > beside.get(own.run.row, own.run.left)
        and (is_customer(own) or max(own.roles.get(role, 0.0) for role in _OF_SALE) >= SURE)
        for own in segments
    )


def _names_branch(text: str, above: Sequence[str]) -> bool:
    """Whether a row names a shop of the company above: by its number and name, behind or before a word for a
    shop, or by the company's first word."""
    if is_numbered_branch(text) or is_shop_of(text, above):
        return True
    if has_term(text, *_PARTS) or "," in text:
        return False
    first = text.split()[0]
    chain = len(first) >= _WORD and any(row.startswith(f"{first} ") and has_legal_form(row) for row in above)
    trade = term_at_start(text, "store") is not None and trade_share(text) > 0  # "PJ PEKARA 17 - ZENICA"
    return chain or (any(map(str.isdigit, text)) and (trade or term_at_end(text, "store") is not None))


def _are_apart(seat: Segment, shop: Segment) -> bool:
    """Whether two rows begin an address each: both are whole, with postcode or house number, or each begins
    with a word for a street and the upper one has a city."""
    streets = all(term_at_start(own.rest, "street") is not None for own in (seat, shop))
    whole = all("city" in own.places and _has_street(own) and not own.unit_first for own in (seat, shop))
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
    """Whether a row may name a shop or a company above its address: no number except at the end, behind a
    word for a shop ("STORE NO. 12 AT ELKO") or one of a company above, and no place except a town among other
    words. A postcode and its town end an address, although the shop is often named by its town."""
    if own.number_first and {"postcode", "city"} <= own.places:
        return False
    if _names_branch(own.rest, above):
        return True
    numbered = own.digits > 0 and not (own.number_last or marks_store(own.rest))
    placed = own.whole_place or "postcode" in own.places or has_term(own.rest, *_PARTS)
    goes_on = own.rest.endswith(",") and not has_legal_form(own.rest)
    return not (numbered or placed or goes_on or (own.places and own.digits))


def _is_whole(segments: Sequence[Segment], rows: Sequence[int]) -> bool:
    """Whether rows are a whole address: a street and a city or postcode, with a number in the first row."""
    own = [segments[at] for at in rows]
    placed = any("city" in row.places or "postcode" in row.places for row in own)
    return placed and own[0].digits > 0 and any(map(_has_street, own))


def _has_street(own: Segment) -> bool:
    """Whether a row has a word for a street, or a house number besides its postcode."""
    houses = len(_JOINED.findall(own.rest)) - ("postcode" in own.places)
    return houses > 0 or has_term(own.rest, "street")


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
        places = takewhile(lambda i: scores[i] > _UNLIKELY and _is_place(segments[i]), below)
        rows = [*sure, *places]
        if rows and (segments[rows[0]].digits or term_at_start(segments[rows[0]].rest, "city_label")):
            return tuple(rows)
    return tuple(block)


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


def without_branch(segments: Sequence[Segment], block: Sequence[int]) -> tuple[int, ...]:
    """The block without a last row that names the branch or another place, below a row with postcode and
    city: "Hypermarket Northgate", "(Northgate Mall)"."""
    if len(block) < 2:
        return tuple(block)
    last, above = segments[block[-1]], segments[block[-2]]
    labelled = not last.digits and term_at_start(last.rest, "store") is not None
    ended = {"postcode", "city"} <= above.places or (labelled and "postcode" in above.places)
    branch = labelled or (not last.digits and _names_shop(last))
    branch = branch or _BRACKETS.fullmatch(last.run.text) is not None
    branch = branch or _repeats_place(last, above)
    return tuple(block[:-1]) if ended and branch else tuple(block)


def _repeats_place(own: Segment, above: Segment) -> bool:
    """Whether a row that other rows separate from a whole address is another city or state, as of an office
    that licensed the shop."""
    placed = own.places and own.places <= {"city", "state"} and not own.digits
    return bool(placed) and "state" in above.places and own.run.row - above.run.row >= _PARTED


def _names_shop(own: Segment) -> bool:
    """Whether a row has trade words and no words of addresses."""
    return trade_share(own.rest) > _STORE_TRADE and not has_term(own.rest, *_PARTS)


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
    if _is_floor(own, above[-1]) or (beside and _is_part(own, ends=above[-1].rest.endswith(","))):
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


def _is_floor(own: Segment, above: Segment) -> bool:
    """Whether a row right below an address without other parts is the floor of a building, as in Japan, or a
    room behind it, as in Korea: its number and a sign."""
    plain = not (own.amount or own.entities) and own.run.zone == "header" and own.title_share < _HALF
    beside = own.run.row == above.run.row + 1 and above.digits > 0
    room = not own.rest.isascii() and term_at_end(own.rest, "place_sign", "unit") is not None
    floor = has_term(own.rest, "floor") and (has_term(own.rest, "building") or room)
    return plain and beside and own.digits > 0 and (floor or (room and own.letters > 2))


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
    ends = not street.places and (street.number_first or street.number_last)
    if ends and rows <= 1 and "state" in below.places and _STATE_AND_CODE.match(below.rest) is not None:
        return (first, first + 1)
    placed = any(segments[at].places & {"city", "postcode"} for at in block)
    open_end = _has_street(street) and (street.rest.endswith(",") or not placed)
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
