"""Identifies rows that are neither a shop's name nor its address by their own words: its business activity, a
registration, staff, a guest's seat or table, an amount in words, the two ends of a trip."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from receipt_engine.region import Role, Term
from receipt_engine.scoring.certainty import POSSIBLE
from receipt_engine.stages.merchant.segments import Segment
from receipt_engine.vocabulary import TermMatch, find_terms, has_term, is_term, term_at_start, term_pattern
from receipt_engine.vocabulary.legal_forms import has_legal_form
from receipt_engine.vocabulary.normalise import letters
from receipt_engine.vocabulary.trades import service_words, trade_share

#: Behind a word for a seat or a hall: its number, its letter, or both.
_SEAT = re.compile(r"\W{0,3}(?:[A-Z]{1,2}-?\d{0,3}|\d{1,3}[A-Z]?)(?![^\W_])")
#: Most codes before the label of a register, and the most characters of one: "ES 4418 PERMISO ...".
_CODES, _CODE = 2, 5
#: The number of a document behind its label: six digits together, or letters and at least four digits.
_LONG_NUMBER = re.compile(
    r"[.:º°\s]*(?=\S*(?:\d{6}|[^\W\d_]{2}\S*\d(?:\S*\d){3}|\d(?:\S*\d){3}\S*[^\W\d_]{2}))[\w/-]{7,}"
)
#: Behind a word for a terminal: its number, which is long or masked.
_TERMINAL = re.compile(r"(?:\W*[^\W\d_]{1,4}\.?){0,2}[\W_]*(?:[\w*-]*\d){4}[\w*-]*\W*$")
#: This many words for seats and halls, each with its number, identify a ticket's row.
_SEATS = 2
#: Behind a word for a register, a permit, a machine or a car: its number.
_REGISTERED = re.compile(
    r"(?:\W*[^\W\d_]{1,8}\.?){0,3}\W{0,3}[\w./-]*\d{3,}[\w./-]*(?:,\d+)?(?: [^\W\d_]{1,3})?\W*$"
)
#: Most words of the place of a register.
_PLACE_WORDS = 2
#: Between a word for staff and the person's name.
_COLON = (":", "：")
#: The cents of an amount in words, as hundredths: "DOSCIENTOS PESOS 00/100".
_HUNDREDTHS = re.compile(r"(?<!\d)\d\d ?/ ?100(?!\d)")
#: An invocation above an Indian shop's name, between the double bars that end a verse: "|| Shri ||".
_INVOKED = re.compile(r"\s*(?:\|\||॥|।।).*(?:\|\||॥|।।)\s*$")
#: Three or more texts of words with the same sign between them.
_LIST = re.compile(
    r"\W*[^\W\d_][^\d,|*•·–-]*(?: ([-–·•|*]) [^\W\d_][^\d,|*•·–-]*)(?: \1 [^\W\d_][^\d,|*•·–-]*)+"
)
#: A trip has two ends.
_ENDS = 2
#: Most rows of an address below a name.
_ROWS_OF_ADDRESS = 3
_STAFF: tuple[Role, ...] = ("cashier",)
#: Share of a row's letters that are words for a till, a document or a date.
_SURELY = 0.9
#: A number behind its abbreviation in capitals or its sign ("REG 03", "TX:0447", "#44718"), a row of them,
#: and a number with too many digits for a house; how many there are in a row, and beside a date.
_COUNTER = r"(?:[A-Z]{2,5}[.:#]{0,2} ?#?|#)\d{1,8}"
_COUNTERS = re.compile(rf"\W*{_COUNTER}(?:\s+{_COUNTER})+\W*")
_LONG = re.compile(r"\d{4}")
_MANY, _DATED = 3, 2
_OF_ADDRESS: tuple[Term, ...] = ("building", "plot", "street", "unit", "number")
#: Behind a word for a table, an order or a unit: its number, and nothing else.
_COUNT = re.compile(r"\W*(?:n[o0][.:]?\W*)?[A-Z]{0,2}-?\d{1,12}[A-Z]?\W*", re.IGNORECASE)
_COUNTED: tuple[Term, ...] = ("table", "order_number", "unit")
#: Most letters of a word behind the beginning by which the vocabulary knows it: "orders", not "tranmere".
_ENDING = 3
#: Behind a word for the foundation of a shop: its year, and nothing else.
_YEAR = re.compile(r"\W*(?:1[6-9]|20)\d\d\W*")
#: The end of a greeting with one or two names.
_GREETED = re.compile(r"^\W*\w+(?: [^\W\d_][\w.'-]*){1,3},$")
#: A label, a number with decimals and a unit.
_MEASURE = re.compile(r"[^\d,;/]*\d+[.,]\d+ ?[^\W\d_]{1,3}\W*")
#: Two sentences, or an exclamation: "Fresh bread. Good people.", "Eat well!".
_SLOGAN = re.compile(r"[^\W\d_]{3,}[.!] [^\d#]*[^\W\d_]{4,}[.!]$|[^\W\d_]{2,} [^\d#]*[^\W\d_]{3,}!$")


def states_activity(text: str) -> bool:
    """Whether a row begins with words for a shop's line of business or tax status: "Dealers in: pipes and
    fittings", "Responsable Monotributo"."""
    return term_at_start(text, "activity", "tax_status") is not None


def is_registration(own: Segment) -> bool:
    """Whether a row is only the number of a registration, a permit or a machine, behind its label, or the
    register's place, or both: "Tax office of Leeds", "FN 447118k, HG Wien"."""
    labels = [match for match in find_terms(own.rest) if match.term == "company_number"]
    second = labels[-1].start if labels and labels[-1].start >= labels[0].end else 0
    halves = (own.rest[:second].rstrip(" ,"), own.rest[second:])
    if any(map(_is_register, halves)) and any(map(_is_numbered, halves)):
        return True
    if not own.digits:
        return "city" in own.places | own.world and _is_register(own.rest)
    if "postcode" in own.places and (
        own.places != {"postcode"} or not term_at_start(own.rest, "company_number")
    ):
        return False
    return _is_numbered(own.rest)


def _is_numbered(text: str) -> bool:
    """Whether a text is the number of a registration behind its label, and nothing of a street."""
    labels = (match for match in find_terms(text) if match.term == "company_number")
    label = next((match for match in labels if len(text[: match.start].split()) <= _CODES), None)
    if label is None or any(len(word) > _CODE for word in text[: label.start].split()):
        return False
    others = text[: label.start] + text[label.end :]  # "R" is a street, but not in "C.R.C."
    if has_term(others.rpartition(" ")[0], "street"):
        return False
    return _REGISTERED.match(text, label.end) is not None


def _is_register(text: str) -> bool:
    """Whether a text without digits is a word for a register or its office, and its place behind it."""
    label = term_at_start(text, "company_number")
    place = text[label.end :] if label else ""  # "R" is a street, but not in "C.R.C. Porto"
    return 0 < len(place.split()) <= _PLACE_WORDS and not (has_legal_form(text) or has_term(place, "street"))


def is_of_sale(own: Segment) -> bool:
    """Whether a row has the date or time of the sale, beside other digits or only its label, and nothing of
    an address."""
    named = own.weight("address") > POSSIBLE or own.places or own.unit_first
    if _counts(own):
        return True
    return "date" in own.entities and (own.digits > 0 or own.title_share >= _SURELY) and not named


def _counts(own: Segment) -> bool:
    """Whether a row is only the numbers of the till, the staff and the sale, each behind its abbreviation:
    "STR 0118 LN 04 OPR 2231 TX 0447". At most half of them may be words of addresses ("LANE 2")."""
    if _COUNTERS.fullmatch(own.rest) is None or _LONG.search(own.rest) is None:
        return False
    parts = {match.start for match in find_terms(own.rest) if match.term in _OF_ADDRESS}
    numbers = len(re.findall(_COUNTER, own.rest))
    return numbers >= (_DATED if "date" in own.entities else _MANY) and 2 * len(parts) <= numbers


def is_terminal(own: Segment) -> bool:
    """Whether a row begins with a word for a bank's card terminal, with its number behind it."""
    label = term_at_start(own.rest, "terminal_number")
    return label is not None and _TERMINAL.match(own.rest, label.end) is not None


def is_guest_seat(text: str) -> bool:
    """Whether a row gives a guest's seat or hall: "Row G Seat 11", "Screen 4"."""
    found = [match for match in find_terms(text) if match.term == "seat"]
    found = [match for match in found if _SEAT.match(text, match.end)]
    alone = len(found) == 1 and not text[: found[0].start].strip() and _SEAT.fullmatch(text, found[0].end)
    return len(found) >= _SEATS or bool(alone)


def is_document_number(text: str) -> bool:
    """Whether a row is only a word for the document or the order with its number: "TICKET# A-44182"; or a
    word for a number with one too long for a house: "No. HX-19-002040"."""
    number = term_at_start(text, "number")
    if number is not None and _LONG_NUMBER.fullmatch(text, number.end) is not None:
        return True
    word = _whole_word(text, "document_number", "order_number")
    if word is None or _COUNT.fullmatch(text, word.end) is not None:
        return word is not None
    return _of_series().fullmatch(text, word.end) is not None


@cache
def _of_series() -> re.Pattern[str]:
    """The letters of a series of documents, and the number: "Serie AB Nr. 00123", "Bill: #INV-2024-00123"."""
    named = rf"[A-Z]{{1,4}}\W+{term_pattern('number')}\W*\d{{1,12}}"
    return re.compile(rf"\W*(?:{named}|[A-Z]{{2,5}}(?:-\d{{1,12}}){{1,3}})\W*", re.IGNORECASE)


def is_word_alone(text: str) -> bool:
    """Whether a row is only a word for the document, or before its seller or customer: "INVOICE", "From:"."""
    word = _whole_word(text, "document_number", "trip", "addressee")
    return word is not None and not letters(text[word.end :])


def _whole_word(text: str, *terms: Term) -> TermMatch | None:
    """The term at the start of a text, if it is the whole word: "Rec", but not "Record"."""
    word = term_at_start(text, *terms)
    return word if word is not None and letters(text[: word.end]) == word.phrase else None


def is_measured(text: str) -> bool:
    """Whether a row is only a measure with decimals and its unit, behind a label: "DIST 6.2 MI"."""
    return _MEASURE.fullmatch(text) is not None


def is_note(own: Segment) -> bool:
    """Whether a row is a note on the order or the amount: words for serving guests with a number ("Table 4",
    "Check 12 Guests: 2"), an order's number, an amount in words, an invocation, a text in square brackets.
    Or the year of foundation alone."""
    text = own.rest
    served = own.digits > 0 and bool(service_words(text)) and not has_legal_form(text)
    counted = own.digits > 0 and (_is_counted(text) or _is_founded(text))
    in_words = _HUNDREDTHS.search(text) is not None or _INVOKED.match(text) is not None
    return served or counted or in_words or (text[:1] == "[" and text[-1:] == "]")


def _is_counted(text: str) -> bool:
    """Whether a row is only a word for a table, an order or a unit with its number: "Tab #12", "Suite 5"."""
    word = term_at_start(text, *_COUNTED)
    if word is None or _COUNT.fullmatch(text, word.end) is None:
        return False
    return word.end - word.start - len(word.phrase) <= _ENDING


def _is_founded(text: str) -> bool:
    """Whether a row is only the year in which the shop was founded, or says when it is open: "Since 1974",
    "Open 7 days"."""
    word = term_at_start(text, "founded", "opening")
    return word is not None and (word.term == "opening" or _YEAR.fullmatch(text, word.end) is not None)


def names_customer(text: str) -> bool:
    """Whether a row greets the customer by name, as at the head of a message, or names them behind a word for
    them with a colon, or before an honorific: "Hi Ana,", "Bonjour Paul,", "Customer: Ana Lee"."""
    label = term_at_start(text, "customer")
    behind = text[label.end :] if label is not None else ""
    if behind.lstrip()[:1] in _COLON or has_term(behind, "honorific"):
        return True
    return term_at_start(text, "hail") is not None and _GREETED.search(text) is not None


def is_slogan(text: str) -> bool:
    """Whether a row is two sentences or an exclamation, without numbers."""
    return _SLOGAN.search(text) is not None


def is_list(text: str) -> bool:
    """Whether a row lists three or more things that a shop sells or does: "Candles - Soaps - Scents"."""
    return _LIST.fullmatch(text) is not None


def is_staffed(own: Segment) -> bool:
    """Whether a row begins with a word for a cashier, server or manager, with a name or a number behind it:
    "Mgr: Ana", "Store manager Ana Lee". Companies and names with a trade word are not staff."""
    word = term_at_start(own.rest, "staff")
    behind = own.rest[word.end :] if word else ""
    if any(map(str.isalnum, behind)) and not trade_share(behind):
        return not has_legal_form(own.rest)
    first = min(own.run.roles, key=lambda match: match.start, default=None)
    if first is None or first.role not in _STAFF or first.weight <= POSSIBLE or has_legal_form(own.rest):
        return False
    text = own.run.text
    lead = text[: max(0, first.start - own.run.start)]
    behind = text[first.end - own.run.start :]
    labelled = behind.lstrip(" .#")[:1] in _COLON and bool(behind.strip(" :："))
    numbered = lead.strip().isdigit() and bool(letters(behind))  # "0002 Till Ana Lee"
    shop = term_at_start(own.rest, "store", "address_label") is not None  # "Branch: Leeds, Mill Road 4"
    address = {"postcode", "city"} <= own.places  # "2 Station Approach, Elmford GU99 4UT"
    return len(lead.split()) <= 1 and (labelled or numbered) and not (shop or address)


def of_trip(segments: Sequence[Segment]) -> frozenset[int]:
    """Indices of the segments that say where a trip began and ended: behind or right below the words for its
    ends. Both words must be printed ("From", "To"; "Pick-up:", "Drop-off:"). Above a name and its address
    they are those of an invoice's seller and buyer."""
    ends = [at for at, own in enumerate(segments) if _is_end(own)]
    words = {term.phrase for at in ends if (term := term_at_start(segments[at].run.text, "trip")) is not None}
    if len(words) < _ENDS or any(_heads_letter(segments, at) for at in ends):
        return frozenset()
    below = (
        at + 1
        for at in ends
        if at + 1 < len(segments) and not _behind_word(segments[at]) and at + 1 not in ends
    )
    return frozenset((*ends, *below))


def _heads_letter(segments: Sequence[Segment], at: int) -> bool:
    """Whether a word such as "To" is alone in its place above a name and an address with postcode."""
    if not is_term(segments[at].run.text, "addressee") or at + 1 >= len(segments) or segments[at + 1].digits:
        return False
    return any({"postcode", "city"} <= own.places for own in segments[at + 2 : at + 2 + _ROWS_OF_ADDRESS])


def _is_end(own: Segment) -> bool:
    mail = "email" in own.entities  # "From: Kettle <shop@kettle.example>"
    return term_at_start(own.run.text, "trip") is not None and not own.amount and not mail


def _behind_word(own: Segment) -> str:
    """The text behind the word for an end of a trip."""
    word = term_at_start(own.run.text, "trip")
    return own.run.text[word.end :].strip(" :：-") if word else ""
