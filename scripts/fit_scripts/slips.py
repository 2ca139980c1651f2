"""Samples rows as receipts have them: a label with a number or a date, amounts with the country's signs,
names of months, Latin words among others, single short words."""

from __future__ import annotations

import re
import string
from functools import cache
from typing import get_args

from receipt_engine.region import Role, load_language
from scripts.make_receipts.dice import Dice

#: Languages of each script, more frequent the more often they are listed.
_LANGUAGES = {
    "arabic": ("ar", "ar", "ar", "ur"),
    "bengali": ("bn",),
    "cyrillic": ("ru", "ru", "uk", "bg", "mk", "sr"),
    "devanagari": ("hi", "hi", "ne"),
    "hebrew": ("he",),
    "thai": ("th",),
}
#: First of the ten digits of the script, and the share of rows that have them.
_DIGITS = {"arabic": ("٠", 0.3), "bengali": ("০", 0.3), "devanagari": ("०", 0.25), "thai": ("๐", 0.05)}
_FURTHER_DIGITS = "۰"
#: Signs and words for money beyond those of `fit_heads`.
_MONEY = {
    "arabic": (
        "ر.س",
        "ريال",
        "جنيه",
        "ج.م",
        "د.إ",
        "درهم",
        "د.م",
        "د.ك",
        "د.ع",
        "SAR",
        "SR",
        "EGP",
        "LE",
        "AED",
    ),
    "bengali": ("৳", "টাকা", "Tk", "Tk.", "BDT", "/-"),
    "cyrillic": (
        "₽",
        "руб",
        "руб.",
        "р.",
        "₴",
        "грн",
        "грн.",
        "₸",
        "тг",
        "лв",
        "лв.",
        "ден",
        "дин",
        "KZT",
        "BGN",
    ),
    "devanagari": ("₹", "रु", "रु.", "रू", "रू.", "Rs", "Rs.", "NPR", "INR", "/-"),
    "hebrew": ("₪", 'ש"ח', "NIS", "שח"),
    "thai": ("฿", "บาท", "B", "THB", ".-"),
}
_ENGLISH = (
    *("TIN", "VAT", "VAT No", "TAX ID", "Tel", "TEL", "Phone", "Bill No", "Invoice", "Invoice No", "Receipt"),
    *("Date", "DATE", "Time", "TIME", "Cashier", "Qty", "QTY", "Table", "POS", "No", "Ref", "Order", "Total"),
    *("TOTAL", "Subtotal", "CASH", "Change", "VISA", "MASTERCARD", "PAN No", "GSTIN", "CGST", "SGST", "BIN"),
    *("Musak", "Item", "Price", "Amount", "Disc", "Net", "ID", "Terminal", "Batch", "Trace", "Auth", "Wi-Fi"),
)


def slip(script: str, dice: Dice) -> str:
    """One such row, in reading order."""
    code = dice.pick(_LANGUAGES[script])
    kind = dice.real(0, 1)
    if kind < 0.3:
        text = (
            _label(code, dice) + dice.pick((": ", ":", " : ", " ", ". ", " - ")) + _value(script, code, dice)
        )
    elif kind < 0.45:
        text = _day(code, dice)
        if dice.chance(0.4):
            text = _label(code, dice) + dice.pick((": ", ":", " ")) + text
    elif kind < 0.6:
        text = _money(script, dice)
        if dice.chance(0.4):
            text = _label(code, dice) + dice.pick((": ", " ", " = ")) + text
    elif kind < 0.7:
        words = [_label(code, dice), dice.pick(_ENGLISH), _word(code, dice)]
        text = dice.pick((" ", " ", "/", " / ", ", ", " (")).join(dice.several(words, dice.whole(2, 3)))
        text += ")" if "(" in text and ")" not in text else ""
    elif kind < 0.85:
        text = _word(code, dice)
    elif kind < 0.93:
        words = [_word(code, dice) for _ in range(dice.whole(2, 4))]
        text = dice.pick((", ", "، " if script == "arabic" else ", ", "-", ". ")).join(words)
    else:
        text = f"{dice.whole(1, 12)} {dice.pick(('x', 'X', '*'))} {_word(code, dice)} {_plain(dice)}"
    if script == "cyrillic" and dice.chance(0.35):
        text = text.upper()
    first, share = _DIGITS.get(script, ("0", 0.0))
    if dice.chance(share):
        first = _FURTHER_DIGITS if code == "ur" else first
        text = text.translate({ord(c): chr(ord(first) + at) for at, c in enumerate(string.digits)})
    return text


@cache
def _phrases(code: str) -> tuple[str, ...]:
    language = load_language(code)
    texts = (phrase.text for role in get_args(Role) for phrase in language.phrases(role))
    return tuple(re.sub("[\u064b-\u0652\u200b-\u200f*]", "", text) for text in texts)


@cache
def _words(code: str) -> tuple[str, ...]:
    """Single words of the phrases, months and days."""
    language = load_language(code)
    named = (*_phrases(code), *(name for names in language.months for name in names), *language.weekdays)
    return tuple(dict.fromkeys(word for text in named for word in text.split(" ") if word))


def _word(code: str, dice: Dice) -> str:
    word = dice.pick(_words(code))
    return word[:1].upper() + word[1:] if dice.chance(0.5) else word


def _label(code: str, dice: Dice) -> str:
    if dice.chance(0.2):
        return dice.pick(_ENGLISH)
    text = dice.pick(_phrases(code))
    return text[:1].upper() + text[1:] if dice.chance(0.6) else text


def _value(script: str, code: str, dice: Dice) -> str:
    kind = dice.real(0, 1)
    if kind < 0.3:
        return "".join(dice.pick(string.digits) for _ in range(dice.whole(1, 15)))
    if kind < 0.4:
        return dice.pick(string.ascii_uppercase) + str(dice.whole(1, 999_999))
    if kind < 0.55:
        return _day(code, dice)
    if kind < 0.65:
        return f"{dice.whole(0, 23):02}:{dice.whole(0, 59):02}" + dice.pick(
            ("", "", f":{dice.whole(0, 59):02}")
        )
    if kind < 0.75:
        groups = [str(dice.whole(10, 9999)) for _ in range(dice.whole(2, 4))]
        return dice.pick(("", "+", "0")) + dice.pick((" ", "-")).join(groups)
    if kind < 0.85:
        return _word(code, dice)
    return _money(script, dice)


def _day(code: str, dice: Dice) -> str:
    day, year = (
        dice.whole(1, 31),
        dice.pick((dice.whole(2015, 2029), dice.whole(2560, 2572), dice.whole(15, 29))),
    )
    months = load_language(code).months
    if months and dice.chance(0.6):
        name = dice.pick(dice.pick(months))
        name = name[:1].upper() + name[1:] if dice.chance(0.3) else name
        text = dice.pick((" ", " ", " ", "-", "/")).join((str(day), name, str(year)))
    else:
        text = dice.pick(("/", "/", "-", ".")).join((f"{day:02}", f"{dice.whole(1, 12):02}", str(year)))
    if dice.chance(0.25):
        text += f" {dice.whole(0, 23):02}:{dice.whole(0, 59):02}"
    days = load_language(code).weekdays
    return f"{dice.pick(days)}{dice.pick((' ', ', '))}{text}" if days and dice.chance(0.1) else text


def _plain(dice: Dice) -> str:
    amount = dice.real(0, dice.pick((10, 100, 5000, 200_000)))
    text = dice.pick((f"{amount:.2f}", f"{amount:,.2f}", f"{amount:.0f}", f"{amount:,.0f}"))
    return text.translate(str.maketrans(",.", ".,")) if dice.chance(0.2) else text


def _money(script: str, dice: Dice) -> str:
    sign, amount, gap = dice.pick(_MONEY[script]), _plain(dice), dice.pick(("", " ", " "))
    if script in ("arabic", "hebrew", "cyrillic") or sign in (".-", "/-", "টাকা", "บาท"):
        return amount + (sign if sign in (".-", "/-") else gap + sign)
    return sign + gap + amount if dice.chance(0.7) else amount + gap + sign
