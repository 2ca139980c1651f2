"""The only module of the benchmarks that calls the engine under test."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from receipt_engine.document import Reading
from receipt_engine.options import DocumentType, ExtractOptions

if TYPE_CHECKING:
    from receipt_engine.engine import Engine


@dataclass(frozen=True, slots=True)
class Call:
    """The options a caller would pass with one image.

    region: two letters or None. document_type: "receipt", "invoice" or "auto".
    custom_fields: requested keys of ``customFields``.
    """

    region: str | None = None
    document_type: DocumentType = "receipt"
    custom_fields: tuple[str, ...] = ()


class Reader(Protocol):
    """An engine in two halves: `read` is slow and takes the image, `interpret` is fast and pure."""

    fingerprint: str

    def read(self, image: Path) -> Reading:
        """The recognised text; raises receipt_engine.errors.ImageError when the image yields none."""
        ...

    def interpret(self, reading: Reading, call: Call) -> dict[str, Any]:
        """The Result as the contract's plain object, with evidence."""
        ...


class ProductReader:
    """The package's own engine as a `Reader`. threads: see `receipt_engine.Engine`.

    The engine is loaded for the first image that is not in a cache: loading takes as long as ten Results.
    """

    def __init__(self, threads: int | None = 1) -> None:
        from receipt_engine.engine import fingerprint

        self._threads = threads
        self.fingerprint = fingerprint()

    @cached_property
    def _engine(self) -> Engine:
        from receipt_engine.engine import Engine

        return Engine(threads=self._threads)

    def read(self, image: Path) -> Reading:
        return self._engine.read(image)

    def interpret(self, reading: Reading, call: Call) -> dict[str, Any]:
        from receipt_engine.pipeline import interpret
        from receipt_engine.trace import Trace

        options = ExtractOptions(
            region=call.region,
            document_type=call.document_type,
            evidence=True,
            custom_fields=call.custom_fields,
        )
        return interpret(reading, options, None, Trace(keep=False)).to_dict()
