"""What a till of each region prints, plain or damaged as a recogniser damages it, is read back."""

from __future__ import annotations

import datetime
import random
import tomllib
from decimal import Decimal

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from receipt_engine import assets
from receipt_engine.region import Region, Separators, load_region, region_codes
from receipt_engine.stages.parse import ACCEPTED, find_amounts, find_dates

CODES = region_codes()
DAYS = st.datetimes(datetime.datetime(2016, 1, 1), datetime.datetime(2028, 12, 31))
SLIPS = {"0": "O", "1": "l", "5": "S", "8": "B"}


def best_date(text: str, region: Region) -> str | None:
    readings = [r for r in find_dates(text, region) if r.cost <= ACCEPTED]
    return min(readings, key=lambda r: r.cost).iso if readings else None


def best_amount(text: str, region: Region) -> Decimal | None:
    places = [a for a in find_amounts(text, region) if a.readings[0].cost <= ACCEPTED]
    return min(places, key=lambda a: a.readings[0].cost).value if places else None


def numeric(day: datetime.datetime, order: str, mark: str, short: bool) -> str:
    year = f"{day:%y}" if short else f"{day:%Y}"
    parts = {"d": f"{day:%d}", "m": f"{day:%m}", "y": year}
    return mark.join(parts[letter] for letter in order)


@settings(max_examples=400, deadline=None)
@given(
    day=DAYS,
    code=st.sampled_from(CODES),
    mark=st.sampled_from("/-."),
    clock=st.sampled_from(["", " %H:%M", " %H:%M:%S", "  %H:%M", "%H:%M"]),
)
def test_numeric_date_in_the_order_of_the_region(
    day: datetime.datetime, code: str, mark: str, clock: str
) -> None:
    region = load_region(code)
    text = numeric(day, region.dates.order, mark, short=False) + day.strftime(clock)
    expected = day.replace(second=day.second if "S" in clock else 0, microsecond=0)
    assert best_date(text, region) == (expected.isoformat() if clock else f"{day:%Y-%m-%d}")


FORMS = [
    "%d.%m.%Y",
    "%d/%m/%Y",
    "%d-%m-%Y",
    "%Y-%m-%d",
    "%Y/%m/%d",
    "%d %b %Y",
    "%d-%b-%y",
    "%b%d'%y",
    "%d%b%Y",
]
CLOCKS = ["%H:%M", "%H:%M:%S", "%I:%M %p", "%I:%M:%S%p", "%Hh%M"]
LAYOUTS = [
    "{date} {clock}",
    "{clock} {date}",
    "{clock}  {date}  #12",
    "{clock} {date} 12.50",
    "Date {date} Time {clock}",
    "{date}, {clock}",
    "{date}-{clock}",
    "{date}|{clock}",
    "{date} ({clock})",
    "REG 03 {date} {clock}",
    "0045 {clock} {date}",
    "Chk 12 {date} {clock} Gst 2",
    "{date} {clock} 0001-0034",
]


@settings(max_examples=600, deadline=None)
@given(
    day=st.datetimes(datetime.datetime(2016, 1, 13), datetime.datetime(2028, 12, 31)),
    code=st.sampled_from([code for code in CODES if load_region(code).dates.order == "dmy"]),
    form=st.sampled_from(FORMS),
    clock=st.sampled_from(CLOCKS),
    layout=st.sampled_from(LAYOUTS),
)
def test_date_and_time_in_any_layout(
    day: datetime.datetime, code: str, form: str, clock: str, layout: str
) -> None:
    """Neither a time before the date nor other numbers on the row take its digits."""
    text = layout.format(date=day.strftime(form), clock=day.strftime(clock))
    expected = day.replace(second=day.second if "S" in clock else 0, microsecond=0)
    assert best_date(text, load_region(code)) == expected.isoformat(), text


@settings(max_examples=300, deadline=None)
@given(day=DAYS, code=st.sampled_from(CODES), seed=st.integers(0, 2**16))
def test_damaged_numeric_date(day: datetime.datetime, code: str, seed: int) -> None:
    """One digit read as a letter, or one space inside the date or around a separator."""
    region = load_region(code)
    text = numeric(day, region.dates.order, "/", short=False)
    chance = random.Random(seed)
    places = [i for i, c in enumerate(text) if c in SLIPS]
    if places and chance.random() < 0.5:
        place = chance.choice(places)
        text = text[:place] + SLIPS[text[place]] + text[place + 1 :]
    else:
        place = chance.choice([i for i, c in enumerate(text) if c == "/"]) + chance.randint(0, 1)
        text = f"{text[:place]} {text[place:]}"
    assert best_date(text, region) == f"{day:%Y-%m-%d}"


@settings(max_examples=300, deadline=None)
@given(
    day=DAYS,
    code=st.sampled_from(CODES),
    form=st.sampled_from(["{d} {m} {y}", "{d}-{m}-{y}", "{m} {d}, {y}"]),
)
def test_written_month_of_the_region_s_languages(day: datetime.datetime, code: str, form: str) -> None:
    region = load_region(code)
    table = tomllib.loads((assets.folder("regions") / "cldr" / "months.toml").read_text(encoding="utf-8"))
    for language in region.languages:
        for name in table.get(language.split("-")[0], {"months": [()] * 12})["months"][day.month - 1]:
            text = form.format(d=day.day, m=name, y=day.year)
            assert best_date(text, region) == f"{day:%Y-%m-%d}", (language, text)


def printed(value: Decimal, habit: Separators) -> str:
    whole, _, fraction = f"{value:f}".partition(".")
    separator = habit.groups[0] if habit.groups else ""
    groups: list[str] = []
    while len(whole) > 3:
        size = 2 if habit.indian and groups else 3
        groups.insert(0, whole[-size:])
        whole = whole[:-size]
    return separator.join([whole, *groups]) + (habit.decimal + fraction if fraction else "")


def amounts_of(region: Region) -> st.SearchStrategy[Decimal]:
    places = region.currency.decimals
    return st.integers(100, 10**7).map(lambda n: Decimal(n).scaleb(-places))


def is_row_of_products(text: str) -> bool:
    """Whether blanks may as well part a count, a price and what they make: "2 413 826"."""
    parts = text.split(" ")
    return len(parts) == 3 and all(map(str.isdigit, parts)) and int(parts[0]) * int(parts[1]) == int(parts[2])


@pytest.mark.parametrize("code", CODES)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_amount_in_the_first_habit_of_the_region(code: str, data: st.DataObject) -> None:
    region = load_region(code)
    value = data.draw(amounts_of(region))
    text = printed(value, region.numbers.habits[0])
    assume(not is_row_of_products(text))
    assert best_amount(text, region) == value
    before = [s for s in region.currency.symbols if s.strip("-:=/., ")]  # ":-" is printed after amounts
    symbol = data.draw(st.sampled_from(before))
    for form in (f"{symbol}{text}", f"{symbol} {text}", f"TOTAL {symbol} {text}", f"TOTAL: {text}"):
        assert best_amount(form, region) == value, form
    for form in (f"-{symbol}{text}", f"{symbol}-{text}", f"-{text}", f"{text}-"):
        assert best_amount(form, region) == -value, form


@pytest.mark.parametrize("code", [c for c in CODES if load_region(c).currency.decimals])
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_one_slip_in_an_amount(code: str, data: st.DataObject) -> None:
    """The value stays among the readings, and comes first when nothing else fits."""
    region = load_region(code)
    amount = Decimal(data.draw(st.integers(1000, 99999))).scaleb(-region.currency.decimals)
    text = printed(amount, region.numbers.habits[0])
    places = [i for i, c in enumerate(text) if c in SLIPS and i > 0]
    assume(places)
    place = data.draw(st.sampled_from(places))
    damaged = text[:place] + SLIPS[text[place]] + text[place + 1 :]
    readings = [m.value for a in find_amounts(damaged, region) for m in a.readings]
    assert amount in readings, damaged
