"""The address as a reader would write it in one row."""

from __future__ import annotations

import pytest

from tests.unit.stages.merchant.merchant_contexts import merchant_of
from tests.unit.stages.printed_receipts import printed

TAIL = """

03/14/2024            6:42 PM
2 Clam Chowder          17.00
TOTAL                   17.00
"""


def address(rows: str, region: str = "us") -> str | None:
    found = merchant_of("       COPPER KETTLE\n" + rows + TAIL, region).address
    return found.value if found else None


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ("      12 Harbor Street\n     Portland, OR 97201", "12 Harbor Street, Portland, OR 97201"),
        ("      12 Harbor Street,\n     Portland, OR 97201", "12 Harbor Street, Portland, OR 97201"),
        ("      12 Harbor Street.\n     Portland, OR 97201", "12 Harbor Street, Portland, OR 97201"),
        ("      12 Harbor St.\n     Portland, OR 97201", "12 Harbor St., Portland, OR 97201"),
        ("Address: 12 Harbor Street\n     Portland, OR 97201", "12 Harbor Street, Portland, OR 97201"),
        ("Located at 12 Harbor Street\n     Portland, OR 97201", "12 Harbor Street, Portland, OR 97201"),
        ("      12 Harbor Street\n     Portland, OR 972O1", "12 Harbor Street, Portland, OR 97201"),
        ("  12 Larch HillPortland, OR 97201", "12 Larch Hill Portland, OR 97201"),
        ("  12 Harbor StPortland, OR 97201", "12 Harbor St Portland, OR 97201"),
        ("  12 Harbor St   Ticket 4\nPortland, OR 97201   Date", "12 Harbor St, Portland, OR 97201"),
        ("  12 Harbor St\nPortland, OR 97201 Ph\n 503-555-0142", "12 Harbor St, Portland, OR 97201"),
    ],
)
def test_rows_are_joined_by_commas(rows: str, expected: str) -> None:
    assert address(rows) == expected


@pytest.mark.parametrize(
    ("row", "region", "expected"),
    [
        ("地址：上海市徐汇区桂林路12号", "cn", "上海市徐汇区桂林路12号"),
        ("ĐC: 12 Lê Lợi, Phường Bến Thành, Quận 1, TP. Hồ Chí Minh", "vn", "12 Lê Lợi, Phường Bến Thành"),
        ("CASA MATRIZ: AV. LOS PINOS 120, PROVIDENCIA, SANTIAGO", "cl", "AV. LOS PINOS 120, PROVIDENCIA"),
        ("[주소] 경기도 수원시 영통구 봉영로 1612", "kr", "경기도 수원시 영통구 봉영로 1612"),
        ("208-86-50813 이철수\n서울 노원구 동일로 1530", "kr", "서울 노원구 동일로 1530"),
        ("Larch Stores Ltd, Larch House,\nLeeds LS1 4AP", "gb", "Larch House, Leeds LS1 4AP"),
        ("Prevádzka: Lipová 12, 040 01 Košice", "sk", "Lipová 12, 040 01 Košice"),
    ],
)
def test_the_word_before_an_address_is_left_out(row: str, region: str, expected: str) -> None:
    assert (address(row, region) or "").startswith(expected)


def test_the_owner_above_the_tax_number_is_left_out() -> None:
    rows = (
        "Ma.Guadalupe Leon Vega\nRFC PUVR7501128K4\nAV. JUAREZ # 12 COL. CENTRO\nC.P. 36000 GUANAJUATO, GTO."
    )
    assert address(rows, "mx") == "AV. JUAREZ # 12 COL. CENTRO, C.P. 36000 GUANAJUATO, GTO."


def test_brackets_around_a_registration_number_are_left_out() -> None:
    rows = "177 JALAN MELATI\n10000 GEORGETOWN (REG:PG0144718-W)"
    assert address(rows, "my") == "177 JALAN MELATI, 10000 GEORGETOWN"


def test_a_telephone_that_touches_the_address_is_left_out() -> None:
    assert address("12 JALAN MELATI\n47130 PUCHONG,SEL.TEL:03-8066 0144", "my") == (
        "12 JALAN MELATI, 47130 PUCHONG,SEL."
    )
    assert address("Jl. Melati 12\nMalang-Jatim(0341)555014", "id") == "Jl. Melati 12, Malang-Jatim"


def test_no_address() -> None:
    assert address("") is None


def test_a_colon_before_a_telephone_is_no_part_of_the_address() -> None:
    text = "HALM MARKET\nDubai Mall : 04-4340711\nTEA             20,25\nTOTAL           20,25"
    found = printed("ae", text).merchant.address
    assert found is not None
    assert found.value == "Dubai Mall"
