"""Confidences: probabilities that reach 0.99 only with proof."""

from __future__ import annotations

import math
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from receipt_engine.document import (
    AmountReading,
    AmountRule,
    Chosen,
    Entry,
    Equation,
    EquationKind,
    Found,
    Ledger,
    Money,
    Term,
    TermKind,
)
from receipt_engine.region import load_region
from receipt_engine.result import VALIDATED
from receipt_engine.scoring.linear import declared_features
from receipt_engine.stages.assemble.confidence import INPUTS, Model, models, of_amount, of_total, probability
from receipt_engine.stages.assemble.features import (
    AmountFeatures,
    PageFeatures,
    TotalFeatures,
    amount_features,
    amount_score,
    is_proved,
    log_odds,
    page_features,
    phone_features,
    total_features,
)
from receipt_engine.stages.group import group
from receipt_engine.stages.parse import AmountHints, parse
from tests.printed import spans

PAGE = PageFeatures(region=1.0, legibility=1.0)


@st.composite
def inputs(draw: st.DrawFn) -> tuple[Model, dict[str, float]]:
    """A model with some of its features."""
    model = draw(st.sampled_from(list(INPUTS)))
    names = st.sampled_from(declared_features(INPUTS[model]))
    return model, draw(st.dictionaries(names, st.floats(-50, 50)))


def entry(value: str, line: int = 0, **roles: float) -> Entry:
    amount = AmountReading(value, 6, 6 + len(value), (Money(Decimal(value), 0.0, AmountRule.AS_PRINTED),))
    return Entry(line, amount, "summary", tuple(roles.items()), "TOTAL")  # type: ignore[arg-type]


def ledger(total: Chosen | None, *equations: Equation) -> Ledger:
    return Ledger(total, None, None, (), None, (), (), None, None, None, None, (), equations, margin=3.0)


@given(inputs(), st.booleans())
def test_a_confidence_is_a_probability(found: tuple[Model, dict[str, float]], proved: bool) -> None:
    assert 0 <= probability(*found, proved=proved) <= 1


@given(inputs())
def test_without_proof_no_confidence_validates(found: tuple[Model, dict[str, float]]) -> None:
    assert probability(*found, proved=False) < VALIDATED
    assert probability(*found, proved=False) <= probability(*found, proved=True)


def test_every_feature_has_a_weight_of_the_right_sign() -> None:
    for model in models().values():
        for feature, weight in model.weights.items():
            against = feature in ("contradicted", "contradicted_alone", "reading_cost", "repaired")
            assert weight <= 0 if against else weight >= 0, (model.name, feature)


def test_equations_that_do_not_close_make_an_unproved_total_less_sure() -> None:
    (span,) = spans("TOTAL 12.50")
    rows = parse(group([span]), load_region("us"), AmountHints(None, False), None)
    total = Chosen(Decimal("12.50"), entry("12.50", total=1.0))
    card, items = (
        replace(proof(kind, (term, "9"), ("total", "-12.50")), verdict="contradicted")
        for kind, term in (("card = total", "card"), ("items + adjustments = total", "items"))
    )
    sure = [of_total(ledger(total, *found), rows, PAGE) for found in ((), (card,), (card, items))]
    probabilities = [confidence.probability for confidence in sure if confidence is not None]
    assert len(probabilities) == 3
    assert probabilities == sorted(probabilities, reverse=True)
    assert probabilities[2] < probabilities[1] < probabilities[0]


def test_contributions_add_up_to_the_score() -> None:
    (span,) = spans("TOTAL 12.50")
    rows = parse(group([span]), load_region("us"), AmountHints(None, False), None)
    confidence = of_total(ledger(Chosen(Decimal("12.50"), entry("12.50", total=1.0)), BOUGHT), rows, PAGE)
    assert confidence is not None
    model = models()["total"]
    added = sum(c.value * c.weight for c in confidence.contributions)
    assert math.isclose(model.bias + added, model.score(confidence.features))
    assert math.isclose(sum(abs(c.share) for c in confidence.contributions), 1.0)


def test_with_proof_a_well_supported_total_validates() -> None:
    told = ("margin", "proofs", "cash", "repeated", "height", "label", "score", "summary", "legibility")
    support = dict.fromkeys(told, 1.0)
    assert VALIDATED <= probability("total", support, proved=True) < 1


def test_more_support_is_never_less_sure() -> None:
    some = probability("total", {"label": 0.5}, proved=True)
    assert some < probability("total", {"label": 1.0}, proved=True)
    assert some < probability("total", {"label": 0.5, "proofs": 1.0}, proved=True)


@given(st.floats(0, 1))
def test_log_odds_are_bounded_and_odd(share: float) -> None:
    assert -6 <= log_odds(share) <= 6
    assert math.isclose(log_odds(share), -log_odds(1 - share), abs_tol=1e-9)


def test_the_score_of_an_amount_is_that_of_its_worst_digit() -> None:
    (span,) = spans("TOTAL 12.50")
    chars = tuple(replace(c, score=0.4) if c.text == "5" else c for c in span.chars)
    chars = tuple(replace(c, score=0.2) if c.text == "L" else c for c in chars)
    rows = parse(group([replace(span, chars=chars)]), load_region("us"), AmountHints(None, False), None)
    (amount,) = rows[0].amounts
    assert amount_score(rows, 0, amount) == 0.4


def test_a_telephone_number_is_as_clear_as_its_worst_digit() -> None:
    (span,) = spans("Order 8 Tel 512 555 0142")
    (sharp,) = group([span])
    phone = Found("512 555 0142", 0.9, (0,), "label")

    def weakest(misread: str, score: float) -> float:
        places = [at for at, c in enumerate(span.chars) if c.text == misread]
        chars = tuple(replace(c, score=score if at in places else 1.0) for at, c in enumerate(span.chars))
        rows = parse(group([replace(span, chars=chars)]), load_region("us"), AmountHints(None, False), None)
        return phone_features(phone, rows).weakest

    assert sharp.text.endswith(phone.value)
    assert weakest("8", 0.5) == weakest("", 1.0) == 1.0  # of the order, not of the number
    assert weakest("4", 0.9) == pytest.approx(1 / 3)
    assert weakest("4", 0.5) < weakest("4", 0.9) < weakest("4", 0.99)


def test_a_telephone_number_with_a_letter_read_for_its_nought_is_as_clear_as_its_row() -> None:
    (span,) = spans("Order 8 Tel 512 555 O142")
    chars = tuple(replace(c, score=0.9) if c.text == "4" else replace(c, score=1.0) for c in span.chars)
    rows = parse(group([replace(span, chars=chars)]), load_region("us"), AmountHints(None, False), None)
    found = Found("512 555 0142", 0.9, (0,), "label")
    assert phone_features(found, rows).weakest == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("verdict", "residual", "proof"),
    [
        ("proved", "0", True),
        ("proved", "0.01", False),
        ("consistent", "0", False),
        ("contradicted", "0", False),
    ],
)
def test_only_a_proved_equation_that_closes_over_the_value_proves_it(
    verdict: str, residual: str, proof: bool
) -> None:
    total_tax = Decimal("2.50") + Decimal(residual)
    terms = (
        Term(TermKind.SUBTOTAL, Decimal("10.00")),
        Term(TermKind.TAX, total_tax),
        Term(TermKind.TOTAL, Decimal("-12.50")),
    )
    equation = Equation(EquationKind.SUBTOTAL, terms, verdict)  # type: ignore[arg-type]
    total = Chosen(Decimal("12.50"), entry("12.50", total=1.0))
    found = ledger(total, equation)
    assert is_proved(found, "total", total) is proof
    assert not is_proved(found, "total", Chosen(Decimal("9.99"), None))
    assert not is_proved(found, "cash", total)


def test_a_repaired_total_is_told_from_a_printed_one() -> None:
    (span,) = spans("TOTAL 12.50")
    rows = parse(group([span]), load_region("us"), AmountHints(None, False), None)
    total = Chosen(Decimal("12.50"), entry("12.50", total=0.8))
    printed = total_features(ledger(total), rows, PAGE)
    repaired = total_features(ledger(replace(total, printed=Decimal("12.60"))), rows, PAGE)
    assert (printed.repaired, repaired.repaired) == (0.0, 1.0)
    assert printed.label == 0.8
    assert total_features(ledger(None), rows, PAGE) == TotalFeatures()


def test_a_computed_amount_has_no_place_to_score() -> None:
    computed = Chosen(Decimal(5), None, 9.0)
    found = amount_features(ledger(None), "tip", computed, (), PAGE)
    assert found == AmountFeatures(reading_cost=3.0, region=1.0, legibility=1.0)


def proof(kind: str, *terms: tuple[str, str]) -> Equation:
    signed = tuple(Term(TermKind(term), Decimal(value)) for term, value in terms)
    return Equation(EquationKind(kind), signed, "proved")


BOUGHT = proof("subtotal + adjustments = total", ("subtotal", "10"), ("tax", "2.50"), ("total", "-12.50"))
PAID = proof("cash − change = total", ("cash", "20"), ("change", "-7.50"), ("total", "-12.50"))
TABLE = proof("tax table = total", ("net", "10"), ("tax", "2.50"), ("total", "-12.50"))


def test_a_repaired_amount_needs_two_equations_that_share_nothing() -> None:
    mended = Chosen(Decimal("12.50"), entry("12.60", total=1.0), printed=Decimal("12.60"))
    again = replace(BOUGHT, kind=EquationKind.ITEMS)
    assert not is_proved(ledger(mended, BOUGHT), "total", mended)
    assert not is_proved(ledger(mended, BOUGHT, again), "total", mended)
    assert is_proved(ledger(mended, BOUGHT, PAID), "total", mended)


@pytest.mark.parametrize(
    ("field", "value", "proof"),
    [
        ("subTotal", "10", True),
        ("subTotal", "12.50", True),  # as the total that nothing is added to
        ("taxes", "2.50", True),
        ("cash", "20", True),
        ("change", "7.50", True),
        ("tip", "2.50", False),
        ("change", "20", False),
        ("serviceCharges", "10", False),
    ],
)
def test_an_equation_proves_an_amount_in_its_own_field_only(field: str, value: str, proof: bool) -> None:
    assert is_proved(ledger(None, BOUGHT, PAID), field, Chosen(Decimal(value), None)) is proof


@pytest.mark.parametrize(
    ("field", "value", "cash", "doubted"),
    [
        ("change", "7.50", None, True),
        ("change", "0", None, False),
        ("change", "7.50", "20", False),
        ("cash", "5.49", "5.49", True),  # a product may be named so
        ("cash", "20", "20", False),
        ("tip", "5.49", None, False),
    ],
)
def test_cash_or_change_that_pays_nothing_is_doubted(
    field: str, value: str, cash: str | None, doubted: bool
) -> None:
    (span,) = spans(f"CASH {value}")
    rows = parse(group([span]), load_region("us"), AmountHints(None, False), None)
    paid = Chosen(Decimal("12.50"), entry("12.50", total=1.0))
    found = replace(ledger(paid), cash=None if cash is None else Chosen(Decimal(cash), entry(cash, cash=1.0)))
    confidence = of_amount(field, Chosen(Decimal(value), entry(value, cash=1.0)), found, rows, PAGE)
    assert confidence is not None
    assert (confidence.probability <= 0.7) is doubted


@pytest.mark.parametrize(
    ("printed", "change", "most"), [("TOTAL 12.50 DUE 16.50", "3.50", 0.5), ("TOTAL 12.50", "3.50", 1.0)]
)
def test_a_total_is_disputed_where_another_printed_amount_was_paid(
    printed: str, change: str, most: float
) -> None:
    (span,) = spans(printed)
    rows = parse(group([span]), load_region("us"), AmountHints(None, False), None)
    total = Chosen(Decimal("12.50"), entry("12.50", total=1.0))
    terms = ("cash", "20"), ("change", f"-{change}"), ("total", "-12.50")
    against = replace(proof("cash − change = total", *terms), verdict="contradicted")
    confidence = of_total(ledger(total, BOUGHT, TABLE, against), rows, PAGE)
    assert confidence is not None
    assert (confidence.probability <= 0.5) is (most == 0.5)


def test_several_sums_of_one_family_outvote_no_other_proof() -> None:
    (span,) = spans("TOTAL 12.50")
    rows = parse(group([span]), load_region("us"), AmountHints(None, False), None)
    total = Chosen(Decimal("12.50"), entry("12.50", total=1.0))
    subtotal, items, tax = (
        replace(proof(kind, (term, "11"), ("total", "-12.50")), verdict="contradicted")
        for kind, term in (
            ("subtotal + adjustments = total", "subtotal"),
            ("items + adjustments = total", "items"),
            ("net + tax = total", "net"),
        )
    )
    one, two = (of_total(ledger(total, PAID, *f), rows, PAGE) for f in ((subtotal, items), (subtotal, tax)))
    assert one is not None and two is not None
    assert two.probability <= 0.85 < one.probability


def test_a_subtotal_that_does_not_make_a_proved_total_is_doubted() -> None:
    (span,) = spans("SUBTOTAL 200.00")
    rows = parse(group([span]), load_region("us"), AmountHints(None, False), None)
    total = Chosen(Decimal("12.50"), entry("12.50", total=1.0))
    against = replace(
        proof("subtotal + adjustments = total", ("subtotal", "11"), ("total", "-12.50")),
        verdict="contradicted",
    )
    subtotal = Chosen(Decimal("11"), entry("11", subtotal=1.0))
    alone = of_amount("subTotal", subtotal, ledger(total, PAID), rows, PAGE)
    doubted = of_amount("subTotal", subtotal, ledger(total, PAID, against), rows, PAGE)
    assert alone is not None and doubted is not None
    assert doubted.probability <= 0.7 < alone.probability


def test_a_rate_in_the_name_of_a_term_is_no_other_field() -> None:
    assert is_proved(ledger(None, TABLE), "taxes", Chosen(Decimal("2.50"), None))


def test_features_count_independent_proofs_and_what_contradicts() -> None:
    (span,) = spans("TOTAL 12.50")
    rows = parse(group([span]), load_region("us"), AmountHints(None, False), None)
    total = Chosen(Decimal("12.50"), entry("12.50", total=1.0))
    against = replace(proof("card = total", ("card", "9"), ("total", "-12.50")), verdict="contradicted")
    alone = total_features(ledger(total), rows, PAGE)
    supported = total_features(ledger(total, BOUGHT, PAID, TABLE), rows, PAGE)
    doubted = total_features(ledger(total, BOUGHT, against), rows, PAGE)
    assert (alone.proofs, supported.proofs) == (0.0, 1.0)
    assert supported.contradicted == 0.0 < doubted.contradicted < 1.0
    assert doubted.contradicted_alone == 0.0
    assert alone.height == 1.0 and alone.summary == 1.0


@pytest.mark.parametrize(
    ("kind", "name", "most"), [("total repeated", 1.0, 0.5), ("items + adjustments = total", 0.0, 0.85)]
)
def test_how_sure_a_contradicted_total_can_be(kind: str, name: float, most: float) -> None:
    """name: the weight with which its words name a total."""
    (span,) = spans("TOTAL 12.50")
    rows = parse(group([span]), load_region("us"), AmountHints(None, False), None)
    total = Chosen(Decimal("12.50"), entry("12.50", total=name))
    against = replace(proof(kind, ("items", "30"), ("total", "-12.50")), verdict="contradicted")
    consistent = replace(BOUGHT, verdict="consistent")
    confidence = of_total(replace(ledger(total, consistent, against), margin=10.0), rows, PAGE)
    assert confidence is not None and confidence.probability == most


def test_a_page_is_as_legible_as_its_letters() -> None:
    good, bad = spans("TOTAL 12.50\nTHANKYOU")
    bad = replace(bad, chars=tuple(replace(c, score=0.2) for c in bad.chars))
    rows = parse(group([good, bad]), load_region("us"), AmountHints(None, False), None)
    found = page_features(rows, ())
    assert found.region == 0.0
    assert 0.2 < found.legibility < 1.0


@pytest.mark.parametrize(("proved", "most"), [(False, 0.985), (True, 0.999)])
def test_how_sure_a_value_can_be(proved: bool, most: float) -> None:
    assert probability("date", {"finder": 60.0, "time": 1.0}, proved=proved) == most


@pytest.mark.parametrize(("share", "odds"), [(0.9975, 5.99), (0.9999, 5.99), (0.0025, -5.99), (0.5, 0)])
def test_log_odds_of_what_is_all_but_certain(share: float, odds: float) -> None:
    assert round(log_odds(share), 2) == odds


@pytest.mark.parametrize(("cost", "counted"), [(2.9, 2.9), (3.0, 3.0), (3.4, 3.0)])
def test_a_reading_that_is_hardly_possible_costs_no_more(cost: float, counted: float) -> None:
    chosen = Chosen(Decimal(5), None, cost)
    ledger = Ledger(
        chosen, None, None, (), None, (), (), None, None, None, None, (), (), margin=12.0, runners_up=()
    )
    assert amount_features(ledger, "tip", chosen, (), PAGE).reading_cost == counted
    assert total_features(ledger, (), PAGE).margin == 1.0
    assert total_features(replace(ledger, margin=5.0), (), PAGE).margin == 0.5
