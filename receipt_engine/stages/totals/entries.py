"""Makes entries: amounts outside the products, each with the roles that the words around it give. Tells
sentences that mention amounts from amounts with a label."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from msgspec.structs import replace

from receipt_engine.document import AmountReading, AmountRow, Entry, RoleMatch, Zone, says
from receipt_engine.region import TENDERS, Role
from receipt_engine.scoring.certainty import LIKELY, POSSIBLE, SURE, WEAK
from receipt_engine.stages.totals.row_roles import AMOUNT_ROLES, roles_beside, roles_from_neighbours
from receipt_engine.stages.totals.settlement import as_taken_off, with_rest
from receipt_engine.vocabulary.normalise import count_letters, squeeze
from receipt_engine.vocabulary.terms import find_terms, is_made_of, is_term, term_at_start
from receipt_engine.vocabulary.tokens import tokens

#: Masked digits before the last ones of a card's number.
_HIDDEN = re.compile(r"[*xX•#]{2}[ -]*\d{3,4}(?!\d)")
#: A label that is only a note on the words above: "(1 of 2 guests)" below "Less 20 %".
_NOTE = re.compile(r"\([^()]{1,40}\)?")
#: Smallest factor on the weight of a total whose word is one among many.
_OTHER_WORDS = 0.7
#: Smallest tax that shows another amount to be its base: smaller ones fit by chance.
_LEAST_TAX = Decimal("0.10")
#: Largest rounding error of one tax, in major units.
_HALF_CENT = Decimal("0.005")
#: Words of a notice that name no amount; a label has fewer beside those that do.
_NOTICE_WORDS = 3


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
    if not _counts(row, zone, own) or (zone in ("summary", "after") and _is_notice(row)):
        return []
    entries: list[Entry] = []
    for k, amount in enumerate(row.likely):
        rate = _own_rate(row, k)
        found = roles_beside(row.likely, k, own, rated=rate is not None)
        label = _label(row.text, row.likely, k)
        found = _with_weaker_total(found, label, own)
        if "cash" in found and _gives_back(row, k):
            found = {"change": found["cash"]}
        if zone == "after" and row.dates and "discount" in found:
            found = {}  # a discount for early payment: "2 % off if paid by 14.03.2024 (24,28)"
        # "El IVA incluido es" above "de $ 1.319"
        bare = not any(c.isalpha() for c in label) or _NOTE.fullmatch(label)
        if not found and (bare or is_term(label, "link")):
            found, label = roles_from_neighbours(rows, line, amount)
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


def _is_notice(row: AmountRow) -> bool:
    """Whether a row is a sentence of advertising or terms, whose amounts are none of the receipt: "Spend $40
    and get $5 off your next order", "Cards are not accepted below 10.00".

    It has words of sentences and several others that name no amount, and does not begin with the name of
    one. An amount with a minus is taken off whatever its words.
    """
    if any(amount.value < 0 for amount in row.likely) or _is_labelled(row):
        return False
    taken = [(m.start, m.end) for m in row.roles if m.role in AMOUNT_ROLES or m.role == "header"]
    taken += [(amount.start, amount.end) for amount in row.amounts]
    others = [w.start for w in tokens(row.text) if not any(start <= w.start < end for start, end in taken)]
    spoken = any(m.term == "sentence" and m.start in others for m in find_terms(row.text))
    return spoken and len(others) >= _NOTICE_WORDS


def _is_labelled(row: AmountRow) -> bool:
    """Whether a row begins with the name of an amount that is no word of sentences ("GET", a tax)."""
    first = next((m for m in row.roles if m.role in AMOUNT_ROLES), None)
    if first is None or first.weight < SURE or not _only_thanks(row, first.start):
        return False
    spelled = squeeze(row.text[first.start : first.end]) == first.phrase  # "Cards are", not "card sale"
    return spelled and term_at_start(row.text, "sentence") is None


def _only_thanks(row: AmountRow, end: int) -> bool:
    """Whether nothing stands before the offset `end` except a closing phrase, as in the left half of an
    invoice's sums: "Thank you for your order!   SUBTOTAL 61.40"."""
    phrases = [
        (m.start, m.end) for m in row.roles if m.role == "footer" and m.weight >= SURE and m.end <= end
    ]
    return not any(
        c.isalnum() and not any(s <= at < e for s, e in phrases) for at, c in enumerate(row.text[:end])
    )
