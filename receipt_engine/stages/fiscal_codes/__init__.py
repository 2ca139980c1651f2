"""Reads the barcodes that tax authorities and banks prescribe: date, total, tax, seller.

In: the barcodes of the page. Out: one `FiscalCode` for each whose format is known. Decides nothing about the
receipt: a code is evidence that later stages compare with the printed text. The formats are data
(``regions/fiscal_codes/``); `contents` unpacks the data and parses amounts and dates. Nothing is looked up
online: the content behind a web address stays unknown.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from receipt_engine.arithmetic.check_digits import is_valid_number
from receipt_engine.document import Barcode, FiscalCode
from receipt_engine.region.fiscal_codes import CodeFile, CodeFormat, code_files
from receipt_engine.stages.fiscal_codes.contents import Damaged, read_amount, read_date, unpack
from receipt_engine.vocabulary.patterns import compiled

__all__ = ["read_codes", "read_data"]

#: More characters than the largest QR code holds.
_LONGEST = 8000
#: Fewest characters of a fiscal code; the barcodes of shops and products are shorter.
_SHORTEST = 20
#: How the patterns of formats are meant: a point is any character, and each line has a begin and an end.
_FLAGS = re.DOTALL | re.MULTILINE


def read_codes(barcodes: Sequence[Barcode]) -> tuple[FiscalCode, ...]:
    """The codes of known formats, in page order, each content once."""
    found = (read_data(barcode.data) for barcode in barcodes)
    return tuple(dict.fromkeys(code for code in found if code is not None))


def read_data(data: str) -> FiscalCode | None:
    """The content of one barcode; None for an unknown format or data that violate it."""
    if not _SHORTEST <= len(data) <= _LONGEST:
        return None
    for file in code_files():
        for form in file.format:
            code = _read(data, form, file)
            if code is not None:
                return code
    return None


def _read(data: str, form: CodeFormat, file: CodeFile) -> FiscalCode | None:
    shape = compiled(form.shape, _FLAGS).search(data)
    if shape is None:
        return None
    try:
        text = unpack(shape.groupdict().get("payload") or data, form.unpack)
    except Damaged:
        return None
    seller = _find(form.seller, text)
    if form.stdnum and (seller is None or not is_valid_number(form.stdnum, seller)):
        return None
    day, time = read_date(_search(form.date, text), form.year_zero, form.offsets)
    total, tax = (read_amount(_search(p, text), form.amounts) for p in (form.total, form.tax))
    if day is None and total is None:
        return None
    printed = _find(form.currency, text) or ""
    currency = form.names.get(printed, printed)
    return FiscalCode(
        name=form.name,
        country=form.names.get(_find(form.country, text) or "", file.country),
        currency=(currency if re.fullmatch("[A-Z]{3}", currency) else file.currency) or None,
        date=day,
        time=time,
        total=total,
        tax=tax,
        seller=seller,
        asks=form.asks,
    )


def _search(pattern: str, text: str) -> re.Match[str] | None:
    return compiled(pattern, _FLAGS).search(text) if pattern else None


def _find(pattern: str, text: str) -> str | None:
    match = _search(pattern, text)
    return match.group(1) if match else None
