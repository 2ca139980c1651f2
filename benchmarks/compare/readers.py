"""The OCR readers of the comparison: each gives a `Reading`, rows of text and the cost."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

from PIL import Image, ImageOps

from benchmarks.datasets import LabelError, Sample
from benchmarks.outcome import text_rows
from benchmarks.product import ProductReader
from benchmarks.reading_cache import Entry, ReadingCache, encode, picture_key, reading_code
from receipt_engine.adapters import paddleocr, tesseract_tsv
from receipt_engine.document import Reading
from receipt_engine.errors import ImageError

#: Tesseract language packs used in addition to English, by region.
_LANGUAGES = {
    "ar": "spa", "be": "fra", "br": "por", "ca": "fra", "ch": "deu", "cl": "spa", "co": "spa", "de": "deu",
    "es": "spa", "fr": "fra", "it": "ita", "mx": "spa", "pa": "spa", "pe": "spa", "se": "swe", "uy": "spa",
}  # fmt: skip
_PSM = "6"


@dataclass(frozen=True, slots=True)
class ReadText:
    """A reader's output for one image.

    reading: None when it found no text. rows: the text from top to bottom. seconds: processor time, None
    when it was not measured. memory: peak memory of the process in bytes, None when it was not measured.
    """

    reading: Reading | None
    rows: tuple[str, ...]
    seconds: float | None = None
    memory: int | None = None


class TextReader(Protocol):
    """Reads the image of a sample, from its cache where possible."""

    def read(self, sample: Sample) -> ReadText: ...


class EngineReader:
    """The engine's own OCR. cache: folder of readings; None to read anew and measure the time."""

    def __init__(self, cache: Path | None) -> None:
        self._reader = ProductReader()
        self._cache = ReadingCache(cache, self._reader.fingerprint) if cache else None

    def read(self, sample: Sample) -> ReadText:
        key = picture_key(sample.image.read_bytes())
        entry = self._cache.get(key) if self._cache else None
        if entry is not None:
            reading = None if entry.reading is None else entry.decode()
            return ReadText(reading, text_rows(reading) if reading else ())
        wall, start = time.perf_counter(), time.process_time()
        try:
            reading = self._reader.read(sample.image)
        except ImageError as error:
            reading = None
            stored = Entry(
                reading_code(), time.perf_counter() - wall, error=(type(error).__name__, str(error))
            )
        else:
            stored = Entry(reading_code(), time.perf_counter() - wall, encode(reading))
        seconds = time.process_time() - start
        if self._cache:
            self._cache.put(key, stored)
        return ReadText(reading, text_rows(reading) if reading else (), seconds)


class _Cached:
    """Caches a reader's raw output as JSON: the text, its processor seconds and its memory."""

    def __init__(self, cache: Path | None, name: str) -> None:
        self._folder = cache / name if cache else None

    def output(
        self, sample: Sample, run: Callable[[Path], Mapping[str, Any]], kind: str = ""
    ) -> Mapping[str, Any]:
        data = sample.image.read_bytes()
        name = f"{hashlib.sha256(data).hexdigest()}.json"
        path = self._folder.with_name(self._folder.name + kind) / name if self._folder else None
        if path is not None and path.is_file():
            found: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            return found
        made = run(sample.image)
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(made, ensure_ascii=False), encoding="utf-8")
        return made


class TesseractReader:
    """Stock Tesseract, one process per image, with the language pack of the sample's region in addition to
    English where it is installed; `--psm 6` reads receipts best."""

    def __init__(self, cache: Path | None) -> None:
        try:
            said, listed = _said("--version"), _said("--list-langs")
        except FileNotFoundError as error:
            raise LabelError("tesseract is not installed; install tesseract-ocr or leave it out.") from error
        self._installed = set(listed.split())
        self._cached = _Cached(cache, f"{said.split()[1]}-psm{_PSM}")

    def read(self, sample: Sample) -> ReadText:
        other = _LANGUAGES.get(sample.region or "", "")
        languages = f"eng+{other}" if other in self._installed else "eng"
        made = self._cached.output(sample, lambda path: _tesseract(path, languages), f"-{languages}")
        try:
            reading = tesseract_tsv.to_reading(made["tsv"])
        except ImageError:
            reading = None
        return ReadText(reading, _tesseract_rows(made["tsv"]), made["seconds"], made["memory"])


def _said(option: str) -> str:
    return subprocess.run(["tesseract", option], check=True, capture_output=True, text=True).stdout


def _tesseract(path: Path, languages: str) -> dict[str, Any]:
    """Tesseract's TSV output with the processor seconds and peak memory of the process."""
    picture = ImageOps.exif_transpose(Image.open(path)).convert("RGB")
    with tempfile.TemporaryDirectory() as folder:
        upright, out = Path(folder, "picture.png"), Path(folder, "out")
        picture.save(upright, compress_level=1)
        command = ["tesseract", str(upright), str(out), "-l", languages, "--psm", _PSM, "tsv"]
        quiet = [(os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)]
        environment = {**os.environ, "OMP_THREAD_LIMIT": "1"}
        process = os.posix_spawnp(command[0], command, environment, file_actions=quiet)
        _, status, used = os.wait4(process, 0)
        tsv = out.with_suffix(".tsv").read_text(encoding="utf-8") if status == 0 else ""
    seconds = used.ru_utime + used.ru_stime
    return {"tsv": tsv, "seconds": seconds, "memory": used.ru_maxrss * 1024, "size": picture.size}


def _tesseract_rows(tsv: str) -> tuple[str, ...]:
    """Rows of text as Tesseract groups the words."""
    rows: dict[tuple[str, ...], list[str]] = {}
    for row in tsv.splitlines()[1:]:
        cells = row.split("\t", 11)
        if cells[0] == "5" and len(cells) == 12 and cells[11].strip():
            rows.setdefault(tuple(cells[1:5]), []).append(cells[11])
    return tuple(" ".join(words) for words in rows.values())


class RapidOcrReader:
    """Stock rapidocr (extra `bench`): PP-OCR's networks in another program."""

    def __init__(self, cache: Path | None) -> None:
        from rapidocr import RapidOCR

        self._cached = _Cached(cache, f"rapidocr-{version('rapidocr')}")
        self._reader: Any = RapidOCR()

    def read(self, sample: Sample) -> ReadText:
        made = self._cached.output(sample, self._run)
        try:
            reading = paddleocr.to_reading({"rec_texts": made["texts"], **made}, made["size"])
        except ImageError:
            reading = None
        return ReadText(reading, text_rows(reading) if reading else (), made["seconds"])

    def _run(self, path: Path) -> dict[str, Any]:
        start = time.process_time()
        found = self._reader(str(path))
        seconds = time.process_time() - start
        size = ImageOps.exif_transpose(Image.open(path)).size
        return {
            "texts": list(found.txts or ()),
            "rec_scores": [float(score) for score in found.scores or ()],
            "rec_polys": [] if found.boxes is None else found.boxes.tolist(),
            "size": size,
            "seconds": seconds,
        }


READERS: Mapping[str, Callable[[Path | None], TextReader]] = {
    "engine": EngineReader,
    "tesseract": TesseractReader,
    "rapidocr": RapidOcrReader,
}
