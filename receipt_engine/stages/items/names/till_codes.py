"""Tells the till's codes from names: those of taxes beside them, and those of products on rows that have an
amount but no name, which stands above or below."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from decimal import Decimal
from functools import cache
from itertools import pairwise

from msgspec.structs import replace

from receipt_engine.document import AmountRow
from receipt_engine.region import currency_marks
from receipt_engine.stages.items.rows import ItemRow, like_a_code, read_row, sold
from receipt_engine.stages.items.rows.headings import heads
from receipt_engine.stages.items.rows.words import blank_out, leading_count

#: The tax code after a name, the share of the names that must have one, and the number of letters from which
#: a code alone is enough.
_CODE_BEHIND = re.compile(r"(?<=\w) +([A-Z]{1,5})$")
_CODED_SHARE = 0.8
_LONG_CODE = 3
#: The share for codes of several characters or in brackets before names, which stand beside headings of
#: departments.
_CODED_BEFORE_SHARE = 0.5
#: A code in angle brackets or behind a star after a name is always one of the till's ("PAINT TRAY <A>",
#: "PAINT TRAY *A").
_ANGLED_BEHIND = re.compile(r"(?<=\w) *<[A-Z]{1,2}>$")
_STARRED_BEHIND = re.compile(r"(?<=\S) +\*([A-Z])$")
_BRACKETED_BEHIND = re.compile(r"(?<=\w) *\((\w{1,2})\)$")
#: Marks of a taxed or reduced product, which a till prints before or behind the name: "#LEMONADE", "BREAD #".
_MARK_AROUND = re.compile(r"^([#^%])(?=[^\W\d_])|(?<=\w) +([#^%])$")
#: The tax code before a name: "(A) MILK", "C00 BREAD", "C00BREAD".
_CODE_BEFORE = re.compile(r"^\(?([A-Z]\d{0,2})\)?(?: +|(?<=\d\d))(?=\S*[^\W\d_]{2})")
#: A letter before a count, where all names begin with one: "F 1 COTTON PADS", "1 SOAP".
_BEFORE_COUNT = re.compile(r"^[A-Z] (?=\d{1,2} [^\W\d_])")
#: Fewest names that begin with a bare letter for it to be a tax code.
_MIN_BARE_LETTERS = 3.0
#: The till's code of a product, perhaps with its place in the list, or the start of its name behind it.
_SHORT_CODE = re.compile(r"(?:\d{1,2} )?([A-Za-z]{1,4}\d{1,4}[A-Z]?|[A-Z]{2,4})( \w{1,4})?")
#: An article number shorter than any barcode's, before the count of a row.
_NUMBERED = re.compile(r"(\d{3,6}) (\d{1,4})(?= )")
_ALONE = re.compile(r"[A-Z\d]{5,12}")
#: Fewest products of a habit without column headings, and the share of the rows that must follow it.
_FEW = 2
_MOST = 0.6


def without_tax_codes(block: Sequence[ItemRow], codes: Collection[str]) -> list[ItemRow]:
    """The rows, without tax codes. A code between name and amount ("BREAD MRJ", "SOUP B") goes if it is long
    or follows most names; one before the names or in brackets, if most have one. codes: the region's."""
    block = _without_codes_around([_without_marked_code(row, codes) for row in block], codes)
    rows = [*sold(block), *(row for row, below in pairwise(block) if _is_priced_below(row, below))]
    coded = [row for row in rows if _code_behind(row.words, codes) is not None]
    usual = len(coded) >= max(2.0, _CODED_SHARE * len(rows))
    found = []
    for row in block:
        code = _code_behind(row.words, codes)
        ends = code is not None and (usual or len(code.group(1)) >= _LONG_CODE)
        found.append(replace(row, words=row.words[: code.start()]) if code and ends else row)
    return found


def _is_priced_below(row: ItemRow, below: ItemRow) -> bool:
    """Whether a row has a product's name, and the next one its amount."""
    return row.kind == "text" and below.kind == "bare" and below.amount is not None and below.amount.value > 0


def _without_marked_code(row: ItemRow, codes: Collection[str]) -> ItemRow:
    mark = _MARK_AROUND.search(row.words)
    if mark is not None and mark.group().strip() in codes:
        row = replace(row, words=row.words[mark.end() :] if mark.start() == 0 else row.words[: mark.start()])
    marked = _ANGLED_BEHIND.search(row.words) or _STARRED_BEHIND.search(row.words)
    known = marked is not None and (marked.re is _ANGLED_BEHIND or marked.group(1) in codes)
    return replace(row, words=row.words[: marked.start()]) if marked and known else row


def _without_codes_around(block: Sequence[ItemRow], codes: Collection[str]) -> list[ItemRow]:
    rows = [row for row in block if row.kind in ("named", "text") and not _is_negative(row)]
    marked = [_BEFORE_COUNT.sub("", row.words) for row in rows]
    if len(rows) > 1 and all(leading_count(words) is not None for words in marked):
        return [replace(row, words=_BEFORE_COUNT.sub("", row.words)) for row in block]
    for found, least, share in (
        (_code_before, 2.0, _CODED_BEFORE_SHARE),
        (_letter_before, _MIN_BARE_LETTERS, _CODED_SHARE),
        (_code_in_brackets, 2.0, _CODED_SHARE),
    ):
        if sum(1 for row in rows if found(row.words, codes) is not None) >= max(least, share * len(rows)):
            return [replace(row, words=found(row.words, codes) or row.words) for row in block]
    return list(block)


def _is_negative(row: ItemRow) -> bool:
    """Whether a row has a negative amount; such rows carry no tax code."""
    return row.amount is not None and row.amount.value < 0


def _code_before(words: str, codes: Collection[str]) -> str | None:
    """The words without a code before them, or None; a bare letter may be part of the name ("A LA CARTE")."""
    match = _CODE_BEFORE.match(words)
    if match is None or match.group(1) not in codes:
        return None
    return words[match.end() :] if words[0] == "(" or len(match.group(1)) > 1 else None


def _letter_before(words: str, codes: Collection[str]) -> str | None:
    """The words without a code of one letter before them ("B MILK"), or None."""
    match = _CODE_BEFORE.match(words)
    return words[match.end() :] if match is not None and match.group(1) in codes else None


def _code_in_brackets(words: str, codes: Collection[str]) -> str | None:
    """The words without a code in brackets after them ("MILK (E)"), or None."""
    match = _BRACKETED_BEHIND.search(words)
    return words[: match.start()] if match is not None and match.group(1) in codes else None


def _code_behind(words: str, codes: Collection[str]) -> re.Match[str] | None:
    match = _CODE_BEHIND.search(words)
    return match if match is not None and match.group(1) in codes else None


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
