"""Formats amounts, quantities, dates and times as one till prints them."""

from __future__ import annotations

import datetime
import tomllib
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from receipt_engine import assets
from receipt_engine.errors import RegionDataError
from receipt_engine.region import Region, Separators, load_language
from scripts.make_receipts.dice import Dice


@dataclass(frozen=True, slots=True)
class Figures:
    """Number formats. minus: "before", "after" (12.00-). trim: omit the decimals of whole amounts.
    sign: currency sign or code; place: its position, "" for none."""

    separators: Separators
    group: str
    decimals: int
    minus: str = "before"
    trim: bool = False
    sign: str = ""
    place: str = ""

    def plain(self, value: Decimal, decimals: int | None = None) -> str:
        """A number without currency: 1,234.50 or 1.234,50- as the till prints it."""
        places = self.decimals if decimals is None else decimals
        if self.trim and decimals is None and value == value.to_integral_value():
            places = 0
        whole, _, fraction = f"{abs(value):.{places}f}".partition(".")
        text = self._grouped(whole) + (self.separators.decimal + fraction if fraction else "")
        return self._signed(value, text)

    def money(self, value: Decimal, *, sign: bool = True, decimals: int | None = None) -> str:
        """An amount with the currency sign where this till puts it."""
        text = self.plain(abs(value), decimals)
        if sign and self.sign:
            text = {
                "before": self.sign + text,
                "before_space": f"{self.sign} {text}",
                "after": f"{text}{self.sign}",
                "after_space": f"{text} {self.sign}",
            }.get(self.place, text)
        return self._signed(value, text)

    def loose(self, value: Decimal) -> str:
        """A quantity or rate without trailing zeros."""
        text = f"{value.normalize():f}"
        return text.replace(".", self.separators.decimal)

    def fixed(self, value: Decimal, decimals: int) -> str:
        """A measured quantity with that many decimals and no grouping."""
        return f"{value:.{decimals}f}".replace(".", self.separators.decimal)

    def _signed(self, value: Decimal, text: str) -> str:
        if value >= 0:
            return text
        return f"{text}-" if self.minus == "after" else f"-{text}"

    def _grouped(self, whole: str) -> str:
        if not self.group or len(whole) < 4:
            return whole
        head, tail = whole[:-3], whole[-3:]
        size = 2 if self.separators.indian else 3
        parts = []
        while head:
            parts.append(head[-size:])
            head = head[:-size]
        return self.group.join([*reversed(parts), tail])


def choose_figures(region: Region, habit_of_language: int | None, dice: Dice) -> Figures:
    """The number formats of one till of the region; `habit_of_language` is the index of a habit to use."""
    habits = region.numbers.habits
    habit = habits[0] if len(habits) == 1 or dice.chance(0.8) else dice.pick(habits[1:])
    if habit_of_language is not None and habit_of_language < len(habits):
        habit = habits[habit_of_language]
    decimals = region.currency.decimals
    # A group separator can be mistaken for a decimal one, so mostly the country's usual one is used.
    # "1 234.50" is printed only where a space is the country's first separator, or the comma the decimal one.
    groups = tuple(g for g in habit.groups if g != " " or habit.decimal == "," or habit.groups[0] == " ")
    group = groups[0] if groups and dice.chance(0.75) else dice.pick((*groups, ""))
    if decimals == 0 and group in ("", " ") and habit.groups:
        group = habit.groups[0]
    symbols = [symbol for symbol in region.currency.symbols if "-" not in symbol]
    sign = ""
    if symbols:
        sign = symbols[0] if dice.chance(0.7) else dice.pick(symbols[:3])
    wordy = sign.isalpha()
    place = dice.weighted(
        {"before": 1 if wordy else 4, "before_space": 3 if wordy else 1.5, "after": 0.5, "after_space": 1.5}
        if habit.decimal == ","
        else {"before": 2 if wordy else 5, "before_space": 3 if wordy else 1, "after_space": 0.1}
    )
    if place.startswith("after") and ("/" in sign or ("$" in sign and habit.groups[:1] == (".",))):
        place = "before"  # Latin America's pesos, reais, soles and balboas
    if sign in ("円", "元", "đồng", "kr"):
        place = "after" if sign in ("円", "元") else "after_space"
    return Figures(
        separators=habit,
        group=group,
        decimals=decimals,
        minus="after" if dice.chance(0.2) else "before",
        sign=sign,
        place=place,
    )


@dataclass(frozen=True, slots=True)
class Clock:
    """Date and time formats of one till; `form` is one of the cases in the methods below."""

    order: str
    form: str
    mark: str
    two_digits: bool
    time: str
    months: tuple[tuple[str, ...], ...]
    am: str
    pm: str
    upper: bool = True

    def date(self, moment: datetime.date) -> str:
        """The date as printed."""
        year = f"{moment.year % 100:02d}" if self.two_digits else f"{moment.year:04d}"
        if self.form == "iso":
            return f"{moment.year:04d}-{moment.month:02d}-{moment.day:02d}"
        if self.form == "kanji":
            return f"{moment.year}年{moment.month}月{moment.day}日"
        if self.form == "kanji_padded":
            return f"{moment.year}年{moment.month:02d}月{moment.day:02d}日"
        if self.form == "name":
            return self._named(moment, year)
        day, month = f"{moment.day:02d}", f"{moment.month:02d}"
        if self.form == "short":
            day, month = str(moment.day), str(moment.month)
        parts = {"dmy": (day, month, year), "mdy": (month, day, year), "ymd": (year, month, day)}
        return self.mark.join(parts[self.order])

    def clock(self, moment: datetime.datetime) -> str:
        """The time of day; "" for a till that prints none."""
        hour, minute, second = moment.hour, moment.minute, moment.second
        noon = self.pm if hour >= 12 else self.am
        hour12 = (hour + 11) % 12 + 1
        return {
            "": "",
            "24": f"{hour:02d}:{minute:02d}",
            "24s": f"{hour:02d}:{minute:02d}:{second:02d}",
            "24dot": f"{hour:02d}.{minute:02d}",
            "24h": f"{hour:02d}h{minute:02d}",
            "12": f"{hour12}:{minute:02d} {noon}",
            "12p": f"{hour12:02d}:{minute:02d} {noon}",
            "12s": f"{hour12:02d}:{minute:02d}:{second:02d} {noon}",
            "12j": f"{hour12}:{minute:02d}{noon}",
        }[self.time]

    def truth(self, moment: datetime.datetime) -> str:
        """The contract's `date` for the printed date and time."""
        if not self.time:
            return f"{moment:%Y-%m-%d} 00:00:00"
        second = moment.second if self.time.endswith("s") else 0
        return f"{moment:%Y-%m-%d %H:%M}:{second:02d}"

    def _named(self, moment: datetime.date, year: str) -> str:
        name = self.months[moment.month - 1][0 if len(self.mark) > 1 else -1]
        name = name.upper() if self.upper else name[:1].upper() + name[1:]
        mark = " " if len(self.mark) > 1 else self.mark
        if self.order == "mdy":
            return f"{name} {moment.day:02d}, {year}"
        if self.order == "ymd":
            return mark.join((year, name, f"{moment.day:02d}"))
        return mark.join((f"{moment.day:02d}", name, year))


def choose_clock(region: Region, language: str, dice: Dice) -> Clock:
    """The date and time formats of one till."""
    order: str = region.dates.order
    months = _months(language)
    form = dice.weighted({"numeric": 7, "short": 0.6, "iso": 0.5, "name": 1.6 if months else 0})
    if language in ("ja", "zh"):
        form = dice.weighted({"numeric": 3, "iso": 0.4, "kanji": 2, "kanji_padded": 2})
    marks = {"dmy": "/ / / - - .", "mdy": "/ / / / -", "ymd": "- - / /"}[order].split()
    if region.numbers.habits[0].decimal == "," and order == "dmy":
        marks += [".", "."]
    mark = dice.pick(marks)
    if form == "name":
        mark = dice.pick((" ", " ", "-", "  "))
    # "03-05-24" with the year first is too ambiguous: two-digit years only where the year comes last.
    two_digits = form in ("numeric", "short", "name") and order != "ymd" and dice.chance(0.3)
    am, pm = _noon(language)
    twelve = 1.0 if region.dates.hour12 and am else 0.0
    time = dice.weighted(
        {"24": 5, "24s": 3, "": 0.4, "24dot": 0.15, "24h": 1 if language == "fr" else 0}
        | {"12": 2 * twelve, "12p": 2 * twelve, "12s": 1 * twelve, "12j": 1 * twelve}
    )
    return Clock(order, form, mark, two_digits, time, months, am, pm, dice.chance(0.5))


@cache
def _months(code: str) -> tuple[tuple[str, ...], ...]:
    """Twelve pairs of full name and shortest abbreviation; empty when no data file has the language."""
    try:
        names = load_language(code).months
    except RegionDataError:
        names = ()
    if len(names) != 12:
        calendar = tomllib.loads((assets.folder("regions") / "cldr" / "months.toml").read_text("utf-8"))
        names = calendar.get(code, {}).get("months", ())
    return tuple((month[0], min(month, key=len)) for month in names) if len(names) == 12 else ()


def _noon(code: str) -> tuple[str, str]:
    return {"en": ("AM", "PM"), "ms": ("AM", "PM"), "es": ("a.m.", "p.m."), "to": ("AM", "PM")}.get(
        code, ("", "")
    )
