"""Sheets written on one line: `4.00; 5.00; subtotal 9.00; tax@8 0.72; total 9.72`, parts in printed order.

An amount alone is a product, one behind a role an entry. A role may carry how surely its words say so
(`total~0.6`), another one (`total|subtotal~0.5`), its words (`tax"IVA"`), what its reading costs (`total!2`)
and a percentage (`tax@10`); `?` is an amount without a role. 9.72/9.12 has a second reading, $9.72 a
currency. Before a role, `+` says that it stands on the row of the part before, `^` among the products.
`table@19 net/tax/gross` is a row of a tax table, `tablesum` its last one; `code 9.72` a total that a fiscal
code tells, `lost total` a row whose amount was not read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from decimal import Decimal

from msgspec.structs import replace

from receipt_engine.document import Entry, FiscalCode, Item, Ledger, RoleMatch, Sheet, TaxRow, Zone
from receipt_engine.region import load_region
from receipt_engine.stages.reconcile import reconcile
from tests.unit.stages.reconcile.sheets import product, row

_ENTRY = re.compile(
    r"(?P<beside>\+?)(?P<inside>\^?)(?P<roles>[a-z_?|~\d.]+?)"
    r'(?:"(?P<words>[^"]*)")?(?:!(?P<cost>[\d.]+))?(?:@(?P<percent>[\d.]+))?'
)


@dataclass
class _Written:
    zones: list[Zone] = field(default_factory=list)
    roles: list[tuple[RoleMatch, ...]] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    table: list[TaxRow] = field(default_factory=list)
    codes: list[FiscalCode] = field(default_factory=list)

    def add(self, part: str) -> None:
        words, _, printed = part.rpartition(" ")
        if not words.startswith("+"):
            self.zones.append("summary" if words and "^" not in words else "items")
            self.roles.append((RoleMatch("total", 1.0, "total", 0, 5),) if words == "lost" else ())
        line = len(self.zones) - 1
        if not words:
            self.items.append(product(line, *printed.split("/")))
        elif words == "code":
            self.codes.append(FiscalCode("code", total=Decimal(printed)))
        elif words.startswith("table"):
            self.table.append(_table_row(line, words, printed))
        elif words != "lost":
            self._add_entry(line, words, printed.split("/"))

    def _add_entry(self, line: int, words: str, values: list[str]) -> None:
        match = _ENTRY.fullmatch(words)
        assert match is not None, words
        beside = sum(e.line == line for e in self.entries)
        if beside:
            self.entries[-1] = replace(self.entries[-1], last=False)
        claims = [role.partition("~")[::2] for role in match["roles"].split("|") if role != "?"]
        plain = [value.removeprefix("$") for value in values]
        one = row(
            line,
            None,
            *plain,
            zone="items" if match["inside"] else "summary",
            cost=float(match["cost"] or 0.0),
            percent=match["percent"],
            currency="USD" if plain != values else None,
            label=claims[0][0] if claims and match["words"] is None else match["words"],
        )
        amount = replace(one.amount, start=one.amount.start + 20 * beside, end=one.amount.end + 20 * beside)
        roles = tuple((role, float(weight or 1.0)) for role, weight in claims)
        self.entries.append(replace(one, amount=amount, roles=roles))  # type: ignore[arg-type]


def _table_row(line: int, words: str, values: str) -> TaxRow:
    net, tax, gross = (None if value == "-" else Decimal(value) for value in values.split("/"))
    assert tax is not None
    rate = words.partition("@")[2]
    return TaxRow(line, Decimal(rate) if rate else None, net, tax, gross, is_sum=words == "tablesum")


def ledger(text: str, country: str) -> Ledger:
    """What becomes of a written sheet under the rules of a country."""
    written = _Written()
    for part in text.split("; "):
        written.add(part)
    sheet = Sheet(
        tuple(written.zones),
        tuple(written.roles),
        tuple(written.items),
        tuple(written.entries),
        tuple(written.table),
    )
    return reconcile(sheet, load_region(country), written.codes)
