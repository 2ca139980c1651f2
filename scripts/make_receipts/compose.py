"""Composes the printed rows of a receipt and their truth from a region and a seed; draws no image."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from msgspec.structs import replace

from receipt_engine.region import Region, load_region, normalize_code
from receipt_engine.result import Result
from scripts.make_receipts.closing import print_closing, print_item_count
from scripts.make_receipts.details import print_facts, print_fuel_values, print_title
from scripts.make_receipts.dice import Dice
from scripts.make_receipts.errors import DrawingError
from scripts.make_receipts.figures import Figures, choose_clock, choose_figures
from scripts.make_receipts.heading import print_head, print_meta
from scripts.make_receipts.items import print_items
from scripts.make_receipts.press import Press
from scripts.make_receipts.sale import KINDS, Sale, make_sale
from scripts.make_receipts.speech import Speech
from scripts.make_receipts.style import choose_style
from scripts.make_receipts.tape import Row, Tape
from scripts.make_receipts.totals import print_totals
from scripts.make_receipts.truth import Book
from scripts.make_receipts.vocabulary import Country, Tongue, load_country, load_tongue, localized


@dataclass(frozen=True, slots=True)
class Composed:
    """A receipt as text. truth: as in labels.jsonl; result: the same as a Result; sale: its origin."""

    region: str
    kind: str
    width: int
    rows: tuple[Row, ...]
    truth: dict[str, Any]
    result: Result
    sale: Sale

    @property
    def printed(self) -> list[dict[str, Any]]:
        """The rows as labels.jsonl writes them."""
        return [row.label() for row in self.rows]


def compose_receipt(region: str, *, kind: str = "any", seed: int, width: int | None = None) -> Composed:
    """A receipt of the region, the same one for the same arguments.

    kind: one of `sale.KINDS`, or "any". width: columns of the paper; None for the till's own. Raises
    RegionDataError for an unknown region, DrawingError for an unknown kind or incomplete data.
    """
    code = normalize_code(region)
    rules = load_region(code)
    dice = Dice("receipt", code, kind, seed)
    if kind == "any":
        kind = dice.weighted({"supermarket": 3, "restaurant": 2.5} | dict.fromkeys(KINDS[2:], 1))
    if kind not in KINDS:
        raise DrawingError(f"There is no kind {kind!r}. Known: any, {', '.join(KINDS)}.")
    country = load_country(code)
    tongue, echo = _languages(country, rules.languages, dice)
    country = localized(country, tongue.code)
    speech = Speech(rules, country, tongue, echo, dice)
    sale = make_sale(kind, rules, country, tongue, speech, dice)
    speech.region = rules = _with_money_of(rules, sale)
    wide = tongue.code in ("ja", "zh")
    style = choose_style(kind, country, wide, dice)
    if width is not None:
        style = dataclasses.replace(style, width=width)
    figures = choose_figures(rules, country.habits.get(tongue.code), dice)
    figures = _figures(
        sale, rules.currency.fraction_optional, 0.85 if country.quantum else 0.5, figures, dice
    )
    press = Press(
        sale=sale,
        country=country,
        style=style,
        speech=speech,
        figures=figures,
        clock=choose_clock(rules, tongue.code, dice),
        tape=Tape(style.width),
        book=Book(),
        dice=dice,
    )
    money = rules.currency.code
    press.book.set("currency", "RMB" if money == "CNY" else money)  # as the API writes it
    if rules.currency.code == "PAB" and "$" in figures.sign:
        # Panama's balboa is printed as dollars, and paid in them.
        press.book.also("currency", "USD")
    press.book.set("document_type", "Invoice" if kind == "invoice" else "Receipt")
    _print(press)
    return Composed(
        code, kind, style.width, tuple(press.tape.rows), press.book.label(), press.book.result(), sale
    )


def _with_money_of(rules: Region, sale: Sale) -> Region:
    """The region with the money that it had on the day of the sale."""
    former = rules.currency.former
    if former is None or sale.moment.date() > former.until:
        return rules
    money = replace(rules.currency, code=former.code, symbols=former.symbols, former=None)
    return replace(rules, currency=money)


def _print(press: Press) -> None:
    """Prints the whole receipt from top to bottom."""
    tape, style, dice = press.tape, press.style, press.dice
    print_head(press)
    tape.rule(style.rule) if dice.chance(0.7) else tape.blank()
    print_title(press)
    if style.meta == "top":
        print_meta(press)
    print_facts(press)
    if tape.rows[-1].rule != style.rule or not style.rule:
        tape.rule(style.rule)
    if not print_fuel_values(press):
        print_items(press)
    count = dice.weighted({"before": 0.6, "after": 1.5, "": 4})
    if count == "before":
        print_item_count(press)
    tape.rule(style.rule if dice.chance(0.85) else "")
    print_totals(press)
    if count == "after":
        print_item_count(press)
    if style.meta == "bottom":
        tape.blank()
        print_meta(press)
    print_closing(press)


def _languages(country: Country, of_region: tuple[str, ...], dice: Dice) -> tuple[Tongue, Tongue | None]:
    """The receipt's language, and the one in which its labels are repeated, if any."""
    weights = country.languages or dict.fromkeys(of_region[:1], 1.0)
    code = dice.weighted(weights)
    tongue = load_tongue(code) or Tongue(code=code)
    echo = None
    for other, chance in country.echo.items():
        if other != code and dice.chance(chance):
            echo = load_tongue(other)
    return tongue, echo


def _figures(sale: Sale, fraction_optional: bool, chance: float, figures: Figures, dice: Dice) -> Figures:
    """Omits the decimals of whole amounts, where the country does so and this sale has only whole ones."""
    ledger = sale.ledger
    amounts = [ledger.goods, ledger.due, ledger.payable, ledger.total, *(e.total for e in ledger.entries)]
    amounts += [row.tax for row in ledger.taxes] + [entry.price or Decimal(0) for entry in ledger.entries]
    whole = all(amount == amount.to_integral_value() for amount in amounts)
    if fraction_optional and whole and figures.decimals and dice.chance(chance):
        return dataclasses.replace(figures, trim=True)
    return figures
