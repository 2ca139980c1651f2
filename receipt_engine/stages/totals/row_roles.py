"""Gives an amount roles by the words around it: beside it in its row, or in the row above or below.

In: the amounts of a row and the roles of its phrases, or the rows. Out: role → weight.
"""

from __future__ import annotations

from collections.abc import Sequence

from receipt_engine.document import AmountReading, AmountRow, RoleMatch
from receipt_engine.region import SUMS, TENDERS, Role
from receipt_engine.vocabulary.normalise import count_letters

#: Roles that an amount can have.
AMOUNT_ROLES: frozenset[Role] = SUMS | TENDERS | {
    "tip", "service", "discount", "withheld", "savings", "rounding", "balance", "loyalty", "item_count",
    "suggested", "deposit",
}  # fmt: skip
#: Factor on the weight when the words are on the row above or below.
_FROM_ABOVE = 0.75
_FROM_BELOW = 0.6
#: Factor on the weight when the words follow the amount.
_FROM_BEHIND = 0.7


def roles_beside(
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


def roles_from_neighbours(
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
