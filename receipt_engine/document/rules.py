"""Why a reading is possible: the rules that stages may check for, each with the text that evidence shows."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

#: Order of year, month and day in a numeric date.
NumericOrder = Literal["dmy", "mdy", "ymd", "ydm"]


class AmountRule(StrEnum):
    """How the digits of an amount became its value."""

    AS_PRINTED = "as printed"
    WHOLE = "whole"
    THOUSANDS = "thousands"
    SWAPPED_SEPARATORS = "swapped separators"
    LOST_POINT = "lost point"
    MINOR_UNIT = "minor unit"  # "99¢"
    MINOR_UNITS = "minor units"  # the caller's options say that amounts are printed so
    NO_LEADING_ZERO = "no zero before the point"
    SPACED_POINT = "mended point"
    SPACED_THOUSANDS = "spaced thousands"
    SPLIT_THOUSANDS = "split thousands"
    SPLIT_NUMBER = "split number"
    LETTERS_AS_DIGITS = "letters read as digits"
    LETTER_AS_DIGIT = "letter read as digit"
    SIGN_AS_DIGIT = "sign read as digit"
    OTHER_DIGIT = "another digit"  # the recogniser's next choice
    PAGE_HABIT = "as the page prints amounts"
    LOST_MINUS = "lost minus"
    TAX_TABLE = "tax table"


class DateLayout(StrEnum):
    """The separators or words that a date is printed with, and the order of its parts."""

    DMY = "d/m/y"
    MDY = "m/d/y"
    YMD = "y/m/d"
    LONG_YEAR_FIRST = "y-m-d"
    LONG_YEAR_DAY_MONTH = "y-d-m"
    EIGHT_DIGITS = "yyyymmdd"
    JOINED = "d m y"  # words around numbers: "02 tháng 09 năm 2023"
    DAY_NAME_YEAR = "d month y"
    DAY_ROMAN_YEAR = "d roman y"
    YEAR_NAME_DAY = "y month d"
    YEAR_DAY_NAME = "y d month"
    NAME_DAY_YEAR = "month d y"
    NAME_DAY_YEAR_GLUED = "month d y, lost mark"
    NAME_DAY_YEAR_COLON = "month d y, colon for mark"
    NAME_DAY_TIME_YEAR = "month d time y"
    SIGNS = "年月日"
    ERA = "era"
    ERA_YEAR = "era year"

    @property
    def order(self) -> NumericOrder | None:
        """The order that was assumed for a purely numeric date; None when the printed text determines it."""
        return _ORDERS.get(self)

    @property
    def names_month(self) -> bool:
        """Whether the month is a word."""
        return self in _NAMED


_ORDERS: dict[DateLayout, NumericOrder] = {
    DateLayout.DMY: "dmy",
    DateLayout.MDY: "mdy",
    DateLayout.YMD: "ymd",
    DateLayout.LONG_YEAR_FIRST: "ymd",
    DateLayout.LONG_YEAR_DAY_MONTH: "ydm",
}
_NAMED = frozenset(
    (
        DateLayout.DAY_NAME_YEAR,
        DateLayout.DAY_ROMAN_YEAR,
        DateLayout.YEAR_NAME_DAY,
        DateLayout.YEAR_DAY_NAME,
        DateLayout.NAME_DAY_YEAR,
        DateLayout.NAME_DAY_YEAR_GLUED,
        DateLayout.NAME_DAY_YEAR_COLON,
        DateLayout.NAME_DAY_TIME_YEAR,
    )
)


class DateDigits(StrEnum):
    """How the digits of a numeric date are printed."""

    SEPARATED = ""
    UNSEPARATED = "digits only"
    REPAIRED = "mended"  # a digit or a separator was inserted
    OTHER = "another likely character"  # the recogniser's second choice


class QuantityRule(StrEnum):
    """The clue that a number is a count or a measure."""

    PRICED = "price behind it"  # "2 x 1.49"
    STARRED_PRICE = "star and price behind it"  # "2 * 1.49": the star may mark a tax
    NAMED_PRICE = "name and price behind it"  # "2 Latte @ 3.50"
    PRICE_FIRST = "price before it"  # "1.49 x 2"
    PRICE_PER_UNIT = "price per unit behind it"  # "0.456 kg 2.99/kg"
    MARK_BEFORE = "mark before it"  # "x2"
    MARK_BEHIND = "mark behind it"  # "2x"
    DASH_BEHIND = "dash behind it"  # "1- ": a return
    LABEL = "label before it"  # "Qty 2"
    UNIT = "unit behind it"
    LEADING = "first on its row"
    PRODUCT = "the row's product"
    COUNTED_FIRST = "count before a priced size"
    MULTIPLIED = "measure and price multiply to the amount"
    COLUMNS = "columns of an invoice"
