"""A town that no list knows, alone below its street."""

from __future__ import annotations

import pytest

from tests.printed import read

BODY = """
Té verde       3.200
Torta          4.100
TOTAL          7.300
"""


@pytest.mark.parametrize(
    ("head", "address"),
    [
        ("Carrera 21 # 40-12\nVillaquim\nTEL 601 483 2201", "Carrera 21 # 40-12, Villaquim"),
        ("Carrera 21 # 40-12\nVILLAQUIM\nNIT 812140752-6", "Carrera 21 # 40-12, VILLAQUIM"),
        ("Carrera 21 # 40-12\nVillaquim\nPan del pueblo", "Carrera 21 # 40-12"),  # text goes on
        ("Carrera 21 # 40-12\nPanaderia\nTEL 601 483 2201", "Carrera 21 # 40-12"),  # what is sold
        ("Carrera 21 # 40-12\nFactura\nTEL 601 483 2201", "Carrera 21 # 40-12"),  # a title
        ("Carrera 21 # 40-12\nQUILLAY\nTEL 601 483 2201", "Carrera 21 # 40-12"),  # the shop's name again
        ("Carrera 21 # 40-12, Cali\nVillaquim\nTEL 601 483 2201", "Carrera 21 # 40-12, Cali"),  # has its town
    ],
)
def test_one_word_between_a_street_and_a_telephone_or_tax_number(head: str, address: str) -> None:
    assert read(f"TIENDA QUILLAY\n{head}\n{BODY}", "co").address == address


def test_the_shops_name_below_its_street_is_no_town() -> None:
    body = "\nScone 2.80\nTea 3.20\nTotal 6.00\nVisa 6.00\n"
    assert read(f"12 Bath Street\nKESTREL\nTel 0116 496 0123\n{body}", "gb").address == "12 Bath Street"
