"""Prints details of particular kinds of receipts: pumps, trips, customers, returns."""

from __future__ import annotations

import datetime
from decimal import Decimal

from scripts.make_receipts.cells import amount_text, price_text, quantity_text
from scripts.make_receipts.merchant import invent_place, person
from scripts.make_receipts.press import Press
from scripts.make_receipts.tape import columns


def print_title(press: Press) -> None:
    """Prints the document's title: receipt, invoice or refund."""
    kind, dice = press.sale.kind, press.dice
    purpose = {"invoice": "invoice_title", "return": "refund_title"}.get(kind, "receipt_title")
    if kind in ("invoice", "return") or dice.chance(0.25):
        text = press.say(purpose)
        if text:
            press.tape.line(text, f"center {dice.pick(('bold', '', 'tall bold', 'invert'))}".strip())


def print_facts(press: Press) -> None:
    """Prints the facts of the kind, above the line items."""
    printer = {"fuel": _pump, "taxi": _trip, "parking": _stay, "ticket": _ticket, "clothes": _original}
    variety = press.sale.basket.variety
    if variety in printer:
        printer[variety](press)
    if press.sale.kind == "invoice":
        _customer(press)


def _pump(press: Press) -> None:
    facts, dice = press.sale.facts, press.dice
    for fact, chance in (("pump", 0.85), ("plate", 0.25), ("odometer", 0.2)):
        if dice.chance(chance) and press.speech.knows(fact):
            press.tape.line(press.tagged(fact, facts[fact]))


def print_fuel_values(press: Press) -> bool:
    """Prints fuel as labelled values instead of line items; False when the till prints line items."""
    entries = press.sale.ledger.entries
    words = ("volume", "unit_price", "fuel_amount")
    if press.sale.kind != "fuel" or len(entries) != 1 or not all(map(press.speech.knows, words)):
        return False
    if not press.dice.chance(0.45):
        return False
    entry = entries[0]
    assert entry.price is not None  # fuel is always measured
    amount, symbols = amount_text(press, entry)
    name = press.style.ink(entry.name, press.style.upper_items)
    at_right = press.dice.chance(0.5)

    def told(purpose: str, value: str) -> str:
        text = press.say(purpose) + (":" if press.style.colon.strip() else "")
        return press.tape.pair(text, value) if at_right else _beside(press, text, value)

    if press.speech.knows("product"):
        _beside(press, press.say("product") + ":", name)
    else:
        press.tape.line(name)
    told("volume", quantity_text(press, entry))
    told("unit_price", price_text(press, entry.price))
    desc = told("fuel_amount", amount.rstrip())
    press.book.product(desc, name, entry.total, price=entry.price, unit=entry.measure, symbols=symbols)
    return True


def _beside(press: Press, word: str, value: str) -> str:
    """Prints a label with its value at a common column; returns the label."""
    at = min(14, press.tape.width - columns(value) - 1)
    press.tape.raw(f"{word}{' ' * max(1, at - columns(word))}{value}")
    return word


def _trip(press: Press) -> None:
    """Prints start and end of a ride; the ride is paid for at its end."""
    facts, dice, moment = press.sale.facts, press.dice, press.sale.moment
    start = moment - datetime.timedelta(minutes=int(facts["minutes"]))
    if dice.chance(0.6) and press.speech.knows("start") and press.clock.clock(moment):
        press.tape.line(press.tagged("start", _moment(press, start)))
        press.tape.line(press.tagged("end", _moment(press, moment)))
        press.book.also("date", press.clock.truth(start))
    if dice.chance(0.6) and press.speech.knows("distance"):
        km = press.figures.loose(Decimal(facts["km"]))
        press.tape.line(press.tagged("distance", f"{km} km"))
    if dice.chance(0.6) and press.speech.knows("plate"):
        press.tape.line(press.tagged("plate", facts["plate"]))


def _stay(press: Press) -> None:
    facts, dice, moment = press.sale.facts, press.dice, press.sale.moment
    minutes = int(facts["minutes"])
    start = moment - datetime.timedelta(minutes=minutes)
    if press.speech.knows("entry") and press.clock.clock(moment):
        press.tape.line(press.tagged("entry", _moment(press, start)))
        press.tape.line(press.tagged("exit", _moment(press, moment)))
        press.book.also("date", press.clock.truth(start))
    if dice.chance(0.6) and press.speech.knows("duration"):
        press.tape.line(press.tagged("duration", f"{minutes // 60:02d}:{minutes % 60:02d}"))
    if dice.chance(0.4) and press.speech.knows("plate"):
        press.tape.line(press.tagged("plate", facts["plate"]))


def _ticket(press: Press) -> None:
    moment, dice = press.sale.moment, press.dice
    if dice.chance(0.6) and press.speech.knows("valid_until"):
        until = moment + datetime.timedelta(days=dice.pick((0, 1, 7, 30)), minutes=90)
        press.tape.line(press.tagged("valid_until", _moment(press, until)))


def _original(press: Press) -> None:
    """Prints date and number of the original sale, which differ from this receipt's."""
    dice = press.dice
    if press.speech.knows("original") and dice.chance(0.75):
        before = press.sale.moment - datetime.timedelta(days=dice.whole(2, 40))
        number = dice.digits(dice.pick(press.country.receipts.split("|")).strip())
        press.tape.line(f"{press.say('original')} {number} {press.clock.date(before)}")


def _customer(press: Press) -> None:
    """Prints the buyer, with an address that is not the merchant's, and dates that are not the invoice's."""
    dice, speech = press.dice, press.speech
    if dice.chance(0.75):
        place = invent_place(speech.region, press.country, speech.tongue, dice)
        if speech.knows("bill_to"):
            press.tape.line(press.tagged("bill_to", person(speech.tongue, press.country, dice)))
        if dice.chance(0.6):
            for line in place.lines:
                press.tape.line(line)
        press.tape.blank()
    facts, moment = press.sale.facts, press.sale.moment
    if "room" in facts and speech.knows("room"):
        press.tape.line(press.tagged("room", facts["room"]))
        arrival = moment - datetime.timedelta(days=int(facts["nights"]))
        if speech.knows("arrival") and dice.chance(0.8):
            press.tape.line(press.tagged("arrival", press.clock.date(arrival)))
            press.tape.line(press.tagged("departure", press.clock.date(moment)))
    elif dice.chance(0.35) and speech.knows("due"):
        due = moment + datetime.timedelta(days=dice.pick((7, 14, 30)))
        press.tape.line(press.tagged("due", press.clock.date(due)))


def _moment(press: Press, moment: datetime.datetime) -> str:
    return f"{press.clock.date(moment)} {press.clock.clock(moment)}".strip()
