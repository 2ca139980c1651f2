"""Reads the files of regions and languages.

Every mistake in a file is a RegionDataError that names the file, the key, and the nearest known one.
"""

from __future__ import annotations

import difflib
import gc
import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache, wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, get_args

import msgspec
import rtoml

from receipt_engine import assets
from receipt_engine.errors import RegionDataError
from receipt_engine.region.schema import Language, Region, Role, Table, Words
from receipt_engine.region.terms import Term

P = ParamSpec("P")
T = TypeVar("T")

#: Of how many regions what is worked out from their rules is kept. With four times as many, a process that
#: reads receipts of the whole world holds 27 MB more and is no faster.
KEPT_REGIONS = 16

#: Codes in common use that mean one of ours.
ALIASES = {"uk": "gb", "jp": "ja"}


def role_phrases(region: Region, role: Role) -> tuple[Words, ...]:
    """The region's own phrases of a role and those of its languages."""
    return region.own_phrases(role) + tuple(
        phrase for code in region.languages for phrase in load_language(code).phrases(role)
    )


def files_of_languages(region: Region) -> tuple[Language, ...]:
    """The files of a region's languages, as far as they exist: a region may be built without files."""
    return tuple(load_language(code) for code in region.languages if code in language_codes())


def keyed_phrases(region: Region, key: Callable[[str], str]) -> dict[str, Mapping[Role, float]]:
    """key(phrase) → role → weight, of all phrases of a region and its languages; empty keys left out.

    A key that several phrases share has the largest weight of each role.
    """
    found: dict[str, Mapping[Role, float]] = dict(_own_phrases(region, key))
    for language in files_of_languages(region):
        others = _own_phrases(language, key)
        both = {
            text: {**others[text], **found[text], **_largest(others[text], found[text])}
            for text in found.keys() & others.keys()
        }
        found |= others
        found |= both
    return found


def _largest(some: Mapping[Role, float], others: Mapping[Role, float]) -> dict[Role, float]:
    """The larger weight of every role that both show."""
    return {role: max(weight, others[role]) for role, weight in some.items() if role in others}


@lru_cache(maxsize=KEPT_REGIONS)
def _own_phrases(source: Region | Language, key: Callable[[str], str]) -> Mapping[str, Mapping[Role, float]]:
    """Those of one file; remembered, because most regions share a language. The day that a payment is due is
    none of the sale."""
    found: dict[str, dict[Role, float]] = {
        letters: {"not_date": 1.0} for due in source.terms.get("due_day", ()) if (letters := key(due))
    }
    for role, phrases in source.words.items():
        for phrase in phrases:
            text, weight = (phrase.text, phrase.weight) if isinstance(phrase, Words) else (phrase, 1.0)
            if letters := key(text):
                roles = found.setdefault(letters, {})
                roles[role] = max(weight, roles.get(role, 0.0))
    return found


def collecting_nothing(build: Callable[P, T]) -> Callable[P, T]:
    """A function that builds tables which are kept, with the garbage collector paused while it runs: it would
    visit the growing tables again and again and free nothing."""

    @wraps(build)
    def paused(*args: P.args, **kwargs: P.kwargs) -> T:
        was_enabled = gc.isenabled()
        gc.disable()
        try:
            return build(*args, **kwargs)
        finally:
            if was_enabled:
                gc.enable()

    return paused


def normalize_code(code: str) -> str:
    """Lower case, with aliases ("uk", "jp") replaced."""
    code = code.strip().lower()
    return ALIASES.get(code, code)


@cache
def region_codes() -> tuple[str, ...]:
    """Codes of every region file, sorted."""
    return tuple(sorted(path.stem for path in assets.folder("regions").glob("*.toml")))


@cache
def language_codes() -> tuple[str, ...]:
    """Codes of every language file, sorted."""
    return tuple(sorted(path.stem for path in (assets.folder("regions") / "languages").glob("*.toml")))


@cache
def load_region(code: str) -> Region:
    """The rules of one region; raises RegionDataError for an unknown code or a wrong file."""
    code = normalize_code(code)
    if code not in region_codes():
        raise RegionDataError(
            f"There is no region {code!r}. Known: {', '.join(region_codes())}. "
            "regions/README.md explains how to add one."
        )
    region = read_table(assets.folder("regions") / f"{code}.toml", Region)
    for language in region.languages:
        load_language(language)
    return region


@cache
def load_language(code: str) -> Language:
    """The words of one language; raises RegionDataError when its file is missing or wrong."""
    path = assets.folder("regions") / "languages" / f"{code}.toml"
    if not path.is_file():
        raise RegionDataError(f"There is no language file regions/languages/{code}.toml.")
    return read_table(path, Language)


def read_table(path: Path, kind: type[T]) -> T:
    """A TOML file as `kind`; every mistake in it becomes a RegionDataError that names the file."""
    try:
        data = rtoml.loads(path.read_text(encoding="utf-8"))
        return msgspec.convert(data, kind)
    except (rtoml.TomlParsingError, UnicodeDecodeError) as error:
        raise RegionDataError(f"{path}: {error}") from error
    except msgspec.ValidationError as error:
        raise RegionDataError(f"{path}: {error}{_did_you_mean(str(error), kind)}") from error


def _did_you_mean(message: str, kind: type[Any]) -> str:
    unknown = re.search(r"unknown field `([^`]+)`|[Ii]nvalid enum value '([^']+)'", message)
    if unknown is None:
        return ""
    names = {f for table in Table.__subclasses__() for f in table.__struct_fields__} | {
        *get_args(Role),
        *get_args(Term),
    }
    close = difflib.get_close_matches(unknown.group(1) or unknown.group(2), sorted(names), n=1)
    return f". Did you mean {close[0]!r}?" if close else ""
