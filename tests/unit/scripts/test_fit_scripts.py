"""The classes that the reader of further scripts was fitted with are those that are shipped."""

from __future__ import annotations

import pytest

from receipt_engine import assets
from receipt_engine.models import FURTHER
from receipt_engine.stages.recognize.scripts import is_printed
from scripts.fit_scripts.classes import SHARES, characters, letters


def test_the_shipped_list_of_classes_is_that_of_the_fit() -> None:
    names = assets.model_file("text-recognizer-scripts-classes.txt").read_text(encoding="utf-8")
    assert ("", *names.split("\n"), " ") == characters()
    assert set(SHARES) == set(FURTHER)


@pytest.mark.parametrize("script", sorted(SHARES))
def test_a_script_may_print_all_its_letters(script: str) -> None:
    assert all(is_printed(c, script) for c in letters(script))  # type: ignore[arg-type]
