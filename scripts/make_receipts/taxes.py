"""Prints taxes: added ones as lines, included ones as lines, as prose or as a table by rate."""

from __future__ import annotations

from decimal import Decimal

from scripts.make_receipts.cells import code_mark
from scripts.make_receipts.ledger import ZERO, TaxRow
from scripts.make_receipts.press import Press
from scripts.make_receipts.tape import columns, pad


def print_tax_lines(press: Press) -> None:
    """Prints taxes on top of the prices, one line each; zero rates are omitted."""
    ledger = press.sale.ledger
    rows = [row for row in ledger.taxes if row.rate]
    for row in rows:
        press.amount_line(_named(press, "tax_line", row, len(rows)), row.tax, "Tax")
        press.book.taxes.append(row.tax)
    if len(rows) > 1 and press.dice.chance(0.15):
        press.said_line("total_tax", ledger.tax, "TotalTax")
    if rows:
        press.book.set("tax", ledger.tax)


def print_included_taxes(press: Press) -> None:
    """Prints taxes contained in the prices, in the form that the scheme says."""
    show = press.sale.taxation.show
    rows = press.sale.ledger.taxes
    if not rows or show == "none":
        return
    if show == "table":
        _table(press, rows)
    elif show == "prose":
        _prose(press, rows)
    elif show == "sum" and len(rows) > 1:
        press.said_line("total_tax", press.sale.ledger.tax, "TotalTax")
        press.book.set("tax", press.sale.ledger.tax)
        press.book.unknown.add("taxes")
    else:
        _lines(press, rows)


def _lines(press: Press, rows: tuple[TaxRow, ...]) -> None:
    """incl. VAT 20% 1.23, perhaps with the net amount before or after it."""
    taxed = [row for row in rows if row.rate]
    if not taxed:
        return
    net = press.dice.pick(("before", "after", "", "", "")) if len(rows) == 1 else ""
    if net == "before":
        _net_line(press, rows[0].net)
    for row in taxed:
        press.amount_line(_named(press, "tax_incl", row, len(taxed)), row.tax, "Tax")
        press.book.taxes.append(row.tax)
    if net == "after":
        _net_line(press, rows[0].net)
    press.book.set("tax", press.sale.ledger.tax)


def _net_line(press: Press, net: Decimal) -> None:
    """Prints a net amount as a subtotal; where the items' subtotal is printed too, either is accepted."""
    if not press.speech.knows("net"):
        return
    press.said_line("net", net, "SubTotal")
    if "sub_total" in press.book.values:
        press.book.also("sub_total", net)
    else:
        press.book.set("sub_total", net)


def _prose(press: Press, rows: tuple[TaxRow, ...]) -> None:
    """A 20% net 5.00 VAT 1.00, one row per rate."""
    net, figures = press.say("net") or "Net", press.figures
    for row in rows:
        text = f"{row.name} {_rate(press, row)}%"
        mark = code_mark(press, row.code)
        if mark and mark != press.country.star:
            text = f"{mark} {text}"
        told = f"{text} {net} {figures.plain(row.net)}"
        if columns(press.label(told)) + columns(figures.plain(row.tax)) < press.tape.width:
            text = told
        else:
            press.tape.line(press.label(f"{net} {figures.plain(row.net)}"))
        press.amount_line(text, row.tax, "Tax", sign=False)
        press.book.taxes.append(row.tax)
    press.book.set("tax", press.sale.ledger.tax)
    press.book.also("sub_total", sum((row.net for row in rows), ZERO))


def _table(press: Press, rows: tuple[TaxRow, ...]) -> None:
    """Rate, net, tax and gross in this till's order, with or without headings and a row of sums."""
    dice, figures = press.dice, press.figures
    order = dice.pick(
        (("rate", "net", "tax", "gross"), ("rate", "net", "tax"), ("rate", "gross", "net", "tax"))
    )
    order = dice.pick((order, order, ("rate", "tax", "net", "gross")))
    cells = [
        {
            "rate": _rate_cell(press, row),
            "net": figures.plain(row.net),
            "tax": figures.plain(row.tax),
            "gross": figures.plain(row.gross),
        }
        for row in rows
    ]
    sums = None
    if len(rows) > 1 and dice.chance(0.3):
        sums = {
            "rate": press.say("table_sum") or press.say("total", room=6),
            "net": figures.plain(sum((row.net for row in rows), ZERO)),
            "tax": figures.plain(press.sale.ledger.tax),
            "gross": figures.plain(sum((row.gross for row in rows), ZERO)),
        }
    headings = {
        "rate": press.say("col_rate"),
        "net": press.say("net", room=9),
        "tax": press.label(rows[0].name),
        "gross": press.say("gross", room=9),
    }
    every = [*cells, *([sums] if sums else [])]
    widths = _widths(press, order, [*every, headings])
    if widths is None:
        order = ("rate", "net", "tax")
        widths = _widths(press, order, every) or dict.fromkeys(order, press.tape.width // 3 - 1)
    if dice.chance(0.85):
        press.tape.raw(_row(order, widths, headings))
    for row, cell in zip(rows, cells, strict=True):
        press.tape.raw(_row(order, widths, cell))
        press.book.total_line(cell["rate"], row.tax, "Tax")
        press.book.taxes.append(row.tax)
    if sums:
        press.tape.raw(_row(order, widths, sums))
        press.book.total_line(sums["rate"], press.sale.ledger.tax, "TotalTax")
    press.book.set("tax", press.sale.ledger.tax)
    press.book.also("sub_total", sum((row.net for row in rows), ZERO))


def _widths(press: Press, order: tuple[str, ...], cells: list[dict[str, str]]) -> dict[str, int] | None:
    """Column widths that fill the row; None when they do not fit."""
    widths = {column: max(columns(cell[column]) for cell in cells) for column in order}
    spare = press.tape.width - sum(widths.values()) - (len(order) - 1)
    if spare < 0:
        return None
    for column in order[1:]:
        widths[column] += spare // (len(order) - 1)
    return widths


def _row(order: tuple[str, ...], widths: dict[str, int], cell: dict[str, str]) -> str:
    return " ".join(
        pad(cell[column][: widths[column]], widths[column], right=at > 0) for at, column in enumerate(order)
    )


def _rate_cell(press: Press, row: TaxRow) -> str:
    """A  20%, 20,00%, VAT 20%."""
    mark = code_mark(press, row.code)
    rate = f"{_rate(press, row)}%"
    if press.sale.ledger.taxes and len({r.name for r in press.sale.ledger.taxes}) > 1:
        rate = f"{row.name} {rate}"
    joint = {0: "  ", 1: " ", 2: "=", 3: ": "}.get(press.style.indent, " ")
    return f"{mark}{joint}{rate}" if mark else rate


def _rate(press: Press, row: TaxRow) -> str:
    fixed = press.style.indent == 2 and press.figures.decimals > 0
    if fixed and row.rate == row.rate.quantize(Decimal("0.01")):
        return press.figures.fixed(row.rate, 2)
    return press.figures.loose(row.rate)


def _named(press: Press, purpose: str, row: TaxRow, count: int) -> str:
    """The tax line's label. Rates may be omitted only where one tax is printed."""
    template = press.speech.say(purpose)
    text = template.format(tax=row.name, rate=_rate(press, row))
    if row.name.endswith("%"):
        text = row.name
    return press.label(text)
