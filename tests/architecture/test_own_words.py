"""No line of the development data stands in the project: examples and tests have words of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.copied import Originals, copies, labelled_texts

PROJECT = Path(__file__).parents[2]
DATA = PROJECT.parent / "shared" / "data"


@pytest.mark.skipif(not DATA.is_dir(), reason="the development data is not beside the checkout")
def test_no_line_of_the_data_is_copied() -> None:
    found = copies(PROJECT, Originals(labelled_texts(DATA)))
    assert not found, "\n".join(["Write other words and figures that teach the same:", *map(str, found)])
