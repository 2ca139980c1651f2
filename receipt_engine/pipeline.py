"""The recipe: every stage once, in order, typed values in and out.

`read` is what the picture gives and takes nearly all the time. `interpret` is what the words mean, is
pure and takes milliseconds; benchmarks repeat it alone.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from receipt_engine.document import Reading
from receipt_engine.errors import NoTextError
from receipt_engine.runtime.onnx import Graph
from receipt_engine.stages.barcodes import read_barcodes
from receipt_engine.stages.detect import detect
from receipt_engine.stages.preprocess.decode import decode
from receipt_engine.stages.preprocess.quality import measure_quality
from receipt_engine.stages.recognize import Recognizer, make_upright, read_boxes
from receipt_engine.trace import Trace

Source = str | os.PathLike[str] | bytes | NDArray[np.uint8]


@dataclass(frozen=True)
class Models:
    """The two networks."""

    detector: Graph
    recognizer: Recognizer


def read(source: Source, models: Models, trace: Trace) -> Reading:
    """Everything the picture gives; raises ImageError when it gives nothing."""
    page = trace.run("preprocess", decode, source)
    boxes = trace.run("detect", detect, page, models.detector)
    page, boxes = trace.run("orient", make_upright, page, boxes, models.recognizer)
    quality = trace.run("quality", measure_quality, page.image)
    spans = trace.run("recognize", read_boxes, page, boxes, models.recognizer)
    barcodes = trace.run("barcodes", read_barcodes, page)
    if not any(span.text.strip() for span in spans):
        raise NoTextError("No text was found in the picture. Photograph the receipt closer and in focus.")
    heights = [box.quad.height for box in boxes]
    return Reading(
        width=page.width,
        height=page.height,
        source_size=page.source_size,
        rotation=page.rotation,
        quality=replace(quality, text_height=float(np.median(heights))),
        spans=spans,
        barcodes=barcodes,
    )
