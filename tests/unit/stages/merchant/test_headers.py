"""Headers with rows of other kinds around the name and the address: headers.txt lists heads of receipts, and
behind "=>" the name, the address and the telephone number that are found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import pytest

from tests.printed import read
from tests.unit.stages.printed_receipts import printed
from tests.unit.stages.row_lists import RowList

WIDTH = 33
TAIL = ("", " 2 Clam Chowder            17.00", " TOTAL                     17.00")


def _describe(country: str, rows: Sequence[str]) -> Iterable[str]:
    centred = (row.center(WIDTH).rstrip() for row in rows)
    found = printed(country, "\n".join((*centred, *TAIL)) + "\n")
    yield f"name {found.merchant.name.value}" if found.merchant.name else "no name"
    if found.merchant.address:
        yield f"address {found.merchant.address.value}"
    if found.contacts.phone:
        yield f"phone {found.contacts.phone.value}"


HEADERS = RowList(Path(__file__).parent / "headers.txt", _describe)


@pytest.mark.parametrize("row", HEADERS.rows)
def test_what_is_found_in_a_header(row: str) -> None:
    assert row == HEADERS.result_of(row)


LONGER_TAIL = """
COPPER CLEANER               1.29 F
PAPER TOWEL 2CT              3.99 T
BLEACH 64OZ                  4.49 T
SUBTOTAL                     9.77
SALES TAX                    0.59
TOTAL DUE                   10.36
CASH                        20.00
CHANGE                       9.64
07/22/2023 17:05:33
"""


def test_the_street_at_the_end_below_the_payment() -> None:
    foot = "\n          201 Mill Road\n       Glasgow G12 8TN\n     T: 0141 555 0166\n"
    found = printed("gb", "        Kettle\n      coffee co.\n" + LONGER_TAIL + foot).merchant.address
    assert found is not None and found.value == "201 Mill Road, Glasgow G12 8TN"


def test_a_street_without_a_word_for_one_above_its_town_at_the_end() -> None:
    for street in ("111 E Broadway Ste 170", "880 Commons Loop"):
        foot = f"\nThank you for dining at\nThe Copper Kettle House\n{street}\nPortland, OR 97201\n"
        found = printed("us", "   Guest Check\n" + LONGER_TAIL + foot).merchant.address
        assert found is not None and found.value == f"{street}, Portland, OR 97201"


@pytest.mark.parametrize(
    ("code", "foot", "address"),
    [
        ("gb", "Kettle Stores Ltd, 44 Larch Road,\nLondon N19 5LB", "44 Larch Road, London N19 5LB"),
        ("de", "Kettle GmbH, Lindenweg 4,\n31785 Hameln", "Lindenweg 4, 31785 Hameln"),
    ],
)
def test_a_street_behind_the_company_above_its_town_at_the_end(code: str, foot: str, address: str) -> None:
    found = printed(code, f"        Kettle\n{LONGER_TAIL}\n{foot}\nTel 555 0166\n").merchant.address
    assert found is not None and found.value == address


def test_a_street_without_a_number_behind_the_name_above_its_town_at_the_end() -> None:
    head = "KETTLE ACADEMY\nCatering by Tin Lantern Schools Ltd\nDining Hall Till 2\nPupil: O. Lee  Yr 9\n"
    foot = "\nKettle Academy, Larch Lane,\nYeovil, Somerset BA21 3QQ\n"
    found = printed("gb", head + LONGER_TAIL + foot).merchant.address
    assert found is not None and found.value == "Larch Lane, Yeovil, Somerset BA21 3QQ"


def test_the_senders_address_below_the_customers() -> None:
    foot = """
Bezorgadres
Sanne de Wit
Lindelaan 118
7471 AB Goor

Kettle B.V.
Koperweg 4-b
8263 AA Kampen
"""
    found = printed("nl", "        Kettle\n" + LONGER_TAIL + foot).merchant.address
    assert found is not None and found.value == "Koperweg 4-b, 8263 AA Kampen"


def test_a_product_with_a_states_letters_is_no_address() -> None:
    assert printed("us", "         KETTLE CORNER\n" + LONGER_TAIL).merchant.address is None


def test_an_estate_before_the_street_is_a_suburb() -> None:
    rows = ("KETTLE", "TAMAN MELOR", "12, JALAN DESA 3", "45600 IPOH", *TAIL)
    parts = printed("my", "\n".join(rows) + "\n").address_parts
    assert parts is not None
    assert (parts.building, parts.street, parts.suburb) == (None, "JALAN DESA 3", "TAMAN MELOR")


if __name__ == "__main__":
    HEADERS.write()


@pytest.mark.parametrize(
    ("code", "head", "name"),
    [
        ("kr", "마음이 쉬는 자리 GS25\n서울시 노원구 동일로 1530", "GS25"),
        ("ja", "いつでも明るく LAWSON\n東京都千代田区丸の内1-2-3", "LAWSON"),
        ("kr", "마음이 쉬는 CU\n서울시 노원구 동일로 1530", "마음이 쉬는 CU"),  # no link, as in Romanian
    ],
)
def test_a_logo_behind_words_in_an_east_asian_script(code: str, head: str, name: str) -> None:
    result = read(f"{head}\n02-555-0134\n\n2018-03-12 18:11\nTea 6.00\nPie 9.20\nTOTAL 15.20\n", code)
    assert result.establishment == name
    assert result.address == head.splitlines()[1]


def test_a_room_behind_a_korean_street() -> None:
    head = "      카페 주전자\n   경기 고양시 일산동구 정발산로 44\n   웨스턴돔 B동 118호\n\n"
    found = printed("kr", f"{head}커피     2   9,000\n합계         9,000\n").merchant.address
    assert found is not None and found.value == "경기 고양시 일산동구 정발산로 44, 웨스턴돔 B동 118호"


def test_initials_behind_a_country_of_the_west_indies_end_its_address() -> None:
    head = "COPPER JERK HUT\nMain Rd., Kettle Bay, Portland\nJamaica W.I.\nTel: (876) 993-4471"
    assert (
        read(f"{head}\nGCT 15%  J$ 31.50\nTOTAL  J$ 241.50").address
        == "Main Rd., Kettle Bay, Portland, Jamaica W.I."
    )
