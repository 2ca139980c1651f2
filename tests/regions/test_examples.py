"""The examples inside every region and language file, run against the matcher and the parsers.

A language's examples are read with the rules of the first region that prints it first, or at all.
"""

from __future__ import annotations

from decimal import Decimal

import pytest

from receipt_engine import assets
from receipt_engine.region import Example, Region, load_language, load_region, region_codes
from receipt_engine.stages.parse import ACCEPTED, find_amounts, find_dates
from receipt_engine.vocabulary.phrases import best_role
from receipt_engine.vocabulary.terms import has_term

Case = tuple[str, Region, Example]


def _region_of_language(code: str) -> Region:
    regions = [load_region(region) for region in region_codes()]
    return next(
        (r for r in regions if r.languages[0] == code), next(r for r in regions if code in r.languages)
    )


def _cases(kind: str) -> list[Case]:
    found: list[Case] = []
    for code in region_codes():
        region = load_region(code)
        found += [(f"{code}: {e.text}", region, e) for e in getattr(region, kind)]
    for path in sorted((assets.folder("regions") / "languages").glob("*.toml")):
        region = _region_of_language(path.stem)
        found += [
            (f"{path.stem} (language): {e.text}", region, e) for e in getattr(load_language(path.stem), kind)
        ]
    return found


def _role(example: Example, region: Region) -> str | None:
    match = best_role(example.text, region)
    return match[0] if match else None


def _amount(example: Example, region: Region) -> Decimal | None:
    """The last amount of the line: totals and prices end a line."""
    places = [p for p in find_amounts(example.text, region) if p.readings[0].cost <= ACCEPTED]
    return places[-1].value if places else None


def _date(example: Example, region: Region) -> str | None:
    dates = find_dates(example.text, region)
    return dates[0].iso if dates and dates[0].cost <= ACCEPTED else None


@pytest.mark.parametrize("case", _cases("example"), ids=lambda case: case[0])
def test_example(case: Case) -> None:
    _, region, example = case
    assert example.role or example.term or example.amount or example.date
    if example.role:
        assert _role(example, region) == example.role
    if example.term:
        assert has_term(example.text, example.term)
    if example.amount:
        assert _amount(example, region) == Decimal(example.amount)
    if example.date:
        assert _date(example, region) == example.date


@pytest.mark.parametrize("case", _cases("not_example"), ids=lambda case: case[0])
def test_not_example(case: Case) -> None:
    _, region, example = case
    assert example.role or example.term or example.amount or example.date
    if example.role:
        assert _role(example, region) != example.role
    if example.term:
        assert not has_term(example.text, example.term)
    if example.amount:
        assert _amount(example, region) != Decimal(example.amount)
    if example.date:
        assert _date(example, region) != example.date
