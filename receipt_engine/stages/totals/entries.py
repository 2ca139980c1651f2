"""Makes entries: amounts outside the products, each with the roles that the words around it give.

Negative rows among the products that lower a price are entries too; returned products are not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise

from msgspec.structs import replace

from receipt_engine.document import AmountReading, AmountRow, Entry, Item, RoleMatch, Zone, says, sum_items
from receipt_engine.region import SUMS, TENDERS, Role
from receipt_engine.scoring.certainty import LIKELY, POSSIBLE, SURE, WEAK
from receipt_engine.stages.totals.notices import is_notice
from receipt_engine.stages.totals.settlement import as_taken_off, with_rest
from receipt_engine.vocabulary.normalise import count_letters, squeeze
from receipt_engine.vocabulary.terms import is_made_of, term_at_start

#: Masked digits before the last ones of a card's number.
_HIDDEN = re.compile(r"[*xX•#]{2}[ -]*\d{3,4}(?!\d)")
#: Roles that an amount can have.
AMOUNT_ROLES: frozenset[Role] = (
    SUMS
    | TENDERS
    | {
        "tip",
        "service",
        "discount",
        "withheld",
        "savings",
        "rounding",
        "balance",
        "loyalty",
        "item_count",
        "suggested",
        "deposit",
    }
)
#: Factor on the weight when the words are on the row above or below.
_FROM_ABOVE = 0.75
_FROM_BELOW = 0.6
#: Smallest factor on the weight of a total whose word is one among many.
_OTHER_WORDS = 0.7
#: Smallest tax that shows another amount to be its base: smaller ones fit by chance.
_LEAST_TAX = Decimal("0.10")
#: Largest rounding error of one tax, in major units.
_HALF_CENT = Decimal("0.005")
#: Factor on the weight when the words follow the amount.
_FROM_BEHIND = 0.7


def find_entries(rows: Sequence[AmountRow], zones: Sequence[Zone]) -> tuple[Entry, ...]:
    """Entries from top to bottom, left to right. Amounts of the header count only with words that give
    them a role; unlabelled amounts of the items only in the amount column."""
    entries = [entry for line in range(len(rows)) for entry in row_entries(rows, zones, line)]
    entries = entries or _only_amount(rows)
    sold = any(e.weight("total") >= SURE and e.amount.value > 0 for e in entries)
    if not any(e.role == "change" and e.amount.value for e in entries):
        shown = any(map(_shows_card, rows))
        charged = {e.amount.value for e in entries if e.is_called("card", SURE)}
        if any(map(bool, charged)):  # a card paid a part, so nobody handed over the whole
            charged |= {e.amount.value for e in entries if e.weight("total") >= SURE}
        entries = [_paid_by_card(e) if shown or e.amount.value in charged else e for e in entries]
    entries = _with_taken_tips(_with_bases(_without_detour(entries)))
    return with_rest(as_taken_off(entries) if sold else entries)


def _only_amount(rows: Sequence[AmountRow]) -> list[Entry]:
    """The entry of a page's only amount, as an app shows a payment: in a row of its own, or behind a word for
    a sum ("Amount KD 4.750"). It is what was paid, without the minus of the payer's account ("-18.50"),
    unless words tell of a refund."""
    found = [
        (line, row.amount)
        for line, row in enumerate(rows)
        if row.amount is not None and row.amount.is_plausible and (row.amount.decimals or row.amount.currency)
    ]
    if len({abs(amount.value) for _, amount in found}) != 1:
        return []
    line, amount = found[0]
    label = _label(rows[line].text, (amount,), 0)
    if label and not says(rows[line].roles, ["total"], WEAK):
        return []
    refund = any(says(row.roles, ["void"], LIKELY) for row in rows)
    if amount.value < 0 and not refund:
        amount = replace(amount, readings=tuple(replace(m, value=-m.value) for m in amount.readings))
    return [Entry(line, amount, "summary", (("total", POSSIBLE),), label)]


def _without_detour(entries: Sequence[Entry]) -> list[Entry]:
    """The entries; a tax printed above that is taken off and added again below ("Less: VAT", "Add: VAT"), as
    the forms of the Philippines print it, is neither a discount nor a second tax."""
    detour: set[int] = set()
    for own in (e for e in entries if e.role == "discount" and e.amount.value):
        same = [e for e in entries if e.role == "tax" and e.amount.value == abs(own.amount.value)]
        added = [e.line for e in same if e.line > own.line]
        if added and any(e.line < own.line for e in same):
            detour |= {own.line, added[0]}
    return [replace(e, roles=()) if e.line in detour else e for e in entries]


def _with_bases(entries: Sequence[Entry]) -> list[Entry]:
    """The entries; of two amounts named tax at the same printed rate, of which one is the tax on the other,
    that one is its base: "BI ITBMS 7% 8.20", "ITBMS 7% 0.57"."""
    taxes = [e for e in entries if e.role == "tax" and e.percent and e.last]
    bases = {e.line for e in taxes if any(_is_taxed_by(e, tax) for tax in taxes)}
    return [replace(e, roles=(("net", e.certainty),)) if e.last and e.line in bases else e for e in entries]


def _is_taxed_by(base: Entry, tax: Entry) -> bool:
    rate, value = base.percent, tax.amount.value
    if rate != tax.percent or rate is None or abs(value) < _LEAST_TAX:
        return False
    added = base.amount.value * rate / 100
    return any(abs(fits - value) <= _HALF_CENT for fits in (added, added / (1 + rate / 100)))


def _with_taken_tips(entries: Sequence[Entry]) -> list[Entry]:
    """The entries; a suggested tip that was paid with the total above it is a tip: "TOTAL 46.90", "SUGGESTED
    TIP 4.69", "CARD 51.59"."""
    return [replace(e, roles=(("tip", e.certainty),)) if _is_taken(e, entries) else e for e in entries]


def _is_taken(tip: Entry, entries: Sequence[Entry]) -> bool:
    if tip.role != "suggested" or tip.amount.value <= 0:
        return False
    sums = {e.amount.value for e in entries if e.is_called("total", SURE) and e.line < tip.line}
    paid = {e.amount.value for e in entries if e.role in ("card", "cash") and e.line > tip.line}
    return any(value + tip.amount.value in paid for value in sums)


def _shows_card(row: AmountRow) -> bool:
    """Whether a row names a card beside the masked digits of its number."""
    return _HIDDEN.search(row.text) is not None and says(row.roles, ["card"], LIKELY)


def _paid_by_card(entry: Entry) -> Entry:
    """The entry; where a card is shown or charged with the same amount, and no change is given, what was
    tendered is no cash, unless the words say so: "AMOUNT TENDERED 33.09"."""
    if entry.role != "cash" or not entry.amount.value or not is_made_of(squeeze(entry.label), "paid"):
        return entry
    return replace(
        entry, roles=tuple(("card" if role == "cash" else role, weight) for role, weight in entry.roles)
    )


def row_entries(rows: Sequence[AmountRow], zones: Sequence[Zone], line: int) -> list[Entry]:
    """The entries of one row, from left to right."""
    row, zone = rows[line], zones[line]
    own = [m for m in row.roles if m.role in AMOUNT_ROLES]
    if not _counts(row, zone, own) or (zone in ("summary", "after") and is_notice(row, AMOUNT_ROLES)):
        return []
    entries: list[Entry] = []
    for k, amount in enumerate(row.likely):
        rate = _own_rate(row, k)
        found = _roles_beside(row.likely, k, own, rated=rate is not None)
        label = _label(row.text, row.likely, k)
        found = _with_weaker_total(found, label, own)
        if "cash" in found and _gives_back(row, k):
            found = {"change": found["cash"]}
        if zone == "after" and row.dates and "discount" in found:
            found = {}  # a discount for early payment: "2 % off if paid by 14.03.2024 (24,28)"
        if not found and not any(c.isalpha() for c in label):
            found, label = _roles_from_neighbours(rows, line, amount)
            if zone == "header":  # above all products nobody has paid yet: "$48.00", "Paid 3 May 2024"
                found = {role: weight for role, weight in found.items() if role not in TENDERS}
        entries.append(
            Entry(
                line=line,
                amount=amount,
                zone=zone,
                roles=tuple(sorted(found.items(), key=lambda r: (-r[1], r[0]))),
                label=label,
                percent=rate if rate is not None else row.percents[0].value if row.percents else None,
                last=k == len(row.likely) - 1,
                counted=row.counted and amount is row.amount,
            )
        )
    return entries


def _counts(row: AmountRow, zone: Zone, own: Sequence[RoleMatch]) -> bool:
    if not row.amounts:
        return False
    labelled = any(m.weight >= LIKELY for m in own)
    # Above all words of a written receipt stands what was paid: "¥ 4,200-".
    alone = row.amount is not None and row.amount.currency is not None and not any(map(str.isalpha, row.text))
    return labelled or zone not in ("header", "items") or (zone == "items" and row.in_column) or alone


def _label(text: str, amounts: Sequence[AmountReading], k: int) -> str:
    """The text between the previous amount and this one."""
    start = amounts[k - 1].end if k else 0
    return text[start : amounts[k].start].strip(" :.-")


def _gives_back(row: AmountRow, k: int) -> bool:
    """Whether a word for a refund stands between the amount before and this one: "CASH 50.00 REFUND 8.00"."""
    before, amount = row.likely[k - 1] if k else None, row.likely[k]
    return before is not None and any(
        m.role == "void" and before.end <= m.start < amount.start for m in row.roles
    )


def _with_weaker_total(found: dict[Role, float], label: str, own: Sequence[RoleMatch]) -> dict[Role, float]:
    """The roles, with a lower weight for a total whose label has other words too ("Total 5% goods")."""
    if "total" not in found:
        return found
    letters = count_letters(label)
    known = sum(len(m.phrase) for m in own if m.role in ("total", "item_count"))
    share = min(1.0, known / letters) if letters else 1.0
    return found | {"total": found["total"] * (_OTHER_WORDS + (1 - _OTHER_WORDS) * share)}


def _own_rate(row: AmountRow, k: int) -> Decimal | None:
    """The rate between the previous amount and this one, if each amount of the row has exactly one
    ("VAT 13%: 0.67 23%: 0.04")."""
    if len(row.likely) < 2 or len(row.percents) != len(row.likely):
        return None
    starts = (0, *(a.end for a in row.likely))
    own = [
        [p.value for p in row.percents if starts[at] <= p.start < amount.start]
        for at, amount in enumerate(row.likely)
    ]
    return own[k][0] if all(len(rates) == 1 for rates in own) else None


def _roles_beside(
    amounts: Sequence[AmountReading], k: int, own: Sequence[RoleMatch], *, rated: bool
) -> dict[Role, float]:
    """Roles from the words between the previous amount and this one; else from any words before it;
    else, for a row's only amount, from the words after it. rated: each amount has its own rate, so that the
    words before the first one apply to all."""
    named = _named_in_turn(amounts, own)
    if named is not None:
        return _combined(named[k], 1.0)
    start = amounts[k - 1].end if k else -1
    own = _of_money(amounts[k], own)
    between = [m for m in own if start <= m.start < amounts[k].start]
    if between:
        return _combined(between, 1.0)
    before = [m for m in own if m.start < amounts[k].start]
    if before:
        return _combined(before, 1.0 if rated or k == len(amounts) - 1 else 0.5)
    behind = [m for m in own if m.start >= amounts[k].end]
    return _combined(behind, _FROM_BEHIND) if len(amounts) == 1 else {}


def _named_in_turn(
    amounts: Sequence[AmountReading], own: Sequence[RoleMatch]
) -> list[list[RoleMatch]] | None:
    """The roles of each amount, if as many labels precede all the amounts: "CASH/CHANGE 100.00 69.00"."""
    starts = sorted({m.start for m in own})
    if len(amounts) < 2 or len(starts) != len(amounts) or starts[-1] >= amounts[0].start:
        return None
    return [[m for m in own if m.start == start] for start in starts]


def _of_money(amount: AmountReading, own: Sequence[RoleMatch]) -> Sequence[RoleMatch]:
    """The row's roles without the item count, which an amount of money cannot be, if others are left
    ("TOTAL 4 items 21.90")."""
    if not amount.decimals and amount.currency is None:
        return own
    return [m for m in own if m.role != "item_count"] or own


def _combined(matches: Sequence[RoleMatch], factor: float) -> dict[Role, float]:
    """Role → weight. The phrase nearest the amount counts most; each earlier one loses a further tenth."""
    if matches and matches[-1].role == "card":  # "AMT TENDERED MC 33.09": not paid in cash
        matches = [m for m in matches if m.role != "cash"]
    if matches and matches[0].role == "tip":  # "TIP VISA 5.00": a tip paid by card
        matches = [m for m in matches if m.role not in ("card", "cash")]
    if matches and matches[0].role == "subtotal":  # "SUBTOTAL VAT A 4.20": of the products with that tax
        matches = [m for m in matches if m.role != "tax"]
    found: dict[Role, float] = {}
    for distance, match in enumerate(reversed(matches)):
        weight = match.weight * factor * 0.9**distance
        found[match.role] = max(weight, found.get(match.role, 0.0))
    return found


def _roles_from_neighbours(
    rows: Sequence[AmountRow], line: int, amount: AmountReading
) -> tuple[dict[Role, float], str]:
    """(roles, label) of an amount that stands alone on its row, from an adjacent row that has only words."""
    named_above = line > 0 and _is_label(rows[line - 1]) and _near(rows[line], rows[line - 1])
    for other, factor in ((line - 1, _FROM_ABOVE), (line + 1, _FROM_BELOW)):
        if not 0 <= other < len(rows) or rows[other].likely:
            continue
        if other > line and named_above and _names_next(rows, other):
            continue
        matches = [m for m in rows[other].roles if m.role in AMOUNT_ROLES]
        if len(rows[line].likely) > 1 < len({m.start for m in matches}):  # heads of columns
            matches = [m for m in matches if _stands_over(rows[other], m, rows[line], amount)]
        if matches and _near(rows[line], rows[other]):
            return _combined(matches, factor), rows[other].text
    return {}, ""


def _stands_over(above: AmountRow, head: RoleMatch, row: AmountRow, amount: AmountReading) -> bool:
    """Whether a phrase of the row above, or below, and an amount stand in one column."""
    first, second = above.line.place(head.start, head.end), row.line.place(amount.start, amount.end)
    return first[0] < second[1] and second[0] < first[1]


def _is_label(row: AmountRow) -> bool:
    """Whether a row has only words."""
    return not row.amounts and count_letters(row.text) > 1


def _names_next(rows: Sequence[AmountRow], line: int) -> bool:
    """Whether the words of a row stand right above an amount alone on its row, which they name."""
    below = rows[line + 1] if line + 1 < len(rows) else None
    if below is None or below.amount is None or not below.amount.decimals or not _near(rows[line], below):
        return False
    return not count_letters(below.text[: below.amount.start])


def _near(first: AmountRow, second: AmountRow) -> bool:
    height = max(first.line.height, second.line.height)
    gap = max(first.line.top, second.line.top) - min(first.line.bottom, second.line.bottom)
    return gap < 1.5 * height


#: How many are taken for the price of how many: "3 FOR 2", "3x2".
_OFFER = re.compile(r"\d{1,2} ?[^\W\d_]{1,4} ?\d{1,2}")
#: Weight of "discount" that a negative product row claims.
_REDUCTION = 0.6


def with_reductions(
    entries: Sequence[Entry], items: Sequence[Item], rows: Sequence[AmountRow]
) -> tuple[Entry, ...]:
    """The entries; those of negative product rows claim to be discounts if they have a percentage
    or only lower the price of the product above. The last rule does not apply where
    the header refers to an earlier receipt, whose products are returned."""
    negative = {item.line for item in items if item.total.value < 0}
    head = rows[: min((item.line for item in items), default=0)]
    returned = any(term_at_start(row.text, "earlier_document") for row in head)
    lowered = frozenset() if returned else _lowered(items)
    return tuple(
        e.claiming("discount", _REDUCTION)
        if e.line in negative
        and e.zone == "items"
        and not any(role in ("deposit", "discount") for role, _ in e.roles)
        and not says(rows[e.line].roles, ["void"], POSSIBLE)
        and (e.line in lowered or rows[e.line].percents)
        else e
        for e in entries
    )


def _lowered(items: Sequence[Item]) -> frozenset[int]:
    """Lines of negative items right below a product that take off less than its amount, or are an offer ("3
    FOR 2  -8.99"). Returned products are left out: they are printed as when sold, with a code or quantity, or
    with the name or amount of a sold item. Empty unless the products add up to more than zero."""
    if sum_items(items) <= 0:
        return frozenset()
    sold = [other for other in items if other.total.value > 0]
    return frozenset(
        item.line
        for above, item in pairwise(items)
        if item.total.value < 0 < above.total.value
        and item.line == max(above.lines) + 1
        and (_OFFER.fullmatch(item.desc) or _lowers(item, above, sold))
    )


def _lowers(item: Item, above: Item, sold: Sequence[Item]) -> bool:
    """Whether a negative item with a name takes off less than the amount above, and is no product."""
    named = item.product_code is None or _names_article(item, above)
    plain = named and item.qty is None and item.unit is None
    return plain and -above.total.value < item.total.value and not any(_is_same(item, o) for o in sold)


def _names_article(item: Item, above: Item) -> bool:
    """Whether a row repeats the article number of the product above behind a number of its own, that of the
    reduction: "0000417722 / 88412"."""
    number = above.product_code
    return number is not None and number != item.product_code and item.desc.endswith(number)


def _is_same(item: Item, other: Item) -> bool:
    return squeeze(item.desc_clean) == squeeze(other.desc_clean) or item.total.value == -other.total.value
