"""Tells a day that a street is named after, or a house number in the form of a day, from a date: "Calle 9 de
Julio 18", "Rue du 11 Novembre 1918", "H.No. 5-9-22"."""

from __future__ import annotations

import re

from receipt_engine.vocabulary.terms import term_at_end

#: A letter with a slash for a street, as in Spain: "C/ Mayor".
_CALLE = re.compile(r"(?:^|[\s.])[^\W\d_]/\s*$")
#: A short word, and a number: what stands between a street's word and a month.
_SHORT = re.compile(r"(?<![^\W_])[^\W\d_]{1,3}[.'’]?\s*$")
_NUMBER = re.compile(r"\d{1,2}[.ºª°]?\s*$")
#: Most of them: "Rue du 11 | Novembre".
_MOST = 3


def is_behind_street(text: str, at: int, *, numbers: bool = True) -> bool:
    """Whether a word that begins a street's name stands before a place in a text, with at most short words
    between, and numbers if so wanted.

    >>> is_behind_street("Rue du 11 Novembre 1918", 10), is_behind_street("Paid 11 Novembre 1918", 8)
    (True, False)
    >>> is_behind_street("87 Third Street Aug 15", 16), is_behind_street("Receipt 15 Aug 2024", 8)
    (False, False)
    """
    lead = text[:at].rstrip()
    for _ in range(_MOST + 1):
        street = term_at_end(lead, "street")
        if street is not None:
            return not lead[: street.start].rstrip()[-1:].isalpha()
        if _CALLE.search(lead) is not None:
            return True
        shorter = _SHORT.sub("", lead).rstrip()
        shorter = _NUMBER.sub("", shorter).rstrip() if numbers else shorter
        if shorter == lead:
            return False
        lead = shorter
    return False


def is_house_number(text: str, start: int, end: int) -> bool:
    """Whether a word for a house or a plot stands before a number in the form of a day, or only "#", with a
    comma behind the number, as Indian addresses begin.

    >>> is_house_number("H.No. 5-9-22, Mill Road", 6, 12), is_house_number("Date: 5-9-22, 9:14", 6, 12)
    (True, False)
    """
    lead = text[:start].rstrip(" .:")
    if lead == "#":
        return text[end : end + 1] == ","
    number = term_at_end(lead, "number")
    bare = lead[: number.start].rstrip(" .") if number is not None else lead
    return any(term_at_end(words, "house", "plot") is not None for words in (lead, bare))
