"""Rows of text as receipts of a script's languages have them: half from composed receipts, half thrown from
words, single letters and numbers, so that no letter and no order of letters is rare."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache

import wordfreq

from scripts.make_receipts import KINDS, compose_receipt
from scripts.make_receipts.dice import Dice
from scripts.make_receipts.style import capitals

GREEK = "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩαβγδεζηθικλμνξοπρστυφχψωςάέήίόύώϊϋΐΰΆΈΉΊΌΎΏΪΫ"
_TONES = "áàảãạăắằẳẵặâấầẩẫậéèẻẽẹêếềểễệíìỉĩịóòỏõọôốồổỗộơớờởỡợúùủũụưứừửữựýỳỷỹỵđ"


#: Russian, Ukrainian, Belarusian, Bulgarian, Serbian, Macedonian, Kazakh and Kyrgyz.
_CYRILLIC = "абвгдежзийклмнопрстуфхцчшщъыьэюяёіїєґўђјљњћџѓќѕәғқңөұүһ"


@dataclass(frozen=True)
class Language:
    """What is printed in a script.

    code: the language that fontconfig looks for. words: languages as wordfreq has them, the likelier the more
    often they stand here. regions: whose receipts are composed. letters: those that the head must know beyond
    ASCII. signs: further characters that it must know. before, currencies: how amounts may begin and end.
    decimals: of most amounts. points: what may part day, month and year.
    """

    code: str
    words: tuple[str, ...]
    regions: tuple[str, ...]
    letters: str
    currencies: tuple[str, ...]
    decimals: int
    signs: str = ""
    before: tuple[str, ...] = ("",)
    points: str = "/"


LANGUAGES = {
    "greek": Language("el", ("el",), ("gr",), GREEK, ("", "", "", "€", " €", " A", " Α", " Β", "*", "%"), 2),
    "vietnamese": Language(
        "vi", ("vi",), ("vn",), _TONES + _TONES.upper(), ("", "", "", "đ", "d", " VND", "₫"), 0
    ),
    "cyrillic": Language(
        "ru",
        ("ru", "ru", "ru", "ru", "uk", "uk", "bg", "sh", "mk", "kk", "be"),
        ("ru", "ru", "ua", "by", "kz", "kg", "bg", "us", "de", "pl", "hr"),
        _CYRILLIC + _CYRILLIC.upper(),
        (
            "",
            "",
            "",
            "",
            "",
            " ₽",
            " руб",
            " р.",
            " грн",
            "₴",
            " ₸",
            " тг",
            " лв",
            " РСД",
            " сом",
            " А",
            " Б",
            "*А",
        ),
        2,
        "№₽₴₸",
        ("", "", "", "=", "=", "*"),
        "...../-",
    ),
}
_WORDS, _ENGLISH = 40_000, 8_000
_COMMON = 3_000
_WIDTH = 46
#: Words of languages that wordfreq lacks are those of a neighbour, some letters replaced by their own.
_NEIGHBOURS = {
    "kk": ("ru", dict(zip("агиконухы", "әғіқөңұһү", strict=True))),
    "be": ("uk", dict(zip("ивї", "ыўё", strict=True))),
}
#: Serbian words are listed in Latin letters.
_TO_SERBIAN = (
    (("lj", "љ"), ("nj", "њ"), ("dž", "џ")),
    str.maketrans("abvgdđežzijklmnoprstćufhcčš", "абвгдђежзијклмнопрстћуфхцчш"),
)


def row(language: Language, dice: Dice) -> str:
    """One piece of text without wide blanks, as a text detector cuts it out."""
    if dice.chance(0.4):
        return dice.pick(_composed(dice.pick(language.regions), dice.whole(0, 99)))
    text = _phrase(language, dice)
    kind = dice.real(0, 1)
    if kind < 0.3:
        text = f"{text} {_number(language, dice)}"
    elif kind < 0.4:
        text = _number(language, dice)
    return text[:_WIDTH].strip() or "0"


@cache
def _composed(region: str, seed: int) -> tuple[str, ...]:
    composed = compose_receipt(region, kind=KINDS[seed % len(KINDS)], seed=10_000_000 + seed)
    pieces = [piece for row in composed.rows for piece in re.split(r" {2,}", row.text or row.logo)]
    return tuple(piece.strip() for piece in pieces if piece.strip())


@cache
def _words(code: str, count: int) -> tuple[str, ...]:
    words = [word for word in wordfreq.top_n_list(code, count) if not re.search(r"[\d_]", word)]
    # wordfreq folds the final sigma.
    return tuple(unicodedata.normalize("NFC", re.sub(r"σ\b", "ς", word)) for word in words if len(word) < 16)


def _word(language: Language, dice: Dice) -> str:
    kind = dice.real(0, 1)
    letters = language.letters
    if kind < 0.08:
        return dice.pick(_words("en", _ENGLISH))
    if kind < 0.18:
        return "".join(dice.pick(letters) for _ in range(dice.whole(1, 7)))
    if kind < 0.25:
        large = [c for c in letters if c.isupper()]
        return "".join(dice.pick(large) for _ in range(dice.whole(1, 4))) + dice.pick(("", ".", ":", "/"))
    code = dice.pick(language.words)
    source, letters_of_its_own = _NEIGHBOURS.get(code, (code, {}))
    words = _words(source, _WORDS)
    word = dice.pick(words[:_COMMON] if dice.chance(0.4) else words)
    if code == "sh":
        return _serbian(word)
    return "".join(letters_of_its_own[c] if c in letters_of_its_own and dice.chance(0.5) else c for c in word)


def _serbian(word: str) -> str:
    pairs, single = _TO_SERBIAN
    for latin, cyrillic in pairs:
        word = word.replace(latin, cyrillic)
    return word.translate(single)


def _phrase(language: Language, dice: Dice) -> str:
    words = [_word(language, dice) for _ in range(dice.whole(1, 5))]
    text = " ".join(words)
    kind = dice.real(0, 1)
    if kind < 0.4:
        text = capitals(text)
    elif kind < 0.5:
        text = text.upper()
    elif kind < 0.8:
        text = " ".join(word[:1].upper() + word[1:] for word in words)
    return text + dice.pick((":", ".", ",", "!", " -", ")", "*")) if dice.chance(0.2) else text


def _number(language: Language, dice: Dice) -> str:
    amount = dice.real(0, dice.pick((10, 100, 5000)))
    plain = f"{amount:.2f}" if language.decimals else f"{round(amount * 1000):,}"
    plain = plain.translate(str.maketrans(dice.pick((",.", ".,")), ",."))
    plain = dice.pick(language.before) + plain + dice.pick(language.currencies)
    point = dice.pick(language.points)
    return dice.weighted(
        {
            plain: 5,
            point.join(
                (f"{dice.whole(1, 31):02}", f"{dice.whole(1, 12):02}", f"{dice.whole(2015, 2029)}")
            ): 0.6,
            f"{dice.whole(0, 23):02}:{dice.whole(0, 59):02}": 0.5,
            str(dice.whole(0, 10 ** dice.whole(2, 12))): 1.5,
            f"{dice.whole(1, 9)} x {plain}": 1.5,
            f"{dice.whole(0, 30)}%": 0.8,
        }
    )
