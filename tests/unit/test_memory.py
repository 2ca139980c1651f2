"""Merchants remembered from corrections: who is recognised later, and who is not."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from msgspec import structs

from receipt_engine.errors import MerchantTableError
from receipt_engine.memory import MerchantMemory
from receipt_engine.result import Result

READ = Result(
    establishment="WELCOME T0",
    phone_number="030 555 01 42",
    address="Hauptstr. 5, 10115 Berlin",
    custom_fields={"VATNumber": "DE 123456789"},
)
RIGHT = Result(
    establishment="Bäckerei Muster",
    expense_type="Meals/Bakery",
    phone_number=READ.phone_number,
    address=READ.address,
    custom_fields=READ.custom_fields,
)


@pytest.fixture
def memory(tmp_path: Path) -> MerchantMemory:
    memory = MerchantMemory(tmp_path / "merchants.csv")
    memory.remember(READ, RIGHT)
    return memory


@pytest.mark.parametrize(
    "later",
    [
        Result(establishment="anything", phone_number="+49 30 5550142"),
        Result(establishment=None, custom_fields={"VATNumber": "DE123456789"}),
        Result(establishment="BACKEREI MUSTER"),
        Result(establishment="Bäckerei Mustor"),
        Result(establishment="WELCOME TO", address="Hauptstr. 5, 10115 Berlin"),
        Result(establishment="Bäckerei Muster GmbH & Co. KG"),
        Result(establishment="8ckMust", establishment_confidence=0.6, address="Hauptstr. 5, 10115 Berlin"),
        Result(establishment="ihre Bäckerei Muster am Markt", establishment_confidence=0.6),
    ],
)
def test_the_merchant_is_recognised(memory: MerchantMemory, later: Result) -> None:
    found = memory.recall(later)
    assert (found.establishment, found.expense_type) == ("Bäckerei Muster", "Meals/Bakery")
    assert (found.establishment_confidence or 0) > 0.9


@pytest.mark.parametrize(
    "other",
    [
        Result(establishment="WELCOME TO"),  # what was misread says nothing alone
        Result(establishment="Bäckerei Schmidt"),
        Result(establishment="Blumen Rose", address="Hauptstr. 5, 10115 Berlin"),
        Result(establishment="WELCOME TO", address="Hauptstr. 7, 10115 Berlin"),
        Result(establishment="Kiosk", phone_number="030 555 01 43"),
        Result(
            establishment="Blumen Rose", establishment_confidence=0.8, address="Hauptstr. 5, 10115 Berlin"
        ),
        Result(establishment="Bäckerei", establishment_confidence=0.3),
        Result(establishment="Kiosk Bäckerei Muster", establishment_confidence=0.97),  # a kiosk, surely
        Result(),
    ],
)
def test_another_one_is_not(memory: MerchantMemory, other: Result) -> None:
    assert memory.recall(other) == other


def test_the_company_of_a_corrected_name_is_recognised(tmp_path: Path) -> None:
    memory = MerchantMemory(tmp_path / "merchants.csv")
    memory.remember(Result(establishment="Nordlicht Handels GmbH"), Result(establishment="frischmarkt"))
    assert memory.recall(Result(establishment="NORDLICHT HANDELS GMBH")).establishment == "frischmarkt"
    assert memory.recall(Result(establishment="Nordlicht")).establishment == "Nordlicht"


def test_a_branch_in_brackets_is_another_merchant(tmp_path: Path) -> None:
    memory = MerchantMemory(tmp_path / "merchants.csv")
    memory.remember(Result(), Result(establishment="Kedai Bunga (Ipoh) Sdn Bhd"))
    assert memory.recall(Result(establishment="Kedai Bunga (Kajang) Sdn Bhd")).establishment != (
        "Kedai Bunga (Ipoh) Sdn Bhd"
    )


NAMESAKES = {
    "Mill Bakery (North) Ltd": Result(phone_number="030 555 01 51", address="Mill Lane 1, 10115 Berlin"),
    "Mill Bakery (Port) Ltd": Result(phone_number="030 555 01 52", address="Mill Lane 1, 10115 Berlin"),
}


@pytest.mark.parametrize("newest", NAMESAKES)
@pytest.mark.parametrize(
    ("printed", "phone", "right"),
    [
        ("Mill Bakery (North) Ltd", None, "Mill Bakery (North) Ltd"),
        ("MILL BAKERY (PORT) LTD", None, "Mill Bakery (Port) Ltd"),
        ("Mill Bakery (Norlh) Ltd", None, "Mill Bakery (North) Ltd"),  # the nearer name
        ("Mill Bakery", "030 555 01 52", "Mill Bakery (Port) Ltd"),  # a telephone tells more than a likeness
        ("Mill Bakery (North) Ltd", "030 555 01 52", "Mill Bakery (North) Ltd"),  # its very name still more
    ],
)
def test_of_namesakes_the_likest_is_recalled(
    tmp_path: Path, newest: str, printed: str, phone: str | None, right: str
) -> None:
    memory = MerchantMemory(tmp_path / "merchants.csv")
    for name in sorted(NAMESAKES, key=lambda name: name == newest):
        memory.remember(Result(), structs.replace(NAMESAKES[name], establishment=name))
    later = Result(establishment=printed, phone_number=phone, address="Mill Lane 1, 10115 Berlin")
    assert memory.recall(later).establishment == right


def test_what_is_learned_later_is_added(memory: MerchantMemory) -> None:
    memory.remember(
        Result(establishment="x"), Result(establishment="BÄCKEREI MUSTER", phone_number="0171 5550143")
    )
    assert len(memory) == 1
    found = MerchantMemory(memory.path).recall(Result(phone_number="0171 5550143"))
    assert (found.establishment, found.expense_type) == ("BÄCKEREI MUSTER", "Meals/Bakery")


def test_without_a_name_nothing_is_remembered(tmp_path: Path) -> None:
    memory = MerchantMemory(tmp_path / "merchants.csv")
    memory.remember(READ, Result(phone_number="030 5550142"))
    assert len(memory) == 0 and not memory.path.exists()


def test_the_path_may_be_a_text(memory: MerchantMemory) -> None:
    assert len(MerchantMemory(str(memory.path))) == len(memory) > 0  # type: ignore[arg-type]


def test_it_is_pickled(memory: MerchantMemory) -> None:
    assert pickle.loads(pickle.dumps(memory)).recall(RIGHT).establishment == "Bäckerei Muster"


def test_another_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_bytes(b"\xff\xfename")
    with pytest.raises(MerchantTableError, match=r"m\.csv"):
        MerchantMemory(tmp_path / "m.csv")
