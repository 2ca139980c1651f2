"""dateparser as an oracle: where both read a printed date, they read the same day."""

from __future__ import annotations

import datetime
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from receipt_engine.region import load_region, region_codes
from receipt_engine.stages.parse import ACCEPTED, find_dates

dateparser = pytest.importorskip("dateparser")

FORMS = (
    "%d/%m/%Y", "%d.%m.%Y", "%d-%m-%Y", "%Y-%m-%d", "%d %b %Y", "%d %B %Y", "%B %d, %Y", "%d-%b-%Y",
    "%d/%m/%Y %H:%M", "%Y-%m-%d %H:%M:%S", "%d %b %Y %I:%M %p", "%A, %d %B %Y", "%a %d %b %Y %H:%M",
)  # fmt: skip
ORDERS = {"dmy": "DMY", "mdy": "MDY", "ymd": "YMD"}


@settings(max_examples=150, deadline=None)
@given(
    day=st.datetimes(datetime.datetime(2016, 1, 1), datetime.datetime(2028, 12, 31)),
    form=st.sampled_from(FORMS),
    code=st.sampled_from([c for c in region_codes() if load_region(c).dates.order == "dmy"]),
)
def test_agrees(day: datetime.datetime, form: str, code: str) -> None:
    region = load_region(code)
    text = day.strftime(form)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        other = dateparser.parse(
            text,
            languages=["en"],
            settings={"DATE_ORDER": ORDERS[region.dates.order], "STRICT_PARSING": True},
        )
    readings = [r for r in find_dates(text, region) if r.cost <= ACCEPTED]
    assert readings, text
    best = min(readings, key=lambda r: r.cost)
    assert other is not None and best.iso[:10] == f"{other:%Y-%m-%d}", text
    if best.has_time:
        assert best.iso[11:16] == f"{other:%H:%M}", text
