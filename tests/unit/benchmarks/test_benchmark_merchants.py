"""The measure of merchant tables, on a small one."""

from __future__ import annotations

from pathlib import Path

from benchmarks.protocols.merchants import measure


def test_merchants_are_found_by_what_is_printed_with_slips(tmp_path: Path) -> None:
    imported, looked_up = measure(300, tmp_path)
    assert imported.rows[0][0] == 300
    shares = {row[0]: (row[2], row[3]) for row in looked_up.rows}
    found, other = shares["name, phone and address"]
    assert isinstance(found, float) and found > 0.95
    assert other == 0.0
    assert shares["a merchant that is not in the table"] == (0.0, 0.0)
