"""The examples inside every region and language file, run against the matcher and the parsers: the same
check that `receipt-engine regions check` makes.

A language's examples are read with the rules of the first region that prints it first, or at all.
"""

from __future__ import annotations

import pytest

from receipt_engine import assets
from receipt_engine.region import Example, Region, load_language, load_region, region_codes
from receipt_engine.region_check import example_problems, not_example_problems

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


@pytest.mark.parametrize("case", _cases("example"), ids=lambda case: case[0])
def test_example(case: Case) -> None:
    _, region, example = case
    assert example_problems(example, region) == []


@pytest.mark.parametrize("case", _cases("not_example"), ids=lambda case: case[0])
def test_not_example(case: Case) -> None:
    _, region, example = case
    assert not_example_problems(example, region) == []
