"""docs/one-receipt.md is what the script writes; figures behind ≈ may differ a little between processors."""

from __future__ import annotations

import re

from scripts.describe_receipt import TARGET, describe

ABOUT = re.compile(r"≈ (\d\.\d\d)")
#: How far apart such figures may be.
APART = 0.03


def test_the_page_about_one_receipt_is_fresh() -> None:
    written, now = TARGET.read_text(encoding="utf-8"), describe()
    assert ABOUT.sub("≈", written) == ABOUT.sub("≈", now), "run python -m scripts.describe_receipt"
    pairs = zip(ABOUT.findall(written), ABOUT.findall(now), strict=True)
    assert [pair for pair in pairs if abs(float(pair[0]) - float(pair[1])) > APART] == []
