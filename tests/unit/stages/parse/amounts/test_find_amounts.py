"""What find_amounts says beside the best value: places, signs, symbols, currencies, other readings, hints."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import pytest

from receipt_engine.document import AmountReading, AmountRule
from receipt_engine.region import Region, load_region
from receipt_engine.stages.parse import ACCEPTED, AmountHints, find_amounts

Land = Callable[[str], Region]


def accepted(text: str, region: Region, hints: AmountHints = AmountHints()) -> list[AmountReading]:  # noqa: B008
    return [a for a in find_amounts(text, region, hints) if a.readings[0].cost <= ACCEPTED]


def values(amount: AmountReading) -> list[str]:
    return [str(money.value) for money in amount.readings]


def test_the_first_digit_of_a_number_with_thousands_is_no_tax_code() -> None:
    for text, region in (("41.20 1'058.00", "ch"), ("41,20 1 058,00", "se")):
        found = find_amounts(text, load_region(region))
        assert [(values(amount)[0], amount.symbols) for amount in found] == [("41.20", ()), ("1058.00", ())]


@pytest.mark.parametrize(
    ("land_name", "text", "expected"),
    [
        ("euro", "3 x 1,49 4,47 B", ["1.49", "4.47"]),
        ("dollar", "APPLES 2.5 lb @ 1.20/lb 3.00 F", ["1.20", "3.00"]),
        ("cafetero", "12 cajas x 234,00 $ 2.808,00", ["234.00", "2808.00"]),
        ("peso", "20,5 LT X $1.274 $26.117", ["1274", "26117"]),
        ("franc", "Zimmer 4 268.00 1'072.00 B", ["268.00", "1072.00"]),
        ("rand", "Cement 12 94.78 1 137.36", ["94.78", "1137.36"]),
        ("krona", "25 % 846,40 211,60 1 058,00", ["846.40", "211.60", "1058.00"]),
        ("yen", "(10%対象 ¥18,657 内税 ¥1,696)", ["18657", "1696"]),
        ("dollar", "Widget -1 -6.14 -129.00", ["-6.14", "-129.00"]),
        ("dollar", "Any 2 for $6.00 -2.00", ["6.00", "-2.00"]),
        ("dollar", "05/11/2024 18:42 TOTAL 9.99", ["9.99"]),
        ("pound", "05-11-2024 18.59 9.99", ["9.99"]),
        ("ringgit", "19/08/2023 10.47 AM 4.20", ["4.20"]),
        ("peso", "27 JUN 2025 07:46:31", []),
        ("yen", "2024年3月15日 18時20分", []),
        ("euro", "enth. 7,00% MwSt EUR 3,47", ["3.47"]),
        ("krona", "73***19 kort", []),
        ("pound", "2/5.00", ["5.00"]),
        ("dollar", "Coffee $3 $18 50", ["3", "18.50"]),
        ("pound", "1.50-2.00", ["1.50", "2.00"]),
    ],
)
def test_every_amount_of_a_line_left_to_right(
    land: Land, land_name: str, text: str, expected: list[str]
) -> None:
    assert [str(a.value) for a in accepted(text, land(land_name))] == expected


@pytest.mark.parametrize(
    ("land_name", "text", "symbols"),
    [
        ("dollar", "3.49 F", ("F",)),
        ("dollar", "3.49F", ("F",)),
        ("dollar", "3.49 t", ("t",)),
        ("dollar", "3.49 TX", ("TX",)),
        ("dollar", "3.49 B*", ("B", "*")),
        ("dollar", "3.49*", ("*",)),
        ("dollar", "3.49", ()),
        ("dollar", "3.49 A PIECE", ()),
        ("euro", "2,79 1", ("1",)),
        ("euro", "4,80- B", ("B",)),
        ("euro", "2,50 € A", ("A",)),
        ("lepton", "2,50 Δ", ("Δ",)),
        ("ringgit", "2.50 SR", ("SR",)),
        ("ringgit", "2.50 ZRL", ("ZRL",)),
        ("yen", "1,280※", ("※",)),
        ("dollar", "2 x 1.50 X", ("X",)),
    ],
)
def test_codes_after_the_amount(land: Land, land_name: str, text: str, symbols: tuple[str, ...]) -> None:
    assert accepted(text, land(land_name))[-1].symbols == symbols


@pytest.mark.parametrize(
    ("land_name", "text", "currency", "raw"),
    [
        ("dollar", "TOTAL $ 12.50 T", "$", "$ 12.50"),
        ("dollar", "US$12.50", "US$", "US$12.50"),
        ("euro", "Summe EUR 12,50", "EUR", "EUR 12,50"),
        ("euro", "12,50 €", "€", "12,50 €"),
        ("sol", "S/. 12.50", "S/.", "S/. 12.50"),
        ("ringgit", "RM-3.00", "RM", "RM-3.00"),
        ("pound", "Off -£3.00", "£", "-£3.00"),
        ("pound", "(£3.00)", "£", "(£3.00)"),
        ("pound", "3.00 CR", None, "3.00 CR"),
        ("pound", "f3.00", None, "3.00"),
        ("peso", "abono $3.000-", "$", "$3.000-"),
        ("shilling", "CASH 6,500/=", None, "6,500/="),
        ("pound", "*3.00", None, "3.00"),
    ],
)
def test_raw_encloses_sign_and_currency(
    land: Land, land_name: str, text: str, currency: str | None, raw: str
) -> None:
    (amount,) = accepted(text, land(land_name))
    assert (amount.currency, amount.raw) == (currency, raw)
    assert text[amount.start : amount.end] == raw


def test_a_capital_s_before_an_amount_is_rather_a_dollar_sign_than_a_five(land: Land) -> None:
    (dollar,) = find_amounts("Due S12.50", land("dollar"))
    (euro,) = find_amounts("Summe S12,50", land("euro"))
    assert values(dollar) == values(euro) == ["12.50", "512.50"]
    assert dollar.readings[1].cost - dollar.readings[0].cost > euro.readings[1].cost - euro.readings[0].cost


@pytest.mark.parametrize(
    ("code", "text"), [("tr", "KAZAK -t12,50"), ("ng", "BLOUSE -N12.50"), ("us", "DUE -S12.50")]
)
def test_a_minus_before_a_misread_sign_is_the_amounts(code: str, text: str) -> None:
    (amount,) = find_amounts(text, load_region(code), AmountHints())
    assert (values(amount)[0], amount.raw) == ("-12.50", text.split()[-1])


@pytest.mark.parametrize("text", ["MIX-S12.50", "MIX --S12.50", "MIX -K12.50"])
def test_a_dash_before_other_letters_is_none(text: str) -> None:
    (amount,) = find_amounts(text, load_region("us"), AmountHints())
    assert values(amount)[0] == "12.50"


def test_a_lost_point_is_a_costly_reading(land: Land) -> None:
    (amount,) = find_amounts("1250", land("dollar"))
    assert amount.readings[0].cost > ACCEPTED
    assert {"12.50", "1250"} <= set(values(amount))


def test_bare_integers_are_cheap_only_without_decimals(land: Land) -> None:
    assert accepted("1250", land("peso")) and accepted("1250", land("cafetero"))
    assert not accepted("1250", land("dollar"))


def test_a_misread_letter_costs_less_than_a_lost_one(land: Land) -> None:
    (amount,) = find_amounts("l2.5O", land("dollar"))
    assert amount.value == Decimal("12.50")
    assert 0 < amount.readings[0].cost <= ACCEPTED
    assert amount.readings[0].rule is AmountRule.LETTERS_AS_DIGITS


def test_the_same_letter_once_more_costs_little(land: Land) -> None:
    (once,) = find_amounts("12.5O", land("dollar"))
    (twice,) = find_amounts("12.OO", land("dollar"))
    (two,) = find_amounts("l2.5O", land("dollar"))
    assert once.cost < twice.cost < two.cost


@pytest.mark.parametrize(("text", "value"), [("27.85O", 27850), ("3.9OO A", 3900), ("4.OOO", 4000)])
def test_a_letter_for_the_last_zero_of_thousands_is_no_tax_code(land: Land, text: str, value: int) -> None:
    (amount,) = find_amounts(text, land("cafetero"))
    assert amount.value == value


@pytest.mark.parametrize(
    ("text", "value"),
    [("1\u041e0.00", "100.00"), ("\u041749.4\u043e", "349.40"), ("2\u041e\u041e.0\u041e", "200.00")],
)
def test_cyrillic_letters_in_an_amount_are_digits(land: Land, text: str, value: str) -> None:
    (amount,) = find_amounts(text, land("dollar"))
    assert amount.value == Decimal(value)


def test_a_cyrillic_tax_code_behind_complete_cents_is_no_digit(land: Land) -> None:
    (amount,) = find_amounts("12.50\u0417", land("dollar"))
    assert amount.value == Decimal("12.50")


def test_a_rate_behind_a_blank_is_no_part_of_an_amount(land: Land) -> None:
    assert "1.80" in values(find_amounts("Tea 1 80 13%", land("dollar"))[0])


def test_a_first_digit_may_be_the_sign(land: Land) -> None:
    (amount,) = find_amounts("TOTAL 842.50", land("dollar"))
    assert values(amount)[:2] == ["842.50", "42.50"]
    assert amount.readings[1].rule is AmountRule.SIGN_AS_DIGIT
    (marked,) = find_amounts("TOTAL $842.50", land("dollar"))
    assert "42.50" not in values(marked)


def test_a_count_times_a_price_is_no_thousands(land: Land) -> None:
    last = find_amounts("3 142 426.00", land("dollar"))[-1]
    assert values(last)[0] == "426.00"
    (whole,) = find_amounts("3 142 427.00", land("dollar"))
    assert values(whole)[0] == "3142427.00"
    *_, price, amount = find_amounts("1 910 910", land("yen"))
    assert (values(price)[0], values(amount)[0]) == ("910", "910")
    assert amount.is_plausible


def test_a_space_gives_both_readings_with_their_starts(land: Land) -> None:
    text = "1 234,50"
    (spaced,) = accepted(text, land("ecu"))
    assert values(spaced)[:2] == ["1234.50", "234.50"]
    assert [m.start for m in spaced.readings[:2]] == [None, 2]
    alone = accepted("QTY 1 234.50", land("dollar"))[-1]
    assert values(alone) == ["234.50", "1234.50"]
    assert [m.start for m in alone.readings] == [None, 4]


def test_both_signs_where_a_dash_may_be_a_dash(land: Land) -> None:
    (amount,) = find_amounts("COKE-3.00", land("dollar"))
    assert set(values(amount)) == {"-3.00", "3.00"}


def test_readings_are_ranked_and_distinct(land: Land) -> None:
    for text in ("12.500", "1,234", "l2.500", "1 234.567", "$12.5", "(3.00)"):
        for name in ("dollar", "euro", "cafetero", "franc", "yen"):
            for amount in find_amounts(text, land(name)):
                costs = [m.cost for m in amount.readings]
                assert costs == sorted(costs)
                assert len(set(values(amount))) == len(costs)


@pytest.mark.parametrize(
    ("text", "places", "cents", "expected"),
    [
        ("245", 3, True, "0.245"),
        ("1.574", 3, True, "1.574"),
        ("1,574", 3, True, "1.574"),
        ("1.574", 3, False, "1.574"),
        ("1,574", 3, False, "1.574"),
        ("12,345.678", 3, False, "12345.678"),
        ("1.50", 3, True, "1.50"),
        ("$245", 2, True, "245"),
        ("$1,574", 2, False, "1574"),
        ("1,574", 0, False, "1574"),
        ("245", 0, False, "245"),
        ("2.5", 1, False, "2.5"),
        ("1.574", None, False, "1.574"),
    ],
)
def test_hints(land: Land, text: str, places: int | None, cents: bool, expected: str) -> None:
    (amount,) = accepted(text, land("dollar"), AmountHints(places, cents))
    assert str(amount.value) == expected


def test_cents_without_three_places_change_nothing(land: Land) -> None:
    for text in ("245", "12.50", "1,574"):
        for places in (None, 0, 1, 2):
            with_cents = find_amounts(text, land("dollar"), AmountHints(places, cents=True))
            assert with_cents == find_amounts(text, land("dollar"), AmountHints(places))


def test_no_amount_in_a_line_without_digits(land: Land) -> None:
    assert find_amounts("", land("dollar")) == ()
    assert find_amounts("THANK YOU", land("dollar")) == ()
    assert find_amounts("合計", land("yen")) == ()


def test_a_letter_is_grams_or_litres_unless_the_region_has_it_as_a_tax_code(land: Land) -> None:
    (as_code,) = find_amounts("Sopa del dia 19.00 G", land("sol"))
    (as_grams,) = find_amounts("Sopa del dia 19.00 G", land("dollar"))
    assert as_code.symbols == as_grams.symbols == ("G",)
    assert as_code.readings[0].cost == 0 < as_grams.readings[0].cost
    assert accepted("Queso 250G", land("sol")) == []


def test_a_code_of_two_letters_at_the_end_of_the_row_is_no_unit() -> None:
    region = load_region("us")
    (taxed,) = find_amounts("COLA 12PK 7.99 FT", region, AmountHints())
    assert taxed.symbols == ("FT",) and taxed.readings[0].cost == 0
    assert find_amounts("PIPE 7.99 FT LONG", region, AmountHints()) == ()
    assert find_amounts("PIPE 7 FT", region, AmountHints()) == ()


def test_a_sign_between_an_amount_and_a_tax_code_belongs_to_the_amount(land: Land) -> None:
    first, *rest = find_amounts("Noodles 0,95 € 1", land("euro"))
    assert (first.raw, first.currency, first.symbols) == ("0,95 €", "€", ("1",))
    assert all(a.readings[0].cost > 2 for a in rest)


@pytest.mark.parametrize(
    ("region", "text", "raw", "code"),
    [
        ("de", "Nudeln 0,95 €1", "0,95 €", "1"),
        ("de", "Nudeln 0,95 EUR2", "0,95 EUR", "2"),
        ("pl", "Chleb 5,40 zł 1", "5,40 zł", "1"),
        ("pl", "Chleb 5,40zł1", "5,40zł", "1"),
        ("pl", "Chleb 5,40 złA", "5,40 zł", "A"),
        ("cz", "Rohlík 25,90 Kč 1", "25,90 Kč", "1"),
        ("dk", "Brød 25,95 krA", "25,95 kr", "A"),
        ("ru", "Хлеб 45.90 ₽ 1", "45.90 ₽", "1"),
    ],
)
def test_a_code_behind_the_mark_of_an_amount_is_no_amount(
    region: str, text: str, raw: str, code: str
) -> None:
    (found,) = [a for a in find_amounts(text, load_region(region)) if a.readings[0].cost < ACCEPTED]
    assert (found.raw, found.symbols, found.readings[0].cost) == (raw, (code,), 0)


def test_a_sign_before_an_amount_with_cents_is_that_one_s(land: Land) -> None:
    first, second = accepted("2,50 €9,00", land("euro"))
    assert (first.raw, first.currency, second.raw, second.currency) == ("2,50", None, "€9,00", "€")


def test_groups_of_four_digits_are_a_card_s_number(land: Land) -> None:
    assert accepted("Card 6032 9811 2233 4455", land("euro")) == []
    assert find_amounts("Card 6032 9811 2233 4455", land("dollar")) == ()


def test_a_letter_inside_a_code_is_no_currency(land: Land) -> None:
    assert all(a.currency is None for a in find_amounts("3F2A8C61D3097E44", load_region("fr")))


def test_a_dash_between_columns_is_an_empty_cell(land: Land) -> None:
    assert [a.value for a in find_amounts("4.35 4.35 - 182.84", land("dollar"))][-1] > 0
    assert find_amounts("Discount - 3.00", land("dollar"))[-1].value < 0


def test_a_negative_price_that_touches_its_amount(land: Land) -> None:
    assert [str(a.value) for a in find_amounts("-129.90-129.90", land("dollar"))] == ["-129.90", "-129.90"]


def test_ounces_are_no_cents_with_a_tax_code(land: Land) -> None:
    assert accepted("TOOTHPASTE TOTAL 4.8OZ", land("dollar")) == []
