"""What errors say to a person."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from receipt_engine.errors import DeadlineError, NoTextError, in_words


def test_the_systems_errors_are_told_without_their_number(tmp_path: Path) -> None:
    with pytest.raises(OSError) as caught:
        (tmp_path / "gone.jpg").read_bytes()
    words = os.strerror(errno.ENOENT)
    assert in_words(caught.value) == f"{tmp_path / 'gone.jpg'}: {words}."
    assert in_words(caught.value, with_file=False) == f"{words}."
    assert in_words(OSError(errno.ENOSPC, "full")) == "full."


@pytest.mark.parametrize("error", [NoTextError("No text."), DeadlineError("Too late."), OSError("odd")])
def test_other_errors_say_what_they_say(error: Exception) -> None:
    assert in_words(error) == str(error)


def test_an_error_without_words_has_its_name() -> None:
    assert in_words(NoTextError()) == "NoTextError"
