"""Codes that are built here, byte by byte, and what is read of them."""

from __future__ import annotations

import base64
import binascii
import datetime
import json
import lzma
import struct
import zlib
from decimal import Decimal
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from receipt_engine.document import Barcode, Quad
from receipt_engine.stages.fiscal_codes import read_codes, read_data

BASE32 = "0123456789ABCDEFGHIJKLMNOPQRSTUV"
FILTERS = [{"id": lzma.FILTER_LZMA1, "dict_size": 1 << 17, "lc": 3, "lp": 0, "pb": 2}]
amounts = st.decimals("0.01", "99999.99", places=2)
days = st.datetimes(datetime.datetime(2015, 1, 1), datetime.datetime(2049, 12, 31))


def emv(amount: Decimal, currency: str = "704", country: str = "VN") -> str:
    """A merchant code with a check sum."""
    fields = [
        ("00", "01"),
        ("01", "12"),
        ("53", currency),
        ("54", str(amount)),
        ("58", country),
        ("59", "SHOP"),
    ]
    text = "".join(f"{tag}{len(value):02d}{value}" for tag, value in fields) + "6304"
    return f"{text}{binascii.crc_hqx(text.encode(), 0xFFFF):04X}"


def square(amount: Decimal, currency: str = "EUR") -> str:
    """A code of PAY by square with one payment."""
    text = (
        f"48213\t1\t1\t{amount}\t{currency}\t20240315\t\t\t\t\t\t1\tSK3112000000198742637541\t\t0\t0".encode()
    )
    plain = zlib.crc32(text).to_bytes(4, "little") + text
    packed = lzma.compress(plain, lzma.FORMAT_RAW, filters=FILTERS)
    whole = b"\0\0" + len(plain).to_bytes(2, "little") + packed
    bits = "".join(f"{byte:08b}" for byte in whole)
    bits += "0" * (-len(bits) % 5)
    return "".join(BASE32[int(bits[i : i + 5], 2)] for i in range(0, len(bits), 5))


def zatca(amount: Decimal, tax: Decimal, day: datetime.datetime) -> str:
    """A simplified tax invoice."""
    values = ("متجر", "310122393500003", day.isoformat(timespec="seconds"), str(amount), str(tax))
    packed = b"".join(
        bytes((tag, len(value.encode()))) + value.encode() for tag, value in enumerate(values, start=1)
    )
    return base64.b64encode(packed).decode()


def suf(amount: Decimal, day: datetime.datetime) -> str:
    """An address of the Serbian tax office."""
    millis = int(day.replace(tzinfo=datetime.UTC).timestamp() * 1000)
    packed = b"\x03KBCD1234ABCD1234" + struct.pack("<IIQ", 48213, 7, int(amount * 10_000))
    packed += struct.pack(">Q", millis) + bytes(40)
    return f"https://suf.purs.gov.rs/v/?vl={quote(base64.b64encode(packed), safe='')}"


@given(amounts)
def test_a_merchant_code(amount: Decimal) -> None:
    code = read_data(emv(amount))
    assert code is not None
    assert (code.total, code.currency, code.country, code.asks) == (amount, "VND", "vn", True)


def test_a_currency_without_a_name_stays_unknown() -> None:
    code = read_data(emv(Decimal("5.00"), "999", "ZZ"))
    assert code is not None
    assert (code.currency, code.country) == (None, "")


@given(amounts)
def test_a_packed_payment(amount: Decimal) -> None:
    code = read_data(square(amount))
    assert code is not None
    assert (code.total, code.currency, code.country, code.asks) == (amount, "EUR", "sk", True)


@given(amounts, amounts, days)
def test_tags_of_bytes(amount: Decimal, tax: Decimal, day: datetime.datetime) -> None:
    code = read_data(zatca(amount, tax, day))
    assert code is not None
    assert (code.total, code.tax, code.country) == (amount, tax, "sa")
    assert f"{code.date}T{code.time}" == day.isoformat(timespec="seconds")


@given(amounts, days)
def test_little_endian_amounts_and_moments(amount: Decimal, day: datetime.datetime) -> None:
    code = read_data(suf(amount, day))
    assert code is not None
    assert (code.total, code.time) == (amount, None)
    assert code.date == (day.date().isoformat() if day.hour < 22 else code.date)


@pytest.mark.parametrize("hour", [22, 23])
def test_a_day_that_clocks_do_not_agree_on_is_told_only_when_they_do(hour: int) -> None:
    code = read_data(suf(Decimal("17.10"), datetime.datetime(2024, 3, 15, hour, 30)))
    assert code is not None
    assert code.date == {22: None, 23: "2024-03-16"}[hour]


@given(amounts)
def test_a_signed_token(amount: Decimal) -> None:
    claims = {"data": json.dumps({"DocDt": "15/03/2024", "TotInvVal": float(amount)}), "iss": "NIC"}
    parts = [
        base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in ({}, claims)
    ]
    head = base64.urlsafe_b64encode(b'{"alg":"RS256"}').decode().rstrip("=")
    code = read_data(f"{head}.{parts[1]}.c2ln")
    assert code is not None
    assert (code.date, code.total) == ("2024-03-15", amount)


@given(st.lists(amounts, min_size=5, max_size=5))
def test_amounts_of_several_rates_add_up(values: list[Decimal]) -> None:
    printed = "_".join(str(value).replace(".", ",") for value in values)
    code = read_data(f"_R1-AT1_KASSA01_48213_2024-03-15T16:05:09_{printed}_q83v=_4f3e_ab12=_c2ln==")
    assert code is not None
    assert code.total == sum(values)


@pytest.mark.parametrize(
    "data",
    [
        emv(Decimal("17.10"))[:-1] + "0",
        square(Decimal("17.10"))[:-8] + "00000000",
        zatca(Decimal("17.10"), Decimal("2.23"), datetime.datetime(2024, 3, 15))[:-12],
        "t=20241315T1605&s=&fn=9960440300112233&i=48213&fp=3141592653&n=1",
        "eyJhbGciOiJSUzI1NiJ9.bm8ganNvbg.c2ln",
        "01,32,,24312000000048213001,113.00,20241315,,A1B2,"[:40],
    ],
    ids=["check sum", "packed check sum", "cut short", "no amount", "no json", "no date"],
)
def test_damaged_codes_say_nothing(data: str) -> None:
    assert read_data(data) is None


def test_a_bomb_is_not_unpacked() -> None:
    plain = bytes(60_000)
    packed = lzma.compress(plain, lzma.FORMAT_RAW, filters=FILTERS)
    whole = b"\0\0" + (40).to_bytes(2, "little") + packed
    bits = "".join(f"{byte:08b}" for byte in whole)
    bits += "0" * (-len(bits) % 5)
    assert read_data("".join(BASE32[int(bits[i : i + 5], 2)] for i in range(0, len(bits), 5))) is None


@given(st.text(min_size=20, max_size=200) | st.from_regex(r"\A[\w:/?&=|*^;.,-]{20,120}\Z"))
def test_no_text_fails(data: str) -> None:
    code = read_data(data)
    assert code is None or code.date is not None or code.total is not None


def test_the_same_code_twice_is_one_witness() -> None:
    quad = Quad((0, 0), (9, 0), (9, 9), (0, 9))
    codes = [Barcode(emv(Decimal("17.10")), "QR Code", quad)] * 2 + [Barcode("4006381333931", "EAN-13", quad)]
    assert len(read_codes(codes)) == 1
