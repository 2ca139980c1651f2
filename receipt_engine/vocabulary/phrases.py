"""Finds the key phrases of a region in printed lines, and the roles that they give each line.

For an exact match, every run of up to seven words is squeezed to its letters and looked up in a dictionary,
so "SUB TOTAL", "Sub-Total" and "SUBTOTAL" are one. Runs without an exact match are compared with the phrases
at an edit distance of one (five letters or more) or two (ten or more). A phrase inside a longer one is
dropped: "total savings" is savings, not total.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import get_args

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import OSA

from receipt_engine.document import Record, RoleMatch
from receipt_engine.region import KEPT_REGIONS, Region, Role, keyed_phrases
from receipt_engine.scoring.certainty import LIKELY
from receipt_engine.vocabulary.card_schemes import tender_names
from receipt_engine.vocabulary.confusions import is_alike, is_confusion, with_capital_i
from receipt_engine.vocabulary.normalise import squeeze
from receipt_engine.vocabulary.tokens import SHORTEST_NAME, Token, tokens
from receipt_engine.vocabulary.trades import is_trade_word

_ROLES: tuple[Role, ...] = get_args(Role)
_TAX: Role = "tax"
_CARD: Role = "card"
_MAX_WORDS = 7
#: Each East Asian character is one word, so a phrase may have more of them.
_MAX_CHARACTERS = 14
#: No phrase spans these: an amount, or a number after its label ("Table: 05 No: 1188").
_AMOUNT = re.compile(r"\d[.,]\d|\d{3}|[:：]\s*\d")
_MAX_CODE_LETTERS = 3
_CODE_BEFORE = re.compile(r"\d[-/]?$")
#: "TX4417" is a code, "VAT20%" is a tax and its rate; a slash ends a word ("CPN/12345").
_CODE_AFTER = re.compile(r"-?\d{2}(?![\d.,]{0,4} ?%)")
#: A digit at either end of a word that may be a misread letter: "SU8 TOTAL", "TOTA1"; not "TAX1", "VAT5%".
_EDGE_DIGIT = re.compile(
    r"[0158](?:(?:(?<![\w.,].)|(?<=[^\W\d_]\..))(?=[^\W\d_]{2})|(?<=[^\W\d_]{2}.)(?![\w.,%]))"
)
_LETTERS = str.maketrans("0158", "OLSB")
#: A row of one short word and an amount, perhaps with a rate between.
_SHORT_ROW = re.compile(
    r"\W*([^\W_]{2,4})[ :.]+(\d{1,2}(?:[.,]\d{1,3})? ?%[ :]*)?[^\w\s]?\d[\d., ]*[.,]\d\d\W*"
)
_AS_LETTERS = str.maketrans({"0": "o", "1": "i", "5": "s", "7": "t", "8": "b"})
_SHORT_TAX = 0.4
_BEFORE_TAX: tuple[Role, ...] = ("subtotal", "net")
#: Most lines from a subtotal to the taxes on it.
_BELOW = 3
_MIN_FUZZY = 5
_MIN_FUZZY_TWO = 10
_MAX_FUZZY_WORDS = 4
#: Words of scripts that write compounds as one word: Thai, whose signs are dropped, and Korean.
_HANGUL = "\uac00"
_COMPOUND = re.compile(r"[\u0e00-\u0e7f]{4,30}|[\uac00-\ud7af]{3,12}")
#: Most members of the set of letters that two edits can change.
_MOST_DIFFERING = 4
#: Longer keys are treated as this long.
_LONGEST = 100
#: Minimum length of a fuzzily matched phrase that replaces an exact match inside it.
_MIN_OVERRULING = 14
#: The same for one that differs by a single letter, misread as one of its shape.
_MIN_ALIKE = 8
#: Only these roles are matched fuzzily; ordinary words resemble units and parts of addresses.
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
#: Weight factors: for each edit, and for edits of a short phrase that no recogniser makes, which suggest a
#: different word.
_EDIT_PENALTY = 0.85
_OTHER_WORD = 0.55


@dataclass(frozen=True, slots=True)
class _Outlines:
    """For each key of a list: a bit mask of its letters, and its length."""

    letters: NDArray[np.uint32]
    lengths: NDArray[np.int8]


@dataclass(frozen=True)
class _Lexicon:
    """roles: squeezed phrase → the roles it indicates, with weights. fuzzy_keys: phrases that are also
    matched fuzzily. outlines: their `_outlines`."""

    roles: dict[str, Mapping[Role, float]]
    fuzzy_keys: tuple[str, ...]
    outlines: _Outlines

    def surest_first(self, key: str) -> Iterable[tuple[Role, float]]:
        """Returns the roles of a key with their weights, largest first; none for an unknown key."""
        roles = self.roles.get(key)
        return () if not roles else sorted(roles.items(), key=_surest)


@lru_cache(maxsize=KEPT_REGIONS)
def _lexicon(region: Region) -> _Lexicon:
    found = keyed_phrases(region, squeeze)
    for name in region.tax.names:
        found[squeeze(name)] = {_TAX: 0.9, **found.get(squeeze(name), {})}
    for name in tender_names():
        found.setdefault(squeeze(name), {_CARD: 1.0})
    found.pop("", None)
    fuzzy_keys = tuple(
        key
        for key, roles in found.items()
        if len(key) >= _MIN_FUZZY
        and not _FUZZY_ROLES.isdisjoint(roles)
        and key.isascii()
        and any(role in _FUZZY_ROLES and weight >= 0.6 for role, weight in roles.items())
    )
    return _Lexicon(found, fuzzy_keys, _outlines(fuzzy_keys))


def _surest(role: tuple[Role, float]) -> tuple[float, int]:
    return -role[1], _ROLES.index(role[0])


def find_roles(texts: Sequence[str], region: Region) -> tuple[tuple[RoleMatch, ...], ...]:
    """Returns for every line the phrases in it, left to right, none inside another."""
    lexicon = _lexicon(region)
    runs = [_runs(tokens(text), text) for text in texts]
    exact = [
        [m for m in _exact(line, lexicon) + _respelled(text, lexicon) if not _inside_code(m, text)]
        for line, text in zip(runs, texts, strict=True)
    ]
    confusions = _fuzzy(runs, exact, lexicon)
    found = [_outermost(one + extra) for one, extra in zip(exact, confusions, strict=True)]
    return tuple(_with_short_taxes(found, texts, region))


def find_exact_roles(text: str, region: Region) -> list[RoleMatch]:
    """Returns the phrases of a text that are spelled as they are known, also those inside another."""
    return _exact(_runs(tokens(text), text), _lexicon(region))


def _with_short_taxes(
    found: list[tuple[RoleMatch, ...]], texts: Sequence[str], region: Region
) -> Iterator[tuple[RoleMatch, ...]]:
    """Yields each line's phrases. A line right below a subtotal that has nothing but an amount and one short
    word, which differs from a tax's name by one character ("Tas 2.42"), by two before a rate ("G81 5%"), or
    lacks its first ("ax"), is a tax if the sums agree: no product stands there."""
    names = [squeeze(name) for name in (_TAX, *region.tax.names)]
    below = 0
    for phrases, text in zip(found, texts, strict=True):
        unnamed = below and all(m.weight < LIKELY for m in phrases)
        row = _SHORT_ROW.fullmatch(text) if unnamed else None
        word = row[1].lower().translate(_AS_LETTERS) if row else ""
        most = 2 if row and row[2] else 1
        name = next(
            (
                name
                for name in names
                if name[1:] == word or (len(name) == len(word) and OSA.distance(name, word) <= most)
            ),
            None,
        )
        yield (*phrases, RoleMatch(_TAX, _SHORT_TAX, name, *row.span(1))) if row and name else phrases
        subtotal = any(m.role in _BEFORE_TAX and m.weight >= LIKELY for m in phrases)
        below = _BELOW if subtotal else max(0, below - 1)


def best_role(text: str, region: Region) -> tuple[Role, float] | None:
    """Returns the likeliest role of a line by its words, with its weight; None when it has no phrase."""
    (matches,) = find_roles((text,), region)
    if not matches:
        return None
    best = max(matches, key=lambda m: (m.weight * min(1.0, 0.5 + len(m.phrase) / 12), len(m.phrase)))
    return best.role, best.weight


class _Run(Record, frozen=True):
    """Consecutive words of a line: their squeezed text, offsets in the line, and the number of words."""

    key: str
    start: int
    end: int
    words: int


def _runs(line: tuple[Token, ...], text: str) -> list[_Run]:
    """Returns every run of words; none spans an amount."""
    found = []
    for a, first in enumerate(line):
        key = ""
        for b, word in enumerate(line[a : a + _MAX_CHARACTERS]):
            if b >= _MAX_WORDS and word.text.isascii():
                break
            if b and _AMOUNT.search(text, line[a + b - 1].end, word.start):
                break
            key += word.text
            found.append(_Run(key, first.start, word.end, b + 1))
    return found


def _exact(line: list[_Run], lexicon: _Lexicon) -> list[RoleMatch]:
    return [
        RoleMatch(role, weight, run.key, run.start, run.end)
        for run in line
        for role, weight in lexicon.surest_first(run.key) or _of_other_spelling(run, lexicon)
    ]


def _of_other_spelling(run: _Run, lexicon: _Lexicon) -> Iterable[tuple[Role, float]]:
    """Returns the roles of a phrase whose m was read as rn ("ARNOUNT"), or of a compound's part."""
    if "rn" in run.key and len(run.key) > _MIN_FUZZY:
        return lexicon.surest_first(run.key.replace("rn", "m"))
    return _of_compound(run, lexicon)


def _of_compound(run: _Run, lexicon: _Lexicon) -> Iterable[tuple[Role, float]]:
    """Returns the discount that a Korean compound ends in and a Thai one begins with, whatever it is for:
    "텀블러할인" is a discount ("할인") for a tumbler."""
    if run.words > 1 or not _COMPOUND.fullmatch(run.key):
        return ()
    parts = (run.key[-n:] if run.key[0] >= _HANGUL else run.key[:n] for n in range(len(run.key) - 1, 1, -1))
    return next((found for p in parts if (found := _discount(lexicon.surest_first(p)))), ())


def _discount(roles: Iterable[tuple[Role, float]]) -> tuple[tuple[Role, float], ...]:
    return tuple((role, weight) for role, weight in roles if role == "discount")


def _respelled(text: str, lexicon: _Lexicon) -> list[RoleMatch]:
    """Finds phrases in which a capital I was read as a small l, or a digit at the edge of a word is a misread
    letter."""
    capitals = with_capital_i(text)
    letters = with_capital_i(_EDGE_DIGIT.sub(lambda digit: digit.group().translate(_LETTERS), capitals))
    return [
        m
        for printed, spelled, shortest in ((text, capitals, SHORTEST_NAME), (capitals, letters, _MIN_FUZZY))
        if spelled != printed
        for m in _exact(_runs(tokens(spelled), spelled), lexicon)
        if len(m.phrase) >= shortest and spelled[m.start : m.end] != text[m.start : m.end]
    ]


def _inside_code(match: RoleMatch, text: str) -> bool:
    """Whether a short phrase is part of a number such as SC-00931 or TX4417. Codes are printed in letters
    that have capitals: "1000원할인" is an amount and a word."""
    if len(match.phrase) > _MAX_CODE_LETTERS or match.phrase.lower() == match.phrase.upper():
        return False
    before, after = text[: match.start], text[match.end :]
    return _CODE_BEFORE.search(before) is not None or _CODE_AFTER.match(after) is not None


def _fuzzy(lines: list[list[_Run]], exact: list[list[RoleMatch]], lexicon: _Lexicon) -> list[list[RoleMatch]]:
    """Returns each line's fuzzy matches, of runs that lie in no exact match of four letters or more."""
    result: list[list[RoleMatch]] = [[] for _ in lines]
    places: list[tuple[int, _Run]] = []
    for i, line in enumerate(lines):
        taken = [(m.start, m.end) for m in exact[i] if len(m.phrase) >= 4]
        for run in line:
            if len(run.key) < _MIN_FUZZY or run.words > _MAX_FUZZY_WORDS or not run.key.isascii():
                continue
            if not any(run.start >= start and run.end <= end for start, end in taken):
                places.append((i, run))
    if not places or not lexicon.fuzzy_keys:
        return result
    for row, column in _near(_outlines([run.key for _, run in places]), lexicon.outlines):
        phrase = lexicon.fuzzy_keys[column]
        i, run = places[row]
        allowed = _allowed(phrase, run.key)
        distance = OSA.distance(phrase, run.key, score_cutoff=allowed)
        if not 0 < distance <= allowed or _too_short_to_replace(run, phrase, distance, exact[i]):
            continue
        if run.words == 1 and is_trade_word(run.key):  # "DINER" is not a misread "DINERS"
            continue
        left = _EDIT_PENALTY**distance * (1.0 if is_confusion(run.key, phrase) else _OTHER_WORD)
        confusions = [
            RoleMatch(role, weight * left, phrase, run.start, run.end)
            for role, weight in lexicon.surest_first(phrase)
        ]
        if not _is_redundant(confusions, exact[i]):
            result[i].extend(confusions)
    return result


def _outlines(keys: Sequence[str]) -> _Outlines:
    """Takes keys of one or more lower-case ASCII letters each."""
    codes = np.frombuffer("".join(keys).encode("ascii"), np.uint8) - ord("a")
    lengths = np.array([len(key) for key in keys], np.intp)
    starts = np.cumsum(lengths) - lengths
    letters = np.bitwise_or.reduceat(np.left_shift(np.uint32(1), codes, dtype=np.uint32), starts)
    return _Outlines(letters, np.minimum(lengths, _LONGEST).astype(np.int8))


def _near(some: _Outlines, others: _Outlines) -> Iterator[tuple[int, int]]:
    """Yields the index pairs whose edit distance may be within `_allowed`. An insertion or deletion changes
    the set of letters by at most one, a substitution by at most two. Comparing the sets avoids nearly all
    distances."""
    # Whatever the lengths, no more than four letters may differ: that leaves few pairs to examine.
    differing = np.bitwise_count(some.letters[:, None] ^ others.letters[None, :])
    rows, columns = np.divmod(np.flatnonzero(differing <= _MOST_DIFFERING), len(others.letters))
    one, other, changed = some.lengths[rows], others.lengths[columns], differing[rows, columns]
    allowed = np.where(np.minimum(one, other) >= _MIN_FUZZY_TWO, np.int8(2), np.int8(1))
    longer = np.abs(one - other)
    near = (longer <= allowed) & (changed <= 2 * allowed - longer)
    return zip(rows[near].tolist(), columns[near].tolist(), strict=True)


def _is_redundant(confusions: list[RoleMatch], exact: list[RoleMatch]) -> bool:
    """Whether an exact phrase inside has the same role: "CASH RM" is "cash", although it resembles
    "cash rs"."""
    best = confusions[0]
    return any(
        m.role == best.role and m.weight >= best.weight and best.start <= m.start and m.end <= best.end
        for m in exact
    )


def _too_short_to_replace(run: _Run, phrase: str, distance: int, exact: list[RoleMatch]) -> bool:
    """Whether a fuzzily matched phrase contains an exact match but is too short to replace it: "TOTAL TAK" is
    a misread "TOTAL TAX", as k looks like x, but "TOTAL BAR" is none."""
    inside = [m.phrase for m in exact if run.start <= m.start and m.end <= run.end]
    alike = distance == 1 and len(phrase) >= _MIN_ALIKE and is_alike(run.key, phrase)
    if alike and all(part in phrase for part in inside):
        return False
    return len(phrase) < _MIN_OVERRULING and any(len(part) >= _MIN_FUZZY for part in inside)


def _allowed(phrase: str, key: str) -> int:
    shortest = min(len(phrase), len(key))
    if shortest >= _MIN_FUZZY_TWO:
        return 2
    return 1 if shortest >= _MIN_FUZZY else 0


def _outermost(matches: list[RoleMatch]) -> tuple[RoleMatch, ...]:
    """Drops matches that lie inside a longer one or overlap a better one; sorts the rest left to right."""
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
