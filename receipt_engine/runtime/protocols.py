"""Defines the interfaces of text detection and recognition, through which other engines can be used.

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

        A box holds a printed row or a part of one, never several rows. Its corners go clockwise from the top
        left, as far as that is known (the `Recognizer` is used later to find which way up the page is).
        """
        ...


class Recognizer(Protocol):
    """Reads text. Called from several threads at once."""

    def read(self, page: Page, boxes: Sequence[TextBox]) -> Sequence[Span]:
        """The spans, in the order of the boxes: one for each, "" for a box without text, or several straight
        pieces for a bent one (`TextBox.middle`). `faint` boxes may be left out.

        A span's `score` and its characters' scores are from 0 to 1; upside-down text must score lower than
        the same text upright. `chars` give each character's position (without them a span is one word) and
        its `alternatives`, from which missed spaces and accents are restored.
        """
        ...


@runtime_checkable
class Stoppable(Protocol):
    """A detector or recogniser whose calls can be interrupted; others can only be stopped between calls."""

    def stopped_by(self, stop: Stop) -> Self:
        """A copy for a single extraction, which `stop` can end."""
        ...


@runtime_checkable
class Remembering(Protocol):
    """A recogniser that can read the same box twice at no extra cost: once to find which way up the page is,
    and once for its text."""

    def for_page(self) -> Self:
        """A copy for a single page, in any orientation."""
        ...


def remembering(recognizer: Recognizer) -> Recognizer:
    """The recogniser for a single page: a copy that caches, if it supports that."""
    return recognizer.for_page() if isinstance(recognizer, Remembering) else recognizer


@dataclass(frozen=True)
class Models:
    """The detector and the recogniser that read images.

    fingerprint: must change whenever the same image may be read differently; caches of readings depend on it
    (`Engine.fingerprint`). "" for the shipped networks, which are identified by their checksums.
    """

    detector: Detector
    recognizer: Recognizer
    fingerprint: str = ""
