"""Finds tables of suggested tips, whose amounts are neither a tip nor a total of the receipt.

"18% (Tip 5.40 Total 38.40)" is printed once for every percentage. Two such rows with different percentages
show that these are suggestions; one is enough below words that say so. Below such words the rows need not
name the tip again ("Tip guide", "18% 5.40"), and one row may print all percentages.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise, takewhile

from msgspec.structs import replace

from receipt_engine.document import ParsedLine, RoleMatch, says
from receipt_engine.region import SUMS, TENDERS, Role
from receipt_engine.scoring.certainty import LIKELY

#: Rows above a tip row that are searched for words saying that tips are suggested; and the largest distance,
#: in rows, between two tip rows of one table.
_ABOVE = 4
_APART = 3
#: Roles whose amounts are only suggested in such a table.
_GUIDED: frozenset[Role] = frozenset(("tip", "total"))
#: Roles of words for other amounts, which such a table does not have.
_OTHER_AMOUNTS: frozenset[Role] = (SUMS - {"total"}) | TENDERS | {"service", "discount"}

#: Fewest percentages of a row that offers tips without saying so.
_CHOICES = 3
#: Largest difference of a rounded tip from its exact value.
_CENT = Decimal("0.01")

_Roles = tuple[RoleMatch, ...]


def tip_guides(rows: Sequence[ParsedLine], roles: Sequence[_Roles]) -> frozenset[int]:
    """Indices of the rows of such tables; rows and roles are parallel."""
    shares = [at for at, (row, found) in enumerate(zip(rows, roles, strict=True)) if _is_share(row, found)]
    guides = {at for pair in pairwise(shares) if _belong(rows, *pair) for at in pair}
    guides |= {at for at in shares if says(roles[at], ["total"], LIKELY) and _suggests(roles, at)}
    guides |= {at for at in shares if _has_choice(rows[at], roles[at])}
    guides |= {at for at, row in enumerate(rows) if _is_bare(row) and _shares_one_sum(row)}
    guides |= _shares_below(rows, roles, shares) | _choices_below(rows, roles)
    guides |= _totals_below(sorted(guides), rows, roles)
    return frozenset(guides | _below_heading(rows, roles))


def as_suggested(row: ParsedLine, roles: _Roles) -> _Roles:
    """The roles of a row of such a table, with tips and totals replaced by "suggested"; where its words name
    neither, that role is its percentage's."""
    found = tuple(replace(m, role="suggested", weight=1.0) if m.role in _GUIDED else m for m in roles)
    if says(found, ["suggested"], LIKELY) or not row.percents:
        return found
    share = row.percents[0]
    return (RoleMatch(role="suggested", weight=1.0, phrase="", start=share.start, end=share.end), *found)


def _is_share(row: ParsedLine, roles: Sequence[RoleMatch]) -> bool:
    """Whether a row prints a percentage and the tip that it makes."""
    return bool(row.percents and row.amounts) and says(roles, ["tip"], LIKELY)


def _has_choice(row: ParsedLine, roles: _Roles) -> bool:
    """Whether one row offers several tips: "Tip 15% 4.52 18% 5.43"."""
    several = len({p.value for p in row.percents}) > 1 and len(row.amounts) > 1
    return several and _is_of_table(roles)


def _shares_one_sum(row: ParsedLine) -> bool:
    """Whether a row prints several shares of one sum, as no taxes are: "15% = 4.50  18% = 5.40  20% =
    6.00"."""
    rates = [p.value for p in row.percents]
    if len(set(rates)) < _CHOICES or len(rates) != len(row.amounts) or not all(rates):
        return False
    whole = row.amounts[-1].value * 100 / rates[-1]
    pairs = zip(row.amounts, rates, strict=True)
    return whole > 0 and all(abs(amount.value - whole * rate / 100) <= _CENT for amount, rate in pairs)


def _is_of_table(roles: _Roles) -> bool:
    """Whether no words on a row name another amount than a tip and what it makes."""
    return not says(roles, _OTHER_AMOUNTS, LIKELY)


def _below_heading(rows: Sequence[ParsedLine], roles: Sequence[_Roles]) -> set[int]:
    """The rows with a percentage and amounts below a row that says that tips are suggested, as far as no
    other amounts and no other words come between; and that row, if it has the total too: "Suggested tip 18%
    5.40  Total 35.40"."""
    found: set[int] = set()
    last = None
    for at, (row, own) in enumerate(zip(rows, roles, strict=True)):
        if says(own, ["suggested"], LIKELY):
            last = at
            found |= {at} if len(row.amounts) > 1 else set()
        elif last is None or at - last > _ABOVE or not _is_of_table(own):
            last = None
        elif row.percents and row.amounts:
            found.add(at)
            last = at
        elif row.amounts:
            last = None
    return found


def _belong(rows: Sequence[ParsedLine], first: int, second: int) -> bool:
    """Whether two tip rows are near each other and print different percentages."""
    return second - first <= _APART and rows[first].percents[0].value != rows[second].percents[0].value


def _shares_below(rows: Sequence[ParsedLine], roles: Sequence[_Roles], shares: Sequence[int]) -> set[int]:
    """The tip rows right above rows that print only another percentage and the tip that it makes, and those
    rows: "Tip (10%) 3.50", "(15%) 5.25"."""
    found: set[int] = set()
    for first in shares:
        at = first + 1
        while at < len(rows) and _is_of_table(roles[at]) and _is_like(rows[first], rows[at]):
            found |= {first, at}
            at += 1
    return found


def _choices_below(rows: Sequence[ParsedLine], roles: Sequence[_Roles]) -> set[int]:
    """The rows without words below a row that names the tip and prints no amount: one with an amount for each
    of its percentages ("Tip  10%  12%  15%", "1.80  2.16  2.70"), or several with a percentage and what it
    makes ("Tip", "10%  1.80", "15%  2.70")."""
    found: set[int] = set()
    for at, (row, own) in enumerate(zip(rows, roles, strict=True)):
        if not says(own, ["tip"], LIKELY) or any(a.value for a in row.amounts):
            continue
        bare = list(takewhile(lambda i: _is_bare(rows[i]), range(at + 1, len(rows))))
        choices = {p.value for p in row.percents}
        if len(choices) > 1 and bare and 1 < len(rows[bare[0]].amounts) <= len(choices):
            found |= {at, bare[0]}
        shares = list(takewhile(lambda i: bool(rows[i].percents), bare))
        if not choices and len(shares) > 1 and all(_is_like(rows[shares[0]], rows[i]) for i in shares[1:]):
            found |= {at, *shares}
    return found


def _is_bare(row: ParsedLine) -> bool:
    """Whether a row has amounts and no words."""
    return bool(row.amounts) and not any(map(str.isalpha, row.text))


def _is_like(tip: ParsedLine, row: ParsedLine) -> bool:
    """Whether a row has no words, and another percentage that makes its amount of the same sum as the tip."""
    if not (row.percents and row.amounts) or any(map(str.isalpha, row.text)):
        return False
    of, own = tip.percents[0].value, row.percents[0].value
    made, expected = row.amounts[-1].value * of, tip.amounts[-1].value * own
    return own != of and abs(made - expected) <= _CENT * (of + own)


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
