"""Patterns, figures, tape and words of drawn receipts."""

from __future__ import annotations

import datetime
import re
from decimal import Decimal

import pytest
from stdnum.de import vat

from receipt_engine.region import Separators, load_region, region_codes
from scripts.make_receipts import DrawingError
from scripts.make_receipts.dice import Dice
from scripts.make_receipts.figures import Clock, Figures
from scripts.make_receipts.patterns import checked, matching
from scripts.make_receipts.style import capitals, plain_letters
from scripts.make_receipts.tape import Tape, columns, cut, wrap
from scripts.make_receipts.vocabulary import DATA, goods, load_country, load_tongue


@pytest.mark.parametrize(
    "pattern", [r"\b\d{5}\b", r"[A-Z]{2}-?\d{3,4}", r"(?:AB|CD)\s?\d{2}", r"\w{3}[^0-9]"]
)
def test_drawn_texts_match_their_pattern(pattern: str) -> None:
    for at in range(20):
        text = matching(pattern, Dice(at))
        assert re.fullmatch(pattern, text)


def test_numbers_pass_their_check_digits() -> None:
    assert all(vat.is_valid(checked("DE#########", "de.vat", Dice(at))) for at in range(5))


def test_patterns_that_never_pass_are_named() -> None:
    with pytest.raises(DrawingError, match="AT####"):
        checked("AT####", "de.vat", Dice(1))


@pytest.mark.parametrize(
    ("figures", "value", "text"),
    [
        (Figures(Separators(decimal="."), ",", 2), "1234567.5", "1,234,567.50"),
        (Figures(Separators(decimal=",", groups=(".",)), ".", 2, minus="after"), "-1234.5", "1.234,50-"),
        (Figures(Separators(decimal=".", indian=True), ",", 2), "1234567", "12,34,567.00"),
        (Figures(Separators(decimal=","), ".", 0), "12000", "12.000"),
        (Figures(Separators(decimal="."), ",", 2, trim=True), "260.00", "260"),
    ],
)
def test_amounts_follow_the_habit(figures: Figures, value: str, text: str) -> None:
    assert figures.plain(Decimal(value)) == text


def test_signs_stand_where_the_till_puts_them() -> None:
    after = Figures(Separators(decimal=","), ".", 2, sign="€", place="after_space")
    assert after.money(Decimal("-3")) == "-3,00 €"
    assert Figures(Separators(decimal="."), ",", 2, sign="$", place="before").money(Decimal(3)) == "$3.00"


MONTHS = tuple((name, name[:3]) for name in ["january", "february", "march", "april", "may", "june", "july"])


@pytest.mark.parametrize(
    ("order", "form", "mark", "two", "text"),
    [
        ("dmy", "numeric", "/", False, "05/03/2024"),
        ("mdy", "numeric", "/", True, "03/05/24"),
        ("ymd", "numeric", "-", False, "2024-03-05"),
        ("dmy", "short", ".", True, "5.3.24"),
        ("dmy", "name", "-", False, "05-MAR-2024"),
        ("mdy", "name", "  ", False, "MARCH 05, 2024"),
        ("ymd", "kanji", "/", False, "2024年3月5日"),
    ],
)
def test_dates_follow_the_habit(order: str, form: str, mark: str, two: bool, text: str) -> None:
    clock = Clock(order, form, mark, two, "12", MONTHS, "AM", "PM")
    moment = datetime.datetime(2024, 3, 5, 18, 7, 9)
    assert clock.date(moment) == text
    assert clock.clock(moment) == "6:07 PM"
    assert clock.truth(moment) == "2024-03-05 18:07:00"


def test_a_till_without_a_clock_has_midnight_as_truth() -> None:
    clock = Clock("dmy", "numeric", "/", False, "", MONTHS, "", "")
    assert clock.truth(datetime.datetime(2024, 3, 5, 18, 7)) == "2024-03-05 00:00:00"


def test_wide_letters_take_two_columns() -> None:
    assert columns("合計 A") == 6
    assert cut("合計A", 3) == "合"
    assert wrap("one two three", 7) == ["one two", "three"]
    assert wrap("abcdefgh", 3) == ["abc", "def", "gh"]


def test_pairs_keep_the_amount_and_cut_the_text() -> None:
    tape = Tape(12)
    assert tape.pair("A long label", "3.00") == "A long"
    assert tape.rows[-1].text == "A long  3.00"
    tape.pair("Sum", "3.00", "big")
    assert tape.rows[-1].text == "S 3.00"


def test_old_printers_have_no_accents() -> None:
    assert plain_letters("Crème brûlée, Đà Nẵng, ñandú") == "Creme brulee, Da Nang, nandu"
    assert plain_letters("が") == "が"
    assert capitals("Ψωμί") == "ΨΩΜΙ"


@pytest.mark.parametrize("path", sorted((DATA / "languages").glob("*.toml")), ids=lambda path: path.stem)
def test_every_language_file_can_be_read(path: object) -> None:
    tongue = load_tongue(path.stem)  # type: ignore[attr-defined]
    assert tongue is not None
    for group in goods(tongue, load_country("none")).values():
        for good in group:
            assert good.name and 0 < good.low <= good.high


@pytest.mark.parametrize("region", region_codes())
def test_every_country_file_names_known_languages(region: str) -> None:
    country = load_country(region)
    assert country.since < country.until
    for language in (*country.languages, *country.echo):
        assert load_tongue(language) is not None


@pytest.mark.parametrize("region", region_codes())
def test_levied_rates_are_the_regions(region: str) -> None:
    """Taxes are printed at rates that the region data know; rates of single states are not in them."""
    known = {Decimal(rate.rate) for rate in load_region(region).tax.rates}
    schemes = [scheme for scheme in load_country(region).tax if not scheme.states]
    for levies in (levies for scheme in schemes for levies in scheme.levies.values()):
        rates = [Decimal(levy.strip().rpartition(" ")[2]) for levy in levies.split("+")]
        assert not known or all(not rate or rate in known or sum(rates) in known for rate in rates), levies
