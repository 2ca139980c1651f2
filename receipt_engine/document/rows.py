"""The text arranged as printed: words and the rows they form."""

from __future__ import annotations

from collections.abc import Iterator

from receipt_engine.document.picture import Char, Quad
from receipt_engine.document.record import Record


class Word(Record, frozen=True):
    """A run of characters without white space, with its place in both coordinate frames."""

    text: str
    score: float
    quad: Quad
    left: float
    right: float
    top: float
    bottom: float
    chars: tuple[Char, ...] = ()

    @property
    def height(self) -> float:
        return self.bottom - self.top


class Line(Record, frozen=True):
    """One printed row: words from left to right. index counts rows from the top of the page."""

    index: int
    words: tuple[Word, ...]

    @property
    def text(self) -> str:
        return " ".join([word.text for word in self.words])

    @property
    def left(self) -> float:
        return min([word.left for word in self.words])

    @property
    def right(self) -> float:
        return max([word.right for word in self.words])

    @property
    def top(self) -> float:
        return min([word.top for word in self.words])

    @property
    def bottom(self) -> float:
        return max([word.bottom for word in self.words])

    def columns(self, blank: float) -> list[tuple[int, int]]:
        """Start and end in the text of each column; gaps wider than `blank` row heights separate them."""
        found: list[tuple[int, int]] = []
        start, end, wide = 0, 0, blank * self.height
        for at, word in enumerate(self.words):
            if at and word.left - self.words[at - 1].right > wide:
                found.append((start, end))
                start = end + 1
            end += len(word.text) + (at > 0)
        return [*found, (start, end)]

    def chars(self, start: int, end: int) -> Iterator[Char]:
        """The recognised characters of text[start:end]; none for spaces between words."""
        offset = 0
        for word in self.words:
            position = offset
            for char in word.chars:
                if char.text and start <= position < end:
                    yield char
                position += len(char.text)
            offset += len(word.text) + 1

    def place(self, start: int, end: int) -> tuple[float, float]:
        """Left and right edge of text[start:end], in the reading frame."""
        left: float | None = None
        right = 0.0
        offset = 0
        for word in self.words:
            first, last = max(start, offset) - offset, min(end, offset + len(word.text)) - offset
            if first < last:
                width = (word.right - word.left) / len(word.text)
                left = word.left + first * width if left is None else left
                right = word.left + last * width
            offset += len(word.text) + 1
        return (self.left, self.right) if left is None else (left, right)

    @property
    def height(self) -> float:
        """Median word height."""
        heights = sorted([word.bottom - word.top for word in self.words])
        middle = len(heights) // 2
        return heights[middle] if len(heights) % 2 else (heights[middle - 1] + heights[middle]) / 2

    @property
    def score(self) -> float:
        """Mean word score, weighted by length."""
        return sum(w.score * len(w.text) for w in self.words) / max(1, sum(len(w.text) for w in self.words))
