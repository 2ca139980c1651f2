"""Words that a region and its languages print for a role, as far as their files exist."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from receipt_engine import assets
from receipt_engine.region import Language, Region, Role, load_language
from receipt_engine.vocabulary.normalise import alphanumerics

_PUNCTUATION = " .:;-#/()=*'\""
_WINDOW = 28
_SHORT = 3


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """Words that announce what follows. words: lower case, with and without accents."""

    words: tuple[str, ...]

    def before(self, line: str, position: int) -> bool:
        """Whether one of the words stands right before an offset, but for punctuation."""
        window = line[max(0, position - _WINDOW) : position].lower().rstrip(_PUNCTUATION)
        if not window.endswith(self.words):
            return False
        return any(window.endswith(word) and not _ends_another(window, word) for word in self.words)


def _ends_another(window: str, word: str) -> bool:
    """Whether a short word is but the end of another: "ea" of "tea"."""
    return len(word) <= _SHORT and word.isascii() and window[: -len(word)][-1:].isalpha()


def labels(words: Iterable[str]) -> Labels:
    """Words of one letter are left out: they end too many others."""
    return Labels(tuple({form for word in words if len(word) > 1 for form in spellings(word.rstrip(". "))}))


def spellings(word: str) -> set[str]:
    """In lower case, with and without accents."""
    if word.isascii():
        return {word.lower()}
    return {word.lower(), "".join(alphanumerics(c) or c for c in word)}


def language_of(code: str) -> Language | None:
    """The language file, None where there is none: a region may be built without files."""
    path = assets.folder("regions") / "languages" / f"{code}.toml"
    return load_language(code) if path.is_file() else None


def printed(region: Region, *roles: Role) -> tuple[str, ...]:
    """The phrases of some roles, the region's own first."""
    found: list[str] = []
    for role in roles:
        found.extend(w if isinstance(w, str) else w.text for w in region.words.get(role, ()))
        for code in region.languages:
            language = language_of(code)
            if language is not None:
                found.extend(phrase.text for phrase in language.phrases(role))
    return tuple(dict.fromkeys(found))
