"""Combines pages into one reading, and holds the checks that all adapters share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from receipt_engine.document import PlacedText, Reading
from receipt_engine.errors import NoTextError, ReadingError

#: A page's texts, and its size in pixels where known.
Texts = tuple[Sequence[PlacedText], tuple[int, int] | None]


def reading_of_pages(pages: Iterable[Texts]) -> Reading:
    """The reading of the first page that has text, followed by those of the others. Raises NoTextError when
    no page has text."""
    readings = [Reading.of(texts, size) for texts, size in pages if any(t.text.strip() for t in texts)]
    if not readings:
        raise NoTextError("The OCR engine found no text. Photograph the receipt from closer up and in focus.")
    return replace(readings[0], further_pages=tuple(readings[1:]))


def part(value: Any, *path: str | int, of: str) -> Any:
    """value[path[0]][path[1]]…; raises ReadingError, naming the path, when it is missing.

    of: the expected format, for the message.
    """
    found = value
    for at, key in enumerate(path):
        try:
            found = found[key]
        except (KeyError, IndexError, TypeError) as error:
            where = ".".join(map(str, path[: at + 1]))
            raise ReadingError(f"This is not {of}: it has no {where}.{_hint(found)}") from error
    return found


def text_of(value: Any, *, of: str) -> str:
    """The text of a file, of which some programs return the bytes; raises ReadingError for anything else."""
    text = value.decode("utf-8", "replace") if isinstance(value, bytes) else value
    if not isinstance(text, str):
        raise ReadingError(f"This is not the text of {of}.{_hint(value)}")
    return text


def fields_of(value: Any, *, of: str) -> Mapping[str, Any]:
    """The fields of a JSON object; raises ReadingError for anything else."""
    if not isinstance(value, Mapping):
        raise ReadingError(f"This is not {of} as a dict.{_hint(value)}")
    return value


def _hint(found: Any) -> str:
    if isinstance(found, Mapping):
        return f" Found instead: {', '.join(map(str, list(found)[:8]))}."
    return f" Found instead: {type(found).__name__}."
