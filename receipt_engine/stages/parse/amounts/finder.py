"""Finds the money amounts in a printed line, each with all its readings.

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

from receipt_engine.document import AmountReading, AmountRule, Money, decimals_of
from receipt_engine.region import KEPT_REGIONS, Region, currency_marks
from receipt_engine.stages.parse.amounts.candidates import (
    MAX_COST,
    AmountCandidate,
    TailCosts,
    distinct,
    signed,
    tail_cost,
    tail_costs,
    without_overlap,
)
from receipt_engine.stages.parse.amounts.confusions import repair_amounts
from receipt_engine.stages.parse.amounts.context import Context, symbol_pattern
from receipt_engine.stages.parse.amounts.currency import Signs, look_after, look_before, signs_of
from receipt_engine.stages.parse.amounts.percentages import PERCENT_SIGN
from receipt_engine.stages.parse.amounts.segments import NumberSegment, segments
from receipt_engine.stages.parse.amounts.shapes import (
    AmountHints,
    NumberRules,
    Shape,
    number_rules,
    shape_readings,
)
from receipt_engine.stages.parse.dates import calendar_spans
from receipt_engine.stages.parse.limits import MAX_LINE
from receipt_engine.vocabulary.card_schemes import find_schemes
from receipt_engine.vocabulary.confusions import DIGIT_FOR, digits_cost
from receipt_engine.vocabulary.normalise import ascii_forms
from receipt_engine.vocabulary.terms import term_at_end
from receipt_engine.vocabulary.units import UnitPattern, units_of

__all__ = ["AmountHints", "find_amounts"]

_HAS_DIGIT = re.compile(r"[0-9OlI](?:(?<=[0-9])|[.,][0-9OlIS])")
#: Cost of an unrepaired number beside a letter that looks like one more digit.
_CUT_SHORT = 2.2
#: Cost of "S27.00" as 527.00, and what is added where it may be "$27.00".
_LETTER_AS_DIGIT = 1.6
_OR_SIGN = 1.0
#: Cost of "RM.50" as RM 0.50.
_NO_ZERO = 1.4
#: Cost of "827.00" as "$27.00".
_SIGN_AS_DIGIT = 2.4


#: Four groups of four digits: a card number.
_CARD_NUMBER = re.compile(r"\d(?<!\d\d)(?<!\d[ .,-]\d)\d{3}(?:[ -]\d{4}){3}(?![ -]?\d|[.,]\d)")

#: Digits of a card's number that are printed, and signs between the card's name and them. A hyphen is the
#: minus of an amount paid where amounts have no decimals.
_LAST_DIGITS = 4
_SIGNS = " (（-–•·*#"

#: Start, end and the cost of reading it as money.
Span = tuple[int, int, float]


def find_amounts(text: str, region: Region, hints: AmountHints = AmountHints()) -> tuple[AmountReading, ...]:  # noqa: B008
    """Every span of one printed line that may be a money amount, left to right.

    Costs are as in the package docstring: the first reading of a span costs less than `ACCEPTED` when
    it is probably an amount. Bare whole numbers are cheap only where the currency is printed without
    decimals. A negative value is printed as ``-3.00``, ``3.00-``, ``(3.00)`` or ``3.00 CR``. Dates, times,
    percentages, weights and long numbers are left out. Spans never overlap.
    """
    if not _HAS_DIGIT.search(text) and text.isascii():
        return ()
    return _amounts(text[:MAX_LINE], region, hints)


@lru_cache(maxsize=1024)
def _amounts(text: str, region: Region, hints: AmountHints) -> tuple[AmountReading, ...]:
    """Does the work of `find_amounts`; cached, because the quantity finder asks for the same line."""
    candidates = without_overlap(_finder(region, hints).candidates(ascii_forms(text)))
    return tuple(_reading(candidate, text) for candidate in candidates)


def _reading(candidate: AmountCandidate, text: str) -> AmountReading:
    return AmountReading(
        text[candidate.start : candidate.end],
        candidate.start,
        candidate.end,
        candidate.moneys,
        candidate.currency,
        candidate.symbols,
        candidate.decimals,
    )


@lru_cache(maxsize=KEPT_REGIONS)
def _finder(region: Region, hints: AmountHints) -> _Finder:
    return _Finder(region, number_rules(region, hints), signs_of(region), units_of(region))


_NEXT_AMOUNT = re.compile(r" +[^\w\s]?\d[\d.,]*[.,]\d")
_SIGN_AS_POINT = re.compile(r"(?<=\d)€(?=\d\d(?!\d|[.,]\d))|(?<=\d)\$(?=\d\d$)")


class _Finder:
    """Finds candidates by one region's rules, which are compiled once."""

    def __init__(self, region: Region, rules: NumberRules, signs: Signs, units: UnitPattern) -> None:
        self._region = region
        self._rules = rules
        self._signs = signs
        self._marks = "".join(region.currency.marks)
        self._digit_like_units = frozenset(
            u for u in units.kinds if len(u) > 1 and DIGIT_FOR.keys() >= set(u)
        )
        codes = frozenset(region.tax.codes)
        self._context = Context(rules, signs, units, symbol_pattern(region), codes)

    def candidates(self, line: str) -> list[AmountCandidate]:
        """Candidates of a plain line; they may overlap."""
        line = self._with_sign_as_point(line)
        spans = calendar_spans(line, self._region)
        repaired = repair_amounts(line, self._rules, self._signs, self._digit_like_units)
        confusions = frozenset(repaired[1]) if repaired else frozenset()
        cut = segments(line, self._rules)
        if not repaired:
            return list(self._candidates(line, cut, line, confusions, spans, self._tails(line, cut)))
        text = repaired[0]
        of_repaired = segments(text, self._rules)
        tails = self._tails(text, of_repaired) | self._tails(line, cut)
        return [
            *self._candidates(line, cut, line, confusions, spans, tails),
            *self._candidates(text, of_repaired, line, confusions, spans, tails, repaired=True),
        ]

    def _candidates(
        self,
        text: str,
        cut: Sequence[NumberSegment],
        line: str,
        confusions: frozenset[int],
        spans: Sequence[Span],
        tails: TailCosts,
        repaired: bool = False,
    ) -> Iterator[AmountCandidate]:
        """Candidates of the line itself, or (`repaired`) those of the repaired text that contain a confusion.

        text: the text that was cut into segments; line: the unrepaired one. confusions: offsets repaired.
        """
        for segment in cut:
            extra = _calendar_cost(segment, spans) + tail_cost(segment, tails)
            if repaired:
                if confusions.isdisjoint(range(segment.start, segment.end)):
                    continue
                extra += digits_cost(line[segment.start : segment.end])
            elif _touches(text, segment, confusions):
                extra += _CUT_SHORT
            candidate = self._candidate(
                text, segment, extra, AmountRule.LETTERS_AS_DIGITS if repaired else None
            )
            if candidate is not None:
                yield candidate

    def _tails(self, line: str, cut: Sequence[NumberSegment]) -> TailCosts:
        return tail_costs(line, cut, self._rules, self._signs)

    def _with_sign_as_point(self, line: str) -> str:
        """Replaces a currency sign that stands in place of the point: "12€50" becomes "12.50"."""
        if "€" not in line and "$" not in line:
            return line
        return _SIGN_AS_POINT.sub(".", line)

    def _candidate(
        self, line: str, segment: NumberSegment, extra: float, rule: AmountRule | None
    ) -> AmountCandidate | None:
        before = look_before(line, segment.start, self._signs)
        after = look_after(line, segment.end, self._signs)
        if before.currency is not None and after.minus == "tight" and not self._rules.decimals:
            after = after._replace(minus="loose")  # "¥4,200-": also so that no digit can be added
        if PERCENT_SIGN.match(line, segment.end) or extra >= MAX_COST or self._masked(line, segment):
            return None
        glued = self._context.cost_before(line, segment, before)
        following = self._context.cost_after(line, segment, after, before.currency is not None)
        symbols: tuple[str, ...] = ()
        marked = before.currency is not None or after.currency is not None or after.whole
        minor = self._minor_unit(line, segment) if not marked else None
        if minor is not None:
            extra += minor
        elif following is None:
            return None
        else:
            price, symbols = following
            extra += glued + price
        moneys = self._moneys(line, segment, marked, extra, rule, minor is not None)
        # An amount in brackets before another one is the base of that one: "VAT 10% (56.40)  5.13".
        of_next = before.bracket and after.bracket and _NEXT_AMOUNT.match(line, after.end) is not None
        moneys = moneys if of_next else signed(moneys, before, after, bool(segment.separators))
        if not moneys:
            return None
        start = segment.start if before.bracket and not after.bracket else before.start
        best = moneys[0]
        if before.bracket and after.bracket:
            start -= 1
        end = after.end if not (after.bracket and not before.bracket) else after.end - 1
        decimals = decimals_of(best.value)
        return AmountCandidate(
            start,
            end,
            segment.start,
            segment.end,
            moneys,
            before.currency or after.currency,
            symbols,
            decimals,
        )

    def _minor_unit(self, line: str, segment: NumberSegment) -> float | None:
        """Cost of reading "99¢", "169.9c/L" or "50p" in the minor unit; None if no mark of one is printed."""
        if len(segment.separators) > 1 or (segment.separators and len(segment.groups[1]) != 1):
            return None
        mark = self._signs.minor.match(line, segment.end)
        if mark is None:
            return None
        owners = currency_marks().minor[mark.group().strip()]
        if not owners:
            return 0.1
        return 0.6 if any(symbol in self._marks for symbol in owners) else None

    def _moneys(
        self,
        line: str,
        segment: NumberSegment,
        marked: bool,
        extra: float,
        rule: AmountRule | None,
        minor: bool,
    ) -> tuple[Money, ...]:
        first = segment.groups[0]
        shape = Shape(
            tuple(map(len, segment.groups)),
            segment.separators,
            len(first) > 1 and first[0] == "0",
            first == "0",
            marked,
        )
        digits = "".join(segment.groups)
        if minor:
            places = 2 + len(segment.groups[1] if segment.separators else "")
            return (Money(Decimal(digits).scaleb(-places), extra, AmountRule.MINOR_UNIT),)
        found = [
            Money(
                Decimal(digits).scaleb(-reading.decimals),
                round(reading.cost + segment.cost + extra, 2),
                rule or segment.rule or reading.rule,
            )
            for reading in shape_readings(shape, self._rules)
        ]
        found.extend(self._misread_edges(line, segment, found, marked, extra))
        found.sort(key=lambda money: money.cost)
        return distinct(m for m in found if m.cost <= MAX_COST)

    def _masked(self, line: str, segment: NumberSegment) -> bool:
        """Whether the digits belong to a card or account number: "73***19", "6032 9811 2233 4455", "VISA
        (4471)"."""
        if any(start <= segment.start < end for start, end in _card_numbers(line)):
            return True
        if _is_cards(line, segment, _SIGNS if self._rules.decimals else _SIGNS.replace("-", "")):
            return True
        edges = line[segment.end : segment.end + 2], line[max(0, segment.start - 2) : segment.start]
        return "**" in edges

    def _misread_edges(
        self, line: str, segment: NumberSegment, found: Sequence[Money], marked: bool, extra: float
    ) -> Iterable[Money]:
        """Readings with a misread edge: a letter before is a digit, or an outer digit is a currency sign; or
        the point of the currency's abbreviation is that of the amount."""
        cents = len(segment.groups[0]) == self._rules.decimals and not segment.separators
        if marked and cents and line[segment.start - 1 : segment.start] == ".":  # "RM.50", but also "Rs.50"
            value = Decimal(segment.groups[0]).scaleb(-self._rules.decimals)
            yield Money(value, round(extra + _NO_ZERO, 2), AmountRule.NO_LEADING_ZERO)
        if not found or not segment.separators:
            return
        best = min(found, key=lambda money: money.cost)
        places = decimals_of(best.value)
        letter = line[segment.start - 1 : segment.start]
        if letter and letter in DIGIT_FOR and not line[segment.start - 2 : segment.start - 1].isalpha():
            digit = DIGIT_FOR[letter]
            if digit != "0":
                value = best.value + Decimal(digit) * 10 ** (sum(map(len, segment.groups)) - places)
                price = _LETTER_AS_DIGIT + (_OR_SIGN if letter == "S" and "$" in self._marks else 0.0)
                yield Money(value, round(best.cost + price, 2), AmountRule.LETTER_AS_DIGIT)
        first = segment.groups[0]
        if (
            not marked
            and "$" in self._marks
            and len(first) in (2, 3)
            and first[0] in "85"
            and first[1] != "0"
        ):
            value = Decimal("".join(segment.groups)[1:]).scaleb(-places)
            yield Money(
                value, round(best.cost + _SIGN_AS_DIGIT, 2), AmountRule.SIGN_AS_DIGIT, segment.start + 1
            )
        expected = self._rules.decimals
        last = segment.groups[-1]
        if not marked and expected and len(last) == expected + 1 and last[-1] in "6" and "€" in self._marks:
            value = Decimal("".join(segment.groups)[:-1]).scaleb(-expected)
            yield Money(value, round(best.cost + 1.2, 2), AmountRule.SIGN_AS_DIGIT)


def _is_cards(line: str, segment: NumberSegment, signs: str) -> bool:
    """Whether four digits are the last ones of a card, behind its name and a sign, or words that announce
    them: "Mastercard - 8831", "card ending in 8831"."""
    if segment.separators or len(segment.groups[0]) != _LAST_DIGITS:
        return False
    lead = line[: segment.start].rstrip()
    name = lead.rstrip(signs)
    if name == lead:
        return term_at_end(lead, "ending_in") is not None
    schemes = any(scheme.end == len(name) for scheme in find_schemes(name))
    return schemes or term_at_end(name, "card", "debit", "card_number") is not None


@lru_cache(maxsize=64)
def _card_numbers(line: str) -> tuple[tuple[int, int], ...]:
    return tuple(card.span() for card in _CARD_NUMBER.finditer(line))


def _touches(line: str, segment: NumberSegment, confusions: frozenset[int]) -> bool:
    """Whether a letter that looks like a digit touches the number, perhaps across a separator."""
    end = segment.end + (line[segment.end : segment.end + 1] in (".", ",", "'"))
    start = segment.start - 1 - (line[segment.start - 1 : segment.start] in (".", ",", "'"))
    return end in confusions or start in confusions


def _calendar_cost(segment: NumberSegment, spans: Sequence[Span]) -> float:
    """Cost of reading the segment as money where a date or time overlaps it."""
    if not spans:
        return 0.0
    return max(
        (cost for start, end, cost in spans if start < segment.end and segment.start < end), default=0.0
    )
