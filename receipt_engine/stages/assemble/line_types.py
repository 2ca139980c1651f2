"""Decides the `lineType` of each row of the totals block.

What reconciliation decided about an amount comes first, then amounts equal to a decided one, then the words.
"""

from __future__ import annotations

from decimal import Decimal

from receipt_engine.document import Chosen, Entry, Ledger, Sheet
from receipt_engine.region import TAXES, Role
from receipt_engine.result import LineType
from receipt_engine.scoring.certainty import SURE, WEAK

#: Role that the words name → line type.
LINE_TYPES: dict[Role, LineType | None] = {
    "total": "Total",
    "gross": None,
    "subtotal": "SubTotal",
    "net": "SubTotal",
    "tax": "Tax",
    "total_tax": "TotalTax",
    "cash": "Cash",
    "change": "Change",
    "tip": "Tip",
    "service": "ServiceCharge",
    "discount": None,
    "withheld": None,
    "rounding": None,
    "card": None,
    "deposit": None,
    "balance": None,
}
#: Largest share of a total that rounding changes.
_ROUNDED = Decimal("0.01")
_OTHERS: tuple[Role, ...] = ("cash", "card", "service", "tip", "discount")
#: Roles that a row also naming a tax may have: "TOTAL INCL. VAT", "NET BEFORE TAX".
_WHOLES: tuple[Role, ...] = ("total", "subtotal", "net", "gross")


def line_type(entry: Entry, role: Role | None, ledger: Ledger, sheet: Sheet) -> LineType | None:
    """The line type of a row; None for rows that have none, such as discounts and card payments.

    role: what the words say, or the tax table.
    """
    if is_settled(entry, ledger):
        return None
    if is_chosen(entry, ledger.total):
        return _of_total(entry, role, ledger)
    if is_chosen(entry, ledger.subtotal):
        return _of_subtotal(entry, role, ledger)
    for kind, chosen in _decided(ledger):
        if is_chosen(entry, chosen):
            whole = kind == "Tax" and role == "total_tax" and not _is_one_of(entry, ledger, sheet)
            return "TotalTax" if whole else kind
    return _by_value(entry, role, ledger, sheet)


def is_chosen(entry: Entry, chosen: Chosen | None) -> bool:
    """Whether an amount is the decided one, by the place where it is printed."""
    place = chosen.entry if chosen else None
    return place is not None and (place.line, place.amount.start) == (entry.line, entry.amount.start)


def is_settled(entry: Entry, ledger: Ledger) -> bool:
    """Whether a row below the total says that nothing is left to pay: "BALANCE DUE 0.00" is no total."""
    total = ledger.total
    paid = total is not None and total.entry is not None and total.entry.line < entry.line
    return paid and entry.amount.value == 0 and entry.role in ("total", "balance")


def _is_one_of(entry: Entry, ledger: Ledger, sheet: Sheet) -> bool:
    """Whether a tax named a total is one of several, or of those summed below, at its own rate: "TOTAL VAT A
    19%"."""
    if entry.percent is None or entry.amount.value not in {c.value for c in ledger.taxes} | {0}:
        return False
    below = (e for e in sheet.entries if e.line > entry.line and e.role == "total_tax")
    return len(ledger.taxes) > 1 or any(e.percent is None and e.amount.value == ledger.tax for e in below)


def _decided(ledger: Ledger) -> list[tuple[LineType | None, Chosen | None]]:
    """The line type of each decided amount other than total and subtotal."""
    found: list[tuple[LineType | None, Chosen | None]] = [
        ("Change", ledger.change),
        ("Cash", ledger.cash),
        ("Tip", ledger.tip),
        (None, ledger.rounding),
        (None, ledger.card),
    ]
    found += [("Tax", c) for c in ledger.taxes]
    found += [("ServiceCharge", c) for c in ledger.services]
    return [*found, *((None, c) for c in ledger.discounts)]


def _of_total(entry: Entry, role: Role | None, ledger: Ledger) -> LineType | None:
    """A payment, charge, discount or subtotal that is also the total keeps the type of its words."""
    if role in _OTHERS:
        return LINE_TYPES[role]
    if role in ("subtotal", "net") and is_chosen(entry, ledger.subtotal):
        return "SubTotal"
    return "Total"


def _of_subtotal(entry: Entry, role: Role | None, ledger: Ledger) -> LineType:
    """A subtotal is a total only if its words confidently say so and nothing is added to it ("SUM" above a
    discount)."""
    chosen, total = ledger.subtotal, ledger.total
    added = chosen is not None and total is not None and chosen.value < total.value
    return "Total" if role == "total" and entry.weight(role) >= SURE and not added else "SubTotal"


def _by_value(entry: Entry, role: Role | None, ledger: Ledger, sheet: Sheet) -> LineType | None:
    """The type of an amount that was not chosen: it may repeat a decided amount under other words."""
    value = entry.amount.value
    total, subtotal = _values(ledger.total), _values(ledger.subtotal)
    if role in TAXES and entry.line not in {row.line for row in sheet.tax_rows}:
        if role == "tax" and len(ledger.taxes) > 1 and value == ledger.tax:
            return "TotalTax"  # "SALES TAX" below the taxes of state and city
        if role == "total_tax" and _is_one_of(entry, ledger, sheet):
            return "Tax"
        role = _whole_with_tax(entry, ledger) or role
    if value and value in total and role in (*_WHOLES, *TAXES, "rounding"):
        taxed = bool(ledger.tax) and not subtotal
        # "4 ITEMS TOTAL" below the subtotal and the tax
        counted = entry.label[:1].isdigit() and entry.weight("subtotal") < SURE
        taxed = taxed or (counted and bool(subtotal) and value not in subtotal)
        return "SubTotal" if role in ("subtotal", "net") and not taxed else "Total"
    if role == "total":
        if value in subtotal and not _is_unrounded(entry, ledger):
            return "SubTotal"
        return None if _is_of_part(entry, ledger, sheet) else _of_other_total(entry, ledger)
    if role in ("net", "tax") and entry.untaxed:
        return None
    if role == "net":
        total_entry = ledger.total.entry if ledger.total else None
        return "SubTotal" if total_entry is not None and entry.line < total_entry.line else None
    if role == "cash" and ledger.cash is None and value in _values(ledger.card):
        return None  # "PAID" below the card
    if role == "cash" and value and value in _values(ledger.change) - _values(ledger.cash):
        return "Change"  # "CASH RETURNED"
    return LINE_TYPES.get(role) if role else None


def _values(chosen: Chosen | None) -> set[object]:
    """A decided value, and the printed one where rounding changed it."""
    return {v for v in (chosen.value, chosen.unrounded) if v is not None} if chosen else set()


def _is_unrounded(entry: Entry, ledger: Ledger) -> bool:
    """Whether only a printed rounding separates an amount from the total."""
    total, rounding = ledger.total, ledger.rounding
    return total is not None and rounding is not None and entry.amount.value + rounding.value == total.value


def _whole_with_tax(entry: Entry, ledger: Ledger) -> Role | None:
    """The role of a row that names a tax but holds more than all taxes: a sum with or without the tax. An
    amount of more than half the total is such a sum even without further words."""
    value, total = abs(entry.amount.value), ledger.total
    if ledger.tax is None or value <= abs(ledger.tax):
        return None
    wholes = [(entry.weight(role), role) for role in _WHOLES if entry.weight(role) >= WEAK]
    if wholes:
        return max(wholes)[1]
    return "gross" if total is not None and 2 * value > abs(total.value) else None


def _is_of_part(entry: Entry, ledger: Ledger, sheet: Sheet) -> bool:
    """Whether an amount named total above the total sums only some products: others follow it, or it adds up
    with further sums of that kind ("FUEL TOTAL", "SHOP TOTAL", "GRAND TOTAL")."""
    total = ledger.total
    if total is None or total.entry is None or not 0 < entry.amount.value < total.value:
        return False
    line = total.entry.line
    sums = {e.line: e.amount.value for e in sheet.entries if e.last and e.role == "total" and e.line < line}
    added = len(sums) > 1 and sum(sums.values()) in _values(total) | _values(ledger.subtotal)
    return entry.line < line and (added or any(entry.line < item.line < line for item in sheet.items))


def _of_other_total(entry: Entry, ledger: Ledger) -> LineType | None:
    """The type of an amount named total that is neither total nor subtotal. Below the total it is the sum of
    something else, such as the tax table; beside a tax rate it is what was sold at that rate, unless only
    rounding separates it from the total."""
    total, value = ledger.total, entry.amount.value
    if total is None or total.entry is None:
        return "Total"
    below = entry.line > total.entry.line
    taxed = any(c.entry is not None and c.entry.line < entry.line for c in ledger.taxes)
    if value == ledger.tax and (below or taxed):
        return "TotalTax"
    near = abs(total.value - value) < abs(total.value) * _ROUNDED
    return None if below or (entry.percent is not None and not near) else "Total"
