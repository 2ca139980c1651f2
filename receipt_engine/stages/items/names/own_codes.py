"""Finds the till's own codes on rows that have an amount but no name: the name stands above or below."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from functools import cache
from itertools import pairwise

from msgspec.structs import replace

from receipt_engine.document import AmountRow
from receipt_engine.region import currency_marks
from receipt_engine.stages.items.rows import ItemRow, like_a_code, read_row
from receipt_engine.stages.items.rows.headings import heads
from receipt_engine.stages.items.rows.words import blank_out

#: The till's code of a product, perhaps with its place in the list, or the start of its name behind it.
_SHORT_CODE = re.compile(r"(?:\d{1,2} )?([A-Za-z]{1,4}\d{1,4}[A-Z]?|[A-Z]{2,4})( \w{1,4})?")
#: An article number shorter than any barcode's, before the count of a row.
_NUMBERED = re.compile(r"(\d{3,6}) (\d{1,4})(?= )")
_ALONE = re.compile(r"[A-Z\d]{5,12}")
#: Fewest products of a habit without column headings, and the share of the rows that must follow it.
_FEW = 2
_MOST = 0.6


@cache
def _priced() -> re.Pattern[str]:
    """Matches a code, a count and the price of one, with its unit behind it: "5011429  2 EA  4.50 EA"."""
    return re.compile(
        r"(?:(?P<code>(?=[A-Z-]*\d)[\dA-Z-]++)\s+)+(?P<count>\d{1,4})\s?[^\W\d_]{0,3}\s+"
        rf"[{currency_marks().signs}]?(?P<price>\d*[.,]\d{{2}})\s?[^\W\d_]{{2,3}}"
    )


def with_amounts_of_codes(block: Sequence[ItemRow]) -> list[ItemRow]:
    """The rows; amounts beside nothing but a short code of letters and digits ("SP04  2  4.50  9.00") take
    their names from other rows, if all amounts are so and words stand between any two of them."""
    sold = [row for row in block if row.amount is not None and row.kind in ("named", "bare")]
    found = [_SHORT_CODE.fullmatch(row.words) for row in sold]
    alone = sum(1 for code in found if code and not code[2])
    order = [row not in sold for row in block if row in sold or row.kind in ("text", "skip")]
    parted = all(first or second for first, second in pairwise(order))
    coded = sum(1 for row in sold if row.code is not None or any(map(str.isdigit, row.words.split(" ")[-1])))
    if len(sold) < _FEW or not parted or not all(found) or min(2 * alone, coded / _MOST) < len(sold):
        return list(block)
    codes = {row.index: code[1] for row, code in zip(sold, found, strict=True) if code}
    return [
        replace(row, kind="bare", code=row.code or codes[row.index], words="") if row.index in codes else row
        for row in block
    ]


def with_prices_above(block: Sequence[ItemRow], rows: Sequence[AmountRow]) -> list[ItemRow]:
    """The rows; one with only a code, a count and the price of one with its unit belongs to the product right
    below, whose amount they make: "5011429  2 EA  4.50 EA" above "HINGE  9.00", as hardware shops print."""
    found = list(block)
    for at, (row, below) in enumerate(pairwise(block)):
        printed = _priced().fullmatch(rows[row.index].text.strip())
        if printed is None or below.kind != "named" or below.index != row.index + 1 or below.amount is None:
            continue
        count, price = Decimal(printed["count"]), Decimal(printed["price"].replace(",", "."))
        if count * price == below.amount.value:
            found[at] = replace(
                row, kind="detail", words="", amount=None, qty=count, price=price, code=printed["code"]
            )
    return found


def with_article_numbers(
    block: Sequence[ItemRow], rows: Sequence[AmountRow], counts: float | None
) -> list[ItemRow]:
    """The rows; a short number before the count of an amount without a name is the till's article number, if
    most such amounts begin so: "1432  3  2.12  6.36" above or below "GLOVES". counts: as in `read_row`."""
    sold = [row for row in block if row.kind in ("bare", "named")]
    numbers = {row.index: found for row in sold if (found := _number(row)) is not None}
    habit = len(numbers) >= (1 if any(map(heads, rows)) else _FEW)
    if not habit or len(numbers) < _MOST * len(sold) or not any(row.kind == "text" for row in block):
        return [_with_code(row) for row in block]
    return [
        _without_number(row, rows[row.index], numbers[row.index], counts) if row.index in numbers else row
        for row in block
    ]


def _number(row: ItemRow) -> re.Match[str] | None:
    """The article number before a row's count; None if the two are price and count of the amount."""
    found = _NUMBERED.match(row.desc)
    if found is None or row.amount is None or row.kind != "bare":
        return None
    return None if Decimal(found[1]) * Decimal(found[2]) == abs(row.amount.value) else found


def _without_number(row: ItemRow, printed: AmountRow, number: re.Match[str], counts: float | None) -> ItemRow:
    at = printed.text.find(number[1])
    text = blank_out(printed.text, [(at, at + len(number[1]))])
    again = read_row(row.index, replace(printed, text=text), counts)
    return replace(again, kind="bare", desc=row.desc, code=number[1]) if again.kind == "bare" else row


def _with_code(row: ItemRow) -> ItemRow:
    """The row; the only word beside an amount whose name is elsewhere is its code ("KXP350  50  1.60")."""
    alone = row.kind == "bare" and row.code is None and _ALONE.fullmatch(row.words) is not None
    return replace(row, code=row.words) if alone and like_a_code(row.words) else row
