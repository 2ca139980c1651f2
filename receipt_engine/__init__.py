"""Offline OCR extraction for receipts and invoices.

>>> from receipt_engine import Engine
>>> engine = Engine()
>>> result = engine.extract("receipt.jpg", region="us")  # doctest: +SKIP
>>> result.total, result.total_confidence  # doctest: +SKIP
(Decimal('56.58'), 0.999)
"""

from receipt_engine.engine import Engine, Explanation
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
    "import_merchants",
    "json_schema",
]
