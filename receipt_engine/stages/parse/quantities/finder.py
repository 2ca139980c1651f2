"""Counts, weights and volumes in a printed line, with the unit price printed beside.

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

from receipt_engine.document import AmountReading, AmountRule, QuantityReading, QuantityRule
from receipt_engine.region import Region
from receipt_engine.stages.parse.amounts import find_amounts
from receipt_engine.stages.parse.limits import ACCEPTED, MAX_LINE
from receipt_engine.stages.parse.quantities.products import products
from receipt_engine.vocabulary.normalise import ascii_forms
from receipt_engine.vocabulary.terms import term_at_end, term_phrases
from receipt_engine.vocabulary.units import units_of

_HAS_DIGIT = re.compile("[0-9]")
_NUMBER = re.compile(
    r"(?<![\w.,/:#-])(?P<minus>-)?(?P<number>[0-9]{1,6}(?:[.,][0-9]{1,4})?)(?P<back>-)?"
    r"(?![0-9.,]*[0-9%:])(?!/(?![$€£]|[0-9]+[.,][0-9]{2}(?![0-9])))"
)
_BEFORE = re.compile(r"(?<![^\W_])[xX] ?(?P<minus>-)?(?P<number>[0-9]{1,3})(?![\w.,%]*[0-9%])(?![^\W\d_])")
_THREE_NUMBERS = re.compile(r"[0-9][^0-9]+[0-9]+[^0-9]+[0-9]+[^0-9]+[0-9]")
_PER_UNIT = re.compile(r" ?/ ?[^\W\d_]{1,3}\.? ?[xX*]? ?")
_TIMES_UNIT = re.compile(r" ?[xX*] ?")
_MARK_AFTER = re.compile(r" ?[xX](?![^\W_]| ?-?[0-9])")
_LEADING = re.compile(r" ?(?P<number>[0-9]{1,2}) (?=[^\W\d_]{2})")
#: Letters from which a word between count and price is rather a name than a unit.
_SHORTEST_NAME = 4
_SMALL = Decimal(1000)
_LABEL_LENGTH = 20

_Kind = Literal["count", "weight", "volume"]


def find_quantities(text: str, region: Region) -> tuple[QuantityReading, ...]:
    """Every quantity of a line, left to right, without overlap.

    Costs are those of the package docstring. A bare number at the head of a line ("2 COFFEE") is no more
    than a guess. A count is negative when a minus stands at it.
    """
    if not _HAS_DIGIT.search(text) and text.isascii():
        return ()
    line = ascii_forms(text[:MAX_LINE])
    if not _HAS_DIGIT.search(line):
        return ()
    search = _Search(line, text, region)
    found = sorted(_widest(tuple(search.all())), key=lambda q: (q.cost, q.start - q.end))
    chosen: list[QuantityReading] = []
    for quantity in found:
        if all(quantity.end <= other.start or other.end <= quantity.start for other in chosen):
            chosen.append(quantity)
    return tuple(sorted(chosen, key=lambda q: q.start))


def _widest(found: tuple[QuantityReading, ...]) -> Iterator[QuantityReading]:
    """Without bare products ("2", of "2 pcs x 4.50  9.00") that a reading with its signs encloses."""
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


class _Search:
    """One line's quantities."""

    def __init__(self, line: str, text: str, region: Region) -> None:
        self._line = line
        self._text = text
        self._region = region
        self._units = units_of(region)
        self._signs = _price_signs()
        self._money: tuple[AmountReading, ...] | None = None

    @property
    def amounts(self) -> tuple[AmountReading, ...]:
        if self._money is None:
            self._money = find_amounts(self._text, self._region)
        return self._money

    def all(self) -> Iterator[QuantityReading]:
        for match in _NUMBER.finditer(self._line):
            yield from self._at(match)
        for match in _BEFORE.finditer(self._line):
            count = list(
                self._with_price(
                    match, match.start(), match.end(), None, "count", 0.3, QuantityRule.MARK_BEFORE
                )
            )
            alone = self._reading(
                match.start(),
                match.end(),
                self._value(match, None),
                "count",
                None,
                0.4,
                QuantityRule.MARK_BEFORE,
            )
            yield from count or (alone,)
        leading = _LEADING.match(self._line)
        if leading:
            yield self._reading(
                0, leading.end() - 1, Decimal(leading["number"]), "count", None, 1.5, QuantityRule.LEADING
            )
        if _THREE_NUMBERS.search(self._line):
            yield from products(self._line, self._text, self.amounts, self._units)

    def _at(self, match: re.Match[str]) -> Iterator[QuantityReading]:
        """What a number with its surroundings says."""
        end = match.end()
        unit = self._units.after(self._line, match.end("number"))
        if unit is not None and unit.kind == "other" and not self._signs.times.match(self._line, unit.end):
            return
        name, kind, cost = None, "count", 0.2
        if unit is not None:
            name, end = unit.text, unit.end
            kind = unit.kind if unit.kind != "other" else "count"
            cost = 0.2 if kind == "count" or "." in match["number"] or "," in match["number"] else 0.6
        readings = list(self._with_price(match, match.start(), end, name, _kind(kind), cost, None))
        if readings:
            yield from readings
        elif unit is not None and (behind := self._price_behind(end)) is not None:
            yield QuantityReading(
                self._text[match.start() : behind.end], match.start(), behind.end, self._value(match, name),
                _kind(kind), name, 0.2, QuantityRule.PRICE_PER_UNIT, behind.value, Decimal(1),
                behind.start, behind.end,
            )  # fmt: skip
        elif unit is not None and (price := self._price_before(match.start())) is not None:
            yield QuantityReading(
                self._text[price.start : end], price.start, end, self._value(match, name), _kind(kind), name,
                0.3, QuantityRule.PRICE_FIRST, price.value, Decimal(1), price.start, price.end,
            )  # fmt: skip
        elif unit is not None and kind == "count" and (times := self._price_times(match.start())) is not None:
            yield QuantityReading(
                self._text[times.start : end], times.start, end, self._value(match, name), "count", name,
                0.3, QuantityRule.PRICE_FIRST, _as_printed(times), Decimal(1), times.start, times.end,
            )  # fmt: skip
        elif unit is not None:
            yield self._reading(
                match.start(), end, self._value(match, name), _kind(kind), name, cost, QuantityRule.UNIT
            )
        elif match["number"].isdigit() and len(match["number"]) <= 3:
            yield from self._bare(match)

    def _bare(self, match: re.Match[str]) -> Iterator[QuantityReading]:
        """A count by its mark alone: "2x", "1- " for a return, "Qty 2"."""
        value = self._value(match, None)
        glued = self._line[match.end() : match.end() + 1].isalpha()  # "CAN 12P": the size of the pack
        mark = _MARK_AFTER.match(self._line, match.end())
        if mark:
            yield self._reading(
                match.start(), mark.end(), value, "count", None, 0.3, QuantityRule.MARK_BEHIND
            )
        elif match["back"] and self._line[match.end() : match.end() + 1].isspace():
            yield self._reading(
                match.start(), match.end(), value, "count", None, 0.8, QuantityRule.DASH_BEHIND
            )
        elif not glued and _is_labelled(self._line, match.start()):
            yield self._reading(match.start(), match.end(), value, "count", None, 0.3, QuantityRule.LABEL)

    def _with_price(
        self,
        match: re.Match[str],
        start: int,
        end: int,
        unit: str | None,
        kind: _Kind,
        cost: float,
        rule: QuantityRule | None,
    ) -> Iterator[QuantityReading]:
        """The quantity when a price follows it ("2 x 1,49"), or when it follows one ("1,49 x 2")."""
        first = self._line[end : end + 2].lstrip(" ")[:1]
        times = (
            self._signs.times.match(self._line, end) if first.isalpha() or first in ("*", "@", "/") else None
        )
        if times is None:
            return
        sign = times["sign"].lower()
        bundled = sign in self._signs.bundles
        per = self._signs.per.match(self._line, times.end()) if sign == "@" else None
        price = self._amount_at(per.end() if per else times.end())
        value = self._value(match, unit)
        if price is None or (sign == "*" and unit is not None and self._units.is_small(unit)):
            return  # "COLA 600ML * 4.50": the star marks a tax
        word = times["word"]
        named = word and len(word) >= _SHORTEST_NAME and not self._is_all(start, price.end)
        if named:
            cost += 0.5  # "2 Latte @ 3.50": what is sold stands between
        elif word and not unit:
            unit, cost = word, cost + 0.5
        each = _as_printed(price)
        whole = price.decimals == 0 and price.currency is None and price.readings[0].cost > ACCEPTED
        grouped_first = self._amount_at(start) if unit is None and sign in ("x", "*") else None
        if grouped_first is not None and _is_count(price) and _is_price(grouped_first, price):
            count = abs(price.value)
            yield QuantityReading(
                self._text[start : price.end], start, price.end, count, "count", None, 0.4,
                QuantityRule.PRICE_FIRST, abs(grouped_first.value), Decimal(1),
                grouped_first.start, grouped_first.end,
            )  # fmt: skip
            return
        sure = unit is not None or self._is_all(start, price.end)
        if (whole and not sure and sign != "@" and not bundled) or (value >= _SMALL and kind == "count"):
            return
        bundle = value if bundled or sign == "/" else Decimal(per["per"]) if per else Decimal(1)
        cost += 0.8 if (whole and not sure) or sign == "/" else 0.0
        if named:
            rule = QuantityRule.NAMED_PRICE
        elif rule is None:
            rule = QuantityRule.STARRED_PRICE if sign == "*" else QuantityRule.PRICED
        yield QuantityReading(
            self._text[start : price.end], start, price.end, value, kind, unit, cost,
            rule, each, bundle, price.start, price.end,
        )  # fmt: skip

    def _is_all(self, start: int, end: int) -> bool:
        """Whether nothing else is printed on the row."""
        return not self._line[:start].strip(" (") and not self._line[end:].strip(" )")

    def _amount_at(self, position: int) -> AmountReading | None:
        """The amount that begins here, but for a word for the price of one."""
        label = self._signs.label.match(self._line, position)
        position = label.end() if label is not None else position
        return next(
            (a for a in self.amounts if a.start <= position < a.end and position - a.start <= 1), None
        )

    def _price_before(self, start: int) -> AmountReading | None:
        """The price of one unit printed before a weight: "2,79 EUR/kg x 0,345 kg"."""
        if "/" not in self._line:
            return None
        for amount in self.amounts:
            if amount.end < start and _PER_UNIT.fullmatch(self._line, amount.end, start):
                return amount
        return None

    def _price_times(self, start: int) -> AmountReading | None:
        """The price printed before a count with its unit: "@218 x 2点"."""
        for amount in self.amounts:
            if amount.end < start and _TIMES_UNIT.fullmatch(self._line, amount.end, start):
                return amount
        return None

    def _price_behind(self, end: int) -> AmountReading | None:
        """The price of one unit printed right behind a weight: "0,345 kg 2,79 EUR/kg"."""
        if "/" not in self._line:
            return None
        price = self._amount_at(end)
        return price if price is not None and _PER_UNIT.match(self._line, price.end) else None

    def _value(self, match: re.Match[str], unit: str | None) -> Decimal:
        number = match["number"]
        head, _, tail = number.replace(",", ".").partition(".")
        small_unit = unit is not None and self._units.is_small(unit)
        digits = (
            head + tail
            if len(tail) == 3 and small_unit and head != "0"
            else f"{head}.{tail}"
            if tail
            else head
        )
        groups = match.groupdict()
        negative = bool(groups.get("minus") or groups.get("back"))
        return -Decimal(digits) if negative else Decimal(digits)

    def _reading(
        self,
        start: int,
        end: int,
        value: Decimal,
        kind: _Kind,
        unit: str | None,
        cost: float,
        rule: QuantityRule,
    ) -> QuantityReading:
        return QuantityReading(self._text[start:end], start, end, value, kind, unit, cost, rule)


def _kind(kind: str) -> _Kind:
    return "weight" if kind == "weight" else "volume" if kind == "volume" else "count"


def _as_printed(price: AmountReading) -> Decimal:
    """The price; behind a quantity digits without a point are whole rather than minor units."""
    whole = (m.value for m in price.readings if m.rule is AmountRule.WHOLE and m.start is None)
    return next(whole, price.value) if price.raw.isdigit() else price.value


def _is_count(amount: AmountReading) -> bool:
    """A small whole number without a currency."""
    return amount.decimals == 0 and amount.currency is None and 0 < amount.value < _SMALL


def _is_price(amount: AmountReading, count: AmountReading) -> bool:
    """Whether the first factor is rather the price: it has decimals or thousands, or is far larger."""
    if amount.currency is not None or amount.decimals:
        return True
    return amount.readings[0].cost <= ACCEPTED and amount.value > count.value


def _is_labelled(line: str, position: int) -> bool:
    """Whether a word that announces a count stands right before: "Qty 2", "数量 2"."""
    return term_at_end(line[max(0, position - _LABEL_LENGTH) : position], "quantity_label") is not None


class _PriceSigns(NamedTuple):
    """times: what stands between a quantity and the price of one, or of all of it; per: between the number of
    units that a price is for and that price ("@ 1 lb /0.58", "@ 2 for 5.00"). label: between a sign of
    multiplication and the price ("2個 X 単158", "(2 X @148)"). bundles: words before the price of all."""

    times: re.Pattern[str]
    per: re.Pattern[str]
    label: re.Pattern[str]
    bundles: frozenset[str]


@cache
def _price_signs() -> _PriceSigns:
    bundles = term_phrases("bundle_price")
    words = "|".join(
        re.escape(word) + "(?= )" * (len(word) > 1) for word in (*bundles, *term_phrases("each_price"))
    )
    times = re.compile(
        r" ?(?:(?P<word>[^\W\d_]{2,12}|[\u3040-\u9fff])\.? )?"
        rf"(?P<sign>[xX*@]|(?i:{words})|/(?=[$€£]|[0-9]+[.,][0-9]{{2}}(?![0-9])))(?: |(?=[^\w\s]|[0-9]))"
    )
    per = re.compile(
        rf" ?(?P<per>[0-9]{{1,3}}) ?(?:[^\W\d_]{{1,3}} ?)?(?:/ ?|(?i:{'|'.join(map(re.escape, bundles))}) )"
    )
    each = "|".join(map(re.escape, sorted(term_phrases("each_price"), key=len, reverse=True)))
    return _PriceSigns(times, per, re.compile(rf"(?: |@|(?i:{each}))*"), frozenset(bundles))
