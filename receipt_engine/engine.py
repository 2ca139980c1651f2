"""The engine: models are loaded once, then pictures are read from any number of threads."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass

from receipt_engine import assets
from receipt_engine.document import Page, Reading
from receipt_engine.documents import interpret_all, main_receipt, read_file
from receipt_engine.merchants import MerchantTable
from receipt_engine.options import DateParsing, DocumentType, ExtractOptions
from receipt_engine.pipeline import Models, interpret, read
from receipt_engine.result import Result
from receipt_engine.runtime.memory import release
from receipt_engine.runtime.onnx import OnnxGraph
from receipt_engine.stages.preprocess.source import Source
from receipt_engine.stages.recognize import LearnedHead, LinearHead, Recognizer
from receipt_engine.trace import Trace

#: Changes whenever the same picture may give another `Reading`.
READING_VERSION = 4


@dataclass(frozen=True, slots=True)
class Explanation:
    """A result with everything that led to it. page: the upright picture; trace: see `Trace`."""

    page: Page
    reading: Reading
    result: Result
    trace: Trace

    def to_html(self) -> str:
        """One self-contained page: the picture with boxes by role, rows, candidates, equations, times."""
        from receipt_engine.explain import to_html

        return to_html(self.page, self.reading, self.result, self.trace)


class Engine:
    """Reads receipts. Safe to share between threads; loading takes about half a second.

    threads: processors that one extraction may use; all when None. Results do not depend on it.
    merchants: a table that validates merchants, see `receipt_engine.merchants`. Raises ModelError when a
    model file is missing or damaged.
    """

    def __init__(self, *, threads: int | None = None, merchants: MerchantTable | None = None) -> None:
        self._models = _load_models(threads or _processors())
        self._merchants = merchants
        self.fingerprint = fingerprint()

    def extract(
        self,
        image: Source,
        *,
        region: str | None = None,
        document_type: DocumentType = "receipt",
        decimal_places: int | None = None,
        cents: bool = False,
        default_date_parsing: DateParsing | None = None,
        evidence: bool = False,
        custom_fields: tuple[str, ...] = (),
    ) -> Result:
        """The contract's Result of one picture: a path, the bytes of a picture file, an open binary file, a
        Pillow image, or an RGB array.

        Options are those of `ExtractOptions`. Raises OptionError for a wrong option, ImageError when the
        picture cannot be read, and OSError when a path cannot be opened.
        """
        options = ExtractOptions(
            region=region,
            document_type=document_type,
            decimal_places=decimal_places,
            cents=cents,
            default_date_parsing=default_date_parsing,
            evidence=evidence,
            custom_fields=custom_fields,
        )
        return self.interpret(self.read(image), options)

    def extract_all(self, image: Source, options: ExtractOptions | None = None) -> tuple[Result, ...]:
        """The Result of every receipt and invoice that a file shows, in reading order; at least one.

        Several receipts in one picture, and a file of many pages, are told apart; a card slip is part of
        the receipt that it belongs to. Raises what `extract` raises.
        """
        return self.interpret_all(self.read(image), options)

    def explain(self, image: Source, options: ExtractOptions | None = None) -> Explanation:
        """The same extraction, with every intermediate value and its milliseconds."""
        trace = Trace(keep=True)
        options = options or ExtractOptions(evidence=True)
        try:
            reading = read(image, self._models, trace)
        finally:
            release()
        result = interpret(reading, options, self._merchants, trace)
        return Explanation(trace["orient"][0], reading, result, trace)

    def read(self, image: Source) -> Reading:
        """The slow half of `extract`: everything the file gives, before any rule of a country."""
        try:
            return read_file(image, self._models, Trace(keep=False))
        finally:
            release()

    def interpret(self, reading: Reading, options: ExtractOptions | None = None) -> Result:
        """The fast half of `extract`: of several receipts, the one with a total and most products."""
        return main_receipt(self.interpret_all(reading, options))

    def interpret_all(self, reading: Reading, options: ExtractOptions | None = None) -> tuple[Result, ...]:
        """The fast half of `extract_all`."""
        return interpret_all(reading, options or ExtractOptions(), self._merchants)


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _load_models(threads: int) -> Models:
    projection = OnnxGraph(assets.model_file("text-recognizer-projection.onnx"))
    whole = LinearHead.load(
        assets.model_file("text-recognizer-classes.txt"),
        assets.model_file("text-recognizer-weights.npz"),
        projection,
    )
    recognizer = Recognizer(
        backbone=OnnxGraph(assets.model_file("text-recognizer.onnx")),
        heads={
            "latin": whole.restrict("latin"),
            "cjk": whole.restrict("cjk"),
            "greek": _learned_head("greek"),
            "vietnamese": _learned_head("vietnamese"),
        },
        whole=whole,
        threads=threads,
    )
    return Models(OnnxGraph(assets.model_file("text-detector.onnx"), threads), recognizer)


def _learned_head(script: str) -> LearnedHead:
    graph = OnnxGraph(assets.model_file(f"text-recognizer-{script}.onnx"))
    return LearnedHead.load(assets.model_file(f"text-recognizer-{script}-classes.txt"), graph)


def fingerprint() -> str:
    """Identifies the models and the reading code: equal fingerprints give equal readings."""
    digests = "".join(e["sha256"] for e in assets.model_manifest() if e["name"].startswith("text-"))
    return hashlib.sha256(f"{READING_VERSION}:{digests}".encode()).hexdigest()[:16]
