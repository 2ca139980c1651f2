"""Prints the part below the totals: slips, counts, points, savings, advice, fiscal blocks, barcodes."""

from __future__ import annotations

import datetime
import re
from decimal import Decimal

from scripts.make_receipts.heading import print_url
from scripts.make_receipts.ledger import to_step
from scripts.make_receipts.press import Press
from scripts.make_receipts.tape import columns

_SYMBOLS = {
    "Code 128": ("##############", "############", "@@########", "####-##-######"),
    "EAN-13/UPC-A": ("ean",),
    "Code 39": ("@@@########", "########"),
    "Interleaved 2 of 5": ("############", "##############"),
}


def print_item_count(press: Press) -> None:
    """Prints the number of items sold: a number that is not an amount."""
    count = sum(
        (
            entry.quantity or Decimal(1)
            for entry in press.sale.ledger.entries
            if entry.kind in ("product", "void")
        ),
        Decimal(0),
    )
    if press.speech.knows("item_count") and count > 0:
        text = press.figures.loose(count)
        if press.dice.chance(0.4):
            press.tape.pair(press.say("item_count"), text)
        else:
            press.tape.line(press.tagged("item_count", text))


def print_closing(press: Press) -> None:
    """Prints everything below the totals, in random order where tills differ."""
    dice = press.dice
    parts = [(_slip, 0.55), (_savings, 0.5), (_points, 0.22), (_balance, 0.05), (_suggested_tips, 0.3)]
    for part, chance in parts:
        if dice.chance(chance):
            part(press)
    press.tape.blank()
    tail = [_thanks, _policy, print_url, _fiscal, _symbol]
    if dice.chance(0.35):
        tail = [_fiscal, _symbol, _thanks, _policy, print_url]
    for part in tail:
        part(press)


def _slip(press: Press) -> None:
    """Prints the card slip: the amount once more, and numbers that are not amounts."""
    sale, dice, tape = press.sale, press.dice, press.tape
    tender = sale.tenders[0]
    if tender.kind != "card" or sale.kind == "return":
        return
    tape.rule(press.style.rule)
    values = {
        "TERMINAL": "########",
        "AID": dice.pick(("A0000000031010", "A0000000041010", "A0000000042203")),
        "TVR": "0000008000",
        "AUTH": "######",
        "REF": "########",
        "STAN": "######",
        "BATCH": "###",
        "TRACE": "######",
    }
    if press.speech.knows("slip_title") and dice.chance(0.6):
        tape.line(press.say("slip_title"), "center")
    if dice.chance(0.75):
        mask = dice.pick(("************", "XXXX XXXX XXXX ", "**** **** **** ", "XXXXXXXXXXXX", "....", "x"))
        tape.line(f"{dice.pick((tender.scheme, press.label(tender.scheme)))} {mask}{tender.last_four}")
        press.book.custom["CardLast4Digits"] = tender.last_four
    elif "CardLast4Digits" not in press.book.custom:
        tape.line(tender.scheme)
    for word in dice.several(list(values), dice.whole(1, 4)):
        value = values[word] if word in ("AID", "TVR") else dice.digits(values[word])
        tape.line(f"{word}{dice.pick((': ', ' ', ':'))}{value}")
    if press.speech.knows("slip_amount") and dice.chance(0.45):
        amount = press.figures.money(tender.amount)
        tape.pair(press.say("slip_amount"), amount) if dice.chance(0.5) else tape.line(
            press.tagged("slip_amount", amount)
        )
    if press.speech.knows("approved") and dice.chance(0.6):
        tape.line(press.say("approved"), dice.pick(("center", "")))
    press.book.also("payment_method", tender.scheme)


def _savings(press: Press) -> None:
    """Prints the savings, which are not subtracted."""
    saved = sum(press.book.discounts, Decimal(0))
    if saved > 0 and press.speech.knows("savings"):
        amount = press.figures.money(saved)
        if press.dice.chance(0.5):
            press.tape.line(press.tagged("savings", amount), "center")
        else:
            press.tape.pair(press.say("savings"), amount)


def _points(press: Press) -> None:
    """Prints points earned and their balance."""
    dice = press.dice
    if not press.speech.knows("points") or press.sale.kind in ("return", "invoice"):
        return
    press.tape.blank()
    press.tape.line(press.tagged("points", str(dice.whole(1, 180))))
    if press.speech.knows("points_balance") and dice.chance(0.6):
        press.tape.line(
            press.tagged("points_balance", press.figures.plain(Decimal(dice.whole(190, 9800)), 0))
        )


def _balance(press: Press) -> None:
    """Prints the rest on a gift card or purse, which is never the total."""
    if press.speech.knows("balance"):
        left = to_step(press.sale.ledger.goods * Decimal("1.37") + 3, _quantum(press))
        press.tape.pair(press.say("balance"), press.figures.money(abs(left)))


def _suggested_tips(press: Press) -> None:
    """Prints suggested tips that nobody paid, or blank lines for the guest to fill in."""
    sale, dice, tape = press.sale, press.dice, press.tape
    if sale.kind != "restaurant" or press.country.tip != "us" or sale.ledger.tip is not None:
        return
    tape.blank()
    if dice.chance(0.5):
        tape.line(press.say("suggested") or "Suggested gratuity", "center")
        for percent in (15, 18, 20, 22)[dice.whole(0, 1) :]:
            amount = to_step(sale.ledger.goods * percent / 100, _quantum(press))
            total = press.figures.money(sale.ledger.total + amount)
            text = f"{percent}%: {press.figures.money(amount)}"
            tape.line(f"{text} = {total}" if dice.chance(0.4) else text)
    else:
        for purpose in ("tip", "total"):
            word = press.say(purpose, room=tape.width - 14)
            tape.line(f"{word}: " + "_" * (tape.width - len(word) - 4))


def _thanks(press: Press) -> None:
    dice = press.dice
    for _ in range(dice.pick((0, 1, 1, 2))):
        text = press.fresh("thanks")
        if (
            text
            and columns(text) <= press.tape.width
            and (not press.tape.rows or press.tape.rows[-1].text != text)
        ):
            press.tape.line(text, "center")


def _policy(press: Press) -> None:
    """Prints return-by and other dates that are not the purchase's."""
    dice, sale = press.dice, press.sale
    if (
        not press.speech.knows("return_by")
        or not dice.chance(0.22)
        or sale.kind in ("fuel", "transport", "restaurant")
    ):
        return
    until = sale.moment + datetime.timedelta(days=dice.pick((7, 14, 28, 30, 60)))
    text = f"{press.fresh('return_by')} {press.clock.date(until)}"
    press.tape.line(text, dice.pick(("center", "")))


def _fiscal(press: Press) -> None:
    """Prints the country's fiscal block, with numbers that must not be read as amounts."""
    if not press.country.fiscal or not press.dice.chance(0.6):
        return
    block = press.dice.pick(press.country.fiscal)
    for line in block.strip().split("\n"):
        press.tape.line(fill(line.strip(), press), press.dice.pick(("", "small", "")))


def _symbol(press: Press) -> None:
    """Prints a barcode or a QR code, on some receipts."""
    dice = press.dice
    if press.country.qr and dice.chance(0.2):
        data = fill(dice.pick(press.country.qr), press)
        press.tape.barcode(data, "QR Code")
        press.book.barcodes.append((data, "QR Code"))
        return
    if not dice.chance(0.2):
        return
    kind = dice.weighted({"Code 128": 5, "EAN-13/UPC-A": 2, "Code 39": 1, "Interleaved 2 of 5": 1})
    pattern = dice.pick(_SYMBOLS[kind])
    data = _ean(dice.digits("2###########")) if pattern == "ean" else dice.digits(pattern)
    press.tape.barcode(data, kind)
    press.book.barcodes.append((data, kind))
    if dice.chance(0.7):
        press.tape.line(data, "center")


def _ean(body: str) -> str:
    weighted = sum(int(digit) * (3 if at % 2 else 1) for at, digit in enumerate(body))
    return body + str(-weighted % 10)


def fill(text: str, press: Press) -> str:
    """A template with its <patterns> randomly filled, and {date}, {time}, {id} and {total} inserted."""
    ids = press.sale.merchant.ids
    if "{stamp}" in text:
        # The signature's time has seconds, which the header may lack.
        press.book.also("date", f"{press.sale.moment:%Y-%m-%d %H:%M:%S}")
    text = re.sub(r"<([^>]*)>", lambda match: press.dice.digits(match.group(1)), text)
    return text.format(
        date=press.clock.date(press.sale.moment),
        iso=f"{press.sale.moment:%Y-%m-%d}",
        stamp=f"{press.sale.moment:%Y-%m-%dT%H:%M:%S}",
        time=press.clock.clock(press.sale.moment),
        id=ids[0][1] if ids else "",
        total=f"{press.sale.ledger.total:f}",
    )


def _quantum(press: Press) -> Decimal:
    return Decimal(1).scaleb(-press.figures.decimals)
