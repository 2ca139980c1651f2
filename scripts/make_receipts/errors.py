"""Defines the error of drawing, as part of the package's error tree."""

from receipt_engine.errors import ReceiptEngineError


class DrawingError(ReceiptEngineError):
    """A receipt cannot be drawn: this folder's data are wrong, or no installed font has its letters."""
