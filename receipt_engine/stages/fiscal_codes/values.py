"""Amounts and dates as codes write them."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Literal

from receipt_engine.document import ZERO
from receipt_engine.region.fiscal_codes import Amounts

#: No sale is so large; what is, is no amount.
_MOST = Decimal(10) ** 12
_FIRST_YEAR, _LAST_YEAR = 1990, 2099


def read_amount(match: re.Match[str] | None, amounts: Amounts) -> Decimal | None:
    """The sum of a match's groups; None without a match or when a group is no amount."""
    if match is None:
        return None
    parts = [_amount(group, amounts) for group in match.groups() if group]
    total = sum((part for part in parts if part is not None), ZERO)
    return total if parts and None not in parts and abs(total) < _MOST else None


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
    """Without the zeros behind the second decimal that some formats write."""
    cents = round(value, 2)
    return cents if cents == value and value != value.to_integral_value() else value.normalize() + 0


def read_date(
    match: re.Match[str] | None, year_zero: int, offsets: Sequence[int]
) -> tuple[str | None, str | None]:
    """(``YYYY-MM-DD``, ``hh:mm:ss``), None for what is not there. With offsets, minutes that local clocks may
    be ahead, the day is that of all of them, and no time is told."""
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
