"""Finds the rows of the customer, to whom an invoice, a letter or an order is addressed."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from itertools import pairwise

from receipt_engine.stages.merchant.address.block import PLACE_AND_CODE, is_code
from receipt_engine.stages.merchant.address.features import is_customer
from receipt_engine.stages.merchant.address.places import CODE_AND_PLACE, is_letterhead
from receipt_engine.stages.merchant.address.two_addresses import is_beside_sale, states_bill
from receipt_engine.stages.merchant.segments import Segment
from receipt_engine.vocabulary import has_term, is_term, term_at_end, term_at_start
from receipt_engine.vocabulary.legal_forms import has_legal_form
from receipt_engine.vocabulary.normalise import letters
from receipt_engine.vocabulary.trades import trade_share

#: Not a single letter or a star: "* * KUNDENBELEG * *" is a heading of one word.
_WORD = re.compile(r"[^\W\d_]{2,}")
#: A house number and a street.
_HOUSE_FIRST = re.compile(r"\d{1,5} [^\W\d_]{2,}")
#: Smallest log-odds of a merchant's row above a customer's address; most rows below the customer's label.
_SURE_ABOVE = 1.0
_MOST_ROWS = 4
#: Left edge of a window on the right of a letter, and of the texts beside it, as shares of the text's width.
_WINDOW, _MARGIN = 0.4, 0.2
#: Distance in rows of a name and the address below it, with a row of numbers between.
_NUMBERS_BETWEEN = 2
#: Smallest share of a title's words: "22 Church Lane" is none, although "Church" alone is.
_HALF = 0.5
#: Fewest rows of a name and its whole address, and letters of a name that rows share by no chance.
_ROWS_OF_BLOCK, _TELLING = 3, 8


def of_customer(segments: Sequence[Segment], scores: Sequence[float]) -> frozenset[int]:
    """Indices of rows that end with an honorific, and of the customer below the word for the customer.

    Below a phrase alone in its place ("Billed to"), or any such word below the sale, or before a name, it is
    surely the customer; below other words only where another address stands above or elsewhere, else it
    may be the merchant.
    """
    honoured = {at for at, own in enumerate(segments) if term_at_end(own.run.text, "honorific") is not None}
    found = honoured | {place for at in honoured for place in _at_honorific(segments, at)}
    for at, own in enumerate(segments):
        above = max(scores[:at], default=0.0) >= _SURE_ABOVE or any(map(is_letterhead, segments[:at]))
        alone = is_term(own.run.text, "customer")
        sure = alone and (own.run.zone == "after" or len(_WORD.findall(own.run.text)) > 1)
        if sure or (is_customer(own) and above):
            found.update(_rows(segments, at, _MOST_ROWS + 1))
        elif alone:
            found.add(at)
        elif _names_customer(own) or (above and _is_addressed(own.run.text)):
            found.update(_rows(segments, at, _MOST_ROWS))
    found |= _with_label_below(segments)
    beside = _beside_numbers(segments) or _beside_name(segments, found)
    letter = _of_letter(segments) | _in_window(segments) | beside
    return frozenset(found) | _of_labelled(segments) | letter | _on_bill(segments)


def _at_honorific(segments: Sequence[Segment], name: int) -> set[int]:
    """Indices of the address right above or below a customer's name with an honorific, at its left edge,
    where another address stands elsewhere, as on Japanese invoices."""
    own = segments[name].run
    column = [at for at, other in enumerate(segments) if abs(other.run.left - own.left) <= own.height]
    place = column.index(name)
    found: set[int] = set()
    for beside in (column[place + 1 :], column[:place][::-1]):
        row = own.row
        for at in beside:
            if abs(segments[at].run.row - row) > 1 or not segments[at].places:
                break
            found.add(at)
            row = segments[at].run.row
    sender = any("city" in other.places for at, other in enumerate(segments) if at not in found)
    return found if sender else set()


def _with_label_below(segments: Sequence[Segment]) -> set[int]:
    """Indices of customers with their name and an address behind its label below, perhaps under a row of
    numbers: "Renter: Ana Lee", "Address: 9 Elm St"."""
    found: set[int] = set()
    for at, (own, below) in enumerate(pairwise(segments)):
        if is_customer(own) and ":" in own.run.text and 0 < below.run.row - own.run.row <= _NUMBERS_BETWEEN:
            label = term_at_start(below.run.text, "address_label")
            if label is not None and below.run.text[label.end :].lstrip()[:1] == ":":
                found.update((at, at + 1))
    return found


def _rows(segments: Sequence[Segment], first: int, most: int) -> range:
    """The rows of a customer from its label or name on, down to its town or the foot of its column."""
    last = min(len(segments), first + most)
    foot = (at for at in range(first + 1, last) if segments[at].run.row < segments[at - 1].run.row)
    last = next(foot, last)
    return range(first, next((at + 1 for at in range(first, last) if _ends(segments[at])), last))


def _ends(own: Segment) -> bool:
    """Whether a row is a town with its postcode, known or not, or a postcode alone."""
    coded = "postcode" in own.places and CODE_AND_PLACE.fullmatch(own.rest) is not None
    return _is_town(own) or coded or is_code(own) or PLACE_AND_CODE.fullmatch(own.rest) is not None


def _is_town(own: Segment) -> bool:
    return {"postcode", "city"} <= own.places


def _names_customer(own: Segment) -> bool:
    """Whether a row is a phrase for the customer, a colon and a name or a street: "Ship to: Ana Lee",
    "Service address: 9 Elm St", "Delivery address: Larkstraat 9"."""
    text = own.run.text
    label = term_at_start(text, "customer")
    if label is None or len(text[: label.end].split()) < 2 or text[label.end : label.end + 1] != ":":
        return False
    behind = text[label.end + 1 :].lstrip()
    placed = has_term(text[: label.end], "address_label") or _HOUSE_FIRST.match(behind) is not None
    return placed or not any(map(str.isdigit, behind))


def _is_addressed(text: str) -> bool:
    """Whether a row is a word before the customer's name, a colon and the name: "To: Ana Lee"."""
    label = term_at_start(text, "addressee")
    behind = text[label.end :].lstrip() if label else ""
    return behind[:1] == ":" and any(map(str.isalpha, behind)) and not any(map(str.isdigit, behind))


def _of_labelled(segments: Sequence[Segment]) -> frozenset[int]:
    """Indices of addresses below a word for the customer alone in its row ("Lieferadresse", "To:"), where
    another town stands elsewhere, as at the end of an online order."""
    found: set[int] = set()
    for at, own in enumerate(segments):
        if is_term(own.run.text, "customer", "addressee"):
            found.update(_rows(segments, at, _MOST_ROWS + 1))
    sender = any("city" in own.places for at, own in enumerate(segments) if at not in found)
    return frozenset(found) if sender else frozenset()


def _of_letter(segments: Sequence[Segment]) -> frozenset[int]:
    """Indices of the customer's address at the head of a letter whose sender's is elsewhere, as at its foot:
    a salutation with the name, then a street, then the postcode and the town. A row of numbers among them or
    right below, without a segment, is the shop's telephone or tax number."""
    rows = _rows(segments, 0, _MOST_ROWS + 1)
    name = segments[0].run.text if segments else ""
    greeted = term_at_start(name, "salutation") is not None and is_customer(segments[0])
    if not greeted or not _is_town(segments[rows[-1]]):
        return frozenset()
    close = all(below.run.row - own.run.row <= 1 for own, below in pairwise(segments[: len(rows) + 1]))
    sender = any(map(_is_town, segments[len(rows) :]))
    shop = has_legal_form(name) or trade_share(name) > 0
    return frozenset(rows) if close and sender and not shop else frozenset()


def _in_window(segments: Sequence[Segment]) -> frozenset[int]:
    """Indices of the customer's address that stands alone on the right of a letter's head, below a text on
    the left, where the only other town is that of the sender, at the foot."""
    towns = [at for at, own in enumerate(segments) if _is_town(own)]
    if [segments[at].run.zone for at in towns] != ["header", "after"]:
        return frozenset()
    rows = _block(segments, towns[0])
    beside = any(_left(own) < _MARGIN for own in segments[: rows[0]])
    same = segments[towns[0]].rest == segments[towns[1]].rest
    window = len(rows) >= _ROWS_OF_BLOCK and _left(segments[rows[0]]) >= _WINDOW
    return frozenset(rows) if window and beside and not same else frozenset()


def _on_bill(segments: Sequence[Segment]) -> frozenset[int]:
    """Indices of the customer's address on a bill that is paid later: the head's last one with a name, a
    blank above and no telephone below, where the sender's is above, or at the foot. Below the sender's, the
    sale's number or date beside it shows the bill too."""
    towns = [at for at, own in enumerate(segments) if _ends(own) and own.run.zone in ("header", "after")]
    last = max((at for at in towns if segments[at].run.zone == "header"), default=0)
    rows = _block(segments, last)
    above = any(at < rows[0] for at in towns)
    beside = above and is_beside_sale(segments, (), rows)
    billed = beside or ((above or towns[-1:] > [last]) and any(map(states_bill, segments)))
    named = len(rows) >= _ROWS_OF_BLOCK and rows[0] > 0 and _ends_close(segments, last)
    return frozenset(rows) if billed and named and not _is_repeated(segments, rows) else frozenset()


def _beside_numbers(segments: Sequence[Segment]) -> frozenset[int]:
    """Indices of the customer's address on the left of a letter's head, above the sender's on the right: only
    the sender's has telephone and tax numbers below, in rows without a segment."""
    left, right = _two_columns(segments)
    if not left:
        return frozenset()
    below = segments[right[0]].run.row > segments[left[-1]].run.row
    numbered = not _ends_close(segments, right[-1]) and _ends_close(segments, left[-1])
    return frozenset(left) if below and left[-1] + 1 == right[0] and numbered else frozenset()


def _beside_name(segments: Sequence[Segment], labelled: Set[int]) -> frozenset[int]:
    """Indices of the customer's address beside the sender's, where no label tells: the one whose name no
    other row repeats, as a logo does, or the foot of a bill; else the one that is read last."""
    columns = sorted(_two_columns(segments), key=lambda rows: rows.start)
    if not labelled.isdisjoint([*columns[0], *columns[1]]):
        return frozenset()
    said = [_is_repeated(segments, column) for column in columns if column]
    at = said.index(False) if said.count(True) == 1 else 1
    return frozenset(columns[at])


def _is_repeated(segments: Sequence[Segment], rows: range) -> bool:
    """Whether the first of some rows begins with another row of the head, or that with it, as a logo does, or
    stands in a row of the foot."""
    name = letters(segments[rows[0]].rest)
    others = [(own.run.zone, letters(own.rest)) for at, own in enumerate(segments) if at not in rows]
    logos = [other for zone, other in others if zone == "header" and len(other) >= _TELLING]
    logo = any(other.startswith(name) or name.startswith(other) for other in logos)
    return len(name) >= _TELLING and (logo or any(name in other for zone, other in others if zone == "after"))


def _two_columns(segments: Sequence[Segment]) -> tuple[range, range]:
    """The rows of two whole addresses in the head, with a name each, the left one and the one right of it;
    empty ranges without such."""
    towns = [at for at, own in enumerate(segments) if _ends(own) and own.run.zone == "header"]
    if len(towns) != 2:
        return range(0), range(0)
    left, right = sorted((_block(segments, at) for at in towns), key=lambda rows: segments[rows[0]].run.left)
    apart = max(segments[at].run.right for at in left) < min(segments[at].run.left for at in right)
    whole = min(len(left), len(right)) >= _ROWS_OF_BLOCK
    return (left, right) if whole and apart else (range(0), range(0))


def _block(segments: Sequence[Segment], town: int) -> range:
    """The rows right above a town with the same left edge, and the town."""
    first = town
    while first > 0 and _is_aside(segments[first - 1], segments[first]):
        first -= 1
    return range(first, town + 1)


def _ends_close(segments: Sequence[Segment], at: int) -> bool:
    """Whether the next text stands in the row right below a segment."""
    return at + 1 < len(segments) and segments[at + 1].run.row - segments[at].run.row <= 1


def _is_aside(above: Segment, below: Segment) -> bool:
    """Whether a text stands right above another one with the same left edge."""
    near = below.run.row - above.run.row == 1 and below.run.top - above.run.bottom < above.run.height
    return near and abs(above.run.left - below.run.left) < above.run.height and above.title_share < _HALF


def _left(own: Segment) -> float:
    return own.center - own.share / 2
