"""Corrects an address at its edges: recognises rows that only look like part of it, and adds missed ones."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import pairwise, takewhile

from receipt_engine.region import Role, Term
from receipt_engine.scoring.certainty import LIKELY, POSSIBLE
from receipt_engine.stages.merchant.address.features import is_customer
from receipt_engine.stages.merchant.name.text import is_owner
from receipt_engine.stages.merchant.segments import Segment
from receipt_engine.stages.merchant.store_numbers import is_branch, is_store_row, marks_store
from receipt_engine.vocabulary import find_terms, has_term, is_term, term_at_end, term_at_start, term_pattern
from receipt_engine.vocabulary.legal_forms import has_legal_form
from receipt_engine.vocabulary.normalise import count_letters
from receipt_engine.vocabulary.trades import trade_share

#: Staff as many tills print it: a number, then a name, perhaps shortened ("1204 Maria T").
_STAFF = re.compile(r"^\W*\d{1,6}\s+[^\W\d_]{2,}(?:\s+[^\W\d_]{1,2}\.?)?$")
#: A masked card number.
_MASKED = re.compile(r"[*•×]{4,}\d{2,}|\d{2,}[*•×]{4,}|[xX]{6,}\d{3,}")
#: Fewest column titles in a heading of the line items.
_HEADINGS = 3
#: The number behind a word for a table or a check.
_NUMBER_BEHIND = re.compile(r"\W*(?:n[o0.]*\b\W*)?[^\W\d_]{0,2}\d", re.IGNORECASE)
#: Words for parts of addresses.
_PARTS: tuple[Term, ...] = ("building", "plot", "street", "unit")
#: A state's abbreviation, perhaps with a postcode.
_STATE_AND_CODE = re.compile(r"^\W*[A-Z]{2,3}\W*(?:\d{4,5}(?:-\d{4})?)?\W*$")
#: Above this share of trade words, a row names a shop.
_STORE_TRADE = 0.3
#: Number of following segments that are examined.
_NEXT = 3
#: A company's row that ends in "t/a", before the name of its shop.
_TRADING_AS = re.compile(r"[^\W\d_]{2}.*\st\s?/\s?a\W*$", re.IGNORECASE)
_YEAR = re.compile(r"(?:1[6-9]|20)\d\d")
#: A slogan in quotation marks: at least three words and no number.
_QUOTED = re.compile(r"""\W*["“”„«'][^\d"“”«»]+ [^\d"“”«»]+ [^\d"“”«»]+["“”»'][\s.!]*$""")
#: Labels printed in a separate column beside an address, with their values.
_ABOUT_SALE: frozenset[Role] = frozenset(("receipt_number", "date", "not_date"))
_TITLES: tuple[Role, ...] = ("invoice", "receipt")
_SURELY = 0.9
_NUMBERS = re.compile(r"(?<!\d)\d+")
#: Numbers. Joined ones count as one, and so do a postcode's two halves: "12/4", "100 00".
_JOINED = re.compile(r"(?<!\d)\d{3} \d\d(?!\d)|\d+(?:[/-]\d+)*")
#: Separators of the parts of a sender's address.
_LETTERHEAD = re.compile(r" [·•|] ")
_TENDERS: tuple[Role, ...] = ("card", "cash")
#: Smallest weight of a role, and smallest title share.
_SOME, _HALF = 0.6, 0.5
#: Log-odds that a city's row below a street gains for each segment above it, and at most.
_PER_SEGMENT = 0.3
_MOST_FOR_CITY = 1.5
#: Smallest log-odds of a merchant's row above a customer's address; most rows below the customer's label.
_SURE_ABOVE = 1.0
_ROWS_OF_CUSTOMER = 4
#: Most words of a row that is only a place.
_WORDS_OF_PLACE = 5
#: Distance in rows of two rows with another one between them, and the log-odds that such rows lose.
_PARTED = 2
_FAR = 3.0
#: At this log-odds or below, a row is no address, even below a word for a branch.
_UNLIKELY = -3.0


@cache
def _hours() -> re.Pattern[str]:
    """Opening hours: "Mon-Thu 11AM-10PM", "09:00 - 18:00"."""
    until = rf"\s?(?:[-–~]|{term_pattern('until')})\s?"
    noon = r"\d{1,2}(?:[:.]\d\d)?\s?[ap]\.?m\b"
    return re.compile(rf"{noon}\.?{until}{noon}|\b\d{{1,2}}:\d\d{until}\d{{1,2}}:\d\d\b", re.IGNORECASE)


@cache
def _founded() -> re.Pattern[str]:
    """The year of foundation: "Meisterbetrieb seit 1974", "Since 1931 - Family owned"."""
    return re.compile(rf"{term_pattern('founded')}\.? (?:1[6-9]|20)\d\d(?:\W*$| [-–|*])", re.IGNORECASE)


def _is_served(text: str) -> bool:
    """Whether a row begins with the number of a table, a check or guests: "Table 4", "Chk 5501"."""
    word = term_at_start(text, "table")
    return word is not None and _NUMBER_BEHIND.match(text, word.end) is not None


def _is_branch_label(text: str) -> bool:
    """Whether a row begins with a label for the branch: "Branch: Nasr City 2"."""
    store = term_at_start(text, "store")
    return store is not None and text[store.end :].lstrip()[:1] in (":", "：")


def _is_office(text: str) -> bool:
    """Whether a row begins with a word for the company's registered office, which is not the shop's address,
    or with the company's name before that word: "Kettle Ltd, registered office: 2 Mill St"."""
    if term_at_start(text, "registered_office") is not None:
        return True
    word = next((match for match in find_terms(text) if match.term == "registered_office"), None)
    return (
        word is not None
        and text[word.end :].lstrip(" .")[:1] in (":", "：")
        and has_legal_form(text[: word.start].strip(" .,;-"))
    )


def is_not_address(segments: Sequence[Segment], at: int) -> bool:
    """Whether a segment is not an address, although it may look like a street with its house number.

    Such are staff ("1204 Maria T" right above "Chk 5501"), the table, opening hours, column headings, a
    telephone's label without its number, a branch label, a slogan, an owner, a card or a tax office.
    """
    own = segments[at]
    if _hours().search(own.run.text) and "postcode" not in own.places:
        return True
    if is_term(own.rest, "phone", "fax") or _is_served(own.rest) or is_store_row(own.rest) or _pays(own):
        return True
    if sum(m.role == "column" and m.weight >= LIKELY for m in own.run.roles) >= _HEADINGS:
        return True
    if _is_branch_label(own.rest) and "," not in own.rest and not has_term(own.rest, "street"):
        return True
    if (_YEAR.search(own.run.text) and _founded().search(own.run.text)) or _QUOTED.match(own.run.text):
        return True
    if (is_owner(own.rest) and not own.digits) or _TRADING_AS.search(own.rest):
        return True
    return _MASKED.search(own.run.text) is not None or _is_tax_office(own) or is_staff(segments, at)


def _is_tax_office(own: Segment) -> bool:
    """Whether only a town stands beside a tax number: the office that issued it."""
    towns = own.places | own.world
    return "id" in own.entities and not own.digits and towns == {"city"} and len(own.rest.split()) == 1


def is_staff(segments: Sequence[Segment], at: int) -> bool:
    """Whether a segment is staff, a number and a name, above a table or a check."""
    own = segments[at]
    if not _STAFF.match(own.rest) or term_at_end(own.rest, "street"):
        return False
    if own.world or own.places - {"postcode"} or own.roles.get("address", 0.0) > 0:
        return False
    return any(_is_served(other.run.text) for other in segments[at + 1 : at + 1 + _NEXT])


def _pays(own: Segment) -> bool:
    """Whether a segment says how to pay and to which account: "Pay via M-PESA Till No. 551882"."""
    named = max(own.roles.get(role, 0.0) for role in _TENDERS) >= _SOME
    numbered = own.digits > 0 and not own.number_first
    return named and numbered and own.title_share >= _HALF and not own.places


def is_labelled(own: Segment) -> bool:
    """Whether a segment is a label of the sale with its value, as printed beside an address: "Invoice no.:
    10882", "Check # 10437"."""
    first = min(own.run.roles, key=lambda m: m.start, default=None)
    if first is None or first.role not in _ABOUT_SALE or first.weight < _SURELY:
        return False
    if first.start - own.run.start > 1:
        return False
    label, value = own.run.text[: first.end - own.run.start + 3], own.run.text[first.end - own.run.start :]
    return ":" in label or (any(map(str.isdigit, value)) and not any(map(str.isalpha, value)))


def without_title(segments: Sequence[Segment], block: Sequence[int]) -> tuple[int, ...]:
    """The block without a document title at its end: "TAX INVOICE" behind a postcode, or "REFUND"."""
    if len(block) > 1 and _is_refund(segments[block[-1]]):
        return tuple(block[:-1])
    if not any("postcode" in segments[at].places for at in block[:-1]):
        return tuple(block)
    last = segments[block[-1]]
    titled = not last.digits and max(last.roles.get(role, 0.0) for role in _TITLES) >= _SURELY
    return tuple(block[:-1]) if titled else tuple(block)


def _is_refund(own: Segment) -> bool:
    """Whether a segment is only a word for a refund or a void sale."""
    length = count_letters(own.run.text)
    return any(m.role == "void" and m.weight >= _SOME and len(m.phrase) == length for m in own.run.roles)


def registered_office_rows(segments: Sequence[Segment]) -> frozenset[int]:
    """Indices of the rows of the registered office, where the shop's address is printed too: its row, and the
    postcode and city right below it."""
    found: set[int] = set()
    for at, own in enumerate(segments):
        if _is_office(own.run.text):
            found.add(at)
            if "postcode" not in own.places and at + 1 < len(segments) and _ends_seat(own, segments[at + 1]):
                found.add(at + 1)
    others = [own for at, own in enumerate(segments) if at not in found]
    shop = any("postcode" in own.places or (_is_street(own) and "city" in own.places) for own in others)
    return frozenset(found) if shop else frozenset()


def _ends_seat(seat: Segment, below: Segment) -> bool:
    """Whether the row below a registered office's street is its postcode and city: no street, no label."""
    placed = "postcode" in below.places and not has_term(below.rest, "street", "address_label")
    return placed and below.run.row == seat.run.row + 1 and (seat.number_last or seat.digits > 0)


def _is_street(own: Segment) -> bool:
    numbered = own.number_first or own.number_last
    named = own.roles.get("address", 0.0) > POSSIBLE or has_term(own.rest, "street")
    return bool(numbered) and named


def shows_place(own: Segment) -> bool:
    """Whether a segment has a house number, a unit, a place, or a word that occurs in addresses."""
    numbered = own.number_first or own.number_last or own.unit_first
    named = bool(own.places) or bool(own.world) or own.code
    return numbered or named or own.roles.get("address", 0.0) > POSSIBLE


def _city_and_state(segments: Sequence[Segment], block: Sequence[int]) -> tuple[int, ...]:
    """Indices of a plain name below the block's last row, a street, and of the state beside or below it."""
    street, first = segments[block[-1]], block[-1] + 1
    if first + 1 >= len(segments) or street.places or not (street.number_first or street.number_last):
        return ()
    name, state = segments[first], segments[first + 1]
    near = name.run.row - street.run.row == 1 and state.run.row - name.run.row <= 1
    plain = not (name.digits or name.amount or name.entities or name.title_share) and name.letters > 2
    placed = "state" in state.places and _STATE_AND_CODE.match(state.rest) is not None
    return (first, first + 1) if near and plain and placed else ()


def city_below_street(segments: Sequence[Segment], at: int) -> float:
    """The log-odds that a row with a city, state or country right below a street gains.

    The scores fall with a row's distance from the top, which means nothing once the address has begun above.
    """
    if at == 0:
        return 0.0
    street, city = segments[at - 1], segments[at]
    named = bool((city.places | city.world) & {"city", "state", "country"})
    ended = "country" in street.places or {"postcode", "state"} <= street.places
    numbered = street.number_first or street.number_last or street.unit_first
    begun = numbered or street.roles.get("address", 0.0) > POSSIBLE
    if not named or not begun or ended or marks_store(street.rest):
        return 0.0
    return min(_MOST_FOR_CITY, _PER_SEGMENT * at)


def apart(segments: Sequence[Segment], at: int) -> float:
    """The log-odds, negative, of an item row that other rows separate from the header's last row; else 0."""
    if at == 0:
        return 0.0
    above, own = segments[at - 1].run, segments[at].run
    parted = own.row - above.row >= _PARTED and above.zone == "header" and own.zone == "items"
    return -_FAR if parted else 0.0


def of_customer(segments: Sequence[Segment], scores: Sequence[float]) -> frozenset[int]:
    """Indices of the customer's address, below the word for the customer. Only where another address stands
    above or elsewhere; else it may be the merchant's."""
    found: set[int] = set()
    for at, own in enumerate(segments):
        above = max(scores[:at], default=0.0) >= _SURE_ABOVE or any(map(is_letterhead, segments[:at]))
        if is_customer(own) and above:
            found.update(range(at, min(len(segments), at + 1 + _ROWS_OF_CUSTOMER)))
    return frozenset(found) | _of_named_customers(segments)


def _of_named_customers(segments: Sequence[Segment]) -> frozenset[int]:
    """Indices of addresses below a word for the customer alone in its row ("Ship to"), where a company's
    whole address stands elsewhere, as at the end of an online order."""
    found: set[int] = set()
    for at, own in enumerate(segments):
        if is_term(own.run.text, "customer"):
            found.update(range(at, min(len(segments), at + 1 + _ROWS_OF_CUSTOMER)))
    others = [at for at in range(len(segments)) if at not in found]
    sender = any(
        is_letterhead(segments[at]) and (at == 0 or has_legal_form(segments[at - 1].rest)) for at in others
    )
    return frozenset(found) if sender else frozenset()


def is_letterhead(own: Segment) -> bool:
    """Whether a row is a sender's whole address: a postcode and another number, with a city or with
    separators as in letterheads."""
    placed = "city" in own.places or _LETTERHEAD.search(own.rest) is not None
    return placed and "postcode" in own.places and len(_NUMBERS.findall(own.rest)) > 1


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
    """
    for end, begin in pairwise(range(len(block))):
        between = [segments[at] for at in range(block[end] + 1, block[begin])]
        headed = begin
        while headed < len(block) - 1 and _heads(segments[block[headed]]):
            headed += 1
        between += [segments[at] for at in block[begin:headed]]
        first, second = block[:begin], block[headed:]
        apart = segments[second[0]].run.row - segments[block[end]].run.row >= _PARTED
        if not (_is_whole(segments, first) and _is_whole(segments, second)):
            continue
        last = segments[second[0]]
        again = last.rest.endswith(segments[first[0]].rest) or _is_office(last.run.text)
        if again or any(own.title_share >= _HALF or _is_company(own) for own in between):
            return tuple(first)
        company = block[0] > 0 and has_legal_form(segments[block[0] - 1].rest)
        if between or (apart and company and _is_street(last)):
            return tuple(second)
        if "postcode" in segments[block[end]].places and _is_street(segments[second[0]]):
            return tuple(first)
    return tuple(block)


def _is_company(own: Segment) -> bool:
    return has_legal_form(own.rest) and not own.digits


def _heads(own: Segment) -> bool:
    """Whether a row may name a shop or a company above its address: no number except at the end, and no place
    except a town among other words."""
    numbered = own.digits > 0 and not own.number_last
    placed = own.whole_place or "postcode" in own.places or has_term(own.rest, *_PARTS)
    return not (numbered or placed or own.rest.endswith(",") or (own.places and own.digits))


def _is_whole(segments: Sequence[Segment], rows: Sequence[int]) -> bool:
    """Whether rows are a whole address: a street and a city or postcode, with a number in the first row."""
    own = [segments[at] for at in rows]
    placed = any(row.places & {"city", "postcode"} for row in own)
    return placed and own[0].digits > 0 and any(map(_has_street, own))


def _has_street(own: Segment) -> bool:
    """Whether a row has a word for a street, or a house number besides its postcode."""
    houses = len(_JOINED.findall(own.rest)) - ("postcode" in own.places)
    return houses > 0 or has_term(own.rest, "street")


def of_branch(segments: Sequence[Segment], block: Sequence[int], scores: Sequence[float]) -> tuple[int, ...]:
    """The rows of the branch's address where the company's stands above it: behind or below a word for a
    branch, with a number in its first row. Latin American tills have to print both."""
    for at in range(block[0] + 1, min(len(segments), block[-1] + 1 + _PARTED)) if block else ():
        word = term_at_start(segments[at].rest, "store")
        if word is None or not any(_ends_seat_at(segments[i]) for i in block if i < at):
            continue
        behind = segments[at].rest[word.end :].lstrip(" .")
        labelled = behind[:1] in (":", "：") and any(map(str.isdigit, behind))
        own = labelled and shows_place(segments[at]) and not is_branch(behind.lstrip(" :："))
        begin = at if own else at + 1
        below = range(begin, min(len(segments), begin + _NEXT))
        rows = list(takewhile(lambda i: scores[i] > _UNLIKELY and _is_place(segments[i]), below))
        if rows and segments[rows[0]].digits:
            return tuple(rows)
    return tuple(block)


def _ends_seat_at(own: Segment) -> bool:
    """Whether a row may end the company's address."""
    return "postcode" in own.places or ("city" in own.places and own.digits > 0)


def _is_place(own: Segment) -> bool:
    """Whether a row of the header shows a place and nothing else."""
    other = own.amount or own.entities or own.run.zone != "header" or own.title_share >= _HALF
    return not other and shows_place(own)


def without_branch(segments: Sequence[Segment], block: Sequence[int]) -> tuple[int, ...]:
    """The block without a last row that names the branch, below a row with postcode and city:
    "Hypermarket Northgate"."""
    if len(block) < 2:
        return tuple(block)
    last, above = segments[block[-1]], segments[block[-2]]
    ended = {"postcode", "city"} <= above.places
    return tuple(block[:-1]) if ended and not last.digits and _names_shop(last) else tuple(block)


def _names_shop(own: Segment) -> bool:
    """Whether a row has trade words and no words of addresses."""
    return trade_share(own.rest) > _STORE_TRADE and not has_term(own.rest, *_PARTS)


def with_place_below(segments: Sequence[Segment], block: Sequence[int]) -> tuple[int, ...]:
    """The block with the row below it, if that is only a place: behind a comma, or of a kind that the block
    has not yet (city, state, country). Or with a plain name and its state and postcode below a street."""
    at = block[-1] + 1 if block else 0
    if not block or at >= len(segments):
        return tuple(block)
    if city := _city_and_state(segments, block):
        return (*block, *city)
    own, above = segments[at], [segments[i] for i in block]
    known = own.places & {"city", "state", "country"}
    apart = own.run.row - above[-1].run.row > 1
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
