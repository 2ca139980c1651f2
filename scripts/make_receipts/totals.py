"""Prints the totals block: subtotal, discounts, service, taxes, total, rounding, tip, tender, change."""

from __future__ import annotations

from decimal import Decimal

from scripts.make_receipts.press import Press
from scripts.make_receipts.tape import columns
from scripts.make_receipts.taxes import print_included_taxes, print_tax_lines


def print_totals(press: Press) -> None:
    """Prints the whole block, in this till's order."""
    ledger, dice = press.sale.ledger, press.dice
    show = press.sale.taxation.show
    _subtotal(press)
    _discounts(press)
    if ledger.service is not None:
        _service(press)
    if not ledger.inclusive:
        print_tax_lines(press)
    early = ledger.inclusive and show == "lines" and dice.chance(0.2)
    if early:
        print_included_taxes(press)
    _total(press)
    late = dice.chance(0.5)
    if ledger.inclusive and not early and not late:
        print_included_taxes(press)
    print_tender(press)
    if ledger.inclusive and not early and late:
        if show == "table":
            press.tape.blank()
        print_included_taxes(press)


def _subtotal(press: Press) -> None:
    ledger = press.sale.ledger
    needed = ledger.discounts or ledger.service is not None or (not ledger.inclusive and ledger.taxes)
    chance = 0.93 if needed else 0.12
    if press.sale.kind in ("return", "transport") and not needed:
        chance = 0.04
    if not press.dice.chance(chance):
        return
    press.said_line("subtotal", ledger.goods, "SubTotal")
    press.book.set("sub_total", ledger.goods)


def _discounts(press: Press) -> None:
    ledger = press.sale.ledger
    for discount in ledger.discounts:
        text = press.say("discount")
        if discount.percent is not None and press.dice.chance(0.7):
            text = f"{text} {press.figures.loose(discount.percent)}%"
        press.amount_line(text, -discount.amount, None)
        press.book.discounts.append(discount.amount)
    if ledger.discounts and not ledger.inclusive and ledger.taxes and press.dice.chance(0.3):
        # The taxed amount after the discount is a second subtotal; either is accepted as the field's value.
        press.said_line("subtotal", ledger.discounted, "SubTotal")
        if press.book.values.get("sub_total") is None:
            press.book.set("sub_total", ledger.discounted)
        press.book.also("sub_total", ledger.discounted)


def _service(press: Press) -> None:
    ledger = press.sale.ledger
    assert ledger.service is not None  # the caller checked
    text = press.say("service")
    if press.dice.chance(0.75):
        text = f"{text} {press.figures.loose(ledger.service_rate)}%"
    press.amount_line(text, ledger.service, "ServiceCharge")
    press.book.service.append(ledger.service)


def _total(press: Press) -> None:
    """Prints one or more totals: before rounding, before the tip, and the final amount paid."""
    ledger, dice = press.sale.ledger, press.dice
    book = press.book
    book.set("total", ledger.total)
    if dice.chance(0.6):
        press.tape.rule(press.style.rule)
    if ledger.rounding is None or (ledger.rounding == 0 and dice.chance(0.7)):
        _grand(press, "total", ledger.payable, style=press.style.total if ledger.tip is None else "")
    else:
        book.set("rounding", ledger.rounding)
        if dice.chance(0.7) or not ledger.inclusive:
            _grand(press, "total", ledger.due, style="" if dice.chance(0.5) else "bold")
            press.said_line("rounding", ledger.rounding, None)
            _grand(press, "to_pay", ledger.payable, style=press.style.total)
        else:
            if "sub_total" not in book.values:
                press.said_line("subtotal", ledger.due, "SubTotal")
                book.set("sub_total", ledger.due)
            press.said_line("rounding", ledger.rounding, None)
            _grand(press, "total", ledger.payable, style=press.style.total)
    if ledger.tip is not None:
        press.said_line("tip", ledger.tip, "Tip")
        book.set("tip", ledger.tip)
        _grand(press, "to_pay", ledger.total, style=press.style.total)
    elif not ledger.rounding and dice.chance(0.08):
        _grand(press, "to_pay", ledger.total, style="")
    if press.style.heavy and dice.chance(0.3):
        press.tape.rule(press.style.heavy)


def _grand(press: Press, purpose: str, value: Decimal, *, style: str) -> None:
    """Prints a total: prominent, often with the currency, sometimes with the amount on a separate row."""
    figures, tape = press.figures, press.tape
    amount = figures.money(value)
    if columns(amount) > tape.room(style) - 4:
        style = "bold"
    room = tape.room(style) - columns(amount) - 1
    text = press.say(purpose, room=room)
    if "big" in style and columns(text) > room:
        style = "tall bold"
        room = tape.room(style) - columns(amount) - 1
        text = press.say(purpose, room=room)
    if press.style.sign_label and figures.sign:
        amount = figures.plain(value)
        text = f"{press.say(purpose, room=room - len(figures.sign))} {figures.sign}"
    if press.style.total_below:
        tape.raw(
            text if columns(text) <= tape.room(style) else press.say(purpose, room=tape.room(style)), "bold"
        )
        tape.raw(amount, f"right {style}".strip())
        press.book.total_line(text, value, "Total")
        return
    press.book.total_line(tape.pair(text, amount, style), value, "Total")


def print_tender(press: Press) -> None:
    """Prints the payment; some tills omit it."""
    sale, dice, book = press.sale, press.dice, press.book
    tender = sale.tenders[0]
    if tender.kind == "cash":
        if dice.chance(0.1):
            return
        word = press.say("cash", room=press.tape.width - 12)
        press.amount_line(word, tender.amount, "Cash")
        book.set("cash", tender.amount)
        book.set("payment_method", "CASH", word)
        change = sale.change
        if change is not None and (change or dice.chance(0.6)):
            press.said_line("change", change, "Change")
            book.set("change", change)
        return
    _cashless(press)


def _cashless(press: Press) -> None:
    """Prints a card's or wallet's row; the scheme is in it or on the next one."""
    sale, dice, book = press.sale, press.dice, press.book
    tender = sale.tenders[0]
    scheme = tender.scheme if dice.chance(0.6) else press.label(tender.scheme)
    generic = press.say("card", room=press.tape.width - 12)
    word = generic if tender.kind == "card" and generic and dice.chance(0.35) else scheme
    shown = word
    if tender.kind == "card" and word == scheme and dice.chance(0.3):
        shown = f"{word} {dice.pick(('****', 'XXXX', '************', 'XXXXXXXX'))}{tender.last_four}"
    if dice.chance(0.88):
        press.amount_line(shown, tender.amount, None)
        if tender.last_four and press.book.summary[-1].desc == shown != word:
            book.custom["CardLast4Digits"] = tender.last_four
    else:
        shown = word
        press.tape.line(press.tagged("paid_by", word))
    if word != scheme:
        press.tape.line(scheme)
    book.set("payment_method", scheme, word, shown, *_families(scheme))


def _families(scheme: str) -> tuple[str, ...]:
    """The contract's names for a scheme that is printed differently."""
    names = {"VISA": "VISA", "MASTERCARD": "Mastercard", "AMEX": "American Express", "WE CHAT": "WE CHAT"}
    return tuple(name for start, name in names.items() if scheme.upper().startswith(start))
