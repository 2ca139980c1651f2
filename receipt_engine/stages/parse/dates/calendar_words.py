"""Loads the words and signs of the calendar: month names, AM and PM marks, words between day, month and year,
and signs beside or in place of their numbers in any language ("2024年3月5日", "18h42", "3rd", "三月").

They come from CLDR (``regions/cldr/months.toml``, generated) and from the language files.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import rtoml

from receipt_engine import assets
from receipt_engine.errors import RegionDataError
from receipt_engine.region import (
    KEPT_REGIONS,
    Era,
    Region,
    Role,
    files_of_languages,
    language_codes,
    load_language,
)
from receipt_engine.vocabulary.confusions import CYRILLIC_AS_READ, GREEK_AS_READ, outline
from receipt_engine.vocabulary.labels import is_labelled
from receipt_engine.vocabulary.normalise import alphanumerics, ascii_forms, fold, fold_letters


@dataclass(frozen=True, slots=True)
class CalendarSigns:
    """The signs of all languages together.

    year, month, day: characters after the number, with the characters that they are misread as, for the
    brackets of a regular expression. hour, minute, second: likewise, without words; hour_words and
    minute_words: patterns. ordinals: an alternation of the endings of a day's number. digits, tens: character
    → its value. first_year: characters for the first year of an era. misread: sign → characters that it is
    misread as.
    """

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
    """A pattern of words; single letters become a character class, which matches fastest."""
    letters = "".join(word.lower() + word.upper() for word in words if len(word) == 1)
    longer = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True) if len(word) > 1)
    return rf"(?:[{letters}]{longer and f'|(?i:{longer})'})"


def _is_sign(text: str) -> bool:
    """Whether it is a single East Asian character, which is a word by itself."""
    return len(text) == 1 and text > "\u3000"


#: Costs of a month name of the region's languages, an English one, and one of any other language.
_OWN, _ENGLISH, _FOREIGN = 0.0, 0.1, 0.9
_PREFIX = 0.2  # "octo" for october: not a listed abbreviation, but a prefix of one month only
_LOOKALIKE = 0.5
_ONE_CONFUSION = 1.6
_HEAD = 3


@dataclass(frozen=True, slots=True, eq=False)
class MonthNames:
    """Looks up month names.

    exact: folded name → (month, cost). looks: the same, with letters that look alike merged. longest: length
    of the longest name. heads: first one to three letters of the names.
    """

    exact: dict[str, tuple[int, float]]
    looks: dict[str, tuple[int, float]]
    longest: int
    heads: frozenset[str]

    @lru_cache(maxsize=8192)  # noqa: B019  few instances; cleared with the caches of texts
    def month(self, word: str) -> tuple[int, float] | None:
        """The month (1 to 12) that a printed word names, and the cost of that reading; None without one."""
        key = alphanumerics(word)
        found = self.exact.get(key)
        if found is not None or not 3 <= len(key) <= self.longest:
            return found
        found = self.looks.get(outline(key))
        if found is None and not key.isascii():
            found = self.looks.get(outline(_as_latin(word)))
        return None if found is None else (found[0], found[1] + _LOOKALIKE)

    def begins(self, word: str) -> bool:
        """Whether a name may begin with this word and continue after a space: "Meán Fómhair", "DECEM BER"."""
        return alphanumerics(word)[:_HEAD] in self.heads

    @lru_cache(maxsize=2048)  # noqa: B019  as above
    def nearest(self, word: str) -> tuple[int, float] | None:
        """As `month`, but allows one wrong, missing or extra letter; for words between day and year."""
        found = self.month(word)
        key = alphanumerics(word)
        if found is not None or not 3 <= len(key) <= self.longest + 1:
            return found
        months = {
            month
            for name, (month, cost) in self.exact.items()
            if cost < _FOREIGN and _differs_by_one(key, name)
        }
        return (months.pop(), _ONE_CONFUSION + (len(key) == 3)) if len(months) == 1 else None


@dataclass(frozen=True, slots=True, eq=False)
class CalendarWords:
    """The words of one region.

    half_before, half_after: patterns of AM and PM marks before and after a time, with the groups am and pm.
    joiners: alternation of words between day, month and year ("de"). weekdays: folded names.
    """

    months: MonthNames
    half_before: re.Pattern[str]
    half_after: re.Pattern[str]
    joiners: str
    weekdays: frozenset[str]
    region: Region

    def is_labelled(self, line: str, position: int, *roles: Role) -> bool:
        """Whether a key phrase of one of the roles stands right before an offset."""
        return is_labelled(line, position, self.region, *roles)


@lru_cache(maxsize=KEPT_REGIONS)
def calendar_words(region: Region) -> CalendarWords:
    """The words of one region: those of its languages and of English, which is printed everywhere."""
    codes = tuple(dict.fromkeys((*map(_cldr_code, region.languages), "en")))
    languages = files_of_languages(region)
    tables = [_cldr()[code] for code in codes if code in _cldr()]
    am = [m for t in (*tables,) for m in t["am"]] + [m for la in languages for m in la.am]
    pm = [m for t in (*tables,) for m in t["pm"]] + [m for la in languages for m in la.pm]
    joiners = {word for table in tables for word in table["joiners"]}
    return CalendarWords(
        _month_names(region, codes),
        re.compile(rf"(?<![^\W\d_])(?:(?P<am>{_marks(am, 2)})|(?P<pm>{_marks(pm, 2)})) ?$"),
        re.compile(
            rf" ?(?:(?P<am>{_marks(am, 1)}|A[HN])|(?P<pm>{_marks(pm, 1)}|P[HN]|(?:p[enw]|[FR][HMN])(?= *$)))"
            r"(?:(?![^\W\d_])|(?<=[AP]M)(?=[A-Z][a-z]))"  # "10:22PMRegister 12"
        ),
        "|".join(sorted((re.escape(v) for w in joiners for v in _spellings(w)), key=len, reverse=True)),
        frozenset(alphanumerics(name) for language in languages for name in language.weekdays),
        region,
    )


def _month_names(region: Region, codes: tuple[str, ...]) -> MonthNames:
    exact: dict[str, tuple[int, float]] = {}
    misread: dict[str, tuple[int, float]] = {}
    prefixes: dict[str, set[int]] = {}
    own = tuple(code for code in codes if code != "en") or ("en",)
    for code in (*codes, *(code for code in _cldr() if code not in codes)):
        base = _OWN if code in own else _ENGLISH if code == "en" else _FOREIGN
        for month, name in _names(code, region):
            for spelling, cost in _forms(name):
                if base < _FOREIGN or len(spelling) > 4:
                    (misread if cost else exact).setdefault(spelling, (month, base + cost))
            if base < _FOREIGN:
                for end in range(3, len(alphanumerics(name))):
                    prefixes.setdefault(alphanumerics(name)[:end], set()).add(month)
    exact = misread | exact  # "MAR" is March, not "МАЯ"
    for prefix, months in prefixes.items():
        if len(months) == 1 and not prefix.isdigit():
            exact.setdefault(prefix, (min(months), _PREFIX))
    looks: dict[str, tuple[int, float]] = {}
    for name, entry in sorted(exact.items(), key=lambda item: item[1][1]):
        looks.setdefault(outline(name), entry)
    heads = frozenset(name[:length] for name in exact for length in range(1, _HEAD + 1))
    return MonthNames(exact, looks, max(map(len, exact)), heads)


def _names(code: str, region: Region) -> Iterable[tuple[int, str]]:
    """(month, name) pairs of a language: from CLDR, then from its language file if the region uses it."""
    for month, names in enumerate(_cldr().get(code, {"months": []})["months"], start=1):
        yield from ((month, name) for name in names)
    for language in files_of_languages(region):
        if _cldr_code(language.code) == code:
            for month, names in enumerate(language.months, start=1):
                yield from ((month, name) for name in names)


@cache
def _forms(name: str) -> tuple[tuple[str, float], ...]:
    """(folded spelling, cost) of a name: itself; without its marks; and what a Latin recogniser reads if it
    is Greek, or if its Cyrillic capitals all resemble Latin letters ("СЕН")."""
    key = alphanumerics(ascii_forms(name))
    as_latin = name.upper().translate(CYRILLIC_AS_READ)
    if as_latin != name.upper() and as_latin.isascii():
        return ((key, 0.0), (alphanumerics(as_latin), 0.3))
    bare = "".join(c for c in key if unicodedata.category(c) != "Mn")
    if bare != key:  # marks above and below the letters are lost in coarse print
        return ((key, 0.0), (bare, 0.3))
    if not any("\u0370" <= c < "\u0400" for c in key):
        return ((key, 0.0),)
    small = fold_letters(ascii_forms(name))
    misread = (small.translate(GREEK_AS_READ), small.upper().translate(GREEK_AS_READ))
    return ((key, 0.0), *((alphanumerics(form), 0.3) for form in misread))


def _as_latin(word: str) -> str:
    """The key of a name of which some letters were read as Greek or Cyrillic ones: "АВΓ"."""
    return alphanumerics(word.upper().translate(CYRILLIC_AS_READ).translate(GREEK_AS_READ))


def _differs_by_one(word: str, name: str) -> bool:
    """Whether two words differ by one misread letter or, in longer names, one lost or extra letter."""
    if len(word) == len(name):
        return sum(a != b for a, b in zip(word, name, strict=True)) == 1
    short, long = sorted((word, name), key=len)
    if len(long) - len(short) != 1 or len(long) < 5:
        return False
    return any(long[:i] + long[i + 1 :] == short for i in range(len(long)))


def _spellings(word: str) -> set[str]:
    """The word in lower case, with and without accents."""
    return {word.lower(), fold(word)}


def _marks(words: Iterable[str], shortest: int) -> str:
    """An alternation of AM or PM marks with at least `shortest` letters.

    Points and spaces are optional in marks of up to three letters.
    """
    forms: set[str] = set()
    for word in words:
        for spelling in _spellings(ascii_forms(word)):
            letters = [c for c in spelling if c not in ". "]
            if len(letters) < shortest:
                continue
            if len(letters) <= 3:
                forms.add(r"\.? ?".join(map(re.escape, letters)) + r"\.?")
            else:
                forms.add(re.escape(spelling))
    return "(?i:" + "|".join(sorted(forms, key=len, reverse=True)) + ")"


def _cldr_code(language: str) -> str:
    return language.lower().replace("_", "-").split("-")[0]


@cache
def _cldr() -> dict[str, Any]:
    """The generated table: language → months, am, pm, joiners."""
    path = assets.folder("regions") / "cldr" / "months.toml"
    try:
        return rtoml.loads(path.read_text(encoding="utf-8"))
    except (OSError, rtoml.TomlParsingError) as error:
        raise RegionDataError(f"{path}: {error}. Run python -m scripts.generate_months.") from error
