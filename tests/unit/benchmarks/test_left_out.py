"""The benchmark of countries left out: their file is gone meanwhile, and there again afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.protocols.left_out import draw, left_out, main, read_left_out
from receipt_engine.errors import RegionDataError
from receipt_engine.region import load_region, region_codes
from receipt_engine.stages.localize.countries import country


def test_a_country_is_known_as_little_as_any_other_while_it_is_left_out() -> None:
    whole = load_region("mt")
    with left_out("mt"):
        assert "mt" not in region_codes()
        with pytest.raises(RegionDataError):
            load_region("mt")
        known = country("mt")
        assert known.region is None
        assert (known.currency, known.calling_code, known.rates) == ("EUR", "356", frozenset())
    assert load_region("mt").tax.percents == whole.tax.percents


def test_its_receipts_are_read_by_what_they_show() -> None:
    (outcome,) = read_left_out("tr", draw("tr", 1, 1)[:1])
    assert outcome.result is not None
    assert {field for field in outcome.sample.fields if outcome.judge(field).name != "RIGHT"} == set()


def test_the_tables_have_a_row_for_each_country_and_one_for_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report = tmp_path / "left-out.md"
    assert main(["--countries", "mt", "--workers", "1", "--report", str(report)]) == 0
    rows = [line.split()[0] for line in capsys.readouterr().out.splitlines() if line[:4] in ("mt  ", "all ")]
    assert rows == ["mt", "all"] * 2
    assert "| mt |" in report.read_text(encoding="utf-8")
