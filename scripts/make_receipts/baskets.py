"""Composes the purchases of each kind of receipt, with further facts that such receipts print."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from decimal import Decimal

from scripts.make_receipts.catalogue import Catalogue
from scripts.make_receipts.dice import Dice
from scripts.make_receipts.ledger import ZERO, Entry, to_step
from scripts.make_receipts.speech import Speech
from scripts.make_receipts.taxation import Taxation
from scripts.make_receipts.vocabulary import alternatives


@dataclass(frozen=True, slots=True)
class Basket:
    """entries: top to bottom. variety: kind of business. facts: values that may be printed."""

    entries: tuple[Entry, ...]
    variety: str
    facts: dict[str, str] = field(default_factory=dict)


def variety(kind: str, dice: Dice) -> str:
    """The kind of business behind a kind of receipt, as `Tongue.names` lists them."""
    choices = {
        "transport": {"taxi": 2.0, "parking": 2.0, "ticket": 2.0},
        "return": {"clothes": 1.0},
        "invoice": {"hotel": 1.0, "trade": 2.0},
    }
    return dice.weighted(choices.get(kind, {kind: 1.0}))


def supermarket(catalogue: Catalogue, speech: Speech, taxation: Taxation, dice: Dice) -> Basket:
    """Mixed shopping with weighed products, deposits, promotions and an occasional void."""
    entries: list[Entry] = []
    weights = {"food": 6.0, "produce": 2.5, "drink": 2.0, "alcohol": 0.7, "household": 1.5}
    weights = {group: weight for group, weight in weights.items() if catalogue.has(group)}
    count = dice.weighted({dice.whole(1, 4): 2, dice.whole(4, 9): 5, dice.whole(9, 16): 2, 26: 0.15})
    for _ in range(count):
        group = dice.weighted(weights)
        entry = catalogue.entry(catalogue.good(group), taxation.code_of)
        entries.append(entry)
        if group == "drink" and catalogue.has("deposit") and dice.chance(0.6):
            entries.append(_deposit(entry, catalogue, taxation, dice))
        if entry.total > 0 and dice.chance(0.1):
            entries.append(_promotion(entry, catalogue, speech, dice))
    if dice.chance(0.07):
        at = dice.whole(0, len(entries) - 1)
        if entries[at].kind == "product":
            entries.insert(at + 1, _void(entries[at]))
    return Basket(_positive(entries, catalogue, taxation), "supermarket")


def restaurant(catalogue: Catalogue, speech: Speech, taxation: Taxation, dice: Dice) -> Basket:
    """Dishes and drinks, several of each."""
    entries = []
    counts = {1: 8, 2: 4, 3: 1, 4: 0.7}
    for _ in range(dice.whole(1, 6)):
        good = catalogue.good("meal")
        entries.append(catalogue.entry(good, taxation.code_of, quantity=dice.weighted(counts)))
    for _ in range(dice.whole(0, 4)):
        groups = [group for group in ("beverage", "beverage", "beer") if catalogue.has(group)]
        good = catalogue.good(dice.pick(groups))
        entries.append(catalogue.entry(good, taxation.code_of, quantity=dice.weighted(counts)))
    facts = {"table": str(dice.whole(1, 48)), "guests": str(dice.whole(1, 8))}
    return Basket(tuple(entries), "restaurant", facts)


def fuel(catalogue: Catalogue, speech: Speech, taxation: Taxation, dice: Dice) -> Basket:
    """One filling, sometimes something from the shop."""
    country = catalogue.country
    fillings = alternatives(country.fuel) or ("Super 95 ; 1.5 ; 1.9",)
    name, low, high = (part.strip() for part in dice.pick(fillings).split(";"))
    quantum = catalogue.quantum * Decimal("0.1") if country.fuel_decimals == 3 else catalogue.quantum
    price = dice.decimal(Decimal(low), Decimal(high), quantum)
    places = dice.pick((Decimal("0.01"), Decimal("0.001")))
    most = Decimal(16 if "gal" in country.fuel_unit.lower() else 58)
    volume = dice.decimal(Decimal("3.5"), most, places)
    total = catalogue.product(volume, price)
    entries = [
        Entry(name, taxation.code_of("fuel"), total, measure=volume, unit=country.fuel_unit, price=price)
    ]
    if catalogue.has("station") and dice.chance(0.35):
        for _ in range(dice.pick((1, 1, 2))):
            entries.append(catalogue.entry(catalogue.good("station"), taxation.code_of))
    facts = {
        "pump": f"{dice.whole(1, 16):0{dice.pick((1, 2))}d}",
        "plate": dice.digits(dice.pick(alternatives(country.plates))),
        "odometer": dice.digits("1#####"),
    }
    return Basket(tuple(entries), "fuel", facts)


def pharmacy(catalogue: Catalogue, speech: Speech, taxation: Taxation, dice: Dice) -> Basket:
    """Medicines with batch and expiry, and other products."""
    entries = []
    batches = dice.chance(0.35)
    for _ in range(dice.whole(1, 6)):
        good = catalogue.good("medicine" if dice.chance(0.65) else "care")
        entry = catalogue.entry(good, taxation.code_of)
        if batches and good.group == "medicine":
            expiry = f"{dice.whole(1, 12):02d}/{dice.pick((2026, 2027, 26, 27, 28))}"
            words = speech.say("batch") or "LOT", speech.say("expires") or "EXP"
            note = f"{words[0]} {dice.digits('@####')} {words[1]} {expiry}"
            entry = replace(entry, notes=(note,))
        entries.append(entry)
    return Basket(tuple(entries), "pharmacy")


def transport(catalogue: Catalogue, speech: Speech, taxation: Taxation, dice: Dice) -> Basket:
    """A taxi ride, a car park or tickets."""
    plate = dice.digits(dice.pick(alternatives(catalogue.country.plates)))
    minutes = dice.whole(8, 55) if catalogue.variety == "taxi" else dice.whole(25, 640)
    facts = {"plate": plate, "minutes": str(minutes)}
    if catalogue.variety == "taxi":
        fares = [catalogue.good("taxi")]
        fares += [catalogue.good("taxi_extra") for _ in range(dice.whole(0, 3))]
        entries = [replace(catalogue.entry(g, taxation.code_of, quantity=1), quantity=None) for g in fares]
        entries = [replace(entry, price=None, sku=None) for entry in entries]
        facts["km"] = str(dice.decimal(Decimal(2), Decimal(38), Decimal("0.1")))
    elif catalogue.variety == "parking":
        entry = catalogue.entry(catalogue.good("parking"), taxation.code_of, quantity=1)
        entries = [replace(entry, quantity=None, price=None, sku=None)]
        if dice.chance(0.35):
            hours = Decimal(-(-minutes // 60))
            price = entry.price or ZERO
            entries = [replace(entry, quantity=hours, total=price * hours, sku=None)]
    else:
        entries = [
            replace(catalogue.entry(catalogue.good("ticket"), taxation.code_of), sku=None)
            for _ in range(dice.pick((1, 1, 2)))
        ]
    return Basket(tuple(entries), catalogue.variety, facts)


def returned(catalogue: Catalogue, speech: Speech, taxation: Taxation, dice: Dice) -> Basket:
    """Clothes returned for a refund, or exchanged for dearer or cheaper ones."""
    back = []
    for _ in range(dice.whole(1, 2)):
        entry = catalogue.entry(catalogue.good("clothes"), taxation.code_of, quantity=dice.pick((1, 1, 2)))
        back.append(
            replace(entry, total=-entry.total, quantity=-(entry.quantity or Decimal(1)), kind="returned")
        )
    entries: list[Entry] = list(back)
    if dice.chance(0.5):
        new = [
            catalogue.entry(catalogue.good("clothes"), taxation.code_of, quantity=1)
            for _ in range(dice.whole(1, 3))
        ]
        entries = back + new if dice.chance(0.6) else new + back
        if sum((entry.total for entry in entries), ZERO) <= 0:
            entries = list(back)
    return Basket(tuple(entries), "clothes")


def invoice(catalogue: Catalogue, speech: Speech, taxation: Taxation, dice: Dice) -> Basket:
    """A hotel's folio, or a tradesman's products and services."""
    if catalogue.variety == "hotel":
        nights = dice.whole(1, 5)
        entries = [
            catalogue.entry(catalogue.good("room"), taxation.code_of, quantity=nights),
            *(
                catalogue.entry(catalogue.good("hotel"), taxation.code_of, quantity=dice.pick((1, 1, 2)))
                for _ in range(dice.whole(0, 4))
            ),
        ]
        facts = {"room": str(dice.whole(101, 612)), "nights": str(nights)}
    else:
        entries = [
            catalogue.entry(
                catalogue.good("trade"), taxation.code_of, quantity=dice.pick((1, 1, 2, 3, 5, 12))
            )
            for _ in range(dice.whole(1, 6))
        ]
        facts = {}
    return Basket(tuple(entries), catalogue.variety, facts)


def _deposit(entry: Entry, catalogue: Catalogue, taxation: Taxation, dice: Dice) -> Entry:
    good = catalogue.good("deposit")
    price = catalogue.price(good)
    count = entry.quantity or Decimal(1)
    return Entry(good.name, taxation.code_of(good.group), count * price, quantity=count, price=price)


def _promotion(entry: Entry, catalogue: Catalogue, speech: Speech, dice: Dice) -> Entry:
    """A discount printed below an item."""
    percent = dice.pick((10, 15, 20, 25, 30, 50))
    amount = to_step(entry.total * percent / 100, catalogue.quantum)
    name = speech.fresh("promo") or speech.say("discount")
    if dice.chance(0.5):
        name = f"{name} {percent}%"
    return Entry(name, entry.code, -max(amount, catalogue.quantum), kind="discount")


def _void(entry: Entry) -> Entry:
    quantity = -entry.quantity if entry.quantity is not None else None
    measure = -entry.measure if entry.measure is not None else None
    return replace(entry, total=-entry.total, quantity=quantity, measure=measure, kind="void", notes=())


def _positive(entries: list[Entry], catalogue: Catalogue, taxation: Taxation) -> tuple[Entry, ...]:
    """The basket, with one more item when a void left nothing to pay."""
    if sum((entry.total for entry in entries), ZERO) > 0:
        return tuple(entries)
    return (*entries, catalogue.entry(catalogue.good("food"), taxation.code_of, quantity=1))
