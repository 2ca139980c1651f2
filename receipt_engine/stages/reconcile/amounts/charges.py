"""Chooses tips, service charges, discounts, rounding and tenders."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from decimal import Decimal

from msgspec.structs import replace

from receipt_engine.document import ZERO, Chosen, Entry, Item, Record, sum_items
from receipt_engine.region import Role
from receipt_engine.scoring.certainty import LIKELY, POSSIBLE, SURE
from receipt_engine.stages.reconcile.amounts.choosing import add_up, as_printed, chosen, labelled, used_parts
from receipt_engine.stages.reconcile.inputs import Inputs
from receipt_engine.stages.reconcile.misreadings import LIKE_DIGIT, misreading_cost
from receipt_engine.stages.reconcile.proofs.proof import Proof

#: Minimum weight for a discount among the products: as the amount is negative, weak words suffice.
_NEGATIVE_DISCOUNT = 0.25
#: Minimum weight for a tender among the products, where similar words are parts of names.
_SURELY_TENDER = 0.9
_TAKEN_OFF_FOR: frozenset[Role] = frozenset(("discount", "savings", "loyalty", "card"))
_TENDERS: tuple[Role, ...] = ("cash", "change", "card")


class Tenders(Record, frozen=True):
    """What was paid with. change: what was given back."""

    cash: Chosen | None
    change: Chosen | None
    card: Chosen | None

    @property
    def paid(self) -> Decimal | None:
        """The amount paid: cash less change, else the card payment; None when no tender has an amount."""
        if self.cash is None:
            return self.card.value if self.card is not None else None
        return self.cash.value - (abs(self.change.value) if self.change is not None else ZERO)


def choose_charges(entries: Sequence[Entry], proofs: Sequence[Proof], role: Role) -> tuple[Chosen, ...]:
    """Amounts of a role: those an equation used, else those named so by their words, without zeros."""
    found = used_parts(proofs, role)
    if found:
        return tuple(found)
    return tuple(as_printed(e) for e in labelled(entries, role) if e.amount.value != 0)


def choose_single(entries: Sequence[Entry], proofs: Sequence[Proof], role: Role) -> Chosen | None:
    """The first amount of a role; a printed zero counts when nothing else is printed."""
    found = choose_charges(entries, proofs, role)
    if found:
        return found[0]
    zeros = [e for e in labelled(entries, role, least=SURE) if e.amount.value == 0]
    return as_printed(zeros[0]) if zeros else None


def choose_tip_and_services(
    entries: Sequence[Entry], proofs: Sequence[Proof], total: Decimal | None
) -> tuple[Chosen | None, tuple[Chosen, ...]]:
    """(tip, service charges). A charge printed under both names ("Gratuity 7.40" below the products,
    "Service charge 7.40" above the total), of which the closing equation adds one, is a tip. None exceeds the
    total: "NEXT SERVICE 84,000" is a mileage."""
    tip, services = choose_single(entries, proofs, "tip"), choose_charges(entries, proofs, "service")
    tips_added, services_added = used_parts(proofs, "tip"), used_parts(proofs, "service")
    if tip is not None and bool(tips_added) != bool(services_added):
        services = tuple(c for c in services if c.value != tip.value)
    if total is not None:
        tip = tip if tip is None or abs(tip.value) < abs(total) else None
        services = tuple(c for c in services if abs(c.value) <= abs(total))
    return tip, services


def choose_rounding(inputs: Inputs, proofs: Sequence[Proof]) -> Chosen | None:
    """The amount by which the total was rounded; None for a larger one, which is the rounded total."""
    found = choose_single(inputs.entries, proofs, "rounding")
    if found is None or abs(found.value) > inputs.most_rounded:
        return None
    return found


def choose_discounts(
    entries: Sequence[Entry], proofs: Sequence[Proof], items: Sequence[Item], wholes: Collection[Decimal]
) -> tuple[Chosen, ...]:
    """Discounts as positive amounts in printed order: those of the totals block, and negative item lines
    named so. Coupons used as payment are left out, and so are item discounts repeated in the totals block.

    wholes: the total and the subtotal, to which items with their discounts may add up.
    """
    tenders = [e for proof in proofs for e, _, _ in proof.entries]
    summary = [
        replace(c, value=abs(c.value))
        for c in choose_charges(entries, proofs, "discount")
        if not any(c.entry is t for t in tenders)
    ]
    between = _between(entries, wholes)
    summary = between or summary
    item_rows = {i.line for i in items if i.total.value < 0}
    among_items = [
        Chosen(abs(e.amount.value), e, e.amount.cost)
        for e in entries
        if e.zone == "items" and e.line in item_rows and e.last and e.weight("discount") >= _NEGATIVE_DISCOUNT
    ]
    taken = add_up(among_items)
    closes = sum_items(items) in wholes
    last = (e for e in entries if e.zone == "items" and e.line in item_rows and e.last)
    below = tuple(Chosen(abs(e.amount.value), e, e.amount.cost) for e in last if e.amount.value < 0)
    if summary and closes and len(below) > len(among_items) and add_up(summary) == add_up(below):
        return below  # "Total discounts" below products of which each has its discount, however named
    if taken and closes:  # others that no sum needs repeat these: "MEMBER SAVINGS 4.37" below the payment
        added = [c.entry for c in between or used_parts(proofs, "discount")]
        summary = [c for c in summary if c.entry in added and c.value != taken]
        summary = [] if add_up(summary) == taken else summary
    return tuple(sorted(among_items + summary, key=lambda c: c.entry.line if c.entry else 0))


def _between(entries: Sequence[Entry], wholes: Collection[Decimal]) -> list[Chosen]:
    """The run of negative amounts that leads from the larger of `wholes` to the smaller one. They may be
    named after the points, cards and offers for which they are taken off."""
    negative = [
        e for e in entries if e.zone != "items" and e.last and e.amount.value < 0 and e.role in _TAKEN_OFF_FOR
    ]
    if len(wholes) < 2 or max(wholes) >= 2 * min(wholes):  # half or more off is a payment, no discount
        return []
    for first in range(len(negative)):
        for end in range(len(negative), first, -1):
            run = negative[first:end]
            if sum((e.amount.value for e in run), max(wholes)) == min(wholes):
                return [Chosen(-e.amount.value, e, e.amount.cost) for e in run]
    return []


def choose_tenders(entries: Sequence[Entry], proofs: Sequence[Proof], total: Chosen | None) -> Tenders:
    """The tenders, each from an equation that closes, else from its words."""
    by_role: dict[Role, Chosen] = {}
    for proof in proofs:
        for entry, value, role in proof.entries:
            if role in _TENDERS:
                by_role.setdefault(role, chosen(entry, abs(value), 0.0))
    for role in _TENDERS:
        named = [e for e in entries if e.is_called(role, LIKELY) and _may_tender(e, role, total)]
        if named and role not in by_role:
            entry = max(named, key=lambda e: (e.certainty, -e.line))
            if role != "change" or not _is_left_to_pay(entry, entries, total):
                by_role[role] = chosen(entry, abs(entry.amount.value), 0.5)
    if "cash" not in by_role and total is not None:
        by_role |= _whole_cash(entries, total) or _given(entries, total, by_role.get("change"))
    couponed = any(role not in _TENDERS for proof in proofs for _, _, role in proof.entries)
    too_little = total is not None and not couponed and _gives_too_little(by_role, total.value)
    if too_little or _says_paid(by_role, total):
        del by_role["cash"]
    return Tenders(by_role.get("cash"), by_role.get("change"), by_role.get("card"))


def with_mended_digit(
    tenders: Tenders, total: Chosen | None, proofs: Sequence[Proof], inputs: Inputs
) -> Tenders:
    """The tenders; where other equations prove the total, and one digit of either the cash or the change was
    misread as one like it, with the right one: "TOTAL 22.38", "CASH 50.00", "CHANGE 21.62"."""
    cash, change = tenders.cash, tenders.change
    if total is None or cash is None or change is None or cash.entry is None or change.entry is None:
        return tenders
    missing = abs(cash.value - change.value - total.value)
    said = any(e.role == "rounding" and abs(e.amount.value) == missing for e in inputs.entries)
    rounded = said or missing * 2 <= max(inputs.rounding_steps, default=ZERO)
    if rounded or tenders.card or any(p.entries for p in proofs) or not any(p.proves for p in proofs):
        return tenders
    given, back = total.value + change.value, cash.value - total.value
    first, second = _is_digit_off(cash.entry, given), _is_digit_off(change.entry, back)
    if first == second:
        return tenders
    if first:
        return replace(tenders, cash=chosen(cash.entry, given, cash.cost))
    return replace(tenders, change=chosen(change.entry, back, change.cost))


def _is_digit_off(entry: Entry, wanted: Decimal) -> bool:
    cost = misreading_cost(entry.amount, wanted, signs=False)
    return cost is not None and cost <= LIKE_DIGIT


def _may_tender(entry: Entry, role: Role, total: Chosen | None) -> bool:
    """Whether an amount named a tender may be one, by its place and by what else its words name."""
    if not entry.last or not entry.amount.is_plausible:
        return False
    if total is not None and entry is total.entry and entry.weight("cash") < SURE:
        return False
    if entry.zone == "items" and (role == "change" or entry.certainty < _SURELY_TENDER):
        return False
    if role == "cash" and (entry.zone == "after" or entry.amount.value < 0) and entry.certainty < SURE:
        return False
    return entry.weight("balance", "loyalty") < POSSIBLE


def _is_left_to_pay(entry: Entry, entries: Sequence[Entry], total: Chosen | None) -> bool:
    """Whether the words for what remains name the part of the total that a payment in the row above leaves to
    pay: "Total 115.00", "Paid 50.00", "Remaining 65.00"."""
    above = [e for e in entries if e.last and e.line < entry.line]
    return (
        total is not None
        and bool(above)
        and above[-1].line > _line(total) >= 0
        and 0 <= above[-1].amount.value == total.value - entry.amount.value != total.value
    )


def _gives_too_little(tenders: Mapping[Role, Chosen], total: Decimal) -> bool:
    """Whether money is given back although the cash is no more than the total, and no card paid the rest:
    the cash is misread, or is the part of it that was kept."""
    cash, change = tenders.get("cash"), tenders.get("change")
    if cash is None or change is None or "card" in tenders:
        return False
    return change.value > 0 and 0 < cash.value <= total


def _says_paid(tenders: Mapping[Role, Chosen], total: Chosen | None) -> bool:
    """Whether the cash only repeats a card payment under a word for paying: "VISA 31.11", "PAID 31.11"; or a
    card that paid the total, whatever the word, with no change."""
    cash, change, card = tenders.get("cash"), tenders.get("change"), tenders.get("card")
    if card is None and total is not None and total.entry is not None and total.entry.is_called("card", SURE):
        card = total  # read where a card pays it
    if cash is None or card is None or cash.entry is None or cash.value != card.value:
        return False
    if change is None and cash.entry.weight("cash") < SURE:
        return True
    sure = (
        card.entry is not None and card.entry.line != cash.entry.line and card.entry.is_called("card", SURE)
    )
    return sure and total is not None and cash.value == total.value and not (change and change.value)


def _whole_cash(entries: Sequence[Entry], total: Chosen) -> dict[Role, Chosen]:
    """Cash without cents that equals the total rounded to a whole amount: "Total 210.57", "Cash 211"."""
    for entry in entries:
        if not entry.is_called("cash", SURE) or not entry.last:
            continue
        for money in entry.amount.readings:
            whole = money.value == money.value.to_integral_value()
            if whole and abs(money.value - total.value) < 1 and entry.line > _line(total):
                return {"cash": chosen(entry, money.value, money.cost)}
    return {}


def _given(entries: Sequence[Entry], total: Chosen, change: Chosen | None) -> dict[Role, Chosen]:
    """The cash under a word for any payment ("PAYMENT 20.00"): only for cash is money given back."""
    if change is None or change.value <= 0:
        return {}
    for entry in entries:
        weight = entry.weight("cash", "card")
        paid = entry.last and entry.line > _line(total) and POSSIBLE <= weight < SURE
        if paid and entry.amount.value == total.value + change.value:
            return {"cash": chosen(entry, entry.amount.value, entry.amount.cost)}
    return {}


def _line(amount: Chosen) -> int:
    return amount.entry.line if amount.entry is not None else -1
