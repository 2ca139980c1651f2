"""Finds the rows of tax tables: net, rate, tax and gross amounts."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise

from msgspec.structs import replace

from receipt_engine.arithmetic.tax_splits import (
    MAX_AMOUNTS,
    SplitInHalves,
    TaxSplit,
    mend_digit,
    split_in_halves,
    split_tax,
    tax_amounts,
)
from receipt_engine.document import ZERO, AmountReading, AmountRow, AmountRule, Entry, TaxRow, Zone, says
from receipt_engine.region import TAXES, Region, Role
from receipt_engine.scoring.certainty import LIKELY, SURE
from receipt_engine.stages.totals.turned_table import TableRoles, turned_table
from receipt_engine.vocabulary.normalise import squeeze

#: Weight of a role that the arithmetic of a table gives to an amount.
_BY_ARITHMETIC = 0.9

#: Fewest rates of a row that has several side by side.
_RATES_BESIDE = 2
#: Amounts of a row that prints a tax and the total.
_PAIR = 2
#: Largest rounding error of one tax, in major units.
_HALF_CENT = Decimal("0.005")


def find_tax_rows(
    rows: Sequence[AmountRow], zones: Sequence[Zone], region: Region
) -> tuple[tuple[TaxRow, ...], TableRoles]:
    """The rows of the tax table, and the role of each of their amounts."""
    known = region.tax.percents
    found: list[TaxRow] = []
    roles: TableRoles = {}
    headed: set[int] = set()
    if (turned := turned_table(rows, zones)) is not None:
        return turned
    for line, row in enumerate(rows):
        amounts = tax_amounts(row, known)
        if zones[line] in ("header", "items") or not 2 <= len(amounts) <= MAX_AMOUNTS:
            continue
        if _names_each(row, amounts) or _is_note(row) or _is_headed(row):
            continue
        values = [a.value for a in amounts]
        parts = [r for r in found if not r.is_sum]
        # The number that begins the row may be a rate without its sign under the heading "GST%".
        printed = [*(p.value for p in row.percents), *(a.value for a in row.amounts[:1] if a.start == 0)]
        goes_on = not row.percents and line - 1 in headed and any(r.line == line - 1 for r in found)
        heads = rows[line - 1].roles if line and not rows[line - 1].amounts else ()
        if goes_on or (says(heads, TAXES, LIKELY) and says(heads, ("net", "gross", "subtotal"), LIKELY)):
            headed.add(line)
        rates = (*known, *printed) if line in headed else known  # those of another year too
        halves = split_in_halves(values, rates, [r.tax for r in parts], printed)
        beside = _side_by_side(row, amounts, known) or _taxes_alone(rows, line, amounts)
        if beside:
            found += [_tax_row(split, line, values, row) for split in beside]
            named = tuple(part for split in beside for part in _split_roles(split, "tax"))
        elif halves is not None:
            found += _half_rows(halves, line, values)
            named = _half_roles(halves)
        else:
            follows = bool(found) and found[-1].line == line - 1 and not found[-1].is_sum
            named_tax = _is_tax_line(row) or _is_total_with_tax(row, region) or line in headed
            split = split_tax(values, row.percents, known, named=named_tax, follows=follows)
            split = split or _split_sum(values, found, row) or _untaxed(values, row, follows=follows)
            if split is None and (mended := mend_digit(values, row.percents) or _other_digit(amounts, row)):
                values, split = mended, split_tax(mended, row.percents, known, named=True)
            if split is None:
                continue
            tax_row = _tax_row(split, line, values, row)
            tax_row = replace(tax_row, is_sum=_is_sum(tax_row, parts, row))
            found.append(tax_row)
            tax: Role = "total_tax" if tax_row.is_sum else "tax"
            named = _split_roles(split, tax, of_total=split.net is None and row.names_total)
        roles |= {(line, amounts[at].start): role for at, role in named if at is not None}
    if _begins_with_sum(found, rows):
        first = found[0]
        found[0] = replace(first, rate=None, is_sum=True)
        roles = {at: "total_tax" if at[0] == first.line and of == "tax" else of for at, of in roles.items()}
    return (tuple(found), roles) if found else _sum_of_products(rows, zones)


def _other_digit(amounts: Sequence[AmountReading], row: AmountRow) -> list[Decimal] | None:
    """The values with the one second reading of a digit that fits a printed rate."""
    found = [
        [*(a.value for a in amounts[:at]), money.value, *(a.value for a in amounts[at + 1 :])]
        for at, amount in enumerate(amounts)
        for money in amount.readings
        if money.rule is AmountRule.OTHER_DIGIT
    ]
    fitting = [values for values in found if row.percents and split_tax(values, row.percents, ())]
    return fitting[0] if len(fitting) == 1 else None


def _begins_with_sum(found: Sequence[TaxRow], rows: Sequence[AmountRow]) -> bool:
    """Whether the first row of a table has no rate and adds up the rows with one below it, as Polish invoices
    print it: "Razem  400,00  92,00  492,00" above "W tym  400,00  23%  92,00  492,00"."""
    if len(found) < _PAIR or found[0].is_sum or rows[found[0].line].percents:
        return False
    first, *parts = (row for row in found if not row.is_sum)
    rated = bool(parts) and all(rows[row.line].percents for row in parts)
    same = sum((row.tax for row in parts), ZERO) == first.tax
    return rated and same and sum((row.net or ZERO for row in parts), ZERO) == first.net


def _is_headed(row: AmountRow) -> bool:
    """Whether heads above a row without words name one of its amounts the total."""
    return row.names_total and not any(map(str.isalpha, row.text))


def _is_note(row: AmountRow) -> bool:
    """Whether a row begins with words for a note, such as an estimate of the taxes that prices contain
    ("Tributos F: 3,10 (11,2%)  E: 4,98 (18%)  M: 0,00 (0%)"), or for a suggested tip."""
    noted = ("footer", "suggested")
    return any(m.role in noted and m.weight >= SURE and m.start == 0 for m in row.roles)


def _split_roles(
    split: TaxSplit, tax: Role, *, of_total: bool = False
) -> tuple[tuple[int | None, Role], ...]:
    """The roles of a split's amounts, by index. of_total: the row is the total's, with the tax in it."""
    return (split.net, "net"), (split.tax, tax), (split.gross, "total" if of_total else "gross")


def _side_by_side(
    row: AmountRow, amounts: Sequence[AmountReading], known: Sequence[Decimal]
) -> tuple[TaxSplit, ...]:
    """The splits of a row with two or more rates, each followed by its own amounts: "7% 4,53 0,32
    19% 2,86 0,54". Empty if the equation of one of them does not hold."""
    starts = [percent.start for percent in row.percents]
    if len(starts) < _RATES_BESIDE or not amounts or amounts[0].start < starts[0]:
        return ()
    found: list[TaxSplit] = []
    for percent, end in zip(row.percents, [*starts[1:], len(row.text)], strict=True):
        own = [at for at, amount in enumerate(amounts) if percent.start < amount.start < end]
        split = split_tax([amounts[at].value for at in own], [percent], known, named=True)
        if split is None or split.net is None:
            return ()
        gross = None if split.gross is None else own[split.gross]
        found.append(TaxSplit(split.rate, own[split.net], own[split.tax], gross))
    return tuple(found)


def _taxes_alone(
    rows: Sequence[AmountRow], line: int, amounts: Sequence[AmountReading]
) -> tuple[TaxSplit, ...]:
    """The taxes of a row that has only two or more rates, each followed by its tax ("10% 4,06 20% 2,28"), if
    the gross amounts that they imply add up to a total above."""
    percents = rows[line].percents
    places = [place for pair in zip(percents, amounts, strict=False) for place in pair]
    if not _RATES_BESIDE <= len(percents) == len(amounts):
        return ()
    if any(above.start > below.start for above, below in pairwise(places)) or not all(
        p.value for p in percents
    ):
        return ()
    shares = [(100 + percent.value) / percent.value for percent in percents]
    contained = sum((amount.value * share for amount, share in zip(amounts, shares, strict=True)), ZERO)
    totals = (a.value for row in rows[:line] if row.names_total for a in row.likely)
    if all(abs(total - contained) > sum(shares, ZERO) * _HALF_CENT for total in totals):
        return ()
    return tuple(TaxSplit(percent.value, None, at, None) for at, percent in enumerate(percents))


def _sum_of_products(
    rows: Sequence[AmountRow], zones: Sequence[Zone]
) -> tuple[tuple[TaxRow, ...], TableRoles]:
    """The row below the products that adds up their net, tax and gross columns, as invoices print it: its
    last three amounts are the sums of the products' last three, and net + tax = gross. Or its only two are
    that of net amounts and the tax, and a total below adds these up."""
    columns = [ZERO, ZERO, ZERO]
    pair = _sum_of_pairs(rows, zones)
    if pair is not None:
        return pair
    for line, (row, zone) in enumerate(zip(rows, zones, strict=True)):
        amounts = tax_amounts(row)[-3:]
        values = [a.value for a in amounts]
        if len(values) < len(columns) or values != columns:
            if zone == "items" and len(values) == len(columns):
                columns = [sum(pair, ZERO) for pair in zip(columns, values, strict=True)]
            continue
        net, tax, gross = values
        if net + tax == gross and 0 < 2 * tax < net:
            named: tuple[Role, Role, Role] = ("net", "total_tax", "gross")
            roles = {(line, amount.start): role for amount, role in zip(amounts, named, strict=True)}
            return (TaxRow(line, None, net, tax, gross, is_sum=True),), roles
    return (), {}


def _sum_of_pairs(
    rows: Sequence[AmountRow], zones: Sequence[Zone]
) -> tuple[tuple[TaxRow, ...], TableRoles] | None:
    """The row whose only two amounts are the sum of the products and the tax that a total below adds."""
    sold = ZERO
    for line, (row, zone) in enumerate(zip(rows, zones, strict=True)):
        amounts = tax_amounts(row)
        net, tax = (a.value for a in amounts) if len(amounts) == _PAIR else (ZERO, ZERO)
        if zone == "summary" and net == sold and 0 < 2 * tax < net and not _is_tax_line(row):
            sums = (a.value for below in rows[line + 1 :] if below.names_total for a in below.likely)
            if net + tax in sums:
                roles: TableRoles = {(line, amounts[0].start): "net", (line, amounts[1].start): "total_tax"}
                return (TaxRow(line, None, net, tax, None, is_sum=True),), roles
        if zone == "items" and row.amount is not None:
            sold += row.amount.value
    return None


def _names_each(row: AmountRow, amounts: Sequence[AmountReading]) -> bool:
    """Whether a different tax's name stands before each amount ("IVA 4.45 IEPS 2.38"), or a tax's and then
    the total's, as two columns of the totals block print them ("TAX 1.63  TOTAL 21.63")."""
    names: list[str] = []
    start = 0
    if _names_tax_and_total(row, amounts):
        return True
    if len(row.percents) == 1 and len(amounts) == _PAIR:
        return False  # one rate for a base and its tax: "IVA 13% Inc. 4,60  IVA 0,60"
    for amount in amounts:
        names += [m.phrase for m in row.roles if m.role == "tax" and start <= m.start < amount.start][-1:]
        start = amount.end
    others = says(row.roles, ["net", "gross"], LIKELY)
    return not others and len(set(names)) == len(amounts)


def _names_tax_and_total(row: AmountRow, amounts: Sequence[AmountReading]) -> bool:
    """Whether a row without a rate has two amounts, one behind the name of a tax, one behind the total's."""
    if row.percents or len(amounts) != _PAIR:
        return False
    sure = [m for m in row.roles if m.weight >= SURE]
    first = {m.role for m in sure if m.end <= amounts[0].start}
    second = {m.role for m in sure if amounts[0].end <= m.start and m.end <= amounts[1].start}
    return "tax" in first and "total" in second


def _tax_row(split: TaxSplit, line: int, values: Sequence[Decimal], row: AmountRow) -> TaxRow:
    first = row.text.split()[0].rstrip("=:)*.")
    return TaxRow(
        line=line,
        rate=split.rate,
        net=None if split.net is None else values[split.net],
        tax=values[split.tax],
        gross=None if split.gross is None else values[split.gross],
        code=first.upper() if len(first) <= 2 and first[:1].isalpha() else None,
    )


def _half_rows(split: SplitInHalves, line: int, values: Sequence[Decimal]) -> tuple[TaxRow, TaxRow]:
    """One tax row for each half; only the first has the net amount."""
    (tax, other), is_sum = (values[at] for at in split.halves), split.rate is None
    first = TaxRow(line, split.rate, values[split.net], tax, None, is_sum=is_sum)
    return first, TaxRow(line, split.rate, None, other, None, is_sum=is_sum)


def _half_roles(split: SplitInHalves) -> tuple[tuple[int | None, Role], ...]:
    """The roles of the row's amounts, by index."""
    tax: Role = "tax" if split.rate is not None else "total_tax"
    first, second = split.halves
    return (split.net, "net"), (first, tax), (second, tax), (split.gross, "gross")


def relabel(entries: Sequence[Entry], roles: TableRoles) -> tuple[Entry, ...]:
    """The entries with the roles from the table; other amounts on its rows lose their roles."""
    table_rows = {line for line, _ in roles}
    result = []
    for entry in entries:
        if entry.line not in table_rows:
            result.append(entry)
            continue
        role = roles.get((entry.line, entry.amount.start))
        result.append(replace(entry, roles=((role, _BY_ARITHMETIC),) if role else ()))
    return tuple(result)


def _is_tax_line(row: AmountRow) -> bool:
    return says(row.roles, TAXES | {"net", "gross"}, LIKELY)


def _is_total_with_tax(row: AmountRow, region: Region) -> bool:
    """Whether the words for a total name the tax in it: "TOTAL INCL GST"."""
    names = [squeeze(name) for name in region.tax.names]
    totals = [m.phrase for m in row.roles if m.role == "total" and m.weight >= LIKELY]
    return any(name in total for total in totals for name in names)


def _split_sum(values: Sequence[Decimal], before: Sequence[TaxRow], printed: AmountRow) -> TaxSplit | None:
    """The split of a last row without a rate that adds up the columns above it, whatever its label."""
    parts = [row for row in before if not row.is_sum]
    if not parts or printed.percents or before[-1].is_sum:
        return None
    tax = sum((row.tax for row in parts), ZERO)
    found: dict[str, int] = {}
    for name, column in (("net", [r.net for r in parts]), ("gross", [r.gross for r in parts])):
        known = [value for value in column if value is not None]
        total = sum(known, ZERO)
        if len(known) == len(parts) and total != tax and total in values:
            found[name] = values.index(total)
    if not tax or tax not in values or not found:
        return None
    return TaxSplit(None, found.get("net"), values.index(tax), found.get("gross"))


def _untaxed(values: Sequence[Decimal], printed: AmountRow, *, follows: bool) -> TaxSplit | None:
    """The split of a row right below another of the table, if it has only a net amount and a tax of zero: its
    rate of zero was read as a letter."""
    plain = follows and not printed.percents and len(values) == _PAIR
    return TaxSplit(ZERO, 0, 1, None) if plain and values[0] > 0 == values[1] else None


def _is_sum(row: TaxRow, parts: Sequence[TaxRow], printed: AmountRow) -> bool:
    """Whether the row adds up the rows above it; a single row repeated without a rate also counts."""
    if not parts or printed.percents:
        return False
    same_tax = sum((r.tax for r in parts), ZERO) == row.tax
    nets = [r.net for r in parts if r.net is not None]
    same_net = row.net is None or (len(nets) == len(parts) and sum(nets, ZERO) == row.net)
    return same_tax and same_net
