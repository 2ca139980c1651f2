"""Finds the quantity on a product row: count, weight or volume, and unit price."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from msgspec.structs import replace

from receipt_engine.arithmetic.products import multiplies_to
from receipt_engine.document import AmountReading, ParsedLine, QuantityReading, QuantityRule, decimals_of
from receipt_engine.stages.items.rows.factors import is_short, made_of
from receipt_engine.stages.items.rows.words import blank_out
from receipt_engine.vocabulary.normalise import count_letters

#: How many times the amount a quantity and a price may make.
FAR = 2
#: What a count of one is misread as, and the sign behind it.
_STROKE = re.compile(r"(?<!\S)[Il|!] ?[xX×*] ?$")
#: A number without letters before a count, which is the size: "RUG 40 x 60", but "PAPER A4 x 2".
_SIZE_BEFORE = re.compile(r"(?<![^\W_])(?<![.,])\d(?:[\w.,]*\d)?$")
_TIMES_COUNT = re.compile(r"[xX]-?\d{1,2}")
_ZEROS = re.compile(r"(-?[1-9]\d{0,2})([.,]0{2,3}) +(?=[^\W\d_]{2})")
#: A pack: a count and a size that is not a price ("20x0,5").
GLUED_SIZE = re.compile(r"\d{1,3}[xX](?:0?[.,]\d{1,3}|\d{1,4}(?:[.,]\d)?)[^\W\d_]{0,2}(?![\w.,])")
#: A whole measure that touches its unit; the fewest letters of a name before a size.
_MEASURE = re.compile(r"\d{1,4}[^\W\d_]{1,3}(?![^\W_])")
_MIN_NAME = 4
#: Fewest pieces of a pack, of which tills do not print the price of one.
_PACK = 10
#: A count right before its price.
_BESIDE_PRICE = re.compile(r"(?<=[^\W\d_][. ]) *(\d{1,4}(?:[.,]0{1,3})?) +$")


def row_quantity(parsed: ParsedLine, amount: AmountReading | None) -> QuantityReading | None:
    """The quantity whose arithmetic fits the amount, else the cheapest one with a price, else a count."""
    likely = [q for q in parsed.quantities if q.cost < 2.5]
    usable = [q for q in likely if not _is_mark(q, amount)]
    usable += [_before_mark(q, parsed.text) for q in likely if q not in usable and q.unit is not None]
    if amount is not None:
        for quantity in usable:
            if quantity.unit_price is not None and multiplies_to(quantity, amount):
                return _counted_again(parsed, quantity, usable)
        made = made_of(parsed, amount, usable)
        if made is None:
            made = _misread_one(parsed, amount)
        if made is not None:
            return made
        if amount.value < 0:  # "3 FOR 66  -13.50" is an offer's name
            usable = [q for q in usable if q.per == 1]
    usable = [q for q in usable if q.unit_price is None or not _is_size(parsed, amount, q)]
    usable = [q for q in usable if not _is_too_much(q, amount)]
    with_price = [q for q in usable if q.unit_price is not None]
    text = parsed.text[: amount.start] if amount is not None else parsed.text
    prices = [
        (a.start, a.end)
        for a in parsed.amounts
        if a.end <= len(text) and (a.decimals or a.currency) and " " not in a.raw.strip()  # "1 10 Pack Soap"
    ]
    text = blank_out(text, prices)
    counts = [
        q for q in usable if q.end <= len(text) and q.unit_price is None and _is_counted(text, q, amount)
    ]
    # A count with its unit right before the amount, not a size in the name: "TYRE 28x1.60  2 pcs  118.00".
    last = next((q for q in counts if q.rule is QuantityRule.UNIT and not text[q.end :].strip(" .")), None)
    if with_price and last is None:
        return min(with_price, key=lambda q: q.cost)
    return last or next(iter(counts), None) or _with_zeros(parsed, amount)


def _with_zeros(parsed: ParsedLine, amount: AmountReading | None) -> QuantityReading | None:
    """A count with zeros behind its point, before a name and not the price of one: "2,00 RYE LOAF"."""
    count = _ZEROS.match(parsed.text)
    if count is None or (amount is not None and (count.end() > amount.start or not amount.decimals)):
        return None
    value = Decimal(count[1])
    if amount is not None and value == abs(amount.value) != 1:
        return None  # "5.00 OFF  -5.00"
    return QuantityReading(
        count.group(), 0, count.end(1) + len(count[2]), value, "count", None, 0.5, QuantityRule.LABEL
    )


def _counted_again(
    parsed: ParsedLine, quantity: QuantityReading, usable: Sequence[QuantityReading]
) -> QuantityReading:
    """The quantity; the same count nearer to its price, where one is printed with a unit or right before it:
    the first number of "3 Paint doors  3 pcs  95.00  285.00" is the place in the list."""
    price = quantity.price_start
    again = (
        other
        for other in usable
        if other.rule is QuantityRule.UNIT and other.value == quantity.value and other.kind == quantity.kind
        if quantity.end < other.start and price is not None and other.end <= price
    )
    nearer = next(again, None)
    if nearer is not None:
        return replace(quantity, raw=nearer.raw, start=nearer.start, end=nearer.end)
    beside = _BESIDE_PRICE.search(parsed.text, quantity.end, max(price or 0, quantity.end))
    if beside is None or Decimal(beside[1].replace(",", ".")) != quantity.value or quantity.unit is not None:
        return quantity
    return replace(quantity, raw=beside[1], start=beside.start(1), end=beside.end(1))


def _is_too_much(quantity: QuantityReading, amount: AmountReading | None) -> bool:
    """Whether a number and a price make far more than the amount, as a size or an article number would,
    "PAPER 80gsm @ 2.00  4.24"; or are an offer that was not taken: "1 HOT DOG 2/$4  2.50"."""
    if amount is None or quantity.unit_price is None or amount.start < quantity.end:
        return False
    if quantity.per != 1:
        return quantity.value == quantity.per
    return quantity.value * quantity.unit_price > FAR * abs(amount.value) > 0


def _misread_one(parsed: ParsedLine, amount: AmountReading) -> QuantityReading | None:
    """A count of one that was read as a letter or bar, before a price that equals the amount: "I X 4.20"."""
    for price in parsed.amounts:
        stroke = _STROKE.search(parsed.text, 0, price.start)
        if stroke is not None and price.end <= amount.start and price.value == amount.value:
            start, end = stroke.span()
            return QuantityReading(
                stroke.group(), start, end, Decimal(1), "count", None, 0.3, QuantityRule.PRICED,
                price.value, Decimal(1), price.start, price.end,
            )  # fmt: skip
    return None


def _is_mark(quantity: QuantityReading, amount: AmountReading | None) -> bool:
    """Whether a star between a number and the row's amount is a mark on the amount ("TABS 20 * 48.95")."""
    return (
        amount is not None
        and quantity.rule is QuantityRule.STARRED_PRICE
        and quantity.price_start == amount.start
    )


def _before_mark(quantity: QuantityReading, text: str) -> QuantityReading:
    """The count with its unit before a marked amount: "@95 x 2pc *190"."""
    raw = text[quantity.start : quantity.price_start].rstrip(" *")
    end = quantity.start + len(raw)
    return replace(quantity, raw=raw, end=end, unit_price=None, price_start=None, price_end=None)


def _is_size(parsed: ParsedLine, amount: AmountReading | None, quantity: QuantityReading) -> bool:
    """Whether two numbers that do not multiply to an amount with decimals are a pack size: whole numbers
    ("TABLETS 400 X 20  389.00"), or glued together after the name, without cents ("PILS 20x0,5")."""
    if amount is None:
        return _is_in_name(parsed, quantity)
    if not amount.decimals or quantity.price_start is None:
        return False
    if GLUED_SIZE.match(parsed.text, quantity.start) and any(map(str.isalpha, parsed.text[: quantity.start])):
        return True
    price = next((a for a in parsed.amounts if a.start == quantity.price_start), None)
    return price is not None and price.raw.isdigit() and price.currency is None


def _is_in_name(parsed: ParsedLine, quantity: QuantityReading) -> bool:
    """Whether whole numbers behind a name, whose amount is on another row, are its size: glued together
    ("SHEET SET 90*188"), or with a unit that touches the number before the price ("BEANS 400G @7.20")."""
    start, price = quantity.start, quantity.price_start
    if quantity.value % 1 or price is None or count_letters(parsed.text[:start]) < _MIN_NAME:
        return False
    if quantity.kind == "count":
        whole = next((a for a in parsed.amounts if a.start == price and a.raw.isdigit()), None)
        return whole is not None and whole.currency is None and " " not in parsed.text[start:price]
    return _MEASURE.match(parsed.text, start) is not None


def _is_counted(text: str, quantity: QuantityReading, amount: AmountReading | None) -> bool:
    """Whether a count without a price is the row's quantity, not part of the name ("SOCKS 5PK")."""
    if quantity.kind != "count" or quantity.rule is QuantityRule.LEADING:
        return False
    if quantity.value < 0 < (0 if amount is None else amount.value):
        return False  # a returned product has a negative amount: "205- Noodles  9.80"
    if quantity.value % 1:
        return False  # a size without its unit, before the unit of the price: "1.51 ea"
    before = text[: quantity.start].rstrip()
    # A size, then the count of a return: "42 -1 pc".
    behind = _SIZE_BEFORE.search(before) is not None and quantity.value > 0
    if before.endswith("(") or (behind and not _TIMES_COUNT.fullmatch(quantity.raw.strip())):
        return False
    if quantity.rule is not QuantityRule.UNIT:
        return True
    first, last = not text[: quantity.start].strip(), not text[quantity.end :].strip(" :.*-")
    if last and not first and quantity.value >= _PACK and not _divides(quantity.value, amount):
        return False  # "TABLETS 500mg 20 pcs  34.90"
    # Nobody packs one: "TEA 1st". Units of one character are left to the column of counts that they form.
    single = last and quantity.value == 1 and len(quantity.unit or "") > 1
    return (single or " " in quantity.raw.strip()) and (first or (last and is_short(quantity)))


def _divides(count: Decimal, amount: AmountReading | None) -> bool:
    """Whether an amount is that of so many pieces at a price without fractions of its smallest unit."""
    return amount is None or amount.value.scaleb(amount.decimals) % count == 0


def _is_price(quantity: QuantityReading, amount: AmountReading | None) -> bool:
    """Whether the number before the multiplication sign is the unit price, and the count after it was not
    read: in "3.29 x  6.58" the row's amount is twice the price."""
    if amount is None or quantity.end < amount.end or quantity.unit_price != amount.value:
        return False
    price = quantity.value
    return price % 1 != 0 and decimals_of(price) == amount.decimals and amount.value % price == 0


def row_values(
    parsed: ParsedLine, amount: AmountReading | None, quantity: QuantityReading | None
) -> tuple[Decimal | None, Decimal | None, Decimal | None]:
    """(quantity, unit price, weight or volume) of the row."""
    if quantity is not None:
        if quantity.kind == "count":
            if _is_price(quantity, amount):
                return None, quantity.value, None
            return quantity.value, _price_of_each(quantity), None
        return None, _price_of_each(quantity), quantity.value
    marked = _price_after_sign(parsed, amount)
    if amount is None or marked is not None:
        return None, marked or _price_of_one(parsed), None
    others = [a for a in parsed.amounts if a is not amount and a.is_plausible]
    repeated = any(o.end <= amount.start and o.value == amount.value > 0 and o.decimals for o in others)
    return None, (amount.value if repeated else None), None


def _price_of_each(quantity: QuantityReading) -> Decimal | None:
    """The price of one piece, also where that of several together is printed: "4 @ 2/3.00"."""
    price = quantity.unit_price
    if price is None or quantity.per == 1:
        return price
    each = price / quantity.per
    return each if each == round(each, 2) else each.quantize(price)


def _price_of_one(parsed: ParsedLine) -> Decimal | None:
    """The price on a row with nothing else, before a word for one: "(2.50 each)"."""
    prices = [q.value for q in parsed.quantities if q.rule is QuantityRule.UNIT and q.kind == "count"]
    return prices[0] if len(parsed.amounts) == len(prices) == 1 and prices[0] % 1 else None


def _price_after_sign(parsed: ParsedLine, amount: AmountReading | None) -> Decimal | None:
    """The unit price behind a sign for one: "STEEL HINGE @6.20". Beside an amount, some whole times it."""
    for price in parsed.amounts:
        signed = parsed.text[: price.start].rstrip(" $€£").endswith("@")
        alone = not any(map(str.isalnum, parsed.text[: price.start] + parsed.text[price.end :]))
        money = price.is_plausible and price.decimals
        if not signed or price is amount or not (money or (alone and price.raw.isdigit())):
            continue
        if amount is None or (price.end <= amount.start and price.value > 0 == amount.value % price.value):
            return price.value
    return None
