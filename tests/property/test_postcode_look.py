"""The quick look for a postcode passes none over, of whatever region."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from receipt_engine.stages.localize import contact

_PATTERNS = sorted({pattern.pattern for _, pattern, *_ in contact._postcodes()})


@given(st.one_of([st.from_regex(pattern, fullmatch=True) for pattern in _PATTERNS]))
def test_a_row_with_a_postcode_is_looked_at(postcode: str) -> None:
    assert contact._MAYBE_POSTCODE.search(f"12 High St {postcode} Town")
