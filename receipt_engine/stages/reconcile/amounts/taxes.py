"""Chooses the taxes: from the equation that closed, the tax table, or the lines that name a tax."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from decimal import ROUND_HALF_UP, Decimal

from rapidfuzz.distance import Levenshtein

from receipt_engine.document import (
    PLAUSIBLE,
    ZERO,
    AmountReading,
    AmountRule,
    Chosen,
    Entry,
    Money,
    TaxRow,
    decimals_of,
    sum_entries,
)
from receipt_engine.region import TAXES, TENDERS, Role
from receipt_engine.scoring.certainty import LIKELY, SURE
from receipt_engine.stages.reconcile.amounts.choosing import (
    add_up,
    as_printed,
    chosen,
    fits_rate,
    is_own_amount,
    used_parts,
)
from receipt_engine.stages.reconcile.inputs import Inputs
from receipt_engine.stages.reconcile.misreadings import DAMAGED, SIGN_AS_DIGIT, lacks_sign, misreading_cost
from receipt_engine.stages.reconcile.proofs.by_tax import included_tax
from receipt_engine.stages.reconcile.proofs.proof import Proof
from receipt_engine.vocabulary.months import month_names
from receipt_engine.vocabulary.normalise import letters, squeeze

_CENT = Decimal("0.01")
#: Letters of a label that may be misread.
_MOST_MISREAD = 2
#: Minimum number of taxes that a total tax sums.
_MIN_PARTS = 2
#: A day before a charge on an account: "4/12", "12APR25", "12-Apr-25", "Apr 12, 2025".
_DAY = re.compile(
    r"\d{1,4}([./-])\d{1,2}(?:\1\d{2,4})?|\d{1,2}[ .-]?(?P<behind>[^\W\d_]{3,9})[ .-]{0,2}\d{2,4}\b"
    r"|(?P<ahead>[^\W\d_]{3,9})\.? \d{1,2},? \d{4}\b"
)
#: A whole amount of one or two digits has a reading cost below this only where money has no cents.
_SMALL_WHOLE = 3.0


def choose_taxes(
    inputs: Inputs, proofs: Sequence[Proof], total: Decimal | None, subtotal: Chosen | None
) -> tuple[Decimal | None, tuple[Chosen, ...]]:
    """(total tax, single taxes in printed order without zeros); (None, ()) when no tax is printed."""
    most = max((v for v in (total, subtotal.value if subtotal else None) if v is not None), default=None)
    sold = {item.line for item in inputs.items}
    given = [e for proof in proofs for e, _, role in proof.entries if role in TENDERS]
    own = [
        e
        for e in inputs.entries
        if e.line not in sold
        and is_own_amount(e, inputs.entries)
        and _plausible(e, most)
        and not e.untaxed
        and e not in given
    ]
    sums = [e for e in own if _is_tax(e, "total_tax")]
    lines = _without_repeats(_without_products_own([e for e in own if _is_tax(e, "tax")], sold))
    if not lines and len({e.percent for e in sums if e.percent is not None}) > 1:
        lines, sums = _without_repeats([e for e in sums if e.percent is not None]), []
    lines, sums = _without_sum(lines, sums)
    lines = [*lines, *(_misnamed(lines, inputs, most) or _unnamed(lines, inputs, total))]
    taxes = [_mended(e, lines, inputs, total, subtotal) for e in lines]
    added, table = used_parts(proofs, *TAXES), _from_table(inputs)
    if added and table and not inputs.exclusive and _are_levies(added, table):
        added = []
    if taxes and any(c.entry is not None and c.entry.role == "net" for c in added):
        added = []  # the equation used a tax base, although an amount is named tax
    if added:
        listed = [t for t in (table, taxes) if _agrees(t, added) or _completes(t, added, inputs)]
        whole = listed[0] if listed else added
        return add_up(whole), _nonzero(whole)
    if table:
        return add_up(table), _nonzero(table)
    stated = max(sums, key=lambda e: (e.weight("total_tax"), e.amount.value)) if sums else None
    differs = stated is not None and (not taxes or add_up(taxes) != stated.amount.value)
    if stated is not None and differs and not _have_bases(taxes, inputs):
        return stated.amount.value, _nonzero([as_printed(stated)])
    taxes = taxes or _by_rate(inputs, total, subtotal) or _sign_misread(inputs, total)
    return (add_up(taxes), _nonzero(taxes)) if taxes else (None, ())


def _have_bases(taxes: Sequence[Chosen], inputs: Inputs) -> bool:
    """Whether several taxes are each that of a printed amount at their rate: another sum was misread."""
    values = [e.amount.value for e in inputs.entries]
    return len(taxes) >= _MIN_PARTS and all(
        tax.entry is not None
        and (rate := tax.entry.percent) is not None
        and any(
            tax.value in (included_tax(value, rate).quantize(_CENT, ROUND_HALF_UP), _added_tax(value, rate))
            for value in values
        )
        for tax in taxes
    )


def _added_tax(value: Decimal, rate: Decimal) -> Decimal:
    return (value * rate / 100).quantize(_CENT, ROUND_HALF_UP)


def _without_products_own(lines: Sequence[Entry], sold: Container[int]) -> list[Entry]:
    """The taxes without those right below each item, where the ones below all of these have the same sum.

    sold: the rows of the items.
    """
    own = [e for e in lines if e.line - 1 in sold]
    others = [e for e in lines if e.line - 1 not in sold]
    recap = bool(own) and all(e.line > own[-1].line for e in others)
    added = sum_entries(own) == sum_entries(_without_repeats(others))
    return others if len(own) >= _MIN_PARTS and recap and added else list(lines)


def _without_sum(lines: Sequence[Entry], sums: Sequence[Entry]) -> tuple[list[Entry], list[Entry]]:
    """(single taxes, total taxes), with a single tax moved to the totals if it has no rate and equals the sum
    of the others."""
    total = sum_entries(lines)
    if len(lines) > _MIN_PARTS:
        for entry in reversed(lines):
            if entry.percent is None and 2 * entry.amount.value == total:
                return [e for e in lines if e is not entry], [*sums, entry]
    return list(lines), list(sums)


def _unnamed(lines: Sequence[Entry], inputs: Inputs, total: Decimal | None) -> list[Entry]:
    """The amounts without a role right below the taxes that a row called a total adds up with them: their
    names are misread: "VAT 12% 9.98", "HCT ?% 0.83", "Total 10.81"."""
    if not lines:
        return []
    value = sum_entries(lines)
    found: list[Entry] = []
    for entry in (e for e in inputs.entries if e.last and e.line > lines[-1].line):
        if entry.line != lines[-1].line + len(found) + 1:
            return []
        if entry.role == "total":
            return found if found and entry.amount.value == value != total else []
        if entry.role is not None:
            return []
        found.append(entry)
        value += entry.amount.value
    return []


def _misnamed(lines: Sequence[Entry], inputs: Inputs, most: Decimal | None) -> list[Entry]:
    """The amounts beside a rate, next to a tax whose words theirs resemble: a letter or two are misread
    ("TVA A = 8% 6.45", "TYA B = 20% 14.98")."""
    return [
        e
        for e in inputs.entries
        if e.role in (None, "tax") and e.certainty < LIKELY and e.last and e.percent and _plausible(e, most)
        if e.zone != "items" and any(abs(tax.line - e.line) == 1 and _resembles(e, tax) for tax in lines)
    ]


def _resembles(entry: Entry, tax: Entry) -> bool:
    own, other = letters(entry.label), letters(tax.label)
    most = min(_MOST_MISREAD, len(own) // 2, len(other) // 2)
    return tax.percent is not None and Levenshtein.distance(own, other) <= most


def _agrees(taxes: Sequence[Chosen], added: Sequence[Chosen]) -> bool:
    """Whether single taxes add up to the tax in an equation: they are then more detailed than it."""
    return bool(taxes) and add_up(taxes) == add_up(added)


def _are_levies(added: Sequence[Chosen], table: Sequence[Chosen]) -> bool:
    """Whether no amount that an equation added has a rate or is in the table: beside a table of taxes
    included in the prices, it is a tourist tax, sold with the room."""
    listed = {c.value for c in table}
    return listed.isdisjoint(c.value for c in added) and all(
        c.entry is not None and c.entry.percent is None and c.entry.last for c in added
    )


def _completes(taxes: Sequence[Chosen], added: Sequence[Chosen], inputs: Inputs) -> bool:
    """Whether the single taxes include those that an equation added, and all of them plus a net amount make
    the total: a levy is added to prices that contain the other tax."""
    lines = {c.entry.line for c in taxes if c.entry is not None}
    if not all(c.entry is not None and c.value in [t.value for t in taxes] for c in added):
        return False
    nets = [e for e in inputs.entries if e.is_called("net", LIKELY) and e.line not in lines]
    totals = {e.amount.value for e in inputs.wholes if e.role == "total"}
    return any(net.amount.value + add_up(taxes) in totals for net in nets)


def _is_tax(entry: Entry, role: Role) -> bool:
    """Whether the role has a sufficient weight, and no other role has more."""
    return entry.weight(role) >= max(LIKELY, entry.certainty)


def _plausible(entry: Entry, total: Decimal | None) -> bool:
    """Whether an amount can be a tax: its reading is plausible, and on a sale it is neither negative nor more
    than half of `total`."""
    value, cost = entry.amount.value, entry.amount.cost
    if cost >= PLAUSIBLE and not (_names_small_tax(entry) and cost < _SMALL_WHOLE):
        return False
    return total is None or total <= 0 or 0 <= value <= total / 2


def _names_small_tax(entry: Entry) -> bool:
    """Whether a rate is printed with an amount confidently named tax: "消費税 8% 49" is no count."""
    return entry.percent is not None and entry.last and entry.weight(*TAXES) >= SURE


def _from_table(inputs: Inputs) -> list[Chosen]:
    sold = {item.line for item in inputs.items}
    parts = [row for row in inputs.tax_rows if not row.is_sum]
    if all(row.line in sold for row in parts):  # these belong to single items: use the sums
        parts = [row for row in inputs.tax_rows if row.is_sum] or parts
    return [_of_row(row, inputs.entries) for row in parts]


def _of_row(row: TaxRow, entries: Sequence[Entry]) -> Chosen:
    """The tax of a table row, with the entry where it is printed, or a made-up entry on that row."""
    for entry in entries:
        if entry.line == row.line and entry.amount.value == row.tax and entry.role in TAXES:
            return Chosen(row.tax, entry)
    amount = AmountReading(str(row.tax), 0, 0, (Money(row.tax, 0.0, AmountRule.TAX_TABLE),))
    return Chosen(row.tax, Entry(row.line, amount, "summary", (("tax", 1.0),), row.code or "", row.rate))


def _without_repeats(lines: Sequence[Entry]) -> list[Entry]:
    """The taxes without those repeated further down, with the same value and the same words, of which either
    may have one more ("消費税等 8%", "内消費税等 8%")."""
    kept: list[Entry] = []
    for entry in lines:
        if not any(_repeats(entry, other) for other in kept):
            kept.append(entry)
    return kept


def _repeats(entry: Entry, other: Entry) -> bool:
    if _day(entry) != _day(other):  # the tax of another night
        return False
    own, before = squeeze(entry.label), squeeze(other.label)
    same = entry.amount.value == other.amount.value and entry.percent == other.percent
    return same and (
        own == before or (entry.percent is not None and bool(own) and (own in before or before in own))
    )


def _day(entry: Entry) -> str:
    """The day that the entry's label begins with; empty without one."""
    day = _DAY.match(entry.label)
    month = day and (day["behind"] or day["ahead"])
    return day.group() if day and (not month or month.lower() in month_names()) else ""


def _nonzero(taxes: Sequence[Chosen]) -> tuple[Chosen, ...]:
    return tuple(c for c in taxes if c.value != 0)


def _mended(
    entry: Entry, lines: Sequence[Entry], inputs: Inputs, total: Decimal | None, subtotal: Chosen | None
) -> Chosen:
    """A tax, repaired if it was misread: the only other tax with the same printed rate shows its value, and
    the total confirms it; or it is the only tax, and the total contains another one at its printed rate."""
    if total is not None and len(lines) == 1 and entry.percent:
        return _at_own_rate(entry, inputs, total, subtotal)
    twins = [e for e in lines if e is not entry and e.percent is not None and e.percent == entry.percent]
    if total is None or subtotal is None or len(twins) != 1:
        return as_printed(entry)
    wanted = twins[0].amount.value
    others = [e for e in inputs.entries if e.role in ("service", "rounding", "tip") and e.last]
    whole = subtotal.value + 2 * wanted + sum_entries(others)
    cost = misreading_cost(entry.amount, wanted, lacks_sign(entry, inputs.entries))
    return as_printed(entry) if cost is None or whole != total else chosen(entry, wanted, cost)


def _at_own_rate(entry: Entry, inputs: Inputs, total: Decimal, subtotal: Chosen | None) -> Chosen:
    """The only tax; as the total contains it at its printed rate if that is another reading of its digits, if
    its last digits are lost, or if it leads from the subtotal to the total."""
    places = Decimal(1).scaleb(-decimals_of(total))
    wanted = included_tax(total, entry.percent or ZERO).quantize(places, ROUND_HALF_UP)
    cost = misreading_cost(entry.amount, wanted, lacks_sign(entry, inputs.entries))
    read = any(money.value == wanted for money in entry.amount.readings)
    adds = subtotal is not None and subtotal.value + wanted == total
    return chosen(entry, wanted, cost) if cost and (read or adds or cost <= DAMAGED) else as_printed(entry)


def _sign_misread(inputs: Inputs, total: Decimal | None) -> list[Chosen]:
    """The only amount named tax, repaired where its currency sign was read as a digit: without that digit it
    is the tax that the total contains at one of the region's rates."""
    named = [e for e in inputs.entries if _is_tax(e, "tax") and e.last and e.amount.is_plausible]
    if total is None or len(named) != 1 or not lacks_sign(named[0], inputs.entries):
        return []
    contained = {included_tax(total, r).quantize(_CENT, ROUND_HALF_UP) for r in inputs.rates if r}
    found = [v for v in contained if misreading_cost(named[0].amount, v, signs=True) == SIGN_AS_DIGIT]
    return [chosen(named[0], found[0], SIGN_AS_DIGIT)] if len(found) == 1 else []


def _by_rate(inputs: Inputs, total: Decimal | None, subtotal: Chosen | None) -> list[Chosen]:
    """The first amount with unclear words that a rate identifies as a tax.

    It is the tax that the total contains at the rate printed beside it (or, if its words name a gross amount,
    at a rate of the region), or the tax that the printed rate adds to the subtotal, for all products or some
    ("B: TAXABLE @ 7.5% 0.45").
    """
    if total is None:
        return []
    sums = {total, *(e.amount.value for e in inputs.wholes if e.role == "total")}  # one is before rounding
    for entry in inputs.entries:
        rated = entry.percent is not None and entry.role == "net"
        unclear = not entry.roles or (entry.role == "gross" and entry.zone != "items") or rated
        value = entry.amount.value
        if not unclear or not entry.last or entry.zone in ("header", "items") or abs(value) * 2 > abs(total):
            continue
        rates = (entry.percent,) if entry.percent is not None else inputs.rates if entry.roles else ()
        contained = [included_tax(total, r).quantize(_CENT, ROUND_HALF_UP) for r in rates]
        if value in contained and value != 0:
            return [as_printed(entry)]
        base = subtotal.value if subtotal is not None else None
        if entry.percent is None or base is None:
            continue
        if fits_rate(entry, value, base, inputs) or (rated and value and base + value in sums):
            return [as_printed(entry)]
    return []
