"""Money amounts in a printed line, each with every way to read it.

>>> from receipt_engine.region import load_region
>>> for a in find_amounts("2 x 1,49 2,98 B", load_region("de")):
...     print(a.raw, a.value, a.symbols, a.readings[0].cost)
2 2 () 5.0
1,49 1.49 () 0.0
2,98 2.98 ('B',) 0.0
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from functools import lru_cache

from receipt_engine.document import AmountReading, Money
from receipt_engine.region import Region
from receipt_engine.stages.parse.characters import DIGIT_FOR, MAX_LINE, plain, slips_cost
from receipt_engine.stages.parse.currency import Signs, look_after, look_before, signs_of
from receipt_engine.stages.parse.dates import calendar_spans
from receipt_engine.stages.parse.neighbours import Neighbours, symbol_pattern
from receipt_engine.stages.parse.numbers import (
    AmountHints,
    NumberRules,
    Shape,
    number_rules,
    shape_readings,
)
from receipt_engine.stages.parse.percent import PERCENT_SIGN
from receipt_engine.stages.parse.pieces import SPLIT_THOUSANDS, Piece, pieces
from receipt_engine.stages.parse.places import MAX_COST, Place, distinct, signed, without_overlap
from receipt_engine.stages.parse.slips import mended_amounts
from receipt_engine.stages.parse.units import Units, units_of

__all__ = ["AmountHints", "find_amounts"]

_HAS_DIGIT = re.compile(r"[0-9]|[OlI][.,][0-9OlIS]")
#: A number beside a letter that looks like one more digit.
_CUT_SHORT = 2.2
#: "S27.00" as 527.00, and where it may well be "$27.00".
_LETTER_AS_DIGIT = 1.6
#: From here on a country does not put blanks between thousands.
_FOREIGN = 1.5
_OR_SIGN = 1.0
#: "827.00" for "$27.00".
_SIGN_AS_DIGIT = 2.4


#: Four groups of four digits are a card's number.
_CARD_NUMBER = re.compile(r"(?<!\d)(?<!\d[ .,-])\d{4}(?:[ -]\d{4}){3}(?![ -]?\d|[.,]\d)")

#: Where a number that a space may break ends → cost of reading all of it, and of its last part alone.
TailCosts = dict[int, tuple[float, float]]
#: Start, end and the cost of taking it for money.
Span = tuple[int, int, float]


def find_amounts(text: str, region: Region, hints: AmountHints = AmountHints()) -> tuple[AmountReading, ...]:  # noqa: B008
    """Every place in one printed line that may be a money amount, left to right.

    Costs are those of the package docstring: the first reading of a place costs less than `ACCEPTED` when
    it is probably an amount. Bare whole numbers are cheap only where the currency is printed without
    decimals. A negative value is printed as ``-3.00``, ``3.00-``, ``(3.00)`` or ``3.00 CR``. Dates, times,
    percentages, weights and long numbers are left out. Places never overlap.
    """
    if not _HAS_DIGIT.search(text) and text.isascii():
        return ()
    return _amounts(text[:MAX_LINE], region, hints)


@lru_cache(maxsize=1024)
def _amounts(text: str, region: Region, hints: AmountHints) -> tuple[AmountReading, ...]:
    """Remembered, because the quantity finder asks for the same line."""
    places = without_overlap(_finder(region, hints).places(plain(text)))
    return tuple(_reading(place, text) for place in places)


def _reading(place: Place, text: str) -> AmountReading:
    return AmountReading(
        text[place.start : place.end],
        place.start,
        place.end,
        place.moneys,
        place.currency,
        place.symbols,
        place.decimals,
    )


@lru_cache(maxsize=128)
def _finder(region: Region, hints: AmountHints) -> _Finder:
    return _Finder(region, number_rules(region, hints), signs_of(region), units_of(region))


#: Rules of pieces that reach over a space.
_OVER_SPACE = ("split number", "lost point", SPLIT_THOUSANDS)
_SIGN_AS_POINT = re.compile(r"(?<=\d)€(?=\d\d(?!\d|[.,]\d))|(?<=\d)\$(?=\d\d$)")
_MINOR = re.compile(r" ?¢|[cp](?=/| |$)| c(?=/)")


class _Finder:
    """What a region's amounts look like, compiled once."""

    def __init__(self, region: Region, rules: NumberRules, signs: Signs, units: Units) -> None:
        self._region = region
        self._rules = rules
        self._signs = signs
        codes = frozenset(region.tax.codes)
        self._neighbours = Neighbours(rules, signs, units, symbol_pattern(region), codes)

    def places(self, line: str) -> list[Place]:
        """Places that may overlap."""
        line = self._with_sign_as_point(line)
        spans = calendar_spans(line, self._region)
        mended = mended_amounts(line, self._rules.decimals, self._signs.words)
        slips = frozenset(mended[1]) if mended else frozenset()
        cut = pieces(line, self._rules)
        if not mended:
            return list(self._places(line, cut, line, slips, spans, self._tail_costs(line, cut)))
        text = mended[0]
        cut_mended = pieces(text, self._rules)
        tails = self._tail_costs(text, cut_mended) | self._tail_costs(line, cut)
        return [
            *self._places(line, cut, line, slips, spans, tails),
            *self._places(text, cut_mended, line, slips, spans, tails, mended=True),
        ]

    def _places(
        self,
        text: str,
        cut: Sequence[Piece],
        line: str,
        slips: frozenset[int],
        spans: Sequence[Span],
        tails: TailCosts,
        mended: bool = False,
    ) -> Iterator[Place]:
        """The places of the line itself, or of the line with its slips mended: those that hold a slip."""
        for piece in cut:
            extra = _calendar_cost(piece, spans) + _tail(piece, tails)
            if mended:
                if slips.isdisjoint(range(piece.start, piece.end)):
                    continue
                extra += slips_cost(line, piece.start, piece.end)
            elif _touches(text, piece, slips):
                extra += _CUT_SHORT
            place = self._place(text, piece, extra, "letters read as digits" if mended else "")
            if place is not None:
                yield place

    def _tail_costs(self, line: str, cut: Sequence[Piece]) -> TailCosts:
        """Where "1 234,56" ends: what it costs to read all of it, and to read the last part alone."""
        costs: TailCosts = {}
        for piece in cut:
            if piece.rule == SPLIT_THOUSANDS:
                costs[piece.end] = (0.0, 1.5)
            elif piece.rule in _OVER_SPACE:
                if look_before(line, piece.start, self._signs).currency:
                    costs[piece.end] = (-2.0, 2.2)
            elif " " in piece.separators:
                habit = self._rules.group[" "]
                if _is_product(piece):
                    costs[piece.end] = (2.5, 0.3)
                elif (
                    piece.separators.count(" ") > 1 and (habit < _FOREIGN or self._rules.decimals > 0)
                ) or look_before(line, piece.start, self._signs).currency:
                    costs[piece.end] = (-habit, 3.5)
                    costs[piece.start + len(piece.groups[0])] = (0.0, 2.5)  # nor is its head alone
                elif habit < 0.5:
                    costs[piece.end] = (0.2, 1.3)
                else:  # after a word, the first part is rather a quantity
                    alone = 1.1 if habit < 1.5 and not line[: piece.start].strip() else 0.2
                    costs[piece.end] = (0.2, alone)
        return costs

    def _with_sign_as_point(self, line: str) -> str:
        """ "12€50" as "12.50": the sign stands where the point would."""
        if "€" not in line and "$" not in line:
            return line
        return _SIGN_AS_POINT.sub(".", line)

    def _place(self, line: str, piece: Piece, extra: float, rule: str = "") -> Place | None:
        before = look_before(line, piece.start, self._signs)
        after = look_after(line, piece.end, self._signs)
        if PERCENT_SIGN.match(line, piece.end) or extra >= MAX_COST or _masked(line, piece):
            return None
        glued = self._neighbours.cost_before(line, piece, before)
        following = self._neighbours.cost_after(line, piece, after, before.currency is not None)
        symbols: tuple[str, ...] = ()
        marked = before.currency is not None or after.currency is not None or after.whole
        minor = self._minor_unit(line, piece) if not marked else None
        if minor is not None:
            extra += minor
        elif following is None:
            return None
        else:
            price, symbols = following
            extra += glued + price
        moneys = self._moneys(line, piece, marked, extra, rule, minor is not None)
        moneys = signed(moneys, before, after, bool(piece.separators))
        if not moneys:
            return None
        start = piece.start if before.bracket and not after.bracket else before.start
        best = moneys[0]
        if before.bracket and after.bracket:
            start -= 1
        end = after.end if not (after.bracket and not before.bracket) else after.end - 1
        decimals = -int(best.value.as_tuple().exponent)
        return Place(
            start, end, piece.start, piece.end, moneys, before.currency or after.currency, symbols, decimals
        )

    def _minor_unit(self, line: str, piece: Piece) -> float | None:
        """Cost of reading "99¢", "169.9c/L" or "50p" in the minor unit; None where it is not printed."""
        if len(piece.separators) > 1 or (piece.separators and len(piece.groups[1]) != 1):
            return None
        mark = _MINOR.match(line, piece.end)
        if mark is None:
            return None
        sign = mark.group().strip()
        if sign == "¢":
            return 0.1
        return 0.6 if any(symbol in self._marks for symbol in ("£" if sign == "p" else "$€")) else None

    def _moneys(
        self, line: str, piece: Piece, marked: bool, extra: float, rule: str, minor: bool = False
    ) -> tuple[Money, ...]:
        first = piece.groups[0]
        shape = Shape(
            tuple(map(len, piece.groups)),
            piece.separators,
            len(first) > 1 and first[0] == "0",
            first == "0",
            marked,
        )
        digits = "".join(piece.groups)
        if minor:
            places = 2 + len(piece.groups[1] if piece.separators else "")
            return (Money(Decimal(digits).scaleb(-places), extra, "minor unit"),)
        found = [
            Money(
                Decimal(digits).scaleb(-reading.decimals),
                round(reading.cost + piece.cost + extra, 2),
                rule or piece.rule or reading.rule,
            )
            for reading in shape_readings(shape, self._rules)
        ]
        found.extend(self._misread_neighbours(line, piece, found, marked))
        found.sort(key=lambda money: money.cost)
        return distinct(m for m in found if m.cost <= MAX_COST)

    def _misread_neighbours(
        self, line: str, piece: Piece, found: Sequence[Money], marked: bool
    ) -> Iterable[Money]:
        """Readings in which a character beside the number belongs to it, or its last one does not."""
        if not found or not piece.separators:
            return
        best = min(found, key=lambda money: money.cost)
        places = -int(best.value.as_tuple().exponent)
        letter = line[piece.start - 1 : piece.start]
        if letter and letter in DIGIT_FOR and not line[piece.start - 2 : piece.start - 1].isalpha():
            digit = DIGIT_FOR[letter]
            if digit != "0":
                value = best.value + Decimal(digit) * 10 ** (sum(map(len, piece.groups)) - places)
                price = _LETTER_AS_DIGIT + (_OR_SIGN if letter == "S" and "$" in self._marks else 0.0)
                yield Money(value, round(best.cost + price, 2), "letter read as digit")
        first = piece.groups[0]
        if (
            not marked
            and "$" in self._marks
            and len(first) in (2, 3)
            and first[0] in "85"
            and first[1] != "0"
        ):
            value = Decimal("".join(piece.groups)[1:]).scaleb(-places)
            yield Money(value, round(best.cost + _SIGN_AS_DIGIT, 2), "sign read as digit", piece.start + 1)
        expected = self._rules.decimals
        last = piece.groups[-1]
        if not marked and expected and len(last) == expected + 1 and last[-1] in "6" and "€" in self._marks:
            value = Decimal("".join(piece.groups)[:-1]).scaleb(-expected)
            yield Money(value, round(best.cost + 1.2, 2), "sign read as digit")

    @property
    def _marks(self) -> str:
        return "".join(self._region.currency.symbols)


def _is_product(piece: Piece) -> bool:
    """Whether spaces part a count, a price and what they make: "2 157 314.00"."""
    if len(piece.groups) < 3 or piece.separators[:2] != "  ":
        return False
    count, price, amount = map(int, piece.groups[:3])
    return 1 < count < 100 and count * price == amount


def _masked(line: str, piece: Piece) -> bool:
    """The digits of a card or account number: "73***19", "6032 9811 2233 4455"."""
    if any(card.start() <= piece.start < card.end() for card in _CARD_NUMBER.finditer(line)):
        return True
    return line[piece.end : piece.end + 2] == "**" or line[max(0, piece.start - 2) : piece.start] == "**"


def _touches(line: str, piece: Piece, slips: frozenset[int]) -> bool:
    """Whether a letter that looks like a digit goes on with the number."""
    end = piece.end + (line[piece.end : piece.end + 1] in (".", ",", "'"))
    start = piece.start - 1 - (line[piece.start - 1 : piece.start] in (".", ",", "'"))
    return end in slips or start in slips


def _tail(piece: Piece, costs: TailCosts) -> float:
    if piece.end not in costs:
        return 0.0
    joined, alone = costs[piece.end]
    return joined if " " in piece.separators or piece.rule in _OVER_SPACE else alone


def _calendar_cost(piece: Piece, spans: Sequence[Span]) -> float:
    """What it costs to take digits of a date or time for money."""
    return max((cost for start, end, cost in spans if start < piece.end and piece.start < end), default=0.0)
