"""The shipped networks with a disk cache: their output for a page is stored under a digest of its pixels.

Code around them can then be changed and scored again in seconds. For example, after a change to how several
receipts in one image are separated, every receipt cropped as before is the same page.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeVar

import msgspec
import numpy as np

from receipt_engine.document import Page, Span, TextBox
from receipt_engine.engine import fingerprint
from receipt_engine.models import load_models
from receipt_engine.runtime.protocols import Models

T = TypeVar("T")


@dataclass
class _Kept:
    """Cached detector and recogniser in one. folder: of the outputs; load: loads the networks if needed."""

    folder: Path
    load: Callable[[], Models]

    @cached_property
    def _models(self) -> Models:
        return self.load()

    def detect(self, page: Page) -> list[TextBox]:
        key = self._key("detect", page, b"")
        return self._answer(key, list[TextBox], lambda: list(self._models.detector.detect(page)))

    def read(self, page: Page, boxes: Sequence[TextBox]) -> list[Span]:
        key = self._key("read", page, _encoder.encode(boxes))
        return self._answer(key, list[Span], lambda: list(self._models.recognizer.read(page, boxes)))

    def _key(self, what: str, page: Page, more: bytes) -> str:
        digest = hashlib.sha256(f"{what} {page.image.shape}".encode())
        digest.update(page.image.data)
        digest.update(more)
        return digest.hexdigest()

    def _answer(self, key: str, kind: type[T], ask: Callable[[], T]) -> T:
        path = self.folder / key[:2] / key[2:]
        if path.is_file():
            return msgspec.msgpack.decode(zlib.decompress(path.read_bytes()), type=kind)
        answer = ask()
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(zlib.compress(_encoder.encode(answer), 1))
        Path(temporary).replace(path)
        return answer


def kept_models(
    folder: Path, threads: int | None = 1, *, load: Callable[[int | None], Models] = load_models
) -> Models:
    """Models for `Engine(models=...)` that run the networks only for pages missing from the folder.

    The folder has a subfolder per fingerprint: another version of the reading code starts from empty.
    """
    kept = _Kept(folder / fingerprint(), lambda: load(threads))
    return Models(kept, kept, fingerprint())


def _plain(value: object) -> object:
    """Converts numpy scalars to Python's own numbers, for the encoder."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"A {type(value).__name__} cannot be kept.")


_encoder = msgspec.msgpack.Encoder(enc_hook=_plain)
