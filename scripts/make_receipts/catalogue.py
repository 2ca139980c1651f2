"""Provides a business's products and their prices."""

from __future__ import annotations

from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal

from receipt_engine.region import Region
from scripts.make_receipts.dice import Dice
from scripts.make_receipts.errors import DrawingError
from scripts.make_receipts.ledger import Entry, to_step
from scripts.make_receipts.vocabulary import Country, Good, Tongue, alternatives, goods, load_tongue

#: Groups whose prices are already in the country's currency.
LOCAL = frozenset({"deposit"})

CodeOf = Callable[[str], str]


def country_quantum(region: Region, country: Country) -> Decimal:
    """The smallest amount that tills calculate with."""
    return Decimal(country.quantum or Decimal(1).scaleb(-region.currency.decimals))


class Catalogue:
    """The products of one receipt; none is sold on two lines unless intended."""

    def __init__(self, region: Region, country: Country, tongue: Tongue, dice: Dice):
        self.country = country
        self.quantum = country_quantum(region, country)
        self._goods = goods(tongue, country)
        if not tongue.goods:
            english = load_tongue("en")
            self._goods = {**(goods(english, country) if english else {}), **self._goods}
        self._dice = dice
        self.variety = ""
        self._sold: set[str] = set()
        self._sku = dice.pick(("####", "#####", "######", "@####", "#########", "ean"))

    def has(self, group: str) -> bool:
        """Whether there is anything in the group."""
        return bool(self._goods.get(group))

    def good(self, *groups: str) -> Good:
        """A product of one of the groups, one not sold yet if possible."""
        every = [good for group in groups for good in self._goods.get(group, ())]
        if not every:
            raise DrawingError(f"No goods in {', '.join(groups)}; add them to data/languages.")
        fresh = [good for good in every if good.name not in self._sold] or every
        chosen = self._dice.pick(fresh)
        self._sold.add(chosen.name)
        return chosen

    def price(self, good: Good) -> Decimal:
        """A shop's price for it, in the country's currency, never zero."""
        share = Decimal(str(round(self._dice.real(0, 1), 3)))
        base = good.low + (good.high - good.low) * share
        if good.group in LOCAL:
            return to_step(base, self.quantum)
        return self.rounded(base * Decimal(str(self.country.price)))

    def rounded(self, value: Decimal) -> Decimal:
        """A value as shops price it: a multiple of the step, often with a typical ending."""
        step = Decimal(self.country.steps)
        price = max(step, to_step(value, step))
        endings = alternatives(self.country.endings)
        if endings and self._dice.chance(0.65):
            ending = self._dice.pick(endings)
            # Where prices are whole, so are their endings.
            price = _ending(price, ending, max(self.quantum, min(step, Decimal(1)))) or price
        return price.quantize(self.quantum)

    def entry(self, good: Good, code_of: CodeOf, *, quantity: int | None = None) -> Entry:
        """A line for a product: measured when it is sold by weight or volume, else counted."""
        price = self.price(good)
        code = code_of(good.group)
        if good.unit:
            places = Decimal("0.001") if self._dice.chance(0.7) else Decimal("0.01")
            low, high = ("0.1", "2.4") if good.unit == self.country.weight_unit else ("1", "9")
            measure = self._dice.decimal(Decimal(low), Decimal(high), places)
            total = self.product(measure, price)
            return Entry(good.name, code, total, measure=measure, unit=good.unit, price=price)
        count = Decimal(quantity or self._dice.weighted({1: 12, 2: 4, 3: 2, 4: 1, 6: 0.6, 10: 0.2}))
        return Entry(good.name, code, count * price, quantity=count, price=price, sku=self._article())

    def product(self, measure: Decimal, price: Decimal) -> Decimal:
        """measure × price as tills round it."""
        return (measure * price).quantize(self.quantum, rounding=ROUND_HALF_UP)

    def _article(self) -> str:
        if self._sku == "ean":
            body = self._dice.digits("############")
            weighted = sum(int(d) * (3 if i % 2 else 1) for i, d in enumerate(body))
            return body + str(-weighted % 10)
        return self._dice.digits(self._sku)


def _ending(price: Decimal, ending: str, quantum: Decimal) -> Decimal | None:
    """`price` with other last digits; None when that would change it by more than half."""
    unit = quantum * 10 ** len(ending)
    changed = price - price % unit + Decimal(ending) * quantum
    return changed if changed > 0 and abs(changed - price) <= price / 2 else None
