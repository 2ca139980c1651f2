"""Numbers of stores, which are no part of a name or an address."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from receipt_engine.stages.merchant import store_numbers
from receipt_engine.stages.merchant.store_numbers import (
    has_store_number,
    is_branch,
    is_point_of_sale,
    is_store_number,
    marks_store,
    without_store_number,
)
from receipt_engine.vocabulary import lowered


def test_store_numbers() -> None:
    assert has_store_number("Corner Deli #42") and has_store_number("CORNER DELI STORE 5451")
    assert not has_store_number("Store #42") and not has_store_number("Portland OR 97201")


@pytest.mark.parametrize(
    "text",
    ["Store #42", "Store # NV-0418", "Shop No. 17", "Filiale 118", "Kasse 204", "Butik nr 9", "Loja 118"],
)
def test_nothing_but_a_store_number(text: str) -> None:
    assert is_store_number(text)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Kupferkessel Filiale 118", "Kupferkessel"),
        ("Kopparkitteln Butik nr 9", "Kopparkitteln"),
        ("Store #42 Corner Deli", "Corner Deli"),
        ("La Olla Sucursal 7", "La Olla"),
        ("Sorrel Market #2", "Sorrel Market"),
        ("Sorrel Market #218", "Sorrel"),
        ("The UPS Store #218", "The UPS Store"),
        ("Starbucks Store #2", "Starbucks"),
        ("Corner Deli004418", "Corner Deli"),
        ("Corner Deli2000", "Corner Deli2000"),
    ],
)
def test_a_name_without_it(text: str, name: str) -> None:
    assert without_store_number(text) == name


def test_stores_and_branches_on_rows() -> None:
    assert marks_store("Restaurant #1182, Larch Hill") and not marks_store("Restaurant Larch Hill")
    assert is_branch("Cafe 0418") and not is_branch("Larch 12")


@pytest.mark.parametrize("text", ["Till 3", "Касса самообслуживания 4", "АЗС № 118", "Торговый автомат 3318"])
def test_a_till_or_shop_with_only_its_number(text: str) -> None:
    assert is_point_of_sale(text)


@pytest.mark.parametrize("text", ["Магазин, ул. Речная 4", "Магазин", "ул. Речная 4"])
def test_no_point_of_sale_without_a_number_or_with_a_street(text: str) -> None:
    assert not is_point_of_sale(text)


#: Texts of the words and signs that the patterns look for.
_PRINTED = st.lists(
    st.sampled_from(
        ["store", "STORE", "Shop", "#", "№", "no", "nr.", "(", ")", "-", ",", "deli", "E", "12", "0042", "٣٤"]
    ),
    max_size=6,
).flatmap(lambda words: st.sampled_from(("", " ")).map(lambda blank: blank.join(words)))


@given(_PRINTED)
@example("Corner Deli #42)\n")
def test_the_quick_looks_pass_over_no_store_number(text: str) -> None:
    thorough, quick = store_numbers._behind().search(lowered(text)), store_numbers._number_behind(text)
    assert (thorough and thorough.span()) == (quick and quick.span())
