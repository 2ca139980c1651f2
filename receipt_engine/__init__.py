"""Offline OCR extraction for receipts and invoices.

>>> from receipt_engine import Engine
>>> engine = Engine()
>>> result = engine.extract("receipt.jpg", region="us")  # doctest: +SKIP
>>> result.total, result.total_confidence  # doctest: +SKIP
(Decimal('56.58'), 0.999)
"""

from typing import TYPE_CHECKING, Any

from receipt_engine.errors import (
    ImageError,
    ImageTooLargeError,
    MerchantTableError,
    ModelError,
    NotAnImageError,
    NoTextError,
    OptionError,
    ReceiptEngineError,
    RegionDataError,
    UnreadableImageError,
)
from receipt_engine.merchants import MerchantTable, import_merchants
from receipt_engine.options import ExtractOptions
from receipt_engine.result import AddressNorm, LineItem, Result, Supplementary, json_schema
from receipt_engine.version import __version__

if TYPE_CHECKING:
    from receipt_engine.engine import Engine, Explanation

__all__ = [
    "AddressNorm",
    "Engine",
    "Explanation",
    "ExtractOptions",
    "ImageError",
    "ImageTooLargeError",
    "LineItem",
    "MerchantTable",
    "MerchantTableError",
    "ModelError",
    "NoTextError",
    "NotAnImageError",
    "OptionError",
    "ReceiptEngineError",
    "RegionDataError",
    "Result",
    "Supplementary",
    "UnreadableImageError",
    "__version__",
    "import_merchants",
    "json_schema",
]


def __getattr__(name: str) -> Any:
    """The engine is imported when it is asked for: who only wants errors, options or results does without
    its libraries, which take half a second and 100 MB."""
    if name in {"Engine", "Explanation"}:
        from receipt_engine import engine

        return getattr(engine, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
