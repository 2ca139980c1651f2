"""What the other receipts of a folder say about one.

A person's dates lie close together, and a shop is met again under its name.

Both move the chance that a value is wrong, as likelihood ratios: how much likelier a wrong value is seen like
that than a right one.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date

from rapidfuzz import fuzz

from receipt_engine.batch.row import Row
from receipt_engine.result import Result
from receipt_engine.vocabulary.normalise import alphanumerics

#: Days around a date in which others of the same folder speak for it.
_NEAR = 182
#: Share of misread dates that fall into such a stretch by chance (their years are any of the last decade's);
#: and receipts that this share weighs as much as.
_BY_CHANCE = 0.1
_WEIGHT = 5
#: Another receipt with this telephone or address has the same name: of 226 such names of labelled pictures
#: none was wrong, where one in fourteen is. Both ratios are fitted; with any data set left out they
#: are 0.15 to 0.22, and 2 to 5.4.
_MET_AGAIN = 0.2
#: It has another name only: 8 of 24 were wrong.
_CALLED_OTHERWISE = 4.5
#: Digits of a telephone number, of its end, and characters of an address, that tell a place.
_PHONE_DIGITS, _LEAST_DIGITS, _LEAST_ADDRESS = 8, 6, 12
#: Likeness in percent from which on two readings are of one name.
_SAME_NAME = 80


class Folder:
    """The receipts of a folder; duplicates, which say nothing new, are left out."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._days: list[int] = []
        #: A telephone number or address → name of each receipt that has it, by the receipt's number.
        self._names: dict[str, dict[int, str]] = defaultdict(dict)
        for number, row in enumerate(rows):
            if row.duplicate or row.found is None:
                continue
            if (day := _day(row.found)) is not None:
                self._days.append(day)
            if row.found.establishment:
                for place in _places(row.found):
                    self._names[place][number] = alphanumerics(row.found.establishment)
        self._days.sort()

    def chance(self, number: int, result: Result, field: str, chance: float) -> float:
        """The chance that a field of receipt `number` is wrong, known the others. chance: by itself."""
        if field == "establishment":
            return _moved(chance, self._about_name(number, result))
        day = _day(result)
        return _moved(chance, self._about_day(day)) if field == "date" and day is not None else chance

    def _about_day(self, day: int) -> float:
        """A misread year falls among the others by chance only. Never below 1: a crowd makes none surer."""
        near = bisect_right(self._days, day + _NEAR) - bisect_left(self._days, day - _NEAR) - 1
        expected = (near + _BY_CHANCE * _WEIGHT) / (len(self._days) - 1 + _WEIGHT)
        return max(1.0, _BY_CHANCE / expected)

    def _about_name(self, number: int, result: Result) -> float:
        """Rows of a head are misread or mistaken for the name now this way, now that; a name stays."""
        own = alphanumerics(result.establishment or "")
        places = (self._names.get(place, {}) for place in _places(result))
        others = {other: name for names in places for other, name in names.items() if other != number}
        if not own or not others:
            return 1.0
        again = any(fuzz.ratio(own, name) >= _SAME_NAME for name in others.values())
        return _MET_AGAIN if again else _CALLED_OTHERWISE


def _moved(chance: float, ratio: float) -> float:
    odds = chance / max(1 - chance, 1e-9) * ratio
    return odds / (1 + odds)


def _day(result: Result) -> int | None:
    """The day of the receipt, counted from the year 1."""
    return None if result.date_iso is None else date.fromisoformat(result.date_iso[:10]).toordinal()


def _places(result: Result) -> Iterator[str]:
    """What tells where a receipt is from."""
    digits = re.sub(r"\D", "", result.phone_number or "")[-_PHONE_DIGITS:]
    if len(digits) >= _LEAST_DIGITS:
        yield f"phone {digits}"
    address = alphanumerics(result.address or "")
    if len(address) >= _LEAST_ADDRESS:
        yield f"address {address}"
