"""What the modules that choose amounts share: helpers, and the classification of the amounts without known
words that an equation uses: a tax, a product, or just unnamed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from difflib import SequenceMatcher

from msgspec.structs import replace

from receipt_engine.document import ZERO, Chosen, Entry, Item, sum_items
from receipt_engine.region import SUMS, TENDERS, Role
from receipt_engine.scoring.certainty import LIKELY, SURE
from receipt_engine.stages.reconcile.inputs import Inputs
from receipt_engine.stages.reconcile.proofs.proof import Proof
from receipt_engine.stages.reconcile.readings import Part
from receipt_engine.vocabulary.normalise import letters

_CENT = Decimal("0.011")
#: Percentages below this, or with more than one decimal, are tax rates rather than service charges.
_TAX_LIKE = Decimal(10)
#: Roles of amounts that end the products: no product stands below one.
_ENDS: frozenset[Role] = SUMS | TENDERS
_HIGHEST_TAX = Decimal("0.2")
_SAME_WORDS = 0.7
_COUNTED = re.compile(r"(\d{1,3}) (?:[xX×] ?)?(\D.*)")
#: Roles of amounts that may follow another amount on its row, with their own words.
_NAMED_APART: frozenset[Role] = TENDERS | {"total", "balance"}


@dataclass(frozen=True, slots=True)
class Named:
    """The proofs with their unnamed parts classified, and the products found among those parts."""

    proofs: tuple[Proof, ...]
    products: tuple[Item, ...]


def classify_unnamed(proofs: Sequence[Proof], inputs: Inputs) -> Named:
    """Classifies the unnamed parts of proofs: taxes by rate or neighbouring rows, and products where no row
    above ends the products."""
    products: dict[int, Item] = {}
    kept = []
    for proof in proofs:
        base = _base(proof)
        net = proof.subtotal is not None and proof.subtotal.entry.weight("net") >= SURE
        parts = tuple(_as_tax(p, base, proof.parts, inputs, net=net) for p in proof.parts)
        if proof.subtotal is None and proof.items is not None:
            found = [p for p in parts if _is_product(p, inputs)]
            products |= {p.entry.line: _item(p.entry) for p in found}
            parts = tuple(p for p in parts if p not in found)
        kept.append(replace(proof, parts=parts))
    return Named(tuple(kept), tuple(products[line] for line in sorted(products)))


def _base(proof: Proof) -> Decimal:
    if proof.subtotal is not None:
        return proof.subtotal.value
    return proof.items.value if proof.items is not None else ZERO


def _as_tax(part: Part, base: Decimal, parts: Sequence[Part], inputs: Inputs, *, net: bool) -> Part:
    """The part as a tax where it is one. net: words say that the base is without tax."""
    if part.role is not None or not 0 < part.value < abs(base) / 2:
        return part
    if fits_rate(part.entry, part.value, base, inputs) or (
        (inputs.exclusive or net)
        and (_beside_tax(part, base, parts) or _is_rated(part.entry, part.value, base))
    ):
        return replace(part, role="tax")
    return part


def _beside_tax(part: Part, base: Decimal, parts: Sequence[Part]) -> bool:
    """Whether an amount without words is small enough for a tax, or one with words has almost those of a tax
    on an adjacent row."""
    if not has_words(part.entry):
        return part.value < base * _HIGHEST_TAX
    near = [p.entry for p in parts if p.role == "tax" and abs(p.entry.line - part.entry.line) == 1]
    return any(SequenceMatcher(None, e.label, part.entry.label).ratio() >= _SAME_WORDS for e in near)


def _is_rated(entry: Entry, value: Decimal, base: Decimal) -> bool:
    """Whether an amount beside a rate with two decimals or more, as only taxes have, is at most that tax on
    the whole base: some products are exempt. The words beside it may name a place ("Alder County 7.525%")."""
    rate = entry.percent
    if rate is None or rate * 10 % 1 == 0:
        return False
    return value <= base * rate / 100 + _CENT


def fits_rate(entry: Entry, value: Decimal, base: Decimal, inputs: Inputs) -> bool:
    """Whether an amount is a tax on a base, at the rate printed beside it or at one of the region's."""
    rate = entry.percent
    if rate is not None:
        fits = abs(base * rate / 100 - value) <= _CENT
        return fits and (rate in inputs.rates or rate < _TAX_LIKE or rate * 10 % 1 != 0)
    if not value:
        return False
    return any(r and abs(base * r / 100 - value) <= _CENT / 2 for r in inputs.rates)


def _is_product(part: Part, inputs: Inputs) -> bool:
    """Whether a part is a product: it has words and stands below the last item and above every amount that
    confidently ends the products; for a charge, also above one that adds up the items."""
    entry = part.entry
    served = part.role == "service" and entry.weight("service") < SURE and entry.percent is None
    weak = part.role is None or served or _exceeds_taxes(part, inputs)
    if not weak or not has_words(entry) or part.value <= 0 or not inputs.items:
        return False
    last, whole = inputs.items[-1].line, sum_items(inputs.items)
    above = [e for e in inputs.entries if e.line < entry.line and e.zone != "header"]
    below = [e for e in above if e.line > last]
    charged = any(e.amount.value == whole for e in below)
    ended = (part.role is not None and charged) or any(map(_ends_products, above))
    return not ended and entry.line > last


def _exceeds_taxes(part: Part, inputs: Inputs) -> bool:
    """Whether an amount without a rate is more than any tax on the products, though a word of its name is one
    for a tax: "GIFT WRAP VAT 3.49"."""
    entry = part.entry
    named = part.role == "tax" and entry.percent is None and len(entry.label.split()) > 1
    return named and part.value > sum_items(inputs.items) / 2


def _ends_products(entry: Entry) -> bool:
    return entry.zone != "items" and entry.role in _ENDS and entry.certainty >= SURE


def _item(entry: Entry) -> Item:
    counted = _COUNTED.fullmatch(entry.label)
    name = counted.group(2) if counted else entry.label
    return Item(
        line=entry.line,
        lines=(entry.line,),
        desc=entry.label,
        desc_clean=name,
        total=entry.amount,
        qty=Decimal(counted.group(1)) if counted else None,
        symbols=entry.amount.symbols,
    )


def chosen(entry: Entry, value: Decimal, cost: float) -> Chosen:
    """A decided value, with the printed amount where that differs by more than its sign."""
    printed = entry.amount.value
    return Chosen(value, entry, cost, printed if abs(printed) != abs(value) else None)


def as_printed(entry: Entry) -> Chosen:
    """An amount with its likeliest reading."""
    return chosen(entry, entry.amount.value, entry.amount.cost)


def add_up(amounts: Iterable[Chosen]) -> Decimal:
    """The sum of decided values."""
    return sum((amount.value for amount in amounts), ZERO)


def used_parts(proofs: Sequence[Proof], *roles: Role) -> list[Chosen]:
    """Amounts of these roles, from the strongest closing equation that uses any."""
    for proof in sorted(proofs, key=lambda p: -p.bonus):
        found = [chosen(p.entry, p.value, p.cost) for p in proof.parts if p.role in roles]
        if found:
            return found
    return []


def labelled(entries: Sequence[Entry], role: Role, *, least: float = LIKELY) -> list[Entry]:
    """Legible entries outside the items whose words name the role, with a weight of at least `least`."""
    return [
        e
        for e in entries
        if e.is_called(role, least) and e.last and e.zone != "items" and e.amount.is_plausible
    ]


def has_words(entry: Entry) -> bool:
    """Whether words are printed beside the amount."""
    return any(c.isalpha() for c in entry.label)


def is_own_amount(entry: Entry, entries: Sequence[Entry]) -> bool:
    """Whether an amount ends its row, or every amount after it has another name: "TAX .86 BAL 31.57"."""
    if entry.last:
        return True
    after = [e for e in entries if e.line == entry.line and e.amount.start > entry.amount.start]
    return has_words(entry) and all(
        (has_words(e) and e.role in _NAMED_APART) or _is_another_tax(entry, e) for e in after
    )


def _is_another_tax(entry: Entry, other: Entry) -> bool:
    """Whether two amounts of one row are taxes with different names, or at different rates: "IVA 16% 5.12
    IEPS 3.17", "VAT 13%: 0.67 23%: 0.04"."""
    rates = {entry.percent, other.percent} - {None}
    named_apart = has_words(other) and letters(entry.label) != letters(other.label)
    return entry.role == other.role == "tax" and (named_apart or len(rates) > 1)
