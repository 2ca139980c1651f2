"""Adjusts the chance that a value is wrong by the other receipts of its folder.

The dates of one person's receipts lie close together, and a shop recurs under the same name.

Both enter as likelihood ratios: how much likelier such an observation is of a wrong value than of a right
one.
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

#: Days around a date within which others of the same folder support it.
_NEAR = 182
#: Share of misread dates that fall into such an interval by chance (their years are any of the last
#: decade's); and the number of receipts that this share weighs as much as.
_BY_CHANCE = 0.1
_WEIGHT = 5
#: Likelihood ratio when another receipt with this telephone or address has the same name: of 226 such names
#: in labelled images none was wrong, compared with one in fourteen of all. Both ratios are fitted; with any
#: one data set left out they are 0.15 to 0.22, and 2 to 5.4.
_MET_AGAIN = 0.2
#: Likelihood ratio when such receipts have other names only: 8 of 24 were wrong.
_CALLED_OTHERWISE = 4.5
#: Last digits of a telephone number that are compared, and fewest digits of a number, and characters of an
#: address, that identify a place.
_PHONE_DIGITS, _LEAST_DIGITS, _LEAST_ADDRESS = 8, 6, 12
#: Similarity in percent from which two readings are of one name.
_SAME_NAME = 80


class Folder:
    """The receipts of a folder, without duplicates, which add no information."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._days: list[int] = []
        #: Telephone number or address → name of each receipt that has it, by the receipt's index.
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
        """The chance that a field of receipt `number` is wrong, given the others. chance: without them."""
        if field == "establishment":
            return _moved(chance, self._about_name(number, result))
        day = _day(result)
        return _moved(chance, self._about_day(day)) if field == "date" and day is not None else chance

    def _about_day(self, day: int) -> float:
        """Likelihood ratio of a date: a misread year falls near the others only by chance. Never below 1:
        many near dates do not raise confidence."""
        near = bisect_right(self._days, day + _NEAR) - bisect_left(self._days, day - _NEAR) - 1
        expected = (near + _BY_CHANCE * _WEIGHT) / (len(self._days) - 1 + _WEIGHT)
        return max(1.0, _BY_CHANCE / expected)

    def _about_name(self, number: int, result: Result) -> float:
        """Likelihood ratio of a name: wrong names vary between receipts, the right one recurs."""
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
    """The receipt's day as a number, counted from the year 1."""
    return None if result.date_iso is None else date.fromisoformat(result.date_iso[:10]).toordinal()


def _places(result: Result) -> Iterator[str]:
    """Keys that identify the place that a receipt is from."""
    digits = re.sub(r"\D", "", result.phone_number or "")[-_PHONE_DIGITS:]
    if len(digits) >= _LEAST_DIGITS:
        yield f"phone {digits}"
    address = alphanumerics(result.address or "")
    if len(address) >= _LEAST_ADDRESS:
        yield f"address {address}"
