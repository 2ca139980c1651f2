"""Offline OCR extraction for receipts and invoices.

>>> from receipt_engine import Engine
>>> engine = Engine()
>>> result = engine.extract("receipt.jpg", region="us")  # doctest: +SKIP
>>> result.total, result.total_confidence  # doctest: +SKIP
(Decimal('56.58'), 0.999)
"""

import logging
import os
from typing import TYPE_CHECKING, Any

from receipt_engine.document import PlacedText, Reading
from receipt_engine.errors import (
    CancelledError,
    DeadlineError,
    ForkError,
    ImageError,
    ImageTooLargeError,
    MerchantTableError,
    ModelError,
    NotAnImageError,
    NoTextError,
    OptionError,
    ReadingError,
    ReceiptEngineError,
    RegionDataError,
    StoppedError,
    UnreadableImageError,
)
from receipt_engine.evidence import evidence_schema
from receipt_engine.memory import MerchantMemory
from receipt_engine.merchants import MerchantTable, import_merchants
from receipt_engine.options import CustomField, ExtractOptions
from receipt_engine.region import load_region, region_codes
from receipt_engine.result import AddressNorm, LineItem, Result, Supplementary, json_schema
from receipt_engine.runtime.protocols import Detector, Models, Recognizer
from receipt_engine.runtime.stopping import Cancellation
from receipt_engine.version import __version__

if TYPE_CHECKING:
    from receipt_engine.engine import Engine, Explanation

__all__ = [
    "AddressNorm",
    "Cancellation",
    "CancelledError",
    "CustomField",
    "DeadlineError",
    "Detector",
    "Engine",
    "Explanation",
    "ExtractOptions",
    "ForkError",
    "ImageError",
    "ImageTooLargeError",
    "LineItem",
    "MerchantMemory",
    "MerchantTable",
    "MerchantTableError",
    "ModelError",
    "Models",
    "NoTextError",
    "NotAnImageError",
    "OptionError",
    "PlacedText",
    "Reading",
    "ReadingError",
    "ReceiptEngineError",
    "Recognizer",
    "RegionDataError",
    "Result",
    "StoppedError",
    "Supplementary",
    "UnreadableImageError",
    "__version__",
    "evidence_schema",
    "import_merchants",
    "json_schema",
    "regions",
]

# From version 1.29 on, onnxruntime sends telemetry to its maker and keeps an identifier in the user's cache,
# unless this is set before it is loaded.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")

# Logging is off until the user enables it: logging.getLogger("receipt_engine").setLevel(logging.DEBUG).
# Messages hold sizes, counts and times, never the text of a receipt.
logging.getLogger("receipt_engine").addHandler(logging.NullHandler())


def regions() -> dict[str, str]:
    """Code → English name of every region that `region=` accepts, sorted by code."""
    return {code: load_region(code).name for code in region_codes()}


def __getattr__(name: str) -> Any:
    """Imports the engine on first use: callers that only need errors, options or results avoid its libraries,
    which take half a second and 100 MB."""
    if name in {"Engine", "Explanation"}:
        from receipt_engine import engine

        return getattr(engine, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
