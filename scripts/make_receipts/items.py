"""Prints the line items in one of many arrangements and records exactly what each line shows."""

from __future__ import annotations

from scripts.make_receipts.cells import (
    amount_text,
    detail_text,
    fields,
    item_name,
    price_text,
    quantity_text,
    shows_quantity,
)
from scripts.make_receipts.ledger import Entry
from scripts.make_receipts.press import Press
from scripts.make_receipts.tables import print_columns
from scripts.make_receipts.tape import columns, cut, wrap

#: Minimum columns of a name: shorter ones could not be distinguished.
_LEAST_NAME = 12


def print_items(press: Press) -> None:
    """Prints all entries of the sale, under headings on some tills."""
    layout = press.style.layout
    if layout == "columns":
        print_columns(press)
        return
    if press.style.headings:
        press.tape.pair(press.say("col_name"), press.say("col_amount"))
        press.tape.rule(press.style.rule)
    for at, entry in enumerate(press.sale.ledger.entries, start=1):
        counted = shows_quantity(press, entry) and entry.measure is None and _is_roomy(press, entry)
        if entry.kind == "discount":
            _discount(press, entry)
        elif layout == "amount_below" and shows_quantity(press, entry) and entry.price is not None:
            _amount_below(press, entry, at)
        elif layout == "two_amounts" and counted and entry.price is not None:
            _two_amounts(press, entry, at)
        elif layout in ("quantity_first", "quantity_after") and counted:
            _quantity_beside(press, entry, at)
        else:
            _amount_beside(press, entry, at)
        for note in entry.notes:
            press.tape.line(press.label(note))


def _is_roomy(press: Press, entry: Entry) -> bool:
    """Whether one row has room for count, name, unit price and amount, with anything before the name."""
    numbers = columns(amount_text(press, entry)[0]) + columns(quantity_text(press, entry)) + 3
    if press.style.layout == "two_amounts" and entry.price is not None:
        numbers += columns(price_text(press, entry.price)) + 2
    if press.style.sku == "inline" and entry.sku:
        numbers += columns(entry.sku) + 1
    if entry.kind != "product":
        numbers += press.tape.width // 3
    return press.tape.width - numbers >= _LEAST_NAME


def _opening(press: Press, entry: Entry, at: int) -> tuple[str, str | None]:
    """The text before the name (a number, VOID, an article number), and the article number."""
    sku = None
    if press.style.sku == "line" and entry.sku:
        press.tape.raw(entry.sku)
        sku = entry.sku
    lead = _kind_word(press, entry)
    if press.style.numbered:
        lead += f"{at}. "
    if press.style.sku == "inline" and entry.sku and press.tape.width >= 32:
        lead += f"{entry.sku} "
        sku = entry.sku
    return lead, sku


def _kind_word(press: Press, entry: Entry) -> str:
    """The word for a void or return: returned to be put before the name, or printed on a separate row."""
    purpose = {"void": "void", "returned": "returned"}.get(entry.kind, "")
    word = press.say(purpose) if purpose else ""
    if not word:
        return ""
    if press.style.indent % 2 or columns(word) > press.tape.width // 3:
        press.tape.line(f"** {word} **")
        return ""
    return f"{word} "


def _named_amount(press: Press, lead: str, name: str, amount: str) -> tuple[str, str]:
    """Prints name and amount, cut or wrapped to fit; returns (desc, name as printed)."""
    room = press.tape.width - columns(amount) - 1
    cramped = room - columns(lead) < _LEAST_NAME
    if columns(lead + name) > room and (cramped or press.style.long_names == "wrap"):
        first, *rest = wrap(lead + name, room)
        desc = press.tape.pair(first, amount)
        for line in rest:
            press.tape.raw(line)
        return desc, name
    name = cut(name, room - columns(lead))
    return press.tape.pair(lead + name, amount), name


def _amount_beside(press: Press, entry: Entry, at: int) -> None:
    """Amount on the name's row; several or weighed items have a detail row above or below."""
    style = press.style
    lead, sku = _opening(press, entry, at)
    amount, symbols = amount_text(press, entry)
    detail = shows_quantity(press, entry) and entry.price is not None
    if detail and style.detail == "above":
        press.tape.raw(" " * style.indent + detail_text(press, entry))
    desc, name = _named_amount(press, lead, item_name(press, entry), amount)
    if detail and style.detail == "below":
        press.tape.raw(" " * max(1, style.indent) + detail_text(press, entry))
    told = fields(entry, detail=detail, quantity=False)
    press.book.product(desc, name, entry.total, sku=sku, symbols=symbols, **told)


def _quantity_beside(press: Press, entry: Entry, at: int) -> None:
    """2 Name 5.00, 2x Name 5.00 or Name x2 5.00: the count on the name's row, no unit price."""
    lead, sku = _opening(press, entry, at)
    amount, symbols = amount_text(press, entry)
    count = quantity_text(press, entry)
    name = item_name(press, entry)
    if press.style.layout == "quantity_first":
        mark = {"x": "x", "X": " x", " x ": " X"}.get(press.style.times, "")
        desc, name = _named_amount(press, f"{lead}{count}{mark} ", name, amount)
    else:
        tail = f" x{count}" if press.style.indent % 2 else f" X{count}"
        room = press.tape.width - columns(amount) - 1
        name = cut(name, room - columns(lead + tail))
        desc = press.tape.pair(f"{lead}{name}{tail}", amount)
    told = fields(entry, detail=False, quantity=True)
    press.book.product(desc, name, entry.total, sku=sku, symbols=symbols, **told)


def _amount_below(press: Press, entry: Entry, at: int) -> None:
    """The name on a separate row; quantity, price and amount below it."""
    lead, sku = _opening(press, entry, at)
    amount, symbols = amount_text(press, entry)
    name = item_name(press, entry)
    for line in wrap(f"{lead}{name}", press.tape.width):
        press.tape.raw(line)
    desc = press.tape.pair(" " * press.style.indent + detail_text(press, entry), amount)
    told = fields(entry, detail=True, quantity=True)
    press.book.product(desc, name, entry.total, sku=sku, symbols=symbols, **told)


def _two_amounts(press: Press, entry: Entry, at: int) -> None:
    """Quantity, name, unit price and amount on one row."""
    assert entry.price is not None  # the caller checked
    amount, symbols = amount_text(press, entry)
    right = f"{price_text(press, entry.price)}  {amount}"
    lead, sku = _opening(press, entry, at)
    lead = f"{lead}{quantity_text(press, entry)} "
    name = cut(item_name(press, entry), press.tape.width - columns(right) - 1 - columns(lead))
    press.tape.pair(f"{lead}{name}", right)
    desc = f"{lead}{name} {price_text(press, entry.price)}"
    told = fields(entry, detail=True, quantity=True)
    press.book.product(desc, name, entry.total, sku=sku, symbols=symbols, **told)


def _discount(press: Press, entry: Entry) -> None:
    """A reduction below its item."""
    amount, symbols = amount_text(press, entry)
    name = press.style.ink(entry.name, press.style.upper_items)
    desc = press.tape.pair(" " * press.style.indent + name, amount)
    press.book.product(desc, desc, entry.total, symbols=symbols)
    press.book.discounts.append(-entry.total)
