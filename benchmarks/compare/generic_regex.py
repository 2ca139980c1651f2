"""Extracts fields from a receipt's text with generic regular expressions: the baseline of `compare`.

It is written to be fair. Rows are those of the OCR engine; the keywords cover many languages; "total" is not
taken from a subtotal, a tax or a saving; the last matching row wins, as on paper; an amount may stand in the
row below its label; both decimal separators are accepted; dates are read in all common forms, the order of
day and month following the region when it is given. It has no other country knowledge and proves nothing.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

_AMOUNT = re.compile(r"(?<![\d.,])-?(?:\d{1,3}(?:[., ']\d{3})+|\d+)[.,]\s?\d{2}(?![\d.,]*\d)(?!\s*%)")
_GRAND = re.compile(
    r"\b(?:grand total|total (?:due|amount|sales?|incl\w*)|amount (?:due|payable)|balance due|net total|"
    r"nett?|zu zahlen|gesamt\w*|à payer|a pagar|da pagare|importe total|te betalen|att betala)\b",
    re.IGNORECASE,
)
_TOTAL = re.compile(
    r"\b(?:t[o0]tal[ei]?|totaal|totalt|summe?|suma|razem|endsumme|montant|importe|valor)\b", re.I
)
_NOT_TOTAL = re.compile(
    r"sub\W?t[o0]tal|total (?:tax|vat|gst|items?|qty|quantity|discount|savings?|saved|points)|sous\W?total|"
    r"zwischensumme|tax|vat\b|gst\b|mwst|\biva\b|\btva\b|saving|discount|round|change|cash|qty|item",
    re.IGNORECASE,
)
_SUBTOTAL = re.compile(r"sub\W?t[o0]tal|sous\W?total|zwischensumme|subtot", re.IGNORECASE)
_TAX = re.compile(r"\b(?:(?:sales )?tax\d?|vat|gst|hst|mwst|ust|iva|tva|btw|moms|ppn|igv)\b", re.IGNORECASE)
_NOT_TAX = re.compile(
    r"\b(?:total incl|incl\w* (?:tax|vat|gst)|before tax|invoice|no\b|id\b|reg|taxable|net)", re.I
)
_YEAR_FIRST = re.compile(r"(?<!\d)(20\d\d)[-/. ](\d{1,2})[-/. ](\d{1,2})(?!\d)")
_NUMERIC = re.compile(r"(?<!\d)(\d{1,2})[-/. ](\d{1,2})[-/. ]((?:20)?\d{2})(?!\d)")
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_NAMED = re.compile(
    rf"(?<!\d)(\d{{1,2}})[-/. ]?({'|'.join(_MONTHS)})[a-z]*[-/., ']*((?:20)?\d{{2}})(?!\d)", re.I
)
_NAMED_FIRST = re.compile(
    rf"({'|'.join(_MONTHS)})[a-z]*[-/. ]*(\d{{1,2}}),?[-/. ']+((?:20)?\d{{2}})(?!\d)", re.I
)
#: Regions whose numeric dates start with the month.
_MONTH_FIRST = {"us", "ph", "pa"}
_LETTERS = 3


def extract(rows: Sequence[str], region: str | None) -> dict[str, Any]:
    """Fields by their names in the Result, as far as regular expressions go: total, subtotal, tax, date and
    merchant name. rows: the text from top to bottom."""
    total, name = _total(rows), _name(rows)
    return {
        "establishment": name,
        "date": _date(rows, region),
        "total": total,
        "subTotal": _labelled(rows, _SUBTOTAL, None),
        "tax": _labelled(rows, _TAX, _NOT_TAX),
        "lineItems": [],
        "summaryItems": [],
    }


def _total(rows: Sequence[str]) -> Decimal | None:
    for pattern, refused in ((_GRAND, _SUBTOTAL), (_TOTAL, _NOT_TOTAL)):
        found = _labelled(rows, pattern, refused)
        if found is not None:
            return found
    return max((amount for row in rows for amount in _amounts(row)), default=None)


def _labelled(rows: Sequence[str], label: re.Pattern[str], refused: re.Pattern[str] | None) -> Decimal | None:
    """The last amount of the last row that matches the label, or of the row below it."""
    for index in reversed(range(len(rows))):
        if not label.search(rows[index]) or (refused is not None and refused.search(rows[index])):
            continue
        amounts = list(_amounts(rows[index]))
        if not amounts and index + 1 < len(rows) and not re.search(r"[^\W\d_]{4}", rows[index + 1]):
            amounts = list(_amounts(rows[index + 1]))
        if amounts:
            return amounts[-1]
    return None


def _amounts(row: str) -> Iterator[Decimal]:
    for match in _AMOUNT.finditer(row):
        digits = re.sub(r"\D", "", match.group())
        value = Decimal(digits) / 100
        yield -value if match.group().startswith("-") else value


def _date(rows: Sequence[str], region: str | None) -> str | None:
    for row in rows:
        for day in _dates(row, region in _MONTH_FIRST):
            return f"{day.isoformat()} 00:00:00"
    return None


def _dates(row: str, month_first: bool) -> Iterator[datetime.date]:
    for match in _YEAR_FIRST.finditer(row):
        yield from _day(match[1], match[2], match[3])
    for match in _NAMED.finditer(row):
        yield from _day(match[3], str(_MONTHS.index(match[2].lower()) + 1), match[1])
    for match in _NAMED_FIRST.finditer(row):
        yield from _day(match[3], str(_MONTHS.index(match[1].lower()) + 1), match[2])
    for match in _NUMERIC.finditer(row):
        orders = [(match[1], match[2]), (match[2], match[1])]
        for day, month in reversed(orders) if month_first else orders:
            found = list(_day(match[3], month, day))
            if found:
                yield found[0]
                break


def _day(year: str, month: str, day: str) -> Iterator[datetime.date]:
    try:
        yield datetime.date(int(year) + (2000 if len(year) == 2 else 0), int(month), int(day))
    except ValueError:
        return


def _name(rows: Sequence[str]) -> str | None:
    """The first row with a word."""
    return next((row.strip() for row in rows if re.search(rf"[^\W\d_]{{{_LETTERS}}}", row)), None)
