"""What counts as a proof."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from receipt_engine.document import EquationKind, TaxRow, Zone
from receipt_engine.region import Role
from tests.unit.stages.reconcile.sheets import decide, product, row, verdicts

TOTAL = "items + adjustments = total"


def test_two_products_that_add_up_prove_and_a_single_one_does_not() -> None:
    assert verdicts(decide([row(2, "total", "9.00")], [product(0, "4.00"), product(1, "5.00")]))[TOTAL] == (
        "proved"
    )
    assert verdicts(decide([row(2, "total", "9.00")], [product(0, "9.00")]))[TOTAL] == "consistent"


def test_a_sum_that_needed_a_repair_is_no_proof() -> None:
    ledger = decide([row(2, "total", "9.00")], [product(0, "1.00", "4.00"), product(1, "5.00")])
    assert verdicts(ledger)[TOTAL] == "consistent"


@pytest.mark.parametrize(("tax", "verdict"), [(("0.70",), "proved"), (("0.00", "0.70"), "consistent")])
def test_a_tax_that_needed_another_reading_proves_nothing(tax: tuple[str, ...], verdict: str) -> None:
    entries = [row(2, "subtotal", "9.00"), row(3, "tax", *tax), row(4, "total", "9.70")]
    assert verdicts(decide(entries))["subtotal + adjustments = total"] == verdict


@pytest.mark.parametrize(("tax", "verdict"), [("6.00", "proved"), ("15.00", "consistent")])
def test_a_tax_that_is_too_large_for_one_proves_nothing(tax: str, verdict: str) -> None:
    """The net amounts of two rates, of which one counts as tax, add up as well."""
    total = str(Decimal("20.00") + Decimal(tax))
    found = verdicts(decide([row(2, "net", "20.00"), row(3, "tax", tax), row(4, "total", total)]))
    assert found["net + tax = total"] == found["subtotal + adjustments = total"] == verdict


@pytest.mark.parametrize(
    ("first", "second", "tax"), [("tax", "net", "40.00"), ("net", "tax", None), ("subtotal", "tax", None)]
)
def test_a_tax_on_which_its_base_is_the_tax_is_none(first: Role, second: Role, tax: str | None) -> None:
    """40.00 is a fifth of 200.00, whatever the headings say that are left of a table."""
    entries = [row(2, first, "40.00"), row(3, second, "200.00"), row(4, "total", "240.00")]
    assert decide(entries, region="gb").tax == (Decimal(tax) if tax else None)


def test_a_subtotal_is_contradicted_although_another_total_closes() -> None:
    """The total is printed twice; the subtotal between items and taxes has a misread digit."""
    entries = [row(2, "subtotal", "51.60"), row(3, "total", "51.00"), row(4, "total", "51.00")]
    found = [
        (e.terms[0].value, e.verdict) for e in decide(entries).equations if e.kind is EquationKind.SUBTOTAL
    ]
    assert (Decimal("51.60"), "contradicted") in found


@pytest.mark.parametrize(
    ("role", "added", "verdict"),
    [
        ("rounding", "0.02", "proved"),
        ("rounding", "0.62", None),
        (None, "3.00", "proved"),
        (None, "4.00", None),
    ],
)
def test_what_no_till_adds_proves_nothing(role: Role | None, added: str, verdict: str | None) -> None:
    """A larger rounding than the country's, and an unnamed addition of more than a third."""
    total = str(Decimal("9.00") + Decimal(added))
    entries = [row(2, "subtotal", "9.00"), row(3, role, added), row(4, "total", total)]
    found = verdicts(decide(entries, region="my"))["subtotal + adjustments = total"]
    assert found == verdict or (verdict is None and found != "proved")


def test_the_same_amount_under_two_words_for_the_total_is_no_proof() -> None:
    ledger = decide([row(2, "total", "9.00"), row(4, "total", "9.00")])
    (again,) = (e for e in ledger.equations if e.kind is EquationKind.REPEATED)
    assert again.verdict == "consistent"
    assert again.residual == 0 and len(again.terms) == 2


def test_nothing_proves_a_total_of_zero() -> None:
    entries = [row(2, "subtotal", "0.00"), row(3, "tax", "0.00"), row(4, "total", "0.00")]
    ledger = decide(entries, [product(0, "5.00"), product(1, "-5.00")])
    assert "proved" not in verdicts(ledger).values()


def test_a_tax_table_proves_when_it_adds_up_from_several_amounts() -> None:
    entries = [row(2, "total", "9.00")]
    gross = TaxRow(3, Decimal(10), None, Decimal("0.82"), Decimal("9.00"))
    net = TaxRow(3, Decimal(10), Decimal("8.18"), Decimal("0.82"), None)
    assert verdicts(decide(entries, tax_rows=[gross]))["tax table = total"] == "consistent"
    assert verdicts(decide(entries, tax_rows=[net]))["tax table = total"] == "proved"


amounts = st.decimals("0.01", "500.00", places=2).map(str)
roles = st.sampled_from(["total", "subtotal", "tax", "tip", "cash", "change", "card", "discount", None])


@given(st.lists(st.tuples(roles, amounts), min_size=1, max_size=9), st.lists(amounts, max_size=5))
@example([("cash", "0.01"), ("change", "0.01"), ("discount", "0.01"), ("tax", "0.01")], [])
def test_closing_equations_have_no_residual_and_open_ones_do(
    drawn: list[tuple[str | None, str]], prices: list[str]
) -> None:
    entries = [row(10 + i, role, value) for i, (role, value) in enumerate(drawn)]  # type: ignore[arg-type]
    ledger = decide(entries, [product(i, price) for i, price in enumerate(prices)])
    for equation in ledger.equations:
        assert equation.residual == sum(t.value for t in equation.terms)
        if equation.verdict == "proved":
            assert abs(equation.residual) < Decimal("0.01")
            assert len(equation.terms) >= 2
        if equation.verdict == "contradicted":
            assert equation.residual != 0


@pytest.mark.parametrize(("zone", "verdict"), [("summary", "proved"), ("items", "contradicted")])
def test_a_discount_among_the_products_is_in_the_subtotal_already(zone: Zone, verdict: str) -> None:
    entries = [
        row(0, "subtotal", "9.00"),
        row(1, "discount", "-1.00", zone=zone),
        row(2, "total", "8.00"),
    ]
    assert verdicts(decide(entries))["subtotal + adjustments = total"] == verdict
