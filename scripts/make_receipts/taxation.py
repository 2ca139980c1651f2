"""Determines the taxes of a sale: from the country's schemes, or in a simple way from its region data."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from receipt_engine.region import Region
from scripts.make_receipts.dice import Dice
from scripts.make_receipts.ledger import Levy
from scripts.make_receipts.vocabulary import Country, Scheme, alternatives


@dataclass(frozen=True, slots=True)
class Taxation:
    """levies: code → taxes. groups: product group → code. show: "table", "lines", "prose", "sum", "none"."""

    inclusive: bool
    levies: Mapping[str, tuple[Levy, ...]]
    groups: Mapping[str, str]
    show: str

    def code_of(self, group: str) -> str:
        """The tax code of a product group; "" for untaxed."""
        return self.groups.get(group, self.groups.get("*", ""))

    @property
    def standard(self) -> str:
        return self.groups.get("*", "")


def choose_taxation(
    kind: str,
    state: str | None,
    day: datetime.date,
    region: Region,
    country: Country,
    language: str,
    dice: Dice,
) -> Taxation:
    """The taxes of one sale under the law in force that day."""
    if not country.languages:
        return _from_region(day, region, dice)
    fitting = [scheme for scheme in country.tax if _fits(scheme, kind, state, day)]
    if not fitting:
        return Taxation(True, {}, {}, "none")
    # Schemes that name the state or the kind take precedence; among equal ones the choice is random.
    best = max(map(_closeness, fitting))
    scheme = dice.pick([scheme for scheme in fitting if _closeness(scheme) == best])
    names = [name.rpartition(":") for name in alternatives(scheme.names)]
    name = dice.pick([name for spoken, _, name in names if spoken in ("", language)])
    levies = {code: _levies(text, name) for code, text in scheme.levies.items()}
    show = dice.weighted(scheme.show)
    if not scheme.inclusive and show == "none":
        show = "lines"
    return Taxation(scheme.inclusive, levies, scheme.groups, show)


def _fits(scheme: Scheme, kind: str, state: str | None, day: datetime.date) -> bool:
    kinds, states = scheme.kinds.split(), alternatives(scheme.states)
    return (
        (not kinds or kind in kinds)
        and (not states or state in states)
        and (scheme.since is None or day >= scheme.since)
        and (scheme.until is None or day <= scheme.until)
    )


def _closeness(scheme: Scheme) -> int:
    return 2 * bool(scheme.states) + bool(scheme.kinds)


def _levies(text: str, name: str) -> tuple[Levy, ...]:
    levies = []
    for part in text.split("+"):
        own, _, rate = part.strip().rpartition(" ")
        levies.append(Levy(name if own == "*" else own, Decimal(rate)))
    return tuple(levies)


def _from_region(day: datetime.date, region: Region, dice: Dice) -> Taxation:
    """The two highest rates in force: the lower one for food, the higher one for the rest."""
    rates = sorted(
        {
            Decimal(rate.rate)
            for rate in region.tax.rates
            if (rate.since is None or rate.since <= day) and (rate.until is None or day <= rate.until)
        },
        reverse=True,
    )
    rates = [rate for rate in rates if rate > 0][:2]
    if not rates or not region.tax.names:
        return Taxation(True, {}, {}, "none")
    name = region.tax.names[0]
    levies = {chr(ord("A") + at): (Levy(name, rate),) for at, rate in enumerate(rates)}
    reduced = "B" if len(rates) > 1 else "A"
    inclusive = region.tax.inclusive == "yes" or (region.tax.inclusive == "both" and dice.chance(0.5))
    groups = {"*": "A", "food": reduced, "produce": reduced}
    return Taxation(inclusive, levies, groups, dice.pick(("table", "lines")))
