"""Reads the barcodes that tax authorities and banks prescribe: date, total, tax, seller.

In: the barcodes of the page. Out: one `FiscalCode` for each whose format is known. Decides nothing about the
receipt: a code is evidence that later stages compare with the printed text. The formats are data
(``regions/fiscal_codes/``); one function per encoding unpacks them to text. Nothing is looked up online: the
content behind a web address stays unknown.
"""

from __future__ import annotations

import base64
import binascii
import datetime
import json
import lzma
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from typing import Literal
from urllib.parse import unquote

from receipt_engine.arithmetic.check_digits import is_valid_number
from receipt_engine.document import ZERO, Barcode, FiscalCode
from receipt_engine.region.fiscal_codes import Amounts, CodeFile, CodeFormat, Unpacking, code_files
from receipt_engine.vocabulary.patterns import compiled

__all__ = ["read_codes", "read_data"]

#: More characters than the largest QR code holds.
_LONGEST = 8000
#: Fewest characters of a fiscal code; the barcodes of shops and products are shorter.
_SHORTEST = 20
#: How the patterns of formats are meant: a point is any character, and each line has a begin and an end.
_FLAGS = re.DOTALL | re.MULTILINE
#: Most bytes that a compressed code may expand to: far more than any holds, far less than would do harm.
_MOST = 64_000
_BASE32 = "0123456789ABCDEFGHIJKLMNOPQRSTUV"
#: PAY by square: bytes of header and length, then raw LZMA with these properties.
_SQUARE_HEAD = 4
_SQUARE_FILTERS = [{"id": lzma.FILTER_LZMA1, "dict_size": 1 << 17, "lc": 3, "lp": 0, "pb": 2}]


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


class Damaged(ValueError):
    """The data are not encoded as their format requires."""


def unpack(data: str, steps: Sequence[Unpacking]) -> str:
    """The text that results from applying the steps to the data; raises Damaged."""
    packed = data.encode("utf-8", "surrogateescape")
    for step in steps:
        try:
            packed = _STEPS[step](packed)
        except (ValueError, LookupError, lzma.LZMAError) as error:
            raise Damaged(f"{step}: {error}") from error
    return packed.decode("utf-8", "replace")


def _percent(packed: bytes) -> bytes:
    return unquote(packed.decode("ascii")).encode()


def _base64(packed: bytes) -> bytes:
    """Decodes base64 in either alphabet, with or without padding."""
    text = packed.strip().translate(bytes.maketrans(b"-_", b"+/")).rstrip(b"=")
    return base64.b64decode(text + b"=" * (-len(text) % 4), validate=True)


def _hex(packed: bytes) -> bytes:
    return binascii.hexlify(packed)


def _text(packed: bytes) -> bytes:
    """The bytes unchanged; raises when they are not UTF-8 text."""
    return packed.decode("utf-8").encode()


def _tlv(packed: bytes) -> bytes:
    """Tag, length and value bytes (ZATCA) as lines ``tag=value``."""
    return b"\n".join(b"%d=%s" % (tag, value) for tag, value in _tagged(packed))


def _tagged(packed: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    while at < len(packed):
        tag, length = packed[at], packed[at + 1]
        value = packed[at + 2 : at + 2 + length]
        if len(value) < length:
            raise ValueError("a value is cut short")
        yield tag, value
        at += 2 + length


def _emv(packed: bytes) -> bytes:
    """Two digits of tag, two of length, value (EMV merchant codes) as lines ``tag=value``; checks the CRC."""
    text = packed.decode("ascii")
    if text[-8:-4] != "6304" or int(text[-4:], 16) != binascii.crc_hqx(packed[:-4], 0xFFFF):
        raise ValueError("the check sum does not fit")
    rows, at = [], 0
    while at < len(text):
        length = int(text[at + 2 : at + 4])
        rows.append(f"{text[at : at + 2]}={text[at + 4 : at + 4 + length]}")
        at += 4 + length
    return "\n".join(rows).encode()


def _token(packed: bytes) -> bytes:
    """The claim "data" of a JSON web token: a string as it is, anything else as JSON."""
    claims = json.loads(_base64(packed.split(b".")[1]))
    data = claims["data"]
    return (data if isinstance(data, str) else json.dumps(data)).encode()


def _square(packed: bytes) -> bytes:
    """Decodes PAY by square: base 32, then LZMA, then a checksum before the text."""
    bits = "".join(f"{_BASE32.index(character):05b}" for character in packed.decode("ascii"))
    whole = bytes(int(bits[i : i + 8], 2) for i in range(0, len(bits) - 7, 8))
    decompressor = lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=_SQUARE_FILTERS)
    length = int.from_bytes(whole[2:_SQUARE_HEAD], "little")
    plain = decompressor.decompress(whole[_SQUARE_HEAD:], max_length=min(_MOST, length))
    if len(plain) != length or int.from_bytes(plain[:4], "little") != zlib.crc32(plain[4:]):
        raise ValueError("the check sum does not fit")
    return plain[4:]


_STEPS: dict[Unpacking, Callable[[bytes], bytes]] = {
    "percent": _percent,
    "base64": _base64,
    "hex": _hex,
    "text": _text,
    "tlv": _tlv,
    "emv": _emv,
    "square": _square,
    "token": _token,
}


#: A number of this size or more is not an amount.
_LARGEST = Decimal(10) ** 12
_FIRST_YEAR, _LAST_YEAR = 1990, 2099


def read_amount(match: re.Match[str] | None, amounts: Amounts) -> Decimal | None:
    """The sum of a match's groups; None without a match or when a group is not an amount."""
    if match is None:
        return None
    parts = [_amount(group, amounts) for group in match.groups() if group]
    total = sum((part for part in parts if part is not None), ZERO)
    return total if parts and None not in parts and abs(total) < _LARGEST else None


def _amount(text: str, amounts: Amounts) -> Decimal | None:
    if amounts.base == 16:
        if not re.fullmatch(r"(?:[\da-fA-F]{2})+", text, re.ASCII):
            return None
        order: Literal["little", "big"] = "little" if amounts.little_endian else "big"
        return _tidy(Decimal(int.from_bytes(bytes.fromhex(text), order)).scaleb(-amounts.places))
    plain = text.replace("." if amounts.decimal == "," else ",", "").replace(amounts.decimal, ".")
    if not re.fullmatch(r"-?\d+(?:\.\d+)?", plain, re.ASCII):
        return None
    return _tidy(Decimal(plain) if "." in plain else Decimal(plain).scaleb(-amounts.places))


def _tidy(value: Decimal) -> Decimal:
    """The value without the superfluous zeros after the second decimal that some formats write."""
    cents = round(value, 2)
    return cents if cents == value and value != value.to_integral_value() else value.normalize() + 0


def read_date(
    match: re.Match[str] | None, year_zero: int, offsets: Sequence[int]
) -> tuple[str | None, str | None]:
    """Date (``YYYY-MM-DD``) and time (``hh:mm:ss``) of a match, None for a missing one.

    offsets: minutes by which local clocks may be ahead of the match's UTC time. If given, the date is
    returned only when it is the same for all of them, and never the time.
    """
    if match is None:
        return None, None
    parts = {name: value for name, value in match.groupdict().items() if value is not None}
    try:
        moment = _moment(parts, year_zero)
    except (ValueError, OverflowError):
        return None, None
    if not _FIRST_YEAR <= moment.year <= _LAST_YEAR:
        return None, None
    if offsets:
        days = {(moment + datetime.timedelta(minutes=minutes)).date() for minutes in offsets}
        return (days.pop().isoformat() if len(days) == 1 else None), None
    return moment.date().isoformat(), moment.time().isoformat("seconds") if "hour" in parts else None


def _moment(parts: dict[str, str], year_zero: int) -> datetime.datetime:
    if "millis" in parts:
        seconds = int(parts["millis"], 16) // 1000
        return datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=seconds)
    year = int(parts["year"]) + (year_zero or (2000 if len(parts["year"]) == 2 else 0))
    hour, minute, second = (int(parts.get(name, "0")) for name in ("hour", "minute", "second"))
    return datetime.datetime(year, int(parts["month"]), int(parts["day"]), hour, minute, second)
