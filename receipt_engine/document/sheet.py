"""The rows of a receipt, classified: products, summary amounts, tax table."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from decimal import Decimal
from typing import Literal

from msgspec.structs import replace

from receipt_engine.document.readings import ZERO, AmountReading, ParsedLine
from receipt_engine.document.record import Record
from receipt_engine.region import Role
from receipt_engine.scoring.certainty import LIKELY
from receipt_engine.scoring.costs import DOUBTFUL

#: Day and month, or month and day, at the start of a row.
_DAY = re.compile(r"(?:0[1-9]|[12]\d|3[01])([./-])(?:0[1-9]|[12]\d|3[01])\.? +(?=[^\W\d_])")
#: The part of the receipt that a line belongs to.
Zone = Literal["header", "items", "summary", "after"]


class RoleMatch(Record, frozen=True):
    """A key phrase found in a line. phrase: its letters alone; start and end: offsets in the line's text;
    weight: 0 to 1, how strongly it indicates the role."""

    role: Role
    weight: float
    phrase: str
    start: int
    end: int


def says(roles: Iterable[RoleMatch], wanted: Collection[Role], least: float) -> bool:
    """Whether one of the key phrases indicates one of the roles, with at least that weight."""
    return any(match.role in wanted and match.weight >= least for match in roles)


class LabelledRow(ParsedLine, frozen=True):
    """A row with its key phrases, left to right. guide: it is part of a table of suggested tips."""

    roles: tuple[RoleMatch, ...] = ()
    guide: bool = False

    @property
    def names_total(self) -> bool:
        """Whether its words likely name the total."""
        return says(self.roles, ["total"], LIKELY)


class AmountRow(LabelledRow, frozen=True):
    """A row whose amounts have costs that follow how the page prints them.

    amount: the last one, followed by nothing but a tax code, a rate or a mark. likely: the amounts that are
    plausible by their form or by what they multiply to, without numbers that words announce as something else
    (a telephone number, a card number). counted: a count and a price that multiply to the amount are printed
    before it. in_column: the amount ends in the page's amount column, and is not just a detail of a
    neighbouring row's amount.
    """

    amount: AmountReading | None = None
    likely: tuple[AmountReading, ...] = ()
    counted: bool = False
    in_column: bool = False

    @property
    def dated(self) -> bool:
        """Whether it begins with a date that is certain, or with day and month alone, and ends in the amount
        column, like a charge on an account."""
        begins = any(d.cost < DOUBTFUL and d.start == 0 for d in self.dates) or _DAY.match(self.text)
        return self.in_column and bool(begins)


#: Fewest dated charges of an account.
_MIN_DATED = 3


def is_account(rows: Iterable[AmountRow]) -> bool:
    """Whether several rows begin with a day and end in an amount, as on a hotel's account."""
    return sum(1 for row in rows if row.dated) >= _MIN_DATED


class Entry(Record, frozen=True):
    """One amount outside the products, with its possible roles.

    line: index of its row. roles: each possible role with its weight (0 to 1), strongest first, from the
    words beside the amount or, for a discount, above or below it. label: these words as printed. percent: a
    rate printed on the same row. last: it is the row's rightmost amount. counted: a count and a price before
    it multiply to it, as a product's do.
    """

    line: int
    amount: AmountReading
    zone: Zone
    roles: tuple[tuple[Role, float], ...]
    label: str
    percent: Decimal | None = None
    last: bool = True
    counted: bool = False

    def weight(self, *roles: Role) -> float:
        """The largest weight of the roles; 0 when nothing indicates any."""
        for own, weight in self.roles:
            if own in roles:
                return weight
        return 0.0

    @property
    def role(self) -> Role | None:
        """The role with the highest weight."""
        return self.roles[0][0] if self.roles else None

    @property
    def certainty(self) -> float:
        """The highest weight of a role; 0 when nothing indicates any."""
        return self.roles[0][1] if self.roles else 0.0

    def is_called(self, role: Role, least: float) -> bool:
        """Whether this is the role with the highest weight, which is at least `least`."""
        return self.role == role and self.certainty >= least

    @property
    def untaxed(self) -> bool:
        """Whether an amount other than zero stands beside a rate of zero. It is no tax, but what was sold
        without one ("ZRL 0 % 40.00")."""
        return self.percent == 0 and self.amount.value != 0

    def claiming(self, role: Role, weight: float) -> Entry:
        """The entry with at least this weight for a role, beside those that its words give."""
        roles = dict(self.roles)
        roles[role] = max(weight, roles.get(role, 0.0))
        return replace(self, roles=tuple(sorted(roles.items(), key=lambda r: (-r[1], r[0]))))


class TaxRow(Record, frozen=True):
    """One row of a printed tax table. rate: in percent; amounts are None when not printed."""

    line: int
    rate: Decimal | None
    net: Decimal | None
    tax: Decimal
    gross: Decimal | None
    code: str | None = None
    is_sum: bool = False


class Item(Record, frozen=True):
    """One product line as printed. line: row of its amount; lines: every row it spans, from the top.

    qty: None when no quantity is printed. total: the amount with all its readings.
    """

    line: int
    lines: tuple[int, ...]
    desc: str
    desc_clean: str
    total: AmountReading
    price: Decimal | None = None
    qty: Decimal | None = None
    unit: Decimal | None = None
    product_code: str | None = None
    symbols: tuple[str, ...] = ()
    above: tuple[str, ...] = ()
    below: tuple[str, ...] = ()


def sum_items(items: Iterable[Item]) -> Decimal:
    """What the products add up to."""
    return sum((item.total.value for item in items), ZERO)


def sum_entries(entries: Iterable[Entry]) -> Decimal:
    """What the amounts add up to."""
    return sum((entry.amount.value for entry in entries), ZERO)


class Products(Record, frozen=True):
    """The products, and the page's rows and zones updated to match, one for each row.

    sum_line: row that adds up all products under an unknown or lost label; proved: rows from there on with
    the roles that sums alone give their amounts. added: rows that only arithmetic showed to be products.
    """

    items: tuple[Item, ...]
    rows: tuple[AmountRow, ...]
    zones: tuple[Zone, ...]
    sum_line: int | None = None
    proved: tuple[tuple[int, Role], ...] = ()
    added: tuple[int, ...] = ()


class Totals(Record, frozen=True):
    """The amounts and tax table printed outside the products. zones: one for each row."""

    zones: tuple[Zone, ...]
    entries: tuple[Entry, ...]
    tax_rows: tuple[TaxRow, ...]


class Sheet(Record, frozen=True):
    """The rows of a receipt, classified. zones and roles hold one entry per row."""

    zones: tuple[Zone, ...]
    roles: tuple[tuple[RoleMatch, ...], ...]
    items: tuple[Item, ...]
    entries: tuple[Entry, ...]
    tax_rows: tuple[TaxRow, ...]
