"""Models one sale: merchant, line items, time and payment. Kinds differ in baskets and facts."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from decimal import ROUND_CEILING, Decimal

from receipt_engine.region import Region
from scripts.make_receipts import baskets
from scripts.make_receipts.baskets import Basket
from scripts.make_receipts.catalogue import Catalogue, country_quantum
from scripts.make_receipts.dice import Dice
from scripts.make_receipts.ledger import ZERO, Discount, Ledger, Terms, settle, to_step
from scripts.make_receipts.merchant import Merchant, invent_merchant
from scripts.make_receipts.speech import Speech
from scripts.make_receipts.taxation import Taxation, choose_taxation
from scripts.make_receipts.vocabulary import Country, Tongue, alternatives

KINDS = ("supermarket", "restaurant", "fuel", "pharmacy", "transport", "return", "invoice")
_BASKETS: dict[str, Callable[[Catalogue, Speech, Taxation, Dice], Basket]] = {
    "supermarket": baskets.supermarket,
    "restaurant": baskets.restaurant,
    "fuel": baskets.fuel,
    "pharmacy": baskets.pharmacy,
    "transport": baskets.transport,
    "return": baskets.returned,
    "invoice": baskets.invoice,
}


@dataclass(frozen=True, slots=True)
class Tender:
    """Part of the payment. kind: "cash", "card" or "wallet"; scheme: a card's or wallet's name."""

    kind: str
    amount: Decimal
    scheme: str = ""
    last_four: str = ""


@dataclass(frozen=True, slots=True)
class Sale:
    """All facts of the sale, independent of how they are printed."""

    kind: str
    merchant: Merchant
    moment: datetime.datetime
    basket: Basket
    taxation: Taxation
    ledger: Ledger
    tenders: tuple[Tender, ...]
    change: Decimal | None
    facts: dict[str, str] = field(default_factory=dict)

    @property
    def cash(self) -> Decimal | None:
        """Cash tendered."""
        return next((tender.amount for tender in self.tenders if tender.kind == "cash"), None)


def make_sale(
    kind: str, region: Region, country: Country, tongue: Tongue, speech: Speech, dice: Dice
) -> Sale:
    """A sale of one of KINDS."""
    moment = _moment(kind, country, dice)
    # The merchant's kind is known only with the basket (a hotel's invoice, a taxi's fare) and the taxes only
    # with the merchant's state, so the variety and the merchant come first.
    variety = baskets.variety(kind, dice)
    merchant = invent_merchant(variety, region, country, tongue, dice)
    taxation = choose_taxation(kind, merchant.place.state, moment.date(), region, country, tongue.code, dice)
    catalogue = Catalogue(region, country, tongue, dice)
    catalogue.variety = variety
    basket = _BASKETS[kind](catalogue, speech, taxation, dice)
    by_cash = dice.chance({"invoice": 0.12, "return": 0.1, "fuel": 0.3}.get(kind, 0.42))
    terms = _terms(kind, moment.date(), taxation, by_cash, region, country, dice)
    discounts = _discounts(kind, basket, catalogue, dice)
    ledger = settle(basket.entries, terms, discounts)
    ledger = _with_tip(ledger, kind, by_cash, country, terms, dice)
    tenders, change = _tenders(ledger, by_cash, region, country, dice)
    return Sale(kind, merchant, moment, basket, taxation, ledger, tenders, change, dict(basket.facts))


def _moment(kind: str, country: Country, dice: Dice) -> datetime.datetime:
    days = (country.until - country.since).days
    day = country.since + datetime.timedelta(days=dice.whole(0, days))
    hour = dice.whole(11, 22) if kind == "restaurant" else dice.whole(6, 22)
    return datetime.datetime(day.year, day.month, day.day, hour, dice.whole(0, 59), dice.whole(0, 59))


def _terms(
    kind: str,
    day: datetime.date,
    taxation: Taxation,
    by_cash: bool,
    region: Region,
    country: Country,
    dice: Dice,
) -> Terms:
    step = ZERO
    if by_cash and kind != "return":
        laws = [
            law
            for law in region.rounding
            if (law.since is None or law.since <= day) and (law.until is None or day <= law.until)
        ]
        step = Decimal(laws[0].step) if laws else ZERO
    service = country.service
    rate = ZERO
    if service and kind in service.kinds.split() and dice.chance(service.chance):
        rate = Decimal(dice.pick(alternatives(service.rates)))
    return Terms(
        quantum=country_quantum(region, country),
        inclusive=taxation.inclusive,
        levies=taxation.levies,
        standard=taxation.code_of("meal"),
        service_rate=rate,
        service_taxed=bool(service and service.taxed),
        floor=country.floor_taxes,
        cash_step=step,
    )


def _discounts(kind: str, basket: Basket, catalogue: Catalogue, dice: Dice) -> tuple[Discount, ...]:
    """An occasional discount on the whole bill; never on fares, fuel or refunds."""
    chances = {"supermarket": 0.15, "restaurant": 0.12, "pharmacy": 0.15, "invoice": 0.15}
    goods = sum((entry.total for entry in basket.entries), ZERO)
    if not dice.chance(chances.get(kind, 0)) or goods <= 0:
        return ()
    if dice.chance(0.6):
        percent = Decimal(dice.pick((5, 10, 12, 15, 20)))
        return (Discount(to_step(goods * percent / 100, catalogue.quantum), percent),)
    amount = catalogue.rounded(goods * Decimal(dice.pick(("0.05", "0.08", "0.12"))))
    return (Discount(amount),) if 0 < amount < goods / 2 else ()


def _with_tip(ledger: Ledger, kind: str, by_cash: bool, country: Country, terms: Terms, dice: Dice) -> Ledger:
    """Adds a printed tip where guests leave one on the card."""
    chance = {"us": 0.45, "some": 0.12}.get(country.tip, 0.0)
    if kind != "restaurant" or by_cash or ledger.service or not dice.chance(chance):
        return ledger
    percent = Decimal(dice.pick((10, 15, 18, 20)))
    # Guests write round amounts.
    step = terms.quantum * dice.pick((1, 10, 50, 100))
    tip = max(step, to_step(ledger.payable * percent / 100, step))
    return replace(ledger, tip=tip, total=ledger.payable + tip)


def _tenders(
    ledger: Ledger, by_cash: bool, region: Region, country: Country, dice: Dice
) -> tuple[tuple[Tender, ...], Decimal | None]:
    total = ledger.total
    if by_cash and total > 0:
        given = tendered(total, region, dice)
        return (Tender("cash", given),), given - total
    wallets = alternatives(country.wallets)
    if wallets and dice.chance(0.35):
        return (Tender("wallet", total, dice.pick(wallets)),), None
    scheme = dice.pick(alternatives(country.cards))
    return (Tender("card", total, scheme, dice.digits("####")),), None


def tendered(total: Decimal, region: Region, dice: Dice) -> Decimal:
    """The amount a customer hands over: the exact sum, or the next round amount payable in notes."""
    if dice.chance(0.15):
        return total
    magnitude = Decimal(10) ** (total.adjusted() - dice.pick((0, 0, 1)))
    notes = [magnitude * factor for factor in (1, 1, 2, 5)]
    note = dice.pick(notes)
    given = (total / note).to_integral_value(rounding=ROUND_CEILING) * note
    return given.quantize(Decimal(1).scaleb(-region.currency.decimals))
