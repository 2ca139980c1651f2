"""What finds and reads text, as the pipeline sees it: the place where other engines take the shipped one's.

    page ─ Detector.detect ─ boxes ─ Recognizer.read ─ spans

The shipped pair is `stages.detect.NetworkDetector` and `stages.recognize.NetworkRecognizer`, loaded by
`receipt_engine.models.load_models`. Either half can be replaced alone:

    models = dataclasses.replace(load_models(), recognizer=MyRecognizer())
    engine = Engine(models=models)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, Self, runtime_checkable

from receipt_engine.document import Page, Span, TextBox
from receipt_engine.runtime.stopping import Stop


class Detector(Protocol):
    """Finds text. Called from several threads at once."""

    def detect(self, page: Page) -> Sequence[TextBox]:
        """The boxes of all text, in page pixels and in any order; none when there is no text.

        A box is a printed row or a part of one, never several rows; its corners go clockwise from the top
        left as far as that can be known (`Recognizer` is asked which way up the page is).
        """
        ...


class Recognizer(Protocol):
    """Reads text. Called from several threads at once."""

    def read(self, page: Page, boxes: Sequence[TextBox]) -> Sequence[Span]:
        """One span a box, in their order, "" for a box without text. `lone` boxes may be left out.

        A span's `score` and its characters' scores are from 0 to 1; print that is upside down must score
        lower than the same print upright. `chars` give each character's place (without them a span is one
        word) and, in `alternatives`, what else it may be: overlooked blanks and accents come from that.
        """
        ...


@runtime_checkable
class Stoppable(Protocol):
    """A detector or recogniser whose calls can be ended from outside; others end between their calls."""

    def stopped_by(self, stop: Stop) -> Self:
        """The same one for a single extraction, which ends when `stop` says so."""
        ...


@runtime_checkable
class Remembering(Protocol):
    """A recogniser that can be asked for the same box twice at no cost: once for which way up the page is,
    and then for its text."""

    def for_page(self) -> Self:
        """The same one for a single page, however that is turned."""
        ...


def remembering(recognizer: Recognizer) -> Recognizer:
    """The recogniser for a single page, one that remembers where it can."""
    return recognizer.for_page() if isinstance(recognizer, Remembering) else recognizer


@dataclass(frozen=True)
class Models:
    """What reads pictures.

    fingerprint: changes whenever the same picture may be read differently; caches of readings go by it
    (`Engine.fingerprint`). "" for the shipped networks, which are known by their checksums.
    """

    detector: Detector
    recognizer: Recognizer
    fingerprint: str = ""
