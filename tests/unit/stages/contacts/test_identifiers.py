from __future__ import annotations

import pytest

from tests.unit.stages.printed_receipts import printed, value

_SHOP = "CAFE AN DER ECKE\n{line}\n\nCoffee      12,00\nTOTAL       12,00\n"


@pytest.mark.parametrize(
    ("code", "line", "number"),
    [
        ("de", "USt-IdNr. DE136695976", "DE136695976"),
        ("ch", "CHE-107.787.577 MWST", "CHE-107.787.577 MWST"),
        ("ja", "T7000012050002", "T7000012050002"),
        ("de", "LV 40003521600", "LV 40003521600"),
        ("gb", "SK2022749619", "SK2022749619"),
        ("pa", "RUC 219483716-2-2021  DV 61", "219483716-2-2021"),
        ("be", "BE 0403.019.261", "BE 0403.019.261"),
        ("sg", "Co Reg No: M2-3319922-5", "M2-3319922-5"),
        ("ch", "TVA CHE-107.787.577", "CHE-107.787.577"),
        ("es", "ALIMENTOS SUR S.A.  A-58818501", "A-58818501"),
        ("pt", "NIF: 508441184   Tel: 213 424 118", "508441184"),
        ("rs", "==== ФИСКАЛНИ РАЧУН ====\n100000024", "100000024"),
        ("pe", "RUC20501234567", "20501234567"),
        ("ar", "CU1T Nro:30-99526290-4", "30-99526290-4"),
        ("ru", "ИНН7707083893", "7707083893"),
        ("be", "BTW0403.019.261", "0403.019.261"),
        ("pt", "Cont:508441184  T.213 424 118", "508441184"),
    ],
)
def test_tax_numbers_are_given_as_printed(code: str, line: str, number: str) -> None:
    assert value(printed(code, _SHOP.format(line=line)).contacts.tax_number) == number


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("ja", "T7000012050003"),  # a wrong check digit
        ("de", "LV 40003521601"),
        ("de", "HRB 30194"),
        ("rs", "==== ФИСКАЛНИ РАЧУН ====\n100000025"),
        ("rs", "Бројач\n100000024"),
        ("br", "IE: 530.393.235.221"),
        ("sg", "ROC No : 195465602R"),
        ("ph", "BIR ACCREDITATION NO. 176-853029640-548639"),
    ],
)
def test_other_numbers_are_no_tax_numbers(code: str, line: str) -> None:
    assert value(printed(code, _SHOP.format(line=line)).contacts.tax_number) is None


def test_the_customers_number_is_not_the_merchants() -> None:
    text = _SHOP.format(line="VAT Reg: 4730261593\nCustomer: Harbour Builders VAT 4862917350")
    assert value(printed("za", text).contacts.tax_number) == "4730261593"


@pytest.mark.parametrize(
    ("code", "line"), [("za", "VAT Reg: 473O261S93"), ("es", "HALM HIERROS S.A. A-58B18501")]
)
def test_letters_inside_a_tax_number_are_digits(code: str, line: str) -> None:
    found = value(printed(code, _SHOP.format(line=line)).contacts.tax_number)
    assert found is not None and found.replace("-", "").lstrip("A").isdigit()
