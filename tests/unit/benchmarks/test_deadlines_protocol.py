"""Measuring how late an extraction ends."""

from __future__ import annotations

import random
import time
from typing import Any

from benchmarks.protocols.deadlines import lateness
from receipt_engine.errors import CancelledError, DeadlineError


def test_each_end_is_timed_in_turns_by_deadline_and_cancellation() -> None:
    asked: list[str] = []

    def extract(picture: str, **how: Any) -> None:
        asked.append(next(iter(how), "whole"))
        time.sleep(0.001)
        if "deadline" in how:
            raise DeadlineError("late")
        if "cancel" in how and asked.count("cancel") == 1:
            raise CancelledError("cancelled")

    late = list(lateness(extract, "a.png", 4, random.Random(1)))
    assert asked == ["whole", "deadline", "cancel", "deadline", "cancel"]
    assert len(late) == 3  # the last one was read before its end
