"""Money amounts in a printed line, each with every way to read it.

>>> from receipt_engine.region import load_region
>>> [(a.raw, a.value, a.symbols) for a in find_amounts("2 x 1,49 2,98 B", load_region("de"))]
[('1,49', Decimal('1.49'), ()), ('2,98', Decimal('2.98'), ('B',))]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from receipt_engine.document import AmountReading, Money
from receipt_engine.region import Region
from receipt_engine.stages.parse.characters import ACCEPTED, DIGIT_FOR, plain, slips_cost
from receipt_engine.stages.parse.currency import After, Before, Signs, look_after, look_before, signs_of
from receipt_engine.stages.parse.dates import calendar_spans
from receipt_engine.stages.parse.numbers import (
    AmountHints,
    NumberRules,
    Shape,
    number_rules,
    shape_readings,
)
from receipt_engine.stages.parse.percent import PERCENT_SIGN
from receipt_engine.stages.parse.pieces import Piece, pieces
from receipt_engine.stages.parse.slips import mended_amounts
from receipt_engine.stages.parse.units import Units, units_of

__all__ = ["AmountHints", "find_amounts"]

_HAS_DIGIT = re.compile(r"[0-9]|[OlI][.,][0-9OlIS]")
#: Longer lines are cut: no receipt prints them, and a parser's time must be bounded.
_MAX_LINE = 2000
#: Readings beyond these are noise.
_MAX_COST = 8.0
#: A number beside a letter that looks like one more digit.
_CUT_SHORT = 1.6
_MAX_READINGS = 6
#: Tax codes and marks after an amount: "A", "TX", "*", "B*", "1".
_SYMBOL = re.compile(
    r" ?(?:([*#+^~†‡](?!\d))|(?![Xx] ?[-(]?[^\w\s]?\d)([A-Z][A-Z]?\d?(?![^\W_]|[.,]\d)|[a-z](?= ?$))|([0-9])(?= ?$))"
)
#: "24.12.": a day without its year, where the point is not decimal.
_DAY_AND_MONTH = re.compile(r"(?:0?[1-9]|[12][0-9]|3[01])\.(?:0[1-9]|1[0-2])\.(?![0-9.])")
_DECIMAL_CODE = re.compile(r"(?:#|№|(?<![^\W\d_])[Nn](?:[oº°r]|um)\.?:?) ?$")


#: Start, end and the cost of taking it for money.
Span = tuple[int, int, float]


class _Place(NamedTuple):
    """One piece with what stands around it and its readings. first, last: offsets of the digits alone."""

    start: int
    end: int
    first: int
    last: int
    moneys: tuple[Money, ...]
    currency: str | None
    symbols: tuple[str, ...]
    decimals: int

    @property
    def cost(self) -> float:
        return self.moneys[0].cost


def find_amounts(text: str, region: Region, hints: AmountHints = AmountHints()) -> tuple[AmountReading, ...]:  # noqa: B008
    """Every place in one printed line that may be a money amount, left to right.

    Costs are those of the package docstring: the first reading of a place costs less than `ACCEPTED` when
    it is probably an amount. Bare whole numbers are cheap only where the currency is printed without
    decimals. A negative value is printed as ``-3.00``, ``3.00-``, ``(3.00)`` or ``3.00 CR``. Dates, times,
    percentages, weights and long numbers are left out. Places never overlap.
    """
    if not _HAS_DIGIT.search(text) and text.isascii():
        return ()
    line = plain(text[:_MAX_LINE])
    finder = _finder(region, hints)
    places = _without_overlap(finder.places(line))
    return tuple(_reading(place, text) for place in places)


def _reading(place: _Place, text: str) -> AmountReading:
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


class _Finder:
    """What a region's amounts look like, compiled once."""

    def __init__(self, region: Region, rules: NumberRules, signs: Signs, units: Units) -> None:
        self._region = region
        self._rules = rules
        self._signs = signs
        self._units = units

    def places(self, line: str) -> list[_Place]:
        """Places that may overlap."""
        line = self._with_sign_as_point(line)
        spans = calendar_spans(line, self._region)
        mended = mended_amounts(line, self._rules.decimals, self._signs.words)
        slips = frozenset(mended[1]) if mended else frozenset()
        found = list(self._places(line, line, slips, spans))
        if mended:
            found.extend(self._places(mended[0], line, slips, spans, mended=True))
        return found

    def _places(
        self, text: str, line: str, slips: frozenset[int], spans: Sequence[Span], mended: bool = False
    ) -> Iterator[_Place]:
        """The places of the line itself, or of the line with its slips mended: those that hold a slip."""
        cut = pieces(text, self._rules)
        tails = self._tail_costs(text, cut)
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

    def _tail_costs(self, line: str, cut: Sequence[Piece]) -> dict[int, tuple[float, float]]:
        """Where "1 234,56" ends: what it costs to read all of it, and to read the last part alone."""
        costs: dict[int, tuple[float, float]] = {}
        for piece in cut:
            if piece.rule in ("split number", "lost point"):
                if look_before(line, piece.start, self._signs).currency:
                    costs[piece.end] = (-2.0, 2.2)
            elif " " in piece.separators:
                habit = self._rules.group[" "]
                if piece.separators.count(" ") > 1 or look_before(line, piece.start, self._signs).currency:
                    costs[piece.end] = (-habit, 3.5)
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
        return re.sub(r"(?<=\d)€(?=\d\d(?!\d|[.,]\d))|(?<=\d)\$(?=\d\d$)", ".", line)

    def _place(self, line: str, piece: Piece, extra: float, rule: str = "") -> _Place | None:
        before = look_before(line, piece.start, self._signs)
        after = look_after(line, piece.end, self._signs)
        if PERCENT_SIGN.match(line, piece.end) or extra >= _MAX_COST or _masked(line, piece):
            return None
        glued = self._glued_cost(line, piece, before)
        following = self._following(line, piece, after, before.currency is not None)
        if following is None:
            return None
        price, symbols = following
        extra += glued + price
        marked = before.currency is not None or after.currency is not None or after.whole
        moneys = self._moneys(line, piece, marked, extra, rule)
        moneys = _signed(moneys, before, after, bool(piece.separators))
        if not moneys:
            return None
        start = piece.start if before.bracket and not after.bracket else before.start
        best = moneys[0]
        if before.bracket and after.bracket:
            start -= 1
        end = after.end if not (after.bracket and not before.bracket) else after.end - 1
        decimals = -int(best.value.as_tuple().exponent)
        return _Place(start, end, piece.start, piece.end, moneys, before.currency or after.currency, symbols, decimals)

    def _glued_cost(self, line: str, piece: Piece, before: Before) -> float:
        """Letters and marks that touch the number from the left."""
        whole = not piece.separators
        if before.glued:
            if len(before.glued) == 1 and before.glued in self._signs.misread_before:
                return 0.4
            return 4.0 if whole else 0.3 if len(before.glued) > 2 else 1.2
        if _DECIMAL_CODE.search(line, max(0, piece.start - 6), piece.start):
            return 4.0 if whole else 0.7
        if before.currency is not None:
            return 0.0
        touching = line[piece.start - 1 : piece.start]
        if touching == "-" and before.minus == "loose" and piece.separators[-1:] != "" and len(piece.groups[-1]) == 3:
            return 3.0  # "CHE-205.881.148"
        return 3.0 if touching and touching in "#/_&\\." and whole else 0.0

    def _following(self, line: str, piece: Piece, after: After, marked: bool) -> tuple[float, tuple[str, ...]] | None:
        """Cost of what follows the number, and its symbols; None when it is no money."""
        if after.currency is not None or after.whole:
            return 0.0, _symbols(line, after.end, bool(piece.separators))
        unit = self._units.after(line, piece.end)
        if unit is not None:
            name, kind, _ = unit
            exact = piece.is_decimal(self._rules.decimals) and self._rules.decimals > 0
            spaced = line[piece.end] == " "
            if len(name) == 1 and name.isascii() and exact and (spaced or name not in "lLgGmh"):
                return (0.0 if name.isupper() and name not in "GL" else 1.5), (name,)
            if kind == "count" and piece.separators:
                return 0.6, ()
            return None
        if _DAY_AND_MONTH.match(line, piece.start) and self._rules.decimal["."] > 0.0:
            return 2.6, ()
        symbols = _symbols(line, after.end, bool(piece.separators))
        touching = line[piece.end : piece.end + 1]
        if touching.isalpha() and not symbols:
            if touching in self._signs.misread_after:
                return 0.3, ()
            return (0.6 if piece.separators else 4.0), ()
        loose = piece.separators or marked or not touching or touching not in "#/_&\\:"
        return (0.0 if loose else 3.0), symbols

    def _moneys(self, line: str, piece: Piece, marked: bool, extra: float, rule: str) -> tuple[Money, ...]:
        first = piece.groups[0]
        shape = Shape(
            tuple(map(len, piece.groups)),
            piece.separators,
            len(first) > 1 and first[0] == "0",
            first == "0",
            marked,
        )
        digits = "".join(piece.groups)
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
        return tuple(_distinct(m for m in found if m.cost <= _MAX_COST)[:_MAX_READINGS])

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
                yield Money(value, round(best.cost + 1.6, 2), "letter read as digit")
        expected = self._rules.decimals
        last = piece.groups[-1]
        if not marked and expected and len(last) == expected + 1 and last[-1] in "6" and "€" in self._marks:
            value = Decimal("".join(piece.groups)[:-1]).scaleb(-expected)
            yield Money(value, round(best.cost + 1.2, 2), "sign read as digit")

    @property
    def _marks(self) -> str:
        return "".join(self._region.currency.symbols)


def _symbols(line: str, position: int, separated: bool) -> tuple[str, ...]:
    """Tax codes and marks that start at a position."""
    found: list[str] = []
    while len(found) < 3 and (match := _SYMBOL.match(line, position)):
        if match.group(3) and (not separated or found):
            break
        found.append(match.group().strip())
        position = match.end()
    rest = line[position : position + 2].strip()
    if found and rest[:1].isalpha():  # a word goes on: "12.50 A PIECE"
        return tuple(s for s in found if not s.isalnum())
    return tuple(found)


def _signed(moneys: tuple[Money, ...], before: Before, after: After, separated: bool) -> tuple[Money, ...]:
    """The readings with their sign; both signs where a dash may be no minus."""
    if before.bracket and after.bracket:
        costs = (0.3, 1.4) if separated else (1.5, 0.3)
    elif "tight" in (before.minus, after.minus):
        costs = (0.0, 4.0)
    elif "loose" in (before.minus, after.minus):
        costs = (0.5, 0.9)
    else:
        return moneys
    negative = [m.__class__(-m.value, m.cost + costs[0], m.rule) for m in moneys]
    positive = [m.__class__(m.value, m.cost + costs[1], m.rule) for m in moneys]
    return tuple(sorted((*negative, *positive), key=lambda money: money.cost)[:_MAX_READINGS])


def _masked(line: str, piece: Piece) -> bool:
    """The open digits of a card or account number: "73***19"."""
    return line[piece.end : piece.end + 2] == "**" or line[max(0, piece.start - 2) : piece.start] == "**"


def _touches(line: str, piece: Piece, slips: frozenset[int]) -> bool:
    """Whether a letter that looks like a digit goes on with the number."""
    end = piece.end + (line[piece.end : piece.end + 1] in (".", ",", "'"))
    start = piece.start - 1 - (line[piece.start - 1 : piece.start] in (".", ",", "'"))
    return end in slips or start in slips


def _tail(piece: Piece, costs: dict[int, tuple[float, float]]) -> float:
    if piece.end not in costs:
        return 0.0
    joined, alone = costs[piece.end]
    return joined if " " in piece.separators or piece.rule in ("split number", "lost point") else alone


def _calendar_cost(piece: Piece, spans: Sequence[Span]) -> float:
    """What it costs to take digits of a date or time for money."""
    return max((cost for start, end, cost in spans if start < piece.end and piece.start < end), default=0.0)


def _distinct(moneys: Iterable[Money]) -> list[Money]:
    """The first, which is the cheapest, of each value."""
    seen: dict[Decimal, Money] = {}
    for money in moneys:
        seen.setdefault(money.value, money)
    return list(seen.values())


def _without_overlap(places: list[_Place]) -> list[_Place]:
    """The cheapest of overlapping places, with the others' readings behind its own."""
    chosen: list[_Place] = []
    for place in sorted(places, key=lambda p: (p.cost, p.start - p.end)):
        for index, other in enumerate(chosen):
            if place.first < other.last and other.first < place.last:
                chosen[index] = _merged(other, place)
                break
        else:
            chosen.append(place)
    chosen.sort(key=lambda p: p.first)
    return [_trimmed(place, chosen[i + 1 :][:1]) for i, place in enumerate(chosen)]


def _trimmed(place: _Place, following: list[_Place]) -> _Place:
    """Ends before what belongs to the next place."""
    if following and place.end > following[0].start:
        return place._replace(end=max(place.last, following[0].start))
    return place


def _merged(kept: _Place, other: _Place) -> _Place:
    moved = other.first != kept.first
    more = tuple(Money(m.value, m.cost, m.rule, other.first) if moved else m for m in other.moneys)
    ranked = sorted((*kept.moneys, *more), key=lambda money: money.cost)
    return kept._replace(moneys=tuple(_distinct(ranked)[:_MAX_READINGS]))


assert ACCEPTED < _MAX_COST
