"""Cuts a line into segments that may each be one number, including numbers broken by spaces.

Segments may overlap: "1 234,56" is one, and "234,56" another. The caller weighs them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from receipt_engine.document import AmountRule
from receipt_engine.region import currency_marks
from receipt_engine.stages.parse.amounts.shapes import NumberRules

#: Digits with anything between them that may belong to a number. Nothing follows the last group, so no
#: input backtracks; Python before 3.11.5 mishandles possessive groups. A rate after a blank is none.
_CHUNK = re.compile(
    r"\d++(?:(?: ?[.,';:]{1,2} ?|\. {1,2}\.|, {1,2},|[/\-]| (?!\d{1,2}(?:[.,]\d{1,2})? ?%))\d++)*"
)
#: ".99" at the start of a word; not the rest of "Rs.50", "....50" or "12. .50".
_BARE_POINT = re.compile(
    r"(?<![^\W_])(?<![.,'/:;])(?<![0-9]-)(?<![0-9][.,] )(?<![0-9][.,] {2})[.,]\d++(?![.,/:-]?\d)"
)
_ENDS_IN_DECIMALS = re.compile(r"\d[.,]\d\d$")
_SIMPLE = re.compile(r"(\d++)([.,])(\d++)")
_RUNS = re.compile(r"\d+|\D+")
#: Digits with spaces between them, as in letter-spaced print: "¥3 3 0", "$1 2 . 5 0". Only after a currency
#: sign: elsewhere they are columns.
_SET_APART = re.compile(r"\d(?:(?: | ?[.,] ?)\d){2,}")
#: More runs of digits than this in one chunk are a barcode or a table of dots, not an amount.
_MAX_RUNS = 40
_NO_ZERO = 0.5
_BROKEN = 0.6  # "12 .50": a space beside the point
_DOUBLED = 1.4  # "12..50"
_LOST_TO_SPACE = 3.4  # "12 50"
_SPLIT_DIGIT = 2.6  # "1 2.50"
_SPLIT_CENT = 0.9  # "12.5 0" at the end


class NumberSegment(NamedTuple):
    """One number as cut: digits in groups and the separators between them, one character each.

    cost: of this cut, on top of the shape's cost. rule: None when nothing had to be repaired.
    """

    start: int
    end: int
    groups: tuple[str, ...]
    separators: str
    cost: float = 0.0
    rule: AmountRule | None = None

    def is_decimal(self, decimals: int) -> bool:
        return self.separators[-1:] in (".", ",") and len(self.groups[-1]) == decimals


def segments(text: str, rules: NumberRules) -> list[NumberSegment]:
    """All segments of a plain text: those without a leading zero (".99") first, then left to right."""
    signs = frozenset(currency_marks().signs)
    found = [
        NumberSegment(
            m.start(),
            m.end(),
            ("0", m.group()[1:]),
            ".",
            _after_digit(text, m.start()),
            AmountRule.NO_LEADING_ZERO,
        )
        for m in _BARE_POINT.finditer(text)
        if len(m.group()) == rules.decimals + 1
    ]
    for match in _CHUNK.finditer(text):
        chunk, start = match.group(), match.start()
        if text[:start].rstrip()[-1:] in signs and _SET_APART.fullmatch(chunk):
            closed = _segments_of_chunk(chunk.replace(" ", ""), start, rules)
            found.extend(segment._replace(end=match.end()) for segment in list(closed)[:1])
        else:
            found.extend(_segments_of_chunk(chunk, start, rules))
    return found


def _after_digit(text: str, start: int) -> float:
    """Cost of a missing leading zero; high after "12 ", as ".50" is then the rest of a broken number."""
    broken = start > 1 and text[start - 1] == " " and text[start - 2].isdigit()
    broken = broken and _ENDS_IN_DECIMALS.search(text, 0, start - 1) is None
    return _NO_ZERO + 3.0 * broken


def _segments_of_chunk(chunk: str, offset: int, rules: NumberRules) -> Iterator[NumberSegment]:
    if chunk.isdigit():
        yield NumberSegment(offset, offset + len(chunk), (chunk,), "")
        return
    simple = _SIMPLE.fullmatch(chunk)
    if simple:
        yield NumberSegment(offset, offset + len(chunk), (simple.group(1), simple.group(3)), simple.group(2))
        return
    runs = _RUNS.findall(chunk)
    if len(runs) > _MAX_RUNS:
        return
    tokens = list(_tokens(runs, offset, rules))
    for index, token in enumerate(tokens):
        if token is None:
            continue
        yield token
        if index and (before := tokens[index - 1]) is not None and before.end + 1 == token.start:
            joined = _joined(tokens, index, rules)
            if joined is not None:
                yield joined


def _tokens(runs: list[str], offset: int, rules: NumberRules) -> Iterator[NumberSegment | None]:
    """Cuts at spaces, except beside a point; None stands for runs that are no number (dates, ids, times)."""
    start, groups, separators, cost = offset, [runs[0]], "", 0.0
    position = offset + len(runs[0])
    for index in range(1, len(runs), 2):
        separator, digits = runs[index], runs[index + 1]
        tight_next = index + 2 < len(runs) and runs[index + 2].strip() == runs[index + 2]
        has_point = bool(separators.strip("'")) and len(groups[-1]) != 3
        kind, price = _separator(separator, digits, tight_next, has_point, rules)
        if not kind:
            yield from _checked(NumberSegment(start, position, tuple(groups), separators, cost), rules)
            start, groups, separators, cost = position + len(separator), [], "", 0.0
        else:
            separators += kind
            cost += price
        groups.append(digits)
        position += len(separator) + len(digits)
    yield from _checked(NumberSegment(start, position, tuple(groups), separators, cost), rules)


def _separator(
    text: str, digits: str, tight_next: bool, has_point: bool, rules: NumberRules
) -> tuple[str, float]:
    """The one character that a separator stands for, and its cost; "" where the number ends.

    digits: those after it. tight_next: the separator after those has no spaces.
    """
    mark = text.strip()
    if not mark:
        return "", 0.0
    if mark == text:
        if len(mark) > 2:  # "12.  .50": two boxes meet at the point, and both show it
            return (mark[0], _BROKEN) if len(digits) == rules.decimals and not has_point else ("", 0.0)
        return (mark, 0.0) if len(mark) == 1 else (mark[-1], _DOUBLED)
    # A space beside a point belongs to a number only when the digits after it are its fraction or the
    # last thousand, and nothing says that a new number begins there.
    fraction = len(digits) == (rules.decimals or 3) or len(digits) == 3
    if (
        len(digits) == 3
        and rules.parts_thousands(mark)
        and (mark == "'" or text == f" {mark}" or (tight_next and text[0] == mark))
    ):
        return mark, _BROKEN  # "1, 234.56", "1 ,234.56", "1 '234.50"
    if len(mark) == 1 and mark in ".," and fraction and not has_point and not tight_next:
        return mark, _BROKEN
    return "", 0.0


def _checked(token: NumberSegment, rules: NumberRules) -> Iterator[NumberSegment | None]:
    """A token without slash, dash or colon as it is; with them, the amounts between them."""
    if not any(hard in token.separators for hard in "/-:"):
        yield token._replace(rule=AmountRule.SPACED_POINT) if token.cost else token
        return
    if token.separators == ":":  # a misread point: "12:50", "12:500" where amounts are whole
        digits = len(token.groups[1])
        yield token if digits == rules.decimals or (digits == 3 and rules.whole == "usual") else None
        return
    if ":" in token.separators:
        yield None
        return
    parts = list(_split_hard(token))
    amounts = [part for part in parts if part.is_decimal(rules.decimals)]
    if len(amounts) == len(parts):  # "1.50-2.00"
        yield from parts
    elif len(parts) == 2 and len(amounts) == 1 and parts[1] is amounts[0]:  # "2/5.00", "COKE2-1.50"
        price = 0.4 if "/" in token.separators else 1.6
        yield None
        yield amounts[0]._replace(cost=amounts[0].cost + price)
    elif len(parts) == 2 and len(amounts) == 1 and "-" in token.separators:  # "1.50-2"
        yield amounts[0]._replace(cost=amounts[0].cost + 1.6)
        yield None
    else:
        yield None


def _split_hard(token: NumberSegment) -> Iterator[NumberSegment]:
    """Splits a token at slashes and dashes."""
    start, first = token.start, 0
    position = token.start + len(token.groups[0])
    for index, separator in enumerate(token.separators):
        if separator in "/-":
            yield NumberSegment(
                start, position, token.groups[first : index + 1], token.separators[first:index]
            )
            start, first = position + 1, index + 1
        position += 1 + len(token.groups[index + 1])
    yield NumberSegment(start, token.end, token.groups[first:], token.separators[first:])


def _joined(tokens: list[NumberSegment | None], index: int, rules: NumberRules) -> NumberSegment | None:
    """The segment that ends with token `index` and includes the space before it; None without one."""
    token, before = tokens[index], tokens[index - 1]
    assert token is not None and before is not None
    head = _group_head(tokens, index - 1) if len(token.groups[0]) == 3 else None
    if head is not None:
        parts = [part for part in tokens[head:index] if part is not None]
        groups = (*(part.groups[0] for part in parts), *token.groups)
        separators = " " * (index - head) + token.separators
        start, rule = parts[0].start, AmountRule.SPACED_THOUSANDS
        return NumberSegment(start, token.end, groups, separators, token.cost, rule)

    def both(
        groups: tuple[str, ...], separators: str, cost: float, rule: AmountRule = AmountRule.SPLIT_NUMBER
    ) -> NumberSegment:
        return NumberSegment(before.start, token.end, groups, separators, cost, rule)

    glued = (*before.groups[:-1], before.groups[-1] + token.groups[0], *token.groups[1:])
    last = index == len(tokens) - 1
    priced = index > 1 and (price := tokens[index - 2]) is not None and price.is_decimal(rules.decimals)
    if rules.decimals and not before.separators and last and (index == 1 or priced):
        if not token.separators and len(token.groups[0]) == rules.decimals:
            return both((*before.groups, *token.groups), ".", _LOST_TO_SPACE, AmountRule.LOST_POINT)
        if len(token.groups[0]) == 1 == len(before.groups[0]) and token.is_decimal(rules.decimals):
            return both(glued[:2], token.separators, _SPLIT_DIGIT)
    elif (
        before.is_decimal(rules.decimals - 1)
        and rules.decimals > 1
        and last
        and len(token.groups) == 1 == len(token.groups[0])
    ):
        return both(glued, before.separators, _SPLIT_CENT)
    elif (
        before.separators
        and len(before.groups[-1]) + len(token.groups[0]) == 3
        and rules.parts_thousands(before.separators[-1])
        and not (before.is_decimal(rules.decimals) and rules.is_point(before.separators[-1]))
        and (token.is_decimal(rules.decimals) if rules.decimals else not token.separators.strip(".,"))
    ):  # "84,80 0", "3,9 08.55"
        return both(glued, before.separators + token.separators, _BROKEN, AmountRule.SPLIT_THOUSANDS)
    return None


def _group_head(tokens: list[NumberSegment | None], index: int) -> int | None:
    """Index of the token that leads a number's thousands groups up to `index`; None if there is none.

    A group after it may begin with a zero ("1 050 000"), but not after three digits: "731 046 285" is a
    company number.
    """
    zero = False
    while index >= 0:
        token = tokens[index]
        if token is None or token.separators or len(token.groups[0]) > 3:
            return None
        previous = tokens[index - 1] if index else None
        chained = (
            len(token.groups[0]) == 3
            and previous is not None
            and not previous.separators
            and previous.end + 1 == token.start
            and len(previous.groups[0]) <= 3
        )
        begins_with_zero = token.groups[0][0] == "0"
        if not chained:
            return None if begins_with_zero or (zero and len(token.groups[0]) == 3) else index
        zero = zero or begins_with_zero
        index -= 1
    return None
