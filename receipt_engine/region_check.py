"""Checks region and language files as the project's own tests do: each problem is a sentence that names the
file and what to do."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import get_args

import phonenumbers

from receipt_engine.errors import RegionDataError
from receipt_engine.region import (
    Example,
    Language,
    Region,
    Role,
    Words,
    load_language,
    load_region,
    read_table,
    region_codes,
)
from receipt_engine.stages.parse import ACCEPTED, find_amounts, find_dates
from receipt_engine.vocabulary.normalise import squeeze
from receipt_engine.vocabulary.phrases import best_role
from receipt_engine.vocabulary.terms import has_term

#: Larger than any amount.
_MOST = 10**15


def check_folder(folder: Path) -> list[str]:
    """The problems in your own folder of region files, which must be in use (see
    `receipt_engine.own_regions`); empty when the files can be relied on."""
    regions = sorted(path.stem for path in folder.glob("*.toml"))
    languages = sorted(path.stem for path in (folder / "languages").glob("*.toml"))
    if not regions and not languages:
        return [f"{folder}: there is no region file (xx.toml) and no languages/xx.toml in it."]
    found = [problem for code in languages for problem in language_problems(code)]
    return found + [problem for code in regions for problem in region_problems(code)]


def unreadable(folder: Path) -> list[str]:
    """The files of a folder that are not valid region or language files, each with the reason."""
    found = []
    for pattern, kind in (("languages/*.toml", Language), ("*.toml", Region)):
        for path in sorted(folder.glob(pattern)):
            try:
                read_table(path, kind)
            except RegionDataError as error:
                found.append(str(error))
    return found


def region_problems(code: str) -> list[str]:
    """The problems in a region's file."""
    try:
        region = load_region(code)
    except RegionDataError as error:
        return [str(error)]
    checks = (_facts, _patterns, _numbers, _address, _phone)
    found = [problem for check in checks for problem in check(region)]
    found += _words(region.words)
    found += [p for e in region.example for p in example_problems(e, region)]
    found += [p for e in region.not_example for p in not_example_problems(e, region)]
    return [f"{code}.toml: {problem}" for problem in found]


def language_problems(code: str) -> list[str]:
    """The problems in a language's file."""
    try:
        language = load_language(code)
    except RegionDataError as error:
        return [str(error)]
    found: list[str] = []
    if language.code != code:
        found.append(f"code is {language.code!r}; the file's name says {code!r}.")
    if len(language.months) != 12 or not all(language.months):
        found.append("months needs twelve lists, each with a name.")
    missing = sorted(set(get_args(Role)) - set(language.words))
    if missing:
        found.append(f"[words] lacks {', '.join(missing)}: every role needs words.")
    found += _words(language.words)
    region = _region_of(code)
    if region is None:
        found.append(f"no region uses it: add {code!r} to the languages of a region.")
    else:
        found += [p for e in language.example for p in example_problems(e, region)]
        found += [p for e in language.not_example for p in not_example_problems(e, region)]
    return [f"languages/{code}.toml: {problem}" for problem in found]


def _region_of(language: str) -> Region | None:
    """The first region whose main language it is, else the first that prints it at all."""
    regions = [load_region(code) for code in region_codes()]
    first = next((r for r in regions if r.languages[:1] == (language,)), None)
    return first or next((r for r in regions if language in r.languages), None)


def _facts(region: Region) -> Iterator[str]:
    if not region.sources:
        yield "sources is empty: name the law, authority or standard that the rules come from."
    if not re.fullmatch("[A-Z]{3}", region.currency.code):
        yield f"[currency] code is {region.currency.code!r}; use three capitals (ISO 4217)."
    if not region.currency.symbols:
        yield "[currency] symbols is empty: list what is printed next to amounts."
    if not 0 <= region.currency.decimals <= 3:
        yield f"[currency] decimals is {region.currency.decimals}; use 0 to 3."
    if not region.example or not region.not_example:
        yield "[[example]] and [[not_example]] lines are both needed: add the missing ones."


def _patterns(region: Region) -> Iterator[str]:
    if (region.address.postcode == "") != (region.address.postcode_place == "none"):
        yield '[address] postcode must be "" exactly when postcode_place is "none".'
    named = [("[address] postcode", region.address.postcode)]
    named += [(f"[[identifiers]] {identifier.name}", identifier.pattern) for identifier in region.identifiers]
    for name, pattern in named:
        try:
            groups = re.compile(pattern).groups
        except re.error as error:
            yield f"{name} has {pattern!r}, which is not a valid regular expression: {error}."
            continue
        if groups and name.startswith("[[identifiers]]"):
            yield f"{name}: the whole match is the number, so write groups as (?:...)."
    for identifier in region.identifiers:
        if not identifier.words:
            yield f"[[identifiers]] {identifier.name}: words is empty: list what is printed before it."
        if identifier.stdnum and not _has_check_digits(identifier.stdnum):
            yield f"[[identifiers]] {identifier.name}: python-stdnum has no module {identifier.stdnum!r}."


def _has_check_digits(module: str) -> bool:
    try:
        return callable(importlib.import_module(f"stdnum.{module}").is_valid)
    except (ImportError, AttributeError):
        return False


def _numbers(region: Region) -> Iterator[str]:
    for habit in region.numbers.habits:
        if habit.decimal in habit.groups:
            yield f"[numbers] a habit has {habit.decimal!r} both as the decimal mark and between groups."
    for rate in region.tax.rates:
        if not _is_number(rate.rate, 0, 100):
            yield f"[tax] rate is {rate.rate!r}; use a percentage from 0 to below 100, as text."
        if rate.since and rate.until and rate.since > rate.until:
            yield f"[tax] rate {rate.rate} ends before it begins."
    for rounding in region.rounding:
        if not _is_number(rounding.step, Decimal("0.0001"), 1000):
            yield f'[[rounding]] step is {rounding.step!r}; use an amount, as text: "0.05".'
        if not rounding.law:
            yield f"[[rounding]] step {rounding.step}: name the law."


def _is_number(text: str, least: Decimal | int, below: int) -> bool:
    try:
        return least <= Decimal(text) < below
    except InvalidOperation:
        return False


def _address(region: Region) -> Iterator[str]:
    address = region.address
    if not address.names:
        yield "[address] names is empty: list how the country is printed."
    if not {"street", "number"} <= set(address.order) or len(set(address.order)) != len(address.order):
        yield "[address] order must have street and number, and no part twice."
    elif (address.order.index("number") < address.order.index("street")) == (
        address.street_number == "after"
    ):
        yield f'[address] street_number is "{address.street_number}", but order says otherwise.'
    if len(address.cities) + len(address.districts) < 25:
        yield (
            "[address] cities and districts have fewer than 25 entries: "
            "add more, since addresses are recognised by them."
        )


def _phone(region: Region) -> Iterator[str]:
    code = phonenumbers.country_code_for_region(region.phone.region)
    if str(code) != region.phone.calling_code:
        yield f"[phone] {region.phone.region!r} has the calling code {code}, not {region.phone.calling_code}."


def _words(words: dict[Role, tuple[str | Words, ...]]) -> list[str]:
    """Phrases that cannot be matched, or not as intended."""
    found = []
    for role, listed in words.items():
        seen: dict[str, str] = {}
        for phrase in listed:
            text, weight = (phrase.text, phrase.weight) if isinstance(phrase, Words) else (phrase, 1.0)
            key = squeeze(text)
            if not key:
                found.append(f"[words] {role}: {text!r} has no letters.")
            elif key in seen:
                found.append(
                    f"[words] {role}: {text!r} and {seen[key]!r} are the same entry; list only one of them."
                )
            if not 0 < weight <= 1:
                found.append(
                    f"[words] {role}: the weight of {text!r} is {weight}; use more than 0 and at most 1."
                )
            seen[key] = text
    return found


def example_problems(example: Example, region: Region) -> list[str]:
    """Where the values found in a line differ from the expected ones."""
    return _told_nothing("[[example]]", example) or [
        f"[[example]] {example.text!r}: {name} should be {wanted}, but came out as {found}."
        for name, wanted, found in _outcomes(example, region)
        if found != wanted
    ]


def not_example_problems(example: Example, region: Region) -> list[str]:
    """Where the values found in a line are those that should not be found."""
    return _told_nothing("[[not_example]]", example) or [
        f"[[not_example]] {example.text!r}: {name} should not be {wanted}, but is."
        for name, wanted, found in _outcomes(example, region)
        if found == wanted
    ]


def _told_nothing(kind: str, example: Example) -> list[str]:
    if not (example.role or example.term or example.amount or example.date):
        return [f"{kind} {example.text!r} states nothing: give its role, term, amount or date."]
    if example.amount and not _is_number(example.amount, -_MOST, _MOST):
        return [f'{kind} {example.text!r}: amount is {example.amount!r}; write it as "1234.50".']
    return []


def _outcomes(example: Example, region: Region) -> list[tuple[str, object, object]]:
    """(name, value in the example, value found) of everything that an example states."""
    text, term = example.text, example.term
    compared: list[tuple[str, object, object]] = []
    if example.role:
        compared.append(("role", example.role, _role(text, region)))
    if term:
        compared.append(("term", term, term if has_term(text, term) else None))
    if example.amount:
        compared.append(("amount", Decimal(example.amount), _amount(text, region)))
    if example.date:
        compared.append(("date", example.date, _date(text, region)))
    return compared


def _role(text: str, region: Region) -> str | None:
    match = best_role(text, region)
    return match[0] if match else None


def _amount(text: str, region: Region) -> Decimal | None:
    """The last amount of the line: totals and prices end a line."""
    places = [p for p in find_amounts(text, region) if p.readings[0].cost <= ACCEPTED]
    return places[-1].value if places else None


def _date(text: str, region: Region) -> str | None:
    dates = find_dates(text, region)
    return dates[0].iso if dates and dates[0].cost <= ACCEPTED else None


def own_files(folder: Path) -> tuple[int, int]:
    """The numbers of region and language files in a folder."""
    return len(list(folder.glob("*.toml"))), len(list((folder / "languages").glob("*.toml")))
