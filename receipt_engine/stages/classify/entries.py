"""Amounts outside the products, each with the roles that the words around it give."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from receipt_engine.document import AmountReading, Entry, ParsedLine, RoleMatch, Zone
from receipt_engine.region import Role
from receipt_engine.stages.classify.columns import plausible

#: Roles that an amount can have.
AMOUNT_ROLES: frozenset[Role] = frozenset(
    [
        "total",
        "subtotal",
        "net",
        "gross",
        "tax",
        "total_tax",
        "tip",
        "service",
        "discount",
        "savings",
        "rounding",
        "cash",
        "card",
        "change",
        "balance",
        "loyalty",
        "item_count",
        "suggested",
        "deposit",
    ]
)
#: The hidden digits of a card.
_MASK = re.compile(r"(?:[*•]|[xX]{3,})$")
#: Words that a number follows which is no amount.
_NUMBERED: frozenset[Role] = frozenset(("footer", "receipt_number", "tax_id", "phone", "cashier"))
#: Names of a document, behind which a long number is its own ("BOLETA ELECTRONICA 882014").
_CALLED: frozenset[Role] = frozenset(("receipt", "invoice"))
_LONG_NUMBER = 5
#: Weight left when the words are on the row above or below.
_FROM_ABOVE = 0.75
_FROM_BELOW = 0.6
#: Weight of a total that is one word among many.
_OTHER_WORDS = 0.7
#: Weight left when the words stand behind the amount.
_FROM_BEHIND = 0.7


def find_entries(
    rows: Sequence[ParsedLine],
    roles: Sequence[Sequence[RoleMatch]],
    zones: Sequence[Zone],
    column: Sequence[bool],
) -> tuple[Entry, ...]:
    """Entries from top to bottom, left to right. Amounts of the header count only with words that give
    them a role; unnamed amounts of the items only in the amount column."""
    entries: list[Entry] = []
    for i, parsed in enumerate(rows):
        own = [m for m in roles[i] if m.role in AMOUNT_ROLES]
        if not _counts(parsed, zones[i], column[i], own):
            continue
        amounts = tuple(a for a in plausible(parsed) if not is_number(parsed.text, a, roles[i]))
        for k, amount in enumerate(amounts):
            found = _roles_beside(amounts, k, own)
            label = _label(parsed.text, amounts, k)
            found = _less_sure(found, label, own)
            if zones[i] == "after" and parsed.dates and found.keys() & {"discount"}:
                found = {}  # what may be taken off by some day: "2 % off if paid by 14.03.2024 (24,28)"
            if not found and not any(c.isalpha() for c in label):
                found, label = _roles_from_neighbours(rows, roles, i)
            entries.append(
                Entry(
                    line=i,
                    amount=amount,
                    zone=zones[i],
                    roles=tuple(sorted(found.items(), key=lambda r: (-r[1], r[0]))),
                    label=label,
                    percent=_percent(parsed),
                    last=k == len(amounts) - 1,
                )
            )
    return tuple(entries)


def is_number(text: str, amount: AmountReading, roles: Sequence[RoleMatch]) -> bool:
    """Whether a whole number is the open end of a card's, or follows a word for numbers ("AUTH 771902")."""
    if amount.decimals or amount.currency is not None:
        return False
    before = text[: amount.start].rstrip(" .:#-")
    if _MASK.search(before):
        return True
    last = [m.role for m in roles if m.weight >= 0.8 and m.end == len(before)]
    called = amount.raw.isdigit() and len(amount.raw) >= _LONG_NUMBER and any(r in _CALLED for r in last)
    return called or any(role in _NUMBERED for role in last)


def _counts(parsed: ParsedLine, zone: Zone, column: bool, own: Sequence[RoleMatch]) -> bool:
    if not parsed.amounts:
        return False
    return zone not in ("header", "items") or _labelled(own) or (zone == "items" and column)


def _labelled(own: Sequence[RoleMatch]) -> bool:
    return any(m.weight >= 0.5 for m in own)


def _label(text: str, amounts: Sequence[AmountReading], k: int) -> str:
    """The text between the previous amount and this one."""
    start = amounts[k - 1].end if k else 0
    return text[start : amounts[k].start].strip(" :.-")


def _less_sure(found: dict[Role, float], label: str, own: Sequence[RoleMatch]) -> dict[Role, float]:
    """A total with other words beside its own ("Total 0% supplies") is less surely the total."""
    if "total" not in found:
        return found
    letters = sum(c.isalpha() for c in label)
    known = sum(len(m.phrase) for m in own if m.role in ("total", "item_count"))
    share = min(1.0, known / letters) if letters else 1.0
    return found | {"total": found["total"] * (_OTHER_WORDS + (1 - _OTHER_WORDS) * share)}


def _percent(parsed: ParsedLine) -> Decimal | None:
    return parsed.percents[0].value if parsed.percents else None


def _roles_beside(amounts: Sequence[AmountReading], k: int, own: Sequence[RoleMatch]) -> dict[Role, float]:
    """Roles from the words between the previous amount and this one; else from any words before it;
    else, for a row's only amount, from the words behind it."""
    start = amounts[k - 1].end if k else 0
    between = [m for m in own if start <= m.start < amounts[k].start]
    if between:
        return _combined(between, 1.0)
    before = [m for m in own if m.start < amounts[k].start]
    if before:
        return _combined(before, 1.0 if k == len(amounts) - 1 else 0.5)
    behind = [m for m in own if m.start >= amounts[k].end]
    return _combined(behind, _FROM_BEHIND) if len(amounts) == 1 else {}


def _combined(matches: Sequence[RoleMatch], factor: float) -> dict[Role, float]:
    """The phrase nearest the amount counts most: earlier ones lose a tenth each time."""
    if matches and matches[0].role == "tip":  # "TIP VISA 5.00": how it was paid
        matches = [m for m in matches if m.role not in ("card", "cash")]
    found: dict[Role, float] = {}
    for distance, match in enumerate(reversed(matches)):
        weight = match.weight * factor * 0.9**distance
        found[match.role] = max(weight, found.get(match.role, 0.0))
    return found


def _roles_from_neighbours(
    rows: Sequence[ParsedLine], roles: Sequence[Sequence[RoleMatch]], i: int
) -> tuple[dict[Role, float], str]:
    """Roles of an amount that stands alone on its row, from a row of words alone next to it."""
    for j, factor in ((i - 1, _FROM_ABOVE), (i + 1, _FROM_BELOW)):
        if not 0 <= j < len(rows) or rows[j].amounts:
            continue
        matches = [m for m in roles[j] if m.role in AMOUNT_ROLES]
        if matches and _near(rows[i], rows[j]):
            return _combined(matches, factor), rows[j].text
    return {}, ""


def _near(first: ParsedLine, second: ParsedLine) -> bool:
    height = max(first.line.height, second.line.height)
    gap = max(first.line.top, second.line.top) - min(first.line.bottom, second.line.bottom)
    return gap < 1.5 * height
