"""Formats the parts of one entry, independently of their arrangement in rows."""

from __future__ import annotations

from decimal import Decimal

from scripts.make_receipts.ledger import ZERO, Entry
from scripts.make_receipts.press import Press
from scripts.make_receipts.style import abbreviated


def item_name(press: Press, entry: Entry) -> str:
    """The name as this till prints it."""
    name = abbreviated(entry.name) if press.style.abbreviate else entry.name
    return press.style.ink(name, press.style.upper_items)


def shows_quantity(press: Press, entry: Entry) -> bool:
    """Whether the quantity of an entry is printed."""
    if entry.measure is not None:
        return True
    if entry.quantity is None:
        return False
    return abs(entry.quantity) != 1 or press.style.always_quantity


def amount_text(press: Press, entry: Entry) -> tuple[str, list[str]]:
    """The amount followed by its tax mark (spaces where there is none), and the mark."""
    text = press.figures.money(entry.total, sign=press.style.sign_items)
    width = max((len(code_mark(press, code)) for code in press.sale.taxation.levies), default=0)
    mark = code_mark(press, entry.code)
    return (f"{text} {mark:<{width}}" if width else text), [mark] if mark else []


def code_mark(press: Press, code: str) -> str:
    """This till's mark for a tax code; "" for none."""
    codes = list(press.sale.taxation.levies)
    if code not in codes or press.style.marks == "none":
        return ""
    if press.style.marks == "star":
        taxed = any(levy.rate for levy in press.sale.taxation.levies[code])
        starred = press.country.starred or press.sale.taxation.standard
        return press.country.star if taxed and code == starred else ""
    return str(codes.index(code) + 1) if press.style.marks == "digits" else code


def quantity_text(press: Press, entry: Entry) -> str:
    """The count, or the measure with its unit; a negative count is "1-" on tills with a trailing minus."""
    if entry.measure is not None:
        places = max(2, -int(entry.measure.as_tuple().exponent))
        glue = " " if press.style.times.startswith(" ") else ""
        return f"{press.figures.fixed(entry.measure, places)}{glue}{press.label(entry.unit or '')}"
    count = press.figures.loose(abs(entry.quantity or ZERO))
    if (entry.quantity or ZERO) >= 0:
        return count
    return f"{count}-" if press.figures.minus == "after" else f"-{count}"


def price_text(press: Press, price: Decimal) -> str:
    """A unit price, including fuel's third decimal."""
    places = max(press.figures.decimals, -int(price.as_tuple().exponent))
    return press.figures.plain(price, None if places == press.figures.decimals else places)


def detail_text(press: Press, entry: Entry) -> str:
    """2 x 1.50 or 0.456kg x 2.99/kg."""
    times = press.style.times
    price = price_text(press, entry.price or ZERO)
    quantity = quantity_text(press, entry)
    if entry.measure is not None:
        # "0.456kgx2.99" is printed by no till.
        per = f"/{press.label(entry.unit or '')}" if press.style.per_unit else ""
        return f"{quantity} {times.strip()} {price}{per}"
    if press.style.per_unit and press.speech.knows("piece"):
        return f"{quantity} {press.say('piece')} {times.strip()} {price}"
    return f"{quantity}{times}{price}"


def fields(entry: Entry, *, detail: bool, quantity: bool) -> dict[str, Decimal | None]:
    """The truth of quantity, measure and price: all with a detail, only the count with `quantity`."""
    price = entry.price if detail else None
    if entry.measure is not None:
        return {"unit": entry.measure if detail else None, "price": price}
    return {"qty": entry.quantity if quantity or detail else None, "price": price}
