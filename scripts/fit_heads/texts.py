"""Samples rows of text like those on receipts of a script's languages: partly from composed receipts, partly
from random words, single letters and numbers, so that no letter and no letter order is rare."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import get_args

import wordfreq

from receipt_engine.region import Role, load_language
from scripts.fit_heads.languages import Language
from scripts.make_receipts import KINDS, compose_receipt
from scripts.make_receipts.dice import Dice
from scripts.make_receipts.style import capitals

_WORDS, _ENGLISH = 40_000, 8_000
_COMMON = 3_000
_WIDTH = 46
#: Languages missing from wordfreq use a neighbour's words, with some letters replaced by their own.
_NEIGHBOURS = {
    "kk": ("ru", dict(zip("агиконухы", "әғіқөңұһү", strict=True))),
    "be": ("uk", dict(zip("ивї", "ыўё", strict=True))),
}
#: For Serbian words, which are listed in Latin letters.
_TO_SERBIAN = (
    (("lj", "љ"), ("nj", "њ"), ("dž", "џ")),
    str.maketrans("abvgdđežzijklmnoprstćufhcčš", "абвгдђежзијклмнопрстћуфхцчш"),
)


def row(language: Language, dice: Dice) -> str:
    """One piece of text without wide gaps, as a text detector crops it."""
    if dice.chance(0.25 if language.till else 0.4):
        return dice.pick(_composed(dice.pick(language.regions), dice.whole(0, 99)))[:_WIDTH].strip() or "0"
    text = dice.pick(_till(language.till)) if language.till and dice.chance(0.3) else _phrase(language, dice)
    kind = dice.real(0, 1)
    if kind < 0.3:
        text = f"{text} {_number(language, dice)}"
    elif kind < 0.4:
        text = _number(language, dice)
    return text[:_WIDTH].strip() or "0"


def as_set(text: str, language: Language, dice: Dice) -> str:
    """The text as tills set scripts whose letters stand in two columns: with spaces between words dropped,
    words spread over the line, brackets and marks, and sometimes an extra word of random letters."""
    if dice.chance(0.12):
        word = "".join(dice.pick(language.pieces) for _ in range(dice.whole(1, 6)))
        text = word if len(text) > _WIDTH / 2 else dice.pick((f"{text} {word}", f"{word} {text}"))
    kind = dice.real(0, 1)
    if kind < 0.3:
        between = f"(?<={language.own}) (?={language.own})"
        text = re.sub(between, lambda _: "" if dice.chance(0.75) else " ", text)
    elif kind < 0.36:
        text = re.sub(f"(?<={language.own})(?={language.own})", " ", text)
    return dice.weighted({form.format(text): share for form, share in _FORMS.items()})[:_WIDTH].strip()


#: Decoration of the texts of rows → weight.
_FORMS = {"{}": 0.84, "[{}]": 0.04, "({})": 0.04, "* {}": 0.02, "*{}": 0.02, "{} :": 0.02, "{}:": 0.02}


@cache
def _composed(region: str, seed: int) -> tuple[str, ...]:
    composed = compose_receipt(region, kind=KINDS[seed % len(KINDS)], seed=10_000_000 + seed)
    pieces = [piece for row in composed.rows for piece in re.split(r" {2,}", row.text or row.logo)]
    return tuple(piece.strip() for piece in pieces if piece.strip())


@cache
def _till(codes: tuple[str, ...]) -> tuple[str, ...]:
    """Phrases printed by tills, from the language data."""
    words = [p.text for code in codes for role in get_args(Role) for p in load_language(code).phrases(role)]
    return tuple(_clean(word) for word in words)


def _clean(text: str) -> str:
    """The text without marks that are not printed: Arabic vowels, zero-width joiners."""
    return re.sub("[\u064b-\u0652\u200b-\u200f]", "", text)


@cache
def _thai_words(count: int) -> list[str]:
    """Words of Thai textbooks, the most frequent first."""
    from pythainlp.corpus import ttc

    return [word for word, _ in ttc.word_freqs() if re.fullmatch("[\u0e01-\u0e4e]+", word)][:count]


@cache
def _words(code: str, count: int) -> tuple[str, ...]:
    listed = _thai_words(count) if code == "th" else map(_clean, wordfreq.top_n_list(code, count))
    words = [word for word in listed if not re.search(r"[\d_]", word)]
    # wordfreq folds the final sigma.
    return tuple(unicodedata.normalize("NFC", re.sub(r"σ\b", "ς", word)) for word in words if len(word) < 16)


def _word(language: Language, dice: Dice) -> str:
    kind = dice.real(0, 1)
    letters = language.letters
    if kind < 0.08:
        return dice.pick(_words("en", _ENGLISH))
    if kind < 0.18:
        return "".join(dice.pick(language.pieces or letters) for _ in range(dice.whole(1, 7)))
    if kind < 0.25 and not language.pieces:
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
