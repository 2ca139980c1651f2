"""Removes rows of another kind from the edges of an address: the shop's name repeated, a person with a tax
number, a company with the number of its store, a till. Also finds addresses shown only by their label or by
their place below the name."""

from __future__ import annotations

import re
from collections.abc import Sequence

from receipt_engine.region import Role, Term
from receipt_engine.scoring.certainty import LIKELY, POSSIBLE
from receipt_engine.stages.merchant.address.places import PARTS, ends_in_town, shows_place
from receipt_engine.stages.merchant.name.greetings import greeting_end
from receipt_engine.stages.merchant.name.text import clean_name, is_owner
from receipt_engine.stages.merchant.segments import Segment
from receipt_engine.stages.merchant.store_numbers import is_point_of_sale, without_store_number
from receipt_engine.vocabulary import has_term, is_term, term_at_start
from receipt_engine.vocabulary.legal_forms import has_legal_form
from receipt_engine.vocabulary.normalise import letters

#: Letters that are enough to tell a name.
_TELLING = 5
#: Words before the name of a street, a town or a state.
_BEGIN: tuple[Term, ...] = ("city_label", "state_label", "street")
#: Most words of a person's name.
_PERSON = 4
#: Most letters of the label of a check digit: "DV", "D.V.".
_FEW_LETTERS = 2
#: Roles of a row that names the till or the receipt, and the smallest weight and share of its letters that
#: they have ("Factura de Venta No. POS-10234").
_PAID_AT: tuple[Role, ...] = ("cashier", "receipt_number")
_TITLES: tuple[Role, ...] = ("invoice", "receipt")
_SURELY = 0.8
#: From this share of words about the sale on, a number is neither a house's nor a postcode.
_TITLED = 0.5
#: The number of a store with its sign, and words.
_BRANCH = re.compile(r"[#№] ?\d{1,6} [^\d]+")
#: Log-odds that a row with an address label and a colon gains when no block is likely.
_LABELLED = 8.0
#: Log-odds that rows below a shop's name at the end of a receipt gain, and their number. The gain makes up
#: for the scores, which fall with a row's distance from the top.
_BELOW_NAME, _ROWS_BELOW = 8.0, 3


def without_other_kinds(segments: Sequence[Segment], block: Sequence[int], named: range) -> tuple[int, ...]:
    """The block without the shop's name or a person with a tax number above its street, the till below it,
    and a row that other rows part from it and that shows no place. Without greetings and rows that say the
    shop's name once more. named: indices of the name's segments."""
    shop = letters(" ".join(segments[at].rest for at in named))
    said = {at for at in block if greeting_end(segments[at].rest) and not segments[at].digits}
    said |= {at for at in block if at not in named and _says_name(segments[at], shop)}
    rows = [segments[at].run.row for at in block]
    said |= {at for at in block if rows.count(segments[at].run.row) > 1 and _is_till(segments[at])}
    kept = [at for at in block if at not in said] or list(block)
    while len(kept) > 1 and (
        _is_identity(segments[kept[0]]) or _is_company(segments[kept[0]], segments[kept[1]])
    ):
        del kept[0]
    while len(kept) > 1 and (
        _is_till(segments[kept[-1]])
        or _is_title(segments[kept[-1]])
        or _names_country(segments[kept[-1]])
        or _is_parted(segments[kept[-2]], segments[kept[-1]])
    ):
        del kept[-1]
    return tuple(kept)


def _is_title(own: Segment) -> bool:
    """Whether a row is only words about the sale: "SALE"."""
    return own.title_share >= _SURELY and not (own.places or own.digits)


def _names_country(own: Segment) -> bool:
    """Whether a row has nothing of an address but a country inside a name: "Kettle Retail France"."""
    named = own.places | own.world == {"country"} and not own.whole_place
    return named and not (own.digits or "," in own.rest or has_term(own.rest, *PARTS))


def _is_parted(above: Segment, own: Segment) -> bool:
    """Whether other rows part a row from the one above, and it shows nothing of an address, like a slogan
    below the telephone."""
    if own.run.row - above.run.row <= 1:
        return False
    known = own.places or own.world or own.digits or own.code or has_term(own.rest, *PARTS)
    return not known and own.weight("address") <= POSSIBLE


def of_places(segments: Sequence[Segment], block: Sequence[int]) -> tuple[int, ...]:
    """The block; empty when it is one row without anything of an address: no known place, word for a part of
    an address, house number before or behind a name, or address label. Or when all its rows are mostly words
    about the sale."""
    one = bool(block) and segments[block[0]].run.row == segments[block[-1]].run.row
    if not one and not all(segments[at].title_share >= _TITLED for at in block):
        return tuple(block)
    return tuple(block) if any(_is_of_address(segments[at]) for at in block) else ()


def _is_of_address(own: Segment) -> bool:
    named = (own.places | own.world) - ({"country"} if own.digits == 0 else set())  # "Kettle Ireland Ltd"
    if own.digits == 0 and own.weight("address") <= POSSIBLE:
        named -= {"word"}  # "Larch Vale District Council"
    if own.title_share >= _TITLED and not named - {"postcode", "word"}:
        return False
    if own.run.zone == "items":
        named = named - {"state"}  # "PAPER TOWEL 2CT" is not in Connecticut
    placed = named or has_term(own.rest, *PARTS) or term_at_start(own.rest, *_BEGIN, "landmark") is not None
    placed = placed or (own.digits > 0 and has_term(own.rest, "route"))  # "E40 highway, km 714"
    placed = placed or own.code
    numbered = own.numbered and own.letters > 0 and not own.rest.islower()
    numbered = numbered or ends_in_town(own.rest)
    return bool(placed or numbered or term_at_start(own.run.text, "address_label"))


def labelled_address(own: Segment) -> float:
    """The log-odds that a row gains because of its address label: "Address: 14 Larch Hill"."""
    label = term_at_start(own.run.text, "address_label")
    if label is None or own.run.text[label.end :].lstrip(" .")[:1] not in (":", "："):
        return 0.0
    placed = own.digits or own.places or has_term(own.run.text[label.end :], *_BEGIN)
    return _LABELLED if placed else 0.0


def label_gains(segments: Sequence[Segment]) -> tuple[float, ...]:
    """The log-odds that each row gains because of an address label before it, or alone beside it or in the
    row above."""
    gains = []
    labels = [own.run for own in segments if is_term(own.run.text.rstrip(" :："), "address_label")]
    for own in segments:
        near = any(
            own.run.row - label.row == 1 or (own.run.row == label.row and own.run.left > label.right)
            for label in labels
        )
        beside = near and own.digits > 0 and shows_place(own) and not is_point_of_sale(own.run.text)
        gains.append(_LABELLED if beside else labelled_address(own))
    return tuple(gains)


def below_name(segments: Sequence[Segment], name: int) -> tuple[float, ...]:
    """The log-odds that each row gains right below the shop's name at the end of a receipt, or below notices,
    if a street and a town with its postcode follow it: these rows, as long as they show a place. name: index
    of the name's last segment; the name may be printed again at the end."""
    gains = [0.0] * len(segments)
    shop = clean_name(segments[name].rest)
    again = [
        at for at, own in enumerate(segments) if own.run.zone == "after" and clean_name(own.rest) == shop
    ]
    for last in {name, *again}:
        if segments[last].run.zone == "after" or _is_whole(segments[last + 1 : last + 3]):
            owned = last + 1 < len(segments) and is_owner(segments[last + 1].rest)
            first = last + 1 + owned
            for at in range(first, min(len(segments), first + _ROWS_BELOW)):
                if not shows_place(segments[at]) or segments[at].amount:
                    break
                gains[at] = _BELOW_NAME
    return tuple(gains)


def _is_whole(rows: Sequence[Segment]) -> bool:
    """Whether two rows are a street with its number and a town with its postcode."""
    if not rows[1:]:
        return False
    street, town = rows
    return street.numbered and has_term(street.rest, "street") and {"postcode", "city"} <= town.places


def from_label(segments: Sequence[Segment], block: Sequence[int]) -> tuple[int, ...]:
    """The block from its first address label on, without the rows above it: "Kettle House" above
    "Address: 14 Larch Hill"."""
    labelled = [at for at in block if labelled_address(segments[at])]
    if not labelled or labelled[0] == block[0]:
        return tuple(block)
    return tuple(at for at in block if at >= labelled[0])


def _says_name(own: Segment, shop: str) -> bool:
    """Whether a row without a number or a place is the shop's name with other words: "KETTLE EXPRESS". shop:
    the name's letters."""
    text = letters(own.rest)
    said = len(shop) >= _TELLING and shop != text and (text.startswith(shop) or text.endswith(shop))
    return said and not (own.digits or own.places or own.world or has_term(own.rest, *PARTS))


def _is_company(own: Segment, below: Segment) -> bool:
    """Whether a row is a company's name with the number of its store, or a branch with its number that is
    named after the street ("#44 Salem - Slide Rd"), above a street and its house number."""
    name = without_store_number(own.rest)
    street = below.digits > 0 and has_term(below.rest, "street")
    branch = below.number_first and _BRANCH.fullmatch(own.rest) is not None and has_term(name, "street")
    company = name != own.rest and has_legal_form(name) and not has_term(own.rest, *PARTS)
    return street and (company or branch)


def _is_identity(own: Segment) -> bool:
    """Whether a row is a person's name beside a tax number, or its check digits behind their label."""
    if "id" not in own.entities or "," in own.rest or has_term(own.rest, *PARTS):
        return False
    named = not own.digits and 1 < len(own.rest.split()) <= _PERSON
    return named or (own.digits > 0 and own.letters <= _FEW_LETTERS and not own.places)


def _is_till(own: Segment) -> bool:
    """Whether a row has only words for a till or a document, with their numbers: "Till 3", "TAX INVOICE
    10882"."""
    named = own.weight(*_PAID_AT) >= _SURELY or own.weight(*_TITLES) >= LIKELY
    return named and own.title_share >= _SURELY and own.digits > 0
