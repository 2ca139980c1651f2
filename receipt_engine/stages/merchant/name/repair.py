"""Repairs a badly read name, most often a logo, from spellings elsewhere on the receipt."""

from __future__ import annotations

import re

from rapidfuzz import fuzz
from rapidfuzz.distance import OSA, Levenshtein

from receipt_engine.stages.merchant.name.candidates import LOGO, NameCandidate, NameContext
from receipt_engine.stages.merchant.segments import Segment
from receipt_engine.stages.merchant.store_numbers import chain_of_shop
from receipt_engine.stages.merchant.text_runs import TITLES
from receipt_engine.vocabulary.brands import brand_by_shape, brand_misread, brand_named
from receipt_engine.vocabulary.legal_forms import has_legal_form, without_legal_form
from receipt_engine.vocabulary.normalise import letters
from receipt_engine.vocabulary.tokens import SHORTEST_NAME

#: Only large text (a logo) or text with a lower character score than this is doubted.
_SURE = 0.985
#: From this similarity on, in percent, two spellings may be the same name; that of the same name.
_ALIKE, _WHOLE = 78, 100
#: Most words of another spelling.
_LONGEST = 4
_WORD = re.compile(r"[\w&'’.\-]*[^\W\d_][\w&'’.\-]*")


def repaired(context: NameContext, candidate: NameCandidate) -> tuple[str, str]:
    """The name and the rule that gave it. A doubtful name takes a spelling from elsewhere on the receipt."""
    behind = _chain_behind_slogan(candidate.text, context.country)
    if behind is not None:
        rule = "a chain behind a slogan"
        return behind, rule
    own = context.segments[candidate.first : candidate.last + 1]
    plain = (candidate.text, "scored candidates")
    shop = chain_of_shop(own[0].rest, context.country) if len(own) == 1 else None
    if shop is not None:
        return shop, plain[1]
    score = min(o.run.score for o in own)
    sure = score >= _SURE
    chain = brand_by_shape(candidate.text, context.country)
    small = sure and max(o.size for o in own) < LOGO and chain is None
    if len(candidate.key) < SHORTEST_NAME or small:
        return plain
    spellings = [*_printed_elsewhere(context, candidate, score), *_in_domains(context, candidate)]
    doubted = not sure and not has_legal_form(candidate.text)
    known = chain.name if chain else brand_misread(candidate.text, context.country) if doubted else None
    if known is not None:
        spellings.append((float(_WHOLE if chain else _ALIKE), known, "a chain's name"))
    if any(letters(s[1]) == candidate.key for s in spellings):
        return plain
    if sure:  # a clearly read logo only loses letters
        spellings = [s for s in spellings if len(letters(s[1])) >= len(candidate.key)]
    if not spellings:
        return plain
    best = max(spellings, key=lambda s: (s[0], s[1]))
    return _company(context, best[1]) or best[1], f"repaired by {best[2]}"


def _company(context: NameContext, name: str) -> str | None:
    """The company below a misread logo whose first words are that name: "Ketle" above "KETTLE BAKERY LTD"."""
    companies = (one.text for one in context.candidates if one.first == one.last and has_legal_form(one.text))
    return next((text for text in companies if without_legal_form(text).startswith(f"{name} ")), None)


def _chain_behind_slogan(text: str, country: str) -> str | None:
    """The chain that ends a name in another script, as logos of East Asia do: "いつもそばに KETTLE"."""
    slogan, _, last = text.rpartition(" ")
    if slogan.isascii() or not last.isascii() or any(c.isascii() and c.isalpha() for c in slogan):
        return None
    return last if brand_named(last, country) is not None else None


def _printed_elsewhere(
    context: NameContext, candidate: NameCandidate, score: float
) -> list[tuple[float, str, str]]:
    """Runs of words in better read rows that equal the name or differ by a few characters. Each with its
    similarity in percent and its source."""
    found: list[tuple[float, str, str]] = []
    for index, other in enumerate(context.segments):
        if candidate.first <= index <= candidate.last or other.amount or other.run.score < max(score, 0.97):
            continue
        if context.likeness[context.candidates.index(candidate), index] < 0.7:
            continue
        found.extend(_windows(other, candidate.key))
    return found


def _windows(other: Segment, key: str) -> list[tuple[float, str, str]]:
    words = list(_WORD.finditer(other.rest))
    labels = {letters(m.phrase) for m in other.run.roles if m.role in TITLES}
    found: list[tuple[float, str, str]] = []
    for first in range(len(words)):
        for last in range(first, min(first + _LONGEST, len(words))):
            text = other.rest[words[first].start() : words[last].end()].strip(" .,-")
            there = letters(text)
            # "Cashmere" is no misread "Cashier".
            if there == key or (there not in labels and _is_confusion(there, key)):
                found.append((fuzz.ratio(there, key), text, "another row"))
    return found


def _in_domains(context: NameContext, candidate: NameCandidate) -> list[tuple[float, str, str]]:
    """The name in a web address, with the spaces and capitals of the printed name."""
    found: list[tuple[float, str, str]] = []
    for domain in context.domains:
        name = letters(domain)
        if name == candidate.key or _is_confusion(name, candidate.key):
            text = _spelled(candidate, name)
            found.append((fuzz.ratio(name, candidate.key) - 1.0, text, "a web address"))
    return found


def _spelled(candidate: NameCandidate, name: str) -> str:
    """The candidate's text with its letters replaced by those of `name`; the characters between stay."""
    places = [at for at, c in enumerate(candidate.text) if c.isalpha()]
    if len(places) != len(candidate.key):
        return name.upper() if candidate.text.isupper() else name.capitalize()
    kept = list(candidate.text)
    for edit in Levenshtein.opcodes(candidate.key, name):
        if edit.tag == "equal":
            continue
        new = name[edit.dest_start : edit.dest_end]
        at = [*places, len(kept) - 1][edit.src_start]
        if edit.tag == "insert":
            edge = edit.src_start == len(places)
            new = _cased(new, kept[at][-1:])
            kept[at] = kept[at] + new if edge else new + kept[at]
            continue
        old = places[edit.src_start : edit.src_end]
        for index, place in enumerate(old):
            last = index == len(old) - 1
            kept[place] = _cased(new[index:] if last else new[index : index + 1], kept[place])
    return " ".join("".join(kept).split())


def _cased(new: str, old: str) -> str:
    return new.upper() if old.isupper() else new


def _is_confusion(there: str, key: str) -> bool:
    """Whether two runs of letters may be the same name, one of them misread."""
    if min(len(there), len(key)) < SHORTEST_NAME or abs(len(there) - len(key)) > max(1, len(key) // 4):
        return False
    return fuzz.ratio(there, key) >= _ALIKE and OSA.distance(there, key) <= max(1, len(key) // 4)
