"""Taxes whose words, rate or digits are misread, beside taxes that are not."""

from __future__ import annotations

from decimal import Decimal

import pytest
from msgspec.structs import replace

from receipt_engine import Engine, ExtractOptions, Result
from receipt_engine.testing import fake_models, reading
from tests.unit.stages.parse.test_amount_alternatives import doubted


def extracted(
    text: str, region: str, doubts: dict[str, dict[int, tuple[str, float]]] | None = None
) -> Result:
    page = reading(text)
    spans = tuple(doubted(s, (doubts or {}).get(s.text, {})) for s in page.spans)
    return Engine(models=fake_models("x")).interpret(
        replace(page, spans=spans), ExtractOptions(region=region)
    )


_LISTED = """
    ALIMENTARA LIPCANI SRL
    Paine            9.10 A
    Vin rosu       121.00 B
    TOTAL          130.10
    TVA A = 11%      0.90
    {label} = 21%     21.00
    NUMERAR        130.10
"""


@pytest.mark.parametrize(
    ("label", "taxes"),
    [
        ("TVA B", ["0.9", "21"]),
        ("TYA B", ["0.9", "21"]),
        ("IVA B", ["0.9", "21"]),
        ("CARD FIDEL", ["0.9"]),  # no misread tax
    ],
)
def test_a_row_that_resembles_the_tax_beside_it_is_a_tax(label: str, taxes: list[str]) -> None:
    found = extracted(_LISTED.format(label=label), "ro").taxes
    assert found == tuple(map(Decimal, taxes))


_TABLE = """
    TIENDA LOS OLMOS SL
    Pan integral     5,20
    Aceite oliva    12,10
    TOTAL           17,30
    TARJETA         17,30
    IVA   BASE IMPONIBLE   CUOTA
    4%          5,00        0,20
    {rate}         10,00        {tax}
"""


@pytest.mark.parametrize("rate", ["21%", "Z1%"])
def test_a_misread_rate_does_not_end_the_table(rate: str) -> None:
    text = _TABLE.format(rate=rate, tax="2,10")
    assert extracted(text, "es").taxes == (Decimal("0.2"), Decimal("2.1"))


def test_the_rate_chooses_among_the_readings_of_a_table() -> None:
    text = _TABLE.format(rate="21%", tax="2,70")
    assert extracted(text, "es", {"2,70": {2: ("1", 0.1)}}).taxes == (Decimal("0.2"), Decimal("2.1"))


def test_change_that_is_proved_is_no_tax() -> None:
    text = """
        QUAN COM TAM MINH
        Com tam        2   45.000   90.000
        Tra da         1    5.000    5.000
        Tong cong               95.000
        Tiền mặt               100.000
        Tiền thuo                5.000
    """
    found = extracted(text, "vn")
    assert found.tax is None
    assert found.change == Decimal(5000)


@pytest.mark.parametrize(
    ("tax", "doubts", "value"),
    [
        ("1,10", {}, "1.1"),
        ("1,1", {}, "1.1"),  # the last digit is lost
        ("4,10", {0: ("1", 0.1)}, "1.1"),
        ("1,70", {}, "1.7"),  # a part of the products may be free of it
        ("1,16", {3: ("0", 0.1)}, "1.1"),
    ],
)
def test_the_only_tax_is_read_as_its_rate_requires(
    tax: str, doubts: dict[int, tuple[str, float]], value: str
) -> None:
    text = f"""
        PEKARA TRI KLASA
        Hljeb            12,10
        UKUPNO           12,10
        PDV 10%           {tax}
    """
    assert extracted(text, "rs", {tax: doubts}).tax == Decimal(value)


def test_a_tax_is_read_as_subtotal_and_total_require_at_its_rate() -> None:
    text = """
        FERRETERIA LOS OLMOS SL
        Base imponible  100,00
        IVA 21%          31,00
        TOTAL           121,00
    """
    assert extracted(text, "es").tax == 21


def test_a_tax_without_cents_has_none_in_a_repair() -> None:
    text = """
        喫茶あおぞら
        コーヒー         2    1,080
        合計                1,080
        (内消費税 8%            79)
    """
    assert extracted(text, "ja").tax in (79, 80)
