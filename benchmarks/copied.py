"""Finds lines of the data that occur in the project. Most data may not be passed on, so there must be none.

A line of the data is a labelled printed text, or a row read from an image, with at least eight (in a row
twelve) letters or digits, at least one of them a digit. A line of the project copies it when it contains it
between two word boundaries, ignoring case and white space.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

from benchmarks.datasets import load
from benchmarks.outcome import text_rows
from benchmarks.product import ProductReader
from benchmarks.reading_cache import ReadingCache, picture_key

#: Minimum number of letters and digits of a labelled text, and of a row of an image, where a total stands
#: beside its amount ("TOTAL 12.00"). Shorter lines are not distinctive.
_IN_LABELS, _IN_ROWS = 8, 12
#: Keys of a label whose values are not printed on the receipt. Keys ending in _iso are skipped as well.
_NOT_PRINTED = frozenset(
    {
        *("id", "sroie_id", "image", "clean", "photo", "source", "same_bytes_as", "kind", "labelled_by"),
        *("region", "region_guess", "country", "currency", "iso", "date_iso_basis", "documentType", "rule"),
        *("label", "label_fix", "label_noise", "note", "notes", "textract_check", "lineType", "barcode", "s"),
    }
)
#: Text common to many receipts: the ten digits, card application identifiers (EMV), a terminal's error-free
#: status.
_STANDARD = re.compile("0123456789|a0000000031010|a0000000041010|a0000000042203|0000008000")
_WORD = re.compile(r"[^\W_]+")
_EDGES = re.compile(r"^[\W_]+|[\W_]+$")
_WHITE = re.compile(r"\s+")
#: An escaped newline or tab inside a string of source code.
_ESCAPE = re.compile(r"\\[nt]")
#: Dates on which a law begins or ends, in a region file, may coincide with the data.
_LAW = re.compile(r"\b(?:since|until) = [-\d]+")
#: Folders of the checkout that do not belong to the project.
_NOT_OURS = ("build", "dist", "__pycache__")


@dataclass(frozen=True, slots=True)
class Copy:
    """A line of the project, `file:number`, and the line of the data that it contains."""

    file: Path
    number: int
    text: str
    original: str
    origin: str

    def __str__(self) -> str:
        return f"{self.file}:{self.number}: {self.text}\n    {self.origin}: {self.original}"


class Originals:
    """An index of the data's lines. texts: (origin, text); those without a digit are left out."""

    def __init__(self, texts: Iterable[tuple[str, str]]) -> None:
        self._lines: dict[str, tuple[str, str]] = {}
        for origin, text in texts:
            key = _EDGES.sub("", _folded(text))
            own = _STANDARD.sub("", key)
            if sum(map(str.isalnum, own)) >= _IN_LABELS and any(map(str.isdigit, own)):
                self._lines.setdefault(key, (origin, text.strip()))
        self._beginnings = {key[:_IN_LABELS] for key in self._lines}
        self._longest = max(map(len, self._lines), default=0)

    def inside(self, text: str) -> tuple[str, str] | None:
        """(origin, line) of the longest line of the data contained in the text, or None."""
        text = _LAW.sub("", _ESCAPE.sub("  ", text)).casefold()
        words = list(_WORD.finditer(text))
        joined = _WHITE.sub("", text)
        # Maps an index in the text to its index in the joined text.
        places = [0, *accumulate(not letter.isspace() for letter in text)]
        ends = [places[word.end()] for word in words]
        found = ""
        for number, word in enumerate(words):
            start = places[word.start()]
            if joined[start : start + _IN_LABELS] not in self._beginnings:
                continue
            for end in ends[number:]:
                if end - start > self._longest:
                    break
                if end - start > len(found) and joined[start:end] in self._lines:
                    found = joined[start:end]
        return self._lines[found] if found else None


def copies(root: Path, originals: Originals) -> list[Copy]:
    """Every line of a text file below the root that contains a line of the data."""
    found = []
    for file in _files(root):
        try:
            lines = file.read_text(encoding="utf-8").splitlines()
        except UnicodeDecodeError:
            continue
        for number, text in enumerate(lines, 1):
            if original := originals.inside(text):
                found.append(Copy(file.relative_to(root), number, text.strip(), original[1], original[0]))
    return found


def labelled_texts(folder: Path) -> Iterator[tuple[str, str]]:
    """(origin, text) of every printed text in the label files below a folder."""
    for file in sorted(folder.rglob("*.jsonl")):
        with file.open(encoding="utf-8") as rows:
            for number, row in enumerate(rows, 1):
                if row.strip():
                    origin = f"{file.parent.name}/{file.name}:{number}"
                    yield from ((origin, text) for text in _printed(json.loads(row)))


def read_texts(folders: Sequence[Path], cache: Path) -> Iterator[tuple[str, str]]:
    """(sample, text) of the spans and rows of every image in the cache; none is read anew."""
    readings = ReadingCache(cache, ProductReader().fingerprint)
    for sample in load(folders, unlabelled=True):
        entry = readings.get(picture_key(sample.image.read_bytes()))
        if entry is not None and entry.error is None:
            reading = entry.decode()
            for text in (*(span.text for span in reading.spans), *text_rows(reading)):
                if sum(map(str.isalnum, text)) >= _IN_ROWS:
                    yield sample.id, text


def _printed(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            if key == "barcodes":
                yield from (data for data, _ in inner)
            elif key not in _NOT_PRINTED and not key.removesuffix("_any").endswith("_iso"):
                yield from _printed(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _printed(inner)


def _folded(text: str) -> str:
    return _WHITE.sub("", text.casefold())


def _files(root: Path) -> Iterator[Path]:
    for path in sorted(root.iterdir()):
        if path.name.startswith(".") or path.name in _NOT_OURS or path.is_symlink():
            continue
        if path.is_dir():
            yield from _files(path)
        else:
            yield path
