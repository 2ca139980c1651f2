"""Where a receipt comes from: what tells it, what does not, and how far a wrong word of the caller goes."""

from __future__ import annotations

import pytest

from receipt_engine.document import Line, Quad, Word
from receipt_engine.stages.localize import localize
from receipt_engine.stages.localize.money import find_signs
from receipt_engine.stages.localize.posterior import clues
from tests.printed import read

GERMAN = ("Bäckerei Halm", "Torgasse 4, 20095 Hamburg", "Summe 4,20 EUR", "MwSt 7,00 % 0,27", "Bar 5,00")
BRITISH = (
    "Corner Books",
    "12 Mill Lane, Leeds LS1 4AP",
    "VAT No GB 123 4567 82",
    "TOTAL £8.99",
    "Change £1.01",
)
AMERICAN = (
    "Oak Diner",
    "410 Elm St",
    "Austin, TX 78701",
    "(512) 555-0142",
    "Sales Tax 8.375% 0.99",
    "Total $12.99",
)
ALBANIAN = (
    "LULE MARKET",
    "NIPT K71620006Q",
    "Tirana, Shqipëria",
    "Shuma 340,00 Lekë",
    "TVSH 56,67",
    "Kupon tatimor",
)


def lines(texts: tuple[str, ...]) -> tuple[Line, ...]:
    """Rows of one word each, one below the other."""
    quad = Quad((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))
    return tuple(
        Line(row, (Word(text, 1.0, quad, 0.0, 9.0 * len(text), 20.0 * row, 20.0 * row + 12),))
        for row, text in enumerate(texts)
    )


@pytest.mark.parametrize(("texts", "code"), [(GERMAN, "de"), (BRITISH, "gb"), (AMERICAN, "us")])
def test_a_plain_receipt_needs_no_hint(texts: tuple[str, ...], code: str) -> None:
    first, *others = localize(lines(texts), None)
    assert first.code == code
    assert first.probability > 0.8 > max(guess.probability for guess in others)


@pytest.mark.parametrize("hint", ["us", "ja", "br", "in"])
def test_a_wrong_hint_does_not_bend_a_plain_receipt(hint: str) -> None:
    assert localize(lines(GERMAN), hint)[0].code == "de"


@pytest.mark.parametrize("hint", ["uk", "GB", " gb "])
def test_a_hint_decides_where_the_receipt_says_nothing(hint: str) -> None:
    first = localize(lines(("Total 4.20",)), hint)[0]
    assert (first.code, first.evidence[0]) == ("gb", "hint")


def test_an_unknown_hint_is_no_hint() -> None:
    assert localize(lines(GERMAN), "zz") == localize(lines(GERMAN), None)


def test_a_country_without_rules_leaves_little_for_the_others() -> None:
    first, *others = localize(lines(ALBANIAN), None)
    assert (first.code, first.order) == ("al", "dmy")
    assert first.probability > 0.7 > 0.3 > sum(guess.probability for guess in others)


def test_a_telephone_number_and_a_tax_number_count_without_a_region_file() -> None:
    found = [clue for clue in clues(("Tel: (021) 414 8000", "RUC: 80028061-0")) if "py" in clue.scores]
    assert {"phone", "tax id"} <= {clue.kind for clue in found}


@pytest.mark.parametrize(("number", "known"), [("(852) 2719-4406", True), ("(852) 271-4406", False)])
def test_a_calling_code_in_brackets_has_more_digits_behind_it_than_an_area_code(
    number: str, known: bool
) -> None:
    found = [clue for clue in clues((f"TEL: {number}",)) if clue.kind == "phone"]
    assert ("hk" in {country for clue in found if len(clue.scores) == 1 for country in clue.scores}) is known


def test_digits_of_an_international_number_are_no_national_number() -> None:
    found = [clue for clue in clues(("Tel: +355 4 222 8817",)) if clue.kind == "phone"]
    assert {country for clue in found for country in clue.scores} == {"al"}


def test_a_city_of_a_country_without_a_region_file_is_a_place_of_it() -> None:
    (found,) = [clue for clue in clues(("Rruga e Lidhjes 12, Prizren",)) if clue.kind == "address"]
    assert set(found.scores) == {"xk"}


def test_the_name_and_the_rate_of_a_tax_count_without_a_region_file() -> None:
    found = [clue for clue in clues(("TVSH 8%  0.40",)) if clue.kind == "tax" and "xk" in clue.scores]
    assert [sorted(clue.scores) for clue in found] == [["al", "xk"], ["xk"]]


def test_an_amount_behind_the_name_of_a_tax_is_no_tax_number() -> None:
    assert not [clue for clue in clues(("TOTAL TAX: 285000.00",)) if clue.kind == "tax id"]


def test_a_script_of_several_countries_proves_the_currency_of_none() -> None:
    text = "مطعم النخيل\nفاتورة\nشاي  10.00\nقهوة  15.00\nالمجموع  25.00\nشكرا لزيارتكم"
    assert read(text).currency is None


@pytest.mark.parametrize(
    ("row", "named"),
    [("MONG KOK. HONG KONG", True), ("Mong Kok - Hong Kong", True), ("NOODLES. HONG KONG", False)],
)
def test_a_country_behind_a_place_of_its_own_ends_an_address(row: str, named: bool) -> None:
    scores = [clue.scores["hk"] for clue in clues((row,)) if clue.kind == "address" and "hk" in clue.scores]
    assert (max(scores) >= 2) is named


@pytest.mark.parametrize(
    ("above", "named"), [("Coast Road, Flic en Flac", True), ("Flic en Flac Lagoon House", False)]
)
def test_a_country_alone_below_a_place_of_its_own_ends_an_address(above: str, named: bool) -> None:
    found = [clue for clue in clues([above, "MAURITIUS"]) if clue.detail == "mauritius"]
    assert len(found) == (2 if named else 1)


def test_a_bare_dollar_sign_may_be_a_dollar_of_an_island() -> None:
    (sign,) = [clue for clue in clues(["TOTAL $12.40"]) if clue.kind == "currency"]
    assert {"us", "fj", "jm"} <= set(sign.scores)


def test_probabilities_stay_below_one_and_are_sorted() -> None:
    guesses = localize(lines(BRITISH), None)
    assert sum(guess.probability for guess in guesses) < 1
    assert [g.probability for g in guesses] == sorted((g.probability for g in guesses), reverse=True)


def test_a_word_for_a_number_without_one_is_a_word_like_any_other() -> None:
    assert not [clue for clue in clues(("Reg Margherita 9.50",)) if clue.kind == "tax id"]
    assert [clue for clue in clues(("Reg No 2009/123456/07",)) if clue.kind == "tax id"]


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("TOTAL B/.4.95", "B/"),
        ("TOTAL S/.479.20", "S/"),
        ("TOTAL B/. 4.95", "B/"),
        ("NOODLES 5's $26.50", "$"),
    ],
)
def test_a_mark_that_ends_with_a_point_may_touch_its_amount(text: str, mark: str) -> None:
    assert [sign.text for sign in find_signs([text]) if sign.beside] == [mark]


def test_punctuation_of_one_country_is_no_currency_in_another() -> None:
    assert read("MILL INN\nRoom 5 :- Upper floor\nDinner 42.00\nTOTAL 42.00", "eg").currency == "EGP"
    assert read("MILL INN\nKaffe 42:-\nATT BETALA 42:-", "se").currency == "SEK"


def test_one_stray_sign_is_no_currency_where_the_country_is_given() -> None:
    text = "MILL INN\nSoup 6.50\nDIG £6\nTOTAL 6.50"
    assert read(text, "us").currency == "USD"
    assert read(text.replace("TOTAL 6.50", "TOTAL £6.50"), "us").currency == "GBP"


def test_a_number_sign_that_was_read_as_a_currency_is_none() -> None:
    assert not find_signs(["КАССА ₽3", "ЧЕК ₽00417"])
    assert [sign.text for sign in find_signs(["ИТОГ 417 ₽", "ИТОГ ₽417.00"])] == ["₽", "₽"]


def test_letters_before_the_number_of_a_company_are_no_currency() -> None:
    assert not any(sign.beside for sign in find_signs(["TAX NIO 12-3456789", "MAD 12/03/2024"]))
    assert [sign.text for sign in find_signs(["NIO 1250", "NIO 12.50"])] == ["NIO", "NIO"]


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("TOTAL KD 2.582", ["KD"]),
        ("TOTAL 788 000 Ar", ["AR"]),
        ("TOTAL ALL 1,250", ["ALL"]),
        ("TOTAL PEN 1,250", []),
        ("TOTAL KD 2", []),
    ],
)
def test_a_word_is_a_currency_beside_an_amount_as_its_country_prints_it(text: str, signs: list[str]) -> None:
    assert [sign.text for sign in find_signs([text]) if sign.beside] == signs


def test_a_stroke_between_two_numbers_is_no_yen() -> None:
    assert find_signs(("Guest 14\\2203",)) == ()
    assert [sign.text for sign in find_signs(("\\2,203",))] == ["\\"]


def test_a_word_before_a_size_is_no_currency() -> None:
    assert not [sign for sign in find_signs(["BALM RUB 25ML"]) if sign.beside]
    assert [sign.text for sign in find_signs(["TOTAL RUB 25.00"]) if sign.beside] == ["RUB"]


def test_a_company_number_with_a_right_check_digit_needs_no_word() -> None:
    def of_brazil(number: str) -> float:
        guesses = localize(lines(("LOJA", number, "12,40")), None)
        return next(guess.probability for guess in guesses if guess.code == "br")

    assert of_brazil("16.727.230/0001-97") > 2 * of_brazil("16.727.230/0001-98")


@pytest.mark.parametrize(("script", "code"), [("hangul", "kr"), ("thai", "th"), ("hebrew", "il")])
def test_a_script_that_cannot_be_read_tells_its_country(script: str, code: str) -> None:
    texts = ("12,400", "2024-03-15 16:05")
    assert localize(lines(texts), None, script=script)[0].code == code
    assert localize(lines(texts), None)[0].code != code


def test_letters_of_a_script_that_one_country_prints_tell_it_too() -> None:
    assert localize(lines(["푸른서점", "공책 2,500", "12,400"]), None)[0].code == "kr"


def test_a_country_without_a_region_file_prints_the_script_of_its_languages() -> None:
    texts = ("مخابز الريم", "Amman Wasfi Al Tal St. 118", "Kaak 1.250", "Total 1.890 JD")
    assert localize(lines(texts), None)[0].code == "jo"


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("Total 17.400 JD", ["JD"]),
        ("Total KD 7.250", ["KD"]),
        ("TOTAL Gs 87.500", ["GS"]),
        ("TOTAL Gs........ 87.500", ["GS"]),
        ("Room 12 JD", []),
        ("BLK 203 ANG MO KIO AVE 3", []),
        ("Bs 4.250", []),  # money with cents
    ],
)
def test_initials_beside_three_digits_behind_a_mark_are_money_without_cents(
    text: str, marks: list[str]
) -> None:
    assert [sign.text for sign in find_signs([text])] == marks
