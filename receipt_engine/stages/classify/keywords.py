"""Finds the key phrases of a region in printed lines and what each line may be because of them.

An exact phrase is a dictionary look-up of every run of up to seven words, squeezed to its letters, so
"SUB TOTAL", "Sub-Total" and "SUBTOTAL" are one. Runs that no phrase equals are compared with all
phrases at an edit distance of one (five letters or more) or two (ten or more). A phrase inside a longer
one is dropped: "total savings" is savings, not total.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import get_args

import numpy as np
from rapidfuzz.distance import OSA
from rapidfuzz.process import cdist

from receipt_engine.document import RoleMatch
from receipt_engine.region import Region, Role
from receipt_engine.text import Token, squeeze, tokens

_MAX_WORDS = 7
_MAX_CODE_LETTERS = 3
_CODE_BEFORE = re.compile(r"\d[-/]?$")
_CODE_AFTER = re.compile(r"[-/]?\d{2}")
_MIN_FUZZY = 5
_MIN_FUZZY_TWO = 10
#: A phrase with slips replaces an exact one inside it from this length on.
_MIN_OVERRULING = 14
#: Only these are worth forgiving a slip; ordinary words resemble units and parts of addresses.
_FUZZY_ROLES: frozenset[Role] = frozenset(
    [
        "total",
        "subtotal",
        "net",
        "tax",
        "total_tax",
        "tip",
        "service",
        "discount",
        "savings",
        "rounding",
        "cash",
        "card",
        "change",
        "item_count",
    ]
)
#: Weight left after one edit.
_EDIT_PENALTY = 0.85


@dataclass(frozen=True)
class _Lexicon:
    """key: squeezed phrase → the roles it shows with their weights."""

    roles: dict[str, tuple[tuple[Role, float], ...]]
    fuzzy_keys: tuple[str, ...]


@lru_cache(maxsize=64)
def _lexicon(region: Region) -> _Lexicon:
    found: dict[str, dict[Role, float]] = {}
    for role in get_args(Role):
        for phrase in region.phrases(role):
            key = squeeze(phrase.text)
            if key:
                roles = found.setdefault(key, {})
                roles[role] = max(phrase.weight, roles.get(role, 0.0))
    for name in region.tax.names:
        found.setdefault(squeeze(name), {}).setdefault("tax", 0.9)
    roles_of = {key: tuple(sorted(roles.items(), key=lambda r: -r[1])) for key, roles in found.items() if key}
    fuzzy = (k for k, roles in roles_of.items() if any(r in _FUZZY_ROLES and w >= 0.6 for r, w in roles))
    return _Lexicon(roles_of, tuple(k for k in fuzzy if len(k) >= _MIN_FUZZY and k.isascii()))


def find_roles(texts: Sequence[str], region: Region) -> tuple[tuple[RoleMatch, ...], ...]:
    """For every line, the phrases it contains, left to right, none inside another."""
    lexicon = _lexicon(region)
    words = [tokens(text) for text in texts]
    exact = [
        [m for m in _exact(line, lexicon) if not _inside_code(m, text)]
        for line, text in zip(words, texts, strict=True)
    ]
    slips = _fuzzy(words, exact, lexicon)
    return tuple(_outermost(found + extra) for found, extra in zip(exact, slips, strict=True))


def best_role(text: str, region: Region) -> tuple[Role, float] | None:
    """The surest role of one line by its words alone, with its weight; None when no phrase is in it."""
    (matches,) = find_roles((text,), region)
    if not matches:
        return None
    best = max(matches, key=lambda m: (m.weight * min(1.0, 0.5 + len(m.phrase) / 12), len(m.phrase)))
    return best.role, best.weight


def _runs(line: tuple[Token, ...]) -> list[tuple[int, int, str]]:
    """(first word, one past the last, squeezed text) of every run of words."""
    return [
        (a, b, "".join(t.text for t in line[a:b]))
        for a in range(len(line))
        for b in range(a + 1, min(len(line), a + _MAX_WORDS) + 1)
    ]


def _exact(line: tuple[Token, ...], lexicon: _Lexicon) -> list[RoleMatch]:
    return [
        RoleMatch(role, weight, key, line[a].start, line[b - 1].end)
        for a, b, key in _runs(line)
        for role, weight in lexicon.roles.get(key, ())
    ]


def _inside_code(match: RoleMatch, text: str) -> bool:
    """Whether a short phrase is part of a number such as SC-00931 or TX4417."""
    if len(match.phrase) > _MAX_CODE_LETTERS:
        return False
    before, after = text[: match.start], text[match.end :]
    return _CODE_BEFORE.search(before) is not None or _CODE_AFTER.match(after) is not None


def _fuzzy(
    words: list[tuple[Token, ...]], exact: list[list[RoleMatch]], lexicon: _Lexicon
) -> list[list[RoleMatch]]:
    """Matches with OCR slips, for runs that touch no exact match of any weight."""
    result: list[list[RoleMatch]] = [[] for _ in words]
    places: list[tuple[int, int, int]] = []
    keys: list[str] = []
    for i, line in enumerate(words):
        taken = [(m.start, m.end) for m in exact[i] if len(m.phrase) >= 4]
        for a, b, key in _runs(line):
            inside = any(line[a].start >= s and line[b - 1].end <= e for s, e in taken)
            if len(key) >= _MIN_FUZZY and b - a <= 4 and key.isascii() and not inside:
                places.append((i, a, b))
                keys.append(key)
    if not keys or not lexicon.fuzzy_keys:
        return result
    distances = cdist(keys, lexicon.fuzzy_keys, scorer=OSA.distance, score_cutoff=2, dtype=np.uint8)
    for row, column in zip(*np.nonzero(distances <= 2), strict=True):
        key, phrase, distance = keys[row], lexicon.fuzzy_keys[column], int(distances[row, column])
        if distance == 0 or distance > _allowed(phrase, key):
            continue
        i, a, b = places[row]
        line = words[i]
        if len(phrase) < _MIN_OVERRULING and any(
            line[a].start <= m.start and m.end <= line[b - 1].end and len(m.phrase) >= _MIN_FUZZY
            for m in exact[i]
        ):
            continue
        result[i].extend(
            RoleMatch(role, weight * _EDIT_PENALTY**distance, phrase, line[a].start, line[b - 1].end)
            for role, weight in lexicon.roles[phrase]
        )
    return result


def _allowed(phrase: str, key: str) -> int:
    shortest = min(len(phrase), len(key))
    if shortest >= _MIN_FUZZY_TWO:
        return 2
    return 1 if shortest >= _MIN_FUZZY else 0


def _outermost(matches: list[RoleMatch]) -> tuple[RoleMatch, ...]:
    """Without matches that lie inside a longer one, or overlap a better one; the rest left to right."""
    kept: list[RoleMatch] = []
    for match in sorted(matches, key=lambda m: (-(m.end - m.start), -m.weight, m.start, m.role)):
        clash = any(
            match.start < other.end
            and other.start < match.end
            and (match.start, match.end) != (other.start, other.end)
            for other in kept
        )
        if not clash and not any(m.role == match.role and m.start == match.start for m in kept):
            kept.append(match)
    return tuple(sorted(kept, key=lambda m: (m.start, -m.weight, m.role)))
