"""Repairs digits of dates and times that were misread as letters: "O6/1O/2O24", "l4:22"."""

from __future__ import annotations

import re

from receipt_engine.stages.parse.dates.calendar_words import calendar_signs
from receipt_engine.vocabulary.confusions import DIGIT_FOR, MAYBE_CONFUSED

#: Letters that may be misread digits; no brackets, which separate dates from the following text.
_LETTERS = "".join(letter for letter in DIGIT_FOR if letter not in "[]")
_RUN = re.compile(
    rf"(?<![A-Za-zÀ-ɏ])[0-9{_LETTERS}]++(?![A-Za-zÀ-ɏ])"
    r"|(?<![A-Za-zÀ-ɏ])[0-9OolI|S]++(?=[AaPp]\.?[Mm]|[hH])"
)
#: A dash or stroke between digits, misread: a faded stroke leaves its two ends.
_MISREAD_SEPARATOR = re.compile(r"(?<=[0-9])(?:[~>]|[,.]')(?=[0-9])")
_SEPARATOR_FOR = {"~": "-", ">": "/", ",'": " /", ".'": " /"}
#: An apostrophe between a month's day and the year, misread: "Dec27°16", "Apr4`18".
_MISREAD_APOSTROPHE = re.compile(
    r"(?:(?<=[A-Za-z]{3}[0-9])|(?<=[A-Za-z]{3}[0-9]{2}))[°`´*\"^](?=[0-9]{2}(?![0-9]))"
)
#: A vertical stroke between a date and the hour of a time.
_RULED = re.compile(r"[0-9]{1,4}\|[0-2]?[0-9]")
_HOUR_ENDS = re.compile(r"[:.h][0-5][0-9]")
#: The mark of UTC after seconds or their fraction: "18:42:10Z", "18:42:10.123Z".
_UNIVERSAL = re.compile(r"(?:(?<=:)[0-5][0-9]|(?<=:[0-5][0-9]\.)[0-9]{1,6})Z")
_LETTER = re.compile(f"[{_LETTERS}]")
#: A letter without any digit beside it is a digit only when it looks like 0 or 1: "S/" is a currency.
_SURE = frozenset(("O", "o", "l", "I", "|"))
_SEPARATORS = "/.-: "
#: A misread first or second digit of a year: no receipt is of another century. Buddhist years begin with 25.
OTHER_CENTURY = re.compile(
    r"(?<=[0-9][/.\-])(?:[3-9]0|2[46-9])(?=[0-3][0-9](?![0-9/.:;\-]))"
    r"|(?<![0-9/.\-])(?:[3-9]0|2[46-9])(?=[0-3][0-9](?P<mark>[/.\-])[01][0-9](?P=mark)[0-3][0-9](?![0-9]))"
)


def repair_date_digits(line: str) -> str:
    """The plain line, of the same length, with letters inside numbers replaced by the digits they look like.

    Letters without digits change only beside a date's separators. Between digits a tilde becomes a dash, and
    ">" or the ends of a stroke become a stroke. A stroke before a complete number is a table border and
    becomes a space. Another century becomes this one.
    """
    line = _MISREAD_SEPARATOR.sub(lambda found: _SEPARATOR_FOR[found[0]], line)
    line = _MISREAD_APOSTROPHE.sub("'", line)
    line = _RUN.sub(_repaired, line) if MAYBE_CONFUSED.search(line) else line
    return OTHER_CENTURY.sub("20", line)


def _repaired(match: re.Match[str]) -> str:
    run = match.group()
    if run.isdigit():
        return run
    line = match.string
    if _UNIVERSAL.fullmatch(line, match.start(), match.end()):
        return run
    if _RULED.fullmatch(run) and _HOUR_ENDS.match(line, match.end()):
        return run.replace("|", " ")
    if not any(c.isdigit() for c in run):
        signs = calendar_signs()
        between = _SEPARATORS + signs.year + signs.month + signs.day
        around = line[match.start() - 1 : match.start()] + line[match.end() : match.end() + 1]
        if (
            len(run) > 2
            or not _SURE.issuperset(run)
            or not around.strip()
            or not all(c in between for c in around)
        ):
            return run
    if len(run) in (3, 5) and run[0] in "|!lI" and run[1:].isdigit():
        return " " + run[1:]
    return _LETTER.sub(lambda letter: DIGIT_FOR[letter.group()], run)
