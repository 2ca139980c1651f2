"""hOCR, as written by Tesseract, Kraken, OCRopus and docTR: ``tesseract receipt.png out --psm 6 hocr``.

Format: https://kba.github.io/hocr-spec/1.2/ (elements by class; boxes and confidences in ``title``). With
Tesseract's ``-c lstm_choice_mode=2`` its choices for single characters become alternatives.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser

from receipt_engine.adapters.pages import reading_of_pages, text_of
from receipt_engine.document import PlacedText, Reading
from receipt_engine.errors import ReadingError

_LINES = {"ocr_line", "ocr_header", "ocr_caption", "ocr_textfloat", "ocrx_line"}
_BOX = re.compile(r"\bbbox\s+(-?[\d.]+)\s+(-?[\d.]+)\s+(-?[\d.]+)\s+(-?[\d.]+)")
_CONFIDENCE = re.compile(r"\bx_(?:w|f)?confs?\s+([\d.]+)")
#: Elements without an end tag.
_VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
#: As in `tesseract_tsv`.
_LEAST = 5.0
_MOST_CHOICES = 4


def to_reading(hocr: str | bytes) -> Reading:
    """The reading of all pages, from the text of an hOCR file. Raises ReadingError when it is not hOCR, and
    NoTextError when it has no words."""
    parser = _Parser()
    parser.feed(text_of(hocr, of="an hOCR file"))
    parser.close()
    if not parser.pages:
        raise ReadingError("This is not hOCR: it has no element of class ocr_page.")
    return reading_of_pages([(page.texts, page.size) for page in parser.pages])


@dataclass
class _Page:
    size: tuple[int, int] | None
    texts: list[PlacedText] = field(default_factory=list)


@dataclass
class _Word:
    """A word that is being parsed. choices: per character position, the candidates with their weights."""

    title: str
    text: str = ""
    choices: list[list[tuple[str, float]]] = field(default_factory=list)


class _Parser(HTMLParser):
    """Collects the words of every page."""

    def __init__(self) -> None:
        super().__init__()
        self.pages: list[_Page] = []
        self._open: list[str] = []
        self._line = 0
        self._word: _Word | None = None

    def handle_starttag(self, tag: str, attributes: Sequence[tuple[str, str | None]]) -> None:
        if tag in _VOID:
            return
        given = {name: value or "" for name, value in attributes}
        kind, title = next(iter(given.get("class", "").split()), ""), given.get("title", "")
        self._open.append(kind)
        if kind == "ocr_page":
            self.pages.append(_Page(_size(title)))
        elif kind in _LINES:
            self._line += 1
        elif kind == "ocrx_word":
            self._word = _Word(title)
        elif self._word is not None and given.get("id", "").startswith("lstm_choices"):
            self._word.choices.append([])
        elif self._word is not None and self._word.choices and kind == "ocrx_cinfo":
            self._word.choices[-1].append(("", _confidence(title) / 100))

    def handle_endtag(self, tag: str) -> None:
        kind = self._open.pop() if self._open and tag not in _VOID else ""
        if kind == "ocrx_word" and self._word is not None:
            if not self.pages:
                raise ReadingError("This is not hOCR: a word is outside every ocr_page.")
            self.pages[-1].texts += _placed(self._word, self._line)
            self._word = None

    def handle_data(self, data: str) -> None:
        if self._word is None:
            return
        if self._open[-1] == "ocrx_cinfo" and self._word.choices and self._word.choices[-1]:
            _, probability = self._word.choices[-1][-1]
            self._word.choices[-1][-1] = (data.strip(), probability)
        elif not self._word.choices:
            self._word.text += data


def _size(title: str) -> tuple[int, int] | None:
    found = _BOX.search(title)
    return (round(float(found[3])), round(float(found[4]))) if found else None


def _confidence(title: str) -> float:
    found = _CONFIDENCE.search(title)
    return min(100.0, float(found[1])) if found else 100.0


def _placed(word: _Word, line: int) -> list[PlacedText]:
    """The word; empty when it is blank or its confidence is too low."""
    box, confidence = _BOX.search(word.title), _confidence(word.title)
    text = word.text.strip()
    if not text or confidence < _LEAST:
        return []
    if box is None:
        raise ReadingError(f"This is not hOCR: the word {text!r} has no bbox in its title.")
    left, top, right, bottom = map(float, box.groups())
    edges = (left, top, max(right, left + 1), max(bottom, top + 1))
    return [PlacedText(text, edges, confidence / 100, _alternatives(text, word.choices), line)]


def _alternatives(text: str, choices: Sequence[Sequence[tuple[str, float]]]) -> tuple[tuple[str, float], ...]:
    """The text with one character replaced by another candidate for its position."""
    if len(choices) != len(text):
        return ()
    found = []
    for index, ways in enumerate(choices):
        together = sum(weight for _, weight in ways)  # the weights are not normalised
        for other, weight in ways[:_MOST_CHOICES]:
            if other and other != text[index] and weight > 0:
                found.append((text[:index] + other + text[index + 1 :], round(weight / together, 5)))
    return tuple(found)
