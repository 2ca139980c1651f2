"""Finds, removes and repairs the legal form in a company's name, for any country.

The forms are data: ``regions/companies/legal_forms.toml``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache

import msgspec

from receipt_engine import assets
from receipt_engine.region import read_table

#: Minimum length of a text, in characters, that counts as a name with a form at its end.
_SHORTEST = 7
_WORD = re.compile(r"[^\W\d_]+")
#: A form that begins with a plain letter: no quantifier or alternative of a pattern applies to it.
_LETTER_FIRST = re.compile(r"[^\W\d_](?![?*+{|])[^|]*$")
_BRACKETS = re.compile(r"\([^)]*\)?")


class _Confusion(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """pattern: the misread form. text: its replacement, which may refer to groups. shown: repaired in
    the reported name (`with_form_repaired`), not when forms are searched."""

    pattern: str
    text: str
    shown: bool = False


class _Forms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """See the head of the data file."""

    countries: tuple[str, ...]
    end: tuple[str, ...] = ()
    start: tuple[str, ...] = ()
    quoted: tuple[str, ...] = ()
    inside: tuple[str, ...] = ()
    confusions: tuple[_Confusion, ...] = ()


class Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """text: a name. kind: the expected result of `legal_kind`."""

    text: str
    kind: str | None = None


class LegalForms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The data file. weighted_kinds: results of `legal_kind` that have weights of their own.
    known_by: kinds whose legal name is preferred even beside a trading name. fillers, bracketed: words
    between a name and its form, bare and in brackets."""

    forms: tuple[_Forms, ...]
    weighted_kinds: tuple[str, ...]
    known_by: tuple[str, ...]
    fillers: tuple[str, ...]
    bracketed: tuple[str, ...]
    sources: tuple[str, ...]
    example: tuple[Example, ...]
    not_example: tuple[Example, ...]


@dataclass(frozen=True, slots=True)
class _Patterns:
    at_end: re.Pattern[str]
    at_start: re.Pattern[str]
    inside: re.Pattern[str]
    alone: re.Pattern[str]
    filler: re.Pattern[str]
    confusions: tuple[tuple[re.Pattern[str], str], ...]
    shown: tuple[tuple[re.Pattern[str], str], ...]


@cache
def legal_forms() -> LegalForms:
    """Returns the data of all countries; raises RegionDataError for an invalid file."""
    return read_table(assets.folder("regions") / "companies" / "legal_forms.toml", LegalForms)


@lru_cache(maxsize=4096)
def has_legal_form(text: str) -> bool:
    """Whether a name has a legal form at its end or, where that is usual, at its start or inside."""
    ended = _at_end(text) is not None
    text = _without_confusions(text)
    patterns = _patterns()
    return (
        (ended and len(text) >= _SHORTEST)
        or patterns.at_start.search(text) is not None
        or patterns.inside.search(text) is not None
    )


@lru_cache(maxsize=4096)
def legal_kind(text: str) -> str | None:
    """Returns the last word of a legal form at the end of a name in lower case ("ltd"), "other" for a form
    elsewhere, None without a form.

    Countries differ in whether a shop is known by its legal name.
    """
    if not has_legal_form(text):
        return None
    found = _at_end(text)
    words = _WORD.findall(found["form"]) if found else []
    return words[-1].lower() if words else "other"


def prefers_legal_name(name: str) -> bool:
    """Whether a name of this legal form is reported as the merchant even beside a trading name."""
    return legal_kind(name) in legal_forms().known_by


@cache
def weighted_kinds() -> frozenset[str]:
    """Returns the kinds of legal forms that have their own weights as evidence for a name."""
    return frozenset(legal_forms().weighted_kinds)


@lru_cache(maxsize=4096)
def is_legal_form(text: str) -> bool:
    """Whether a text is nothing but a legal form and filler words."""
    bare = _patterns().filler.sub(" ", _without_confusions(text)).strip(" .,()-")
    return bool(text.strip()) and (not bare or _patterns().alone.match(bare) is not None)


@lru_cache(maxsize=4096)
def without_legal_form(text: str) -> str:
    """Returns a name without its legal form, filler words and text in brackets."""
    form, text = _at_end(text), _without_confusions(text)
    named = text if form is None else f"{text[: form.start()]} "
    return _BRACKETS.sub(" ", _patterns().filler.sub(" ", named)).strip(" .,-&")


def with_form_repaired(name: str) -> str:
    """Returns the name with the recogniser's confusions in its legal form repaired.

    >>> with_form_repaired("KEDAI TEMBAGA SBN BHD")
    'KEDAI TEMBAGA SDN BHD'
    """
    for confusion, form in _patterns().shown:
        if confusion.search(name) is not None:
            name = confusion.sub(form, name)
    return name


@lru_cache(maxsize=4096)
def _at_end(text: str) -> re.Match[str] | None:
    """Returns the legal form at the end of a name, after confusions are repaired."""
    return _patterns().at_end.search(_without_confusions(text))


@lru_cache(maxsize=4096)
def _without_confusions(text: str) -> str:
    for confusion, form in _patterns().confusions:
        text = confusion.sub(form, text)
    return text


@cache
def _patterns() -> _Patterns:
    data = legal_forms()
    end = _spaced(form for forms in data.forms for form in forms.end)
    start = "|".join(form for forms in data.forms for form in forms.start)
    quoted = "|".join(form for forms in data.forms for form in forms.quoted)
    confusions = [
        (re.compile(confusion.pattern, re.IGNORECASE), confusion.text, confusion.shown)
        for forms in data.forms
        for confusion in forms.confusions
    ]
    return _Patterns(
        at_end=re.compile(
            rf"(?:^|[\s,.(]|(?<=\d)(?=[^\W\d_a-z]))(?P<form>{end})\.?\)?[\s,.]*(?:\(?[A-Z]{{0,2}}\d[\w-]*\)?)?\s*$",
            re.IGNORECASE,
        ),
        at_start=re.compile(rf"^\W*(?:(?:{start})[\s\".:“„«]|(?:{quoted})\s?[\"“„«])", re.IGNORECASE),
        inside=re.compile("|".join(form for forms in data.forms for form in forms.inside)),
        alone=re.compile(rf"^\W*(?:{end})\W*$", re.IGNORECASE),
        filler=re.compile(
            rf"\((?:[A-Z]{{1,3}}|{'|'.join(data.bracketed)})\)|\b(?:{'|'.join(data.fillers)})\b\.?|&",
            re.IGNORECASE,
        ),
        confusions=tuple((pattern, text) for pattern, text, _ in confusions),
        shown=tuple((pattern, text) for pattern, text, shown in confusions if shown),
    )


def _spaced(forms: Iterable[str]) -> str:
    """Returns a pattern of alternatives in which a space matches up to two spaces or full stops; forms with
    the same first letter are grouped."""
    alike: dict[str, list[str]] = {}
    for form in (form.replace(" ", "[ .]{0,2}") for form in forms):
        letter = form[0] if _LETTER_FIRST.match(form) else ""
        alike.setdefault(letter, []).append(form[len(letter) :])
    return "|".join(f"{letter}(?:{'|'.join(rest)})" for letter, rest in alike.items())
