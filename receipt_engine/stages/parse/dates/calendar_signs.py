"""Signs around the numbers of dates and times in any language: "2024年3月5日", "18h42", "3rd", "三月"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from receipt_engine.region import Era, language_codes, load_language


@dataclass(frozen=True, slots=True)
class CalendarSigns:
    """Of all languages together. year, month, day: characters behind the number, with what they are misread
    as, for the brackets of a pattern. hour, minute, second: likewise, without words; hour_words and
    minute_words: patterns. ordinals: an alternation of endings of a day's number. digits, tens: character
    → its value. misread: sign → characters that it is read as."""

    year: str
    month: str
    day: str
    hour: str
    minute: str
    second: str
    hour_words: str
    minute_words: str
    ordinals: str
    digits: dict[str, int]
    tens: dict[str, int]
    first_year: str
    eras: tuple[Era, ...]
    misread: dict[str, str]


@cache
def calendar_signs() -> CalendarSigns:
    """The signs of every language file."""
    calendars = [load_language(code).calendar for code in language_codes()]
    misread = {sign: read for calendar in calendars for sign, read in calendar.misread.items()}

    def listed(name: str) -> list[str]:
        return list(dict.fromkeys(sign for calendar in calendars for sign in getattr(calendar, name)))

    def characters(name: str) -> str:
        signs = [sign for sign in listed(name) if _is_sign(sign)]
        return "".join(sign + misread.get(sign, "") for sign in signs)

    return CalendarSigns(
        year=characters("year"),
        month=characters("month"),
        day=characters("day"),
        hour=characters("hour"),
        minute=characters("minute"),
        second=characters("second"),
        hour_words=_in_any_case([word for word in listed("hour") if not _is_sign(word)]),
        minute_words=_in_any_case([word for word in listed("minute") if not _is_sign(word)]),
        ordinals="|".join(map(re.escape, sorted(listed("ordinals"), key=len, reverse=True))),
        digits={c: i for calendar in calendars for i, group in enumerate(calendar.digits) for c in group},
        tens={c: count for calendar in calendars for c, count in calendar.tens.items()},
        first_year="".join(listed("first_year")),
        eras=tuple(era for calendar in calendars for era in calendar.eras),
        misread=misread,
    )


def _in_any_case(words: list[str]) -> str:
    """A pattern of words; letters alone are a class of characters, which is found fastest."""
    letters = "".join(word.lower() + word.upper() for word in words if len(word) == 1)
    longer = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True) if len(word) > 1)
    return rf"(?:[{letters}]{longer and f'|(?i:{longer})'})"


def _is_sign(text: str) -> bool:
    """Whether one character stands for itself, as no letter of an alphabet does."""
    return len(text) == 1 and text > "\u3000"
