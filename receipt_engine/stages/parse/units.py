"""Units printed after a number: weights, volumes, counts, and others that no money has."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from receipt_engine.region import Region, Role
from receipt_engine.stages.parse.characters import fold
from receipt_engine.stages.parse.region_words import printed

Kind = Literal["count", "weight", "volume", "other"]

#: Of the International System, of the imperial one, and those that tills of every country print.
_UNITS: dict[Kind, str] = {
    "weight": "kg kgs kgm kilo kilos g gr grs gm gms gram grams mg lb lbs oz 公斤 斤 克 キロ グラム",
    "volume": "l lt lts ltr ltrs liter litre liters litres litro litros lit ml cl dl gal gals gallon gallons "
    "gl gln リットル 公升 毫升",
    "count": "pc pcs pce pces pz pza pzas ea each un und unid unids unds ud uds uni u stk st szt unit units "
    "pk pkt pack packs ct btl doz dz コ ケ ヶ 個 個入 点 枚 本 冊 匹 杯 件 包 盒 瓶 袋 份 支 隻",
    "other": "m cm mm km kms mi mph rpm kwh kw w v mah gb mb min mins hr hrs h std sec kcal cal pts pt "
    "points pkt ml/100 °c °f ° 年 月 日 時 时 分 秒 号 番 階 名 名様 人 人様 様 回 倍 位 樓 楼 室 歳 "
    "ポイント",
}
#: Which roles of the language files name units.
_OWN_WORDS: dict[Role, Kind] = {"weight": "weight", "quantity": "count"}
#: Words between a count and a price, and headings: no units although they are printed with quantities.
NOT_UNITS = frozenset(["for", "per", "at", "of", "x"])
_FLUID: dict[str, Kind] = dict.fromkeys(("fl oz", "fl.oz", "fl. oz"), "volume")


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """pattern: a unit right after a number, group "unit". kinds: folded unit → kind. starts: the characters
    with which a unit begins, which saves most searches."""

    pattern: re.Pattern[str]
    kinds: dict[str, Kind]
    starts: frozenset[str]

    def after(self, text: str, end: int) -> tuple[str, Kind, int] | None:
        """The unit that follows text[:end], its kind, and where it ends."""
        first = text[end : end + 1]
        if first == " ":
            first = text[end + 1 : end + 2]
        if first not in self.starts:
            return None
        match = self.pattern.match(text, end)
        if match is None:
            return None
        return match.group("unit"), self.kinds[fold(match.group("unit")) or match.group("unit")], match.end()


@lru_cache(maxsize=64)
def units_of(region: Region) -> Units:
    """The units of one region: the common ones and its languages' words for weights and counts."""
    kinds: dict[str, Kind] = {}
    for role, own in _OWN_WORDS.items():
        for word in printed(region, role):
            letters = fold(word)
            if len(letters) > 1 and letters.isalpha() and letters not in NOT_UNITS | {"qty", "quantity"}:
                kinds[word.lower().rstrip(".")] = own
    for kind, words in _UNITS.items():
        kinds.update(dict.fromkeys(words.split(), kind))
    kinds.update(_FLUID)
    latin = sorted((re.escape(w) for w in kinds if not _east_asian(w)), key=len, reverse=True)
    other = sorted((_ended(w) for w in kinds if _east_asian(w)), key=len, reverse=True)
    pattern = rf" ?(?P<unit>(?i:{'|'.join(latin)})(?![^\W_]|[%°])|{'|'.join(other)})\.?"
    starts = frozenset(c for word in kinds for c in (word[0], word[0].upper()))
    return Units(re.compile(pattern), {fold(word) or word: kind for word, kind in kinds.items()}, starts)


def _ended(word: str) -> str:
    """The pattern of a unit; one in katakana is no unit where a longer word begins with it ("2コーヒー")."""
    katakana = "\u30a0" < word[-1] < "\u30ff"
    return re.escape(word) + ("(?![\u30a0-\u30ff])" if katakana else "")


def _east_asian(word: str) -> bool:
    return "\u3000" < word[0] < "\ua000"
