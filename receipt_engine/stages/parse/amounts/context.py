"""Scores letters, units and codes beside a number: how likely they make it an amount of money."""

from __future__ import annotations

import re

from receipt_engine.document import THOUSANDS
from receipt_engine.region import Region
from receipt_engine.stages.parse.amounts.currency import After, Before, Signs
from receipt_engine.stages.parse.amounts.segments import NumberSegment
from receipt_engine.stages.parse.amounts.shapes import NumberRules
from receipt_engine.stages.parse.column_gaps import GAP
from receipt_engine.vocabulary.terms import term_at_end
from receipt_engine.vocabulary.units import UnitPattern

#: "24.12.": day and month without a year, where the region's decimal separator is not a point.
_DAY_AND_MONTH = re.compile(r"(?:0?[1-9]|[12][0-9]|3[01])\.(?:0[1-9]|1[0-2])\.(?![0-9.])")
#: The plural of a number of pieces: "ENVELOPES 50'S".
_PIECES = re.compile(r"'[sS](?![^\W_])")
#: Signs before the number of a document, an account or a room.
_NUMBER_SIGNS = frozenset("#№")
_LABEL_LENGTH = 12


def _is_numbered(line: str, start: int) -> bool:
    """Whether a word or sign for "number" stands right before `start`: "No. 1234", "# 12.5"."""
    printed = line[max(0, start - _LABEL_LENGTH) : start].rstrip(" :")
    before = printed.rstrip(".°º")
    if before[-1:] in _NUMBER_SIGNS:
        return True
    word = term_at_end(before, "number") if before[-1:].isalpha() else None
    return word is not None and (len(word.phrase) > 1 or printed != before)  # one letter is a tax code


def symbol_pattern(region: Region) -> re.Pattern[str]:
    """Pattern of tax codes and marks after an amount: "A", "TX", "*", "Δ", "1", and the region's own."""
    own = "|".join(sorted(map(re.escape, region.tax.codes), key=len, reverse=True)) or "(?!)"
    mark = r"[*#+^~†‡※](?!\d)"
    factor = r"[Xx] ?[-(]?[^\w\s]?\d"  # "1.50 x 2"
    letters = r"(?:(?<= )[A-ZΑ-Ω]\d{2}|[A-ZΑ-Ω][A-ZΑ-Ω]?\d?)(?![^\W_]|[.,]\d)|[a-z](?= ?$)"
    own = rf"(?:{own})(?![^\W_]|[.,']\d| \d{{3}}[.,]\d\d)"  # not the "1" of "1'234.50"
    return re.compile(rf"[ {GAP}]?(?:{mark}|(?!{factor})(?:{own}|{letters})|(?P<digit>[0-9])(?= ?$))")


class Context:
    """Scores the text around a number by one region's rules."""

    def __init__(
        self,
        rules: NumberRules,
        signs: Signs,
        units: UnitPattern,
        symbol: re.Pattern[str],
        codes: frozenset[str],
    ) -> None:
        self._rules = rules
        self._signs = signs
        self._units = units
        self._symbol = symbol
        self._codes = codes

    def cost_before(self, line: str, segment: NumberSegment, before: Before) -> float:
        """Cost of letters and marks that touch the number on its left."""
        whole = not segment.separators
        if before.glued:
            inside = line[max(0, segment.start - 2) : segment.start - 1].isdigit()
            if len(before.glued) == 1 and before.glued in self._signs.misread_before and not inside:
                return 0.4
            if before.glued in ("x", "X") and line[: segment.start - 1].rstrip(" ")[-1:].isdigit():
                return 0.3  # "2 x268"
            if before.glued[-1] > "\u3000":  # East Asian labels stand close: "合計1,280"
                return 1.0 if whole else 0.1
            return 4.0 if whole else 0.3 if len(before.glued) > 2 else 1.2
        if before.currency is not None:
            return 0.0
        if _is_numbered(line, segment.start):
            return 4.0 if whole else 0.7
        touching = line[segment.start - 1 : segment.start]
        if (
            touching == "-"
            and before.minus == "loose"
            and segment.separators[-1:] != ""
            and len(segment.groups[-1]) == 3
        ):
            return 3.0  # "CHE-205.881.148"
        return 3.0 if touching and touching in "#/_&\\.," and whole else 0.0

    def cost_after(
        self, line: str, segment: NumberSegment, after: After, marked: bool
    ) -> tuple[float, tuple[str, ...]] | None:
        """Cost of the text after the number, and its symbols; None when it shows that the number is no money.

        marked: a currency stands before the number.
        """
        if after.currency is not None or after.whole:
            return 0.0, self._symbols(line, after.end, bool(segment.separators))
        if _PIECES.match(line, segment.end):
            return None
        unit = self._units.after(line, segment.end)
        if unit is not None:
            name, kind, end = unit
            exact = segment.is_decimal(self._rules.decimals) and self._rules.decimals > 0
            exact = exact or ((marked or self._is_thousands(segment)) and name in self._codes)
            spaced = line[segment.end] == " "
            ends = name in self._codes and not line[end:].strip()
            latin = name.isascii() and (spaced or (ends and name == "G") or name not in "lLgGmh")
            if exact and (ends if len(name) > 1 else latin or (spaced and name in self._codes)):
                code = name.isupper() and (name not in "GL" or name in self._codes)
                return (0.0 if code else 1.5), (name,)
            if kind == "count" and segment.separators:
                return 0.6, ()
            return None
        if _DAY_AND_MONTH.match(line, segment.start) and self._rules.decimal["."] > 0.0:
            return 2.6, ()
        symbols = self._symbols(line, after.end, bool(segment.separators))
        touching = line[segment.end : segment.end + 1]
        if touching.isalpha() and not symbols:
            if touching in self._signs.misread_after:
                return 0.3, ()
            return (0.6 if segment.separators else 4.0), ()
        loose = segment.separators or marked or not touching or touching not in "#/_&\\:"
        return (0.0 if loose else 3.0), symbols

    def _is_thousands(self, segment: NumberSegment) -> bool:
        """Whether a sign parts thousands where amounts may be whole: "4.250"."""
        return self._rules.may_part(segment.separators[-1:]) and len(segment.groups[-1]) == THOUSANDS

    def _symbols(self, line: str, position: int, separated: bool) -> tuple[str, ...]:
        """The tax codes and marks (up to three) that start at a position."""
        if position >= len(line):
            return ()
        found: list[str] = []
        while len(found) < 3 and (match := self._symbol.match(line, position)):
            if match["digit"] and (not separated or found):
                break
            found.append(match.group().strip())
            position = match.end()
        rest = line[position : position + 2].strip()
        if found and rest[:1].isalpha():  # a word follows: "12.50 A PIECE"
            return tuple(s for s in found if not s.isalnum())
        return tuple(found)
