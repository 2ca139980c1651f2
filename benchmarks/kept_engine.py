"""An engine for batches that takes readings from the cache and only interprets them: hundreds of images in
seconds."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from benchmarks.datasets import load
from benchmarks.product import ProductReader
from benchmarks.reading_cache import ReadingCache, picture_key
from receipt_engine.engine import Engine
from receipt_engine.errors import NoTextError
from receipt_engine.options import ExtractOptions
from receipt_engine.result import Result
from receipt_engine.testing import fake_models


class KeptEngine:
    """The part of `Engine` that `EngineReader` uses. folder: the cache, with an entry for every image."""

    def __init__(self, folder: Path) -> None:
        self._cache = ReadingCache(folder, ProductReader().fingerprint)
        self._engine = Engine(models=fake_models("none of its pictures is looked at"))

    def extract_all(
        self, source: str, options: ExtractOptions, *, deadline: float | None = None
    ) -> tuple[Result, ...]:
        """The Results of an image; raises NoTextError when it has no successful reading."""
        entry = self._cache.get(picture_key(Path(source).read_bytes()))
        if entry is None or entry.error is not None:
            raise NoTextError(f"There is no reading of {source}.")
        return self._engine.interpret_all(entry.decode(), options)


def mixed_pictures(data: Path, count: int, sets: Sequence[str] | None = None) -> list[str]:
    """At most `count` images of the labelled sets (all sets when None), spread evenly over them."""
    pictures = [str(sample.image) for sample in load([data], sets)]
    step = max(1.0, len(pictures) / count)
    return [pictures[int(n * step)] for n in range(min(count, len(pictures)))]
