"""Runs PaddleOCR 3 as the engine's detector and recogniser (extra `paddle`), with any of its model folders.

A model folder is in PaddleOCR's format: an `inference.yml` beside `inference.pdiparams` (run by paddlepaddle)
or beside `inference.onnx` (run by onnxruntime). PaddleOCR gives only a text and a score per line, so
characters have no alternatives.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import cv2
import numpy as np

from receipt_engine.document import Image, Page, Quad, Span, TextBox
from receipt_engine.document.placed_text import Placed
from receipt_engine.document.text_lines import spans_of
from receipt_engine.errors import ModelError
from receipt_engine.runtime.protocols import Models
from receipt_engine.stages.recognize.crop import crop, straight_pieces

#: Longest side of the detector's input, in pixels; for a page longer than `_LONG` times its width, `_SHORT`
#: is its shortest side instead.
_SIDE = 1280
_LONG = 2.4
_SHORT = 576
_MOST = 4000
_ENLARGED = 2.0
_CROPS = 8
_DESCRIPTION = "inference.yml"
_WEIGHTS: dict[str, Literal["paddle", "onnxruntime"]] = {
    "inference.pdiparams": "paddle",
    "inference.onnx": "onnxruntime",
}


def load_paddle(detector: Path | str, recognizer: Path | str) -> Models:
    """Models for `Engine(models=…)` from a text detection and a text recognition folder of PaddleOCR.

    Raises ModelError when PaddleOCR is not installed or a folder does not hold one of its models.
    """
    folders = Path(detector), Path(recognizer)
    engines = [_engine(folder) for folder in folders]
    try:
        from paddleocr import TextDetection, TextRecognition
    except ImportError as error:
        raise ModelError("PaddleOCR is not installed; pip install 'receipt-engine[paddle]'.") from error
    finder, reader = (
        _load(kind, folder, engine)
        for kind, folder, engine in zip((TextDetection, TextRecognition), folders, engines, strict=True)
    )
    return Models(PaddleDetector(finder), PaddleRecognizer(reader), _fingerprint(folders))


def _engine(folder: Path) -> str:
    """The inference engine for a folder's weights."""
    if not (folder / _DESCRIPTION).is_file():
        raise ModelError(f"{folder} is not a PaddleOCR model: it contains no {_DESCRIPTION}.")
    for name, engine in _WEIGHTS.items():
        if (folder / name).is_file():
            return engine
    raise ModelError(f"{folder} is not a PaddleOCR model: it contains neither {' nor '.join(_WEIGHTS)}.")


def _load(kind: Any, folder: Path, engine: str) -> Any:
    name = next(
        (
            line.partition(":")[2].strip()
            for line in (folder / _DESCRIPTION).read_text(encoding="utf-8").splitlines()
            if line.strip().startswith("model_name:")
        ),
        None,
    )
    try:
        return kind(model_name=name, model_dir=str(folder), engine=engine)
    except Exception as error:  # PaddleX raises whatever its parts raise
        raise ModelError(f"PaddleOCR cannot load the model in {folder}: {error}") from error


def _fingerprint(folders: Sequence[Path]) -> str:
    digest = hashlib.sha256()
    for folder in folders:
        for name in (_DESCRIPTION, *_WEIGHTS):
            if (folder / name).is_file():
                digest.update((folder / name).read_bytes())
    return digest.hexdigest()[:16]


class PaddleDetector:
    """A `Detector`. model: PaddleOCR's TextDetection, called by one thread at a time."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self._lock = threading.Lock()

    def detect(self, page: Page) -> tuple[TextBox, ...]:
        """The boxes of all text, in page pixels."""
        scale = _scale(page.image)
        picture: Any = np.ascontiguousarray(page.image[:, :, ::-1])  # BGR, as PaddleOCR takes arrays
        if scale != 1:
            picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        with self._lock:
            (found,) = self._model.predict(picture, batch_size=1, limit_side_len=_MOST, limit_type="max")
        return tuple(
            TextBox(_quad(np.asarray(corners, dtype=float) / scale), float(score))
            for corners, score in zip(found["dt_polys"], found["dt_scores"], strict=True)
        )


def _scale(image: Image) -> float:
    """Pixels of the detector's input per page pixel."""
    height, width = image.shape[:2]
    long, short = max(height, width), min(height, width)
    if long > _LONG * short:
        return float(min(_ENLARGED, _SHORT / short, _MOST / long))
    return float(min(_ENLARGED, _SIDE / long))


def _quad(corners: Any) -> Quad:
    return Quad(*((round(float(x), 2), round(float(y), 2)) for x, y in corners))


class PaddleRecognizer:
    """A `Recognizer`. model: PaddleOCR's TextRecognition, called by one thread at a time."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self._lock = threading.Lock()

    def read(self, page: Page, boxes: Sequence[TextBox]) -> tuple[Span, ...]:
        """One span per box, or several for a bent row. Crops of similar width are batched, since the widest
        sets a batch's width."""
        crops = [np.ascontiguousarray(crop(page, box)[:, :, ::-1]) for box in boxes]
        order = sorted(range(len(crops)), key=lambda at: crops[at].shape[1] / crops[at].shape[0])
        with self._lock:
            found = list(self._model.predict([crops[at] for at in order], batch_size=_CROPS)) if crops else []
        read = dict(zip(order, found, strict=True))
        return tuple(
            piece for at, box in enumerate(boxes) for piece in straight_pieces(_span(read[at], box.quad), box)
        )


def _span(read: Any, quad: Quad) -> Span:
    text, score = " ".join(str(read["rec_text"]).split()), min(1.0, float(read["rec_score"]))
    if not text:
        return Span("", 0.0, quad)
    (span,) = spans_of([Placed(text, quad, score, (), None)])
    return span
