"""Dates with East Asian signs or an era: "令和6年3月5日", "R6.3.5", "2024年3月5日", "二零二三年十月一日"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from receipt_engine.document import DateLayout
from receipt_engine.region import Era, Region
from receipt_engine.stages.parse.dates.calendar_dates import Day, full_year, possible

_HAN_DIGITS = {
    c: i
    for i, group in enumerate(("〇零○Oo0", "一壹", "二贰貳", "三", "四", "五", "六", "七", "八", "九"))
    for c in group
}
_HAN = "〇零○一二三四五六七八九"
_YEAR_SIGN, _MONTH_SIGN = "[年牛午]", "月"
_HAN_DATE = re.compile(
    rf"(?P<y>[{_HAN}Oo0]{{4}}) ?{_YEAR_SIGN} ?(?P<m>[一二三四五六七八九十]{{1,2}}) ?{_MONTH_SIGN} ?"
    r"(?P<d>[一二三四五六七八九十廿卅]{1,3}) ?[日號号曰]?"
)
_SIGNED = re.compile(
    rf"(?<![0-9])(?P<y>[0-9]{{4}}|[0-9]{{2}}) ?{_YEAR_SIGN} ?(?P<m>[0-9]{{1,2}}) ?{_MONTH_SIGN} ?"
    r"(?P<d>[0-9]{1,2}) ?(?:[日號号曰目口]|(?![0-9]))"
)
#: The calendar of Taiwan.
_REPUBLIC = re.compile(
    r"民[國国] ?(?P<y>[0-9]{2,3}) ?年 ?(?P<m>[0-9]{1,2}) ?月 ?(?P<d>[0-9]{1,2}) ?[日號号]?"
)
_MISREAD_HAN = {"令": "[令今合]", "和": "[和知]", "平": "[平乎]"}
_ERA_DATE = r" ?(?P<y>[0-9]{1,2}|元) ?[年牛.\-/] ?(?P<m>[0-9]{1,2}) ?[月.\-/] ?(?P<d>[0-9]{1,2})(?![0-9])"


@lru_cache(maxsize=64)
def _era_pattern(eras: tuple[Era, ...]) -> tuple[re.Pattern[str], dict[str, int]] | None:
    if not eras:
        return None
    names = {name: era.start for era in eras for name in era.names}
    alternatives = "|".join(
        f"(?P<e{i}>" + "".join(_MISREAD_HAN.get(c, re.escape(c)) for c in name) + ")"
        for i, name in enumerate(names)
    )
    starts = {f"e{i}": start for i, start in enumerate(names.values())}
    return re.compile(rf"(?<![A-Za-z])(?:{alternatives}){_ERA_DATE}"), starts


def east_asian_days(line: str, region: Region) -> Iterator[Day]:
    """Every reading of every date with an era or with 年 and 月 in a plain, repaired line."""
    era = _era_pattern(region.dates.eras)
    if era is not None:
        pattern, starts = era
        for match in pattern.finditer(line):
            count = 1 if match["y"] == "元" else int(match["y"])
            first = next(start for group, start in starts.items() if match[group])
            yield from possible(
                match.start(),
                match.end(),
                first + count - 1,
                int(match["m"]),
                int(match["d"]),
                0.1,
                DateLayout.ERA,
            )
    if "月" not in line:
        return
    newest = max((e.start for e in region.dates.eras), default=None)
    for match in _SIGNED.finditer(line):
        y, m, d = match["y"], int(match["m"]), int(match["d"])
        yield from possible(
            match.start(), match.end(), full_year(y), m, d, 0.3 * (len(y) == 2), DateLayout.SIGNS
        )
        if len(y) == 2 and newest is not None:
            yield from possible(
                match.start(), match.end(), newest + int(y) - 1, m, d, 0.5, DateLayout.ERA_YEAR
            )
    for match in _REPUBLIC.finditer(line):
        year = 1911 + int(match["y"])
        yield from possible(
            match.start(), match.end(), year, int(match["m"]), int(match["d"]), 0.1, DateLayout.ERA
        )
    for match in _HAN_DATE.finditer(line):
        year = int("".join(str(_HAN_DIGITS[c]) for c in match["y"]))
        yield from possible(
            match.start(), match.end(), year, _han(match["m"]), _han(match["d"]), 0.1, DateLayout.SIGNS
        )


def _han(text: str) -> int:
    """A Chinese number up to 39: 十二, 二十, 廿一."""
    text = text.replace("廿", "二十").replace("卅", "三十")
    tens, ten, ones = text.rpartition("十")
    if not ten:
        return _HAN_DIGITS[text[-1]] if len(text) == 1 else 0
    return 10 * (_HAN_DIGITS[tens[-1]] if tens else 1) + (_HAN_DIGITS[ones] if len(ones) == 1 else 0)
