"""Recognises rows that look like an address but are not the shop's: staff, tables, opening hours, slogans,
the registered office."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from receipt_engine.region import SUMS, Role
from receipt_engine.scoring.certainty import LIKELY
from receipt_engine.stages.merchant.address.places import ends_in_street, is_letterhead, is_signed, is_street
from receipt_engine.stages.merchant.name.text import is_owner
from receipt_engine.stages.merchant.row_kinds import (
    is_document_number,
    is_guest_seat,
    is_measured,
    is_of_sale,
    is_registration,
    is_staffed,
    is_terminal,
    of_trip,
    states_activity,
)
from receipt_engine.stages.merchant.segments import Segment
from receipt_engine.stages.merchant.store_numbers import is_point_of_sale, is_store_row
from receipt_engine.vocabulary import (
    find_terms,
    has_term,
    is_term,
    lowered,
    term_at_end,
    term_at_start,
    term_pattern,
)
from receipt_engine.vocabulary.domains import ending_pattern
from receipt_engine.vocabulary.legal_forms import has_legal_form

#: Staff as many tills print it: a number, then a name, perhaps shortened ("1204 Maria T").
_STAFF = re.compile(r"^\W*\d{1,6}\s+[^\W\d_]{2,}(?:\s+[^\W\d_]{1,2}\.?)?$")
#: A masked card number.
_MASKED = re.compile(r"[*•×]{4,}\d{2,}|\d{2,}[*•×]{4,}|[xX]{6,}\d{3,}")
#: Both ends of a trip: "Leeds -> York".
_ROUTE = re.compile(r"[^\W_] ?(?:-+>|→) ?[^\W_]")
#: Fewest column titles in a heading of the line items.
_HEADINGS = 3
#: The number behind a word for a table or a check.
_NUMBER_BEHIND = re.compile(r"\W*(?:n[o0.]*\b\W*)?[^\W\d_]{0,2}\d", re.IGNORECASE)
#: Number of following segments that are examined.
_NEXT = 3
#: A company's row that ends in "t/a", before the name of its shop.
_TRADING_AS = re.compile(r"[^\W\d_]{2}.*\st\s?/\s?a\W*$", re.IGNORECASE)
#: A time of a day, perhaps of opening hours.
_TIME = re.compile(r"\d\s?[ap]\.?m\b|\d:\d\d", re.IGNORECASE)
_WHOLE_HOURS = re.compile(r"(?<![\d.:/-])[0-2]?\d ?[-–] ?[0-2]?\d(?![\d/-])")
#: Days of the week, abbreviated, before whole hours: "Mo-Fr 7-22".
_DAYS_AND_HOURS = re.compile(
    r"\W*[^\W\d_]{2,3}\.? ?[-–] ?[^\W\d_]{2,3}\.?:? [0-2]?\d ?[-–] ?[0-2]?\d(?![\d/-])"
)
#: The number of a bank account (ISO 13616).
_IBAN = re.compile(r"\W*(?:[^\W\d_]{1,4}\W+)?[A-Z]{2}\d{2}(?: ?[\dA-Z]{4}){3}")
#: Behind an abbreviation of a word for the owner: the name.
_NAME_BEHIND = re.compile(r"\.:? ?[^\W\d_]{2}|: ?[^\W\d_]{2}")
#: A shop's number joined to its name by a hyphen, longer than those of houses, or of units behind their sign.
_NUMBER_AND_NAME = re.compile(r"\W*(?:\d{6,8}|[#№] ?\d{4,5}) ?- ?[^\W\d_]{2}")
_YEAR = re.compile(r"(?:1[6-9]|20)\d\d")
#: A number behind a label, in any grouping.
_NUMBER_ALONE = re.compile(r"[^\w]*\d[\d\W]*")
#: A slogan in quotation marks: at least three words and no number.
_QUOTED = re.compile(r"""\W*["“”„«'][^\d"“”«»]+ [^\d"“”«»]+ [^\d"“”«»]+["“”»'][\s.!]*$""")
#: An extension behind a telephone, and the fewest digits of that.
_EXTENSION = re.compile(r"[^\d\s]{1,9}\.? ?\d{1,5}")
_PHONE = 6
#: Labels printed in a separate column beside an address, with their values.
_ABOUT_SALE: frozenset[Role] = frozenset(("receipt_number", "date", "not_date"))
_DATES: frozenset[Role] = frozenset(("date", "not_date"))
_SURELY = 0.9
_TENDERS: tuple[Role, ...] = ("card", "cash")
#: Smallest weight of a role, and smallest title share.
_SOME, _HALF = 0.6, 0.5
#: One long word with points.
_DOMAIN = re.compile(r"(?=.{12})[\w-]{3,}(?:\.[\w-]+)+")
#: A time, and the place behind it.
_STOP = re.compile(r"\d{1,2}:\d\d(?: ?[ap]\.?m\.?)? +(?:\d{1,5}[a-z]?,? )?[^\W\d_]", re.IGNORECASE)
#: Fewest stops of a trip: its two ends.
_ENDS = 2


@cache
def _hours() -> re.Pattern[str]:
    """Opening hours, in a text that is `lowered`: "Mon-Thu 11AM-10PM", "09:00 - 18:00"."""
    until = rf"\s?(?:[-–~]|{term_pattern('until')})\s?"
    noon = r"\d{1,2}(?:[:.]\d\d)?\s?[ap]\.?m\b"
    return re.compile(rf"{noon}\.?{until}{noon}|\b\d{{1,2}}:\d\d{until}\d{{1,2}}:\d\d\b")


@cache
def _founded() -> re.Pattern[str]:
    """The year of foundation: "Meisterbetrieb seit 1974", "Since 1931 - Family owned"."""
    return re.compile(rf"{term_pattern('founded')}\.? (?:1[6-9]|20)\d\d(?:\W*$| [-–|*])", re.IGNORECASE)


def has_hours(text: str) -> bool:
    """Whether a text has opening hours; the pattern is needed only where two times are printed."""
    return len(_TIME.findall(text)) > 1 and _hours().search(lowered(text)) is not None


def _says_open(text: str) -> bool:
    """Whether a row begins with a word for being open or with days of the week, and has hours without
    minutes: "Open 7 - 23 daily", "Mo-Fr 7-22"."""
    if _DAYS_AND_HOURS.match(text) is not None:
        return True
    return _WHOLE_HOURS.search(text) is not None and term_at_start(text, "opening") is not None


def is_not_address(segments: Sequence[Segment], at: int) -> bool:
    """Whether a segment is not an address, although it may look like a street with its house number.

    Such are staff ("1204 Maria T" right above "Chk 5501"), the table, opening hours, column headings, a
    telephone's label without its number or its extension, a branch label, a greeting, a slogan, an owner, a
    card or a tax office.
    """
    own = segments[at]
    if own.places == {"postcode"} and own.weight(*SUMS) >= LIKELY:
        return True  # "Total NT$245": an amount in the form of a postcode
    if (has_hours(own.run.text) or _says_open(own.rest)) and "postcode" not in own.places:
        return True
    if (
        is_term(own.rest, "address_label", "phone", "fax")
        or _is_served(own.rest)
        or is_store_row(own.rest)
        or _pays(own)
    ):
        return True
    label = term_at_start(own.rest, "service_line")
    if _is_extension(own) or (label is not None and _NUMBER_ALONE.fullmatch(own.rest, label.end) is not None):
        return True
    if _is_value(own) or _is_domain(own.rest) or (not own.digits and term_at_start(own.rest, "welcome")):
        return True
    if sum(m.role == "column" and m.weight >= LIKELY for m in own.run.roles) >= _HEADINGS:
        return True
    housed = "city" in own.places and own.digits > 0 and not own.number_last  # "Branch: Elm 4 Leeds"
    housed = housed or is_signed(own.rest) or has_term(own.rest, "postcode_label")
    if _is_branch_label(own.rest) and "," not in own.rest and not (housed or has_term(own.rest, "street")):
        return True
    if (_YEAR.search(own.rest) and _founded().search(own.rest)) or _QUOTED.match(own.run.text):
        return True
    if _is_account(own.rest) or (_NUMBER_AND_NAME.match(own.rest) and "postcode" not in own.places):
        return True
    company = "," not in own.rest and has_legal_form(own.rest)  # "Operated by: Kettle 2000 Ltd"
    owned = _has_owner(own.rest) and not ((own.digits and not company) or ends_in_street(own.rest))
    if owned or _TRADING_AS.search(own.rest):
        return True
    if _ROUTE.search(own.run.text):
        return True
    return _MASKED.search(own.run.text) is not None or _is_tax_office(own) or is_staff(segments, at)


def _is_extension(own: Segment) -> bool:
    """Whether only a word and a short number follow a telephone in their row: "ext. 214"."""
    rest = own.rest.strip()
    lead = own.run.text[: own.run.text.rfind(rest)]
    behind = "phone" in own.entities and sum(map(str.isdigit, lead)) >= _PHONE
    return behind and _EXTENSION.fullmatch(rest) is not None


def _is_served(text: str) -> bool:
    """Whether a row begins with the number of a table, a check or guests: "Table 4", "Chk 5501"."""
    word = term_at_start(text, "table")
    return word is not None and _NUMBER_BEHIND.match(text, word.end) is not None


def _is_account(text: str) -> bool:
    """Whether a row is a bank account: its number, behind a word for one or in the form of an IBAN."""
    label = term_at_start(text, "bank_account")
    return _IBAN.match(text, label.end if label else 0) is not None


def _has_owner(text: str) -> bool:
    """Whether a word for the owner begins a text, or stands behind the shop's name: behind a comma, or before
    a point or colon and the owner's name ("Kettle Inh.: Ana Lee")."""
    if is_owner(text) or is_owner(text.rpartition(",")[2]):
        return True
    words = (match for match in find_terms(text) if match.term == "owner")
    return any(_NAME_BEHIND.match(text, word.end) is not None for word in words)


def _is_value(own: Segment) -> bool:
    """Whether a segment begins with the colon of the label to its left and shows no place: ": AB 204 K"."""
    return own.run.text.lstrip()[:1] in (":", "：") and not own.places and not own.world


def _is_domain(text: str) -> bool:
    """Whether a row is only a web or e-mail address, perhaps with its sign misread: "Infolkettle-shop.de"."""
    return (
        _DOMAIN.fullmatch(text.strip()) is not None and re.search(rf"\.{ending_pattern()}$", text) is not None
    )


def _is_branch_label(text: str) -> bool:
    """Whether a row begins with a label for the branch: "Branch: Nasr City 2"."""
    store = term_at_start(text, "store")
    return store is not None and text[store.end :].lstrip()[:1] in (":", "：")


def _is_tax_office(own: Segment) -> bool:
    """Whether only a town stands beside a tax number: the office that issued it."""
    towns = own.places | own.world
    return "id" in own.entities and not own.digits and towns == {"city"} and len(own.rest.split()) == 1


def is_staff(segments: Sequence[Segment], at: int) -> bool:
    """Whether a segment is staff, a number and a name, above a table or a check."""
    own = segments[at]
    if not _STAFF.match(own.rest) or term_at_end(own.rest, "street"):
        return False
    if own.world or own.places - {"postcode"} or own.weight("address") > 0:
        return False
    return any(_is_served(other.run.text) for other in segments[at + 1 : at + 1 + _NEXT])


def _pays(own: Segment) -> bool:
    """Whether a segment says how to pay and to which account: "Pay via M-PESA Till No. 551882"."""
    numbered = own.digits > 0 and not own.number_first
    return own.weight(*_TENDERS) >= _SOME and numbered and own.title_share >= _HALF and not own.places


def is_labelled(own: Segment) -> bool:
    """Whether a segment is a label of the sale with its value, as printed beside an address: "Invoice no.:
    10882", "Check # 10437"; or the label of a date alone; or an address's label before a till or shop that
    has only a number: "Place of sale: till 3"."""
    label = term_at_start(own.run.text, "address_label")
    if label is not None and not own.places and is_point_of_sale(own.run.text[label.end :].lstrip(" .:：")):
        return True
    first = min(own.run.roles, key=lambda m: m.start, default=None)
    if first is None or first.role not in _ABOUT_SALE or first.weight < _SURELY:
        return False
    if first.start - own.run.start > 1:
        return False
    head, value = own.run.text[: first.end - own.run.start + 3], own.run.text[first.end - own.run.start :]
    if first.role in _DATES and not any(map(str.isalnum, value)):
        return True  # only the label, with the date in the next column
    return ":" in head or (any(map(str.isdigit, value)) and not any(map(str.isalpha, value)))


def registered_office_rows(segments: Sequence[Segment]) -> frozenset[int]:
    """Indices of the rows of the registered office, where the shop's address is printed too: its row, and the
    postcode and city right below it."""
    found: set[int] = set()
    for at, own in enumerate(segments):
        if is_office(own.run.text):
            found.add(at)
            if "postcode" not in own.places and at + 1 < len(segments) and _ends_seat(own, segments[at + 1]):
                found.add(at + 1)
            elif any("postcode" in above.places for above in segments[:at]) and _is_coded_below(segments, at):
                found.add(at + 1)  # the shop's address has ended above
    others = [own for at, own in enumerate(segments) if at not in found]
    towns = {"city", "state"}
    shop = any("postcode" in own.places or (own.places & towns and _has_place(own)) for own in others)
    return frozenset(found) if shop else frozenset()


def _has_place(own: Segment) -> bool:
    """Whether a segment has a street with its house number, perhaps before its town: "Mill St 7, Leeds"; or
    begins with a station, an airport or the like."""
    if own.run.zone == "header" and term_at_start(own.rest, "venue") is not None:
        return True
    return is_street(own) or is_signed(own.rest) or (own.digits > 0 and has_term(own.rest, "street", "route"))


def is_office(text: str) -> bool:
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


def _ends_seat(seat: Segment, below: Segment) -> bool:
    """Whether the row below a registered office's street is its postcode and city: no street, no label."""
    placed = "postcode" in below.places and not has_term(below.rest, "street", "address_label")
    return placed and below.run.row == seat.run.row + 1 and (seat.number_last or seat.digits > 0)


def _is_coded_below(segments: Sequence[Segment], at: int) -> bool:
    """Whether a row without a postcode stands right above one with a postcode."""
    coded = ["postcode" in own.places for own in segments[at : at + 2]]
    return coded == [False, True] and segments[at + 1].run.row == segments[at].run.row + 1


def non_address_rows(segments: Sequence[Segment]) -> frozenset[int]:
    """Indices of segments that are not part of the shop's address, however much they look like it."""
    alone = (
        at
        for at, own in enumerate(segments)
        if is_not_address(segments, at)
        or is_registration(own)
        or is_terminal(own)
        or is_of_sale(own)
        or (is_staffed(own) and not has_term(own.rest, "street"))
        or is_guest_seat(own.rest)
        or is_document_number(own.rest)
        or is_measured(own.rest)
        or states_activity(own.rest)
    )
    return frozenset((*alone, *registered_office_rows(segments), *of_trip(segments), *_timed_stops(segments)))


def _timed_stops(segments: Sequence[Segment]) -> frozenset[int]:
    """Indices of the places where a trip began and ended, each behind its time ("8:51 PM  9 Elm St"), or of
    their whole addresses, each beside its time or below it. A time alone has no segment."""
    first = {own.run.row: at for at, own in reversed(tuple(enumerate(segments)))}
    found = frozenset(
        at
        for at, own in enumerate(segments)
        if at > 0 and is_letterhead(own)
        if "date" in own.entities
        or (first[own.run.row] == at and (own.run.row - 1 not in first or own.run.start > 0))
    )
    stops = frozenset(at for at, own in enumerate(segments) if _STOP.match(own.run.text) is not None)
    return frozenset().union(*(ends for ends in (found, stops) if len(ends) >= _ENDS))
