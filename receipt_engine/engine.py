"""The engine: loads the models once, then extracts receipts from images in any number of threads."""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Callable, Sequence
from typing import Any

from receipt_engine import assets, own_regions
from receipt_engine.document import Reading
from receipt_engine.documents import explain_all, interpret_all, main_receipt, read_file
from receipt_engine.errors import ForkError, OptionError
from receipt_engine.explain.explanation import Explanation as Explanation
from receipt_engine.memory import MerchantMemory
from receipt_engine.merchants import MerchantTable
from receipt_engine.models import load_models, stoppable
from receipt_engine.options import CustomField, DateParsing, DocumentType, ExtractOptions
from receipt_engine.pipeline import read
from receipt_engine.result import Result
from receipt_engine.runtime import caches
from receipt_engine.runtime.memory import release
from receipt_engine.runtime.protocols import Models
from receipt_engine.runtime.stopping import Cancellation, Stop, stopping
from receipt_engine.stages.preprocess.source import Source
from receipt_engine.trace import Trace
from receipt_engine.warm_up import warm_up_picture

_log = logging.getLogger("receipt_engine")

#: Increased whenever the same image may give a different `Reading`.
READING_VERSION = 17


class Engine:
    """Extracts receipts. Safe to share between threads; loading takes about half a second, once per process.

    threads: processors that one extraction may use; all when None. Results do not depend on it. merchants: a
    table that validates merchants, see `receipt_engine.merchants`. memory: merchants that a person has
    corrected; later receipts get their names and categories. regions: a folder of your own region files,
    which add to and override the shipped ones (see regions/README.md); all engines of a process must use the
    same. models: a detector and a recogniser of your own instead of the shipped networks, which are then not
    loaded; `threads` has no effect on them.

    An engine can be pickled if its `models` can; it is loaded again when unpickled. After a fork it raises
    ForkError. Raises ModelError when a model file is missing or damaged, RegionDataError for an invalid
    region file, and OptionError for an invalid argument, or when another engine of the process uses other
    regions.
    """

    def __init__(
        self,
        *,
        threads: int | None = None,
        merchants: MerchantTable | None = None,
        memory: MerchantMemory | None = None,
        regions: str | os.PathLike[str] | None = None,
        models: Models | None = None,
    ) -> None:
        _check_arguments(threads, merchants, memory, models)
        self._settings = {
            "threads": threads,
            "merchants": merchants,
            "memory": memory,
            "regions": regions,
            "models": models,
        }
        self._regions = own_regions.use(regions)
        self._models = load_models(threads) if models is None else models
        self._merchants = merchants
        self._memory = memory
        self._process = os.getpid()
        self.fingerprint = fingerprint(self._models.fingerprint)

    def __reduce__(self) -> tuple[Callable[[dict[str, Any]], Engine], tuple[dict[str, Any]]]:
        return _reloaded, (self._settings,)

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
        custom_fields: Sequence[str | CustomField] = (),
        deadline: float | None = None,
        cancel: Cancellation | None = None,
    ) -> Result:
        """The Result of one image: a path, the bytes of an image file, an open binary file, a Pillow image,
        or an RGB array.

        Options are those of `ExtractOptions`. deadline: seconds after which DeadlineError is raised; cancel:
        lets another thread end the extraction, which raises CancelledError. Both also stop network runs in
        progress. Raises OptionError for an invalid option, ImageError when the image cannot be read, and
        OSError when a path cannot be opened.
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
        with stopping(deadline, cancel) as stop:
            return main_receipt(self._interpret(self._read(image, stop), options, stop))

    def extract_all(
        self,
        image: Source,
        options: ExtractOptions | None = None,
        *,
        deadline: float | None = None,
        cancel: Cancellation | None = None,
    ) -> tuple[Result, ...]:
        """The Result of every receipt and invoice in a file, in reading order; at least one.

        Several receipts in one image, and the documents in a file of many pages, are separated; a card slip
        is part of the receipt that it belongs to. deadline, cancel and errors are those of `extract`.
        """
        with stopping(deadline, cancel) as stop:
            return self._interpret(self._read(image, stop), options or ExtractOptions(), stop)

    def explain(self, image: Source, options: ExtractOptions | None = None) -> Explanation:
        """Extracts the first page as one receipt, with every intermediate value and step time."""
        trace = Trace(keep=True)
        options = options or ExtractOptions(evidence=True)
        self._check_process()
        try:
            reading = read(image, self._models, trace)
        finally:
            release()
        (result,) = interpret_all(reading, options, self._merchants, trace)
        return Explanation(trace["orient"][0], reading, result, trace)

    def explain_all(self, image: Source, options: ExtractOptions | None = None) -> tuple[Explanation, ...]:
        """`extract_all` with every intermediate value: one explanation per receipt. Its page is the paper
        that the receipt is on, cropped from the image when there are several."""
        self._check_process()
        try:
            return explain_all(image, options or ExtractOptions(evidence=True), self._merchants, self._models)
        finally:
            release()

    def read(self, image: Source) -> Reading:
        """The slow half of `extract`: everything that is read from the file, before any country's rules."""
        return self._read(image, None)

    def interpret(self, reading: Reading, options: ExtractOptions | None = None) -> Result:
        """The fast half of `extract`: of several receipts, the main one (with a total, and most products)."""
        return main_receipt(self.interpret_all(reading, options))

    def interpret_all(self, reading: Reading, options: ExtractOptions | None = None) -> tuple[Result, ...]:
        """The fast half of `extract_all`."""
        return self._interpret(reading, options or ExtractOptions(), None)

    def warm_up(self) -> None:
        """Extracts a small synthetic receipt, so that the first real one takes no longer than the others:
        first calls load the region rules and let the networks plan their memory."""
        self.extract(warm_up_picture())

    def _read(self, image: Source, stop: Stop | None) -> Reading:
        self._check_process()
        models = self._models if stop is None else stoppable(self._models, stop)
        trace = _trace(stop)
        try:
            reading = read_file(image, models, trace)
        finally:
            release()
        _log.debug(
            "read %d x %d pixels, %d pieces of text: %s",
            *reading.source_size,
            len(reading.spans),
            trace.times(),
        )
        return reading

    def _interpret(self, reading: Reading, options: ExtractOptions, stop: Stop | None) -> tuple[Result, ...]:
        trace = _trace(stop)
        results = interpret_all(reading, options, self._merchants, trace)
        if self._memory is not None:
            results = tuple(map(self._memory.recall, results))
        caches.trim()
        _log.debug("interpreted %d receipts: %s", len(results), trace.times())
        return results

    def _check_process(self) -> None:
        if os.getpid() != self._process:
            raise ForkError(
                "This engine was loaded before the process forked, and its threads were left behind. Create "
                "the Engine in the child process, or start processes with multiprocessing's method 'spawn'."
            )


def _check_arguments(threads: object, merchants: object, memory: object, models: object) -> None:
    """Raises OptionError for arguments that would otherwise fail, unexplained, at the first image."""
    if threads is not None and (type(threads) is not int or threads < 1):
        raise OptionError(
            f"threads is {threads!r}; use a whole number of 1 or more, or None for all processors."
        )
    for name, value, kind in (
        ("merchants", merchants, MerchantTable),
        ("memory", memory, MerchantMemory),
        ("models", models, Models),
    ):
        if value is not None and not isinstance(value, kind):
            raise OptionError(f"{name} is {value!r}; use a {kind.__name__}, or None.")


def _trace(stop: Stop | None) -> Trace:
    return Trace(keep=False, before_step=stop.check if stop else None)


def _reloaded(settings: dict[str, Any]) -> Engine:
    return Engine(**settings)


def fingerprint(models: str = "") -> str:
    """Identifies the models and the reading code: equal fingerprints give equal readings.

    models: `Models.fingerprint`; "" for the shipped networks, identified by their checksums. The parts of a
    split network count as the whole file, whose bytes they give.
    """
    if not models:
        texts = (e for e in assets.model_manifest() if e["name"].startswith("text-"))
        models = "".join(dict.fromkeys(e.get("whole", e["sha256"]) for e in texts))
    return hashlib.sha256(f"{READING_VERSION}:{models}".encode()).hexdigest()[:16]
