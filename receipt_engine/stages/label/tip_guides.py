"""Finds tables of suggested tips, whose amounts are neither a tip nor a total of the receipt.

"18% (Tip 5.40 Total 38.40)" is printed once for every percentage. Two such rows with different percentages
show that these are suggestions; one is enough below words that say so.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from msgspec.structs import replace

from receipt_engine.document import ParsedLine, RoleMatch, says
from receipt_engine.region import Role
from receipt_engine.scoring.certainty import LIKELY

#: Rows above a tip row that are searched for words saying that tips are suggested; and the largest distance,
#: in rows, between two tip rows of one table.
_ABOVE = 4
_APART = 3
#: Roles whose amounts are only suggested in such a table.
_GUIDED: frozenset[Role] = frozenset(("tip", "total"))

_Roles = tuple[RoleMatch, ...]


def tip_guides(rows: Sequence[ParsedLine], roles: Sequence[_Roles]) -> frozenset[int]:
    """Indices of the rows of such tables; rows and roles are parallel."""
    shares = [at for at, (row, found) in enumerate(zip(rows, roles, strict=True)) if _is_share(row, found)]
    guides = {at for pair in pairwise(shares) if _belong(rows, *pair) for at in pair}
    guides |= {at for at in shares if says(roles[at], ["total"], LIKELY) and _suggests(roles, at)}
    return frozenset(guides | _totals_below(sorted(guides), rows, roles))


def as_suggested(roles: _Roles) -> _Roles:
    """The roles of a row of such a table, with tips and totals replaced by "suggested"."""
    return tuple(replace(m, role="suggested", weight=1.0) if m.role in _GUIDED else m for m in roles)


def _is_share(row: ParsedLine, roles: Sequence[RoleMatch]) -> bool:
    """Whether a row prints a percentage and the tip that it makes."""
    return bool(row.percents and row.amounts) and says(roles, ["tip"], LIKELY)


def _belong(rows: Sequence[ParsedLine], first: int, second: int) -> bool:
    """Whether two tip rows are near each other and print different percentages."""
    return second - first <= _APART and rows[first].percents[0].value != rows[second].percents[0].value


def _suggests(roles: Sequence[_Roles], at: int) -> bool:
    """Whether words on the row or right above it say that its amounts are suggested."""
    return any(says(found, ["suggested"], LIKELY) for found in roles[max(0, at - _ABOVE) : at + 1])


def _totals_below(guides: Sequence[int], rows: Sequence[ParsedLine], roles: Sequence[_Roles]) -> set[int]:
    """The rows right below the tip rows that print the resulting total, if every tip row has one."""
    below = [
        at + 1
        for at in guides
        if at + 1 < len(rows) and rows[at + 1].amounts and says(roles[at + 1], ["total"], LIKELY)
    ]
    return set(below) if len(below) == len(guides) else set()
