"""Dates whose characters the recogniser doubts: its second choices become readings of their own."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from receipt_engine import Engine, ExtractOptions, Result
from receipt_engine.document import DateDigits, ParsedLine, Span
from receipt_engine.region import load_region
from receipt_engine.stages.group import group
from receipt_engine.stages.parse import AmountHints, parse
from receipt_engine.testing import fake_models, reading, spans

#: Place in a text → (alternative, its probability).
Doubts = dict[int, tuple[str, float]]


def doubted(span: Span, doubts: Doubts, score: float = 0.8) -> Span:
    """The span with these alternatives of its characters, each of which has the score."""
    chars = tuple(
        replace(c, score=score, alternatives=(doubts[at],)) if at in doubts else c
        for at, c in enumerate(span.chars)
    )
    return replace(span, chars=chars)


def row_of(text: str, doubts: Doubts, score: float = 0.8) -> ParsedLine:
    (span,) = spans(text)
    (row,) = parse(group([doubted(span, doubts, score)]), load_region("gb"), AmountHints())
    return row


def extracted(text: str, doubts: dict[str, Doubts]) -> Result:
    page = reading(text)
    doubtful = tuple(doubted(s, doubts[s.text]) if s.text in doubts else s for s in page.spans)
    engine = Engine(models=fake_models("alternatives"))
    return engine.interpret(replace(page, spans=doubtful), ExtractOptions(region="gb"))


@pytest.mark.parametrize(
    ("text", "doubts", "iso"),
    [
        ("24/08/2O26 9:41", {3: ("0", 0.1)}, "2026-08-24T09:41:00"),
        ("24/68/2026 9:41", {3: ("0", 0.1)}, "2026-08-24T09:41:00"),
        ("54/08/2026 9:41", {0: ("2", 0.1)}, "2026-08-24T09:41:00"),
        ("24/08/2086 9:41", {8: ("2", 0.1)}, "2026-08-24T09:41:00"),
        ("24108/2026 9:41", {2: ("/", 0.1)}, "2026-08-24T09:41:00"),
        ("24/08/2026 9:71", {13: ("1", 0.1)}, "2026-08-24T09:11:00"),
    ],
)
def test_the_calendar_and_the_clock_choose_the_second_reading(text: str, doubts: Doubts, iso: str) -> None:
    dates = row_of(text, doubts).dates
    assert min(dates, key=lambda d: (not d.has_time, d.cost)).iso == iso


def test_a_possible_day_keeps_its_place_before_the_other_one() -> None:
    first, second = row_of("24/03/2026", {4: ("8", 0.1)}).dates
    assert (first.iso, second.iso) == ("2026-03-24", "2026-08-24")
    assert second.cost == pytest.approx(first.cost + 2.08, abs=0.01)
    assert (first.digits, second.digits) == (DateDigits.SEPARATED, DateDigits.OTHER)


@pytest.mark.parametrize(
    ("text", "doubts"),
    [
        ("24/03/2026", {4: ("8", 0.01)}),  # much less likely
        ("24/03/2026 9:41", {11: ("8", 0.1)}),  # the day has a time already
        ("24/03/26 9:41 2'7.15", {15: (".", 0.4)}),  # beside a day, the version of a program
        ("1/05/26-30/04/28", {8: (" ", 0.4)}),  # a card's validity
        ("61.2", {0: ("8", 0.1)}),  # hardly a date
        ("Order 4471", {8: ("/", 0.1)}),
    ],
)
def test_other_doubts_change_no_date(text: str, doubts: Doubts) -> None:
    assert row_of(text, doubts).dates == row_of(text, {}).dates


SHOP = """
    Oak Lane Bakery
    {first}
    Rye loaf        6.40
    Total           6.40
    Card            6.40
    {second}
"""


@pytest.mark.parametrize("second", ["24/08/2026", "Mon 24 Aug 2026", "Receipt 20260824118"])
def test_a_second_print_of_the_day_decides(second: str) -> None:
    doubts: dict[str, Doubts] = {"24/03/2026 9:41": {4: ("8", 0.1)}}
    text = SHOP.format(first="24/03/2026 9:41", second=second)
    assert extracted(text, doubts).date == "2026-08-24 09:41:00"
    assert extracted(text, {}).date != "2026-08-24 09:41:00" or second == "24/08/2026"


def test_a_weekday_decides() -> None:
    doubts: dict[str, Doubts] = {"Mon 24/03/2026 9:41": {8: ("8", 0.1)}}
    text = SHOP.format(first="Mon 24/03/2026 9:41", second="Thank you")
    assert extracted(text, doubts).date == "2026-08-24 09:41:00"


def test_a_doubted_digit_lowers_the_confidence_once() -> None:
    text = SHOP.format(first="24/03/2026 9:41", second="Thank you")
    surely = extracted(text, {}).date_confidence or 0
    doubtful = extracted(text, {"24/03/2026 9:41": {4: ("8", 0.18)}}).date_confidence or 0
    assert 0.9 < doubtful < 0.95 < surely
