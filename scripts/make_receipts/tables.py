"""Prints line items as a table under headings."""

from __future__ import annotations

from dataclasses import dataclass

from scripts.make_receipts.cells import amount_text, item_name, price_text, quantity_text
from scripts.make_receipts.ledger import Entry
from scripts.make_receipts.press import Press
from scripts.make_receipts.tape import columns, cut, pad, wrap

_ORDERS = (
    ("name", "qty", "price", "amount"),
    ("name", "qty", "price", "amount"),
    ("qty", "name", "price", "amount"),
    ("qty", "name", "amount"),
    ("name", "qty", "amount"),
    ("name", "price", "qty", "amount"),
    ("sku", "name", "qty", "price", "amount"),
)
_HEADINGS = {"name": "col_name", "qty": "col_qty", "price": "col_price", "amount": "col_amount"}
#: Names narrower than this get a separate row.
_NARROW = 11
_HEADING_ROOM = 8
#: From this width of the page in columns, that many extra spaces separate its columns.
_PAGE, _APART = 60, 4


@dataclass(frozen=True, slots=True)
class _Table:
    """order: columns from left to right with their widths; own_row: the name has a separate row."""

    order: tuple[str, ...]
    widths: dict[str, int]
    own_row: bool


def print_columns(press: Press) -> None:
    """Prints headings and one or two rows for each entry."""
    entries = press.sale.ledger.entries
    cells = [_cells(press, entry) for entry in entries]
    table = _plan(press, cells)
    _headings(press, table)
    for entry, cell in zip(entries, cells, strict=True):
        _print_entry(press, table, entry, cell)
        for note in entry.notes:
            press.tape.line(press.label(note))


def _cells(press: Press, entry: Entry) -> dict[str, str]:
    """Texts of the columns; a discount has only name and amount."""
    cell = {"name": item_name(press, entry), "amount": amount_text(press, entry)[0]}
    if entry.kind == "discount":
        return cell
    cell["sku"] = entry.sku or ""
    if entry.quantity is not None or entry.measure is not None:
        cell["qty"] = quantity_text(press, entry)
    if entry.price is not None:
        cell["price"] = price_text(press, entry.price)
    return cell


def _plan(press: Press, cells: list[dict[str, str]]) -> _Table:
    order = press.dice.pick(_ORDERS)
    if not any(cell.get("sku") for cell in cells):
        order = tuple(column for column in order if column != "sku")
    widths = {column: _width(press, column, cells) for column in order if column != "name"}
    for column in ("sku", "price"):
        if column in order and sum(widths.values()) + len(order) > press.tape.width:
            order = tuple(other for other in order if other != column)
            widths.pop(column)
    if press.tape.width >= _PAGE:
        widths = {column: width + _APART for column, width in widths.items()}
    widths["name"] = max(0, press.tape.width - sum(widths.values()) - (len(order) - 1))
    own_row = widths["name"] < _NARROW or (press.style.sku == "line" and press.style.indent % 2 == 0)
    return _Table(order, widths, own_row)


def _width(press: Press, column: str, cells: list[dict[str, str]]) -> int:
    heading = columns(press.say(_HEADINGS[column], room=_HEADING_ROOM)) if column in _HEADINGS else 0
    return max([min(heading, _HEADING_ROOM), *(columns(cell.get(column, "")) for cell in cells)])


def _headings(press: Press, table: _Table) -> None:
    words = {
        column: cut(press.say(_HEADINGS[column], room=_HEADING_ROOM), max(table.widths[column], 3))
        for column in table.order
        if column in _HEADINGS
    }
    if table.own_row:
        press.tape.raw(press.say("col_name"))
    press.tape.raw(_row(table, words))
    press.tape.rule(press.style.rule)


def _print_entry(press: Press, table: _Table, entry: Entry, cell: dict[str, str]) -> None:
    if entry.kind == "discount":
        desc = press.tape.pair(f"  {cell['name']}", cell["amount"])
        press.book.product(desc, desc, entry.total, symbols=amount_text(press, entry)[1])
        press.book.discounts.append(-entry.total)
        return
    name, rest = cell["name"], list[str]()
    if table.own_row:
        for line in wrap(name, press.tape.width):
            press.tape.raw(line)
    elif press.style.long_names == "cut":
        name = cell["name"] = cut(name, table.widths["name"])
    else:
        cell["name"], *rest = wrap(name, table.widths["name"])
    press.tape.raw(_row(table, cell))
    before = table.order[: table.order.index("name")]
    for line in rest:
        press.tape.raw(" " * sum(table.widths[column] + 1 for column in before) + line)
    shown = {column for column in table.order if cell.get(column)}
    left = [c for c in table.order if c != "amount" and not (c == "name" and table.own_row)]
    press.book.product(
        " ".join(cell.get(column, "") for column in left),
        name,
        entry.total,
        price=entry.price if "price" in shown else None,
        qty=entry.quantity if "qty" in shown else None,
        unit=entry.measure if "qty" in shown else None,
        sku=entry.sku if "sku" in shown else None,
        symbols=amount_text(press, entry)[1],
    )


def _row(table: _Table, cell: dict[str, str]) -> str:
    """The cells at their places, numbers right-aligned in their columns."""
    parts = []
    for column in table.order:
        left = column == "name" or (column in ("qty", "sku") and table.order[0] == column)
        text = "" if column == "name" and table.own_row else cell.get(column, "")
        parts.append(pad(text, table.widths[column], right=not left))
    return " ".join(parts)
