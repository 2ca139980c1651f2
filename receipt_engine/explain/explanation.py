"""A result with all intermediate values that led to it."""

from __future__ import annotations

from dataclasses import dataclass

from receipt_engine.document import Page, Reading
from receipt_engine.result import Result
from receipt_engine.trace import Trace


@dataclass(frozen=True, slots=True)
class Explanation:
    """A result with all intermediate values that led to it. page: the upright image; trace: see `Trace`."""

    page: Page
    reading: Reading
    result: Result
    trace: Trace

    def to_html(self) -> str:
        """One self-contained page: the image with rows boxed by zone, what to check, values and times."""
        from receipt_engine.explain.page import to_html

        return to_html((self,))
