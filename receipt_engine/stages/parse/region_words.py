"""Words that a region and its languages print for a role, as far as their files exist."""

from __future__ import annotations

from receipt_engine import assets
from receipt_engine.region import Language, Region, Role, load_language


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
