"""Tax tables: rows of net, rate, tax and gross amounts, in whatever order they are printed.

Headings are often lost or abbreviated, so arithmetic tells the columns apart: net + tax = gross, and
net × rate = tax or gross × rate / (100 + rate) = tax, to a cent or two of rounding.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from itertools import permutations

from msgspec.structs import replace

from receipt_engine.document import AmountReading, Entry, ParsedLine, RoleMatch, TaxRow, Zone
from receipt_engine.region import Region, Role
from receipt_engine.stages.classify.columns import PLAUSIBLE

#: Rounding a tax per item, then adding, may move it this far, in major units and as a share.
_CENTS = Decimal("0.015")
_SHARE = Decimal("0.004")
_MAX_NUMBERS = 6
_BESIDE_RATE = 0.4
_ZERO = Decimal(0)
#: Smaller rates and taxes agree with any row of three numbers.
_MIN_BARE_RATE = 2
_MIN_BARE_TAX = Decimal("0.10")


@dataclass(frozen=True, slots=True)
class _Reading:
    """Which of a row's amounts are net, tax and gross (indices), and the rate that fits."""

    rate: Decimal | None
    net: int | None
    tax: int
    gross: int | None


@dataclass(frozen=True, slots=True)
class _Halves:
    """A row of net, two equal halves of one tax ("CGST", "SGST") and gross, as indices. rate: of a half, None
    where the row adds up others."""

    net: int
    halves: tuple[int, int]
    gross: int
    rate: Decimal | None

    def rows(self, line: int, values: Sequence[Decimal]) -> tuple[TaxRow, TaxRow]:
        """One row for each half; the net stands in the first."""
        tax, is_sum = values[self.halves[0]], self.rate is None
        first = TaxRow(line, self.rate, values[self.net], tax, None, is_sum=is_sum)
        return first, TaxRow(line, self.rate, None, tax, None, is_sum=is_sum)

    def labels(self, line: int, numbers: Sequence[AmountReading]) -> dict[tuple[int, int], Role]:
        """The roles of the row's amounts."""
        tax: Role = "tax" if self.rate is not None else "total_tax"
        named: tuple[tuple[int, Role], ...] = (
            (self.net, "net"),
            (self.halves[0], tax),
            (self.halves[1], tax),
            (self.gross, "gross"),
        )
        return {(line, numbers[at].start): role for at, role in named}


def find_tax_rows(
    rows: Sequence[ParsedLine],
    roles: Sequence[Sequence[RoleMatch]],
    zones: Sequence[Zone],
    region: Region,
) -> tuple[tuple[TaxRow, ...], dict[tuple[int, int], Role]]:
    """The table's rows, and the role that each amount of them has: (row, start of amount) → role."""
    known = tuple(Decimal(r.rate) for r in region.tax.rates)
    found: list[TaxRow] = []
    labels: dict[tuple[int, int], Role] = {}
    for i, parsed in enumerate(rows):
        if zones[i] in ("header", "items") or not 2 <= len(_numbers(parsed)) <= _MAX_NUMBERS:
            continue
        numbers = _numbers(parsed)
        values = [a.value for a in numbers]
        halves = _read_halves(values, known, found)
        if halves is not None:
            found += halves.rows(i, values)
            labels |= halves.labels(i, numbers)
            continue
        follows = bool(found) and found[-1].line == i - 1 and not found[-1].is_sum
        reading = _read(parsed, known, _is_tax_line(roles[i]), follows) or _read_sum(values, found, parsed)
        if reading is None:
            continue
        row = TaxRow(
            line=i,
            rate=reading.rate,
            net=None if reading.net is None else values[reading.net],
            tax=values[reading.tax],
            gross=None if reading.gross is None else values[reading.gross],
            code=_code(parsed),
        )
        row = replace(row, is_sum=_is_sum(row, found, parsed))
        found.append(row)
        for index, role in ((reading.net, "net"), (reading.tax, "tax"), (reading.gross, "gross")):
            if index is not None:
                name: Role = "total_tax" if role == "tax" and row.is_sum else role  # type: ignore[assignment]
                labels[i, numbers[index].start] = name
    return tuple(found), labels


def is_table_row(parsed: ParsedLine, region: Region) -> bool:
    """Whether a rate of the region is printed on the row and its amounts are net, tax and gross at that rate,
    or two of them; or net, two equal halves of such a tax, and gross."""
    numbers = _numbers(parsed)
    if _read_halves([a.value for a in numbers], tuple(_rates(region)), ()) is not None:
        return True
    if not 2 <= len(numbers) <= _MAX_NUMBERS:
        return False
    rates = _rates(region) & ({p.value for p in parsed.percents} or {a.value for a in numbers})
    reading = _read(parsed, tuple(sorted(rates)), is_tax_line=False) if rates else None
    return reading is not None and reading.rate in rates and numbers[reading.tax].value != reading.rate


@lru_cache(maxsize=64)
def _rates(region: Region) -> frozenset[Decimal]:
    """The region's rates of tax in percent, but for the one of nothing."""
    return frozenset(Decimal(rate.rate) for rate in region.tax.rates) - {_ZERO}


def _numbers(parsed: ParsedLine) -> tuple[AmountReading, ...]:
    """The row's amounts without small whole numbers such as a code or a count; beside a printed rate those
    of three digits may be money."""
    most = PLAUSIBLE + _BESIDE_RATE if parsed.percents else PLAUSIBLE
    return tuple(a for a in parsed.amounts if a.readings[0].cost < most)


def relabel(entries: Sequence[Entry], labels: dict[tuple[int, int], Role]) -> tuple[Entry, ...]:
    """Entries with the roles that the table gave them; other amounts of its rows lose theirs."""
    table_rows = {line for line, _ in labels}
    result = []
    for entry in entries:
        if entry.line not in table_rows:
            result.append(entry)
            continue
        role = labels.get((entry.line, entry.amount.start))
        result.append(replace(entry, roles=((role, 0.9),) if role else ()))
    return tuple(result)


def _is_tax_line(roles: Sequence[RoleMatch]) -> bool:
    return any(m.role in ("tax", "total_tax", "net", "gross") and m.weight >= 0.5 for m in roles)


def _read(
    parsed: ParsedLine, known: Sequence[Decimal], is_tax_line: bool, follows: bool = False
) -> _Reading | None:
    """The most complete way to read the row that its arithmetic allows. follows: it is right below another
    row of the table."""
    values = [a.value for a in _numbers(parsed)]
    printed = [p.value for p in parsed.percents]
    rates = printed or [v for v in values if v in known and v > 0] or list(known)
    size = len(values)
    for net, tax, gross in permutations(range(size), 3):
        # A discount column of zeros also adds up: without a rate, a table needs a tax.
        if values[net] + values[tax] != values[gross] or values[tax] * values[net] < 0 or not values[net]:
            continue
        rate = _fitting(values[net], values[tax], rates, inclusive=False)
        if rate is not None or (is_tax_line and 0 < abs(values[tax]) < abs(values[net]) / 2):
            return _Reading(rate, net, tax, gross)
    bare = [at for at, value in enumerate(values) if value in known and value >= _MIN_BARE_RATE]
    if not printed and not is_tax_line:
        return _read_bare(values, bare, _ZERO if follows else _MIN_BARE_TAX)
    for first, tax in permutations(range(size), 2):
        if not values[first] or values[first] * values[tax] < 0:
            continue
        rate = _fitting(values[first], values[tax], rates, inclusive=False)
        if rate is not None:
            return _Reading(rate, first, tax, None)
        rate = _fitting(values[first], values[tax], rates, inclusive=True)
        if rate is not None and printed:
            return _Reading(rate, None, tax, first)
    return None


def _read_halves(
    values: Sequence[Decimal], known: Sequence[Decimal], before: Sequence[TaxRow]
) -> _Halves | None:
    """The row as net + tax + the same tax = gross, at a rate of the region or as the sum of such rows."""
    for at in range(len(values) - 3):
        net, first, second, gross = values[at : at + 4]
        if first != second or first <= 0 or abs(net + 2 * first - gross) > _CENTS:
            continue
        indices = at, (at + 1, at + 2), at + 3
        parts = [r.tax for r in before if not r.is_sum]
        if len(parts) > 2 and sum(parts, _ZERO) == 2 * first:
            return _Halves(*indices, None)
        rate = _fitting(net, 2 * first, known, inclusive=False)
        if rate is not None:
            return _Halves(*indices, rate / 2)
    return None


def _read_bare(values: Sequence[Decimal], at: Sequence[int], least: Decimal) -> _Reading | None:
    """A row without words and percent sign whose numbers are a rate of the region (at one of `at`), a tax
    and what it is of: "B 6,56 13,00 0,85". least: smallest tax."""
    for place in at:
        others = [i for i in range(len(values)) if i != place]
        for base, tax in permutations(others, 2):
            if values[tax] <= 0 or values[tax] < least or values[tax] * 2 >= values[base]:
                continue
            for inclusive in (False, True):
                if _fitting(values[base], values[tax], values[place : place + 1], inclusive=inclusive):
                    net, gross = (None, base) if inclusive else (base, None)
                    return _Reading(values[place], net, tax, gross)
    return None


def _read_sum(values: Sequence[Decimal], before: Sequence[TaxRow], parsed: ParsedLine) -> _Reading | None:
    """A last row without a rate that adds up the columns above it, whatever it is called."""
    parts = [row for row in before if not row.is_sum]
    if not parts or parsed.percents or before[-1].is_sum:
        return None
    tax = sum((row.tax for row in parts), _ZERO)
    found: dict[str, int] = {}
    for name, column in (("net", [r.net for r in parts]), ("gross", [r.gross for r in parts])):
        known = [value for value in column if value is not None]
        total = sum(known, _ZERO)
        if len(known) == len(parts) and total != tax and total in values:
            found[name] = values.index(total)
    if not tax or tax not in values or not found:
        return None
    return _Reading(None, found.get("net"), values.index(tax), found.get("gross"))


def _fitting(base: Decimal, tax: Decimal, rates: Sequence[Decimal], *, inclusive: bool) -> Decimal | None:
    for rate in rates:
        expected = base * rate / (100 + rate if inclusive else 100)
        if abs(expected - tax) <= _CENTS + abs(tax) * _SHARE and (rate == 0) == (tax == 0):
            return rate
    return None


def _is_sum(row: TaxRow, before: Sequence[TaxRow], parsed: ParsedLine) -> bool:
    """Whether the row adds up the rows above it; a single row repeated without a rate also counts."""
    parts = [r for r in before if not r.is_sum]
    if not parts or parsed.percents:
        return False
    same_tax = sum((r.tax for r in parts), _ZERO) == row.tax
    nets = [r.net for r in parts if r.net is not None]
    same_net = row.net is None or (len(nets) == len(parts) and sum(nets, _ZERO) == row.net)
    return same_tax and same_net


def _code(parsed: ParsedLine) -> str | None:
    """A tax code at the row's start: one letter or digit, with or without = or )."""
    first = parsed.text.split()[0].rstrip("=:)*.")
    return first.upper() if len(first) <= 2 and first[:1].isalpha() else None
