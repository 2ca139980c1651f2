"""Finds counts, weights and volumes in a printed line, with the unit price beside them.

>>> from receipt_engine.region import load_region
>>> [(q.value, q.unit, q.unit_price) for q in find_quantities("0,456 kg x 2,99 EUR/kg", load_region("de"))]
[(Decimal('0.456'), 'kg', Decimal('2.99'))]
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from typing import Literal, NamedTuple

from receipt_engine.document import MEASURED, AmountReading, AmountRule, QuantityReading, QuantityRule
from receipt_engine.region import Region
from receipt_engine.scoring.costs import ACCEPTED
from receipt_engine.stages.parse.amounts import find_amounts
from receipt_engine.stages.parse.limits import MAX_LINE
from receipt_engine.stages.parse.quantities.products import is_scaled, price_signs, products
from receipt_engine.vocabulary.confusions import COUNT_LIKE, misread_digits, with_digits
from receipt_engine.vocabulary.normalise import ascii_forms
from receipt_engine.vocabulary.terms import term_at_end, term_at_start
from receipt_engine.vocabulary.units import Unit, units_of

_HAS_DIGIT = re.compile("[0-9]")
#: A number; a weight's decimals may stand apart: "1 ,285 kg".
_NUMBER = re.compile(
    r"(?:(?<=\b[nN]\.)|(?<![\w.,/:#%-]))(?P<minus>-)?"
    r"(?P<number>[0-9]{1,3} [.,][0-9]{3}(?= [^\W\d_])|[0-9]{1,6}(?:[.,][0-9]{1,4})?|\.[0-9]{2,3})"
    r"(?P<back>-)?(?![0-9.,]*[0-9%:])(?!/(?![$€£]|[0-9]+[.,][0-9]{2}(?![0-9])))"
)
#: Greek and Cyrillic letters printed as the multiplication sign before a number.
_OTHER_X = re.compile(r"(?<![^\W\d_])[ΧχХх](?= ?[0-9])")
#: The stroke of "2/u x 3.650" and "0.535/KGM x 4.980".
_PER = re.compile(r"(?<=[0-9])/(?=[^\W\d_]{1,3} ?[xX*] ?[0-9])")
#: A misread "kg" behind a number or a stroke.
_KILOGRAM = re.compile(r"(?<=[0-9/ ])k9(?![^\W_])")
#: Letters for digits in a number with a point ("1.OOO PCS"), or alone at the head of a row before a
#: multiplication sign and a name or price ("l x SOUP", "S pcs x 0.79").
_MISREAD = re.compile(
    rf"(?<![\w.,])(?=[{COUNT_LIKE}]*[.,]?[{COUNT_LIKE}]*[0-9])[0-9{COUNT_LIKE}]+[.,][0-9{COUNT_LIKE}]+(?![\w.,])"
    r"|^ ?[OIlSZB]+(?= ?(?:[^\W\d_]{2,5}\.? ?)?[xX*] ?[^\W_])"
)
_CENTS = re.compile(r"[.,][0-9]{2}$")
_BEFORE = re.compile(
    r"(?<![^\W_\"'])[xX] ?(?P<minus>-)?(?P<number>[0-9]{1,3})(?![\w.,%]*[0-9%])(?![^\W\d_]|[\"'-])"
)
_THREE_NUMBERS = re.compile(r"[0-9][^0-9]+[0-9]+[^0-9]+[0-9]+[^0-9]+[0-9]")
_PER_UNIT = re.compile(r" ?/ ?[^\W\d_]{1,3}\.? ?[xX*]? ?")
_TIMES_UNIT = re.compile(r" ?[xX*] ?")
#: The sign after a count, before no price; an article number may follow ("3x 9550012345670").
_MARK_AFTER = re.compile(r" ?[xX](?:(?![^\W_]| ?-?[0-9])|(?= [0-9]{8,14}(?![0-9.,])))")
#: A number that touches its label: "Qtde.:1".
_TOUCHING = re.compile(r"(?:(?<=[^\W\d_]:)|(?<=[^\W\d_]\.:))(?P<number>[0-9]{1,3})(?![\w.,:%/-])")
_LEADING = re.compile(r" ?(?P<number>[0-9]{1,2}) (?=[^\W\d_]{2})")
#: Letters from which a word between count and price is more likely a name than a unit.
_SHORTEST_NAME = 4
_SMALL = Decimal(1000)
#: Most digits of a count without a price.
_LONGEST_COUNT = 3
_LABEL_LENGTH = 20

_Kind = Literal["count", "weight", "volume"]


def find_quantities(text: str, region: Region) -> tuple[QuantityReading, ...]:
    """Every quantity of a line, left to right, without overlap.

    Costs are as in the package docstring. A bare number at the head of a line ("2 COFFEE") is only a
    guess. A count is negative when a minus stands before or after it.
    """
    if not _HAS_DIGIT.search(text) and text.isascii():
        return ()
    line = _KILOGRAM.sub("kg", _PER.sub(" ", _OTHER_X.sub("x", ascii_forms(text[:MAX_LINE]))))
    if not _HAS_DIGIT.search(line):
        return ()
    line = _MISREAD.sub(lambda run: with_digits(run[0], misread_digits(run[0])), line)
    search = _Search(line, text, region)
    found = sorted(_widest(tuple(search.all())), key=lambda q: (q.cost, q.start - q.end))
    chosen: list[QuantityReading] = []
    for quantity in found:
        if all(quantity.end <= other.start or other.end <= quantity.start for other in chosen):
            chosen.append(quantity)
    return tuple(sorted(chosen, key=lambda q: q.start))


def _widest(found: tuple[QuantityReading, ...]) -> Iterator[QuantityReading]:
    """Drops products ("2", of "2 pcs x 4.50  9.00") that a reading of the same values with signs encloses."""
    for own in found:
        enclosed = own.rule is QuantityRule.PRODUCT and any(
            q.rule is not QuantityRule.PRODUCT
            and (q.value, q.unit_price) == (own.value, own.unit_price)
            and q.start <= own.start
            and (own.price_end or own.end) <= q.end
            for q in found
        )
        if not enclosed:
            yield own


class _Measure(NamedTuple):
    """A value with its unit, None without one."""

    value: Decimal
    kind: _Kind
    unit: str | None


class _Search:
    """Finds the quantities of one line; its amounts are searched on demand."""

    def __init__(self, line: str, text: str, region: Region) -> None:
        self._line = line
        self._text = text
        self._units = units_of(region)
        self._signs = price_signs()
        self._codes = frozenset(region.tax.codes)
        self._amounts = cache(lambda: find_amounts(text, region))

    def all(self) -> Iterator[QuantityReading]:
        for match in _NUMBER.finditer(self._line):
            yield from self._at(match)
        for match in _BEFORE.finditer(self._line):
            count = _Measure(self._value(match, None), "count", None)
            rule = QuantityRule.MARK_BEFORE
            priced = self._priced(match.start(), match.end(), count, 0.3, rule)
            yield priced or self._reading(match.start(), match.end(), count, 0.4, rule)
        for match in _TOUCHING.finditer(self._line):
            yield from self._bare(match, _Measure(self._value(match, None), "count", None))
        leading = _LEADING.match(self._line)
        if leading:
            count = _Measure(Decimal(leading["number"]), "count", None)
            yield self._reading(0, leading.end() - 1, count, 1.5, QuantityRule.LEADING)
        if _THREE_NUMBERS.search(self._line):
            yield from products(self._line, self._text, self._amounts(), self._units)

    def _at(self, match: re.Match[str]) -> Iterator[QuantityReading]:
        """The quantity that a number with its surroundings shows, if any."""
        unit = self._units.after(self._line, match.end("number"))
        if match["number"].startswith(".") and (unit is None or unit.kind == "count"):
            return  # ".45 lb", but ".50 off"
        if unit is None or self._is_size(match, unit):
            count = _Measure(self._value(match, None), "count", None)
            priced = self._priced(match.start(), match.end(), count, 0.2, None)
            if priced is not None:
                yield priced
            elif match["number"].isdigit() and len(match["number"]) <= _LONGEST_COUNT:
                yield from self._bare(match, count)
        elif self._is_tax_code(match, unit) or self._is_article(match, unit):
            return
        elif unit.kind != "other" or self._signs.times.match(self._line, unit.end):
            yield self._with_unit(match, unit)

    def _is_size(self, match: re.Match[str], unit: Unit) -> bool:
        """Whether a unit is really the shortened size that a name begins with: "2 gr. Pils"."""
        first = len(match["number"]) == 1 and not self._line[: match.start()].strip()
        shortened = "." in self._line[unit.end - 1 : unit.end + 1]
        return first and shortened and self._units.is_small(unit.text)

    def _is_tax_code(self, match: re.Match[str], unit: Unit) -> bool:
        """Whether the unit is really a tax code that ends the row after an amount ("3.00 Г",
        "$5.800 G")."""
        ends = not self._line[unit.end :].strip(" .")
        if not ends or not unit.text.isupper() or unit.text not in self._codes:
            return False
        marked = any(a.currency and a.start <= match.start() < a.end for a in self._amounts())
        return marked or _CENTS.search(match["number"]) is not None

    def _is_article(self, match: re.Match[str], unit: Unit) -> bool:
        """Whether a number is too long for a count without a price: an article number before a name that
        begins like a unit ("88102 KS PAPER")."""
        long = match["number"].isdigit() and len(match["number"]) > _LONGEST_COUNT
        times = self._signs.times.match(self._line, unit.end)
        priced = times is not None and len(times["word"] or "") < _SHORTEST_NAME
        return long and unit.kind == "count" and not priced

    def _with_unit(self, match: re.Match[str], unit: Unit) -> QuantityReading:
        """A number with its unit, and with the price on either side if there is one."""
        kind = unit.kind if unit.kind != "other" else "count"
        measure = _Measure(self._value(match, unit.text), kind, unit.text)
        start, end = match.start(), unit.end
        cost = 0.2 if kind == "count" or not match["number"].isdigit() else 0.6
        priced = self._priced(start, end, measure, cost, None)
        if priced is not None:
            return priced
        if (price := self._price_behind(end)) is not None:
            return self._reading(start, price.end, measure, 0.2, QuantityRule.PRICE_PER_UNIT, price)
        if (price := self._price_before(start, _PER_UNIT)) is not None and "/" in self._line:
            return self._reading(price.start, end, measure, 0.3, QuantityRule.PRICE_FIRST, price)
        if kind == "count" and (price := self._price_before(start, _TIMES_UNIT)) is not None:
            each = _as_printed(price)
            return self._reading(price.start, end, measure, 0.3, QuantityRule.PRICE_FIRST, price, each)
        return self._reading(start, end, measure, cost, QuantityRule.UNIT)

    def _price_of_one(self, end: int) -> AmountReading | None:
        """The price right behind a count, with a word for one behind it: "Qty 2  4.90 each"."""
        price = next((a for a in self._amounts() if a.start >= end), None)
        if price is None or self._line[end : price.start].strip():
            return None
        return price if term_at_start(self._line[price.end :].lstrip(), "apiece") is not None else None

    def _bare(self, match: re.Match[str], count: _Measure) -> Iterator[QuantityReading]:
        """A count identified by its mark alone: "2x", "1- " for a return, "Qty 2"."""
        start, end = match.span()
        behind = self._line[end : end + 1]  # a letter: "CAN 12P" is the size of the pack
        mark = _MARK_AFTER.match(self._line, end)
        if mark:
            yield self._reading(start, mark.end(), count, 0.3, QuantityRule.MARK_BEHIND)
        elif match.groupdict().get("back") and behind.isspace():
            yield self._reading(start, end, count, 0.8, QuantityRule.DASH_BEHIND)
        elif not behind.isalpha() and _is_labelled(self._line, start):
            price = self._price_of_one(end)
            end, cost = (end, 0.3) if price is None else (price.end, 0.1)
            yield self._reading(start, end, count, cost, QuantityRule.LABEL, price)

    def _priced(
        self, start: int, end: int, measure: _Measure, cost: float, rule: QuantityRule | None
    ) -> QuantityReading | None:
        """The quantity if a price follows it ("2 x 1,49"), or if it follows one ("1,49 x 2"); else None."""
        first = self._line[end : end + 2].lstrip(" ")[:1]
        if not (first.isalpha() or first in ("*", "@", "/")):
            return None
        times = self._signs.times.match(self._line, end)
        if times is None:
            return None
        sign, word, unit = times["sign"].lower(), times["word"], measure.unit
        bundled = sign in self._signs.bundles
        each = sign == "@" or (sign.isalpha() and sign != "x" and not bundled)  # "4 AT 1 FOR 0.88"
        per = self._signs.per.match(self._line, times.end()) if each else None
        price = self._amount_at(per.end() if per else times.end())
        if price is None or (sign == "*" and unit is not None and self._units.is_small(unit)):
            return None  # "COLA 600ML * 4.50": the star marks a tax
        if bundled and price.raw.isdigit() and price.value < measure.value:
            return None  # "3 FOR 2": the pieces that an offer gives and counts
        behind = self._line[price.end : price.end + 2]
        if behind[:1].isalpha() and (behind[1:].isdigit() or self._units.after(self._line, price.end)):
            return None  # "FOIL 30CM*7.62M": a size; "4X7712K009": a serial number
        weighed = sign == "x" and measure.unit is not None and not any(map(str.isalpha, self._line[:start]))
        if (word or "." in str(measure.value)) and not weighed and self._is_code(times["sign"], price):
            return None  # "BEER 0,5 A 4,60", "1 LEMONADE A 3,10"; not "0.615 KG X 8.40" without a name before
        alone = not self._line[:start].strip(" (") and not self._line[price.end :].strip(" )")
        named = word is not None and len(word) >= _SHORTEST_NAME and not alone  # "2 Latte @ 3.50"
        if named or (word and not unit):
            cost += 0.5
        if word and not unit and not named:
            measure = measure._replace(unit=word)
        factor = self._amount_at(start) if measure.unit is None and sign in ("x", "*") else None
        if factor is not None and (turned := self._price_first(start, factor, price)) is not None:
            return turned
        whole = price.decimals == 0 and price.currency is None and price.readings[0].cost > ACCEPTED
        doubtful = whole and measure.unit is None and not alone
        if (doubtful and sign != "@" and not bundled) or (
            measure.value >= _SMALL and measure.kind == "count"
        ):
            return None
        if named:
            rule = QuantityRule.NAMED_PRICE
        elif rule is None:
            rule = QuantityRule.STARRED_PRICE if sign == "*" else QuantityRule.PRICED
        cost += 0.8 if doubtful or sign == "/" else 0.0
        bundle = measure.value if bundled or sign == "/" else Decimal(per["per"]) if per else Decimal(1)
        return self._reading(start, price.end, measure, cost, rule, price, _as_printed(price), bundle)

    def _price_first(self, start: int, price: AmountReading, count: AmountReading) -> QuantityReading | None:
        """The quantity if its price stands before it ("1,49 x 2", "@580x6"); else None."""
        signed = self._line[:start].endswith("@")
        counted = _is_count(count) or (price.decimals < MEASURED and is_scaled(count.value, price.value))
        if not counted or not (signed or _is_price(price, count)):
            return None
        measure = _Measure(abs(count.value), "count", None)
        return self._reading(
            start, count.end, measure, 0.4, QuantityRule.PRICE_FIRST, price, abs(price.value)
        )

    def _is_code(self, sign: str, price: AmountReading) -> bool:
        """Whether a letter is more likely the tax code before the row's last amount."""
        return sign.isupper() and sign in self._codes and price is self._amounts()[-1]

    def _amount_at(self, position: int) -> AmountReading | None:
        """The amount that begins at `position`, perhaps after a word for the unit price."""
        label = self._signs.label.match(self._line, position)
        position = label.end() if label is not None else position
        return next(
            (a for a in self._amounts() if a.start <= position < a.end and position - a.start <= 1), None
        )

    def _price_before(self, start: int, between: re.Pattern[str]) -> AmountReading | None:
        """The unit price printed before `start`: "2,79 EUR/kg x 0,345 kg", "@218 x 2点"."""
        before = (amount for amount in self._amounts() if amount.end < start)
        return next((a for a in before if between.fullmatch(self._line, a.end, start)), None)

    def _price_behind(self, end: int) -> AmountReading | None:
        """The unit price printed right after a weight: "0,345 kg 2,79 EUR/kg"."""
        if "/" not in self._line:
            return None
        price = self._amount_at(end)
        return price if price is not None and _PER_UNIT.match(self._line, price.end) else None

    def _value(self, match: re.Match[str], unit: str | None) -> Decimal:
        head, _, tail = match["number"].replace(" ", "").replace(",", ".").partition(".")
        thousands = len(tail) == 3 and head != "0" and unit is not None and self._units.is_small(unit)
        value = Decimal(head + tail if thousands or not tail else f"{head}.{tail}")
        groups = match.groupdict()
        return -value if groups.get("minus") or groups.get("back") else value

    def _reading(
        self,
        start: int,
        end: int,
        measure: _Measure,
        cost: float,
        rule: QuantityRule,
        price: AmountReading | None = None,
        each: Decimal | None = None,
        per: Decimal = Decimal(1),
    ) -> QuantityReading:
        """A reading with its raw text. each: the price of `per` units, if not the amount's value."""
        raw = self._text[start:end]
        if price is None:
            return QuantityReading(raw, start, end, *measure, cost, rule)
        unit_price = price.value if each is None else each
        return QuantityReading(raw, start, end, *measure, cost, rule, unit_price, per, price.start, price.end)


def _as_printed(price: AmountReading) -> Decimal:
    """The price's value; after a quantity, digits without a point are whole units, not minor ones."""
    whole = (m.value for m in price.readings if m.rule is AmountRule.WHOLE and m.start is None)
    return next(whole, price.value) if price.raw.isdigit() else price.value


def _is_count(amount: AmountReading) -> bool:
    """A small whole number without a currency."""
    return amount.decimals == 0 and amount.currency is None and 0 < amount.value < _SMALL


def _is_price(amount: AmountReading, count: AmountReading) -> bool:
    """Whether the first factor is the price: it has a currency or decimals, or is larger and plausible, or
    larger than a single one ("29 x 1": nothing costs one)."""
    if amount.currency is not None or amount.decimals:
        return True
    plausible = amount.readings[0].cost <= ACCEPTED or count.value == 1
    return plausible and amount.value > count.value


def _is_labelled(line: str, position: int) -> bool:
    """Whether a word that labels a count stands right before `position`: "Qty 2", "数量 2"."""
    return term_at_end(line[max(0, position - _LABEL_LENGTH) : position], "quantity_label") is not None
