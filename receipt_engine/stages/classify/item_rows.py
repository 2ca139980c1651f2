"""What each row of the product block is, taken alone: its amount, quantity, price, code and words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from receipt_engine.document import AmountReading, ParsedLine, QuantityReading, RoleMatch
from receipt_engine.region import Role
from receipt_engine.stages.classify.columns import PLAUSIBLE, row_amount

#: named: words and an amount. bare: an amount that belongs to words on another row. detail: a quantity
#: or price without an amount of its own. text: words alone. code: a number alone. skip: not a product.
RowKind = Literal["named", "bare", "detail", "text", "code", "skip"]

_NOT_PRODUCTS: frozenset[Role] = frozenset(
    [
        "total",
        "subtotal",
        "tax",
        "total_tax",
        "net",
        "gross",
        "tip",
        "service",
        "rounding",
        "cash",
        "card",
        "change",
        "savings",
        "loyalty",
        "balance",
        "item_count",
        "suggested",
    ]
)
_ABOUT_SALE: frozenset[Role] = frozenset(
    ("date", "phone", "fax", "tax_id", "receipt_number", "cashier", "header", "invoice", "company", "footer")
)
_CODE = re.compile(r"(?<![\w.,])(?=[\w/-]*\d{3})(?:[A-Z]{0,4}[-/]?)?\d[\dA-Z/-]{3,17}(?![\w.,])")
_LONG_DIGITS = re.compile(r"(?<![\d.,])\d{5,14}(?![\d.,])")
_COUNT = re.compile(r"(?<![\w.,/-])(-?\d{1,3})(?:\.0{1,3})?(?![\w.,%/-])")
_LEADING_COUNT = re.compile(r"^(\d{1,3})(?: ?[xX×*])? +(?=[^\W\d_])")
_SURE = 0.5
_MONEY_ROUNDING = Decimal("0.011")


@dataclass(frozen=True, slots=True)
class ItemRow:
    """One row of the block. index: its row on the page. words: the row without amounts, quantities and
    codes; desc: the row up to its amount, as printed."""

    index: int
    kind: RowKind
    desc: str
    words: str
    amount: AmountReading | None = None
    qty: Decimal | None = None
    price: Decimal | None = None
    unit: Decimal | None = None
    code: str | None = None
    leading_count: bool = False
    discount: bool = False


def read_row(index: int, parsed: ParsedLine, roles: Sequence[RoleMatch], column: bool) -> ItemRow:
    """The row as an item row."""
    amount = row_amount(parsed) if column else None
    quantity = _quantity(parsed, amount)
    qty, price, unit = _values(parsed, amount, quantity)
    multiplies = amount is not None and quantity is not None and fits(quantity, amount)
    if not multiplies and _is_no_product(parsed, roles, amount):
        return ItemRow(index, "skip", parsed.text, "")
    end = amount.start if amount is not None else len(parsed.text)
    desc = parsed.text[:end].strip(" :.*")
    code, words = _words(parsed, end, quantity)
    leading = _LEADING_COUNT.match(words)
    named = sum(c.isalpha() for c in words) >= 2
    kind: RowKind
    if amount is not None:
        kind = "named" if named else "bare"
    elif quantity is not None and quantity.unit_price is not None and not _mostly_words(words):
        kind = "detail"
    elif not named:
        kind = "code" if code else "detail" if parsed.amounts or quantity else "skip"
    else:
        kind = "text"
    discount = any(m.role in ("discount", "void") and m.weight >= 0.5 for m in roles)
    return ItemRow(index, kind, desc, words, amount, qty, price, unit, code, leading is not None, discount)


def leading_count(words: str) -> tuple[Decimal, str] | None:
    """A count at the start of the words, and the words without it."""
    match = _LEADING_COUNT.match(words)
    return (Decimal(match.group(1)), words[match.end() :]) if match else None


def _is_no_product(parsed: ParsedLine, roles: Sequence[RoleMatch], amount: AmountReading | None) -> bool:
    letters = sum(c.isalpha() for c in parsed.text)
    if amount is not None and any(m.role in ("deposit", "void") and m.weight >= 0.5 for m in roles):
        return False
    for match in roles:
        covers = len(match.phrase) >= 0.4 * letters
        if match.role == "savings" and amount is not None and amount.value < 0:
            continue  # not told, but subtracted
        if match.role in _NOT_PRODUCTS and match.weight >= 0.6 and covers:
            return True
        about = match.role in _ABOUT_SALE and match.weight >= 0.6 and len(match.phrase) > 2
        # A room may be sold, a table not: with a sure amount the words are what was bought.
        if about and (amount is None or (covers and amount.readings[0].cost > _SURE)):
            return True
    headings = sum(1 for m in roles if m.role == "column" and m.weight >= 0.4)
    return headings >= 2 and amount is None


def _quantity(parsed: ParsedLine, amount: AmountReading | None) -> QuantityReading | None:
    """The quantity whose arithmetic fits the amount, else the cheapest one with a price or a unit."""
    usable = [q for q in parsed.quantities if q.cost < 2.5]
    if amount is not None:
        for quantity in usable:
            if quantity.unit_price is not None and fits(quantity, amount):
                return quantity
    with_price = [q for q in usable if q.unit_price is not None]
    if with_price:
        return min(with_price, key=lambda q: q.cost)
    return next((q for q in usable if q.kind == "count"), None)


def fits(quantity: QuantityReading, amount: AmountReading) -> bool:
    """Whether quantity × unit price is one of the amount's readings."""
    if quantity.unit_price is None:
        return False
    product = quantity.value * quantity.unit_price / quantity.per
    return any(abs(product - abs(m.value)) <= _MONEY_ROUNDING for m in amount.readings)


def _values(
    parsed: ParsedLine, amount: AmountReading | None, quantity: QuantityReading | None
) -> tuple[Decimal | None, Decimal | None, Decimal | None]:
    """(quantity, unit price, weight or volume) of the row."""
    if quantity is not None and (quantity.unit_price is not None or quantity.kind == "count"):
        if quantity.kind == "count":
            return quantity.value, quantity.unit_price, None
        return None, quantity.unit_price, quantity.value
    if amount is None:
        return None, None, None
    others = [a for a in parsed.amounts if a is not amount and a.readings[0].cost < PLAUSIBLE]
    end = amount.start
    for match in _COUNT.finditer(parsed.text[:end]):
        count = Decimal(match.group(1))
        for other in others:
            if other.start <= match.start() < other.end or count == 0:
                continue
            if abs(count * other.value - amount.value) <= _MONEY_ROUNDING:
                return count, abs(other.value), None
    return None, None, None


def _words(parsed: ParsedLine, end: int, quantity: QuantityReading | None) -> tuple[str | None, str]:
    """(product code, the words that remain without numbers that mean something else)."""
    text = parsed.text
    holes: list[tuple[int, int]] = [
        (a.start, a.end) for a in parsed.amounts if a.readings[0].cost < PLAUSIBLE
    ]
    if quantity is not None and (quantity.unit_price is not None):
        holes.append((quantity.start, quantity.end))
    for start, stop in sorted(holes, reverse=True):
        text = text[:start] + " " * (stop - start) + text[stop:]
    text = text[:end]
    code = None
    match = _LONG_DIGITS.search(text) or (_CODE.match(text.strip()) if text.strip() else None)
    if match is not None:
        code = match.group()
        text = text.replace(code, " ", 1)
    return code, re.sub(r"\s+", " ", text).strip(" :.*-@xX×/=|")


def _mostly_words(words: str) -> bool:
    return sum(c.isalpha() for c in words) > 8
