"""Defines one till's style, sampled once for each receipt, so that no two look alike."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from scripts.make_receipts.dice import Dice
from scripts.make_receipts.vocabulary import Country

#: Arrangement of the line items → weight; by kind of receipt below.
LAYOUTS = {
    "plain": 3.0,  # name and amount; a detail line below or above for several or weighed
    "quantity_first": 3.0,  # 2 Name 5.00
    "quantity_after": 0.8,  # Name x2 5.00
    "amount_below": 2.5,  # Name, and below it 2 x 2.50 5.00
    "columns": 2.5,  # under a heading row
    "two_amounts": 1.2,  # Name 2.50 5.00
}
_KIND_LAYOUTS = {
    "restaurant": {"quantity_first": 9.0, "columns": 3.0, "amount_below": 1.0},
    "invoice": {"columns": 14.0, "amount_below": 1.5},
    "transport": {"plain": 9.0, "columns": 0.5, "two_amounts": 0.3},
}


@dataclass(frozen=True, slots=True)
class Style:
    """width: columns. rule, heavy: marks of ruled lines. layout: one of LAYOUTS. detail: "above" or
    "below". marks: "letters", "star", "digits" or "none" for tax codes after amounts. sku: "none",
    "inline" or "line". total: style of the total's row. meta: where date and number stand. long_names:
    "cut" or "wrap"."""

    width: int
    rule: str
    heavy: str
    layout: str
    detail: str
    indent: int
    always_quantity: bool
    times: str
    per_unit: bool
    marks: str
    sku: str
    total: str
    total_below: bool
    meta: str
    long_names: str
    upper_items: bool
    upper_labels: bool
    accents: bool
    abbreviate: bool
    sign_items: bool
    sign_lines: bool
    sign_label: bool
    numbered: bool
    headings: bool
    colon: str
    header: str

    def ink(self, text: str, upper: bool) -> str:
        """A text as this till can print it."""
        if not self.accents:
            text = plain_letters(text)
        return capitals(text) if upper else text


def choose_style(kind: str, country: Country, script_wide: bool, dice: Dice) -> Style:
    """The style of one till."""
    layouts = {**LAYOUTS, **_KIND_LAYOUTS.get(kind, {})}
    layout = dice.weighted(layouts)
    narrow = 32 if layout == "columns" else 24
    if kind == "invoice":
        narrow = 38
    if script_wide:
        narrow = max(narrow, 30)
    width = dice.pick([w for w in (24, 28, 30, 32, 32, 34, 36, 38, 40, 40, 42, 42, 44, 48) if w >= narrow])
    rule = dice.pick(("-", "-", "-", "=", ".", "*", "_", "", "- "))
    return Style(
        width=width,
        rule=rule,
        heavy=dice.pick((rule, rule, "=", "*")),
        layout=layout,
        detail=dice.pick(("below", "below", "above")),
        indent=dice.pick((0, 1, 2, 2, 3, 4)),
        always_quantity=dice.chance(0.4),
        times=dice.pick(("x", "x", "X", "@", "*", " x ", " X ", " @ ", " x", "x ")),
        per_unit=dice.chance(0.4),
        marks=dice.weighted(
            {"none": 4, "star": 3} if script_wide else {"letters": 4, "none": 5, "star": 1.5, "digits": 1}
        ),
        sku=dice.weighted({"none": 300 if kind == "restaurant" else 6, "inline": 1.6, "line": 1.2}),
        total=dice.pick(("bold", "tall", "big", "bold tall", "big bold", "", "bold")),
        total_below=dice.chance(0.06),
        meta=dice.weighted({"top": 5, "bottom": 2}),
        long_names=dice.pick(("cut", "wrap")),
        upper_items=dice.chance(country.capitals) and not script_wide,
        upper_labels=dice.chance(country.capitals) and not script_wide,
        accents=not dice.chance(country.no_accents),
        abbreviate=dice.chance(0.12) and not script_wide,
        sign_items=dice.chance(0.15),
        sign_lines=dice.chance(0.3),
        sign_label=dice.chance(0.2),
        numbered=dice.chance(0.04),
        headings=dice.chance(0.25),
        colon=dice.weighted({":": 6, "": 1.5, " :": 1.5, ".": 0.4, "..:": 0.2}),
        header=dice.weighted({"center": 8, "": 1}),
    )


def plain_letters(text: str) -> str:
    """The text without accents, as old printers print it.

    >>> plain_letters("Façade Đà Nẵng")
    'Facade Da Nang'
    """
    swapped = text.translate(str.maketrans("ĐđØøŁłʻ‘’", "DdOoLl'''"))
    return "".join(_base(char) if char > "\x7f" else char for char in swapped)


def _base(char: str) -> str:
    if not unicodedata.name(char, "").startswith(("LATIN", "GREEK", "COMBINING")):
        return char
    return "".join(c for c in unicodedata.normalize("NFD", char) if not unicodedata.combining(c))


def capitals(text: str) -> str:
    """Upper case as printed: Greek loses its accents, ß becomes two letters.

    >>> capitals("Ψωμί")
    'ΨΩΜΙ'
    """
    upper = text.upper()
    if re.search("[Α-Ω]", upper):
        upper = unicodedata.normalize("NFC", plain_letters(upper))
    return upper


def abbreviated(name: str) -> str:
    """A long name as tills shorten it, without inner vowels.

    >>> abbreviated("Chicken Breast")
    'Chckn Brst'
    """
    words = []
    for word in name.split(" "):
        if len(word) > 5 and word.isalpha() and word.isascii():
            word = word[0] + re.sub("[aeiou]", "", word[1:])
        words.append(word)
    return " ".join(words)
