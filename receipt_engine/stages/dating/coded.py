"""The date that the fiscal codes of the page tell."""

from __future__ import annotations

from collections.abc import Sequence

from receipt_engine.document import DateChoice, FiscalCode, Record

#: How sure a date is that a code and the print both tell, and one that only a code tells.
_AGREED, _ALONE = 0.995, 0.97
#: What is left of a printed date's confidence when a code tells another day.
_CONTRADICTED = 0.5


class CodedDate(Record, frozen=True):
    """A day, and the time when the code has one. date: ``YYYY-MM-DD``; time: ``hh:mm:ss``."""

    date: str
    time: str | None

    @property
    def choice(self) -> DateChoice:
        """It alone, when no date is legible in print."""
        return DateChoice(
            date=self.date,
            time=self.time,
            confidence=_ALONE,
            lines=(),
            rule="fiscal code",
        )

    def confidence(self, printed: str, alone: float) -> float:
        """That a printed date is right. alone: without the code."""
        return max(alone, _AGREED) if printed == self.date else alone * _CONTRADICTED

    def time_of(self, date: str) -> str | None:
        """The code's time where the print has none and the day is the same."""
        return self.time if date == self.date else None


def coded_date(codes: Sequence[FiscalCode]) -> CodedDate | None:
    """The one day that the codes tell; None when they tell none or several."""
    told = [CodedDate(code.date, code.time) for code in codes if code.date is not None and not code.asks]
    return told[0] if told and len({code.date for code in told}) == 1 else None
