"""Runs the systems under comparison, giving outcomes over the same samples for each."""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.compare import generic_regex, predictions
from benchmarks.compare.readers import READERS, ReadText, TextReader
from benchmarks.datasets import LabelError, Sample
from benchmarks.outcome import Outcome
from benchmarks.product import ProductReader
from benchmarks.protocols import speed
from benchmarks.runner import call_for
from receipt_engine.errors import ImageError

REGEX = "regex"
#: A reader's name, followed by "+regex" where `generic_regex` replaces the engine's interpretation.
SYSTEMS = tuple(name + tail for name in READERS for tail in ("", f"+{REGEX}"))
#: Readers that run inside this process: their memory is measured in a fresh process over `_PICTURES` images.
_WEIGHED = {"engine": speed.OURS, "rapidocr": speed.THEIRS}
_PICTURES = 4
DEFAULT_SYSTEMS = "engine,tesseract,tesseract+regex,engine+regex"


@dataclass(frozen=True, slots=True)
class Compared:
    """One system's results.

    seconds: processor time per image, the sum of the medians of reading and interpreting; memory: peak, in
    bytes; both None when not measured.
    """

    name: str
    outcomes: Sequence[Outcome]
    seconds: float | None
    memory: int | None


def parsed(listed: str) -> list[str]:
    """Splits a comma-separated list of system names. Raises LabelError for an unknown one."""
    names = [name.strip() for name in listed.split(",") if name.strip()]
    for name in names:
        if name not in SYSTEMS:
            raise LabelError(f"There is no system {name}; there are: {', '.join(SYSTEMS)}.")
    return names


def compare(
    names: Sequence[str],
    folders: Mapping[str, Path],
    samples: Sequence[Sample],
    caches: Mapping[str, Path | None],
    *,
    timed: int = 0,
    readers: Mapping[str, Callable[[Path | None], TextReader]] = READERS,
) -> list[Compared]:
    """Runs every system over all samples. folders: name → folder of predictions. caches: reader → its folder.

    timed: number of images, spread over the samples, to read anew for readers whose cache holds no times.
    """
    found: list[Compared] = []
    texts: dict[str, list[ReadText]] = {}
    for name in names:
        reader = name.removesuffix(f"+{REGEX}")
        if reader not in texts:
            print(f"reading with {reader}", file=sys.stderr, flush=True)
            texts[reader] = _read(reader, readers[reader], caches.get(reader), samples, timed)
        understand = _regex if name != reader else _engine()
        found.append(_understood(name, samples, texts[reader], understand))
    return [*found, *(_predicted(name, folder, samples) for name, folder in folders.items())]


def _read(
    name: str,
    make: Callable[[Path | None], TextReader],
    cache: Path | None,
    samples: Sequence[Sample],
    timed: int,
) -> list[ReadText]:
    reader = make(cache)
    texts = [reader.read(sample) for sample in samples]
    if timed and all(text.seconds is None for text in texts):
        anew = make(None)
        step = max(1, len(samples) // timed)
        anew.read(samples[0])  # loads the networks
        for at in range(0, len(samples), step):
            texts[at] = replace(texts[at], seconds=anew.read(samples[at]).seconds)
    if timed and name in _WEIGHED:
        pictures = [sample.image for sample in samples[:_PICTURES]]
        peak = speed.peak_memory(_WEIGHED[name], pictures)
        texts[0] = replace(texts[0], memory=round(1e6 * peak))
    return texts


Understand = Callable[[Sample, ReadText], dict[str, Any]]


def _engine() -> Understand:
    product = ProductReader()

    def understand(sample: Sample, text: ReadText) -> dict[str, Any]:
        if text.reading is None:
            raise ImageError("There is no text.")
        return product.interpret(text.reading, call_for(sample))

    return understand


def _regex(sample: Sample, text: ReadText) -> dict[str, Any]:
    return generic_regex.extract(text.rows, sample.region)


def _understood(
    name: str, samples: Sequence[Sample], texts: Sequence[ReadText], understand: Understand
) -> Compared:
    outcomes, thinking = [], []
    for sample, text in zip(samples, texts, strict=True):
        start = time.process_time()
        try:
            outcomes.append(Outcome(sample, understand(sample, text)))
        except ImageError as error:
            outcomes.append(Outcome(sample, error=(type(error).__name__, str(error))))
        thinking.append(time.process_time() - start)
    reading = [text.seconds for text in texts if text.seconds is not None]
    seconds = statistics.median(reading) + statistics.median(thinking) if reading else None
    memory = max((text.memory for text in texts if text.memory is not None), default=None)
    return Compared(name, outcomes, seconds, memory)


def _predicted(name: str, folder: Path, samples: Sequence[Sample]) -> Compared:
    given = predictions.load(folder, [sample.id for sample in samples])
    nothing = predictions.Prediction(None)
    chosen = [given.get(sample.id, nothing) for sample in samples]
    seconds = [p.seconds for p in chosen if p.seconds is not None]
    memory = max((p.memory for p in chosen if p.memory is not None), default=None)
    outcomes = [Outcome(sample, p.result) for sample, p in zip(samples, chosen, strict=True)]
    return Compared(name, outcomes, statistics.median(seconds) if seconds else None, memory)
